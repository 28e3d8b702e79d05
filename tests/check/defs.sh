#!/bin/bash
# Every public def begins with its size, and is in the table of tests/report/test_defs.c. Those inside
# another def are tested with it; pli_run_def is a result that the library fills in; pli_node_def comes
# from energies, whose table has one exact version.
# usage: defs.sh SOURCE_DIR
set -u
cd "$1" || exit 1
bad=0 count=0
for name in $(sed -n 's/^typedef struct \(pli_[a-z_]*_def\) {$/\1/p' include/pliant/*.h); do
    [ "$name" = pli_node_def ] && continue
    count=$((count + 1))
    first=$(grep -h -A1 "^typedef struct $name {\$" include/pliant/*.h | tail -1)
    case $first in
    "    size_t size;"*) ;;
    *) echo "$name does not begin with its size"; bad=1 ;;
    esac
    short=${name#pli_} short=${short%_def}
    case $short in run | solver | contact) continue ;; esac
    grep -q "^PLI_API void pli_${short}_def_init($name\* def);" include/pliant/*.h ||
        { echo "$name has no pli_${short}_def_init"; bad=1; }
    grep -q "pli_default_${short}_def(void)\|^PLI_DEFAULT_DEF($short)" include/pliant/*.h ||
        { echo "$name has no pli_default_${short}_def"; bad=1; }
    grep -qE "ROW\($short,|\"$short\", sizeof\($name\)" tests/report/test_defs.c || { echo "$name is not tested"; bad=1; }
done
[ "$count" -gt 10 ] || { echo "defs were not found"; bad=1; }
[ $bad -eq 0 ] && echo "$count defs begin with their size"
exit $bad
