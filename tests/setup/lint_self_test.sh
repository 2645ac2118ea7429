#!/bin/sh
# Plants one mistake for each rule of lint.sh into a small clean tree; the rule must hold before and fail after, naming the file.
#     sh lint_self_test.sh LINT.sh
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
lint=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
failed=0 clean=""

make_tree() { # a clean tree
    mkdir -p "$work/t/cmake" "$work/t/docs" "$work/t/.ci"
    cd "$work/t"
    for f in demo check; do printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nexport LC_ALL=C\n' >$f; chmod +x $f; done
    for f in .ci/run .ci/fresh; do printf '#!/usr/bin/env bash\n# SPDX-License-Identifier: Apache-2.0\nexport LC_ALL=C\n' >$f; chmod +x $f; done
    printf '/* SPDX-License-Identifier: Apache-2.0 */\nint x;\n' >a.c
    printf '# Top part\n[page](docs/40-setup.md#what-is-needed), [here](#top-part)\n```\n./demo\ntern fly --high 3\n```\n' >README.md
    # shellcheck disable=SC2016
    printf '# What is needed\n| package | x |\n|---|---|\n| `gcc` | x |\n' >docs/40-setup.md
    printf '# list\ngcc | build | - | cc --version | x\n' >cmake/packages.txt
    mkdir -p tests/setup
    printf '# list\n\\bworth (its|their) while\\b | worthwhile\n' >tests/setup/phrases.txt
    printf '#!/bin/sh\n[ "$1" = fly ] && echo "--high N"\n' >"$work/tern"
    chmod +x "$work/tern"
    cp -a "$work/t" "$work/clean"
}
tree() {
    rm -rf "$work/t"
    cp -a "$work/clean" "$work/t"
    cd "$work/t"
}
catch() { # RULE PLACE: the rule must hold in the clean tree, and fail and name the place after plant()
    tree
    case " $clean " in *" $1 "*) ;; *) # once for each rule: it is the same tree
        sh "$lint" "$1" . "$work/tern" >"$work/out" 2>&1 || { echo "lint.$1 fails in a clean tree:"; cat "$work/out"; failed=1; return; }
        clean="$clean $1" ;;
    esac
    plant
    if sh "$lint" "$1" . "$work/tern" >"$work/out" 2>&1; then
        echo "lint.$1 missed a mistake in $2"; failed=1
    elif ! grep -qF -e "$2" "$work/out"; then
        echo "lint.$1 does not name $2:"; cat "$work/out"; failed=1
    fi
}
make_tree
plant() { printf '// see http:/%s\n' /example.invalid/x >>a.c; };      catch addresses a.c
plant() { printf 'from %s.example.org\n' deb >>README.md; };                 catch addresses README.md
plant() { printf 'see /%s/me/x\n' home >>README.md; };                       catch paths README.md
plant() { printf '/* %s later */\n' TODO >>a.c; };                           catch unfinished a.c
plant() { mkdir -p sim && echo 'json_object_set_new(o, "n", v);' >sim/a.c; };  catch json sim/a.c
plant() { mkdir -p sim && echo 'x = json_pack("{}");' >sim/a.c; };            catch json sim/a.c
plant() { echo 'int y;' >b.h; };                                             catch licence b.h
plant() { awk 'BEGIN { for (i = 0; i < 701; ++i) print "" }' >>a.c; };       catch length a.c
plant() { echo '[x](docs/none.md)' >>README.md; };                           catch links README.md
plant() { echo '[x](docs/40-setup.md#nothing)' >>README.md; };               catch links README.md
plant() { echo 'cmake | build | - | cmake --version | x' >>cmake/packages.txt; }; catch packages cmake
plant() { echo 'if' >>check; };                                              catch scripts check
plant() { chmod -x demo; };                                                  catch scripts demo
plant() { sed -i /LC_ALL/d check; };                                         catch scripts check
plant() { echo 'iverilog -o /dev/null a.v' >>docs/40-setup.md; };               catch scripts docs/40-setup.md
plant() { printf 'echo\n' >x.sh; };                                          catch scripts x.sh
plant() { mkdir -p sim; printf '/* SPDX */\ndouble x = strtod(s, &e);\n' >sim/a.c; };  catch locale sim/a.c:2
plant() { mkdir -p runtime/data; printf 'x\nsnprintf(b, sizeof b, "%%.9g", x);\n' >runtime/data/a.c; }; catch locale runtime/data/a.c:2
plant() { mkdir -p tests; echo 'set_tests_properties(a PROPERTIES LABELS b TIMEOUT 599)' >tests/CMakeLists.txt; }; catch timeouts tests/CMakeLists.txt:1
plant() { mkdir -p tests; printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\nx() { timeout 120 "$1"; }\n' >tests/x.sh; }; catch timeouts tests/x.sh:3
plant() { mkdir -p tests; printf '#!/bin/sh\ntimeout -s KILL 9 y\n' >tests/x.sh; }; catch timeouts tests/x.sh:2
plant() { mkdir -p tests; printf '#!/bin/sh\n[ $(($(date +%%s) - a)) -lt 20 ]\n' >tests/x.sh; }; catch timeouts tests/x.sh:2
plant() { echo 'It is worth its while.' >>README.md; };                      catch phrases README.md:7
plant() { echo '/* Worth their while */' >>a.c; };                           catch phrases 'write: worthwhile'
plant() { rm tests/setup/phrases.txt; };                                     catch phrases phrases.txt
plant() { awk 'BEGIN { for (i = 0; i < 30; ++i) printf "words "; print "" }' >>README.md; }; catch columns README.md:7
plant() { awk 'BEGIN { for (i = 0; i < 121; ++i) printf "/"; print "" }' >>a.c; };  catch columns 'a.c:3: 121 columns'
plant() { awk 'BEGIN { for (i = 0; i < 121; ++i) printf "/"; print "" }' >a.v; };   catch columns 'a.v:1: 121 columns'
plant() { printf '```\ntern swim\n```\n' >>README.md; };                     catch commands README.md
plant() { printf '```\ntern fly --low\n```\n' >>README.md; };                catch commands README.md
plant() { printf '```\n./none\n```\n' >>README.md; };                        catch commands README.md
[ "$failed" -eq 0 ] && echo "every rule caught its mistake"
exit "$failed"
