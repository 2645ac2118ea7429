/* tern_run_engine.h : all engines by name, those of a board and of a comparison included
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_RUN_ENGINE_H
#define TERN_RUN_ENGINE_H
#include "tern_engines.h"
#include "tern_run_device.h"

#define TERN_ENGINE_CHOICES "fast|golden|both|reference|device"
/* The engine of a name of TERN_ENGINE_CHOICES. */
const tern_engine *tern_engine_find(const char *name);

extern const tern_engine tern_engine_both, tern_engine_device;

#endif /* TERN_RUN_ENGINE_H */
