#!/bin/sh
# mutation_test.sh PYTHON ROOT : the generator of mistakes and the driver that counts them notice what they must; ended.sh, too
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
python=$1 root=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

# the generator: the same seed draws the same, every kind of mistake in every folder; a plain copy differs in one place
mutate() { "$python" -B "$root/tests/mutants/mutate.py" "$@" || fail "mutate.py $*"; }
mutate list --seed 3 --count 200 "$root/rtl" >"$work/a.tsv"
mutate list --seed 3 --count 200 "$root/rtl" >"$work/b.tsv"
cmp -s "$work/a.tsv" "$work/b.tsv" || fail "one seed, two choices"
mutate list --seed 4 --count 200 "$root/rtl" >"$work/b.tsv"
cmp -s "$work/a.tsv" "$work/b.tsv" && fail "two seeds, one choice"
# a statement more in a file: it may displace a few of the mistakes, the others keep their numbers, and lines below it move
mkdir "$work/edited" && cp -r "$root/rtl" "$work/edited/" || exit 1
sed -i '0,/^);/s//);\n  wire [3:0] edited = {3'"'"'d0, rst_i} + 4'"'"'d5;/' "$work/edited/rtl/core/tern_pass.v"
mutate list --seed 3 --count 200 "$work/edited/rtl" >"$work/b.tsv"
cmp -s "$work/a.tsv" "$work/b.tsv" && fail "an edit that moves nothing"
for f in a b; do cut -f 1,2,4,5 "$work/$f.tsv" | sort >"$work/$f.set"; done
[ "$(comm -23 "$work/a.set" "$work/b.set" | wc -l)" -le 4 ] || fail "an edit elsewhere draws other mistakes"
for kind in operator inverter reduction condition reset dropped width constant select net sign; do
    cut -f 2 "$work/a.tsv" | grep -qx $kind || fail "no mistake of kind $kind"
done
for folder in blocks bridge core link mem small; do
    [ "$(cut -f 3 "$work/a.tsv" | grep -c "^rtl/$folder/")" -ge 8 ] || fail "fewer than 8 mistakes in rtl/$folder"
done
awk -F '\t' '$4 == $5 { print; bad = 1 } END { exit bad }' "$work/a.tsv" || fail "a mistake that changes nothing"
n=$(awk -F '\t' '$2 == "operator" { print $1; exit }' "$work/a.tsv")
file=$(awk -F '\t' -v n="$n" '$1 == n { sub(":.*", "", $3); print $3 }' "$work/a.tsv")
mutate plain "$work/plain" "$n" "$root/rtl"
[ "$(diff -r "$root/rtl" "$work/plain/rtl" | grep -c '^>')" -ge 1 ] && [ "$(diff -rq "$root/rtl" "$work/plain/rtl" | grep -c differ)" -eq 1 ] || fail "mistake $n is not one change"
cmp -s "$root/$file" "$work/plain/$file" && fail "mistake $n is not in $file"

# the driver, with a tree of its own: tests are scripts that see mistake 1 and 2, not 3
tree=$work/tree
mkdir -p "$tree/tests/mutants" "$tree/build/tests/mutants/copy" && cp -r "$root/rtl" "$tree/" && cp "$root/tests/mutants/"*.py "$tree/tests/mutants/" || exit 1
before='assign u_f8_o = above ? 12'"'"'d2047 : below ? -12'"'"'d2047 : u;'
for i in 1 2 3; do printf '%s\tnet\trtl/blocks/tern_potential.v:56\t%s\t%s %s\n' $i "$before" "$before" $i; done >"$tree/build/tests/mutants/copy/mutants.tsv"
cat >"$tree/build/tests/mutant_run" <<'SH'
#!/bin/sh
case $2 in none) exit "${NONE:-0}" ;; 3) exit 0 ;; esac
exit 1
SH
chmod +x "$tree/build/tests/mutant_run"
explain() { printf '# text\n'; [ $# -eq 0 ] || printf '\nrtl/blocks/tern_potential.v\n- %s\n+ %s %s\n%s\n' "$before" "$before" "$1" "$2"; }
driver() { # STATUS TEXT arguments
    wanted=$1 text=$2
    shift 2
    "$python" -B "$tree/tests/mutants/mutation.py" "$@" >"$work/out" 2>&1
    got=$?
    [ $got -eq "$wanted" ] && grep -q -e "$text" "$work/out" || { fail "status $got, wanted $wanted with '$text': mutation.py $*"; cat "$work/out"; }
}
run() { wanted=$1 text=$2; driver "$wanted" "$text" run "$tree/build" "$work/result" --tests quick --jobs 1; }
explain >"$tree/tests/mutants/explained.txt"
run 1 "survivors that explained.txt does not explain"
grep -q '^rtl/blocks .* 3 .* 2 .* 0 .* 66.7 %' "$work/out" || { fail "another table"; cat "$work/out"; }
explain 3 "equivalent: because" >"$tree/tests/mutants/explained.txt"
run 0 '^all .* 3 .* 2 .* 1 .* 100.0 %'
explain 3 "unseen: because" >"$tree/tests/mutants/explained.txt"
run 0 '^all .* 3 .* 2 .* 0 .* 66.7 %'
explain 2 "equivalent: because" >"$tree/tests/mutants/explained.txt"
run 1 "explained in explained.txt, but seen"
NONE=1
export NONE
run 1 "without a mistake this test fails: mutant_run large"
unset NONE
driver 1 "1 of 2 mistakes seen" sample "$tree/build"
explain 3 "nonsense" >"$tree/tests/mutants/explained.txt"
driver 1 "and a reason" lint
explain 3 "equivalent: because" >"$tree/tests/mutants/explained.txt"
driver 0 "1 mistakes" lint
sed -i 's/: u;/: u; \/\/ changed/; s/assign u_f8_o  */assign u_f8_o = 1 ? 0 : /' "$tree/rtl/blocks/tern_potential.v"
driver 1 "has no line any more" lint
cp "$root/rtl/blocks/tern_potential.v" "$tree/rtl/blocks/" && echo "// $before" >>"$tree/rtl/blocks/tern_potential.v"
driver 1 "has 2 lines, not 1" lint

# a simulation has ended well only with its status and its summary
ended() { # STATUS arguments
    wanted=$1
    shift
    sh "$root/tests/ended.sh" "$@" >"$work/out" 2>&1
    got=$?
    [ $got -eq "$wanted" ] || { fail "status $got, wanted $wanted: ended.sh $*"; cat "$work/out"; }
}
ended 0 0 '^sum: 0 ' echo "sum: 0 differ"
ended 1 0 '^sum: 0 ' echo "DIVERGE"
ended 1 0 '^sum: 0 ' sh -c 'echo "sum: 0 differ"; exit 1'
ended 0 1 '^sum: 1 ' sh -c 'echo "sum: 1 differ"; exit 1'
ended 1 1 '^sum: 1 ' sh -c 'echo "sum: 1 differ"; exit 0'
ended 1 1 '^sum: 1 ' sh -c 'echo "sum: 1 differ"; kill -6 $$'
ended 2 0 text
[ $failed -eq 0 ] && echo "mutation: generator, driver, explanations and ended.sh as they should be"
exit $failed
