/* test_tern_data_memory.c : every single allocation refused once: a clean error, nothing left alive
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_samples.h"
#include <unistd.h>
#include "tern/convert.h"
#include "tern/encode.h"

typedef tern_status (*job)(tern_alloc alloc, tern_diags *d);

static tern_status load(tern_alloc alloc, tern_diags *d)
{
    tern_arena a;
    tern_recording r;
    tern_arena_init(&a, alloc, 0);
    const tern_status s = tern_recording_load("s/d4_000000.aedat", "auto", &a, &r, d);
    if (s == TERN_OK) CHECK(r.n_events > 10);
    tern_arena_free(&a);
    return s;
}

static tern_status frames(tern_alloc alloc, tern_diags *d)
{
    static tern_event events[3] = { { 0, 1, 1, 1 }, { 10, 2, 2, 1 }, { 20, 3, 3, 0 } };
    static tern_model m;
    const tern_recording r = { .width = 128, .height = 128, .n_events = 3, .events = events, .label = -1 };
    m.n_populations = 2;
    m.populations[0] = (tern_population){ .name = "in", .kind = TERN_POP_INPUT, .size = 16384 };
    m.populations[1] = (tern_population){ .name = "out", .kind = TERN_POP_VISIBLE, .size = 16384 };
    m.net.n_inputs_pos = m.net.n_neurons_pos = 16384;
    m.data = (tern_data_spec){ .present = true,
                               .window_us = 10,
                               .steps = 30,
                               .n_parts = 1,
                               .label_population = -1,
                               .parts = { { 0, 0, 0, 128, 128 } } };
    tern_arena a;
    tern_frames f;
    tern_arena_init(&a, alloc, 0);
    const tern_status s = tern_frames_from_recording(&m, &r, &a, &f, d);
    tern_arena_free(&a);
    return s;
}

static tern_status open_set(const char *path, tern_alloc alloc, tern_diags *d)
{
    tern_arena a;
    tern_dataset set;
    tern_arena_init(&a, alloc, 0);
    const tern_status s = tern_dataset_open(path, &a, &set, d);
    tern_arena_free(&a);
    return s;
}

static tern_status list(tern_alloc alloc, tern_diags *d) { return open_set("long.txt", alloc, d); }
static tern_status folder(tern_alloc alloc, tern_diags *d) { return open_set("c", alloc, d); }

static tern_status digit(tern_alloc alloc, tern_diags *d)
{
    tern_sim_settings set;
    tern_arena a;
    tern_recording r;
    tern_sim_defaults(&set);
    set.threshold = 0.05;
    set.noise_hz = 20; /* enough events that their list grows */
    set.duration_us = 500000;
    tern_arena_init(&a, alloc, 0);
    const tern_status s = tern_sim_digit(&set, 6, 0, &a, &r, d);
    if (s == TERN_OK) CHECK(r.n_events > 70000);
    tern_arena_free(&a);
    return s;
}

static tern_status write_set(tern_alloc alloc, tern_diags *d)
{
    tern_sim_settings set;
    tern_sim_totals totals;
    const tern_sim_set what = { .classes = { 0, 1 }, .n_classes = 2, .count = 2, .overwrite = true };
    tern_sim_defaults(&set);
    set.duration_us = 50000;
    return tern_sim_write_set(&set, &what, "w", alloc, NULL, NULL, &totals, d);
}

/* Sample number `which` as a stream; -1: within gzip. */
static int which;
static bytes content;

static tern_status stream(tern_alloc alloc, tern_diags *d)
{
    tern_event block[256];
    tern_stream *s;
    size_t n = 1;
    uint64_t all = 0;
    tern_status st = tern_stream_open_bytes(content.p, content.n, "x", NULL, alloc, &s, d);
    while (st == TERN_OK && n != 0) {
        st = tern_stream_read(s, block, 256, &n, d);
        all += st == TERN_OK ? n : 0;
    }
    if (st == TERN_OK) CHECK_EQ(all, SAMPLE_EVENTS);
    tern_stream_close(s);
    return st;
}

static tern_status frames_of_file(tern_alloc alloc, tern_diags *d)
{
    static tern_model m;
    m.n_populations = 1;
    m.populations[0] = (tern_population){ .name = "in", .kind = TERN_POP_INPUT, .size = 34 * 34 };
    m.net.n_inputs_pos = m.net.n_neurons_pos = 1184;
    m.data = (tern_data_spec){ .present = true,
                               .window_us = 10000,
                               .steps = 10,
                               .n_parts = 1,
                               .label_population = -1,
                               .parts = { { 0, 0, 0, 34, 34 } } };
    tern_arena a;
    tern_frames f;
    tern_arena_init(&a, alloc, 0);
    const tern_status s = tern_frames_load(&m, "sample.npy", 0, &a, &f, d); /* without a sensor: read twice */
    tern_arena_free(&a);
    return s;
}

static tern_status convert_set(tern_alloc alloc, tern_diags *d)
{
    tern_convert_totals t;
    return tern_convert("n_index.csv", "n.npz", &(tern_convert_options){ .to = TERN_TO_EVENTS }, alloc, NULL, NULL, &t,
                        d);
}

static tern_status convert_frames(tern_alloc alloc, tern_diags *d)
{
    tern_convert_totals t;
    return tern_convert("n.npz", "f.npz", &(tern_convert_options){ .to = TERN_TO_FRAMES, .cut = { .window_us = 1000 } },
                        alloc, NULL, NULL, &t, d);
}

static tern_status split_set(tern_alloc alloc, tern_diags *d)
{
    uint64_t n[3];
    return tern_dataset_split("n_index.csv", "split",
                              &(tern_split_options){ .percent = { 50, 0, 50 }, .seed = 1, .overwrite = true }, alloc, n,
                              d);
}

static tern_status encode_images(tern_alloc alloc, tern_diags *d)
{
    static tern_encode_totals t;
    tern_encode_spec spec;
    tern_encode_defaults(&spec);
    return tern_encode_file(&spec, &(tern_encode_input){ .values = "i-images", .window_us = 1 }, "i.npz", alloc, NULL,
                            NULL, &t, d);
}

static tern_status simulate_images(tern_alloc alloc, tern_diags *d)
{
    tern_sim_settings set;
    tern_sim_totals t;
    tern_sim_defaults(&set);
    set.duration_us = 50000;
    return tern_sim_write_images(&set, &(tern_sim_images){ .images = "i-images", .count = 1, .overwrite = true }, "sim",
                                 alloc, NULL, NULL, &t, d);
}

static tern_status images(tern_alloc alloc, tern_diags *d) { return open_set("i-images", alloc, d); }
static tern_status arrays(tern_alloc alloc, tern_diags *d) { return open_set("n.npz", alloc, d); }
static tern_status parts(tern_alloc alloc, tern_diags *d) { return open_set("n_index.csv", alloc, d); }

/* Refuses request 1, then 2, ..., until the job gets through. */
static void refuse_each(const char *name, job run, uint64_t at_least)
{
    uint64_t k = 1;
    for (;; ++k) {
        fixture_heap heap = { .fail_at = k };
        tern_diags d;
        tern_diags_init(&d);
        const tern_status s = run((tern_alloc){ fixture_alloc, &heap }, &d);
        CHECK_EQ(heap.alive, 0);
        if (s == TERN_OK) break;
        if (s != TERN_ERR_MEMORY) printf("%s: request %llu\n", name, (unsigned long long)k);
        CHECK_EQ(s, TERN_ERR_MEMORY);
        if (k > 10000) break;
    }
    printf("%s: %llu requests\n", name, (unsigned long long)k - 1);
    CHECK(k - 1 >= at_least && k <= 10000);
}

static void limits(void) /* an arena's limit holds for the bytes of the file too */
{
    tern_arena a;
    tern_recording r;
    tern_diags d;
    tern_diags_init(&d);
    tern_arena_init(&a, tern_alloc_default(), 1000);
    CHECK_EQ(tern_recording_load("s/d4_000000.aedat", "auto", &a, &r, &d), TERN_ERR_MEMORY);
    tern_arena_free(&a);
}

int main(void)
{
    char dir[] = "/tmp/tern-memory-XXXXXX", back[4096], remove_all[100];
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    tern_sim_settings set;
    tern_sim_totals totals;
    tern_diags d;
    tern_diags_init(&d);
    tern_sim_defaults(&set);
    set.duration_us = 2000000;
    CHECK_EQ(tern_sim_write_set(&set, &(tern_sim_set){ .classes = { 4 }, .n_classes = 1, .count = 1 }, "s",
                                tern_alloc_default(), NULL, NULL, &totals, &d),
             TERN_OK);
    FILE *f = fopen("long.txt", "w");
    for (int i = 0; f != NULL && i < 9000; ++i) fprintf(f, "s/d4_000000.aedat,%d\n", i % 10);
    if (f == NULL || fclose(f) != 0 || mkdir("c", 0777) != 0 || mkdir("c/1", 0777) != 0) return 1;
    fixture_write("c/1/x.aedat", HEADER, strlen(HEADER));
    refuse_each("load", load, 3);
    refuse_each("frames", frames, 2);
    refuse_each("list", list, 4);
    refuse_each("folder", folder, 1);
    refuse_each("digit", digit, 4);
    refuse_each("write_set", write_set, 9);
    for (which = -1; which < N_SAMPLES; ++which) {
        bytes b = sample_make(which < 0 ? 5 : which);
        content = b;
        if (which < 0) {
            content = (bytes){ 0 };
            make_gzip(&content, &b);
        }
        if (content.n != 0) refuse_each(which < 0 ? "gzip" : sample_list[which].name, stream, 2);
        if (which < 0) free(content.p);
        free(b.p);
    }
    bytes b = sample_make(12), n = sample_make(5), idx = { 0 };
    fixture_write("sample.npy", b.p, b.n);
    fixture_write("n.bin", n.p, n.n);
    static const char index[] = "label,first_event,n_events\n1,0,100\n2,100,200\n";
    fixture_write("n_index.csv", index, sizeof index - 1);
    make_idx(&idx, 2);
    fixture_write("i-images", idx.p, idx.n);
    refuse_each("frames_of_file", frames_of_file, 4);
    refuse_each("convert_set", convert_set, 10);
    refuse_each("convert_frames", convert_frames, 10);
    refuse_each("split_set", split_set, 4);
    refuse_each("encode_images", encode_images, 3);
    refuse_each("simulate_images", simulate_images, 6);
    refuse_each("images", images, 4);
    refuse_each("arrays", arrays, 4);
    refuse_each("parts", parts, 2);
    free(b.p);
    free(n.p);
    free(idx.p);
    limits();
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report("data.memory");
}
