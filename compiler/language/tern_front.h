/* tern_front.h : internals of the language; nothing outside this folder includes it
 * SPDX-License-Identifier: Apache-2.0
 *
 * One tern__front lives for one compilation. Lua's memory comes from the arena's allocator (counted, tern_sandbox.c)
 * and is given back before the network is expanded; the description is in the arena. Lua errors are longjmps, so C code
 * holds nothing that would have to be freed.
 */
#ifndef TERN_FRONT_H
#define TERN_FRONT_H
#include <string.h>
#include <lua.h>
#include <lauxlib.h>
#include <nettle/sha2.h>
#include <string.h>
#include "tern_script.h"
#include "tern_errors.h"

#define TERN__SCRIPT_BYTES (1u << 20)   /* of one source file                     */
#define TERN__TEXT_BYTES (1u << 16)     /* of one Lua string: bounds what one instruction can cost */
#define TERN__MEMORY_BYTES (256u << 20) /* default of script_memory_bytes         */
#define TERN__SECONDS 5.0               /* default of script_seconds              */
#define TERN__WORK_PER_SECOND 5e7       /* one unit is about one VM instruction, 20 ns */
#define TERN__HOOK_EVERY 1000           /* instructions                           */
#define TERN__MAX_SOURCES 64u           /* script and modules                     */
#define TERN__MAX_SETS 64u
#define TERN__MAX_NOTES 10u  /* of print                               */
#define TERN__MAX_ERRORS 20u /* then the script is stopped             */

/* Codes of the language (docs/60-errors.md). */
enum {
    TERN__N_PRINT = 201,
    TERN__E_SYNTAX = 202,
    TERN__E_RUN = 203,
    TERN__E_WORK = 204,
    TERN__E_MEMORY = 205,
    TERN__E_FILE = 206,
    TERN__E_UNKNOWN_KEY = 210,
    TERN__E_MISSING_KEY = 211,
    TERN__E_TYPE = 212,
    TERN__E_RANGE = TERN_ERROR_KEY_RANGE,
    TERN__E_NAME = 214,
    TERN__E_CHOICE = 215,
    TERN__E_COUNT = 216,
    TERN__E_CONFLICT = 217,
    TERN__E_TWICE = 218,
    TERN__E_ABSENT = 219,
    TERN__E_POPULATION = 220,
    TERN__E_FILTER = 221,
    TERN__E_PATTERN = 222,
    TERN__E_PART = 223,
    TERN__E_SET = 224,
    TERN__E_INIT = 225,
    TERN__E_TOO_MANY = 226,
    TERN__E_ORDER = 227,
    TERN__E_HOST_MEMORY = 228,
    TERN__W_CUT = 240,
    TERN__W_NOT_DRIVEN = 241,
    TERN__W_NO_TARGET = 242,
    TERN__N_NOT_OF_RULE = 243,
    TERN__W_NEVER_FORGETS = 244,
    TERN__W_UNSET = 245
};

/* Why a script was stopped; sticky, so that no pcall can continue. */
typedef enum tern__trip {
    TERN__TRIP_NONE,
    TERN__TRIP_WORK,
    TERN__TRIP_MEMORY,
    TERN__TRIP_HOST,
    TERN__TRIP_ERRORS
} tern__trip;

/* Lua's short name; the path for messages */
typedef struct tern__source {
    char chunk[56];
    const char *file;
} tern__source;

typedef struct tern__set {
    char key[112];
    size_t order; /* in options->sets, for messages */
    const char *value;
    bool used;
} tern__set;

/* Blocks of memory by their address: open addressing, `room` is a power of two or 0. */
typedef struct tern__blocks {
    struct tern__block {
        uintptr_t at; /* 0: free */
        size_t bytes;
    } * slots;
    size_t n, room;
} tern__blocks;

enum { TERN__MAX_UNSET = 64, TERN__SAID_UNSET = 8 }; /* noted; reported */
typedef struct tern__unset {
    char name[48], file[200];
    int line;
} tern__unset; /* where it was read first */

typedef struct tern__front {
    lua_State *L;
    tern_arena *arena;
    tern_diags *diags;
    tern_desc *desc;
    size_t n_errors;
    /* sandbox */
    size_t memory_limit, memory_used;
    uint64_t work, work_limit; /* units of TERN__WORK_PER_SECOND */
    size_t longest_text;       /* bytes of the longest Lua string so far: what one instruction can cost */
    tern__blocks blocks;       /* large ones of the Lua state */
    size_t table_bytes;        /* of a table without its places */
    tern__trip trip;
    bool text_too_long; /* the last refusal was of one long string */
    bool host_refused;  /* ... came from the allocator, not from the limit */
    bool closing, loading;
    const char *place_file; /* where the script was last seen, or of the trip; 0: not in the script yet */
    int place_line;
    unsigned n_notes;
    /* sources */
    const char *folder; /* of the script; NULL: modules, images and arrays are refused */
    uint32_t n_sources;
    tern__source sources[TERN__MAX_SOURCES];
    struct sha256_ctx sha;
    /* sets: values lie in a table of the registry, by key */
    uint32_t n_sets;
    tern__set sets[TERN__MAX_SETS];
    /* declarations */
    size_t cap_projections;
    bool seed_given, seed_used;
    uint32_t seed_line, rule_line, formats_line, data_line, initial_line;
    tern_init initial; /* of what is given no initial value of its own, if initial_line is set */
    uint32_t filter_line[TERN_MAX_FILTERS];
    uint32_t n_unset; /* globals that were read before anything had set them */
    tern__unset unset[TERN__MAX_UNSET];
    uint32_t n_listed;  /* keys that a message about an unknown one names; 0: all of the section */
    size_t arena_start; /* bytes in use when the script began: what it adds counts as its memory */
} tern__front;

tern__front *tern__front_of(lua_State *L);

/* ---- tern_sandbox.c ---- */
lua_State *tern__sandbox_new(tern__front *f);              /* NULL: not enough memory */
void tern__sandbox_end(tern__front *f);                    /* the state and what its allocator keeps */
void tern__sandbox_watch(lua_State *L);                    /* from here on work is counted */
int tern__sandbox_handler(lua_State *L);                   /* message handler: error -> diagnostic */
void tern__sandbox_failed(tern__front *f, int lua_status); /* after a failed call: diagnostics of limits */
void tern__charge(lua_State *L, uint64_t units);           /* counts work; raises when it is used up */
/* After a walk through the table at index `table` that has been charged with `charged` units: what empty places have
 * taken besides. A table keeps its places when their keys are removed. */
void tern__charge_walk(lua_State *L, int table, uint64_t charged);
bool tern__script_place(tern__front *f, char *out_file, size_t bytes, int *out_line); /* of the running Lua function */
void tern__keep_place(lua_State *L); /* notes it for errors of memory; not from the allocator */
int tern__raise_trip(lua_State *L, tern__trip why);
const char *tern__file_of_chunk(const tern__front *f, const char *chunk);
/* Runs a source on the stack's top: pushes the function or raises; registers the chunk name. */
int tern__load_source(lua_State *L, const char *bytes, size_t size, const char *chunk_file);

/* ---- tern_load.c ---- */
uint64_t tern__parse_units(const char *bytes, size_t size); /* work of parsing a source */
/* ---- tern_removed.c: names of plain Lua that scripts have not ---- */
bool tern__is_removed(const char *table, const char *name); /* table: its name, NULL for the globals */
/* of the error for one: what to use instead; NULL: of another message */
const char *tern__removed_hint(const char *msg);

/* ---- tern_globals.c ---- */
/* the table at i answers removed names with an error, and notes unknown ones; table: its name, NULL for the globals */
void tern__removed_watch(lua_State *L, int i, const char *table);
/* adds warning 245 for each global that was read and that nothing has set until the script's end; a Lua function */
int tern__report_unset(lua_State *L);

/* ---- tern_lib.c, tern_pattern.c ---- */
void tern__lib_open(lua_State *L); /* base, table, string, math as docs/10 section 9 says */
int tern__str_find(lua_State *L);
int tern__str_match(lua_State *L);
int tern__str_gmatch(lua_State *L);
int tern__str_gsub(lua_State *L);
int tern__lib_require(lua_State *L);
const char *tern__plain_text(lua_State *L, int i); /* pushes a text without addresses for any value */
/* White space only, up to the first zero byte? */
static inline bool tern__text_is_empty(const char *text) { return text[strspn(text, " \t\r\n\v\f")] == 0; }

/* ---- tern_files.c ---- */
/* Whole file into the arena; 0, or an errno-like reason in *out_why. */
bool tern__read_file(tern_arena *arena, const char *path, bool follow_links, const char **out_bytes, size_t *out_size,
                     const char **out_why, bool *out_no_memory);
/* Does path, links followed, lie below folder? True if it does not exist. */
bool tern__inside(const char *folder, const char *path);

/* ---- tern_schema.c ---- */
typedef enum tern__type {
    TERN__NUMBER,
    TERN__INTEGER,
    TERN__BOOLEAN,
    TERN__TEXT,
    TERN__CHOICE,
    TERN__INTEGERS, /* read by the schema */
    /* read by the declaration */
    TERN__POPULATION,
    TERN__POPULATIONS,
    TERN__FILTER,
    TERN__FILTERS,
    TERN__INIT,
    TERN__PATTERN,
    TERN__TABLE
} tern__type;

enum {
    TERN__REQUIRED = 1,
    TERN__SETTABLE = 2,
    TERN__LO_OPEN = 4,
    TERN__ONE_OK = 8 /* a plain number stands for a list of one */,
    TERN__SET_ONLY = 16 /* a key of --set, none of the script */
};

typedef struct tern__key {
    const char *section, *key;
    uint8_t type, flags;
    double lo, hi;        /* of numbers and of list entries */
    uint8_t n_min, n_max; /* entries of a list */
    const char *def;      /* text: "" none; numbers are parsed from it */
    const char *choices;  /* "a|b" */
    const char *help;
} tern__key;

typedef struct tern__value {
    bool given; /* by script or set */
    bool bad;   /* reported; the default stands */
    double num;
    int64_t ints[4];
    uint32_t n; /* entries of ints, or length of text */
    int choice;
    const char *text; /* lives as long as the argument table */
} tern__value;

const tern__key *tern__schema(const char *section, size_t *out_n);
const tern__key *tern__schema_all(size_t *out_n);
/* Checks argument table `arg` against a section (set_section: the name in --set keys, NULL: not settable) and fills
 * values[] in the schema's order.
 * `what` names the object in messages. Returns false if the argument is no table (reported). */
bool tern__args(lua_State *L, int arg, const char *section, const char *set_section, const char *what,
                tern__value *values);
/* Pushes the raw value of a key: the set's, or the table's. */
int tern__push_key(lua_State *L, int arg, const char *section, const char *set_section, const char *key);
/* Whole number in [lo, hi]. */
bool tern__to_integer(lua_State *L, int idx, int64_t *out);
void tern__show(lua_State *L, int idx, char *out, size_t bytes); /* short text of a value for messages */
const char *tern__nearest_function(const char *word);            /* of the calls tern.NAME; NULL: none is near */

/* Adds an error at the running line of the script (or at --set); stops the script after TERN__MAX_ERRORS. */
tern_diag *tern__error(lua_State *L, int code, const char *key, const char *fmt, ...) TERN_PRINTF(4, 5);
tern_diag *tern__warn(lua_State *L, int code, const char *key, const char *fmt, ...) TERN_PRINTF(4, 5);
tern_diag *tern__note(lua_State *L, int code, const char *key, const char *fmt, ...) TERN_PRINTF(4, 5);
/* Adds an error of the whole script (after it ran). */
tern_diag *tern__error_at(tern__front *f, int code, uint32_t line, const char *key, const char *fmt, ...)
    TERN_PRINTF(5, 6);
uint32_t tern__line(lua_State *L);
void *tern__arena(lua_State *L, size_t count, size_t size); /* never NULL: raises */

/* ---- tern_sets.c ---- */
void tern__sets_parse(lua_State *L, const tern_compile_options *options);
#define TERN__SETS_TABLE "tern.sets" /* of the registry: values by their place in the list */
/* pushes the value and marks it used; false: none */
bool tern__set_push(lua_State *L, const char *section, const char *key);
bool tern__set_is(lua_State *L, const char *section, const char *key);
void tern__sets_finish(tern__front *f); /* reports the unused ones */

/* ---- values: filters, inits, patterns, populations, the rule as userdata ---- */
#define TERN__MT_POPULATION "tern.population"
#define TERN__MT_FILTERS "tern.filters"
#define TERN__MT_INIT "tern.init"
#define TERN__MT_PATTERN "tern.pattern"
#define TERN__MT_GENERATOR "tern.generator"
#define TERN__MT_RULE "tern.rule"

typedef struct tern__filter_set {
    uint32_t n, line;
    tern_filter f[];
} tern__filter_set;
typedef struct tern__pattern {
    uint8_t kind; /* tern_pattern_kind */
    double density;
    bool own_seed;
    uint64_t seed;
    uint32_t window[2], stride[2];
    int32_t offset[2];
    size_t n_pairs;
    tern_pair pairs[];
} tern__pattern;

void tern__values_open(lua_State *L, int tern_table); /* tern_values.c: filters */
void tern__inits_open(lua_State *L, int tern_table);  /* tern_inits.c: inits, patterns, generator */
/* tern_types.c: makes the type `name` with these metamethods, and puts `functions` into the table `tern`. */
void tern__type_open(lua_State *L, const char *name, const luaL_Reg *meta, int tern_table, const luaL_Reg *functions);
int tern__closed(lua_State *L);                         /* __newindex of types that nobody may change */
void tern__net_open(lua_State *L, int tern_table);      /* tern_declare.c: populations, connect */
void tern__rule_open(lua_State *L, int tern_table);     /* tern_rules.c: the four rules */
void tern__settings_open(lua_State *L, int tern_table); /* tern_settings.c: formats, data, seed, initial */
/* Reads the filters at idx into the network's list; returns how many (0: reported) and their indices, ascending. */
uint32_t tern__read_filters(lua_State *L, int idx, const char *key, uint32_t n_max, uint8_t *out_index,
                            uint8_t *out_listed);
bool tern__read_init(lua_State *L, int idx, const char *key, tern_init *out);
void tern__initial_finish(tern__front *f); /* what tern.initial() gives, to what has none of its own */
const tern__pattern *tern__read_pattern(lua_State *L, int idx, const char *key); /* NULL: reported */
/* Index of the population at idx, -1: reported. */
int64_t tern__read_population(lua_State *L, int idx, const char *key);
void tern__formats_default(lua_State *L); /* after the script: formats from defaults and sets */
/* Marks the one place of a declaration; false: it was there already (reported). */
bool tern__only_once(lua_State *L, const char *what, uint32_t *line);
void tern__rule_finish(tern__front *f);     /* what rule and data section mean together */
void tern__settings_finish(tern__front *f); /* what is missing */
uint64_t tern__seed_use(lua_State *L);

#endif /* TERN_FRONT_H */
