#!/bin/sh
# notebooks.sh PYTHON SITE SOURCE WORK : runs the notebooks from their first cell to the last, with the package in SITE
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
python=$1 site=$2 source=$3 work=$4
"$python" "$(dirname "$0")/modules.py" nbclient nbformat ipykernel
rm -rf "$work"
mkdir -p "$work"
# nothing of the user's own settings, and nothing left in a home folder
export HOME="$work" IPYTHONDIR="$work/ipython" JUPYTER_CONFIG_DIR="$work/config" JUPYTER_DATA_DIR="$work/data"
export JUPYTER_RUNTIME_DIR="$work/runtime"
export PYTHONPATH="$site" PYTHONDONTWRITEBYTECODE=1 TERN_SOURCE="$source" PYDEVD_DISABLE_FILE_VALIDATION=1
cd "$work"
exec "$python" "$source/tests/python/notebooks.py" "$source"/runtime/python/notebooks/*.ipynb
