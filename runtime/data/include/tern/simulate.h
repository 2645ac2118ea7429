/* simulate.h : recordings without a camera: digits or images moved in front of a simulated event camera
 * SPDX-License-Identifier: Apache-2.0
 *
 * The digits are drawn by Tern's own stroke font, the camera is a DVS128 (128 x 128): docs/30-data.md. The same
 * settings give the same bytes on every machine with IEEE double arithmetic (only + - * / and sqrt are used, all random
 * numbers are Threefry). Use:
 *     tern_sim_defaults(&set); set.seed = 7;
 *     tern_sim_digit(&set, 3, 0, &arena, &recording, &diags);     // one recording in memory: digit 3, sample 0
 *     tern_sim_write_set(&set, &what, "out", ...);                // a folder of AEDAT 2.0 files with labels.csv
 *
 * Threads: calls with different arenas, outputs and lists may run side by side. Progress is called by the thread
 * that called.
 */
#ifndef TERN_SIMULATE_H
#define TERN_SIMULATE_H
#include "tern/data.h"
#ifdef __cplusplus
extern "C" {
#endif

/* How the picture moves: around a triangle at constant speed; the same with a rest at each corner; there and back on a
 * line. */
typedef enum tern_sim_motion { TERN_SIM_TRIANGLE, TERN_SIM_SACCADES, TERN_SIM_LINE } tern_sim_motion;

typedef struct tern_sim_settings {
    uint64_t seed;
    /* 50,000 .. 60,000,000                                                      default 2,200,000 */
    uint32_t duration_us;
    /* shortest time between two events of a pixel, 0 .. 1,000,000               default 1,000 */
    uint32_t refractory_us;
    /* of the digit's closed path, 100,000 .. 60,000,000                         default 1,200,000 */
    uint32_t period_us;
    /* size of the path, 0 .. 2 (1: about 7 x 4 pixels)                          default 1 */
    double path_px;
    /* log intensity of the digit above its background, 0.2 .. 5                 default 1.6 */
    double contrast;
    /* change of log intensity that makes an event, 0.05 .. 2                    default 0.25 */
    double threshold;
    /* standard deviation of the threshold over pixels, relative, 0 .. 0.25      default 0.05 */
    double mismatch;
    /* background events per pixel and second, 0 .. 20                           default 0.02 */
    double noise_hz;
    /* tern_sim_motion                                                           default TRIANGLE */
    uint8_t motion;
    /* of the events, lost between camera and recording, 0 .. 99                 default 0         */
    uint8_t loss_percent;
    /* events arrive later by 0 .. this, independently, 0 .. 1,000                default 0         */
    uint16_t jitter_ms;
    /* images: pixels of the camera that the longer side covers, 4 .. 32         default 24 */
    double size_px;
} tern_sim_settings;

#define TERN_SIM_MAX_IMAGE 1024u      /* rows and columns of an image */
#define TERN_SIM_MAX_SAMPLES 1000000u /* sample numbers of a digit: 0 .. 999,999 */
#define TERN_SIM_MAX_EVENTS 8000000u  /* of one recording                        */

/* Every setting at the default that its comment names. */
void tern_sim_defaults(tern_sim_settings *set);
/* TERN_ERR_ARGUMENT and one diagnostic per setting that is out of its range. */
tern_status tern_sim_check(const tern_sim_settings *set, tern_diags *diags);
/* One recording; label = digit (0..9). Samples of one digit differ in shape and path; the camera (mismatch) depends on
 * the seed only. */
tern_status tern_sim_digit(const tern_sim_settings *set, unsigned digit, uint32_t sample, tern_arena *arena,
                           tern_recording *out, tern_diags *diags);

/* The same for an image: rows x columns bytes, 0 dark to 255 bright, row by row. Label -1. Samples differ in path and
 * noise. */
tern_status tern_sim_image(const tern_sim_settings *set, const uint8_t *pixels, uint32_t rows, uint32_t columns,
                           uint32_t sample, tern_arena *arena, tern_recording *out, tern_diags *diags);

/* AEDAT 2.0 bytes of a recording with x, y < 128. `comment` (one line of text, may be NULL) goes into the header. */
tern_status tern_aedat2_encode(const tern_recording *rec, const char *comment, tern_arena *arena,
                               const uint8_t **out_bytes, size_t *out_size, tern_diags *diags);

/* Records of N-MNIST (docs/38-formats.md) of a recording with x, y < 34 and times below 2^23 us. */
tern_status tern_nmnist_encode(const tern_recording *rec, tern_arena *arena, const uint8_t **out_bytes,
                               size_t *out_size, tern_diags *diags);

/* How recordings are written: AEDAT 2.0 of the whole sensor (.aedat), or like N-MNIST the 34 x 34 pixels around the
 * digit (.bin; at most 8 s). */
typedef enum tern_sim_form { TERN_SIM_AEDAT2, TERN_SIM_NMNIST } tern_sim_form;

typedef struct tern_sim_set {
    uint8_t classes[10];   /* digits, in the order of labels.csv */
    uint32_t n_classes;    /* 1..10 */
    uint32_t first, count; /* samples first .. first + count - 1 of every class */
    bool overwrite;        /* false: the folder must be missing or empty */
    uint8_t form;          /* tern_sim_form */
} tern_sim_set;

typedef struct tern_sim_totals {
    uint64_t n_files, n_events, n_bytes;
    char sha256[65]; /* of labels.csv followed by the recordings in its order */
} tern_sim_totals;

typedef struct tern_sim_images {
    const char *images; /* IDX file of images, may be gzip */
    /* IDX file of labels; NULL: the one next to the images (docs/38-formats.md), -1 if there is none */
    const char *labels;
    uint32_t first, count; /* images first .. first + count - 1; count 0: all from `first` on */
    bool overwrite;
} tern_sim_images;

/* Called after every file; return false to stop (TERN_ERR_IO, labels.csv is then not written). */
typedef bool (*tern_sim_progress)(void *ud, uint64_t done, uint64_t total);

/* Writes dir/d<digit>_<sample>.aedat (or .bin) and, last, dir/labels.csv (classes alternate). The folder is created if
 * missing, its parents are not. */
tern_status tern_sim_write_set(const tern_sim_settings *set, const tern_sim_set *what, const char *dir,
                               tern_alloc alloc, tern_sim_progress progress, void *ud, tern_sim_totals *out,
                               tern_diags *diags);

/* The same for images: dir/i<image>.aedat. */
tern_status tern_sim_write_images(const tern_sim_settings *set, const tern_sim_images *what, const char *dir,
                                  tern_alloc alloc, tern_sim_progress progress, void *ud, tern_sim_totals *out,
                                  tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_SIMULATE_H */
