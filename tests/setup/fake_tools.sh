#!/bin/sh
# fake_tools.sh : a folder of pretended tools, one for each row of cmake/packages.txt; sourced by the tests
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C

# fake TOOL TEXT [STATUS]: a tool that prints TEXT
fake() {
    printf '#!/bin/sh\nprintf "%%s\\n" "%s"\nexit %s\n' "$2" "${3:-0}" >"$bin/$1"
    chmod +x "$bin/$1"
}

# Every tool in exactly the oldest version that will do. Needs $bin (folder) and $list (packages.txt). What stands beside
# $bin, in lib and share, is made as well. The second time all is copied from $bin.kept.
fake_all() {
    if [ ! -d "$bin.kept" ]; then
        fake_new
        mkdir "$bin.kept"
        for folder in "$bin" "$bin/../lib" "$bin/../share"; do [ ! -d "$folder" ] || cp -r "$folder" "$bin.kept/"; done
        return
    fi
    rm -rf "$bin" "$bin/../lib" "$bin/../share"
    cp -r "$bin.kept/." "${bin%/*}/"
}

fake_new() {
    rm -rf "$bin"
    mkdir -p "$bin"
    fake pkg-config "1.8.1"
    sed -e '/^#/d' -e 's/ *| */|/g' "$list" | while IFS='|' read -r _ _ at_least probe _; do
        case $probe in
        'pkg-config --modversion '*) echo "${probe##* } $at_least" >>"$bin/libraries" ;;
        'pkg-config '*) ;;
        'beside '*) mkdir -p "$bin/$(dirname "${probe#beside }")" && : >"$bin/${probe#beside }" ;;
        *) case $at_least in *.*) ;; *) at_least=$at_least.0 ;; esac
           fake "${probe%% *}" "Some tool (version $at_least, of 2020-01-02)" ;;
        esac
    done
    # knows the libraries of its list only, like the real one
    cat >"$bin/pkg-config" <<SH
#!/bin/sh
[ "\$1" = --version ] && { echo 1.8.1; exit 0; }
while read -r name version; do
    [ "\$name" = "\$2" ] && { echo "\$version"; exit 0; }
done <"$bin/libraries"
echo "Package \$2 was not found" >&2
exit 1
SH
}
