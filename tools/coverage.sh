#!/bin/bash
# Which lines the tests reached: a line per module, then the files with the most lines that none
# did. BUILD_FOLDER/coverage.html shows them line by line.
#   tools/coverage.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
gcovr --root . --object-directory "$build" --filter src/ --exclude-unreachable-branches \
    --html-details "$build/coverage.html" --csv "$build/coverage.csv" > /dev/null
# filename,line_total,line_covered,...
awk -F, 'NR > 1 {
        split($1, path, "/")
        total[path[2]] += $2; covered[path[2]] += $3; all += $2; reached += $3
    }
    END {
        order = split("base math sparse mesh kinematics energy contact minimize dynamics scene io app", names, " ")
        for (i = 1; i <= order; ++i)
            if (total[names[i]]) printf "coverage %-11s %6d lines  %5.1f %%\n", names[i], total[names[i]], 100 * covered[names[i]] / total[names[i]]
        printf "coverage %-11s %6d lines  %5.1f %%\n", "all", all, 100 * reached / all
    }' "$build/coverage.csv"
echo "most lines that no test reaches:"
awk -F, 'NR > 1 && $2 > $3 {printf "  %5d of %5d  %s\n", $2 - $3, $2, $1}' "$build/coverage.csv" | sort -rn | head -15
