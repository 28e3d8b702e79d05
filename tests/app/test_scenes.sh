#!/bin/bash
# Every shipped scene is checked without findings, makes its first steps, leaves a picture and is in
# the gallery, whose pictures are there; every scheme and every energy is shown by one of them.
# usage: test_scenes.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
. "$(dirname "$0")/expect.sh"

scenes=$(find "$source/scenes" -name '*.json' ! -name '*.schema.json' | sort)
[ "$(echo "$scenes" | wc -l)" -ge 30 ] || fail "only $(echo "$scenes" | wc -l) scenes"
for scene in $scenes; do
    expect 0 "$pliant" check "$scene"
    ! grep -qi "warning" out err || { fail "$scene has warnings"; cat out err; }
    expect 0 "$pliant" run "$scene" --verify -q -n 2 -o run --overwrite
    says run/stats.jsonl '"step":2,'
    says run/stats.jsonl '"kept":true'
    [ -s run/preview.svg ] || fail "$scene leaves no preview.svg"
done

# The gallery: each scene or its folder is linked, each link leads somewhere.
gallery=$source/docs/GALLERY.md
for scene in $scenes; do
    link=../${scene#"$source"/}
    grep -qF "]($link)" "$gallery" || grep -qF "]($(dirname "$link"))" "$gallery" ||
        fail "docs/GALLERY.md does not show $link"
done
for link in $(grep -o '](\.*[a-z/][^)]*)' "$gallery" | tr -d ']()'); do
    [ -e "$source/docs/$link" ] || fail "docs/GALLERY.md: there is no $link"
done

# named WORDS...: some scene names each of them.
named() {
    for word in "$@"; do
        grep -qF "\"$word\"" $scenes || fail "no scene shows \"$word\""
    done
}
named $("$pliant" help time | sed -n 's/^  scheme: \(.*\); default.*/\1/p' | tr -d '",')
named spring hooke arap fixed-corotated neo-hookean stable-neo-hookean st-venant-kirchhoff linear \
    volume viscosity drag force traction pressure

[ $failures -eq 0 ] && echo "all expectations met"
exit $((failures > 0))
