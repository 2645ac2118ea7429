#!/bin/sh
# pip.sh PYTHON SOURCE WORK : `pip install ./runtime/python` as a user does it, library and all, into a new environment
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
export PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1
set -eu
python=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
# a copy: builds leave files next to their sources
git -C "$source" ls-files -z | (cd "$source" && xargs -0 cp --parents -t "$work")
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/python" -m pip install -q --no-build-isolation --no-deps --no-index "$work/runtime/python"
cd /
"$work/venv/bin/python" - "$work/models/digits2/digits2.lua" <<'PY'
import sys, tern
image = tern.compile(sys.argv[1])
with tern.Network(image) as net:
    net.step(steps=10)
    assert net.steps_made == 10
assert "venv" in tern.__file__, tern.__file__
print("installed:", image)
PY
