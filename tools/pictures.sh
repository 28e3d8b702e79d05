#!/bin/sh
# Makes the pictures of the documentation anew: docs/pictures/<scene>.svg from the shipped scenes.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for scene in scenes/*.json scenes/tutorial/*.json; do
    name=$(basename "$scene" .json)
    [ "$name" = pliant.schema ] && continue
    build/pliant run "$scene" --quiet -o "$folder/$name"
    [ -e "$folder/$name/preview.svg" ] || continue # only plane scenes have one
    cp "$folder/$name/preview.svg" "docs/pictures/$name.svg"
    echo "docs/pictures/$name.svg"
done
