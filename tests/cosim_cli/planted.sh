#!/bin/sh
# planted.sh : what another user could have put into the cache of cores, into TERN_SHARE or into a working folder is never run
# SPDX-License-Identifier: Apache-2.0
#
#     planted.sh TERN SOURCE WORK
# Stand-ins for Verilator and make "build" a library that leaves a mark when it is loaded; so that it can be seen that a cache
# of one's own is used, and one that others can write to is not. Run by root, other users' files are tried as well.
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work/bin" "$work/safe" || exit 1
cd "$work" || exit 1
chmod 755 . safe || exit 1
here=$(pwd -P)
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

cat >planted.c <<END
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void mark(void)
{
    FILE *f = fopen("$here/ran", "a");
    if (f != NULL) fprintf(f, "as %d\n", (int)getuid()), fclose(f);
}
const void *tern_dut_get(void);
const void *tern_dut_get(void) { return NULL; }
END
cc -shared -fPIC -o planted.so planted.c || exit 1
cat >bin/verilator <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo "Verilator 5.006 of the test"; exit 0; }
touch obj/Vtern_dut.mk
END
cat >bin/make <<END
#!/bin/sh
cp "$here/planted.so" obj/core.so
END
cat >bin/yosys <<END
#!/bin/sh
[ "\$1" = -V ] && { echo "Yosys 0.23 (of the test)"; exit 0; }
touch "$here/yosys-ran"
exit 1
END
chmod 755 bin/*
PATH=$here/bin:$PATH
tiny=$source/models/tiny/tiny.lua

# cosim: the library must have been loaded (yes) or refused with a word (no). Further words: VARIABLE=value of the environment.
cosim() {
    wanted=$1 what=$2
    shift 2
    rm -f ran
    env "$@" "$tern" cosim "$tiny" --core large --lanes 1 --steps 1 --cache "$cache" >out.txt 2>err.txt
    status=$?
    [ $status -eq 1 ] || fail "$what: exit status $status: $(cat err.txt)" # the library has no core in it
    if [ "$wanted" = yes ]; then
        [ -e ran ] || fail "$what: the library was not loaded: $(cat err.txt)"
        ! grep -q E0615 err.txt || fail "$what: refused: $(cat err.txt)"
    else
        [ ! -e ran ] || fail "$what: the library was loaded"
        grep -q E0615 err.txt || fail "$what: no E0615: $(cat err.txt)"
        grep -q 'hint: .*chmod' err.txt || fail "$what: no way out: $(cat err.txt)"
    fi
}
mode() { # wanted path
    found=$(stat -c %a "$2")
    [ "$found" = "$1" ] || fail "$2 has mode $found, not $1"
}

# a cache of one's own, also when everything is made for everybody
cache=$here/safe/mine/cores
(umask 000; cosim yes "own cache"; exit $failed) || failed=1
entry=$(echo "$cache"/[0-9a-f]*)
for folder in "$here/safe/mine" "$cache" "$entry"; do mode 700 "$folder"; done
mode 700 "$entry/core.so"
mode 600 "$entry/info"
[ -z "$(find "$cache" -perm /022)" ] || fail "others can write to $(find "$cache" -perm /022)"
cosim yes "own cache, again"

# others can write to a part of it
for part in "$cache" "$entry" "$entry/core.so" "$entry/info" "$here/safe/mine" "$here/safe"; do
    kept=$(stat -c %a "$part")
    chmod o+w "$part"
    cosim no "others can write to $part"
    [ "$part" = "$here/safe" ] && { chmod 1777 "$part"; cosim yes "a folder like /tmp"; }
    chmod "$kept" "$part"
done
cosim yes "put right again"

# a new cache in a folder where others could exchange it
mkdir open
chmod 777 open
cache=$here/open/cores
cosim no "new cache in a folder of everybody's"
cache=$here/safe/mine/cores

# the Verilog and C++ of TERN_SHARE
mkdir share
cp -R "$source/rtl" "$source/sim" share/
chmod -R go-w share
cosim yes "own hardware" TERN_SHARE="$here/share"
for part in share share/rtl/tern_core.f share/rtl/core/tern_control.v share/sim/drive/tern_dut.cpp; do
    chmod o+w $part
    cosim no "others can write to $part" TERN_SHARE="$here/share"
    chmod o-w $part
done

# tern synth: the folder that Yosys works in, and its sources
synth() { # what folder words of the environment
    what=$1 folder=$2
    shift 2
    rm -f yosys-ran
    env "$@" "$tern" synth "$tiny" --target ecp5-25k --lanes 1 --until netlist -o "$folder" >out.txt 2>err.txt && fail "$what: status 0"
    [ ! -e yosys-ran ] || fail "$what: Yosys was run"
    grep -q E0615 err.txt || fail "$what: no E0615: $(cat err.txt)"
    [ -z "$(find "$(dirname "$folder")" -name '*.tmp-*')" ] || fail "$what: something is left"
}
synth "output in a folder of everybody's" "$here/open/chip"
chmod o+w share/rtl/tern_core.f share/rtl/tern_small.f
synth "sources of everybody's" "$here/safe/chip" TERN_SHARE="$here/share"
chmod o-w share/rtl/tern_core.f share/rtl/tern_small.f

# another user's files, whatever their mode: only root can make them
if [ "$(id -u)" = 0 ]; then
    for part in "$entry/core.so" "$entry/info" "$entry" "$cache" "$here/safe/mine" share/sim/drive/tern_dut.cpp; do
        chown 65534 "$part"
        cosim no "$part is another user's" TERN_SHARE="$here/share"
        chown 0 "$part"
    done
    cosim yes "given back" TERN_SHARE="$here/share"
    # the whole attack: a shared cache in which somebody has put a library under the right name and with the right checksum
    mkdir shared
    chmod 1777 shared
    cp -R "$cache" shared/cores && chown -R 65534 shared/cores
    cache=$here/shared/cores
    cosim no "a cache that somebody has prepared"
    # ... and the other way round: root's files are nobody's danger, but a third user's are
    chown -R 65533 shared/cores
    chmod -R a+rX shared/cores
    if setpriv --reuid=65534 --regid=65534 --clear-groups "$tern" --version >/dev/null 2>&1; then
        rm -f ran
        setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$here" PATH="$PATH" \
            "$tern" cosim "$tiny" --core large --lanes 1 --steps 1 --cache "$cache" >out.txt 2>err.txt
        grep -q E0615 err.txt || fail "an ordinary user: no E0615: $(cat err.txt)"
        [ ! -e ran ] || fail "an ordinary user: the library was loaded"
    fi
    chgrp 65533 "$entry/core.so" && chmod g+w "$entry/core.so"
    cache=$here/safe/mine/cores
    cosim no "a group can write to it"
else
    echo "not root: files of other users were not tried"
fi
[ $failed = 0 ] && echo "planted: nothing of other users was run"
exit $failed
