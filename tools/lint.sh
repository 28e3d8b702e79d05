#!/bin/bash
# make lint: clang-tidy (settings: .clang-tidy) and cppcheck over the library, the command and the
# mesher, in parallel. Ends with 1 if there are findings, or if a tool fails.
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

# What is not built (the mesher where Gmsh is missing) lacks its headers.
files=()
for file in "${all[@]}"; do
    if grep -qF "/$file\"" "$build/compile_commands.json"; then
        files+=("$file")
    else
        echo "lint: $file is not built here, so it is left out"
    fi
done

# How many warnings there were before the settings took most of them away is no news.
{ printf '%s\n' "${files[@]}" | xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet; } \
    2> >(grep -vE '^[0-9]+ warnings? (and [0-9]+ errors? )?generated\.$' >&2) || good=false

# uninitvar, objectIndex: it does not see that a function fills an array, nor that a pointer to an
# element of an array is one to the next as well; the compilers and valgrind look for both.
cppcheck --quiet -j "$jobs" --std=c11 --language=c --enable=warning,performance,portability \
    --inline-suppr --suppress=uninitvar --suppress=objectIndex --error-exitcode=1 \
    -I src -I include "${files[@]}" || good=false

$good || { echo "lint: findings above"; exit 1; }
echo "lint: ${#files[@]} files clean"
