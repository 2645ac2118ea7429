/* test_tern_certify.c : every change of one byte anywhere in a certificate is found
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_tern_certify DIR CHANGES : DIR is a certificate (a copy: it is changed and put back)
 * Changes are spread over the files, each of which gets its first and last byte and then places drawn at random.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_certify.h"
#include "tern_check.h"

static uint64_t state = 20260101;
static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

static tern_status check(const char *dir)
{
    tern_arena arena;
    tern_diags diags;
    tern_certify_report r;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    const tern_status s = tern_certify_check(dir, NULL, &arena, &r, &diags);
    if (s != TERN_OK && diags.n == 0) printf("no diagnostic\n");
    tern_arena_free(&arena);
    return s;
}

/* Replaces a byte, and returns the one before; -1: could not. */
static int poke(const char *path, long at, int byte)
{
    FILE *f = fopen(path, "r+b");
    if (f == NULL) return -1;
    fseek(f, at, SEEK_SET);
    const int before = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(byte, f);
    return fclose(f) == 0 ? before : -1;
}

static int peek(const char *path, long at)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL) return -1;
    fseek(f, at, SEEK_SET);
    const int byte = fgetc(f);
    fclose(f);
    return byte;
}

static bool change(const char *dir, const tern_certify_file *f, unsigned turn)
{
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", dir, f->path);
    const long at = turn == 0 ? 0 : turn == 1 ? (long)f->bytes - 1 : (long)draw(f->bytes);
    const int before = peek(path, at), after = turn % 3 == 0   ? before ^ (1 << draw(8))
                                               : turn % 3 == 1 ? (before == ' ' ? '\n' : ' ')
                                                               : (int)((unsigned)before + 1 + draw(255)) & 255;
    if (before < 0 || before == after || poke(path, at, after) != before) return false;
    const bool found = check(dir) != TERN_OK;
    if (!found) printf("FAILED: byte %ld of %s, %d to %d, was not found\n", at, f->path, before, after);
    return poke(path, at, before) == after && found;
}

int main(int argc, char **argv)
{
    tern_certify_list list;
    tern_diags diags;
    if (argc != 3) return 2;
    const unsigned long wanted = strtoul(argv[2], NULL, 10);
    unsigned long changes = 0;
    tern_diags_init(&diags);
    CHECK(check(argv[1]) == TERN_OK);
    CHECK(tern_certify_walk(argv[1], &list, &diags) == TERN_OK);
    CHECK(list.n > 20);
    for (unsigned turn = 0; changes < wanted && turn < 1000; ++turn)
        for (size_t i = 0; i < list.n && changes < wanted; ++i) {
            if (list.files[i].bytes == 0) continue;
            CHECK(change(argv[1], &list.files[i], turn));
            ++changes;
        }
    CHECK(changes == wanted);
    CHECK(check(argv[1]) == TERN_OK); /* all was put back */
    printf("%lu changes in %zu files, all found\n", changes, list.n);
    tern_certify_list_free(&list);
    return tern_check_report("certify");
}
