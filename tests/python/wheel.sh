#!/bin/sh
# wheel.sh PYTHON LIBRARY SOURCE WORK : makes the wheel around a library that is built, and installs it into WORK/site
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
export PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
unset LD_PRELOAD # the compiler of a sanitizer's build is not meant here
set -eu
python=$1 library=$2 source=$3 work=$4
fail() { echo "FAILED: $*"; exit 1; }
"$python" "$(dirname "$0")/modules.py" numpy setuptools wheel pip
rm -rf "$work/source" "$work/wheels" "$work/site" "$work/build"
mkdir -p "$work/source" "$work/wheels"
cp "$source"/runtime/python/pyproject.toml "$source"/runtime/python/setup.py "$work/source"
mkdir "$work/source/tern"
cp "$source"/runtime/python/tern/*.py "$source"/runtime/python/tern/py.typed "$work/source/tern"
TERN_PYTHON_LIBRARY=$library "$python" -m pip wheel -q --no-build-isolation --no-deps --no-index --no-cache-dir \
    -w "$work/wheels" "$work/source" 2>"$work/wheel.err" || { cat "$work/wheel.err"; fail "no wheel"; }
wheel=$(echo "$work"/wheels/*.whl)
case $(basename "$wheel") in
tern_snn-[0-9]*-py3-none-linux_"$(uname -m)".whl) ;;
*) fail "the wheel is $(basename "$wheel"), wanted is one for every Python of this platform" ;;
esac
"$python" - "$wheel" <<'PY'
import sys, zipfile
names = {i.filename: i for i in zipfile.ZipFile(sys.argv[1]).infolist()}
for wanted in ("tern/__init__.py", "tern/libtern.so", "tern/py.typed"):
    if wanted not in names:
        sys.exit(f"FAILED: {wanted} is not in the wheel: {sorted(names)}")
if {i.date_time[0] for i in names.values()} != {1980}:
    sys.exit("FAILED: the wheel has dates, so it is not the same tomorrow")
PY
"$python" -m pip install -q --no-deps --no-index --no-cache-dir --no-compile --target "$work/site" "$wheel" \
    2>"$work/install.err" || { cat "$work/install.err"; fail "the wheel cannot be installed"; }
cmp "$work/site/tern/libtern.so" "$library"
echo "$(basename "$wheel"): $(wc -c <"$wheel") bytes"
