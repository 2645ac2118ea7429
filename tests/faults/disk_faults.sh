#!/bin/sh
# disk_faults.sh : a kill, a full disk, an error at every call that writes; then the same command comes to the same bits
#     sh disk_faults.sh TERN SOURCE WORK EVERY CASE...      every EVERY-th point; EVERY:CALL of this call
# SPDX-License-Identifier: Apache-2.0
#
# strace lets a chosen call of a command fail, or end the process (that of a child, too). After that
#   - a command that ended well has written what an undisturbed one writes, and one that failed has said why;
#   - the command that continues (--resume, or the same one again) ends well, with the same bits, and leaves nothing else.
export LC_ALL=C
set -u
[ $# -ge 5 ] || { echo "usage: disk_faults.sh TERN SOURCE WORK EVERY CASE..." >&2; exit 2; }
tern=$1 source=$2 work=$3 every=${4%%:*} only=${4#*:}
. "$source/tests/faults/cases.sh"
command -v strace >/dev/null || { echo "FAILED: strace is not on the PATH (package strace)"; exit 1; }
strace -o /dev/null true 2>/dev/null || { echo "FAILED: strace may not trace here (ptrace is forbidden)"; exit 1; }
make_inputs

[ "$only" != "$4" ] || only=
shift 4
calls=openat,write,pwrite64,fsync,rename,renameat2,unlink,unlinkat,mkdir,ftruncate,close,flock
# points CALL: numbers of those calls that write or open an output, and whether it is Tern itself that makes one of them
# or only a child. "N!": the command may not end well when it fails; messages, locks and temporary files can be done
# without
points() {
    awk -v call="$1" '
        { pid = $1; sub(/^[0-9]+ +/, ""); if (NR == 1) main = pid }
        index($0, call "(") != 1 {
            if ($0 ~ /^openat\(.*O_(WRONLY|RDWR)/) { split($0, r, " = "); out[pid, r[2] + 0] = 1 }
            next
        }
        {
            n = ++count[pid]
            if (n > most) most = n
            if (call == "openat" && $0 !~ /O_(WRONLY|RDWR)/ && $0 !~ /O_DIRECTORY/) next
            if (call == "openat") { split($0, r, " = "); out[pid, r[2] + 0] = 1 }
            if (call == "close") {
                fd = $0
                sub(/close\(/, "", fd)
                if (!((pid, fd + 0) in out)) next
                delete out[pid, fd + 0]
            }
            want[n] = 1
            if (pid == main) own[n] = 1
            if (pid == main && call ~ /^(write|fsync|rename|renameat2)$/ && $0 !~ /^write\(2,/) must[n] = 1
        }
        END {
            for (n = 1; n <= most; ++n)
                if (n in want) print call, n (n in must ? "!" : ""), (n in own ? "own" : "child")
        }' ../trace
}

disturb() { # CASE CALL N|N! HOW (strace's words)
    n_points=$((n_points + 1))
    begin_run
    # other programs (a pipe of gnuplot) do not meet such errors; Tern's own children are cases by themselves. Where
    # nothing would be followed, strace still stops at fewer calls if told to.
    follow='-f --seccomp-bpf'
    case $alone$4 in noerror=*) follow='' ;; esac
    # shellcheck disable=SC2086
    timeout -k 30 -s ALRM 600 strace $follow -qq -o ../strace.log -e trace="$2" -e signal=none \
        -e inject="$2:$4:when=${3%!}" "$tern" $words >../out 2>../err
    got=$?
    what="$1: $2 number ${3%!}, $4"
    # 124: ended by timeout, whose signal is none of those that are injected
    [ $got -ne 124 ] || { fail "$what: no end within 600 s"; return; }
    if [ $got -eq 0 ]; then
        same_outputs "$what, status 0"
        case $3$4 in *!error=*) fail "$what: status 0" ;; esac
    elif [ $got -lt 128 ]; then grep -q . ../err || fail "$what: status $got without a word"
    else case $4 in signal=*) ;; *) fail "$what: ended by a signal, status $got" ;; esac
    fi
    goes_on "$what"
}

total=0
for name; do
    take_case "$name"
    undisturbed
    begin_run
    n_points=0
    # shellcheck disable=SC2086
    strace -f -qq -o ../trace -e trace=$calls -e signal=none "$tern" $words >../out 2>../err
    alone=$(awk '{ pid[$1] } END { print length(pid) == 1 ? "yes" : "no" }' ../trace)
    for call in ${only:-$(echo $calls | tr ',' ' ')}; do points "$call"; done |
        awk -v every="$every" 'NR % every == int(every / 2)' >../points
    while read -r call n whose; do
        disturb "$name" "$call" "$n" signal=SIGKILL
        # of a number that only a child has, Tern itself may make another call: the close of a pipe, say, and strace
        # would not let it be closed
        [ "$whose" = own ] || continue
        for how in error=ENOSPC error=EIO; do disturb "$name" "$call" "$n" $how; done
    done <../points
    echo "$name: $n_points points"
    [ "$n_points" -gt 0 ] || fail "$name: nothing was disturbed"
    total=$((total + n_points))
done
echo "$total points, $n_faults faults"
exit $failed
