#!/bin/sh
# consumers.sh SOURCE BUILD CMAKE GCC G++ CLANG CLANG++ : programs outside this tree, built against an installed and
# moved one Eight ways; of every two of way, language, compiler and kind of library each pair occurs:
#     pkg-config    C gcc shared       C++ clang static   C clang static
#     find_package  C gcc static       C++ gcc shared     C++ clang shared
#     FetchContent  C clang static (the core alone)       add_subdirectory  C++ gcc shared
# Each builds the three programs of docs/47-library.md and runs them (FetchContent: core.c). Afterwards faults are
# planted: each must be seen. All paths have blanks in them. Exit status 0: everything was built, ran, and gave the
# same.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
source=$1 build=$2 cmake=$3 gcc=$4 gxx=$5 clang=$6 clangxx=$7
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/tern install.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
quiet() { "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; fail "$*"; }; }
unset TERN_SHARE LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH CFLAGS CXXFLAGS LDFLAGS DESTDIR || true
unset CMAKE_BUILD_TYPE || true

# Installed below DESTDIR, then moved.
DESTDIR="$work/stage" quiet "$cmake" --install "$build" --prefix "/first place"
tree="$work/moved tree"
mv "$work/stage/first place" "$tree"
[ -z "$(find "$work/stage" -type f)" ] || fail "files outside the prefix: $(find "$work/stage" -type f)"
lib=$(dirname "$(find "$tree" -name libtern.a)")
pc=$lib/pkgconfig
grep -rl "first place" "$tree/include" "$lib/cmake" "$pc" && fail "the place of the installation is in these files"

programs="$work/pro grams"
mkdir "$programs"
names=$(sh "$here/page_programs.sh" "$source/docs/47-library.md" "$programs" | tr '\n' ' ')
[ "$names" = "train.c decide.c resume.c " ] || fail "the page has other programs"
cp "$here/core.c" "$programs"
quiet "$tree/bin/tern" compile "$tree/share/tern/models/tiny/tiny.lua" -o "$programs/tiny"

# What the programs say; every way must give this.
run() { # FOLDER: of the programs
    (
        cd "$1"
        if [ -x ./train ]; then
            ./train once.tern 400 && ./train first.tern 150 && ./resume first.tern second.tern 250 &&
                ./decide second.tern
            cmp once.tern second.tern && sha256sum <once.tern
        fi
        if [ -x ./core ]; then ./core; fi
    ) >"$work/answer" 2>&1 || { cat "$work/answer"; fail "$1: the programs"; }
}
same() { # FOLDER: runs and compares, program by program
    run "$1"
    n=$((n + 1))
    if [ -x "$1/train" ]; then
        grep -v '^core' "$work/answer" >"$work/host"
        [ -e "$work/host.want" ] || cp "$work/host" "$work/host.want"
        cmp "$work/host.want" "$work/host" || fail "$1: another answer"
        grep -q '^20 of 20 right$' "$work/host" || fail "$1: nothing was learnt: $(cat "$work/host")"
    fi
    if [ -x "$1/core" ]; then
        grep '^core' "$work/answer" >"$work/core"
        [ -e "$work/core.want" ] || cp "$work/core" "$work/core.want"
        cmp "$work/core.want" "$work/core" || fail "$1: another answer of the core"
    fi
    echo "$n: $1" | sed "s|$work/||"
}
n=0

# ---- pkg-config ----
with_pkg_config() { # FOLDER COMPILER LANGUAGE STANDARD static|shared TREE
    mkdir -p "$work/$1"
    PKG_CONFIG_PATH=$6/${lib#"$tree"/}/pkgconfig
    export PKG_CONFIG_PATH
    if [ "$5" = static ]; then # the archive by name, then what it needs
        libs=$(pkg-config --libs --static tern | sed 's/-ltern /-l:libtern.a /')
    else
        libs="$(pkg-config --libs tern) -Wl,-rpath,'$6/${lib#"$tree"/}'"
    fi
    for name in train decide resume; do
        flags="-std=$4 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags tern)"
        eval "'$2' $flags -x $3 '$programs/$name.c' -x none $libs -o '$work/$1/$name'" || return 1
    done
    unset PKG_CONFIG_PATH
}
with_pkg_config "pkg-config C gcc shared" "$gcc" c c11 shared "$tree"
same "$work/pkg-config C gcc shared"
with_pkg_config "pkg-config C++ clang static" "$clangxx" c++ c++17 static "$tree"
same "$work/pkg-config C++ clang static"
with_pkg_config "pkg-config C clang static" "$clang" c c11 static "$tree"
same "$work/pkg-config C clang static"
readelf -d "$work/pkg-config C clang static/train" | grep -q libtern && fail "static, but libtern.so is needed"
readelf -d "$work/pkg-config C gcc shared/train" | grep -q 'libtern\.so\.[0-9]' ||
    fail "shared, but libtern.so is not needed"

# ---- find_package, FetchContent, add_subdirectory ----
with_cmake() { # FOLDER PROJECT CC CXX OPTIONS...
    folder=$work/$1 project=$here/$2 cc=$3 cxx=$4
    shift 4
    "$cmake" -G Ninja -S "$project" -B "$folder" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
        -DPROGRAMS="$programs" "$@" >"$work/log" 2>&1 &&
        "$cmake" --build "$folder" >>"$work/log" 2>&1
}
must() { with_cmake "$@" || { tail -n 30 "$work/log"; fail "$1"; }; same "$work/$1"; }
must "find_package C gcc static" installed "$gcc" "$gxx" -DLANGUAGE=C -DTern_USE_STATIC_LIBS=ON \
    -DCMAKE_PREFIX_PATH="$tree"
must "find_package C++ gcc shared" installed "$gcc" "$gxx" -DLANGUAGE=CXX -DCMAKE_PREFIX_PATH="$tree"
must "find_package C++ clang shared" installed "$clang" "$clangxx" -DLANGUAGE=CXX -DCMAKE_PREFIX_PATH="$tree"
# the core needs a C compiler and CMake only: no other program is on the PATH of this one
mkdir "$work/bin"
real=$("$clang" --print-prog-name=clang) # not ccache, which would look for it on the PATH
[ -x "$real" ] || real=$clang
for tool in "$cmake" ninja ld ar ranlib; do ln -s "$(command -v "$tool")" "$work/bin"; done
ln -s "$(command -v "$real")" "$work/bin/clang"
bare=0
only() { env -u CMAKE_C_COMPILER_LAUNCHER PATH="$work/bin" "$@" >>"$work/log" 2>&1; }
: >"$work/log"
only "$cmake" -G Ninja -S "$here/contained" -B "$work/FetchContent C clang static core" \
    -DCMAKE_C_COMPILER="$clang" -DPROGRAMS="$programs" \
    -DTERN="$source" -DFETCH=ON -DTERN_CORE_ONLY=ON &&
    only "$cmake" --build "$work/FetchContent C clang static core" || bare=1
[ $bare -eq 0 ] || { tail -n 30 "$work/log"; fail "FetchContent of the core"; }
same "$work/FetchContent C clang static core"
must "add_subdirectory C++ gcc shared" contained "$gcc" "$gxx" -DTERN="$source" -DLANGUAGE=CXX \
    -DBUILD_SHARED_LIBS=ON -DTERN_WITH_HDF5=OFF -DCMAKE_BUILD_TYPE=Quick # else the engine's loops take half of the test
readelf -d "$work/add_subdirectory C++ gcc shared/train" | grep -q 'libtern\.so' ||
    fail "add_subdirectory with BUILD_SHARED_LIBS, but libtern.so is not needed"
[ "$n" -eq 8 ] || fail "$n of 8"

# ---- the core alone, installed: nothing that needs a file system ----
only "$cmake" -G Ninja -S "$source" -B "$work/core build" -DCMAKE_C_COMPILER="$clang" -DTERN_CORE_ONLY=ON \
    -DCMAKE_INSTALL_PREFIX="$work/core tree" &&
    only "$cmake" --build "$work/core build" && only "$cmake" --install "$work/core build" ||
        { tail -n 30 "$work/log"; fail "the core alone"; }
names=$(cd "$work/core tree" && find . -name '*.a' -o -name '*.so*' -o -name '*.pc' | sed 's|.*/||' | sort | tr '\n' ' ')
[ "$names" = "libtern_core.a tern-core.pc " ] ||
    fail "TERN_CORE_ONLY installs other libraries: $(cd "$work/core tree" && find . -type f)"
mkdir "$work/core alone"
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$work/core tree" -name tern-core.pc)") pkg-config --cflags --libs tern-core)
eval "'$gcc' -std=c11 -Wall -Wextra -Wpedantic -Werror '$programs/core.c' '$programs/tiny/tiny.c' -I'$programs/tiny' \
    $flags -o '$work/core alone/core'"
same "$work/core alone"

# ---- planted faults ----
seen() { # TEXT WHAT: the fault just planted was noticed, with this text
    [ "$status" -ne 0 ] || fail "not noticed: $2"
    grep -q -- "$1" "$work/log" || { tail -n 20 "$work/log"; fail "noticed by chance only: $2"; }
}
cp -r "$tree" "$work/fault tree"
fault="$work/fault tree"
at=$fault/${lib#"$tree"/}
rm "$fault/include/tern/compile.h"
status=0; (with_pkg_config "fault header" "$gcc" c c11 shared "$fault") >"$work/log" 2>&1 || status=1
seen 'tern/compile.h: No such file' "a header that is not installed"
cp "$tree/include/tern/compile.h" "$fault/include/tern"
# libtern.so without one of its functions
sed '/^ *tern_step;$/d' "$source/cmake/libtern.map" >"$work/map"
PKG_CONFIG_PATH=$pc
export PKG_CONFIG_PATH
flags="$(pkg-config --libs-only-L --static tern) $(pkg-config --libs-only-other --libs-only-l --static tern | sed 's/-ltern //')"
eval "'$gcc' -shared -Wl,-soname,libtern.so.0 -Wl,--version-script='$work/map' -Wl,--whole-archive '$lib/libtern.a' \
    -Wl,--no-whole-archive $flags -o '$at/libtern.so'"
unset PKG_CONFIG_PATH
status=0; (with_pkg_config "fault symbol" "$gcc" c c11 shared "$fault") >"$work/log" 2>&1 || status=1
seen 'undefined reference to `tern_step' "a function that libtern.so hides"
rm "$at"/libtern.so* "$at/libtern.a"
status=0; with_cmake "fault component" installed "$gcc" "$gxx" -DLANGUAGE=C -DCMAKE_PREFIX_PATH="$fault" || status=1
seen "component 'host' of Tern is not" "components that are not installed"
status=0; with_cmake "fault setting" contained "$clang" "$clangxx" -DTERN="$source" -DTERN_CORE_ONLY=ON -DPLANT=ON ||
    status=1
seen 'changes CMAKE_BUILD_TYPE' "a setting of the project around it"
echo "8 of 8 ways; 4 planted faults are noticed"
