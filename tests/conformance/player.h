/* player.h : plays the operations of a conformance vector on the golden model and writes them with what they lead to
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/23-conformance.md has the format of the lines. The generator feeds lines of its own, the runner those of a file;
 * both get the same text for the same operations.
 */
#ifndef TERN_PLAYER_H
#define TERN_PLAYER_H
#include <stdio.h>
#include "tern/model.h"
#include "tern/vote.h"

typedef struct tern_player_sink {
    tern_record_sink base;
    uint64_t digest, records;
    FILE *list;
} tern_player_sink;

typedef struct tern_player {
    tern_arena arena;
    tern_model m;
    tern_state st;
    bool open, started; /* there is an image; there is a state */
    tern_player_sink sink;
    tern_vote vote;        /* n_classes 0: nobody votes */
    uint32_t class_first;  /* neuron */
    uint32_t *in, *target; /* of a step */
    FILE *out;             /* operations and expectations; NULL: nowhere */
    const char *folder;    /* of images */
    char error[256];
} tern_player;

void tern_player_init(tern_player *p, const char *folder, FILE *out);
/* One line: an operation, a comment or an empty line. False: `error` tells why it could not be played. */
bool tern_player_line(tern_player *p, const char *line);
void tern_player_free(tern_player *p);
#endif /* TERN_PLAYER_H */
