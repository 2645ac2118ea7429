#!/bin/sh
# strange_files.sh TERN CC MAKE : files as other people have them: odd names, CR LF, columns in another order, no locks;
# what `tern data` says and how it ends. MAKE: makes an HDF5 file; empty without HDF5
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 cc=$2 make=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
fail() { echo "FAILED: $*"; cat out err 2>/dev/null; failed=1; }
# expect STATUS TEXT ARGUMENTS...: exit status, and a text in what is printed
expect() {
    want=$1 text=$2 got=0
    shift 2
    "$tern" data "$@" >out 2>err || got=$?
    [ "$got" -eq "$want" ] || fail "exit status $got instead of $want: tern data $*"
    cat out err | grep -qe "$text" || fail "no '$text': tern data $*"
}

# names
awk 'BEGIN { print "t,x,y,p"; for (i = 0; i < 40; ++i) print i * 1000 ",", i % 5 "," i % 7 "," i % 2 }' | tr -d ' ' >plain.csv
line=$(printf 'new\nline.csv')
for name in - -x.csv 'a b.csv' "it's \$(x).csv" "$line" sh; do
    cp plain.csv "./$name"
    case $name in
    -) expect 0 '^events    40' info ./- ;; # `-` alone is standard input
    -*) expect 0 '^events    40' info -- "$name"
        expect 0 '^events    40' info "./$name"
        expect 2 "hint: the file of this name is './-x.csv'" info "$name" ;;
    *) expect 0 '^events    40' info "$name" ;;
    esac
done
printf '\0\0\10\3\0\0\0\3\0\0\0\2\0\0\0\2' >"it's.idx"
head -c 12 /dev/zero >>"it's.idx"
expect 0 "^one  .*'it'\\\\''s.idx#0'" info "it's.idx" # as a shell takes it
eval "$(sed -n 's/^one *//p' out)" >out 2>err || fail "the command that is printed"

# CR LF: recordings, lists, scripts
sed 's/$/\r/' plain.csv >crlf.csv
expect 0 '^events    40' info crlf.csv
printf 'file,label\r\na b.csv,1\r\n\r\ncrlf.csv,0\r\n' >list.txt
expect 0 'labels    0 to 1, 2 recordings' info list.txt

# CR alone, at the end of lines that fit into a window and of lines that do not; CR CR LF; 16 bits a letter
tr '\n' '\r' <plain.csv >cr.csv
for _ in 1 2 3 4 5 6 7 8 9; do cat cr.csv; done >long_cr.csv
sed 's/$/\r\r/' plain.csv >crcrlf.csv
expect 1 'TERN-E0407: lines end with a carriage return alone' info cr.csv
expect 1 'TERN-E0407: lines end with a carriage return alone' info long_cr.csv
expect 0 '^events    40' info crcrlf.csv
{ printf '\377\376'; sed 's/./&@/g; s/$/@/' plain.csv | tr '@' '\0'; } >utf16.csv
expect 1 'TERN-E0446: is text of 16 bits a letter' info utf16.csv

# grids of -0.5, of 1.0, of 0.5 and 2.0 in turn, of no numbers
float_grid() { # NAME VALUE...: 8 numbers of 8 bytes
    name=$1
    shift
    { printf '\223NUMPY\1\0\166\0'; printf "%-117s\n" "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 8), }"
      for v in "$@"; do printf '\0\0\0\0\0\0'; printf "$v"; done; } >"$name.npy"
}
half='\340\277' one='\360\077' two='\0\100' small='\340\077' none='\370\177'
float_grid halves $half $half $half $half $half $half $half $half
float_grid ones $one $one $one $one $one $one $one $one
float_grid turns $small $two $small $two $small $two $small $two
float_grid nans $none $none $none $none $none $none $none $none
expect 0 'TERN-W0467: a grid whose values are fractions' info halves.npy
expect 0 'TERN-W0467: .* (4 of the first 8 that' info turns.npy
expect 0 'TERN-W0467: a grid whose values are fractions' info nans.npy
expect 0 '^events    8' info ones.npy
! grep -q W0467 err || fail "a warning about whole numbers"

# what is assumed, told, refused; status 0 only if there are events
awk -F, 'NR > 1 { print $2 "," $3 "," $4 "," $1 }' plain.csv >xypt.csv
expect 0 '^read as   columns x, y, p, t; times in microseconds' info xypt.csv
expect 0 '^read as columns x, y, p, t; times in microseconds' convert xypt.csv out.npz
expect 0 '"assumed":"columns x, y, p, t; times in microseconds"' info xypt.csv --json
expect 1 'TERN-E0463.*almost none of its events can be used: 39 have' info xypt.csv --columns t,x,y,p
expect 2 'TERN-E0110.*columns are' info xypt.csv --columns t,x
expect 0 '^span      39.000000 s' info xypt.csv --time-unit ms
printf 't,time,x,y,p\n1,900,2,3,1\n2,901,2,3,1\n' >two_times.csv
expect 0 '^read as   times in microseconds; the first of several columns t$' info two_times.csv
expect 0 '^span      0.000001 s' info two_times.csv
{ printf '\223NUMPY\1\0\166\0'
  printf "%-117s\n" "{'descr': [('t', '<i8'), ('x', '<i2'), ('y', '<i2')], 'fortran_order': False, 'shape': (20,), }"
  head -c 240 /dev/zero; } >nop.npy
expect 0 '^read as   times in microseconds; no polarities: every event ON' info nop.npy
{ printf '\223NUMPY\1\0\166\0'
  printf "%-117s\n" "{'descr': [('ts', '<i8'), ('t', '<i8'), ('xs', '<i2'), ('ys', '<i2')], 'fortran_order': False, 'shape': (20,), }"
  head -c 400 /dev/zero; } >two_times.npy
expect 0 '^read as   times in microseconds; no polarities: every event ON; t, not ts$' info two_times.npy
awk -F, 'NR > 1 { printf "%.18e %s %s %s\n", $1 * 500, $2, $3, $4 }' plain.csv >savetxt.txt
expect 0 'TERN-W0464.*whole ones: read as microseconds' info savetxt.txt
sed 's/^5000,/3600005000,/' plain.csv >wild.csv
expect 0 'TERN-W0465.*are most of the recording' info wild.csv
expect 0 'TERN-W0419.*1 single events' convert wild.csv mended.csv --repair
expect 0 '^span      0.039000 s' info mended.csv
sed 's/^0,/-5000,/' plain.csv >negative.csv
expect 0 'first event at -0.005000 s' info negative.csv
expect 0 '^events    1 ' info 'negative.csv#-6000..0us'

# which of several contents of an archive is read is said
python3 - <<'PY' || fail "no archives"
import struct, zipfile
def npy(kind, shape, raw):
    head = ("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (kind, shape)).ljust(117) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + raw
numbers = npy("<i8", "20,", struct.pack("<20q", *range(20)))
grid = npy("|u1", "4, 5", bytes([0, 1] * 10))
for name, arrays in (("t_frames", {"t": numbers, "x": numbers, "y": numbers, "frames": grid}),
                     ("frames_spikes", {"spikes": grid, "frames": grid}),
                     ("starts_only", {"t": numbers, "x": numbers, "y": numbers,
                                      "first": npy("<i8", "3,", struct.pack("<3q", 0, 5, 10))}),
                     ("labels_beyond", {"frames": grid, "labels": npy("<f8", "1,", struct.pack("<d", 0.5))})):
    with zipfile.ZipFile(name + ".npz", "w") as z:
        for key, value in arrays.items(): z.writestr(key + ".npy", value)
PY
expect 0 '^read as .*; t, not frames$' info t_frames.npz
expect 0 '^read as .*frames, not spikes$' info frames_spikes.npz
expect 1 'TERN-E0417.*`first` goes from 0 to 10, there are 20 events' info starts_only.npz
expect 1 'TERN-E0417.*no whole number in 0..65535' info labels_beyond.npz

# places and labels are whole numbers: fractions are not rounded
printf 't,x,y,p\n1,1.0,2,1\n2,2.000e+00,2.,1\n' >whole.csv
expect 0 '^events    2 (2 ON' info whole.csv
for event in 1,1.5,2,1 1,1.0004,2,1 1,1,1e-1,1 1,1,10.0001e-1,1 1,1,2,0.5; do
    printf 't,x,y,p\n0,1,1,1\n%s\n' $event >fraction.csv
    expect 1 "^fraction.csv:3: error TERN-E0417: '$event' is not an event" info fraction.csv
done
{ printf '\223NUMPY\1\0\166\0'
  printf "%-117s\n" "{'descr': [('t', '<i8'), ('x', '<f8'), ('y', '<i2')], 'fortran_order': False, 'shape': (20,), }"
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\340\077\1\0' # x = 0.5
  done; } >fraction.npy
expect 1 'TERN-E0463.*none of its events can be used: .* 20 have places' info fraction.npy

# a file system without locks: read all the same
printf '#include <errno.h>\nint flock(int fd, int op) { (void)fd, (void)op; errno = ENOLCK; return -1; }\n' >fl.c
if [ -n "$make" ]; then
    "$make" "$dir/events.h5" && "$cc" -shared -fPIC fl.c -o fl.so || fail "no library without locks"
    LD_PRELOAD=./fl.so "$tern" data info events.h5 >out 2>err || fail "HDF5 without locks"
    grep -q LD_PRELOAD err && fail "no library without locks: $(cat err)"
    grep -q '^events    300' out || fail "HDF5 without locks: other events"
fi
[ $failed -eq 0 ] && echo "strange files: all as wanted"
exit $failed
