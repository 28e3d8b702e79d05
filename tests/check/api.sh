#!/bin/bash
# The code blocks of docs/API.md, put together, are a program: it compiles against the public headers
# without warnings, runs and ends well. usage: api.sh LIBPLIANT_SO SOURCE_DIR CC [COMPILE_FLAGS]
set -eu
library=$1 source=$2 cc=$3 flags=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$source/docs/API.md" > "$folder/api.c"
[ "$(wc -l < "$folder/api.c")" -gt 200 ] || { echo "docs/API.md has no program"; exit 1; }
$cc -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Werror $flags -I"$source/include" "$folder/api.c" \
    -o "$folder/api" "$library"
LD_LIBRARY_PATH=$(dirname "$library") "$folder/api"
