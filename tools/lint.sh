#!/bin/bash
# make lint: clang-tidy (settings: .clang-tidy) and cppcheck over the library, the command and the
# mesher, in parallel. Ends with 1 and the findings if there are any.
#   tools/lint.sh BUILD_FOLDER JOBS [FILE...]
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1 jobs=$2
shift 2
files=("$@")
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files 'src/*.c')
for tool in clang-tidy cppcheck; do
    command -v $tool > /dev/null || { echo "lint: $tool is missing: apt-get install $tool"; exit 1; }
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT

printf '%s\n' "${files[@]}" |
    xargs -P "$jobs" -n 4 clang-tidy -p "$build" --quiet 2> /dev/null | tee -a "$log"

# uninitvar, objectIndex: it does not see that a function fills an array, nor that a pointer to an
# element of an array is one to the next as well; the compilers and valgrind look for both.
cppcheck --quiet -j "$jobs" --std=c11 --language=c --enable=warning,performance,portability \
    --inline-suppr --suppress=uninitvar --suppress=objectIndex \
    -I src -I include "${files[@]}" 2>&1 | tee -a "$log"

if grep -qE '(error|warning|style|performance|portability):' "$log"; then
    echo "lint: findings above"
    exit 1
fi
echo "lint: ${#files[@]} files clean"
