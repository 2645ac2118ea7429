#!/bin/sh
# run.sh PYTHON SITE TERN SOURCE NAME... : runs tests of the package that is installed in SITE
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
python=$1 site=$2 tern=$3 source=$4
shift 4
cd "$source/tests/python"
export PYTHONPATH="$site" PYTHONDONTWRITEBYTECODE=1 TERN_COMMAND="$tern" TERN_SOURCE="$source"
exec "$python" -W error::ResourceWarning -m unittest -q "$@"
