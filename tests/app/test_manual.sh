#!/bin/bash
# Manual pages and completion of command lines. usage: test_manual.sh PLIANT SOURCE_FOLDER
pliant=$1
. "$(dirname "$0")/expect.sh"

# ---- pages: each command has one, and man reads them without a warning
commands=$("$pliant" help | sed -n 's/^  pliant \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 10 ] || fail "only these commands: $commands"
for page in "" scene $commands; do
    expect 0 "$pliant" manual $page
    cp out page
    silent err
    says page '.SH NAME'
    if command -v groff > /dev/null; then
        groff -man -Tascii -ww page > text 2> warnings || fail "groff cannot read the page of $page"
        [ ! -s warnings ] || { fail "warnings for the page of $page"; cat warnings; }
    fi
done
expect 0 "$pliant" manual run
says out '\-\-output'
expect 2 "$pliant" manual jump
says err 'no manual page "jump"'

# ---- bash: as its completion calls the function
expect 0 "$pliant" completion bash
. ./out
# complete WORD...: what the last word is completed to, in COMPREPLY.
complete_words() {
    COMP_WORDS=(pliant "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _pliant
}
# offers WORD: it is among the completions.
offers() {
    [[ " ${COMPREPLY[*]} " == *" $1 "* ]] || fail "no $1 in \"${COMPREPLY[*]}\" for: ${COMP_WORDS[*]}"
}
touch scene_one.json
mkdir folder
complete_words r
offers run
offers report
complete_words run --th
offers --threads
complete_words run scene_o
offers scene_one.json
complete_words run -o fol
offers folder
complete_words run -o scene
[ -z "${COMPREPLY[*]}" ] || fail "-o takes folders, not ${COMPREPLY[*]}"
complete_words export --to gl
offers gltf
complete_words study -m bd
offers bdf2
complete_words help mes
offers mesh
offers meshes
complete_words completion z
offers zsh
complete_words run --threads ""
[ -z "${COMPREPLY[*]}" ] || fail "--threads takes a number, not ${COMPREPLY[*]}"

# ---- zsh, where it is installed
expect 0 "$pliant" completion zsh
cp out _pliant
says _pliant '#compdef pliant'
if command -v zsh > /dev/null; then
    zsh -n _pliant 2> err || { fail "zsh cannot read its completion"; cat err; }
fi
expect 2 "$pliant" completion fish
says err 'bash or zsh'
expect 2 "$pliant" completion

[ $failures -eq 0 ] && echo "all expectations met"
exit $((failures > 0))
