#!/bin/bash
# make lint: clang-tidy (settings: .clang-tidy) and cppcheck over the library, the command and the
# mesher, in parallel. Exits with 1 if there are findings, or if a tool fails.
#   tools/lint.sh BUILD_FOLDER JOBS [FILE...]
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1 jobs=$2
shift 2
all=("$@")
[ $# -gt 0 ] || mapfile -t all < <(git ls-files 'src/*.c')
for tool in clang-tidy cppcheck; do
    command -v $tool > /dev/null || { echo "lint: $tool is missing: apt-get install $tool"; exit 1; }
done
good=true

# Files that are not built (the mesher without Gmsh) lack their headers and are skipped.
files=()
for file in "${all[@]}"; do
    if grep -qF "/$file\"" "$build/compile_commands.json"; then
        files+=("$file")
    else
        echo "lint: $file is not built here and is skipped"
    fi
done

# Drops the counts of warnings, most of which the settings suppress.
{ printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet; } \
    2> >(grep -vE '^[0-9]+ warnings? (and [0-9]+ errors? )?generated\.$' >&2) || good=false

# uninitvar, objectIndex: cppcheck does not see that a function fills an array, nor that a pointer to
# an array element may be incremented; the compilers and valgrind check both.
cppcheck --quiet -j "$jobs" --std=c11 --language=c --enable=warning,performance,portability \
    --inline-suppr --suppress=uninitvar --suppress=objectIndex --error-exitcode=1 \
    -I src -I include "${files[@]}" || good=false

$good || { echo "lint: findings above"; exit 1; }
echo "lint: ${#files[@]} files clean"
