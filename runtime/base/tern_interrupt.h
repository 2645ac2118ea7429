/* tern_interrupt.h : the wish to stop
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_INTERRUPT_H
#define TERN_INTERRUPT_H
#include <stdbool.h>

/* From now on Ctrl-C (SIGINT) and SIGTERM set a flag instead of ending the program; the second one ends it. So does
 * SIGHUP, of a terminal that closes, unless it is ignored (nohup). For the whole process: to be called once, by a
 * program, never by a library. */
void tern_catch_interrupts(void);
/* Has the flag been set? Any thread may ask. */
bool tern_interrupted(void);

#endif /* TERN_INTERRUPT_H */
