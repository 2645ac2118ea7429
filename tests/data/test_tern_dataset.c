/* test_tern_dataset.c : lists and folders of recordings
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data_fixture.h"
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
    text("a/labels.csv", "file,label\r\n# remark\n\nb.aedat,1\r\n a.aedat , 0 \nb.aedat,65535\nwith, comma.aedat,2\na.aedat,-1");
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
}

static void wrong_lists(void)
{
    static const struct { const char *content; int code, line; } cases[] = {
        { "a/a.aedat\n", 441, 1 }, { "a/a.aedat,\n", 441, 1 }, { "a/a.aedat,x\n", 441, 1 }, { "a/a.aedat,1.5\n", 441, 1 },
        { "a/a.aedat,-2\n", 441, 1 }, { "a/a.aedat,65536\n", 441, 1 }, { "a/a.aedat,99999999999999999999\n", 441, 1 },
        { "a/a.aedat,0\n,1\n", 441, 2 }, { "# r\n\na/a.aedat,0\nmissing.aedat,1\n", 442, 4 }, { "a,0\n", 442, 1 },
        { "a/a.aedat,0\nfile,label\n", 441, 2 }, { "file,label\n", 443, 0 }, { "\n\n# only remarks\n", 443, 0 },
        { "just text", 441, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        text("wrong.txt", cases[i].content);
        const tern_status s = open_set("wrong.txt");
        if (s != TERN_ERR_DATA || diags.n == 0 || diags.list[0].code != cases[i].code) printf("case %zu: %s\n", i, cases[i].content);
        CHECK_EQ(s, TERN_ERR_DATA);
        CHECK(fixture_has(&diags, cases[i].code, TERN_SEV_ERROR));
        if (diags.n != 0) CHECK_EQ(diags.list[0].line, cases[i].line);
        CHECK_EQ(set.n, 0);
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
    tern_arena_free(&arena);
    char remove_all[100];
    snprintf(remove_all, sizeof remove_all, "rm -rf '%s'", dir);
    if (chdir(back) != 0 || system(remove_all) != 0) return 1;
    return tern_check_report("data.dataset");
}
