#!/usr/bin/env python3
# tune_table.py DIR... : one table of several searches of `tern tune`: what each number of bits of a weight costs
# SPDX-License-Identifier: Apache-2.0
#
# Of each number of bits the fraction with the smallest distance to double precision; other formats are the script's.
import json
import sys


def distance(setting):
    """The mean distance and its interval, in percent of the reference's log-loss."""
    return setting["behind_percent"]


def only_weights(setting):
    return setting["set"].count("--set") == 1 and "formats.weight={" in setting["set"]


def bits_of(setting):
    whole, fraction = setting["set"].split("formats.weight={")[1].split("}")[0].split(",")
    return int(whole), int(fraction)


def best_by_bits(tune):
    best = {}
    for setting in filter(only_weights, tune["tried"]):
        bits, fraction = bits_of(setting)
        rank = (distance(setting)["mean"], -fraction)
        if bits not in best or rank < best[bits][0]:
            best[bits] = (rank, fraction, setting)
    return best


def cell(entry):
    if entry is None:
        return " |"
    _, fraction, setting = entry
    d = distance(setting)
    accuracy = setting["accuracy"]["mean"]
    right = "" if accuracy is None else f"; {accuracy:.3f}"
    text = f"{d['mean']:.1f} [{d['lo']:.1f}, {d['hi']:.1f}]"
    return f" .{fraction}: " + (f"**{text}**" if setting["within"] else text) + right + " |"


def head(tune):
    s = tune["settings"]
    extra = "".join(f", `{x}`" for x in s["set"])
    return f"{s['network']} ({s['seeds']} seeds, {s['presentations'][0]} presentations{extra})"


def main(folders):
    tunes = []
    for folder in folders:
        with open(f"{folder}/tune.json", encoding="utf-8") as f:
            tunes.append(json.load(f))
    best = [best_by_bits(t) for t in tunes]
    print("| bits |" + "".join(f" {head(t)} |" for t in tunes))
    print("|---|" + "---|" * len(tunes))
    for bits in range(16, 3, -1):
        if any(bits in b for b in best):
            print(f"| {bits} |" + "".join(cell(b.get(bits)) for b in best))
    print("| double precision: log-loss, accuracy |" + "".join(
        f" {t['reference']['log_loss']['mean']:.4f}" +
        ("" if t["reference"]["accuracy"]["mean"] is None else f"; {t['reference']['accuracy']['mean']:.3f}") + " |"
        for t in tunes))
    print(f"| within {tunes[0]['within_percent']:g} %, taken |" + "".join(
        f" {'none' if t['best'] is None else '`' + t['best']['set'] + '`'} |" for t in tunes))


main(sys.argv[1:])
