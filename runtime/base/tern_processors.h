/* tern_processors.h : how many processors this process may use
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_PROCESSORS_H
#define TERN_PROCESSORS_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Processors that this process may run on, at least 1: those online, fewer where taskset, a batch system or a container
 * has bound it to some. */
uint32_t tern_processors(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PROCESSORS_H */
