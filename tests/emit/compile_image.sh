#!/bin/sh
# compile_image.sh : a trained image becomes C, memory contents and a top with its weights; the folder is complete
# SPDX-License-Identifier: Apache-2.0
#
#     compile_image.sh TERN CC EMIT_TESTNET LIBTERN_CORE INCLUDE MAIN MODELS WORK [FLAGS]
# FLAGS: what libtern_core was built with (sanitizers).
export LC_ALL=C
set -u
tern=$1 cc=$2 testnet=$3 core=$4 include=$5 main=$6 models=$7 work=$8 flags=${9:-}
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
run() {
    "$@" >said.txt 2>&1 || { fail "status $?: $*"; cat said.txt; }
}
quiet() { # a command that must succeed without a word; newer Verilators end with a report of their run time
    "$@" >all.txt 2>&1 || fail "status $?: $*"
    grep -v '^- V' all.txt >said.txt || true
    [ -s said.txt ] && { fail "warnings of: $*"; cat said.txt; }
}

# an image that is not trained compiles to the bytes of its script, whatever the files are called
run "$tern" compile "$models/tiny/tiny.lua" -o script
cp script/tiny.tern image.lua
mkdir names
cp "$models/tiny/tiny.lua" names/tiny
run "$tern" compile image.lua -o image
run "$tern" compile names/tiny -o text
diff -r script image || fail "the image of a script compiles to other files than the script"
diff -r script text || fail "a script without .lua compiles to other files"
"$tern" explain image.lua >a.txt && "$tern" explain script/tiny.tern >b.txt || fail "explain of an image"
cmp a.txt b.txt || fail "explain sees the name"
"$tern" compile image.lua -o set --set rule.samples=1 >said.txt 2>&1 && fail "--set of an image is taken"
grep -q "E0108" said.txt || fail "--set of an image: $(cat said.txt)"

# trained ones, of all rules: tiny learns whatever it is shown
run "$tern" data digits data --classes 0,1 --count 2 --seed 1 --duration-ms 500
one() { # script name options of train
    rm -rf out trained.bin
    script=$1 name=$2
    shift 2
    run "$tern" train "$script" --data data -o trained.bin --seed 3 "$@"
    run "$tern" compile trained.bin -o out --lanes 1
    cmp trained.bin "out/$name.tern" || fail "$name: compiling changed the image"
    "$testnet" --image trained.bin . >digest.txt || fail "$name: no digest"
    wanted=$(cut -d ' ' -f 2 digest.txt) upper=$(printf %s "$name" | tr a-z A-Z) rewarded=
    if grep -q "_reward(const int32_t" "out/$name.h"; then rewarded=-DREWARDED; fi
    run "$cc" $flags -std=c11 -Wall -Wextra -Werror -I"$include" -Iout -DNET="$name" -DMACROS="$upper" \
        -D"${upper}_SEED=5u" $rewarded -include "out/$name.h" "$main" "out/$name.c" "$core" -o program
    got=$(./program <frames)
    [ "$got" = "$wanted" ] || fail "$name: the emitted C gets '$got', the image '$wanted'"
    # the weights of NAME_load.hex, those that exist, are those of the image
    width=$(sed -n 's/^localparam WEIGHT_W *= *\([0-9]*\);.*/\1/p' "out/$name.vh")
    [ "$width" = 16 ] || fail "$name: this check is for weights of 16 bits"
    sed -n 's/^01[0-9a-f]*_0000\([0-9a-f]*\)$/\1/p' "out/${name}_load.hex" | grep -v 8000 | sort >got.txt
    sort weights >wanted.txt
    cmp got.txt wanted.txt || fail "$name: the weights of ${name}_load.hex are not those of the image"
    step=$(sed -n "s/^#define ${upper}_FIRST_STEP *\([0-9]*\)u.*/\1/p" "out/$name.h")
    [ "$step" -gt 0 ] || fail "$name: no steps of training in $name.h"
    grep -q "^00000040_$(printf %08x "$step")\$" "out/${name}_load.hex" ||
        fail "$name: the hardware starts at another step than the C"
    grep -q "Weights:    trained" "out/$name.c" || fail "$name.c does not say that it is trained"
}
one "$models/digits2/digits2.lua" digits2
one "$models/digits2/digits2.lua" digits2 --set rule.kind=mb
one "$models/digits2/digits2.lua" digits2 --set rule.kind=reward --set rule.tau=4

# the folder goes to another place, with a blank in its name, and needs nothing of Tern there
for tool in verilator iverilog; do command -v $tool >/dev/null || { fail "needs $tool"; exit 1; }; done
mkdir "another place"
mv out "another place/a net"
mv script "another place/b net"
unset TERN_SHARE
for name in digits2 tiny; do
    case $name in digits2) cd "another place/a net" ;; *) cd "../b net" ;; esac || exit 1
    quiet verilator --lint-only -Wall -f $name.f --top-module ${name}_top
    quiet iverilog -g2005 -Wall -c $name.f -s ${name}_top -o design.vvp
    grep -r -l -e "$work" -e "$models" . && fail "$name: a file holds a path of this machine"
    # NAME.core names exactly the Verilog that is there
    sed -n 's/^      - \(rtl[^ ]*[.]v\)$/\1/p' $name.core | sort >listed.txt
    find rtl -type f | sort >there.txt
    cmp listed.txt there.txt || fail "$name.core does not list the files below rtl/"
    sed -n 's/^    "\(rtl.*[.]v\)",$/\1/p' ${name}_litex.py | sort >listed.txt
    cmp listed.txt there.txt || fail "${name}_litex.py does not list the files below rtl/"
    for how in "-std=c11 -pedantic" "-std=c99"; do
        run "$cc" $how -ffreestanding -Wall -Wextra -Wconversion -Wshadow -Werror -x c -fsyntax-only ${name}_host.h
    done
done

# the functions of NAME_host.h make the accesses that the layout says: a slave in memory
cat >slave.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tiny_host.h"
static uint32_t slave[0x4000];
int main(void)
{
    uint32_t bits[64], address, data, lines = 0, page = 0;
    tern_host h;
    tern_host_open(&h, slave);
    while (scanf("%8x_%8x\n", &address, &data) == 2) { /* every line of the file comes to its place */
        tern_host_write(&h, address, data);
        const uint32_t at = address < 128 ? 0x100 + address : 0x2000 + (address & 0x1fff);
        if (address >= 128) page = address & ~UINT32_C(0x1fff);
        if (slave[at] != data || (address >= 128 && slave[4] != page)) return 1;
        if (tern_host_read(&h, address) != data) return 2;
        ++lines;
    }
    for (unsigned i = 0; i < 64; ++i) bits[i] = 0x9e3779b9u * (i + 1);
    tiny_inputs(&h, bits);
    for (unsigned i = 0; i < sizeof tiny_FRAME / sizeof tiny_FRAME[0]; ++i) {
        const unsigned at = tiny_FRAME[i] * TINY_HOST_LANES;
        for (unsigned lane = 0; lane < TINY_HOST_LANES; ++lane)
            if ((slave[0x2000 + i] >> lane & 1) != (bits[(at + lane) / 32] >> (at + lane) % 32 & 1)) return 3;
    }
    if (slave[4] != (UINT32_C(3) << 24)) return 4;
    slave[3] = 0; /* idle */
    tern_host_command(&h, TERN_REG_CONTROL_START | TERN_REG_CONTROL_CLAMP);
    if (slave[0x102] != 5) return 5;
    printf("%u\n", (unsigned)lines);
    return 0;
}
C
run "$cc" -std=c11 -Wall -Wextra -Werror slave.c -o slave
writes=$(sed -n "s/.*LOAD_WRITES = 32'd\([0-9]*\);/\1/p" tiny.vh)
got=$(grep -v '^//' tiny_load.hex | ./slave)
[ "$got" = "$writes" ] || fail "tiny_host.h: status $?, '$got' writes of $writes"

cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
