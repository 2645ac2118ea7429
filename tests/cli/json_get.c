/* json_get.c : for shell tests: checks that every line of a file is a JSON object, prints one member of the last
 * SPDX-License-Identifier: Apache-2.0
 *
 *     json_get FILE [KEY[.KEY]]      exit status 1: a line is no JSON object, or the last has no such member
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) return 2;
    FILE *f = fopen(argv[1], "rb");
    if (f == NULL) return 1;
    json_t *last = NULL;
    unsigned lines = 0;
    static char line[1 << 16];
    while (fgets(line, sizeof line, f) != NULL) {
        json_decref(last);
        last = json_loads(line, 0, NULL);
        ++lines;
        if (!json_is_object(last)) {
            fprintf(stderr, "%s: line %u is no JSON object: %s\n", argv[1], lines, line);
            return 1;
        }
    }
    fclose(f);
    if (last == NULL) {
        fprintf(stderr, "%s: empty\n", argv[1]);
        return 1;
    }
    const json_t *value = last;
    if (argc == 3) {
        for (char *key = strtok(argv[2], "."); key != NULL; key = strtok(NULL, "."))
            value = json_object_get(value, key);
        if (value == NULL) {
            fprintf(stderr, "%s: no such member\n", argv[1]);
            return 1;
        }
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(12));
        if (text == NULL) return 1;
        puts(text);
        free(text);
    }
    json_decref(last);
    return 0;
}
