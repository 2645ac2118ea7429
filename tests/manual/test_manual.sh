#!/usr/bin/env bash
# test_manual.sh TERN : what `tern manual` writes lacks no verb and no option, and its readers take it
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
for tool in mandoc man zsh fish; do command -v $tool >/dev/null || fail "$tool is not there (cmake/packages.txt)"; done
[ $failed -eq 0 ] || exit 1

"$tern" manual "$dir/a" || fail "tern manual: status $?"
"$tern" manual "$dir/b" || fail "tern manual: status $?"
diff -r "$dir/a" "$dir/b" || fail "the same command writes other bytes the second time"

# ---- every verb and every option that --help tells, in four places; one missing name a line on stdout ----
# verbs as they are typed: "train", "data info"
verbs() {
    "$tern" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | grep -v '^tern$'
    "$tern" data --help | sed -n 's/^  \([a-z][a-z]*\) .*/data \1/p' | grep -v '^data tern$'
}
# of `tern VERB --help`: options as "--name" and "-o"
options() {
    # shellcheck disable=SC2086
    "$tern" $1 --help | sed -n 's/^  \(  \)*\(-[a-z], \)*\(--[a-z-]*\).*/\2\3/p' | tr -d ' ' | tr ',' '\n' | sort -u
}
plain() { sed 's/.\x08//g'; } # bold and underlined letters are struck over
bash_offers() { # FILE WORDS...: what bash completes
    bash --norc --noprofile -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tern; printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}
missing() { # FOLDER
    local verb option page offers known spec text nl=$'\n'
    verbs | while read -r verb; do
        page=$1/man/tern-${verb// /-}.1
        [ -f "$page" ] || { echo "man: no page of $verb"; continue; }
        grep -q "^tern.*${verb##* }" <(mandoc -T ascii "$page" 2>/dev/null | plain | sed -n '/^NAME/,/^SYN/s/^ *//p') || echo "man: $verb: no NAME"
        # shellcheck disable=SC2086
        offers=$(bash_offers "$1/completions/bash/tern" tern $verb -)
        known=$(fish --no-config -c 'source $argv[1]; complete -C "tern $argv[2] --"; complete -C "tern $argv[2] -"' "$1/completions/fish/tern.fish" "$verb")
        spec=$(sed -n "/^_tern_${verb// /_}()/,/^}/p" "$1/completions/zsh/_tern")
        text=$(mandoc -T ascii "$page" | plain)
        if [ "$verb" = data ]; then continue; fi
        options "$verb" | while read -r option; do
            [ "$verb" = run ] && [ "$option" = --engine ] && continue # which it refuses
            # by bash itself: two thousand programs would take longer than all else
            [[ $nl$text =~ $nl\ +(-[a-z],\ )*$option(,|\ |$nl) ]] || echo "man: $verb: $option"
            [[ $nl$offers$nl == *"$nl$option$nl"* ]] || echo "bash: $verb: $option"
            [[ $nl$known == *"$nl$option"$'\t'* ]] || echo "fish: $verb: $option"
            [[ $spec == *[\'\)\*]"$option"[=+[]* ]] || echo "zsh: $verb: $option"
        done
    done
    bash_offers "$1/completions/bash/tern" tern '' | sort >"$dir/offered"
    verbs | grep -v ' ' | sort | comm -13 "$dir/offered" - | sed 's/^/bash: /'
}
missing "$dir/a" >"$dir/missing"
[ -s "$dir/missing" ] && { fail "what --help tells and the manual lacks:"; cat "$dir/missing"; }
count=$(verbs | while read -r verb; do options "$verb"; done | wc -l)
[ "$count" -gt 250 ] || fail "only $count options were looked at"

# the search itself finds what is taken out
cp -r "$dir/a" "$dir/planted"
sed -i '/fB\|BI "/s/checkpoint/chequepoint/' "$dir/planted/man/tern-train.1"
sed -i 's/ --patience / /' "$dir/planted/completions/bash/tern"
sed -i '/tern_is cosim .*-l first-spike/d' "$dir/planted/completions/fish/tern.fish"
sed -i "/'--freq=/d" "$dir/planted/completions/zsh/_tern"
missing "$dir/planted" >"$dir/missing"
for wanted in 'man: train: --checkpoint' 'bash: train: --patience' 'fish: cosim: --first-spike' 'zsh: synth: --freq'; do
    grep -q -x -e "$wanted" "$dir/missing" || { fail "a planted fault was not found: $wanted"; cat "$dir/missing"; }
done

# ---- readers ----
mandoc -T lint -W style "$dir"/a/man/*.1 || fail "mandoc complains"
for page in "$dir"/a/man/*.1; do
    said=$(man --warnings -E UTF-8 -l -Tutf8 "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || fail "man --warnings, ${page##*/}: $said"
    lexgrog "$page" >/dev/null || fail "${page##*/}: apropos would not find it"
done
bash -n "$dir/a/completions/bash/tern" || fail "bash -n"
zsh -n "$dir/a/completions/zsh/_tern" || fail "zsh -n"
fish -n "$dir/a/completions/fish/tern.fish" || fail "fish -n"
# zsh takes every specification: _arguments complains about a wrong one when it is called
zsh -f -c 'autoload -Uz compinit; compinit -D -u; . "$1"; [ "$_comps[tern]" = _tern ]' - "$dir/a/completions/zsh/_tern" || fail "zsh does not know the completion"
# ... and an interactive zsh offers what it should
zsh_offer() { # FOLDER WANTED LINE
    local got
    mkdir -p "$dir/zsh"
    got=$(cd "$dir/files" && zsh -f "$here/zsh_offers.zsh" "$1/completions/zsh" "$dir/zsh" "$3" | sort -u | tr '\n' ' ')
    [ "$got" = "$2" ] || { echo "zsh: $3: offers '$got', wanted '$2'"; return 1; }
}
mkdir -p "$dir/files/folder"
touch "$dir/files/net.lua" "$dir/files/net.tern" "$dir/files/other.txt"
zsh_all=$(options train | grep '^--' | sort -u | tr '\n' ' ')
{
    zsh_offer "$dir/a" "$zsh_all"'END ' 'tern train --' &&
        zsh_offer "$dir/a" 'END both device fast golden reference ' 'tern train net.lua --engine ' &&
        zsh_offer "$dir/a" 'END info ' 'tern data in' &&
        zsh_offer "$dir/a" 'END compile cosim ' 'tern help co'
} || fail "zsh"
sed -i "s/golden/gilded/g" "$dir/planted/completions/zsh/_tern"
zsh_offer "$dir/planted" 'END both device fast golden reference ' 'tern train net.lua --engine ' >/dev/null &&
    fail "a planted fault was not found: zsh offers another engine"
grep -q "unsaid" "$dir/a/completions/bash/tern" && { fail "tables of options that do not say what a value is (.what):"; grep -n unsaid "$dir/a/completions/bash/tern"; }

# ---- values ----
offer() { # WANTED WORDS...
    local wanted=$1 got
    shift
    got=$(cd "$dir/files" && bash_offers "$dir/a/completions/bash/tern" "$@" | sort | tr '\n' ' ')
    [ "$got" = "$wanted" ] || fail "bash: ${*}: offers '$got', wanted '$wanted'"
}
mkdir -p "$dir/files/folder"
touch "$dir/files/net.lua" "$dir/files/net.tern" "$dir/files/other.txt"
offer 'both device fast golden reference ' tern train net.lua --engine ''
offer 'both device fast golden reference ' tern train net.lua --engine = ''
offer 'folder net.lua net.tern ' tern train ''
offer 'folder net.lua net.tern ' tern compile ''
offer 'folder ' tern compile net.lua -o ''
offer 'rule.eta= ' tern train net.lua --set rule.e
offer ' ' tern train net.lua --samples ''
offer 'info ' tern data i
offer 'compile cosim ' tern help co
offer '--data ' tern train --json net.lua --dat

# ---- the language ----
"$tern" explain --list-keys --json | tr '{' '\n' | sed -n 's/.*"section":"\([a-z_]*\)","key":"\([a-z_]*\)".*/\1 \2/p' | while read -r section key; do
    [ "$section $key" = 'rule kind' ] && continue # of --set alone
    grep -q "^---@field $key[? ]" "$dir/a/lua/tern.lua" || echo "$section.$key"
done >"$dir/missing"
[ -s "$dir/missing" ] && { fail "keys without annotation:"; cat "$dir/missing"; }
[ "$(grep -c '^---@field' "$dir/a/lua/tern.lua")" -gt 60 ] || fail "too few annotations"
# every call that a script finds is annotated, and every annotated call is found
for name in $(sed -n 's/^function tern\.\([a-z_]*\)(.*/\1/p' "$dir/a/lua/tern.lua"); do echo "print(type(tern.$name))"; done >"$dir/calls.lua"
[ "$(wc -l <"$dir/calls.lua")" -ge 24 ] || fail "$(wc -l <"$dir/calls.lua") calls are annotated"
for name in $(sed -n 's/^print(type(tern\.\([a-z_]*\)))/\1/p' "$dir/calls.lua"); do
    echo "if type(tern.$name) ~= 'function' then error('no tern.$name') end" >>"$dir/known.lua"
done
"$tern" explain "$dir/known.lua" 2>"$dir/err"
grep -q 'no tern\.\|there is no' "$dir/err" && { fail "an annotated call that there is not:"; cat "$dir/err"; }
exit $failed
