/* test_tern_report_lines.c : damaged logs and evaluations: thousands of them, each refused with its line or read as
 * what it says
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>
#include "tern_check.h"
#include "tern_cli_report.h"

static char path[] = "/tmp/tern-lines-XXXXXX";
static tern_model model;
static tern_diags diags;
static uint64_t seed = 88172645463325252u;

static const char log_text[] =
    "{\"training\":\"net\",\"engine\":\"golden\",\"samples\":5,\"seed\":1,\"recordings\":10,\"data\":"
    "\"0123456789abcdef\",\"held_out\":[1,2],\"validate_every\":2,\"metric\":\"log-loss\"}\n"
    "{\"presentation\":1,\"step\":20,\"recording\":3,\"label\":1,\"eta\":0.01,\"log_loss\":1.5,\"log_loss_iw\":1.25,"
    "\"hidden_rate\":0.5,\"saturations\":{\"weight\":0,\"local\":1,\"potential\":2,"
    "\"coefficient\":3,\"logprob\":4,\"modulator\":5},\"communication\":{\"unicast\":10.0,\"broadcast\":30.0}}\n"
    "{\"presentation\":2,\"step\":40,\"recording\":4,\"label\":-1,\"eta\":0.005,\"log_loss\":null,\"log_loss_iw\":null,"
    "\"hidden_rate\":0.25,\"saturations\":{\"weight\":0,\"local\":0,\"potential\":0,"
    "\"coefficient\":0,\"logprob\":0,\"modulator\":7},\"communication\":{\"unicast\":null,\"broadcast\":null},"
    "\"distance\":12.5}\n"
    "{\"validation\":2,\"log_loss\":0.75,\"log_loss_iw\":0.5,\"accuracy\":0.5,\"improved\":true,\"best\":0.75,\"best_"
    "at\":2}\n";
static const char eval_text[] =
    "{\"recording\":0,\"file\":\"a/b/"
    "r0.aedat\",\"label\":1,\"samples\":4,\"decision\":1,\"right\":true,\"votes\":[1,3],\"decisions\":[1,1,0,1],"
    "\"class_spikes\":[5,9],\"entropy\":0.811,\"confidence\":0.88,"
    "\"confidence_votes\":0.75,\"log_loss\":0.5,\"log_loss_iw\":0.25,\"spikes\":{\"hidden\":100,\"visible\":20,"
    "\"target\":10}}\n"
    "{\"recording\":1,\"file\":\"r1.aedat\",\"label\":-1,\"samples\":4,\"decision\":0,\"right\":null,\"votes\":[4,0],"
    "\"decisions\":[0,0,0,0],\"class_spikes\":[9,1],\"entropy\":0.0,\"confidence\":0.98,"
    "\"confidence_votes\":1.0,\"log_loss\":null,\"log_loss_iw\":null,\"spikes\":{\"hidden\":7,\"visible\":8,\"target\":"
    "0}}\n";

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static void put(const char *text, size_t n)
{
    remove(path); /* a new file: the disk need not have the old one before it is cut off */
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(text, 1, n, f) != n || fclose(f) != 0) abort();
}

static void test_whole(void)
{
    tern_arena arena;
    tern_report_log g;
    tern_report_eval e;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    put(log_text, sizeof log_text - 1);
    CHECK_EQ(tern_report_read_log(path, &model, &arena, &g, &diags), TERN_OK);
    CHECK_EQ(g.n, 2);
    CHECK_EQ(g.n_validated, 1);
    CHECK_EQ(g.n_held, 2);
    CHECK_EQ(g.samples, 5);
    CHECK_STR(g.metric, "log-loss");
    CHECK_NEAR(g.lines[0].log_loss, 1.5, 0);
    CHECK(isnan(g.lines[0].distance) && isnan(g.lines[1].log_loss) && isnan(g.lines[1].unicast));
    CHECK_NEAR(g.lines[1].distance, 12.5, 0);
    CHECK_EQ(g.lines[0].saturations.logprob, 4);
    CHECK_EQ(g.lines[1].saturations.modulator, 7);
    CHECK_EQ(g.lines[1].label, -1);
    CHECK(g.validated[0].improved);
    CHECK_NEAR(g.validated[0].accuracy, 0.5, 0);
    put(eval_text, sizeof eval_text - 1);
    CHECK_EQ(tern_report_read_eval(path, &model, &arena, &e, &diags), TERN_OK);
    CHECK_EQ(e.n, 2);
    CHECK_STR(e.lines[0].file, "r0.aedat");
    CHECK_EQ(e.lines[0].votes[1], 3);
    CHECK_NEAR(e.lines[0].confidence, 0.88, 0);
    CHECK(isnan(e.lines[1].log_loss));
    CHECK_EQ(e.lines[1].hidden, 7);
    CHECK_EQ(diags.n, 0);
    tern_arena_free(&arena);
}

/* Bytes changed, removed, doubled, cut off. Nothing crashes (the sanitizers watch); what is refused is reported, with a
 * line of the file. */
static void test_damaged(const char *text, size_t n, bool log)
{
    char copy[2 * sizeof log_text];
    unsigned refused = 0;
    for (int round = 0; round < 3000; ++round) {
        size_t length = n;
        memcpy(copy, text, n);
        for (uint64_t k = 0, changes = 1 + draw() % 3; k < changes; ++k) {
            const size_t at = draw() % length;
            switch (draw() % 4) {
            case 0: copy[at] = (char)draw(); break;
            case 1: copy[at] = "0123456789-.,:[]{}\"eE\n tfn\\"[draw() % 27]; break;
            case 2:
                memmove(copy + at, copy + at + 1, length - at - 1);
                --length;
                break;
            default:
                if (draw() % 8 == 0) length = at + 1;
            }
        }
        put(copy, length);
        tern_arena arena;
        tern_report_log g;
        tern_report_eval e;
        tern_arena_init(&arena, tern_alloc_default(), (size_t)16 << 20);
        tern_diags_init(&diags);
        const tern_status s = log ? tern_report_read_log(path, &model, &arena, &g, &diags)
                                  : tern_report_read_eval(path, &model, &arena, &e, &diags);
        CHECK(s == TERN_OK || s == TERN_ERR_FORMAT || s == TERN_ERR_DATA);
        CHECK_EQ(diags.n, s != TERN_OK);
        if (s == TERN_OK) {
            for (size_t i = 0; log && i < g.n; ++i)
                CHECK(g.lines[i].presentation >= 1 && g.lines[i].hidden_rate >= 0 && g.lines[i].hidden_rate <= 1);
            for (size_t i = 0; !log && i < e.n; ++i)
                CHECK(e.lines[i].decision < 2 && e.lines[i].votes[0] + e.lines[i].votes[1] == e.lines[i].samples &&
                      e.lines[i].confidence <= 1);
        } else {
            ++refused;
            CHECK(diags.list[0].code >= 703 && diags.list[0].code <= 706);
            CHECK(diags.list[0].line >= 1 && diags.list[0].line <= 8);
        }
        tern_arena_free(&arena);
    }
    printf("%s: %u of 3000 refused\n", log ? "log" : "evaluation", refused);
    CHECK(refused > 1000 && refused < 3000);
}

int main(void)
{
    const int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    snprintf(model.name, sizeof model.name, "net");
    model.n_populations = 1;
    model.populations[0].size = 2;
    model.data.present = true;
    model.data.label_population = 0;
    test_whole();
    test_damaged(log_text, sizeof log_text - 1, true);
    test_damaged(eval_text, sizeof eval_text - 1, false);
    unlink(path);
    return tern_check_report("test_tern_report_lines");
}
