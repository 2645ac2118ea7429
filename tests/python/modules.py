# modules.py MODULE... : says which one is missing; finding them costs less than importing them
# SPDX-License-Identifier: Apache-2.0
import importlib.util
import sys

for name in sys.argv[1:]:
    if importlib.util.find_spec(name) is None:
        sys.exit(f"FAILED: {sys.executable} has no {name} (Debian: python3-{name})")
