#!/bin/sh
# Regenerates the pictures of the documentation: docs/pictures/<scene>.svg for the shipped scenes whose
# picture is in README.md or docs/*.md, or for the named ones. Scenes in space get fewer frames,
# because each is large.
# usage: [PLIANT=build/pliant] tools/pictures.sh [SCENE...]
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ $# -eq 0 ]; then
    for scene in scenes/*.json scenes/tutorial/*.json; do
        picture=pictures/$(basename "$scene" .json).svg
        grep -qF "$picture" README.md docs/*.md && set -- "$@" "$scene"
    done
fi
for scene; do
    name=$(basename "$scene" .json)
    frames=10
    grep -q '"dimension": 3' "$scene" && frames=4
    "${PLIANT:-build/pliant}" run "$scene" --quiet --set output.preview_frames=$frames \
        -o "$folder/$name"
    cp "$folder/$name/preview.svg" "docs/pictures/$name.svg"
    echo "docs/pictures/$name.svg $(wc -c < "docs/pictures/$name.svg")"
done
