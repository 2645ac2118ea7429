/* fuzz_main.c : runs a fuzz target over files and folders without libFuzzer, then over damaged copies of them
 * SPDX-License-Identifier: Apache-2.0
 *
 *     fuzz_NAME [-runs=N] [-seed=N] FILE|FOLDER...
 * Each file once; then N copies of them with random damage, which only a sanitizer or a check of the target may
 * object to.
 * Ends with 1 if there was no file at all.
 */
#include <dirent.h>
#include <sys/stat.h>
#include "fuzz.h"

enum { FILES_MAX = 10000, BYTES_MAX = 1 << 20 };
static struct {
    uint8_t *p;
    size_t n;
} files[FILES_MAX];
static size_t n_files;
static uint32_t state = 1;

static uint32_t draw(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return n == 0 ? 0 : (uint32_t)(((uint64_t)state * n) >> 32);
}

static void take_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *p = malloc(BYTES_MAX);
    if (f == NULL || p == NULL || n_files == FILES_MAX) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    const size_t n = fread(p, 1, BYTES_MAX, f);
    fclose(f);
    files[n_files].p = fuzz_exact(p, n);
    files[n_files++].n = n;
    free(p);
}

static void take(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)) {
        take_file(path);
        return;
    }
    struct dirent **list;
    const int n = scandir(path, &list, NULL, alphasort);
    if (n < 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    for (int i = 0; i < n; ++i) {
        char name[4096];
        if (list[i]->d_name[0] != '.' && snprintf(name, sizeof name, "%s/%s", path, list[i]->d_name) < (int)sizeof name)
            take_file(name);
        free(list[i]);
    }
    free(list);
}

/* What a custom mutator asks for; in place. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    (void)max;
    if (size == 0) return 0;
    for (uint32_t i = 1 + draw(4); i > 0; --i) {
        const size_t at = draw((uint32_t)(draw(2) == 0 && size > 64 ? 64 : size));
        static const uint8_t edges[] = { 0, 0xff, 0x7f, 0x80, 1, '0', '-', ',' };
        switch (draw(3)) {
        case 0: data[at] = edges[draw(sizeof edges)]; break;
        case 1: data[at] ^= (uint8_t)(1u << draw(8)); break;
        default: data[at] = (uint8_t)draw(256); break;
        }
    }
    return draw(8) == 0 ? draw((uint32_t)size + 1) : size;
}

#ifdef FUZZ_MUTATOR
#define MUTATE LLVMFuzzerCustomMutator
#else
static size_t plain(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    (void)seed;
    return LLVMFuzzerMutate(data, size, max);
}
#define MUTATE plain
#endif

int main(int argc, char **argv)
{
    unsigned long runs = 0;
#ifdef FUZZ_INITIALIZE
    LLVMFuzzerInitialize(&argc, &argv);
#endif
    for (int i = 1; i < argc; ++i) {
        if (strncmp(argv[i], "-runs=", 6) == 0) runs = strtoul(argv[i] + 6, NULL, 10);
        else if (strncmp(argv[i], "-seed=", 6) == 0) state = (uint32_t)strtoul(argv[i] + 6, NULL, 10);
        else take(argv[i]);
    }
    for (size_t i = 0; i < n_files; ++i) (void)LLVMFuzzerTestOneInput(files[i].p, files[i].n);
    for (unsigned long k = 0; k < runs && n_files != 0; ++k) {
        const size_t i = draw((uint32_t)n_files);
        uint8_t *copy = fuzz_exact(files[i].p, files[i].n);
        const size_t n = MUTATE(copy, files[i].n, files[i].n, draw(UINT32_MAX));
        (void)LLVMFuzzerTestOneInput(copy, n);
        free(copy);
    }
    printf("%zu files, %lu damaged copies\n", n_files, n_files != 0 ? runs : 0);
    for (size_t i = 0; i < n_files; ++i) free(files[i].p);
    return n_files == 0;
}
