#!/bin/sh
# cmake/packages.sh with pretended tools and a pretended apt-get: what it would install, and that it never installs unasked.
#     sh packages_test.sh ROOT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
root=$1
list=$root/cmake/packages.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
bin=$work/bin
# shellcheck source=tests/setup/fake_tools.sh
. "$root/tests/setup/fake_tools.sh"
failed=0

case_() {
    case_name=$1
    fake_all
    rm -f "$work/installed"
    for tool in sh sed cat dirname env id rm; do ln -s "$(command -v $tool)" "$bin/$tool"; done
    # notes what it was asked for; installs nothing
    printf '#!/bin/sh\necho "$*" >>"%s/installed"\n' "$work" >"$bin/apt-get"
    fake sudo unused
    printf '#!/bin/sh\nexec "$@"\n' >"$bin/sudo"
    chmod +x "$bin"/apt-get "$bin"/sudo
}
fail() { echo "FAILED ($case_name): $*"; sed 's/^/    /' "$work/out"; failed=1; }
packages() {
    wanted=$1; shift
    status=0
    env PATH="$bin" sh "$root/cmake/packages.sh" "$@" >"$work/out" 2>&1 </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit status $status instead of $wanted"
}
asked() { grep -qxF -e "$1" "$work/installed" 2>/dev/null || fail "apt-get was not asked for: $1"; }
not_asked() { [ ! -e "$work/installed" ] || fail "apt-get was run: $(cat "$work/installed")"; }
says() { grep -qF -e "$1" "$work/out" || fail "does not say: $1"; }

case_ 'nothing missing: silent, nothing run'
packages 0 check --yes
not_asked
[ ! -s "$work/out" ] || fail "says something"

case_ 'optional tools are not installed'
rm -r "$bin/nextpnr-ice40" "$bin/icepack" "$bin/../share"
packages 0 check --yes
not_asked

case_ 'no terminal and no --yes: a clear refusal'
rm "$bin/cmake"
packages 1 build
not_asked
says cmake
says --yes

case_ 'tools of the tests only for check'
rm "$bin/yosys"
packages 0 build --yes
not_asked
packages 1 check --yes # the pretended apt-get installs nothing, which must be noticed
asked 'install -q -y --no-install-recommends yosys'
says 'Still missing after the installation: yosys'

case_ 'several, tools and libraries, one installation'
rm "$bin/ninja" "$bin/make"
sed -i '/jansson/d' "$bin/libraries"
packages 1 build --yes
asked 'update -q'
asked 'install -q -y --no-install-recommends ninja-build make libjansson-dev'

case_ 'apt-get fails'
rm "$bin/cmake"
fake apt-get 'E: no network' 100
packages 100 build --yes

case_ 'not Debian'
rm "$bin/cmake" "$bin/apt-get"
packages 1 build --yes
says 'there is no apt-get here'

case_ 'wrong usage'
packages 2
packages 2 everything
packages 2 build --yse

[ "$failed" -eq 0 ] && echo "every case as expected"
exit "$failed"
