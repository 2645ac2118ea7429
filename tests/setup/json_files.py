#!/usr/bin/env python3
"""json_files.py : every JSON file of the tree is valid, and no object has a key twice
SPDX-License-Identifier: Apache-2.0

    json_files.py ROOT

Merging two changes can put a key into an object twice. Most readers then take the last one; CMake 3.31 (Debian 13)
refuses CMakePresets.json, and with it every preset. Exit status 0: all is so; 1: not, each file is printed.
"""

import json
import os
import sys

SKIPPED = {".git", "build", "out", "node_modules"}


def unique(pairs):
    keys = set()
    for key, _ in pairs:
        if key in keys:
            raise ValueError(f"the key '{key}' is there twice in one object")
        keys.add(key)
    return dict(pairs)


def main(root):
    wrong = seen = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [d for d in folders if d not in SKIPPED and not d.startswith("build-")]
        for name in files:
            if not name.endswith((".json", ".ipynb")):
                continue
            path = os.path.join(folder, name)
            seen += 1
            try:
                with open(path, encoding="utf-8") as f:
                    json.load(f, object_pairs_hook=unique)
            except ValueError as e:
                print(f"{os.path.relpath(path, root)}: {e}")
                wrong += 1
    if seen == 0:
        print(f"{root}: no JSON file was found")
    return wrong != 0 or seen == 0


sys.exit(main(sys.argv[1]))
