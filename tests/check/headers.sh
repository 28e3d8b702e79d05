#!/bin/bash
# Every header compiles alone: public ones as C17 and C++17, internal ones as C17; so does the example of
# the README, and what programs start a pli_error with.
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
example=$(sed -n '/^```c$/,/^```$/{/^```/d;p}' README.md)
case $example in *"int main(void)"*) ;; *) echo "README.md has no example in C"; bad=1 ;; esac
flags="-Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only"
echo "$example" | "$cc" -std=c17 $flags -x c - || bad=1
echo "$example" | g++ -std=c++17 $flags -x c++ - || bad=1
error='#include "pliant/pliant.h"
int test(void); int test(void) { pli_error a = PLI_NO_ERROR, b = {0}; return a.status + b.line; }'
echo "$error" | "$cc" -std=c17 $flags -x c - || bad=1
echo "$error" | g++ -std=c++17 $flags -Wno-missing-field-initializers -x c++ - || bad=1
exit $bad
