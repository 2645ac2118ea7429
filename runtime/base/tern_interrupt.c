/* tern_interrupt.c : see tern_interrupt.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_interrupt.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void tern_catch_interrupts(void)
{
    /* SA_RESETHAND: the second Ctrl-C ends the program, so a job that hangs can always be stopped */
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction now;
    if (sigaction(SIGHUP, NULL, &now) != 0 || now.sa_handler == SIG_IGN) return; /* nohup */
    /* when a terminal closes both the kernel and the shell may send it: twice means no hurry here */
    action.sa_flags = 0;
    sigaction(SIGHUP, &action, NULL);
}

bool tern_interrupted(void) { return interrupted != 0; }
