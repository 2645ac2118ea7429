/* test_tern_dataset.c : lists and folders of recordings
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_samples.h"
#include <sys/stat.h>
#include <unistd.h>

static tern_arena arena;
static tern_dataset set;
static tern_diags diags;

static tern_status open_set(const char *path)
{
    tern_arena_free(&arena);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    return tern_dataset_open(path, &arena, &set, &diags);
}

static void text(const char *path, const char *content) { fixture_write(path, content, strlen(content)); }

static void folder(const char *path)
{
    if (mkdir(path, 0777) != 0) {
        printf("cannot make %s\n", path);
        exit(1);
    }
}

static void labels_csv(void)
{
    folder("a");
    text("a/b.aedat", HEADER);
    text("a/a.aedat", HEADER);
    text("a/with, comma.aedat", HEADER);
    text("a/labels.csv",
         "file,label\r\n# remark\n\nb.aedat,1\r\n a.aedat , 0 \nb.aedat,65535\nwith, comma.aedat,2\na.aedat,-1");
    CHECK_EQ(open_set("a"), TERN_OK);
    CHECK_EQ(diags.n, 0);
    CHECK_EQ(set.n, 5);
    static const char *const path[] = { "a/b.aedat", "a/a.aedat", "a/b.aedat", "a/with, comma.aedat", "a/a.aedat" };
    static const int32_t label[] = { 1, 0, 65535, 2, -1 };
    for (size_t i = 0; i < 5 && i < set.n; ++i) {
        CHECK_STR(set.paths[i], path[i]);
        CHECK_EQ(set.labels[i], label[i]);
    }
    CHECK_EQ(open_set("a/"), TERN_OK);
    CHECK_STR(set.paths[0], "a/b.aedat");
    CHECK_EQ(open_set("a/labels.csv"), TERN_OK); /* the same as a list file */
    CHECK_EQ(set.n, 5);
    CHECK_STR(set.paths[1], "a/a.aedat");
}

static void list_files(void)
{
    char cwd[3000], line[4000];
    CHECK(getcwd(cwd, sizeof cwd) != NULL);
    snprintf(line, sizeof line, "a/a.aedat,3\n%s/a/b.aedat,4\n", cwd);
    text("list.txt", line);
    CHECK_EQ(open_set("list.txt"), TERN_OK);
    CHECK_EQ(set.n, 2);
    CHECK_STR(set.paths[0], "./a/a.aedat");
    CHECK_EQ(set.labels[1], 4);
    CHECK_EQ(open_set("a/a.aedat"), TERN_OK); /* one recording */
    CHECK_EQ(set.n, 1);
    CHECK_STR(set.paths[0], "a/a.aedat");
    CHECK_EQ(set.labels[0], -1);
}

static void sub_folders(void)
{
    static const char *const dirs[] = { "c", "c/10", "c/2", "c/0", "c/notes", "c/2/deeper.aedat", "c/70000" };
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; ++i) folder(dirs[i]);
    text("c/10/z.aedat", HEADER);
    text("c/2/b.aedat", HEADER);
    text("c/2/a.aedat", HEADER);
    text("c/2/.hidden.aedat", HEADER);
    text("c/2/README", "text");
    text("c/0/x.aedat", HEADER);
    text("c/notes/y.aedat", HEADER);
    text("c/5", "a file, no folder");
    CHECK_EQ(open_set("c"), TERN_OK);
    static const char *const path[] = { "c/0/x.aedat", "c/2/a.aedat", "c/2/b.aedat", "c/10/z.aedat" };
    static const int32_t label[] = { 0, 2, 2, 10 };
    CHECK_EQ(set.n, 4);
    for (size_t i = 0; i < 4 && i < set.n; ++i) {
        CHECK_STR(set.paths[i], path[i]);
        CHECK_EQ(set.labels[i], label[i]);
    }
    CHECK(fixture_has(&diags, 445, TERN_SEV_WARNING)); /* README and the folder within a folder */
    bool beside = false;                               /* notes and 70000, of which a label may be wanted */
    for (size_t i = 0; i < diags.n; ++i) {
        const char *m = diags.list[i].message;
        beside =
            beside || (strstr(m, "is no folder named by a label") != NULL && strstr(m, "; 2 such entries") != NULL);
    }
    CHECK(beside);
}

static void wrong_lists(void)
{
    static const struct {
        const char *content;
        int code, line;
    } cases[] = {
        { "a/a.aedat\n", 441, 1 },
        { "a/a.aedat,\n", 441, 1 },
        { "a/a.aedat,x\n", 441, 1 },
        { "a/a.aedat,1.5\n", 441, 1 },
        { "a/a.aedat,-2\n", 441, 1 },
        { "a/a.aedat,65536\n", 441, 1 },
        { "a/a.aedat,99999999999999999999\n", 441, 1 },
        { "a/a.aedat,0\n,1\n", 441, 2 },
        { "# r\n\na/a.aedat,0\nmissing.aedat,1\n", 442, 4 },
        { "a,0\n", 442, 1 },
        { "a/a.aedat,0\nfile,label\n", 441, 2 },
        { "file,label\n", 443, 0 },
        { "\n\n# only remarks\n", 443, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        text("wrong.txt", cases[i].content);
        const tern_status s = open_set("wrong.txt");
        if (s != TERN_ERR_DATA || diags.n == 0 || diags.list[0].code != cases[i].code)
            printf("case %zu: %s\n", i, cases[i].content);
        CHECK_EQ(s, TERN_ERR_DATA);
        CHECK(fixture_has(&diags, cases[i].code, TERN_SEV_ERROR));
        if (diags.n != 0) CHECK_EQ(diags.list[0].line, cases[i].line);
        CHECK_EQ(set.n, 0);
    }
    /* one word, not one for each line */
    static const char *const prose[] = { "just text", "# A title\nSome words, and\nmore of them.\nAnd more.\n" };
    for (int i = 0; i < 2; ++i) {
        text("wrong.txt", prose[i]);
        CHECK_EQ(open_set("wrong.txt"), TERN_ERR_FORMAT);
        CHECK(diags.n == 1 && diags.list[0].code == 446 && diags.list[0].line == i + 1);
    }
    text("wrong.txt", "");
    CHECK_EQ(open_set("wrong.txt"), TERN_ERR_FORMAT);
    CHECK(fixture_has(&diags, 405, TERN_SEV_ERROR));
    fixture_write("wrong.bin", "\0\1\2\3garbage", 11);
    CHECK_EQ(open_set("wrong.bin"), TERN_ERR_FORMAT);
    CHECK(fixture_has(&diags, 446, TERN_SEV_ERROR));
    /* a NUL behind the first 4096 bytes, and a line that is too long */
    static char big[9000];
    memset(big, '#', sizeof big);
    memcpy(big + 5000, "\na/a.aedat,0", 12);
    big[5005] = 0;
    big[5012] = '\n';
    fixture_write("wrong.bin", big, sizeof big);
    CHECK_EQ(open_set("wrong.bin"), TERN_ERR_DATA);
    memset(big, 'a', sizeof big);
    memcpy(big + sizeof big - 2, ",1", 2);
    fixture_write("wrong.bin", big, sizeof big);
    CHECK_EQ(open_set("wrong.bin"), TERN_ERR_DATA);
    CHECK(fixture_has(&diags, 441, TERN_SEV_ERROR));
    /* more wrong lines than diagnostics: all counted */
    char many[2000] = "";
    for (int i = 0; i < 30; ++i) strcat(many, "a/a.aedat,x\n");
    text("wrong.txt", many);
    CHECK_EQ(open_set("wrong.txt"), TERN_ERR_DATA);
    CHECK_EQ(diags.n, TERN_DIAGS_MAX);
    CHECK_EQ(diags.n_errors, 30);
}

static void wrong_paths(void)
{
    CHECK_EQ(open_set("nothing here"), TERN_ERR_IO);
    CHECK(fixture_has(&diags, 440, TERN_SEV_ERROR));
    folder("empty");
    CHECK_EQ(open_set("empty"), TERN_ERR_DATA);
    CHECK(fixture_has(&diags, 444, TERN_SEV_ERROR));
    folder("empty/3"); /* a label without recordings */
    CHECK_EQ(open_set("empty"), TERN_ERR_DATA);
    CHECK(fixture_has(&diags, 443, TERN_SEV_ERROR));
    CHECK_EQ(open_set("/dev/null"), TERN_ERR_IO);
    CHECK(fixture_has(&diags, 402, TERN_SEV_ERROR));
    folder("d");
    folder("d/labels.csv");
    CHECK_EQ(open_set("d"), TERN_ERR_IO);
}

static void many_entries(void) /* the list grows through several blocks */
{
    char *list = malloc(700 * 20);
    if (list == NULL) exit(1);
    size_t n = 0;
    for (int i = 0; i < 700; ++i) n += (size_t)sprintf(list + n, "a/a.aedat,%d\n", i);
    fixture_write("many.txt", list, n);
    free(list);
    CHECK_EQ(open_set("many.txt"), TERN_OK);
    CHECK_EQ(set.n, 700);
    for (size_t i = 0; i < set.n; ++i) CHECK_EQ(set.labels[i], i);
}

/* ---- files of several samples, lists of parts ---- */

static void check_set(size_t n, const char *const *paths, const int32_t *labels)
{
    CHECK_EQ(set.n, n);
    for (size_t i = 0; i < n && i < set.n; ++i) {
        CHECK_STR(set.paths[i], paths[i]);
        CHECK_EQ(set.labels[i], labels[i]);
    }
}

static void parts(void)
{
    static const uint8_t record[10] = { 1, 2, 0x80, 0, 5, 3, 4, 0, 0, 9 };
    fixture_write("n_train.bin", record, 10);
    fixture_write("g.dat.gz", record, 10);
    text("n_train_index.csv", "mnist_index,label,first_event,n_events\n1,5,0,1\r\n2,0,1,1\n");
    CHECK_EQ(open_set("n_train_index.csv"), TERN_OK);
    check_set(2, (const char *const[]){ "n_train.bin#@0+1", "n_train.bin#@1+1" }, (const int32_t[]){ 5, 0 });
    text("g_labels.csv", "class,startTime_usec,endTime_usec\n11,100,200\n2,200,90000000000\n");
    CHECK_EQ(open_set("g_labels.csv"), TERN_OK);
    check_set(2, (const char *const[]){ "g.dat.gz#100..200us", "g.dat.gz#200..90000000000us" },
              (const int32_t[]){ 11, 2 });
    text("mixed.csv", "file,first_event,label,n_events\na/a.aedat,10,3,20\nn_train.bin,0,-1,1\n");
    CHECK_EQ(open_set("mixed.csv"), TERN_OK);
    check_set(2, (const char *const[]){ "./a/a.aedat#@10+20", "./n_train.bin#@0+1" }, (const int32_t[]){ 3, -1 });
    text("selected.csv", "file,label\nn_train.bin#@1+1,4\na/a.aedat#5..6us,0\n"); /* selections in a plain list */
    CHECK_EQ(open_set("selected.csv"), TERN_OK);
    check_set(2, (const char *const[]){ "./n_train.bin#@1+1", "./a/a.aedat#5..6us" }, (const int32_t[]){ 4, 0 });
    CHECK_EQ(open_set("n_train.bin#@1+1"), TERN_OK);
    check_set(1, (const char *const[]){ "n_train.bin#@1+1" }, (const int32_t[]){ -1 });
    static const struct {
        const char *name, *content;
        int code, line;
    } wrong[] = {
        { "alone_index.csv", "label,first_event,n_events\n1,0,1\n", 448, 1 },
        { "n_train_index.csv", "label,first_event,n_events\n1,0\n", 441, 2 },
        { "n_train_index.csv", "label,first_event,n_events\n1,0,0\n", 441, 2 },
        { "n_train_index.csv", "label,first_event,n_events\n1,-1,4\n", 441, 2 },
        { "n_train_index.csv", "label,first_event,n_events\nx,0,4\n", 441, 2 },
        { "g_labels.csv", "class,startTime_usec,endTime_usec\n1,5,5\n", 441, 2 },
        { "mixed.csv", "file,label,first_event,n_events\nmissing.bin,1,0,4\n", 442, 2 },
        { "selected.csv", "missing.bin#1,4\n", 442, 1 },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        text(wrong[i].name, wrong[i].content);
        CHECK_EQ(open_set(wrong[i].name), TERN_ERR_DATA);
        CHECK(fixture_has(&diags, wrong[i].code, TERN_SEV_ERROR));
        if (diags.n != 0) CHECK_EQ(diags.list[0].line, wrong[i].line);
    }
}

static void sample_files(void)
{
    bytes b = { 0 };
    zip z = { 0 };
    int64_t g[3 * 2 * 4] = { 0 };
    const int64_t labels[3] = { 2, 0, -1 };
    zip_numbers(&z, "frames.npy", "'|u1'", 1, "3, 2, 4", g, 24, false);
    zip_numbers(&z, "labels.npy", "'<i8'", 8, "3,", labels, 3, true);
    zip_end(&z);
    fixture_write("grid.npz", z.b.p, z.b.n);
    CHECK_EQ(open_set("grid.npz"), TERN_OK);
    check_set(3, (const char *const[]){ "grid.npz#0", "grid.npz#1", "grid.npz#2" }, (const int32_t[]){ 2, 0, -1 });
    CHECK_EQ(open_set("grid.npz#1"), TERN_OK);
    /* the file's own label is found when it is read */
    check_set(1, (const char *const[]){ "grid.npz#1" }, (const int32_t[]){ -1 });
    CHECK(!fixture_has(&diags, 449, TERN_SEV_WARNING));
    for (int k = 2; k <= 4; k += 2) { /* other numbers of labels: told; the first ones count */
        const int64_t few[4] = { 9, 8, 7, 6 };
        zip other = { 0 };
        zip_numbers(&other, "frames.npy", "'|u1'", 1, "3, 2, 4", g, 24, false);
        zip_numbers(&other, "labels.npy", "'<i8'", 8, k == 2 ? "2," : "4,", few, (size_t)k, false);
        zip_end(&other);
        fixture_write("other.npz", other.b.p, other.b.n);
        CHECK_EQ(open_set("other.npz"), TERN_OK);
        check_set(3, (const char *const[]){ "other.npz#0", "other.npz#1", "other.npz#2" },
                  (const int32_t[]){ 9, 8, k == 2 ? -1 : 7 });
        CHECK(fixture_has(&diags, 449, TERN_SEV_WARNING));
        free(other.b.p);
    }
    for (int k = 0; k < 3; ++k) { /* labels that are none */
        const int64_t nine[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
        zip other = { 0 };
        zip_numbers(&other, "frames.npy", "'|u1'", 1, "3, 2, 4", g, 24, false);
        const int64_t beyond[3] = { 0, 70000, 1 };
        if (k == 0) zip_numbers(&other, "labels.npy", "'<i8'", 8, "3, 3", nine, 9, false);
        else if (k == 2) zip_numbers(&other, "labels.npy", "'<i8'", 8, "3,", beyond, 3, false);
        else zip_numbers(&other, "labels.npy", "'<U1'", 4, "3,", nine, 3, false);
        zip_end(&other);
        fixture_write("other.npz", other.b.p, other.b.n);
        CHECK_EQ(open_set("other.npz"), TERN_ERR_FORMAT);
        CHECK(fixture_has(&diags, 417, TERN_SEV_ERROR));
        static const char *const said[] = { "'labels' has 2 dimensions", "'labels' holds no numbers",
                                            "label 1 of 'labels' is no whole number in 0..65535" };
        CHECK(strstr(diags.list[0].message, said[k]) != NULL);
        free(other.b.p);
    }
    CHECK_EQ(open_set("grid.npz#train"), TERN_ERR_ARGUMENT);
    CHECK(fixture_has(&diags, 416, TERN_SEV_ERROR));
    make_idx(&b, 3);
    fixture_write("x-images-idx3-ubyte", b.p, b.n);
    CHECK_EQ(open_set("x-images-idx3-ubyte"), TERN_OK);
    check_set(3, (const char *const[]){ "x-images-idx3-ubyte#0", "x-images-idx3-ubyte#1", "x-images-idx3-ubyte#2" },
              (const int32_t[]){ -1, -1, -1 });
    b.n = 0;
    make_idx_labels(&b, 3);
    fixture_write("x-labels-idx1-ubyte", b.p, b.n);
    CHECK_EQ(open_set("x-images-idx3-ubyte"), TERN_OK);
    CHECK(set.n == 3 && set.labels[0] == 1 && set.labels[1] == 4 && set.labels[2] == 7);
    b.p[7] = 2; /* too few labels */
    fixture_write("x-labels-idx1-ubyte", b.p, b.n);
    CHECK_EQ(open_set("x-images-idx3-ubyte"), TERN_ERR_FORMAT);
    CHECK(fixture_has(&diags, 417, TERN_SEV_ERROR));
    b.n = 0;
    make_idx(&b, 3);
    b.p[5] = 9; /* a damaged header: 589,827 images, which cannot be there */
    fixture_write("y-images-idx3-ubyte", b.p, b.n);
    CHECK_EQ(open_set("y-images-idx3-ubyte"), TERN_ERR_TRUNCATED);
    CHECK(fixture_has(&diags, 417, TERN_SEV_ERROR));
    free(b.p);
    free(z.b.p);
#if TERN_HAVE_HDF5
    make_hdf5_groups("g.h5");
    CHECK_EQ(open_set("g.h5#train"), TERN_OK);
    check_set(3, (const char *const[]){ "g.h5#train/0", "g.h5#train/1", "g.h5#train/2" }, (const int32_t[]){ 5, 6, 7 });
    CHECK_EQ(open_set("g.h5#test/0"), TERN_OK);
    CHECK_EQ(set.n, 1);
    CHECK_EQ(open_set("g.h5"), TERN_ERR_ARGUMENT); /* which group? */
    CHECK(fixture_has(&diags, 416, TERN_SEV_ERROR));
    make_hdf5_spikes("s.h5", true);
    CHECK_EQ(open_set("s.h5"), TERN_OK);
    check_set(3, (const char *const[]){ "s.h5#0", "s.h5#1", "s.h5#2" }, (const int32_t[]){ 19, 0, 4 });
    make_hdf5_spikes("n.h5", false);
    CHECK_EQ(open_set("n.h5"), TERN_OK);
    CHECK(set.n == 3 && set.labels[2] == -1);
#endif
}

/* Every format in folders named by label, as N-MNIST comes; a file compressed with gzip counts, too. */
static void folders_of_all_formats(void)
{
    static const char *const names[] = { "a.aedat", "b.aedat", "c.aedat4", "d.aedat4", "e.aedat4", "f.bin",
                                         "g.dat",   "h.raw",   "i.raw",    "j.es",     "k.es",     "l.csv",
                                         "m.npy",   "n.npy",   "o.npz",    "p.npz" };
    size_t n = 0;
    folder("f");
    folder("f/0");
    folder("f/1");
    for (int k = 0; k < N_SAMPLES; ++k) {
        bytes b = sample_make(k);
        char path[64];
        snprintf(path, sizeof path, "f/%d/%s", k % 2, names[k]);
        if (b.n != 0) {
            fixture_write(path, b.p, b.n);
            ++n;
        }
        free(b.p);
    }
    bytes b = { 0 }, z = { 0 };
    make_nmnist(&b);
    make_gzip(&z, &b);
    fixture_write("f/1/z.bin.gz", z.p, z.n);
    text("f/1/notes.md", "text");
    CHECK_EQ(open_set("f"), TERN_OK);
    CHECK_EQ(set.n, n + 1);
    CHECK(fixture_has(&diags, 445, TERN_SEV_WARNING));
    for (size_t i = 0; i < set.n; ++i) {
        tern_recording r;
        CHECK_EQ(set.labels[i], i < (n + 1) / 2 ? 0 : 1);
        CHECK_EQ(tern_recording_load(set.paths[i], "auto", &arena, &r, &diags), TERN_OK);
        CHECK_EQ(r.n_events, SAMPLE_EVENTS);
    }
    free(b.p);
    free(z.p);
}

int main(void)
{
    char dir[] = "/tmp/tern-dataset-XXXXXX", back[4096];
    if (getcwd(back, sizeof back) == NULL || mkdtemp(dir) == NULL || chdir(dir) != 0) return 1;
    labels_csv();
    list_files();
    sub_folders();
    wrong_lists();
    wrong_paths();
    many_entries();
    parts();
    sample_files();
    folders_of_all_formats();
    tern_arena_free(&arena);
    char remove_all[100];
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report("data.dataset");
}
