# zsh_offers.zsh FOLDER WORK LINE... : what an interactive zsh offers at the end of each line, a word a line, then END
# SPDX-License-Identifier: Apache-2.0
#
# FOLDER has the file _tern, as a folder of fpath; WORK is for files of this script, which the caller removes. The
# shell runs on a pseudo-terminal, because completion needs a line editor. The words are taken where they are handed to
# it, so that nothing of the screen has to be understood.
zmodload zsh/zpty || exit 1
out=$2
cat >$out/init <<'INNER'
PS1= PS2= RPS1= LISTMAX=100000
unset zle_bracketed_paste
fpath=($TERN_FOLDER $fpath)
autoload -Uz compinit
compinit -D -u
compadd() {
    local -a hits
    # asked for itself by a function of completion: nothing is offered
    [[ -n ${@[(r)-[OAD]*]} ]] || { builtin compadd -A hits "$@"; print -rl -- $hits >>$TERN_OUT/words }
    builtin compadd "$@"
}
ended() { print -r -- END >>$TERN_OUT/words }
comppostfuncs=(ended)
: >$TERN_OUT/ready
INNER
export TERN_FOLDER=$1 TERN_OUT=$out
shift 2
for line in "$@"; do # a shell each, so that no line sees what another has left
    : >$out/words
    rm -f $out/ready
    zpty inner zsh -f -i
    zpty -w inner ". ${(q)out}/init" # the folder may have blanks
    for (( i = 0; i < 1200; ++i )) { [[ -e $out/ready ]] && break; sleep 0.1 }
    [[ -e $out/ready ]] || { print "zsh_offers: the inner shell does not start" >&2; exit 1 }
    zpty -w -n inner "$line"$'\t'
    for (( i = 0; i < 1200; ++i )) { [[ $(<$out/words) == *END* ]] && break; sleep 0.05 }
    cat $out/words
    zpty -d inner
    [[ $(<$out/words) == *END* ]] || { print "zsh_offers: nothing comes at: $line" >&2; exit 1 }
done
