#!/bin/sh
# docs/GALLERY.md names every shipped scene, and the pictures and scenes it points to are there.
# usage: gallery.sh SOURCE_FOLDER
set -eu
cd "$1"
page=docs/GALLERY.md
failures=0
for scene in scenes/*.json scenes/tutorial/*.json; do
    name=$(basename "$scene" .json)
    [ "$name" = pliant.schema ] && continue
    grep -q "$name" "$page" || { echo "$page has no word about $scene"; failures=1; }
done
for link in $(grep -o '](\(pictures\|\.\./scenes\)/[^)]*)' "$page" | sed 's/^](//; s/)$//'); do
    [ -e "docs/$link" ] || { echo "$page: $link is not there"; failures=1; }
done
exit $failures
