#!/bin/sh
# locks.sh : two jobs with one output: one runs, the other is refused and has written nothing
#     sh locks.sh TERN SOURCE WORK
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -eq 3 ] || { echo "usage: locks.sh TERN SOURCE WORK" >&2; exit 2; }
tern=$1 source=$2 work=$3
. "$source/tests/faults/cases.sh"
make_inputs
trap '[ -z "${holder:-}" ] || kill -KILL $holder 2>/dev/null' EXIT

refused() { # PROCESS words...: status 1, the holder's number, nothing written
    who=$1
    shift
    find . -type f -exec cksum {} + | sort >../before
    "$tern" "$@" >../out 2>../err </dev/null
    got=$?
    find . -type f -exec cksum {} + | sort >../after
    [ $got -eq 1 ] || fail "tern $*: status $got, wanted 1"
    grep -q "error TERN-E0129.*process $who" ../err || fail "tern $*: not refused by process $who: $(cat ../err)"
    cmp -s ../before ../after || fail "tern $*: wrote into the other's files"
}
wait_for() { for _ in $(seq 600); do [ -s "$1" ] && return; sleep 0.1; done; fail "no $1 after a minute"; }

# a training, stopped for as long as it is looked at
begin_run
job='train ../in/net.lua --data ../in/dat --presentations'
# shellcheck disable=SC2086 # arguments in one variable
"$tern" $job 1000000 --checkpoint 1 -o o.tern --log o.jsonl >/dev/null 2>&1 </dev/null &
holder=$!
wait_for o.tern
kill -STOP $holder
ln -s o.tern linked.tern && mkdir folder && ln -s .. folder/up
for words in '-o o.tern' '-o o.tern --log x.jsonl' '-o x.tern --log o.jsonl' '-o o.jsonl --log x.jsonl' \
    '-o x.tern --log o.tern' '-o linked.tern' '-o folder/up/o.tern' '-o o.tern --resume'; do
    # shellcheck disable=SC2086
    refused $holder $job 2 $words
done
# a hard link is the same file by another name, and the log is written where it is
ln o.jsonl hard.jsonl
cp o.jsonl ../log.before
# shellcheck disable=SC2086
"$tern" $job 2 -o x.tern --log hard.jsonl >../out 2>../err </dev/null && fail "--log: a hard link to the other's log"
grep -q 'error TERN-E0129.*hard link' ../err || fail "--log: a hard link: $(cat ../err)"
cmp o.jsonl ../log.before || fail "the other's log was changed through a hard link"
cp o.tern y.tern # a training that is continued cuts its log back before it opens it
# shellcheck disable=SC2086
"$tern" $job 1000000 -o y.tern --log hard.jsonl --resume >../out 2>../err </dev/null && fail "--resume: a hard link"
grep -q 'error TERN-E0129.*hard link' ../err || fail "--resume: a hard link: $(cat ../err)"
cmp hard.jsonl ../log.before || fail "the other's log was cut back through a hard link"
rm y.tern
refused $holder eval ../in/t.tern --data ../in/dat --per-recording o.jsonl
refused $holder report ../in/t.tern -o o.tern
# who only reads is not locked out
for words in 'explain ../in/net.lua' 'eval o.tern --data ../in/dat'; do
    # shellcheck disable=SC2086
    "$tern" $words >../out 2>&1 || fail "tern $words while o.tern is trained: $(cat ../out)"
done
# the holder is killed: its lock is gone with it, though the file is there
kill -KILL $holder
wait $holder 2>/dev/null
holder=
[ -e o.tern.lock ] || fail "there was no lock file"
"$tern" train ../in/net.lua --data ../in/dat --presentations 2 -o o.tern --log o.jsonl >/dev/null 2>../err ||
    fail "after the holder was killed: $(cat ../err)"
tidy "after a training"

# a file below /dev is a file: a new training leaves nothing of the log that was there
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    begin_run
    shared=$(mktemp /dev/shm/tern-locks-XXXXXX)
    for n in 3 1; do
        # shellcheck disable=SC2086
        "$tern" $job $n -o o.tern --log "$shared" >../out 2>../err </dev/null || fail "a log in /dev/shm: $(cat ../err)"
    done
    grep -q '"presentation": *1' "$shared" || fail "a log in /dev/shm: $(head -n 2 "$shared")"
    grep -q '"presentation": *[23]' "$shared" && fail "a log in /dev/shm keeps lines of an older training"
    rm -f "$shared"
fi
# what is called NAME.lock and is none stays as it is
begin_run
for kind in text number pipe folder link; do
    rm -rf o.tern.lock
    case $kind in
    text) echo precious >o.tern.lock && chmod 600 o.tern.lock ;;
    number) printf '%040d' 1 >o.tern.lock ;;
    pipe) mkfifo o.tern.lock ;;
    folder) mkdir o.tern.lock ;;
    link) ln -s precious o.tern.lock ;;
    esac
    cp -R o.tern.lock ../lock.before
    # shellcheck disable=SC2086
    "$tern" $job 2 -o o.tern >../out 2>../err </dev/null
    [ $? -eq 1 ] || fail "a $kind o.tern.lock: status 0"
    grep -q 'error TERN-E0302.*that Tern did not write' ../err || fail "a $kind o.tern.lock: $(cat ../err)"
    [ ! -e o.tern ] || fail "a $kind o.tern.lock: o.tern was written"
    case $kind in
    pipe) [ -p o.tern.lock ] ;;
    text) cmp o.tern.lock ../lock.before && [ "$(stat -c %a o.tern.lock)" = 600 ] ;;
    folder) [ -d o.tern.lock ] ;;
    link) [ "$(readlink o.tern.lock)" = precious ] && [ ! -e precious ] ;;
    *) cmp o.tern.lock ../lock.before ;;
    esac || fail "a $kind o.tern.lock was changed"
    rm -rf ../lock.before
done
for left in '' 4711; do # of a killed process
    rm -rf o.tern.lock
    echo $left >o.tern.lock
    # shellcheck disable=SC2086
    "$tern" $job 2 -o o.tern >../out 2>../err </dev/null || fail "a lock that was left: $(cat ../err)"
    [ ! -e o.tern.lock ] || fail "a lock that was left is there still"
done
# another user's: taken over when it was left, respected while it is held. Only root can be two users
nobody='setpriv --reuid nobody --regid nogroup --clear-groups'
# shellcheck disable=SC2086
if [ "$(id -u)" -ne 0 ] || ! $nobody test -x "$tern" -a -x "$PWD"; then
    echo "locks of another user: not tried, which needs root, setpriv, and a folder that others may enter"
else
    begin_run
    mkdir open && chmod 777 open
    as_nobody() { # STATUS TEXT
        # shellcheck disable=SC2086
        $nobody "$tern" $job 2 -o open/o.tern >../out 2>&1 </dev/null
        [ $? -eq "$1" ] && grep -q "$2" ../out || fail "another user's lock: wanted status $1, '$2': $(cat ../out)"
    }
    (umask 022 && echo 4711 >open/o.tern.lock)
    as_nobody 0 'presentations'
    [ ! -e open/o.tern.lock ] || fail "another user's lock that was left is there still"
    (umask 022 && echo 4711 >open/o.tern.lock)
    (
        exec 9<open/o.tern.lock
        flock -x 9 && echo held >../held
        exec sleep 600
    ) &
    holder=$!
    wait_for ../held
    as_nobody 1 'error TERN-E0129.*process is not known' # 4711 has not made it
    # a lock of another user that may be written to has the number of the one who took it over
    rm -f open/o.tern open/o.tern.lock # which is waited for below
    $nobody sh -c 'echo 4711 >open/o.tern.lock'
    # shellcheck disable=SC2086
    "$tern" $job 1000000 --checkpoint 1 -o open/o.tern >/dev/null 2>&1 </dev/null &
    taken=$!
    wait_for open/o.tern
    as_nobody 1 "error TERN-E0129.*process $taken"
    kill -KILL $taken
    wait $taken 2>/dev/null
    rm -f open/o.tern open/o.tern.lock
    (umask 022 && echo 4711 >open/o.tern.lock)
    kill -KILL $holder
    wait $holder 2>/dev/null
    (
        exec 9<open/o.tern.lock
        flock -x 9 && echo held >../held
        exec sleep 600
    ) &
    holder=$!
    sleep 1
    # one that only its owner may read: nobody can tell whether it is held
    chmod 600 open/o.tern.lock
    as_nobody 1 'error TERN-E0129.*its lock .*open/o.tern.lock, which only they may read'
    kill -KILL $holder
    wait $holder 2>/dev/null
    holder=
    rm -f open/o.tern open/o.tern.lock
    # a lock can be read whatever the umask
    (
        umask 077
        # shellcheck disable=SC2086
        exec "$tern" $job 1000000 --checkpoint 1 -o open/o.tern >/dev/null 2>&1 </dev/null
    ) &
    holder=$!
    wait_for open/o.tern
    as_nobody 1 "error TERN-E0129.*process $holder"
    kill -KILL $holder
    wait $holder 2>/dev/null
    holder=
    # what a sticky folder keeps for its owner is refused before the work, not after it
    rm -f open/o.tern open/o.tern.lock
    chmod 1777 open
    # shellcheck disable=SC2086
    "$tern" $job 2 -o open/o.tern >/dev/null || fail "a training in a sticky folder"
    cp open/o.tern ../log.before
    for words in "train ../in/net.lua --data ../in/dat --presentations 1000000 -o open/o.tern" \
        'report ../in/t.tern -o open/o.tern' 'data convert ../in/dat open/o.tern --to events'; do
        # shellcheck disable=SC2086
        timeout 600 $nobody "$tern" $words >../out 2>&1 </dev/null
        [ $? -eq 1 ] && grep -q 'error TERN-E0302.*sticky bit' ../out || fail "tern $words, sticky: $(cat ../out)"
        cmp -s open/o.tern ../log.before || fail "tern $words: wrote into another user's file"
    done
fi

# every other output, locked by a program of another kind
for name in convert convert_npz split digits taxels encode view compile report eval synth; do
    take_case $name
    begin_run
    case $name in eval) out=e.jsonl ;; *) out=$outputs ;; esac
    (
        exec 9>"$out.lock"
        flock -x 9 || exit 1
        # shellcheck disable=SC2016 # of the inner shell
        exec sh -c 'echo $$ >&9; exec sleep 600'
    ) &
    holder=$!
    wait_for "$out.lock"
    # shellcheck disable=SC2086
    refused "$(cat "$out.lock")" $words
    kill -KILL $holder
    wait $holder 2>/dev/null
    holder=
    # shellcheck disable=SC2086
    "$tern" $words >/dev/null 2>../err || fail "$name: after the holder was killed: $(cat ../err)"
    tidy "$name"
done
[ $failed -eq 0 ] && echo "locks: all as wanted"
exit $failed
