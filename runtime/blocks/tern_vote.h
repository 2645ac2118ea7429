/* tern_vote.h : see tern/vote.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/vote.h"
