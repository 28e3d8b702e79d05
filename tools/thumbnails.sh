#!/bin/sh
# Regenerates the thumbnails of the gallery of `pliant view`: docs/pictures/small/<scene>.png, one frame
# of each shipped scene, or of the named ones. AT is the fraction of the run at which it is taken.
# usage: [PLIANT=build/pliant] [AT=0.6] tools/thumbnails.sh [SCENE...]
set -eu
cd "$(dirname "$0")/.."
pliant=${PLIANT:-build/pliant}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ $# -gt 0 ] || set -- scenes/*.json scenes/*/*.json
for scene; do
    grep -q '"bodies"' "$scene" || continue # the schema, a study
    name=${scene#scenes/}
    name=${name%.json}
    case $name in *.schema) continue ;; esac
    picture=docs/pictures/small/$name.png
    mkdir -p "$(dirname "$picture")"
    "$pliant" run "$scene" --quiet -o "$folder/run" || echo "$scene stopped early" >&2
    frames=$(find "$folder/run" -name 'frame_*.vtu' | wc -l)
    frame=$(awk -v n="$frames" -v at="${AT:-0.6}" 'BEGIN { f = int(at * (n - 1) + 0.5); print f < 1 ? 1 : f }')
    "$pliant" export "$folder/run" --to png --every "$frame" --size 320x200 -o "$folder/png" --quiet
    # Frames 0, `frame`, ... were written; takes the second, or the only one.
    cp "$(find "$folder/png" -name '*.png' | sort | head -n 2 | tail -n 1)" "$picture"
    rm -rf "$folder/run" "$folder/png"
    echo "$picture $(wc -c < "$picture")"
done
