#!/bin/sh
# Makes the pictures of the documentation anew: docs/pictures/<scene>.svg from the shipped scenes, or
# from those that are named. Scenes in space get fewer pictures, because each is large.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ $# -gt 0 ] || set -- scenes/*.json scenes/tutorial/*.json
for scene; do
    name=$(basename "$scene" .json)
    [ "$name" = pliant.schema ] && continue
    frames=8
    grep -q '"dimension": 3' "$scene" && frames=4
    build/pliant run "$scene" --quiet --set output.preview_frames=$frames -o "$folder/$name"
    cp "$folder/$name/preview.svg" "docs/pictures/$name.svg"
    echo "docs/pictures/$name.svg"
done
