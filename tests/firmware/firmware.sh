#!/bin/sh
# firmware.sh : digits2 learns on emulated microcontrollers; the same numbers as on the computer and as `tern train`
# SPDX-License-Identifier: Apache-2.0
#
#     firmware.sh TERN IMAGE_SAVED SOURCE_DIR WORK BOARD... [plant|spoil]
# BOARD: cortex-m0plus, cortex-m4, cortex-m7, rv32. Prints a line of docs/49-firmware.md's table for each of them. What
# each has saved is read by `tern import`, and a training goes on from there.
# plant: one initial weight of the boards is another one; spoil: a byte of what was saved is; the test has to notice.
export LC_ALL=C
set -u
tern=$1 saved=$2 source=$3 work=$4
shift 4
fail() {
    echo "FAILED: $*"
    exit 1
}
command -v cmake >/dev/null || fail "needs cmake"
rm -rf "$work" && mkdir -p "$work" || exit 1
boards= plant= spoil=
for word in "$@"; do
    case $word in plant) plant=1 ;; spoil) spoil=1 ;; *) boards="$boards $word" ;; esac
done
"$tern" data digits "$work/data" --count 10 --classes 0,1 >/dev/null || fail "tern data"
"$tern" compile "$source/models/digits2/digits2.lua" -o "$work/net" --examples "$work/data" >/dev/null || fail "tern compile"
"$tern" train "$source/models/digits2/digits2.lua" --data "$work/data" --presentations 5 -o "$work/t.tern" >/dev/null ||
    fail "tern train"
"$tern" train "$source/models/digits2/digits2.lua" --data "$work/data" --presentations 10 -o "$work/ten.tern" >/dev/null ||
    fail "tern train"

# What a board has printed of its stream, as an image that `tern train` goes on from
goes_on() { # board text
    sed -n 's/^stream //p' "$2" | tr -d '\r\n' >"$work/$1.hex"
    [ -s "$work/$1.hex" ] || fail "$1: no stream was printed"
    [ -z "$spoil" ] || sed -i 's/^\(.\{500\}\)./\1x/; s/x[0-7]/x8/; s/x[9a-f]/x0/; s/x/1/' "$work/$1.hex"
    python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(open(sys.argv[1]).read()))' "$work/$1.hex" \
        >"$work/$1.bin" || fail "$1: the stream is not hexadecimal"
    "$tern" import "$source/models/digits2/digits2.lua" "$work/$1.bin" -o "$work/$1.tern" >"$work/$1.import" 2>&1 ||
        fail "$1: tern import: $(cat "$work/$1.import")"
    "$tern" export "$work/$1.tern" -o "$work/$1.npz" >/dev/null
    "$tern" export "$work/t.tern" -o "$work/t.npz" >/dev/null
    "$tern" train "$source/models/digits2/digits2.lua" --data "$work/data" --presentations 10 -o "$work/$1.tern" --resume \
        >"$work/$1.log" 2>&1 || fail "$1: tern train --resume: $(tail -2 "$work/$1.log")"
    cmp "$work/ten.tern" "$work/$1.tern" || fail "differs: a training that goes on from $1 and one on the computer"
}

build() { # folder net options...
    folder=$1 from=$2
    shift 2
    cmake -S "$source/runtime/firmware" -B "$work/$folder" "-DTERN_NET=$from" "$@" >"$work/$folder.log" 2>&1 &&
        cmake --build "$work/$folder" >>"$work/$folder.log" 2>&1 ||
        { tail -20 "$work/$folder.log"; fail "$folder does not build"; }
}
build host "$work/net"
"$work/host/learn" >"$work/host.txt" || fail "host: status $?"
grep -q '^done$' "$work/host.txt" || fail "host: the run is not complete"
"$saved" "$work/t.tern" >"$work/train.txt" || fail "image_saved"
grep '^saved' "$work/host.txt" | diff - "$work/train.txt" || fail "differs: the firmware on the host and tern train"

net=$work/net
if [ -n "$plant" ]; then # the first weight of the first row
    net=$work/planted
    cp -r "$work/net" "$net"
    awk '{ print } /row 0 \*\// { getline; sub(/^    -?[0-9]+,/, "    1234,"); print }' "$work/net/digits2.c" >"$net/digits2.c"
fi
for board in $boards; do
    case $board in
        cortex-*)
            case $board in cortex-m0plus) machine=mps2-an385 ;; cortex-m7) machine=mps2-an500 ;; *) machine=mps2-an386 ;; esac
            set -- --toolchain "$source/runtime/firmware/cortex-m.cmake" "-DTERN_CPU=$board"
            qemu="qemu-system-arm -M $machine -nographic -semihosting-config enable=on,target=native -icount shift=0"
            size=arm-none-eabi-size nm=arm-none-eabi-nm ;;
        rv32)
            set -- --toolchain "$source/runtime/firmware/rv32.cmake"
            qemu="qemu-system-riscv32 -M virt -nographic -bios none -icount shift=0"
            size=riscv64-unknown-elf-size nm=riscv64-unknown-elf-nm ;;
        *) fail "no such board: $board" ;;
    esac
    build "$board" "$net" "$@"
    timeout 600 $qemu -kernel "$work/$board/learn" >"$work/$board.txt" 2>&1 </dev/null ||
        fail "$board: status $?: $(tail -2 "$work/$board.txt")"
    tr -d '\r' <"$work/$board.txt" | grep -v '^per step' >"$work/$board.same"
    diff "$work/host.txt" "$work/$board.same" || fail "differs: $board and the host"
    # flash without the weights (24,384 bytes), of which the frames of five examples are a part; RAM without the stand-in for flash
    $nm -S -t d "$work/$board/learn" | awk '$4 ~ /^(inputs|targets)_/ { n += $2 } END { print n + 0 }' >"$work/frames"
    $size "$work/$board/learn" | awk -v board="$board" -v frames="$(cat "$work/frames")" -v steps="$(sed -n 's/^per step: \([0-9]*\).*/\1/p' "$work/$board.txt")" '
        NR == 2 { flash = $1 + $2 - 24384; ram = $2 + $3 - 32768
                  printf "| %s | %d | %d | %d | %d |\n", board, flash, flash - frames, ram, steps
                  if (flash > 65536) { print "FAILED: more than 64 KiB of flash without weights"; exit 1 } }' || exit 1
    # the same program, which also prints what it saved
    build "$board.dump" "$net" "$@" -DTERN_DUMP=ON
    timeout 600 $qemu -kernel "$work/$board.dump/learn" >"$work/$board.dump.txt" 2>&1 </dev/null ||
        fail "$board: status $?: $(tail -2 "$work/$board.dump.txt")"
    goes_on "$board" "$work/$board.dump.txt"
done
echo "firmware: every board agrees with the host and with tern train, which goes on from what each has saved"
