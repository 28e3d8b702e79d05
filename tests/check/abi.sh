#!/bin/bash
# The binary interface: every exported symbol is listed in abi.txt and declared in a public header, and
# nothing else is; public structs have the recorded size (x86-64) and members; the version of the
# interface is that of abi.txt and of the soname. `--write` records what is there now: see
# docs/VERSIONING.md. usage: abi.sh LIBPLIANT_SO SOURCE_DIR CC [--write]
set -eu
library=$1 cc=$3 write=${4:-}
cd "$2"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

version=$(sed -n 's/^#define PLI_ABI_VERSION //p' include/pliant/base.h)
nm -D --defined-only "$library" | awk '$3 ~ /^pli_/ {print $3}' | sort > "$folder/exported"
grep -h '^PLI_API' include/pliant/*.h | sed 's/ *(.*//; s/.*[ *]//' | sort > "$folder/declared"

# The text of each struct and enum without comments, in one line: "name: members".
cat include/pliant/*.h | sed 's,//.*,,' | tr -s ' \n' '  ' | grep -o 'typedef \(struct\|enum\) pli_[a-z_0-9]* {[^}]*\({[^}]*}[^}]*\)*} pli_[a-z_0-9]*;' |
    sed 's/typedef \(struct\|enum\) \(pli_[a-z_0-9]*\) {\(.*\)} pli_[a-z_0-9]*;/\2:\3/' > "$folder/structs"
{
    echo '#include "pliant/pliant.h"'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    sed 's/:.*//; s/.*/printf("%zu\\n", sizeof(&));/' "$folder/structs"
    echo 'return 0; }'
} > "$folder/sizes.c"
"$cc" -std=c17 -Iinclude "$folder/sizes.c" -o "$folder/sizes"
{
    echo "abi $version"
    sed 's/^/symbol /' "$folder/exported"
    paste -d' ' <(sed 's/:.*//' "$folder/structs") <("$folder/sizes") \
        <(sed 's/^[^:]*://' "$folder/structs" | while read -r members; do cksum <<< "$members" | cut -d' ' -f1; done) |
        sed 's/^/struct /' | sort
} > "$folder/now"

bad=0
diff "$folder/declared" "$folder/exported" > "$folder/diff" ||
    { echo "declared in headers (<) and exported (>) differ:"; cat "$folder/diff"; bad=1; }
readelf -d "$library" | grep -q "SONAME.*\[libpliant\.so\.$version\]" || { echo "the soname does not end with $version"; bad=1; }
[ "$(wc -l < "$folder/structs")" -gt 40 ] || { echo "structs were not found"; bad=1; }
if [ "$write" = --write ]; then
    cp "$folder/now" tests/check/abi.txt
elif [ "$(uname -m)" = x86_64 ] && ! diff tests/check/abi.txt "$folder/now" > "$folder/diff"; then
    echo "the binary interface is not that of tests/check/abi.txt (see docs/VERSIONING.md):"
    cat "$folder/diff"
    bad=1
fi
[ $bad -eq 0 ] && echo "abi $version: $(wc -l < "$folder/exported") symbols, $(wc -l < "$folder/structs") types"
exit $bad
