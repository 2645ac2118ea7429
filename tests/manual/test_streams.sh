#!/bin/sh
# test_streams.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL SOURCE_DIR : `-` for standard input and output, help, quiet, verbose, colours
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
src=$5
net=$src/models/tiny/tiny.lua
TMPDIR=$dir/tmp; export TMPDIR; mkdir "$TMPDIR"
# nothing is left below TMPDIR
clean() { [ -z "$(ls -A "$TMPDIR")" ] || { fail "$1: left behind: $(ls "$TMPDIR")"; rm -rf "$TMPDIR"/*; }; }

# ---- a script, an image from standard input ----
cp "$net" stdin.lua # a network has its script's name
"$tern" explain stdin.lua --json >file.json || fail "explain"
"$tern" explain - --json <"$net" >stdin.json || fail "explain -"
same file.json stdin.json "explain -"
clean "explain -"
printf 'tern.input{' | "$tern" explain - >out 2>err && fail "a wrong script passed"
grep -q '^<stdin>:1: error TERN-E0202' err || fail "the place is not told: $(cat err)"
clean "a wrong script"
"$tern" compile - -o fromstdin <"$net" >out 2>err || fail "compile -: $(cat err)"
ls fromstdin/*.tern >/dev/null || fail "compile - wrote no image"
"$tern" explain - <"$(ls fromstdin/*.tern)" >out 2>err || fail "explain - of an image: $(cat err)"
clean "an image"

# ---- training: the image to standard output, and on to the next verb ----
cp net.lua stdin.lua
"$tern" train stdin.lua --data data --presentations 3 -o file.tern >out 2>err || fail "train: $(cat err)"
"$tern" train - --data data --presentations 3 -o - <net.lua >stdout.tern 2>err || fail "train - -o -: $(cat err)"
cmp file.tern stdout.tern || fail "train -o -: another image"
clean "train -o -"
"$tern" eval - --data data --json <file.tern >a.json 2>err || fail "eval -: $(cat err)"
"$tern" eval file.tern --data data --json >b.json || fail "eval"
sed 's/"image":"[^"]*"//; s/"seconds":[^,}]*//g; s/"[a-z_]*per_second":[^,}]*//g; s/"network":"[^"]*"//' a.json >a
sed 's/"image":"[^"]*"//; s/"seconds":[^,}]*//g; s/"[a-z_]*per_second":[^,}]*//g; s/"network":"[^"]*"//' b.json >b
same a b "eval -"
"$tern" eval file.tern --data data --per-recording f.jsonl >out || fail "eval --per-recording"
"$tern" eval file.tern --data data --per-recording - >p.jsonl 2>err || fail "eval --per-recording -"
same f.jsonl p.jsonl "eval --per-recording -"
clean "eval"
first=$(find data -type f ! -name '*.csv' | sort | head -1)
"$tern" data convert "$first" c.csv >out 2>err || fail "data convert: $(cat err)"
"$tern" data convert - - <"$first" >d.csv 2>err || fail "data convert - -: $(cat err)"
same c.csv d.csv "data convert - -"
"$tern" data view "$first" --svg v.svg >out 2>&1 || fail "data view"
"$tern" data view "$first" --svg - >w.svg 2>err || fail "data view --svg -: $(cat err)"
same v.svg w.svg "data view --svg -"
clean "data"

# ---- refusals ----
want() { # STATUS TEXT WORDS...
    status=$1 text=$2
    shift 2
    "$tern" "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "tern $*: status $got, wanted $status"
    grep -q -e "$text" err || fail "tern $*: lacks '$text': $(cat err)"
    clean "tern $*"
}
want 2 'E0161.*--data' train net.lua --data - -o x.tern
want 2 'E0161.*--output' compile net.lua -o -
want 2 'E0110.*--json' train net.lua --data data -o - --json
want 2 'E0110.*-o -.*--resume' train net.lua --data data -o - --resume
want 2 'E0110.*-o -.*--checkpoint' train net.lua --data data -o - --checkpoint 2
want 2 'E0110.*-o -.*--validation' train net.lua --data data -o - --validation 0.5
want 2 'E0110.*-o -.*reference' train net.lua --data data -o - --engine reference
want 2 'E0110.*FST, not in vcd' cosim net.lua --wave x.vcd
[ ! -e x.vcd ] || fail "x.vcd was written"
# no image on a terminal
script -qec "'$tern' train net.lua --data data --presentations 1 -o -" /dev/null >out 2>&1 </dev/null && fail "an image went to a terminal"
grep -q 'E0160' out || fail "E0160 is missing: $(cat out)"
clean "a terminal"
# a reader that has gone, a full disk, no space for the input
"$tern" train net.lua --data data --presentations 3 -o - >/dev/full 2>err && fail "a full disk was not noticed"
grep -q 'E0109.*No space left' err || fail "E0109 or its cause is missing: $(cat err)"
"$tern" data convert data - >out 2>err
[ $? -eq 2 ] && grep -q 'E0110.*cannot take a folder' err || fail "a data set to standard output: $(cat err)"
[ ! -s out ] || fail "a data set to standard output: something was written"
clean "a folder"
"$tern" --help >/dev/full 2>err && fail "--help to a full disk"
grep -q 'E0109.*No space left' err || fail "E0109 or its cause is missing: $(cat err)"
clean "a full disk"
TMPDIR=$dir/none "$tern" explain - <"$net" >out 2>err && fail "no folder for the input, but status 0"
grep -q 'E0162' err || fail "E0162 is missing: $(cat err)"
# ended while it works: nothing is left
mkfifo input
for signal in TERM HUP; do
    sleep 60 >input &
    writer=$!
    "$tern" explain - <input >out 2>err &
    pid=$!
    for try in $(seq 600); do [ -n "$(ls -A "$TMPDIR")" ] && break; sleep 0.1; done
    [ -n "$(ls -A "$TMPDIR")" ] || fail "signal $signal: there was nothing to leave behind"
    kill -$signal $pid
    wait $pid
    clean "signal $signal"
    kill $writer
    wait $writer 2>/dev/null
done

# ---- help, version, quiet, verbose ----
"$tern" train --help >a
"$tern" help train >b || fail "help train"
same a b "tern help train"
"$tern" help data info | grep -q 'usage: tern data info' || fail "help data info"
"$tern" help >a && grep -q 'usage: tern VERB' a || fail "help"
"$tern" help help >a && grep -q 'usage: tern VERB' a || fail "help help"
for words in 'train extra' 'help extra' 'data info extra'; do
    # shellcheck disable=SC2086
    "$tern" help $words >out 2>err && fail "help $words: status 0"
done
"$tern" help trian >out 2>err && fail "help trian"
grep -q "did you mean 'train'" err || fail "help trian: no hint"
[ "$("$tern" -V)" = "$("$tern" --version)" ] || fail "-V"
printf 'print("a note")\n' | cat - net.lua >noted.lua
"$tern" explain noted.lua >out 2>err && grep -q 'note TERN-N0201' err || fail "no note"
"$tern" explain -q noted.lua >out 2>err || fail "explain -q"
[ ! -s err ] || fail "-q: $(cat err)"
# a script from standard input has no folder: neither files nor modules
for line in 'tern.initial(tern.array("w.npz"))' 'tern.initial(tern.image("w.tern"))'; do
    { echo "$line"; cat net.lua; } | "$tern" explain - >out 2>err && fail "$line: status 0"
    grep -q 'hint:.*standard input, has no folder' err || fail "$line: $(cat err)"
    grep -q /tern- err && fail "$line: the folder of the copy is named: $(cat err)"
done
{ echo 'require "w"'; cat net.lua; } | "$tern" explain - >out 2>err && fail "require: status 0"
grep -q 'this script has no folder' err || fail "require: $(cat err)"
"$tern" explain -v net.lua >out 2>err && fail "-v of a verb that starts nothing"

# ---- control codes of names and texts do not reach the terminal ----
esc=$(printf '\033')
printf 'print("\\27[31mred\\194\\155x")\nlocal x = tern.input{ name = "a\\27[31m", size = 2 }\n' >codes.lua
"$tern" explain codes.lua >out 2>err
grep -q 'N0201: .x1B\[31mred.xC2.x9Bx' err || fail "the text of print is not shown: $(cat -v err)"
for words in "explain none$esc[31m.lua" "explain --x$esc[31m" "data info none$esc[31m.csv" "zz$esc[31m"; do
    # shellcheck disable=SC2086
    "$tern" $words >>out 2>>err && fail "$words: status 0"
done
grep -q "$esc" err && fail "a control code in a message: $(cat -v err)"

# ---- colours: on terminals, not with NO_COLOR, not elsewhere ----
esc=$(printf '\033')
script -qec "'$tern' explain none.lua" /dev/null </dev/null >out 2>&1
grep -q "${esc}\[1;31merror TERN-E0206" out || fail "no colour on a terminal: $(cat -v out)"
NO_COLOR=1 script -qec "'$tern' explain none.lua" /dev/null </dev/null >out 2>&1
grep -q "$esc" out && fail "colour in spite of NO_COLOR"
NO_COLOR='' script -qec "'$tern' explain none.lua" /dev/null </dev/null >out 2>&1
grep -q "$esc" out || fail "an empty NO_COLOR takes the colour away"
TERM=dumb script -qec "'$tern' explain none.lua" /dev/null </dev/null >out 2>&1
grep -q "$esc" out && fail "colour on a dumb terminal"
"$tern" explain none.lua 2>out && fail "explain none.lua"
grep -q "$esc" out && fail "colour in a file"

# ---- a printed command can be pasted ----
mkdir 'a b'
cp net.lua "a b/it's net.lua"
# shellcheck disable=SC2016
"$tern" train "a b/it's net.lua" --data data --presentations 100000000 -o 'a b/o $x.tern' >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
command=$(sed -n '/To continue:/{n;s/^ *//;p;}' err)
case $command in *--resume) ;; *) fail "no command to go on with: $(cat err)" ;; esac
eval "$(printf %s "$command" | sed 's/--presentations 100000000/--presentations 1/')" >out 2>err
grep -q 'presentations are done already\|written' out || fail "pasted: $command: $(cat err)"
[ $failed -eq 0 ] && echo "streams: all as wanted"
exit $failed
