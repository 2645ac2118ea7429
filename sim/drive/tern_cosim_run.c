/* tern_cosim_run.c : see tern_cosim_run.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_cosim_run.h"
#include "tern_cosim_parts.h"
#include "tern_errors.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_interrupt.h"
#include "tern_progress.h"

enum { E_WAVE = 607 };

typedef struct run {
    const tern_cosim_job *job;
    tern_cosim_result *result;
    tern_diags *diags;
    tern_arena *arena;
    tern_state st;
    tern_lockstep *ls;     /* NULL: the golden model alone makes the steps up to the part that is next */
    uint32_t *in, *target; /* frames of a random step */
    tern_frames frames;    /* of the current presentation */
    uint64_t random;
    uint32_t part;           /* that is run; with the golden model alone: that begins next */
    uint32_t n_parts;        /* fewer than the job has if a process could not be started */
    bool child, over;        /* in the process of a part; the part has come to its end */
    tern_cosim_parts *parts; /* NULL: this is the only process */
    tern_record_sink sink;   /* of the golden model alone */
    uint64_t digest;         /* of its records */
    bool wave, waved;        /* open; was begun */
    tern_diags own;          /* of this process, with parts */
    char temporary[1088];    /* the waveform's name while it is written */
    tern_progress bar;
} run;

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* splitmix64 */
static uint32_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

/* Spikes with probability 0.1 at the units of inputs and visible neurons. */
static void random_frame(run *r)
{
    const tern_model *m = r->job->model;
    memset(r->in, 0, m->net.n_inputs_pos / 8);
    memset(r->target, 0, m->net.n_neurons_pos / 8);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        uint32_t *words = p->kind == TERN_POP_INPUT ? r->in : r->target;
        for (uint32_t u = p->pos; p->kind != TERN_POP_HIDDEN && u < p->pos + p->size; ++u)
            if (draw(&r->random) < UINT32_MAX / 10u) words[u / 32] |= (uint32_t)1 << u % 32;
    }
}

/* A learning signal between -1 and 1 for each sample, as a host would give it. */
static void random_reward(run *r)
{
    int32_t reward_f12[TERN_MAX_SAMPLES];
    for (uint32_t k = 0; k < r->job->plan->n_samples; ++k) reward_f12[k] = (int32_t)(draw(&r->random) >> 19) - 4096;
    if (r->ls == NULL) tern_reward(&r->st, reward_f12);
    else tern_lockstep_reward(r->ls, reward_f12);
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static tern_status make_state(run *r, tern_arena *arena)
{
    const tern_net *net = &r->job->model->net;
    const size_t bytes = tern_state_bytes(net, r->job->plan->n_samples);
    void *mem = bytes == 0 ? NULL : tern_arena_get(arena, bytes, 1);
    r->in = tern_arena_get(arena, net->n_inputs_pos / 32, sizeof *r->in);
    r->target = tern_arena_get(arena, net->n_neurons_pos / 32, sizeof *r->target);
    if (mem == NULL || r->in == NULL || r->target == NULL) return bytes == 0 ? TERN_ERR_ARGUMENT : TERN_ERR_MEMORY;
    const tern_status s = tern_state_init(&r->st, net, mem, bytes, r->job->plan->n_samples, r->job->seed);
    if (s == TERN_OK && r->job->model->state != NULL) tern_state_copy_weights(&r->st, r->job->model->state);
    return s;
}

/* The learning rate of the schedule, in both: the same coefficients that training uses. */
static tern_status set_rate(run *r, uint32_t presentations)
{
    const tern_model *m = r->job->model;
    const double eta = tern_rule_eta_at(&m->rule, presentations);
    const tern_status s = tern_ek_from_eta(&m->net, eta, m->rule.kappa, r->st.ek);
    if (s != TERN_OK) {
        tern_diags_add(r->diags, TERN_SEV_ERROR, TERN_ERROR_RATE, m->name, 0, "rule.eta",
                       "learning rate %g does not fit the learning format", eta);
        return s;
    }
    for (uint32_t d = 0; r->ls != NULL && d < m->net.lags_w; ++d)
        r->job->dut->write(tern_lockstep_core(r->ls), tern_host_address(TERN_RG_EK, d, 32, 0), r->st.ek[d]);
    return TERN_OK;
}

/* ---- waveform ---------------------------------------------------------------------------------------------------- */

static tern_status wave_fault(run *r)
{
    tern_diag_hint(tern_diags_add(r->diags, TERN_SEV_ERROR, E_WAVE, r->job->wave_path, 0, "--wave",
                                  "the waveform cannot be written%s%s", errno != 0 ? ": " : "",
                                  errno != 0 ? strerror(errno) : ""),
                   "check the folder, its rights and the space left");
    return TERN_ERR_IO;
}

static tern_status wave_begin(run *r)
{
    const int n = snprintf(r->temporary, sizeof r->temporary, "%s.tmp-%ld", r->job->wave_path, (long)getpid());
    struct stat info;
    /* the rename at the end would replace a device or pipe */
    if (stat(r->job->wave_path, &info) == 0 && !S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : ENOTSUP;
        return wave_fault(r);
    }
    errno = 0;
    if (n < 0 || (size_t)n >= sizeof r->temporary) return wave_fault(r);
    FILE *probe = fopen(r->temporary, "wb"); /* the simulator does not tell why it could not */
    if (probe == NULL) return wave_fault(r);
    fclose(probe);
    errno = 0;
    if (r->job->dut->wave_open(tern_lockstep_core(r->ls), r->temporary) != 0) {
        unlink(r->temporary);
        return wave_fault(r);
    }
    r->wave = true;
    return TERN_OK;
}

static tern_status wave_end(run *r)
{
    if (!r->wave) return TERN_OK;
    r->wave = false;
    r->job->dut->wave_close(tern_lockstep_core(r->ls));
    r->result->waved = rename(r->temporary, r->job->wave_path) == 0;
    if (r->result->waved) return TERN_OK;
    const tern_status s = wave_fault(r);
    unlink(r->temporary);
    return s;
}

/* ---- both sides, or the golden model alone ----------------------------------------------------------------------- */

/* Takes TERN_ERR_DIFFERS as a result, hands on everything else. */
static tern_status note(run *r, tern_status s)
{
    if (s != TERN_ERR_DIFFERS) return s;
    if (r->result->failed_step == UINT64_MAX)
        r->result->failed_step = r->result->steps == 0 ? 0 : r->result->steps - 1u;
    return TERN_OK;
}

static bool failed(const run *r) { return r->result->failed_step != UINT64_MAX; }

/* The run ends before its last step: interrupted, or another process has ended it. */
static bool stopped(const run *r)
{
    return tern_interrupted() || (r->parts != NULL && tern_cosim_parts_vain(r->parts, r->part));
}

static void add_record(tern_record_sink *self, const tern_record *record)
{
    run *r = (run *)((char *)self - offsetof(run, sink));
    r->digest = tern_digest_add(r->digest, record);
}

static tern_status make_step(run *r, const uint32_t *in, const uint32_t *target, unsigned flags)
{
    if (r->ls != NULL) return tern_lockstep_step(r->ls, in, target, flags);
    r->st.sink = &r->sink;
    tern_step(&r->st, in, target, flags);
    r->st.sink = NULL;
    return TERN_OK;
}

static tern_status make_flush(run *r)
{
    if (r->ls != NULL) return note(r, tern_lockstep_flush(r->ls));
    r->st.sink = &r->sink;
    tern_flush(&r->st);
    r->st.sink = NULL;
    return TERN_OK;
}

static tern_status make_clear(run *r)
{
    if (r->ls != NULL) return note(r, tern_lockstep_clear(r->ls));
    tern_state_clear(&r->st);
    return TERN_OK;
}

static tern_status make_batch(run *r, uint32_t step, uint32_t k0)
{
    if (r->ls != NULL) return note(r, tern_lockstep_batch(r->ls, step, k0));
    tern_state_clear(&r->st);
    r->st.step = step;
    r->st.k0 = k0;
    return TERN_OK;
}

static tern_status make_example(run *r) { return r->ls == NULL ? TERN_OK : note(r, tern_lockstep_example(r->ls)); }
static tern_status make_vote(run *r) { return r->ls == NULL ? TERN_OK : note(r, tern_lockstep_vote(r->ls)); }

/* A core that hangs answers to reads of registers only. */
static bool hangs(const run *r)
{
    return (r->job->dut->read(tern_lockstep_core(r->ls), tern_host_address(TERN_RG_REG, TERN_REG_STATUS, 32, 0)) &
            1u) != 0;
}

static tern_status compare_memories(run *r)
{
    return r->ls == NULL || hangs(r) ? TERN_OK : note(r, tern_lockstep_memories(r->ls));
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

bool tern_cosim_cuts(const tern_cosim_job *job)
{
    /* what samples decided by themselves is counted from the beginning of a presentation */
    return job->batches == 1 && (job->learn || job->plan->n_classes == 0);
}

/* The step from which part p runs, or from the first cut behind it; that of the part behind the last one: never. */
static uint64_t part_begin(const run *r, uint32_t p)
{
    const tern_cosim_job *job = r->job;
    if (p == r->n_parts) return job->until;
    return job->parts > 1 ? tern_cosim_part_begin(job->n_steps, job->parts, p) : job->from;
}

/* From here on the core makes the steps, too. What was found up to here was found by others. */
static tern_status begin_part(run *r)
{
    tern_cosim_result *result = r->result;
    *result = (tern_cosim_result){ .failed_step = UINT64_MAX,
                                   .steps = result->steps,
                                   .presentations = result->presentations,
                                   .parts = 1,
                                   .part = r->part,
                                   .part_step = result->steps };
    const tern_status s = note(r, tern_lockstep_open(r->job->plan, &r->st, r->job->dut, r->arena, &r->ls, r->diags));
    if (r->ls != NULL) tern_lockstep_digest(r->ls, r->digest); /* open also if the core differs already */
    return s;
}

/* With an update pending. Reading memories is not worth a waveform. */
static tern_status compare_pending(run *r)
{
    tern_status s = wave_end(r);
    if (s == TERN_OK) s = compare_memories(r);
    r->result->at_end = failed(r);
    return s;
}

/* Between two steps, where a part may begin: ends the part that is run, or begins the next one, if it is due. */
static tern_status at_cut(run *r)
{
    const uint64_t step = r->result->steps;
    if (r->ls != NULL) {
        if (step < part_begin(r, r->part + 1u)) return TERN_OK;
        const tern_status s = compare_pending(r);
        r->over = !failed(r);
        return s;
    }
    if (step < part_begin(r, r->part)) return TERN_OK;
    for (; r->part + 1u < r->n_parts && step >= part_begin(r, r->part + 1u); ++r->part) /* no step for this one */
        tern_cosim_parts_skip(r->parts, r->part, r->part + 1u);
    if (r->part + 1u < r->n_parts) {
        if (!tern_cosim_parts_start(r->parts, r->part, &r->child)) {
            tern_cosim_parts_skip(r->parts, r->part + 1u, r->n_parts);
            r->n_parts = r->part + 1u; /* all that is left is made here */
        } else if (!r->child) {
            ++r->part;
            return TERN_OK;
        }
        /* The first process reads the part's recordings, too, and warns. Open files are shared: they are read without
         * moving a position (pread). */
        if (r->child && r->job->frames != NULL) r->job->frames->warn = NULL;
    }
    if (r->parts != NULL) tern_cosim_parts_listen(r->parts, r->part);
    return begin_part(r);
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static void show_progress(run *r)
{
    if (r->parts != NULL && r->ls != NULL)
        tern_cosim_parts_told(r->parts, r->part, r->result->steps - r->result->part_step);
    if (!r->child)
        tern_progress_update(&r->bar, r->parts != NULL ? tern_cosim_parts_steps(r->parts) : r->result->steps, NULL);
}

static tern_status one_step(run *r, const uint32_t *in, const uint32_t *target)
{
    if (r->ls != NULL && !r->waved && r->result->steps >= r->job->wave_from) {
        r->waved = true;
        const tern_status s = wave_begin(r);
        if (s != TERN_OK) return s;
    }
    const uint64_t made = r->ls != NULL ? tern_lockstep_get(r->ls)->steps : 0;
    const bool reward = r->job->model->net.rule == TERN_RULE_REWARD; /* learns from the signal: nothing is clamped */
    const tern_status s = make_step(r, in, target,
                                    !r->job->learn ? 0u
                                    : reward       ? TERN_STEP_LEARN
                                                   : TERN_STEP_LEARN | TERN_STEP_CLAMP);
    if (reward && r->job->learn) random_reward(r);
    ++r->result->steps;
    if (r->ls != NULL && tern_lockstep_get(r->ls)->steps > made) /* not if the core did not end it */
        r->result->predicted += tern_lockstep_get(r->ls)->last_predicted;
    show_progress(r);
    return note(r, s);
}

static void count_decision(run *r, int32_t label)
{
    const tern_vote *v = r->ls == NULL ? NULL : tern_lockstep_votes(r->ls);
    if (v == NULL || r->job->learn) return; /* clamped spikes decide nothing */
    ++r->result->decided;
    if (label < 0) return;
    ++r->result->labelled;
    r->result->right += v->winner == (uint32_t)label;
}

/* The steps of one batch of samples. */
static tern_status make_steps(run *r, uint64_t n)
{
    const bool cuts = tern_cosim_cuts(r->job), data = r->job->frames != NULL;
    tern_status s = TERN_OK;
    for (uint64_t t = 0; t < n && s == TERN_OK; ++t) {
        if (t > 0 && cuts) s = at_cut(r);
        if (s != TERN_OK || failed(r) || r->over || stopped(r)) break;
        if (!data) random_frame(r);
        s = one_step(r, data ? r->frames.inputs + (size_t)t * r->frames.words_in : r->in,
                     data ? r->frames.targets + (size_t)t * r->frames.words_neuron : r->target);
    }
    return s;
}

/* One recording, or all the random frames; at inference in batches of samples that see the same frames. */
static tern_status presentation(run *r)
{
    tern_status s = at_cut(r);
    if (s != TERN_OK || failed(r) || r->over) return s;
    const uint64_t left = (r->job->n_steps - r->result->steps) / r->job->batches;
    const bool data = r->job->frames != NULL;
    uint64_t n = left;
    if (data) {
        const uint32_t i = (uint32_t)(r->result->presentations % r->job->frames->set.n);
        s = tern_frames_store_get(r->job->frames, i, &r->frames, r->diags);
        if (s != TERN_OK) return s;
        n = r->frames.n_steps < left ? r->frames.n_steps : left;
    }
    if (r->job->learn) s = set_rate(r, r->job->model->presentations_done + (uint32_t)r->result->presentations);
    const uint32_t first_step = r->st.step;
    const uint64_t seen = r->random;
    if (s == TERN_OK) s = make_example(r);
    for (uint32_t b = 0; b < r->job->batches && s == TERN_OK && !failed(r) && !stopped(r) && n > 0; ++b) {
        if (b > 0) s = make_batch(r, first_step, b * r->job->plan->n_samples);
        r->random = seen; /* the same frames again */
        if (s == TERN_OK) s = make_steps(r, n);
        if (r->over) return s; /* another process goes on with this presentation */
        /* with counters that have not voted yet */
        if (s == TERN_OK && !failed(r) && r->job->batches > 1) s = compare_memories(r);
        if (s == TERN_OK && !failed(r)) s = make_vote(r);
    }
    if (s == TERN_OK && !failed(r)) count_decision(r, data ? r->frames.label : -1);
    if (s == TERN_OK && !failed(r) && r->job->batches > 1) s = make_batch(r, first_step + (uint32_t)n, 0);
    ++r->result->presentations;
    const bool last = r->result->steps == r->job->n_steps;
    if (s == TERN_OK && !failed(r) && last && r->job->learn && !r->job->wave_flush && r->ls != NULL)
        s = compare_pending(r);
    if (s == TERN_OK && !failed(r) && r->job->learn) s = make_flush(r);
    if (s == TERN_OK) s = wave_end(r);
    if (s == TERN_OK) s = compare_memories(r);
    if (s == TERN_OK && !failed(r) && !last && data && r->job->model->data.clear) s = make_clear(r);
    return s;
}

/* Ends what this process has begun. */
static tern_status end_part(run *r, tern_status s)
{
    if (s == TERN_OK) s = wave_end(r);
    else if (r->wave) {
        r->job->dut->wave_close(tern_lockstep_core(r->ls));
        unlink(r->temporary);
    }
    r->result->interrupted = r->result->steps < r->job->n_steps && !r->over && !failed(r) && stopped(r);
    if (r->ls != NULL) {
        r->result->counts = *tern_lockstep_get(r->ls);
        r->result->report = *tern_lockstep_report_get(r->ls);
        tern_lockstep_close(r->ls);
    }
    return s;
}

/* Hands on what this process has found; the first process returns what all of them have found. */
static tern_status end_parts(run *r, tern_status s, tern_diags *diags)
{
    const bool whole = s == TERN_OK && !failed(r) && (r->over || r->result->steps == r->job->n_steps);
    if (r->ls != NULL || s != TERN_OK) tern_cosim_parts_put(r->parts, r->part, whole, r->result, s, r->diags);
    else if (whole) /* the model is at the end, and no presentation began late enough for them */
        tern_cosim_parts_skip(r->parts, r->part, r->n_parts);
    if (r->child) tern_cosim_parts_leave();
    if (tern_interrupted()) tern_cosim_parts_stop(r->parts);
    return tern_cosim_parts_join(r->parts, &r->bar, r->result, diags);
}

tern_status tern_cosim_run(const tern_cosim_job *job, tern_arena *arena, tern_cosim_result *out_result,
                           tern_diags *diags)
{
    run *r = tern_arena_get(arena, 1, sizeof *r);
    if (r == NULL) return TERN_ERR_MEMORY;
    *out_result = (tern_cosim_result){ .failed_step = UINT64_MAX };
    *r = (run){ .job = job,
                .result = out_result,
                .diags = diags,
                .arena = arena,
                .n_parts = job->parts,
                .random = job->seed,
                .sink = { add_record },
                .digest = TERN_DIGEST_INIT };
    tern_status s = make_state(r, arena);
    if (s == TERN_OK && job->parts > 1) s = tern_cosim_parts_open(job->parts, &r->parts);
    if (s != TERN_OK) return s;
    if (r->parts != NULL) { /* a part that does not count has no say */
        tern_diags_init(&r->own);
        r->diags = &r->own;
    }
    const double start_s = tern_clock_s();
    tern_progress_begin(&r->bar, "cosim", "step", job->n_steps);
    while (s == TERN_OK && out_result->steps < job->n_steps && !failed(r) && !r->over && !stopped(r))
        s = presentation(r);
    s = end_part(r, s);
    if (r->parts != NULL) s = end_parts(r, s, diags);
    tern_progress_end(&r->bar);
    out_result->seconds = tern_clock_s() - start_s;
    tern_cosim_parts_close(r->parts);
    return s;
}
