#!/bin/bash
# Every shipped scene is checked without findings, makes its first steps, and leaves a picture; every
# scheme and every energy is shown by one of them.
# usage: test_scenes.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
. "$(dirname "$0")/expect.sh"

scenes=$(find "$source/scenes" -name '*.json' ! -name '*.schema.json' | sort)
[ "$(echo "$scenes" | wc -l)" -ge 30 ] || fail "only $(echo "$scenes" | wc -l) scenes"
for scene in $scenes; do
    expect 0 "$pliant" check "$scene"
    ! grep -qi "warning" out err || { fail "$scene has warnings"; cat out err; }
    expect 0 "$pliant" run "$scene" --verify -q -n 2 -o run
    says run/stats.jsonl '"step":2,'
    says run/stats.jsonl '"kept":true'
    [ -s run/preview.svg ] || fail "$scene leaves no preview.svg"
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
