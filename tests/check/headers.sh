#!/bin/bash
# Every header compiles alone: public ones as C17 and C++17, internal ones as C17.
# usage: headers.sh SOURCE_DIR CC
set -u
cd "$1" || exit 1
cc=$2
bad=0
for header in include/pliant/*.h; do
    name=${header#include/}
    echo "#include \"$name\"" |
        "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c - || bad=1
    echo "#include \"$name\"" |
        g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ - || bad=1
done
for header in src/*/*.h; do
    echo "#include \"${header#src/}\"" |
        "$cc" -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude -Isrc -fsyntax-only -x c - || bad=1
done
exit $bad
