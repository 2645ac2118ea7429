/* tern_verbs.h : the verbs of the command, one table
 * SPDX-License-Identifier: Apache-2.0
 *
 * A verb is one function, `int tern_verb_NAME(int argc, char **argv)`, in a file tern_cli_NAME.c in one of the folders
 * here. argv[0] is the verb's name; it parses the rest with tern_args.h and returns the exit status of the command:
 *     0 done    1 it found a difference, a bad input or was interrupted    2 wrong usage
 * To add one: a row here, the file in CMakeLists.txt, a section in docs/11-commands.md. A row without a function does
 * not link.
 */
#ifndef TERN_VERBS_H
#define TERN_VERBS_H
#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define TERN_VERB_MAP(XX) \
    XX(compile, "turn a script or an image into files: image, map, C, Verilog") \
    XX(explain, "show what a network compiles to, what it costs and where it fits") \
    XX(train,   "train a network on recordings") \
    XX(eval,    "measure log-loss, accuracy and spikes of a network on recordings") \
    XX(export,  "write the weights of a network as NumPy or HDF5 arrays") \
    XX(import,  "make an image of a network with weights from named arrays") \
    XX(report,  "write one HTML page about a trained network") \
    XX(run,     "train or measure a network on a board") \
    XX(board,   "emulate a board on a pseudo-terminal") \
    XX(link,    "list serial ports, find a board and test the line to it") \
    XX(cosim,   "run the Verilog in lockstep with the C model and compare everything") \
    XX(synth,   "make a bitstream, and a report of size and speed") \
    XX(certify, "make a folder that proves a bitstream, or check one") \
    XX(data,    "inspect, convert and generate recordings") \
    XX(experiment, "repeat the paper's experiments: trainings, tables and a report") \
    XX(sweep,   "train with many settings, and report which is best") \
    XX(tune,    "find the smallest formats that learn like double precision") \
    XX(doctor,  "show which tools are installed, and what is missing")
/* clang-format on */

#define XX(name, help) int tern_verb_##name(int argc, char **argv);
TERN_VERB_MAP(XX)
#undef XX

#ifdef __cplusplus
}
#endif
#endif /* TERN_VERBS_H */
