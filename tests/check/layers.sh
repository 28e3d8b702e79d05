#!/bin/bash
# A module includes only modules below it, the command only public headers, and scenes beside those
# only what knows nothing of simulation.
# usage: layers.sh SOURCE_DIR
set -u
cd "$1" || exit 1
modules="base math sparse mesh kinematics spatial energy contact minimize model dynamics scene io"
below="pliant"
bad=0
for module in $modules app; do
    below="$below $module"
    case $module in
    app) allowed="pliant app" ;;
    scene) allowed="pliant base math scene" ;;
    *) allowed="$below" ;;
    esac
    for file in src/"$module"/*.[ch]; do
        for include in $(sed -n 's/^#include "\([a-z_]*\)\/.*/\1/p' "$file" | sort -u); do
            case " $allowed " in
            *" $include "*) ;;
            *) echo "$file includes $include/, which is not below $module"; bad=1 ;;
            esac
        done
        if grep -q '^#include "[a-z_]*\.h"' "$file"; then
            echo "$file includes a header without its module"; bad=1
        fi
    done
done
for file in include/pliant/*.h; do
    grep -n '^#include "' "$file" | grep -v '"pliant/' && { echo "$file includes internals"; bad=1; }
done
[ $bad -eq 0 ] && echo "layers are in order"
exit $bad
