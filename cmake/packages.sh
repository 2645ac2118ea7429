#!/bin/sh
# Installs what is missing of cmake/packages.txt. Used by ./demo and ./check, can be run alone:
#     sh cmake/packages.sh build|check|firmware [--yes]
# Does nothing when nothing is missing. Asks once before it installs; --yes answers yes.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
here=$(dirname "$0")
level=${1:-}
answer=${2:-}
case $level in
build) wanted='build' ;;
check) wanted='build check' ;;
firmware) wanted='build check firmware' ;;
*) echo "usage: sh cmake/packages.sh build|check|firmware [--yes]" >&2; exit 2 ;;
esac
case $answer in
''|--yes) ;;
*) echo "packages.sh: unknown option '$answer' (known: --yes)" >&2; exit 2 ;;
esac

# Is it there? A library is there when pkg-config knows it, a tool when it is on the PATH.
# Tools are not asked for their versions here: CMake and `tern doctor` do that, with better messages.
present() {
    case $1 in
    'pkg-config --modversion '*|'python3 -m '*) $1 >/dev/null 2>&1 ;;
    'beside '*) (IFS=:; for d in $PATH; do [ -r "$d/${1#beside }" ] && exit 0; done; exit 1) ;;
    'clang -fsanitize=fuzzer'*) # clang knows the option without its library, but does not link
        echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p == 0 && n == 1; }' |
            clang -fsanitize=fuzzer -x c - -o /dev/null >/dev/null 2>&1 ;;
    *) command -v "${1%% *}" >/dev/null 2>&1 ;;
    esac
}

missing() {
    sed -e '/^#/d' -e 's/ *| */|/g' "$here/packages.txt" | while IFS='|' read -r package row_level _ probe _; do
        case " $wanted " in
        *" $row_level "*) present "$probe" || printf '%s ' "$package" ;;
        esac
    done
}

list=$(missing)
[ -n "$list" ] || exit 0
list=${list% }

if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing: $list" >&2
    echo "These are Debian's names; there is no apt-get here. Please install them your system's way, then run this again." >&2
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "Missing: $list" >&2
        echo "Not root and no sudo. As root: apt-get install --no-install-recommends $list" >&2
        exit 1
    fi
    sudo=sudo
fi
echo "These Debian packages are missing:"
echo "    $list"
if [ "$answer" != --yes ]; then
    if [ ! -t 0 ]; then
        echo "No terminal to ask on. Run again with --yes to install them." >&2
        exit 1
    fi
    printf 'Install them now with apt-get%s? [y/N] ' "${sudo:+ (through sudo)}"
    read -r reply || reply=
    case $reply in
    [yY]|[yY][eE][sS]) ;;
    *) echo "Nothing installed. Run again when you are ready." >&2; exit 1 ;;
    esac
fi
# A fresh machine has no package lists yet, and old lists name versions that are gone.
$sudo apt-get update -q
# shellcheck disable=SC2086 # a list of names
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $list

list=$(missing)
if [ -n "$list" ]; then
    echo "Still missing after the installation: $list" >&2
    exit 1
fi
