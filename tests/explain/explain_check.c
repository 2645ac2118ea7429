/* explain_check.c : for shell tests: reads `tern explain --json` from stdin, checks that its numbers agree with each
 * other, prints one
 * SPDX-License-Identifier: Apache-2.0
 *
 *     explain_check [PATH]     PATH: members and indices, e.g. targets.0.fits; exit status 1: no JSON object,
 *                              numbers disagree, or no such member
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

static long long get(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_integer(v)) {
        printf("no whole number '%s'\n", key);
        failed = 1;
        return 0;
    }
    return json_integer_value(v);
}

static void same(const char *what, long long a, long long b)
{
    if (a == b) return;
    printf("%s: %lld against %lld\n", what, a, b);
    failed = 1;
}

static const json_t *named(const json_t *list, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i,
                       item) if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0) return item;
    printf("nothing is called '%s'\n", name);
    failed = 1;
    return json_null();
}

/* Table tab:comparison of the paper, from populations alone; a visible circuit tells one number for all its members. */
static void check_communication(json_t *root, long long samples)
{
    const json_t *learning = json_object_get(root, "learning"), *communication = json_object_get(root, "communication");
    const char *rule = json_string_value(json_object_get(learning, "rule"));
    long long visible = 0, hidden = 0, tellers = 0;
    size_t i;
    json_t *p;
    json_array_foreach(json_object_get(root, "populations"), i, p)
    {
        const char *kind = json_string_value(json_object_get(p, "kind"));
        const long long units = get(p, "units"), wta = json_is_null(json_object_get(p, "wta")) ? 1 : get(p, "wta");
        if (strcmp(kind, "visible") == 0) {
            visible += units;
            tellers += units / wta;
        } else if (strcmp(kind, "hidden") == 0) hidden += units;
    }
    same("unicast", get(communication, "unicast"), strcmp(rule, "REWARD") == 0 ? 0 : samples * tellers);
    same("broadcast", get(communication, "broadcast"),
         strcmp(rule, "MB") == 0   ? samples * hidden
         : strcmp(rule, "IW") == 0 ? samples * visible + hidden
                                   : samples * (visible + hidden));
    const json_t *sets = json_object_get(learning, "sets");
    same("learning sets", (long long)json_array_size(sets), 2);
    for (size_t set = 0; set < 2; ++set) {
        const json_t *s = json_array_get(sets, set);
        const int used = set == 0 ? strcmp(rule, "REWARD") != 0
                                  : strcmp(rule, "REWARD") == 0 || (strcmp(rule, "GEM") != 0 && hidden > 0);
        same(set == 0 ? "set 0 is used" : "set 1 is used", json_is_object(s), used);
        if (json_is_object(s))
            same("FC + c_shift", get(s, "c_frac") + get(s, "c_shift"),
                 get(learning, "ek_frac") + (set == 0 ? 15 : get(learning, "signal_frac") + 1));
    }
}

static void check_all(json_t *root)
{
    const json_t *capacity = json_object_get(root, "capacity"), *memories = json_object_get(root, "memories"),
                 *cycles = json_object_get(root, "cycles");
    const long long lanes = get(root, "lanes"), samples = get(root, "samples"),
                    neurons = get(capacity, "pairs") / samples, w = get(capacity, "lags_w");
    long long bits = 0, synapses = 0, words = 0;
    size_t i;
    json_t *item;
    json_array_foreach(memories, i, item)
    {
        same("bits of a memory", get(item, "bits"), get(item, "words") * get(item, "width") * get(item, "copies"));
        bits += get(item, "bits");
    }
    same("memory_bits", get(root, "memory_bits"), bits);
    json_array_foreach(json_object_get(root, "projections"), i, item)
    {
        synapses += get(item, "synapses");
        words += get(item, "words");
    }
    same("synapses", get(root, "synapses"), synapses);
    /* a memory has a word at least */
    same("weight words", get(named(memories, "weight"), "words"), words > 0 ? words : 1);
    same("weight width", get(named(memories, "weight"), "width"), lanes * get(capacity, "weight_w"));
    same("errors", get(named(memories, "error"), "bits"), neurons * samples * w * 16);
    same("row descriptors", get(named(memories, "row"), "bits"), 32 * get(capacity, "rows"));
    same("own histories", get(named(memories, "self"), "width"), get(capacity, "taps_d") + w);
    json_t *parts[2] = { json_object_get(json_object_get(root, "operations"), "kernel"),
                         json_object_get(json_object_get(root, "operations"), "eligibility") };
    for (unsigned k = 0; k < 2; ++k) {
        long long m = 0, a = 0;
        const char *key;
        json_object_foreach(parts[k], key, item) if (strcmp(key, "sum") != 0)
        {
            m += get(item, "multiplications");
            a += get(item, "additions");
        }
        same("multiplications", get(json_object_get(parts[k], "sum"), "multiplications"), m);
        same("additions", get(json_object_get(parts[k], "sum"), "additions"), a);
    }
    check_communication(root, samples);
    json_array_foreach(cycles, i, item) if (get(item, "lanes") == lanes)
        same("words in the table of lanes", get(item, "words"), words);
    same("targets", (long long)json_array_size(json_object_get(root, "targets")), 6);
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *root = json_loadf(stdin, 0, &error);
    if (!json_is_object(root)) {
        printf("no JSON object: %s\n", error.text);
        return 1;
    }
    if (json_object_get(root, "keys") == NULL) check_all(root);
    const json_t *value = root;
    if (argc > 1) {
        for (char *key = strtok(argv[1], "."); key != NULL; key = strtok(NULL, "."))
            value = json_is_array(value) ? json_array_get(value, (size_t)strtoul(key, NULL, 10))
                                         : json_object_get(value, key);
        char *text = value == NULL ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9));
        if (text == NULL) {
            puts("no such member");
            return 1;
        }
        puts(text);
        free(text);
    }
    json_decref(root);
    return failed;
}
