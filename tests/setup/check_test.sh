#!/bin/sh
# ./check and ./demo: wrong usage, and that ./check fails when a test fails, is skipped without reason, or none runs.
# Works on a small copy with a project of three tests, so that what is tested here is the script alone.
#     sh check_test.sh ROOT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
failed=0
mkdir -p "$work/t/cmake" "$work/data"
cp "$root/check" "$root/demo" "$work/t/"
cp "$root/cmake/packages.sh" "$work/t/cmake/"
# setup.packages tests the list; each ./check here would start Python twice and link with clang for it
grep -v -e 'python3 -m' -e 'fsanitize' "$root/cmake/packages.txt" >"$work/t/cmake/packages.txt"
cd "$work/t"
unset TERN_TEST_DATA TERN_CMAKE_OPTIONS || true

project() { # three tests with these bodies; an empty one is left out
    {
        echo 'cmake_minimum_required(VERSION 3.25)'
        echo 'project(t NONE)'
        echo 'enable_testing()'
        for body in "$@"; do
            [ -n "$body" ] || continue
            i=$((${i:-0} + 1))
            echo "add_test(NAME t.$i COMMAND sh -c \"$body\")"
            echo "set_tests_properties(t.$i PROPERTIES SKIP_RETURN_CODE 77)"
        done
        i=0
    } >CMakeLists.txt
}
run() { # WANTED_STATUS COMMAND...
    wanted=$1; shift
    status=0
    "$@" >"$work/out" 2>&1 </dev/null || status=$?
    case $wanted in
    fails) [ "$status" -ne 0 ] || fail "$*: exit status 0" ;;
    *) [ "$status" -eq "$wanted" ] || fail "$*: exit status $status instead of $wanted" ;;
    esac
}
fail() { echo "FAILED: $*"; sed 's/^/    /' "$work/out"; failed=1; }
says() { grep -qF -e "$1" "$work/out" || fail "does not say: $1"; }

project 'exit 0' 'exit 0' 'exit 0'
run 0 ./check
says '100% tests passed, 0 tests failed out of 3'
run 0 ./check -- -R t.1
says '100% tests passed, 0 tests failed out of 1'

# what is only done when asked for
grep -q '^TERN_TEST_FUZZ:[A-Z]*=OFF$' build/CMakeCache.txt || fail '--fuzz is on by itself'
run 0 ./check --fuzz
grep -q '^TERN_TEST_FUZZ:[A-Z]*=ON$' build/CMakeCache.txt || fail '--fuzz does not reach CMake'

project 'exit 0' 'exit 3' 'exit 0'
run fails ./check
says '1 tests failed out of 3'

project 'exit 0' 'echo SKIP: needs yosys; exit 77' 'exit 0'
run fails ./check
says 'did not run'
says '    t.2'

project 'exit 0' 'echo SKIP: no recordings, see TERN_TEST_DATA; exit 77' 'exit 0'
run 0 ./check
run fails ./check --data "$work/data" # there they are, so there is no reason

# shellcheck disable=SC2016
project '[ \"$TERN_TEST_DATA\" = \"'"$work/data"'\" ]'
run 0 ./check --data ../data
run 0 env TERN_TEST_DATA="$work/data" ./check

project ''
run fails ./check

echo 'message(FATAL_ERROR "no")' >CMakeLists.txt
run fails ./check

run 2 ./check --yse
run 2 ./check --data
run 2 ./check --data /nonexistent
run 0 ./check --help
says 'usage: ./check'
run 2 ./demo --yse
run 0 ./demo --help
says 'usage: ./demo'

# the README shows the end of the demo's output
printf 'x\n```\nDone. a\n  b 1\n```\n' >"$work/readme"
printf 'first\nDone. a\n  b 1\nmore\n' >"$work/same"
printf 'first\nDone. a\n  b 2\nmore\n' >"$work/other"
printf 'first\n' >"$work/none"
run 0 sh "$root/tests/setup/readme_output.sh" "$work/readme" "$work/same"
run 1 sh "$root/tests/setup/readme_output.sh" "$work/readme" "$work/other"
run 1 sh "$root/tests/setup/readme_output.sh" "$work/readme" "$work/none"
run 1 sh "$root/tests/setup/readme_output.sh" "$work/none" "$work/same"

[ "$failed" -eq 0 ] && echo "every case as expected"
exit "$failed"
