/* fuzz_seeds_text.c : seeds that are written out here: scripts, lines, operations
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../data/data_samples.h"
#include "fuzz_seeds.h"

/* A first byte (or two), then a text. */
static void text(const char *target, const char *name, const char *first, size_t n_first, const char *rest)
{
    bytes b = { 0 };
    put(&b, first, n_first);
    put_text(&b, rest);
    seed_write(target, name, b.p, b.n);
    free(b.p);
}

static const char *const scripts[] = {
    "local f = tern.raised_cosine{ duration = 6 }\nlocal x = tern.input{ name = \"x\", shape = {2, 2} }\n"
    "local h = tern.hidden{ name = \"h\", size = 2, memory = f }\nlocal o = tern.visible{ name = \"o\", size = 1, "
    "memory = f }\n"
    "tern.connect{ from = x, to = h, filters = f, init = tern.uniform(-0.5, 0.5) }\n"
    "tern.connect{ from = {x, h}, to = o, filters = f }\ntern.gem{ eta = 0.01, gamma = 0.5, samples = 4 }\n"
    "tern.data{ sensor = {2, 2}, window_ms = 1, steps = 20, input = x, label = o }\n",
    "--set rule.samples=2\n--set seed=9\nlocal i = tern.input{name='i', size=3}\nlocal o = tern.visible{name='o', "
    "size=4, wta=2}\n"
    "tern.connect{from=i, to=o, filters=tern.taps{1, 0.5}, pattern=tern.one_to_one()}\ntern.mb{eta=1e-3}\n",
    "local t = {}\nfor k, v in pairs{a=1, b=2} do t[#t+1] = k .. v end\ntable.sort(t)\nprint(table.concat(t, ','), "
    "('x'):rep(3))\n",
    "print(string.format('%5.2f %q %s %d %x', 1.5, 'a', {}, 3, 255), ('abc'):gsub('b', '%0%0'), "
    "('k=v'):match('(%w+)=(%w+)'))\n",
    "print()\nprint('', ' ')\npcall(error, '')\nerror('\\0', 0)\n",
    "local g = tern.generator(7)\nlocal a = g:uniform(0, 1)\nprint(math.floor(3.5), math.max(1, 2), select('#', 1, 2), "
    "pcall(error, 'x'))\n",
    "local i = tern.input{name='i', shape={4, 4}}\nlocal h = tern.hidden{name='h', shape={2, 2}}\nlocal o = "
    "tern.visible{name='o', size=2}\n"
    "local f = tern.exponential{tau=3}\ntern.connect{from=i, to=h, filters=f, pattern=tern.window{size={2, 2}, "
    "stride={2, 2}}}\n"
    "tern.connect{from=h, to=o, filters=f, pattern=tern.random{density=0.5}}\ntern.reward{eta=1e-2, memory=8}\n"
    "tern.formats{weight={8, 6}, trace=8}\n",
    "local i = tern.input{name='i', size=2}\nlocal o = tern.visible{name='o', size=2}\n"
    "tern.connect{from=i, to=o, filters=tern.alpha{tau=2}, pattern=tern.list{{0, 1}, {1, 0}}, init=tern.normal(0, "
    "0.1)}\ntern.iw{eta=1e-3, samples=3}\n",
};

static void lines(void)
{
    text("lines", "log", "\0", 1,
         "{\"training\": 1, \"network\": \"net\", \"engine\": \"golden\", \"samples\": 4, \"seed\": 1, \"recordings\": "
         "2, \"data\": \"00\"}\n"
         "{\"presentation\": 1, \"step\": 20, \"recording\": 0, \"label\": 1, \"eta\": 0.01, \"log_loss\": 0.7, "
         "\"log_loss_iw\": null, \"hidden_rate\": 0.1, "
         "\"saturations\": {\"weight\": 0, \"local\": 0, \"potential\": 0, \"coefficient\": 0, \"logprob\": 0, "
         "\"modulator\": 0}, "
         "\"communication\": {\"unicast\": 1, \"broadcast\": 2}}\n"
         "{\"validation\": 1, \"log_loss\": 0.5, \"log_loss_iw\": 0.5, \"accuracy\": 1, \"improved\": true, \"best\": "
         "0.5, \"best_at\": 1}\n");
    text("lines", "eval", "\1", 1,
         "{\"file\": \"a.aedat\", \"recording\": 0, \"label\": 2, \"samples\": 4, \"decision\": 2, \"votes\": [1, 0, "
         "3], \"entropy\": 0.5, \"confidence\": 0.9, "
         "\"confidence_votes\": 0.75, \"log_loss\": 0.2, \"log_loss_iw\": null, \"hidden\": 5, \"visible\": 3, "
         "\"target\": 20}\n");
}

static void synth(void)
{
    static const char *const yosys = "{\"design\": {\"num_cells_by_type\": {\"SB_LUT4\": 100, \"SB_DFFE\": 20, "
                                     "\"LUT4\": {\"count\": 7}, \"$_DLATCH_P_\": 1, "
                                     "\"RAMB36E1\": 2, \"MULT18X18D\": 3}}}";
    for (int i = 0; i < 4; ++i) {
        char name[20];
        const char first[1] = { (char)(i << 6) };
        snprintf(name, sizeof name, "stat%d", i);
        text("synth", name, first, 1, yosys);
    }
    text("synth", "log", "\1", 1,
         "Info: \t         ICESTORM_LC:  3127/ 7680    40%\nInfo: \t        ICESTORM_RAM:    20/   32    62%\nInfo:\t "
         "TRELLIS_COMB: 12/24288 0%\n");
    text("synth", "slices", "\1", 1,
         "Info: \t TRELLIS_SLICE:  100/12144     0%\nInfo: \t DP16KD: 3/56 5%\nInfo: \t MULT18X18D: 2/28 7%\n");
    text("synth", "fmax", "\2", 1,
         "{\"fmax\": {\"clk\": {\"achieved\": 24.5, \"constraint\": 24}, \"b\": {\"achieved\": 1e300}}}");
    text("synth", "resident", "\3", 1,
         "{\"clock_mhz\": 24.75, \"baud\": 3000000, \"capacity\": {\"LANES\": 4, \"WEIGHT_W\": 8, \"SAMPLES\": 4, "
         "\"NEURONS\": 64, \"SMALL\": 0, \"TAPS_D\": 8}}");
}

/* HDF5: name, numbers, columns, how, rows, base (4), step */
static void hdf5(void)
{
    static const char grouped[] = "\3"
                                  "\0\0\0\0\x20\xe8\x07\0\0\5"
                                  "\1\0\5\0\x20\xe8\3\0\0\3"
                                  "\2\2\5\0\2\xe8\7\0\0\x20";
    static const char spikes[] = "\1"
                                 "\6\xc3\0\5\3\xf0\3\0\0\4"
                                 "\7\xc6\0\5\3\xf0\3\0\0\4"
                                 "\10\1\0\0\3\xec\3\0\0\4";
    static const char told[] = "\x80"
                               "\1\1\0x"
                               "\3\x40\0"
                               "0123456789abcdef0123456789abcdef"
                               "\5\0\0";
    seed_write("hdf5", "grouped", grouped, sizeof grouped - 1);
    seed_write("hdf5", "spikes", spikes, sizeof spikes - 1);
    seed_write("hdf5", "told", told, sizeof told - 1);
}

static void sets(void)
{
    text("set", "list", "\0\0", 2, "file,label\n# remark\nparts.bin,1\nparts.bin#@10+20,2\nparts.bin#1000..2000us,3\n");
    text("set", "parts", "\1\0", 2, "mnist_index,label,first_event,n_events\n1,0,0,12\n2,1,12,12\n");
    text("set", "labels", "\4\0", 2, "file,label\na.csv,7\n3/b.csv,3\n");
    text("set", "index", "\5\3", 2, "sample,letter,first_frame,n_frames\n0,A,0,5\n1,B,5,5\n");
    text("set", "bytes", "\6\2", 2, "0123456789abcdefghijklmnopqrstuvwxyz");
    bytes b = { 0 };
    put(&b, "\2\0", 2);
    make_idx(&b, 2);
    seed_write("set", "images", b.p, b.n);
    b.p[0] = 7;
    seed_write("set", "values-idx", b.p, b.n);
    b.n = 0;
    put(&b, "\x9\0", 2);
    make_idx_labels(&b, 3);
    seed_write("set", "idx-labels", b.p, b.n);
    for (int k = 0; k < 2; ++k) {
        zip z = { 0 };
        int64_t v[60];
        for (int i = 0; i < 60; ++i) v[i] = i * 5 % 256;
        const int64_t l[3] = { 1, 2, 3 };
        zip_numbers(&z, k == 0 ? "values.npy" : "frames.npy", "'|u1'", 1, k == 0 ? "3, 20" : "3, 5, 4", v, 60, k == 0);
        zip_numbers(&z, "labels.npy", "'<i8'", 8, "3,", l, 3, false);
        zip_end(&z);
        b.n = 0;
        put(&b, k == 0 ? "\x8\0" : "\3\0", 2);
        put(&b, z.b.p, z.b.n);
        seed_write("set", k == 0 ? "values-npz" : "frames-npz", b.p, b.n);
        free(z.b.p);
    }
    free(b.p);
}

static void recordings(void)
{
    for (int k = 0; k < N_SAMPLES; ++k)
        for (int net = 0; net < 4; ++net) {
            bytes b = { 0 }, file = sample_make(k);
            char name[40];
            put_le(&b, (uint64_t)(15 | net << 4 | (k + net) % 4 << 6), 1); /* by content */
            put(&b, file.p, file.n);
            snprintf(name, sizeof name, "%s-%d", sample_list[k].name, net);
            if (file.n != 0) seed_write("recording", name, b.p, b.n);
            free(b.p);
            free(file.p);
        }
}

static void links(void)
{
    static const char orderly[] = "\0"
                                  "\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe";
    static const char lossy[] = "\1"
                                "\0\0\xfe\xfe\x2b\xfe\xfe\x54\3\xfe\x0b\xfe\0\0\xfe\x1c\2\xfe";
    static const char forged[] = "\2"
                                 "\x0a\xc2\1\0\0\x1c\xfe\x1a\xe6\0\0\x1c\1\2\3\4\x29"
                                 "12345"
                                 "\xfe\xfe\xfd\xfe";
    static const char test[] = "\x4f"
                               "\xfe\xfe\xfe\xf6\xee\xfe\xfe\xfe\xfe\x2e\xfe\xfe\xfe\xfe\xfe\xfe\xfe";
    seed_write("link_host", "orderly", orderly, sizeof orderly - 1);
    seed_write("link_host", "lossy", lossy, sizeof lossy - 1);
    seed_write("link_host", "forged", forged, sizeof forged - 1);
    seed_write("link_host", "test", test, sizeof test - 1);
    static const char steps[] = "\4"
                                "\5\1"
                                "\5\3"
                                "\5\7"
                                "\3\0\0\x1f"
                                "\x23\0\0\7"
                                "\5\x0f"
                                "\5\x10"
                                "\x1a\0\0\1\0\0\0\3"
                                "\5\1";
    static const char frames[] = "\4"
                                 "\x29\3\0\0\0\x40\2\0\0\0\x80\1\2\3\4"
                                 "\x30"
                                 "\7"
                                 "\x38"
                                 "~}]abc"
                                 "\2\1\2\3\4\5\6\7"
                                 "\7\4\5\1";
    seed_write("board", "steps", steps, sizeof steps - 1);
    seed_write("board", "frames", frames, sizeof frames - 1);
}

void seed_others(void)
{
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; ++i) {
        char name[20];
        snprintf(name, sizeof name, "script%zu", i);
        text("script", name, "", 0, scripts[i]);
    }
    lines();
    synth();
    hdf5();
    sets();
    recordings();
    links();
}
