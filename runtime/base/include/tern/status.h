/* status.h : status codes of every Tern library function
 * SPDX-License-Identifier: Apache-2.0
 *
 * Library functions return a tern_status and give data through out parameters. They never print, exit or abort on
 * input. A tern_diags list reports what exactly is wrong with a file or a script (diag.h).
 *
 * Threads: every function may be called by any thread at any time.
 */
#ifndef TERN_STATUS_H
#define TERN_STATUS_H
#ifdef __cplusplus
extern "C" {
#endif

/* name, value, text. Values are pinned and spaced by theme. */
/* clang-format off */
#define TERN_STATUS_MAP(XX) \
    XX(OK,             0, "done") \
    XX(ERR_MEMORY,    10, "not enough memory") \
    XX(ERR_ARGUMENT,  11, "an argument is out of its range") \
    XX(ERR_LIMIT,     12, "a limit of this version is exceeded") \
    XX(ERR_IO,        20, "a file cannot be read or written") \
    XX(ERR_FORMAT,    21, "a file is not of the expected format") \
    XX(ERR_TRUNCATED, 22, "a file ends too early") \
    XX(ERR_CHECKSUM,  23, "a file is damaged: its checksum differs") \
    XX(ERR_VERSION,   24, "a file is of an unknown version") \
    XX(ERR_SCRIPT,    30, "the script has errors") \
    XX(ERR_NETWORK,   31, "the network description has errors") \
    XX(ERR_FIT,       32, "the network does not fit") \
    XX(ERR_DATA,      33, "a recording or data set has errors") \
    XX(ERR_DIFFERS,   40, "two engines differ") \
    XX(ERR_TOOL,      41, "an external tool is missing or failed")
/* clang-format on */

typedef enum tern_status {
#define XX(name, value, text) TERN_##name = value,
    TERN_STATUS_MAP(XX)
#undef XX
} tern_status;

/* Text of a status, never NULL. */
const char *tern_status_text(tern_status s);

#ifdef __cplusplus
}
#endif
#endif /* TERN_STATUS_H */
