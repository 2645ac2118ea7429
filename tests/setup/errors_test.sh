#!/bin/sh
# errors_test.sh PYTHON ERRORS.py ROOT : each rule of errors.py notices its mistake, planted into a copy
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
python=$1 errors=$2 root=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
fresh() {
    rm -rf "$work/t"
    mkdir -p "$work/t/docs"
    (cd "$root" && find runtime compiler cli sim \( -name '*.[ch]' -o -name '*.py' -o -name '*.inc' \) -print |
        tar cf - -T -) | tar xf - -C "$work/t"
    cp "$root/docs/60-errors.md" "$work/t/docs/"
}
expect() { # TEXT...: what it has to say of the mistakes that are planted, a line for each and no other
    n=$((n + $#))
    if "$python" -B "$errors" "$work/t" >"$work/out"; then echo "FAILED: not noticed: $*"; exit 1; fi
    for text; do
        [ "$(grep -c -e "$text" "$work/out")" -eq 1 ] || { echo "FAILED: no '$text':"; cat "$work/out"; exit 1; }
    done
    [ "$(wc -l <"$work/out")" -eq $# ] || { echo "FAILED: more than these: $*"; cat "$work/out"; exit 1; }
}
change() { # FILE SED
    sed "$2" "$work/t/$1" >"$work/new"
    cmp -s "$work/new" "$work/t/$1" && { echo "FAILED: $1 has nothing for $2"; exit 1; }
    cp "$work/new" "$work/t/$1"
}
fresh
"$python" -B "$errors" "$work/t" >"$work/out" || { cat "$work/out"; exit 1; }
# Mistakes in different places are planted together: a run reads the whole tree.
change runtime/base/tern_args.c 's/args, TERN_ERROR_VERB,/args, 107,/;s/(args, TERN_ERROR_OPTION, "unknown option .%s.\\n  hint: the file/(args, 101, "x/'
change cli/train/tern_cli_train.c '0,/refuse(j, TERN_ERROR_CHECKPOINT_OTHER,/s//refuse(j, 116,/'
change runtime/base/tern_file.c 's/code == TERN_ERROR_WRITE/code == 302/'
change runtime/base/tern_errors.h 's/^typedef enum tern_error_number {/&\n    TERN_ERROR_PLANTED = 198, \/* planted *\//'
change docs/60-errors.md 's/^| 185 |/| 198 | planted | |\n&/'
change sim/run/tern_run_port.h 's/^enum {/&\n    E_PLANTED = 199,/'
expect 'tern_args.c:[0-9]*: tern_args_wrong() gets the number 101' 'refuse() gets the number 116' \
    'a comparison with the number 302' 'TERN_ERROR_PLANTED is not used' \
    'no row for E_PLANTED of sim/run/tern_run_port.h, 199'
fresh
change runtime/base/tern_errors.h 's/^typedef enum tern_error_number {/&\n    TERN_ERROR_PLANTED = 101, \/* an unknown option *\//'
change cli/main.c 's/^int main/int planted = TERN_ERROR_PLANTED;\n&/'
change docs/60-errors.md 's/^| 185 |/| 198 | planted | |\n&/'
change docs/60-errors.md '/^| 185 |/d'
change sim/run/tern_run_port.h 's/^enum {/&\n    E_PLANTED = 500,/'
expect '101 stands twice' 'no row for TERN_ERROR_CURVE_STEPS, 185' '198 is reported nowhere' \
    '500, as in compiler/layout/tern_plan.c'
fresh
change docs/60-errors.md 's/^| 185 | tern/| 185 | other/;s/^| 185 | `tern/| 185 | `other/'
change sim/run/tern_run_port.h 's/^enum {/&\n    E_PLANTED = 185,/'
expect 'TERN_ERROR_CURVE_STEPS is .tern eval.*185 of docs/60-errors.md .other eval' \
    'E_PLANTED is 185, as in runtime/base/tern_errors.h'
echo "$n planted mistakes are noticed"
