#!/bin/sh
# python.sh : stepping digits2 through NumPy against `tern train`, in one run; the package of the build's tests is used
# SPDX-License-Identifier: Apache-2.0
#
#     tests/bench/python.sh BUILD WORKDIR [ROUNDS]
# First: ctest --test-dir BUILD -R python.wheel
export LC_ALL=C
set -eu
build=$(cd "$1" && pwd) work=$2 rounds=${3:-9}
here=$(cd "$(dirname "$0")" && pwd)
site=$build/tests/python/site
[ -d "$site/tern" ] || {
    echo "python.sh: no package in $site: ctest --test-dir $1 -R python.wheel makes it" >&2
    exit 1
}
mkdir -p "$work"
python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
export PYTHONPATH="$site"
exec "$python" -B "$here/python.py" "$build/tern" "$work" "$rounds"
