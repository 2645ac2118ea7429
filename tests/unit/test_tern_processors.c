/* test_tern_processors.c : as many processors as the process may run on, not as many as there are
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include <sched.h>
#include <unistd.h>
#include "tern/threads.h"
#include "tern_check.h"
#include "tern_processors.h"

int main(void)
{
    CHECK(tern_processors() >= 1 && (long)tern_processors() <= sysconf(_SC_NPROCESSORS_CONF));
#ifdef CPU_COUNT
    cpu_set_t all, some;
    if (sched_getaffinity(0, sizeof all, &all) == 0) {
        CPU_ZERO(&some);
        uint32_t n = 0;
        for (size_t i = 0; i < CPU_SETSIZE; ++i) {
            if (!CPU_ISSET(i, &all)) continue;
            CPU_SET(i, &some);
            ++n;
            CHECK_EQ(sched_setaffinity(0, sizeof some, &some), 0);
            CHECK_EQ(tern_processors(), n);
            CHECK_EQ(tern_threads_online(), n);
        }
        CHECK_EQ(tern_processors(), (uint32_t)CPU_COUNT(&all));
    }
#endif
    return tern_check_report("processors");
}
