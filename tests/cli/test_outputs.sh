#!/bin/sh
# test_outputs.sh TERN MAKE_CLI_DATA : what the command must not overwrite, outputs that cannot be written, inputs that are no files
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 make=$2 # absolute paths
[ -x "$tern" ] && [ -x "$make" ] && [ "${tern#/}" != "$tern" ] || { echo "usage: $0 /.../tern /.../make_cli_data"; exit 2; }
dir=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
# run STATUS words...: at most 60 s, outputs in out and err
run() {
    status=$1
    shift
    timeout 600 "$tern" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    [ "$got" -eq "$status" ] || { fail "tern $*: exit status $got, wanted $status"; cat "$dir/err"; }
}
says() { grep -q -e "$1" "$dir/err" || { fail "the message lacks '$1':"; cat "$dir/err"; }; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ: $3"; }
none_left() { [ -z "$(find . -name '*.tmp-*')" ] || fail "temporary files are left: $(find . -name '*.tmp-*')"; }

"$make" "$dir" || { echo "FAILED: no test data"; exit 1; }
cd "$dir" || exit 1
mkdir data && mv ./*.aedat labels.csv data/
cat >net.lua <<'LUA'
local f = tern.exponential{ tau = 2, duration = 6 }
local pixels = tern.input{ name = "pixels", size = 37 }
local out = tern.visible{ name = "out", size = 3, memory = f }
tern.connect{ from = pixels, to = out, filters = f }
tern.gem{ eta = 5e-3, gamma = 0.8, kappa = 0.5, samples = 5 }
tern.data{ format = "aedat2", crop = {0, 0, 37, 1}, window_ms = 1, steps = 20, input = pixels, label = out }
LUA
cp net.lua net.keep && cp tiny.tern tiny.keep && cp data/labels.csv labels.keep
cp -r data data.keep
train='train tiny.tern --data data --presentations 3'

# what is not a regular file is neither replaced nor waited for
mkfifo pipe && mkdir folder
run 1 $train -o pipe
says 'E0302.*a pipe'
says 'hint: '
[ -p pipe ] || fail "the pipe was replaced"
run 1 $train -o folder
says 'E0302.*a folder'
if mknod device c 1 3 2>/dev/null; then # a /dev/null of our own
    run 1 $train -o device
    says 'E0302.*a device'
    [ -c device ] || fail "the device was replaced"
    run 1 eval device --data data
    says 'E0301.*a device'
fi
run 1 eval pipe --data data
says 'E0301.*a pipe'
run 1 explain pipe
says 'E0301.*a pipe'
run 1 explain folder
says 'E0301.*a folder'
run 1 train pipe --data data -o x.tern
says 'E0301.*a pipe'
mkdir made && run 0 compile net.lua -o made
rm made/net.h && mkfifo made/net.h && echo old >made/net.map
run 1 compile net.lua -o made
says 'E0332.*pipe'
[ -p made/net.h ] || fail "compile replaced a pipe"
[ "$(cat made/net.map)" = old ] || fail "compile left half of its files"
# what it has written itself is replaced; a file of the user's own is not, nor a training by a network without one
mkdir own && run 0 compile net.lua -o own
run 0 compile net.lua -o own --set rule.eta=0.02 --lanes 2
for file in c json map tern; do
    cp own/net.$file own.keep
    case $file in tern) run 0 $train -o own/net.tern ;; *) echo 'my own' >own/net.$file ;; esac
    cp -r own own.before
    run 1 compile net.lua -o own
    says "^own/net.$file: error TERN-E0332: .*so it is not overwritten"
    diff -r own own.before || fail "compile changed files in spite of net.$file"
    case $file in
    tern) run 0 compile own/net.tern -o own ;; # with the training
    *) cp own.keep own/net.$file ;;
    esac
    rm -rf own.before
done

# a link: the file that it names is replaced, the link stays
mkdir far
run 0 $train -o far/real.tern
cp far/real.tern straight.tern
cp tiny.tern far/real.tern
ln -s far/real.tern link.tern
run 0 $train -o link.tern
[ -L link.tern ] || fail "the link was replaced"
same far/real.tern straight.tern "written through a link"
ln -s nowhere/at/all dangling.tern
run 1 $train -o dangling.tern
says 'E0302.*leads nowhere'

# names that clash: wrong usage, nothing is touched
clash() { run 2 "$@"; says 'E0110.*\(would overwrite\|the same file\)'; }
ln net.lua hard.lua
ln -s data linked
clash train net.lua --data data -o net.lua
clash train net.lua --data data -o net.lua --resume
clash train net.lua --data data -o ./folder/../net.lua
clash train net.lua --data data -o hard.lua
clash train tiny.tern --data data -o tiny.tern
clash train net.lua --data data -o x.tern --log net.lua
clash train tiny.tern --data data -o x.tern --log ./tiny.tern
clash train tiny.tern --data data/labels.csv -o linked/labels.csv
clash train tiny.tern --data data/labels.csv -o x.tern --log linked/labels.csv
clash train tiny.tern --data data -o x.tern --log x.tern
clash train tiny.tern --data data -o x.tern --log folder/../x.tern
clash train tiny.tern --data data -o x.tern --log x.tern.reference
# every other verb that writes a file, too
run 0 export tiny.tern -o weights.npz
cp weights.npz weights.keep
cp net.lua hard2.lua
ln -s net.lua script.link # board removes an old link: not one that is the network
clash cosim net.lua --wave net.lua
clash cosim net.lua --wave ./folder/../net.lua
clash cosim net.lua --data data/labels.csv --wave linked/labels.csv
clash board script.link --link script.link
clash import tiny.tern weights.npz -o tiny.tern
clash import hard.lua weights.npz -o net.lua
clash import tiny.tern weights.npz -o weights.npz
clash report tiny.tern -o tiny.tern
clash report tiny.tern --log net.lua -o hard.lua
clash eval net.lua --data data --per-recording net.lua
clash data view data/r0.aedat --svg data/r0.aedat
# recordings, and files of another kind: nothing but an output of the same kind is replaced
run 1 cosim net.lua --data data --wave data/r0.aedat
says 'E0110.*is one of the recordings'
for other in net.lua tiny.tern weights.npz; do
    run 1 cosim hard2.lua --wave $other
    says 'E0110.*not a waveform (FST)'
    run 1 data view data/r0.aedat --svg $other
    says 'E0110.*not a picture (SVG)'
done
run 1 cosim net.lua --wave folder
says 'E0110.*a folder'
run 1 eval tiny.tern --data data --spikes weights.npz
says 'E0110.*not an archive of spikes'
printf 'recording,sample,time\n' >other.csv
run 1 eval tiny.tern --data data --spikes other.csv
says 'E0110.*not a table of spikes'
for n in 1 2; do # the second time it is replaced
    run 0 eval tiny.tern --data data --samples 4 --spikes spikes.npz
    run 0 eval tiny.tern --data data --samples 4 --spikes spikes.csv
    run 0 data view data/r0.aedat --svg view.svg
done
same weights.npz weights.keep "the weights"
[ -L script.link ] || fail "board removed the link that is its network"
[ ! -e x.tern ] || fail "something was written in spite of the clash"
same net.lua net.keep "the script"
same tiny.tern tiny.keep "the image"
same data/labels.csv labels.keep "the list"
# the same image with --resume is no clash
run 0 $train -o again.tern
run 1 train again.tern --data data -o again.tern --presentations 5 --resume --samples 7
says 'E0116'

# files that are surely not meant
run 1 $train -o data/r0.aedat
says 'E0302.*not a Tern image'
says 'hint: delete it'
run 1 $train -o net.keep
says 'E0302.*not a Tern image'
run 1 $train -o x.tern --log data/labels.csv
says 'E0114.*not a log'
diff -r data data.keep || fail "the data were changed"
same net.lua net.keep "another file"
: >empty.tern # of mktemp: nothing to lose
run 0 $train -o empty.tern
same empty.tern straight.tern "written over an empty file"

# an output that cannot be written is reported before the work: these would take hours
long='train tiny.tern --data data --presentations 100000000'
run 1 $long -o no/such/folder/x.tern
says 'E0302.*No such file'
says 'hint: make the folder'
run 1 $long -o x.tern --log no/such/folder/x.jsonl
says 'E0114.*No such file'
run 1 $long -o net.keep/x.tern
says 'E0302'
mkdir closed && chmod a-w closed
if ! touch closed/probe 2>/dev/null; then # root may write everywhere
    run 1 $long -o closed/x.tern
    says 'E0302.*denied'
    says 'hint: choose a folder'
fi
run 1 compile net.lua -o no/such/folder
says 'E0332'

# the log fails in the middle: the image is there all the same, and complete
(
    trap '' XFSZ # then a file that grows too large is an error, as on a full disk
    ulimit -f 40 # blocks of 512 bytes
    timeout 600 "$tern" train tiny.tern --data data --presentations 1000 -o part.tern --log part.jsonl >out 2>err </dev/null
)
got=$?
[ "$got" -eq 1 ] || fail "a log that cannot grow: exit status $got, wanted 1"
says 'E0114.*large'
says 'saved after presentation'
made=$(sed -n 's/.*saved after presentation \([0-9]*\) .*/\1/p' err)
[ "${made:-0}" -gt 10 ] || fail "only '$made' presentations were made"
run 0 train tiny.tern --data data --presentations "${made:-1}" -o whole.tern
same part.tern whole.tern "saved after the log failed"

# limits of scripts
printf 'while true do end\n' >loop.lua
run 1 explain loop.lua --script-seconds 0.05
says 'E0204.*0.05 s'
says '--script-seconds S'
printf 'local t = {} for i = 1, 1e6 do t[i] = i end\n' >large.lua
run 1 compile large.lua -o never --script-memory 1
says 'E0205'
says '--script-memory MIB'
[ ! -e never ] || fail "a folder is left of a script that failed"
: >data/nothing.aedat
run 1 train tiny.tern --data data/nothing.aedat -o x.tern
says 'E0405.*is empty'
none_left
[ "$failed" -eq 0 ] && echo "outputs: all as wanted"
exit "$failed"
