/* tern_errors.h : numbers of errors that more than one file reports, or one file in several places
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that one file or one layer reports stand there, as enumerators too; the code has no number as such
 * (lint.errors). docs/60-errors.md has all of them, and what helps. A number is never used again for something else.
 */
#ifndef TERN_ERRORS_H
#define TERN_ERRORS_H

typedef enum tern_error_number {
    TERN_ERROR_OPTION = 101,           /* an unknown option */
    TERN_ERROR_OPTION_VALUE = 102,     /* an option without its value */
    TERN_ERROR_VALUE = 103,            /* a value of the wrong type or out of its range */
    TERN_ERROR_TWICE = 104,            /* an option is given twice, or a repeatable one more than 256 times */
    TERN_ERROR_EXTRA_ARGUMENT = 105,   /* one argument too many */
    TERN_ERROR_MISSING_ARGUMENT = 106, /* a required argument is missing */
    TERN_ERROR_VERB = 107,             /* a verb that does not exist */
    TERN_ERROR_SETS_OF_IMAGE = 108,    /* --set with an image */
    TERN_ERROR_STDOUT = 109,           /* the output cannot be written */
    TERN_ERROR_USAGE = 110, /* a malformed value, contradictory values, or an output that would overwrite an input */
    TERN_ERROR_RECORDINGS = 111, /* the number of recordings is out of range */
    TERN_ERROR_NO_LABEL = 112,   /* a recording without a label, while labels are learned */
    TERN_ERROR_RATE = 113,       /* a learning rate of the schedule does not fit the learning format */
    /* a log (--log, --per-recording) cannot be written, or another file has this name; the image is saved if
     * training had begun */
    TERN_ERROR_LOG = 114,
    TERN_ERROR_NO_CHECKPOINT = 115, /* --resume, but there is no checkpoint */
    /* the checkpoint is of another network, of other settings or of other recordings, or the log of another training */
    TERN_ERROR_CHECKPOINT_OTHER = 116,
    TERN_ERROR_REFERENCE_OTHER = 117,   /* the reference's numbers do not belong to the image */
    TERN_ERROR_STEPS = 118,             /* more than 4,294,967,295 steps in total */
    TERN_ERROR_NO_DATA_SECTION = 119,   /* the network has no data section, which says how recordings become frames */
    TERN_ERROR_REFERENCE_SAMPLES = 120, /* reference: number of samples out of range */
    TERN_ERROR_REFERENCE_NETWORK = 121, /* reference: the network is not consistent */
    TERN_ERROR_NO_VOTE = 122,           /* no vote: no label population, or one of more than 1024 units */
    /* the share of --validation leaves no recording to validate with, or none to train on */
    TERN_ERROR_VALIDATION_SHARE = 123,
    TERN_ERROR_METRIC = 124,             /* a metric that this network does not support */
    TERN_ERROR_CHECKPOINT_DAMAGED = 125, /* OUT.tern.checkpoint is damaged or of another version */
    TERN_ERROR_NO_LEARNING_SIGNAL = 126, /* rule reward with tau = 0: the command has no learning signal */
    TERN_ERROR_VALIDATE_EVERY = 127,     /* --validate-every is larger than the number of presentations */
    /* a result cannot be written as JSON: not enough memory, or a file name is not UTF-8; nothing is printed */
    TERN_ERROR_JSON = 128,
    TERN_ERROR_OUTPUT_BUSY = 129, /* another job is writing this output; its process is named */
    TERN_ERROR_LOG_GAP = 130,     /* warning: the log of a resumed training lacks presentations of the checkpoint */
    TERN_ERROR_THREADS = 142,     /* the system refuses to start that many threads */
    TERN_ERROR_TERMINAL = 160,    /* binary output would go to a terminal (-o -) */
    TERN_ERROR_NO_STREAM = 161,   /* - for a folder, or for a file that needs a name */
    /* standard input cannot be kept in a file below TMPDIR: no folder, no space, or more than 1 GiB */
    TERN_ERROR_STDIN = 162,
    /* tern sweep: malformed values of a key, or too many keys or values; as a note: the value to which an error
     * belongs */
    TERN_ERROR_SWEEP_VALUES = 164,
    /* a rank is lost: it was ended, or its machine does not answer. Saved work is kept; the message says how far it
     * goes */
    TERN_ERROR_ENGINE_LOST = 175,
    /* experiment: a rank is lost, and with it what its training had learned since its last point; the other
     * trainings were finished */
    TERN_ERROR_RANK_LOST = 176,
    TERN_ERROR_CURVE_STEPS = 185, /* tern eval --curve asks for a decision after more steps than a presentation has */
    TERN_ERROR_EXAMPLE = 195,     /* the frames of tern compile --examples take more than 64 MiB */
    /* a number out of its range, NaN and infinity included; also an initial value that does not fit the number
     * format */
    TERN_ERROR_KEY_RANGE = 213,
    TERN_ERROR_READ = 301, /* a file cannot be opened or read, or is a folder, pipe or device */
    /* a file cannot be written, locked, renamed or removed, or its name belongs to a folder, a device, a pipe, another
     * user (in a folder with the sticky bit) or another kind of file; an older file is still complete */
    TERN_ERROR_WRITE = 302,
    TERN_ERROR_IMAGE_ENCODE = 318,   /* a model cannot be written as an image */
    TERN_ERROR_FILE_TOO_LARGE = 319, /* a file is too large to read */
    TERN_ERROR_MEMORY = 320,         /* not enough memory */
    TERN_ERROR_FOLDER_NAME = 331,    /* the name of the output folder is too long */
    /* an output folder cannot be created, or a file cannot be moved into it, or would replace another kind of file or a
     * training */
    TERN_ERROR_FOLDER = 332,
    TERN_ERROR_FOLDER_INTERRUPTED = 333, /* interrupted while writing; the folder is unchanged */
    /* hardware was requested for a network with a baseline per synapse; as a note: compile without --target omits
     * the hardware files */
    TERN_ERROR_NO_HARDWARE = 502,
    /* tern synth: the output folder cannot be created, is a file, or holds files that tern synth did not write */
    TERN_ERROR_SYNTH_FOLDER = 520,
    /* a hardware file, or the description of a board's resident core, cannot be read or is too large */
    TERN_ERROR_HARDWARE_FILE = 524,
    /* --target is not the device of --board, or --netlist not that of --resident */
    TERN_ERROR_OTHER_DEVICE = 525,
    /* a capacity that is out of range or contradicts another one, in resident.json or with --capacity */
    TERN_ERROR_CAPACITY = 541,
    TERN_ERROR_GNUPLOT_MISSING = 701, /* gnuplot, which draws the figures, is not on the PATH */
    TERN_ERROR_GNUPLOT_FAILED = 702,  /* gnuplot failed, or took longer than 120 s */
    TERN_ERROR_LINES_KIND = 703, /* the file is not a log of tern train, or not a file of tern eval --per-recording */
    /* a damaged line of such a file: not JSON, a member that is missing, of the wrong type or out of range, a
     * duplicate recording, or contradictory numbers */
    TERN_ERROR_LINES_DAMAGED = 704,
    /* such a file has more than 1,000,000 lines, a line of more than 1 MiB, or more than 16,777,216 numbers of votes */
    TERN_ERROR_LINES_TOO_MANY = 705,
    /* the log or lines belong to another network, or the log to another training: network, samples, seed, steps or
     * presentations contradict the image (a warning for a log that was only found by name: it is not used) */
    TERN_ERROR_LINES_OTHER = 706,
    TERN_ERROR_LINES_GAP = 707,     /* warning: the log lacks presentations of the image, at its end or in between */
    TERN_ERROR_TRIALS_FOLDER = 750, /* the experiment's folder cannot be created or used, or holds something else */
    /* the folder holds an experiment with other settings (the number of seeds may differ), another script or other
     * data; the message names the first difference */
    TERN_ERROR_TRIALS_OTHER = 751,
    /* a command of the experiment failed (its message and the command are shown), or could not be started */
    TERN_ERROR_TRIALS_COMMAND = 752,
    TERN_ERROR_TRIALS_ANSWER = 753,  /* the output of a command lacks a member */
    TERN_ERROR_TRIALS_DAMAGED = 754, /* a file of the experiment is damaged */
    /* another experiment is running in this folder, or one of its commands still is; the message names the processes
     * that hold DIR/lock */
    TERN_ERROR_TRIALS_BUSY = 755,
    TERN_ERROR_TRIALS_RECORDINGS = 756, /* too few recordings or images of a digit, or images without labels */
    TERN_ERROR_TRIALS_EXECUTABLE = 757, /* this executable cannot be started again */
    TERN_ERROR_TRIALS_TOO_MANY = 758,   /* more than 10,000 trainings */
    TERN_ERROR_TRIALS_SHARED = 759,     /* warning: test recordings are also used for training */
    /* the network does not fit the core of the board (tern run), or its resident core (tern board --resident); errors
     * 501 before it report each size that is too small, errors 504 each limit of a small core that is not a size */
    TERN_ERROR_CORE_UNFIT = 805,
} tern_error_number;

#endif /* TERN_ERRORS_H */
