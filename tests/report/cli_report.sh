#!/bin/sh
# cli_report.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : tern report: its numbers against those of eval and of the log, what is left out, what is refused
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
command -v gnuplot >/dev/null || { echo "SKIP: needs gnuplot"; exit 77; }
# shellcheck source=tests/cli/cli_test.sh
. "$(dirname "$0")/../cli/cli_test.sh"
shows() { grep -q -F -e "$1" "$2" || fail "$2 does not show '$1'"; }
hides() { ! grep -q -F -e "$1" "$2" || fail "$2 shows '$1'"; }
figures() { grep -o '<img ' "$1" | wc -l; }

# ---- a small network, trained a little: companions are found by name
run 0 train net.lua --data data --seed 2 --set rule.eta=4e-5 --presentations 40 --validation 0.25 --validate-every 9 -o t.tern --log t.jsonl
run 0 eval t.tern --data data --samples 22 --seed 7 --json --per-recording t.eval.jsonl
cp out eval.json
run 0 report t.tern --data data --json
cp out report.json
[ -s t.html ] || fail "no page"
is report.json figures "$(figures t.html)"
is report.json page '"t.html"'
is report.json log true
is report.json eval true
# numbers of the evaluation are those of eval
for key in recordings labelled right accuracy accuracy_interval log_loss log_loss_iw; do is report.json "$key" "$("$get" eval.json "$key")"; done
# the lines have 12 digits
near() { # KEY: all numbers of the member, in order
    "$get" report.json "$1" | tr -c '0-9.e+a-z\n-' ' ' >a
    "$get" eval.json "decisions.$1" | tr -c '0-9.e+a-z\n-' ' ' | paste -d ' ' a - | awk '{ n = NF / 2; for (i = 1; i <= n; ++i) if ($i != $(n + i) && ($i - $(n + i)) ^ 2 > 1e-18) bad = 1 } END { exit bad || NR != 1 || NF == 0 || NF % 2 }' ||
        fail "$1: $("$get" report.json "$1") instead of $("$get" eval.json "decisions.$1")"
}
for key in ece ece_votes reliability reliability_votes entropy_right entropy_wrong confidence confidence_votes; do near "$key"; done
holds "$("$get" report.json right)" '<' 24 'some decisions are wrong'
# the page says the same: accuracy, bins of the reliability tables, counted here from the lines
shows "accuracy: $("$get" eval.json right) of $("$get" eval.json labelled) right" t.html
"$get" eval.json decisions.reliability_votes | tr -d '[]{"' | sed 's/,above/\nabove/g' | awk -F '[:,]' '$6 > 0 { printf "<td class=\"n\">%.4f .. %.4f</td><td class=\"n\">%d</td><td class=\"n\">%.4f</td><td class=\"n\">%.4f</td>\n", $2, $4, $6, $8, $10 }' >bins
[ "$(wc -l <bins)" -gt 2 ] || fail "few bins to compare"
while IFS= read -r line; do shows "$line" t.html; done <bins
# confusion and entropies, counted from the lines another way
sed 's/.*"label":\([0-9]*\).*"decision":\([0-9]*\).*/\1 \2/' t.eval.jsonl |
    awk '{ ++n[$1, $2] } END { for (l = 0; l < 3; ++l) { row = "["; for (d = 0; d < 3; ++d) row = row (d ? "," : "") n[l, d] + 0; all = all (l ? "," : "") row "]" } print "[" all "]" }' >confusion
is report.json confusion "$(cat confusion)"
for right in true false; do
    grep "\"right\":$right" t.eval.jsonl | sed 's/.*"entropy":\([0-9.e+-]*\),.*/\1/' |
        awk '{ b = 20 * $1 / (log(3) / log(2)); i = b == 0 ? 0 : int(b) == b ? b - 1 : int(b); if (i > 19) i = 19; ++n[i] } END { for (i = 0; i < 20; ++i) row = row (i ? "," : "") n[i] + 0; print "[" row "]" }' >"entropy.$right"
done
is report.json entropy.right "$(cat entropy.true)"
is report.json entropy.wrong "$(cat entropy.false)"
# numbers of the log
is report.json presentations 40
is report.json validations "$(grep -c '"validation":' t.jsonl)"
is report.json log_loss_last "$(tail -n 1 t.jsonl | grep -q presentation && "$get" t.jsonl log_loss || grep presentation t.jsonl | tail -n 1 | sed 's/.*"log_loss":\([^,]*\),.*/\1/')"
for kind in weight local potential coefficient logprob modulator; do
    is report.json "saturations.$kind" "$(sed -n "s/.*\"saturations\":{[^}]*\"$kind\":\([0-9]*\).*/\1/p" t.jsonl | awk '{ n += $1 } END { print n + 0 }')"
done
# spikes: those that eval makes with four samples and the image's seed
run 0 eval t.tern --data data --samples 4 --per-recording four.jsonl
sed -n '1,3s/.*"recording":\([0-9]*\),.*"label":\([0-9-]*\),.*"spikes":{"hidden":\([0-9]*\),"visible":\([0-9]*\),.*/\1 \2 \3 \4/p' four.jsonl >wanted
"$get" report.json spikes | tr -d '[]{}"' | sed 's/,recording/\nrecording/g' | sed 's/recording:\([0-9]*\),label:\([0-9-]*\),hidden:\([0-9]*\),visible:\([0-9]*\)/\1 \2 \3 \4/' >found
[ "$(wc -l <wanted)" -eq 3 ] || fail "three recordings"
same wanted found "spikes of the first recordings"
# sizes: 37 x (4 + 3) + 3 x 4 + 4 x 3
is report.json synapses 283
is report.json weights.synapses 283
is report.json neurons 7

# ---- the same page each time and everywhere; from another folder, by another name of the same files
cp t.html first.html
run 0 report t.tern --data data
same t.html first.html "made twice"
tells "t.html: $(figures t.html) figures"
mkdir elsewhere && cp t.tern t.jsonl t.eval.jsonl elsewhere/
run 0 report "$dir/elsewhere/t.tern" --data "$dir/data" -o "$dir/elsewhere/other.html"
same elsewhere/other.html first.html "made elsewhere"
hides "$dir" elsewhere/other.html
for text in Network Training Decisions Weights Spikes 'Log-loss of each presentation' 'Measured without learning on the 6 recordings that were held out' 'Bars: 95 % intervals of Wilson' 'softmax of the vote counts, as in the paper' \
    'A network that knows when it does not know' 'Saturations' 'Communication' 'Spikes per hidden neuron, sample and step' 'Wrong decisions'; do shows "$text" t.html; done
hides '<script' t.html
hides 'http:' t.html
hides 'https' t.html

# ---- parts that are missing are named, with the command
mkdir bare && cp t.tern bare/
run 0 report bare/t.tern
tells 'no learning curves: there is no bare/t.jsonl'
tells 'no decisions: there is no bare/t.eval.jsonl'
tells 'no spikes'
shows 'tern train NET.lua --data PATH -o t.tern --log t.jsonl' bare/t.html
shows 'tern eval t.tern --data PATH --samples 20 --per-recording t.eval.jsonl' bare/t.html
shows 'tern report t.tern --data PATH' bare/t.html
run 0 report bare/t.tern --json
is out log false
is out eval false
"$get" out accuracy >/dev/null 2>&1 && fail "an accuracy without evaluation"
run 0 report bare/t.tern --log t.jsonl --eval t.eval.jsonl -o named.html --data data
same named.html first.html "companions by option"

# ---- a log of another training: refused when named, left out with a warning when only found; one that lacks something is reported
run 0 train net.lua --data data --seed 2 --presentations 40 -o o.tern --log o.jsonl
cp o.jsonl long.jsonl
refused() { # MESSAGE: o.jsonl does not go with o.tern
    run 1 report o.tern --log o.jsonl
    says "^o.jsonl:1: error TERN-E0706:.*$1.*another training"
    run 0 report o.tern --json
    says "^o.jsonl:1: warning TERN-W0706:.*$1.*is not used"
    is out log false
    shows 'belongs to another training' o.html
    hides 'Log-loss while learning' o.html
}
run 0 train net.lua --data data --seed 3 --presentations 40 -o o.tern
refused 'seed 2, the image of one with seed 3'
run 0 train net.lua --data data --seed 2 --samples 3 --presentations 40 -o o.tern
refused 'with 5 samples, the image of one with 3'
run 0 train net.lua --data data --seed 2 --presentations 30 -o o.tern
refused 'continues to presentation 40, the image is of 30'
run 0 train net.lua --data data --seed 2 --set data.steps=10 --presentations 40 -o o.tern
refused 'log has 20 steps in 1 presentations, the image 400 in 40'
run 0 train net.lua --data data --seed 2 --set rule.eta=0.003 --presentations 40 -o o.tern
refused 'log is of the network with digest [0-9a-f]*, the image of that with'
run 0 compile net.lua -o compiled
cp "$(find compiled* -name '*.tern' | head -1)" o.tern
refused 'the image is not trained'
run 0 report o.tern
tells 'no learning curves: o.jsonl belongs to another training'
run 0 train net.lua --data data --seed 2 --presentations 40 -o o.tern
run 0 report o.tern --json
is out log true
! grep -q "TERN-" err || fail "a log that fits: $(cat err)"
run 0 train net.lua --data data --seed 2 --presentations 50 -o o.tern --resume
run 0 report o.tern
says 'TERN-W0707.*image is of 50 presentations, the log ends after 40'
shows 'the log is incomplete' o.html
run 0 train net.lua --data data --seed 2 --presentations 60 -o o.tern --resume --log o.jsonl
run 0 report o.tern
says 'TERN-W0707.*10 presentations up to 60 are missing in the log, the first is 41'
shows '10 are missing in it, the first is presentation 41' o.html
# with validation the image is that of the best one; its log continues
cp t.tern v.tern && sed 's/"improved":true/"improved":false/' t.jsonl >v.jsonl
run 1 report v.tern --log v.jsonl
says 'TERN-E0706.*of no validation that improved'

# ---- networks of other kinds
run 0 report tiny.tern --data data
shows 'not trained' tiny.html
run 0 train net.lua --data data --presentations 3 -o w.tern --log w.jsonl --engine reference
run 0 report w.tern
shows 'Communication was not counted' w.html
sed 's/tern.gem{.*/tern.reward{ eta = 1e-3, gamma = 0.8, kappa = 0.5, samples = 3, tau = 4 }/' net.lua >reward.lua
run 0 train reward.lua --data data --presentations 12 -o r.tern --log r.jsonl
run 0 eval r.tern --data data --samples 4 --per-recording r.eval.jsonl
run 0 report r.tern --data data --json
shows 'Squared van Rossum distance' r.html
holds "$("$get" out distance)" '>' 0 'a distance'
sed 's/label = out/parts = { { population = pixels, rows = {0, 0} } }/; s/input = pixels, //' net.lua >nolabel.lua
run 0 train nolabel.lua --data data --presentations 5 -o n.tern --log n.jsonl
run 0 eval n.tern --data data --samples 4 --per-recording n.eval.jsonl
run 0 report n.tern --data data
shows 'no label population, so it makes no decisions' n.html
sed 's/,[0-9]*$/,-1/; s/^/data\//' data/labels.csv >unlabelled.csv
run 0 eval t.tern --data unlabelled.csv --samples 4 --per-recording u.jsonl
run 0 report t.tern --eval u.jsonl -o u.html
shows 'No recording has a label' u.html
# inputs with a shape and two planes, several filters, a window, circuits, many neurons: images and --neurons
cat >shaped.lua <<'LUA'
local f = tern.raised_cosine{ count = 2, duration = 6 }
local e = tern.input{ name = "eye", shape = {2, 4, 8} }
local hid = tern.hidden{ name = "hid", shape = {4, 8}, memory = f[1] }
local out = tern.visible{ name = "out", size = 4, wta = 4 }
tern.connect{ from = e, to = hid, filters = f }
tern.connect{ from = {hid, out}, to = out, filters = f }
tern.gem{ eta = 1e-3, gamma = 0.8, kappa = 0.5, samples = 2 }
tern.data{ format = "aedat2", crop = {0, 0, 8, 4}, window_ms = 1, steps = 20, polarity = "separate", input = e, label = out }
LUA
run 0 train shaped.lua --data data --presentations 4 -o s.tern --log s.jsonl
run 0 report s.tern --data data --json
all=$("$get" out figures)
is out figures "$(figures s.html)"
shows 'the first 16 of 32 neurons that see it' s.html
shows '1 of 4 neurons' s.html
run 0 report s.tern --data data --json --neurons 2
shows 'the first 2 of 32 neurons that see it' s.html
holds "$("$get" out figures)" '==' "$all - 14 - 7" 'fewer images' # one figure a neuron, one for two effects
[ "$(wc -c <s.html)" -lt 2000000 ] || fail "a page of $(wc -c <s.html) bytes"

# many classes: no images of them, the rest is there; a long presentation: its beginning is drawn, all of it is run
sed 's/name = "out", size = 3,/name = "out", size = 300,/; s/steps = 20/steps = 1500/' net.lua >many.lua
printf 'data/r0.aedat,0\ndata/r1.aedat,1\n' >two.csv
run 0 train many.lua --data two.csv --presentations 2 -o m.tern
run 0 eval m.tern --data two.csv --samples 4 --per-recording m.eval.jsonl
run 0 report m.tern --data two.csv --json
shows '300 classes, images have at most 256' m.html
shows 'Reliability by the share of the votes' m.html
shows 'By label, the first 32 of 300' m.html
shows 'The first 1000 of 1500 steps' m.html
is out recordings 2
sed -n '1,2s/.*"spikes":{"hidden":\([0-9]*\),"visible":\([0-9]*\),.*/\1 \2/p' m.eval.jsonl >wanted
"$get" out spikes | tr -d '[]{}"' | sed 's/,recording/\nrecording/g' | sed 's/.*hidden:\([0-9]*\),visible:\([0-9]*\)/\1 \2/' >found
same wanted found "spikes of a long presentation"

# ---- names are text, never markup
sed 's/"out"/"outer"/' net.lua >x.lua
mkdir 'odd <b>&' && cp t.tern 'odd <b>&/<i>.tern' && cp t.jsonl 'odd <b>&/<i>.jsonl'
cp data/labels.csv l.csv
cp data/r0.aedat "<img src=x>'.aedat"
printf "<img src=x>'.aedat,0\n" >hostile.csv
run 0 eval t.tern --data hostile.csv --samples 3 --per-recording h.jsonl
run 0 report 'odd <b>&/<i>.tern' --data hostile.csv --eval h.jsonl
shows '&lt;i&gt;.tern' 'odd <b>&/<i>.html'
shows '&lt;img src=x&gt;&#39;.aedat' 'odd <b>&/<i>.html'
hides '<img src=x' 'odd <b>&/<i>.html'
hides '<i>' 'odd <b>&/<i>.html'

# ---- damaged files are refused with their line; the older page stays
damaged() { # CODE LINE MESSAGE FILE OPTION
    run 1 report t.tern "$5" "$4"
    says "^$4:$2: error TERN-E0$1:.*$3"
    same t.html first.html "the page after a refusal"
}
edit() { sed "$1" t.jsonl >d.jsonl; }
edit '5s/.*/{"presentation":/'; damaged 704 5 'no JSON' d.jsonl --log
edit '5s/.*/[1]/'; damaged 704 5 'no object' d.jsonl --log
edit '5s/"step":[0-9]*/"step":"x"/'; damaged 704 5 'step.*no whole number' d.jsonl --log
edit '5s/"step":[0-9]*,//'; damaged 704 5 'step.*missing' d.jsonl --log
edit '5s/"log_loss":[0-9.e-]*/"log_loss":true/'; damaged 704 5 'log_loss.*neither a number nor null' d.jsonl --log
edit '5s/"hidden_rate":[0-9.e-]*/"hidden_rate":2.5/'; damaged 704 5 'hidden_rate.*2.5 is not in 0..1' d.jsonl --log
edit '5s/"potential":[0-9]*/"potential":-1/'; damaged 704 5 'potential.*-1 is not in 0' d.jsonl --log
edit '5s/"saturations":{[^}]*}/"saturations":7/'; damaged 704 5 'missing' d.jsonl --log
edit '5s/"presentation":/"presentation":9,"presentation":/'; damaged 704 5 'no JSON: duplicate' d.jsonl --log
edit '6{h;d};7G'; damaged 704 7 'comes after presentation' d.jsonl --log
edit '1d'; damaged 703 1 'no log of tern train' d.jsonl --log
edit '1s/"training":"[^"]*"/"training":"other"/'; damaged 706 1 'other.*another network' d.jsonl --log
edit '1s/"network":"./"network":"g/'; damaged 704 1 'no digest' d.jsonl --log
printf '\0\377\n' >d.jsonl; damaged 704 1 'no JSON' d.jsonl --log
: >d.jsonl; damaged 703 1 'no log of tern train' d.jsonl --log
damaged 703 1 'no log of tern train' t.eval.jsonl --log
damaged 703 1 'no file of tern eval' t.jsonl --eval
: >d.jsonl; damaged 703 1 'empty' d.jsonl --eval
edit_lines() { sed "$1" t.eval.jsonl >d.jsonl; }
edit_lines '3s/"votes":\[[0-9]*/"votes":[9999/'; damaged 704 3 'votes.*entry 0' d.jsonl --eval
edit_lines '3s/"samples":22/"samples":23/'; damaged 704 3 'votes.*22 votes of 23 samples' d.jsonl --eval
edit_lines '3s/"decision":[0-9]*/"decision":7/'; damaged 704 3 'decision.*7 is not in 0..2' d.jsonl --eval
edit_lines '3s/"right":\(true\|false\)/"right":null/'; damaged 704 3 'right.*does not go with' d.jsonl --eval
edit_lines '3s/"entropy":[0-9.e-]*/"entropy":1.7/'; damaged 704 3 'entropy.*is not in 0' d.jsonl --eval
edit_lines '3p'; damaged 704 4 'recording.*is in line 3 already' d.jsonl --eval
cat t.eval.jsonl t.eval.jsonl >d.jsonl; damaged 704 25 'recording 0 is in line 1 already' d.jsonl --eval
edit_lines '3s/"votes":\[[0-9]*,/"votes":[/'; damaged 706 3 'votes for 2 classes.*3 classes' d.jsonl --eval
name=$(awk 'BEGIN { for (i = 0; i < 300; ++i) printf "n" }')
edit_lines "3s/\"file\":\"[^\"]*\"/\"file\":\"$name\"/"; damaged 704 3 'file.*300 bytes' d.jsonl --eval
awk 'BEGIN { for (i = 0; i < 1100000; ++i) printf "x"; print "" }' >d.jsonl; damaged 705 1 'more than 1 MiB' d.jsonl --log
run 1 report t.tern --log missing.jsonl
says 'E0301.*No such file'
run 1 report t.tern --log data
says 'E0301.*not a regular file'
run 1 report t.jsonl
says 'E0303'
run 1 report net.lua
says 'E0303'
run 1 report t.tern --data missing
says 'E04'

# ---- what is written where
run 2 report t.tern -o ./t.tern
says 'E0110.*overwrite the image'
run 2 report t.tern -o t.jsonl
says 'E0110.*overwrite --log'
cp net.lua keep.lua
run 1 report t.tern -o net.lua
says 'E0110.*not a page'
same net.lua keep.lua "a file that is not a page"
run 1 report t.tern -o no/such/folder/x.html
says 'E0302'
: >empty.html
run 0 report t.tern -o empty.html
[ -s empty.html ] || fail "an empty file is replaced"
run 2 report
run 2 report t.tern --neurons 0
says 'in 1..256'
run 0 report --help
tells 'OUT.eval.jsonl'
[ -z "$(find . -name '*.tmp-*')" ] || fail "temporary files are left"

# ---- without gnuplot: told, nothing is changed
mkdir none
PATH="$dir/none" "$tern" report t.tern >out 2>err </dev/null
[ $? -eq 1 ] || fail "exit status without gnuplot"
says 'E0701.*not on the PATH'
says 'gnuplot-nox'
same t.html first.html "the page without gnuplot"
[ "$failed" -eq 0 ] && echo "report: all as wanted"
exit "$failed"
