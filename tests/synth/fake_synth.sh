#!/bin/sh
# fake_synth.sh : how the tests of `tern synth` begin, and stand-ins for Yosys, nextpnr and the packers; sourced. Needs $work (a folder for the test).
# shellcheck shell=sh disable=SC2034,SC2154
# SPDX-License-Identifier: Apache-2.0
#
# They look at what they are given as the real ones do: sources that are missing, a netlist that is missing, unknown options are errors. What they answer is set by variables of the
# environment: FAKE_CELLS, FAKE_RAMS (of the netlist), FAKE_MHZ (of seed 1; each further seed is 1.5 MHz faster, seed 3 slower), FAKE_FAIL (a tool that fails), FAKE_SLOW (a tool that hangs),
# FAKE_ICETIME (MHz of icetime, default 90; 4 less for seed 2), FAKE_ARGUMENTS (a file that gets nextpnr's arguments).
export LC_ALL=C
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
# tool NAME: the command for it, its WebAssembly build if there is no other
tool() { command -v "$1" || command -v "yowasp-$1"; }
# begin_synth TOOL...: without one of these the test is skipped. Goes to the empty folder $work; the stand-ins are in $bin, $yosys is the real one
begin_synth() {
    for t; do tool "$t" >/dev/null || { echo "SKIP: needs $t"; exit 77; }; done
    yosys=$(tool yosys)
    unset TMPDIR # may have blanks, which abc does not take; tern synth sees to that itself (cli_synth.sh)
    rm -rf "$work"
    mkdir -p "$work" && cd "$work" || exit 1
    bin=$work/bin
    fake_synth
}
# count PATTERN: cells of these types in stat.json, which the command `stat -json` of Yosys has written
count() { sed -n '/"design"/,$p' stat.json | sed -n "s/^ *\"\($1\)[A-Z0-9_]*\": *\([0-9]*\).*/\2/p" | awk '{ n += $1 } END { print n + 0 }'; }

# quick_script TOP: tern_synth.ys as far as the synthesis, for fewer seconds: modules are not elaborated with the default
# parameters, too, and wires that are only names are dropped
quick_script() {
    sed '/^synth_/,$d; s/^read_verilog -I/read_verilog -defer -I/; s/^opt_clean$/& -purge/' tern_synth.ys
    printf 'hierarchy -top %s\nproc\nopt_clean -purge\nsetattr -unset src */*\nflatten\nopt_clean -purge\n' "$1"
}

put() { cat >"$bin/$1" && chmod +x "$bin/$1"; }

fake_synth() {
    rm -rf "$bin"
    mkdir -p "$bin"
    put yosys <<'SH'
#!/bin/sh
[ "$1" = -V ] && { echo "Yosys 0.23 (a stand-in)"; exit 0; }
case ${TMPDIR:-} in *' '*) echo "ERROR: Can't open ABC output file"; exit 1 ;; esac
[ "${FAKE_FAIL:-}" = yosys ] && { echo "Executing something."; printf '%s\n' "ERROR: Module 'nothing' is not part of the design."; exit 1; }
[ "${FAKE_SLOW:-}" = yosys ] && { sleep 3000 & echo $! >"$FAKE_PID"; wait; }
for script; do :; done
sed -n 's/^read_verilog -I\. //p' "$script" | while read -r f; do [ -f "$f" ] || { echo "ERROR: no file $f"; exit 1; }; done || exit 1
[ -f tern_network.vh ] || exit 1
ram=SB_RAM40_4K lut=SB_LUT4
grep -q '^synth_ecp5' "$script" && ram=DP16KD lut=LUT4
grep -q '^synth_gowin' "$script" && ram=SDPX9B lut=LUT4
grep -q '^synth_xilinx' "$script" && ram=RAMB36E1 lut=LUT6
printf '{ "design": { "num_cells_by_type": { "%s": 3000, "SB_CARRY": 400, "%s": %s } } }\n' $lut $ram "${FAKE_RAMS:-29}" >stat.json
cat "$script" >netlist.json
SH
    put nextpnr-ice40 <<'SH'
#!/bin/sh
[ "$1" = --version ] && { echo "nextpnr-ice40 -- Next Generation Place and Route (Version 0.4-1)" >&2; exit 0; }
[ "${FAKE_FAIL:-}" = nextpnr ] && { echo "ERROR: Unable to place cell 'x', no Bels remaining of type 'SB_GB'"; exit 255; }
[ -n "${FAKE_ARGUMENTS:-}" ] && echo "$*" >"$FAKE_ARGUMENTS"
seed=1 asc= report= pack=
while [ $# -gt 0 ]; do
    case $1 in
    --seed) seed=$2; shift ;;
    --asc | --textcfg) asc=$2; shift ;;
    --report) report=$2; shift ;;
    --json) [ -f "$2" ] || { echo "ERROR: no netlist"; exit 1; }; shift ;;
    --pcf | --lpf) [ -f "$2" ] || { echo "ERROR: no constraints"; exit 1; }; shift ;;
    --freq | --package | --speed) shift ;;
    --pack-only) pack=1 ;;
    --hx8k | --up5k | --25k | --45k | --85k | --pcf-allow-unconstrained | --lpf-allow-unconstrained | --timing-allow-fail) ;;
    *) echo "ERROR: unknown option $1"; exit 1 ;;
    esac
    shift
done
kind=ICESTORM_LC ram=ICESTORM_RAM
case $0 in *ecp5) kind=TRELLIS_COMB ram=DP16KD ;; esac
echo "Info: Device utilisation:"
printf 'Info: \t         %s:  %s/ 7680    41%%\nInfo: \t        %s:    %s/   32    90%%\n' $kind "${FAKE_CELLS:-3127}" $ram "${FAKE_RAMS:-29}"
[ -n "$pack" ] && exit 0
mhz=${FAKE_MHZ:-20}
case $seed in 2) mhz=$((mhz + 3)) ;; 3) mhz=$((mhz - 2)) ;; esac
echo "routed with seed $seed" >"$asc"
printf '{ "fmax": { "clk_i": { "achieved": %s.25, "constraint": 12.0 } }, "utilization": {} }\n' "$mhz" >"$report"
SH
    sed 's/nextpnr-ice40/nextpnr-ecp5/g' "$bin/nextpnr-ice40" | put nextpnr-ecp5
    put icepack <<'SH'
#!/bin/sh
[ "${FAKE_FAIL:-}" = packer ] && { echo "something is wrong with line 7"; exit 1; }
sed 's/^/packed: /' "$1" >"$2"
SH
    put icetime <<'SH'
#!/bin/sh
device= package= report= routed=
while [ $# -gt 0 ]; do
    case $1 in
    -d) device=$2; shift ;;
    -P) package=$2; shift ;;
    -r) report=$2; shift ;;
    -m | -t) ;;
    -*) echo "icetime: invalid option $1"; exit 1 ;;
    *) routed=$1 ;;
    esac
    shift
done
case $device:$package in up5k:sg48 | hx8k:ct256) ;; *) echo "Unknown device or package"; exit 1 ;; esac
[ -f "$routed" ] || { echo "Can't open input file: No such file or directory" >&2; exit 1; }
[ "${FAKE_FAIL:-}" = chipdb ] && { echo "Can't find chipdb file for device $device" >&2; exit 1; }
grep -q '^\.device' "$routed" && { echo "This design is empty. It contains no paths!"; exit 1; }
[ "${FAKE_FAIL:-}" = icetime ] && { echo "error: something is wrong with the routes"; exit 1; }
seed=$(sed -n 's/^routed with seed //p' "$routed")
mhz=${FAKE_ICETIME:-90}
[ "$seed" = 2 ] && mhz=$((mhz - 4))
[ "${FAKE_FAIL:-}" = answer ] && mhz=no
printf '// Timing estimate: 41.09 ns\nTotal number of logic levels: 40\nTotal path delay: 41.09 ns (%s.50 MHz)\n' "$mhz" >"$report"
SH
    put ecppack <<'SH'
#!/bin/sh
[ "$1" = --version ] && { echo "Project Trellis ecppack Version 1.2"; exit 0; }
[ "$1" = --compress ] || exit 1
sed 's/^/packed: /' "$2" >"$3"
SH
}
