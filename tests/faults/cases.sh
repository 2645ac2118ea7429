#!/bin/sh
# cases.sh : the commands that the tests of faults disturb; sourced. Needs $tern, $source (the tree) and $work (a folder
# for the test).
# shellcheck shell=sh disable=SC2034,SC2154
# SPDX-License-Identifier: Apache-2.0
#
# take_case NAME sets
#     words    the command's arguments; it runs in an empty folder beside in/, which holds its inputs
#     again    arguments of the call that continues after a fault
#     fresh    arguments of the one that starts over, if the former finds nothing to continue from (E0115)
#     outputs  what it writes, for comparing; what else is left is a fault
#     stdout   yes: its answer is compared, too
#     times    an expression of sed that takes out of the answer what no two runs have in common
export LC_ALL=C
failed=0 n_faults=0
fail() {
    failed=1
    n_faults=$((n_faults + 1))
    [ "$n_faults" -le 20 ] && echo "FAILED: $*"
    return 0
}

make_inputs() { # once: a network, two recordings, an image with its log and its lines
    rm -rf "$work"
    mkdir -p "$work/in/dat" && cd "$work/in" || exit 1
    cat >net.lua <<'LUA'
local i = tern.input{ name = "i", size = 3 }
local h = tern.hidden{ name = "h", size = 2, memory = tern.raised_cosine{ duration = 3 } }
local o = tern.visible{ name = "o", size = 2, memory = tern.raised_cosine{ duration = 3 } }
tern.connect{ from = {i, h}, to = {h, o}, filters = tern.raised_cosine{ count = 2, duration = 4 } }
tern.gem{ eta = 1e-2, samples = 2, kappa = 0.2 }
tern.data{ format = "csv", sensor = {3, 1}, window_ms = 1, steps = 10, input = i, label = o }
LUA
    sed 's/name = "h"/name = "hid"/' net.lua >hid.lua
    printf 'file,label\n0.csv,0\n1.csv,1\n' >dat/labels.csv
    for k in 0 1; do
        awk -v k=$k 'BEGIN {
            print "t,x,y,p"
            for (t = 0; t < 10000; t += 300) printf "%d,%d,0,1\n", t, (t / 300 * (k + 2) + k) % 3
        }' >dat/$k.csv
    done
    "$tern" train net.lua --data dat --presentations 6 -o t.tern --log t.jsonl >/dev/null &&
        "$tern" train net.lua --data dat --presentations 4 --engine reference -o r.tern >/dev/null &&
        "$tern" eval t.tern --data dat --samples 4 --per-recording t.eval.jsonl >/dev/null &&
        "$tern" compile net.lua -o compiled >/dev/null || { echo "FAILED: no inputs"; exit 1; }
    printf 'abcdefgh' >values.bin
    cp "$source/models/tiny/tiny.lua" . # a name without blanks, wherever the tree lies
}

# A board (the C model in its place) that the case `run` talks to, as in/port; it stays while the test runs.
board=
start_board() {
    [ -z "$board" ] || ! kill -0 "$board" 2>/dev/null || return 0
    rm -f "$work/in/port"
    (cd "$work/in" && exec "$tern" board net.lua --engine golden --link port >board.out 2>board.err </dev/null) &
    board=$!
    trap 'kill "$board" 2>/dev/null' EXIT
    tries=0
    while [ ! -s "$work/in/board.out" ] && kill -0 "$board" 2>/dev/null && [ $tries -lt 12000 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    [ -s "$work/in/board.out" ] || { echo "FAILED: no board"; cat "$work/in/board.err"; exit 1; }
}

# The case `cosim` builds its core each time, by stand-ins for Verilator and make that bring the real one of another cache,
# which stays.
core_tools() {
    cores=${work%/*}/cores
    "$tern" cosim "$work/in/net.lua" --core small --lanes 1 --steps 4 --cache "$cores" --json >"$work/in/core.out" \
        2>"$work/in/core.err" || { echo "FAILED: no core"; cat "$work/in/core.err"; exit 1; }
    entry=$(sed 's/.*"entry":"\([^"]*\)".*/\1/' "$work/in/core.out")
    mkdir -p "$work/bin"
    {
        printf '#!/bin/sh\n[ "$1" = --version ] && { echo "Verilator 5.006 of the test"; exit 0; }\n'
        printf 'touch obj/Vtern_dut.mk\n'
    } >"$work/bin/verilator"
    printf '#!/bin/sh\ncp "%s/core.so" obj/core.so\n' "$entry" >"$work/bin/make"
    chmod 755 "$work/bin/verilator" "$work/bin/make"
    PATH=$work/bin:$PATH
    export PATH
}

# The case `doctor` asks stand-ins, which repeat what the tools said when they were asked for the first time: some of the
# real ones need a second to start. These get the PATH without stand-ins, among which ccache would look for compilers.
# The command looks for files beside some of them: lib/ and share/ are the system's.
quick_tools() {
    mkdir -p "$work/bin" "$work/said"
    "$tern" doctor --json >"$work/in/doctor.out" || { echo "FAILED: doctor"; exit 1; }
    system=$(dirname "$(command -v python3)")/..
    ln -sfn "$system/lib" "$work/lib" && ln -sfn "$system/share" "$work/share"
    for tool in $(tr ',' '\n' <"$work/in/doctor.out" | sed -n 's/^"probe":"\([^ "]*\) .*/\1/p' | sort -u); do
        for stand_in in "$tool" "yowasp-$tool"; do
            real=$(command -v "$stand_in") || continue
            cat >"$work/bin/$stand_in" <<SH
#!/bin/sh
said="$work/said/$stand_in \$*"
[ -f "\$said.out" ] || { PATH='$PATH' "$real" "\$@" >"\$said.new" 2>"\$said.err" </dev/null || echo \$? >"\$said.status"
    mv "\$said.new" "\$said.out"; }
[ ! -s "\$said.err" ] || cat "\$said.err" >&2
[ ! -f "\$said.status" ] || { cat "\$said.out"; read -r status <"\$said.status"; exit "\$status"; }
exec cat "\$said.out"
SH
            chmod 755 "$work/bin/$stand_in"
        done
    done
    PATH=$work/bin:$PATH
    export PATH
    "$tern" doctor --json | cmp - "$work/in/doctor.out" || { echo "FAILED: doctor answers otherwise"; exit 1; }
}

take_case() {
    fresh='' stdout='' times='' script=../in/net.lua data='--data ../in/dat'
    train="train $script $data --presentations 5 --checkpoint 2 -o o.tern --log o.jsonl"
    case $1 in
    train_fast) words=$train again="$train --resume" fresh=$train outputs='o.tern o.jsonl' ;;
    train_reference)
        train="$train --engine reference"
        words=$train again="$train --resume" fresh=$train outputs='o.tern o.tern.reference o.jsonl' ;;
    train_validation)
        train="$train --engine reference --validation 0.5 --validate-every 2"
        words=$train again="$train --resume" fresh=$train
        outputs='o.tern o.tern.reference o.tern.checkpoint o.jsonl' ;;
    eval)
        words="eval ../in/t.tern $data --samples 4 --per-recording e.jsonl --json"
        again=$words outputs=e.jsonl stdout=yes ;;
    run)
        start_board
        train="run $script $data --device ../in/port --presentations 5 --checkpoint 2 -o o.tern --log o.jsonl"
        words=$train again="$train --resume" fresh=$train outputs='o.tern o.jsonl' ;;
    cosim)
        core_tools
        words='cosim ../in/net.lua --core small --lanes 1 --steps 4 --cache cores --json'
        again=$words outputs='' stdout=yes times='s/"(built|(build_)?seconds|cycles_per_second)":[^,]*,//g' ;;
    eval_reference)
        words="eval ../in/r.tern $data --samples 4 --engine reference --json"
        again=$words outputs='' stdout=yes ;;
    compile) words="compile $script -o out" again=$words outputs=out ;;
    convert) words='data convert ../in/dat out --to csv' again="$words --force" outputs=out ;;
    convert_npz) words='data convert ../in/dat o.npz' again=$words outputs=o.npz ;;
    split) words='data split ../in/dat out --train 50 --validation 0 --test 50' again="$words --force" outputs=out ;;
    digits) words='data digits out --classes 0,1 --count 1 --duration-ms 50' again="$words --force" outputs=out ;;
    taxels) words='data taxels o.npz --count 1' again=$words outputs=o.npz ;;
    encode) words='data encode ../in/values.bin o.npz --columns 2 --code rate --steps 8' again=$words outputs=o.npz ;;
    view) words='data view ../in/dat/0.csv --svg o.svg' again=$words outputs=o.svg ;;
    info) words='data info ../in/dat/0.csv --json' again=$words outputs='' stdout=yes ;;
    explain) words="explain $script --json" again=$words outputs='' stdout=yes ;;
    text) words="explain $script" again=$words outputs='' stdout=yes ;;
    doctor)
        quick_tools
        words='doctor --json' again=$words outputs='' stdout=yes ;;
    link) words='link --json' again=$words outputs='' stdout=yes ;;
    keys) words='explain --list-keys --json' again=$words outputs='' stdout=yes ;;
    report) words='report ../in/t.tern -o o.html --json' again=$words outputs=o.html stdout=yes ;;
    synth)
        words='synth ../in/tiny.lua --board hx8k-evn --lanes 1 --force -o out'
        again=$words outputs=out ;;
    experiment)
        words='experiment digits3 --model ../in/hid.lua --data ../in/dat --test ../in/dat --classes 0,1 --hidden 2
            --samples 2 --presentations 0,2 --seeds 1 --train-recordings 1 --test-recordings 1 --inference 2 --jobs 1 -o out'
        again=$words outputs='out/results.csv out/results.json out/report.html' ;;
    *) echo "no case '$1'" >&2; exit 2 ;;
    esac
    case $1 in synth)
        (bin=$work/bin; . "$source/tests/synth/fake_synth.sh"; fake_synth) # which has a fail() of its own
        PATH=$work/bin:$PATH
        export PATH ;;
    esac
}

begin_run() { # an empty folder beside the inputs
    cd "$work" && rm -rf run && mkdir run && cd run || exit 1
}
undisturbed() { # what is wanted: in ../whole, its answer in ../whole.out
    begin_run
    # shellcheck disable=SC2086 # arguments in one variable
    "$tern" $words >../whole.out 2>../whole.err || { echo "FAILED: undisturbed: $words"; cat ../whole.err; exit 1; }
    rm -rf ../whole && cp -r . ../whole
}
same_outputs() { # WHAT
    for f in $outputs; do
        diff -r "../whole/$f" "$f" >../diff 2>&1 && continue
        fail "$1: $f differs from an undisturbed run"
        head -n 3 ../diff | cut -c1-200
    done
    [ -n "$stdout" ] || return 0
    sed -E "$times" ../whole.out >../whole.same
    sed -E "$times" ../out >../out.same
    cmp -s ../whole.same ../out.same || fail "$1: another answer"
}
# temporary files, locks, parts of a state
untidy() { find . -name '*.tmp-*' -o -name '*.lock' -o -name '*.unlogged' -o -name '*.next'; }
tidy() { # WHAT
    left=$(untidy)
    [ -z "$left" ] || fail "$1: left behind: $left"
}
goes_on() { # WHAT
    # shellcheck disable=SC2086 # arguments in one variable
    "$tern" $again >../out 2>../err
    got=$?
    # shellcheck disable=SC2086
    if [ $got -ne 0 ] && [ -n "$fresh" ] && grep -q E0115 ../err; then
        "$tern" $fresh >../out 2>../err
        got=$?
    fi
    [ $got -eq 0 ] || { fail "$1: cannot continue, status $got: $(head -n 2 ../err)"; return; }
    same_outputs "$1, gone on"
    tidy "$1, gone on"
}
