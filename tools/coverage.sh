#!/bin/bash
# Test coverage: the files with the most uncovered lines, then lines and branches per module.
# BUILD_FOLDER/coverage.html shows each line, BUILD_FOLDER/untested.txt lists uncovered lines. Fails if
# a module of the library is below LEAST percent.
#   tools/coverage.sh BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
LEAST=90
gcovr --root . --object-directory "$build" --filter src/ --exclude-unreachable-branches \
    --html-details "$build/coverage.html" --csv "$build/coverage.csv" --txt "$build/untested.txt" > /dev/null
echo "files with the most uncovered lines:"
awk -F, 'NR > 1 && $2 > $3 {printf "  %5d of %5d  %s\n", $2 - $3, $2, $1}' "$build/coverage.csv" | sort -rn | head -15
# filename, lines: total, covered, fraction, branches: total, covered, fraction, ...
awk -F, -v least=$LEAST 'NR > 1 {
        split($1, path, "/")
        total[path[2]] += $2; covered[path[2]] += $3; branches[path[2]] += $5; taken[path[2]] += $6
        total["all"] += $2; covered["all"] += $3; branches["all"] += $5; taken["all"] += $6
    }
    END {
        count = split("base math sparse mesh kinematics spatial energy contact minimize model collision dynamics scene result render record export report viewer app mesher all", names, " ")
        for (i = 1; i <= count; ++i) {
            m = names[i]
            if (!total[m]) continue
            part = 100 * covered[m] / total[m]
            printf "coverage %-11s %6d lines  %5.1f %%  branches %5.1f %%\n", m, total[m], part, 100 * taken[m] / branches[m]
            if (i <= 11 && part < least) { printf "coverage of %s is below %d %%\n", m, least; low = 1 }
        }
        exit low
    }' "$build/coverage.csv"
