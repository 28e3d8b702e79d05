#!/bin/bash
# A module includes only modules below it. Scenes include, beside public headers, only modules that
# know nothing of simulation. The viewer and the command include public headers, the command also the
# viewer, and three internal headers that have nothing to do with simulation ($tools).
# usage: layers.sh SOURCE_DIR
set -u
cd "$1" || exit 1
modules="base math sparse spatial mesh kinematics energy contact minimize model collision dynamics scene import result render record export report"
tools="base/text.h base/file.h render/chart.h"
below="pliant"
bad=0
for module in $modules viewer app; do
    below="$below $module"
    case $module in
    scene) allowed="pliant base math scene" ;;
    import) allowed="pliant base math import" ;;
    viewer) allowed="pliant base render viewer" ;;
    app) allowed="pliant base render viewer app" ;;
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
for file in src/viewer/*.[ch] src/app/*.[ch]; do
    for header in $(sed -n 's/^#include "\(\(base\|render\)\/.*\)"/\1/p' "$file"); do
        case " $tools " in
        *" $header "*) ;;
        *) echo "$file includes $header, which is not for programs"; bad=1 ;;
        esac
    done
done
for file in include/pliant/*.h; do
    grep -n '^#include "' "$file" | grep -v '"pliant/' && { echo "$file includes internals"; bad=1; }
done
[ $bad -eq 0 ] && echo "layers are in order"
exit $bad
