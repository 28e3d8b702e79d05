#!/bin/sh
# Builds the fuzz targets with libFuzzer and the address and undefined sanitizers, and runs each of
# them (or the named ones) for SECONDS, one after the other. Inputs with new coverage are kept in
# build-fuzz/corpus/NAME; failing inputs are written to build-fuzz/found/NAME.
# usage: fuzz.sh SECONDS "NAME ..." JOBS
set -eu
cd "$(dirname "$0")/.."
seconds=$1 names=$2 jobs=$3
cmake --preset fuzz > /dev/null
cmake --build build-fuzz --target fuzz_targets -j "$jobs" -- --no-print-directory
[ -n "$names" ] || names=$(ls tests/fuzz/target_*.c | sed 's/.*target_\(.*\)\.c/\1/')

# Dictionary for scenes and expressions: every key and word of the schema.
dict=build-fuzz/words.dict
grep -o '"[A-Za-z_][A-Za-z0-9_-]*"' scenes/pliant.schema.json | sort -u | sed 's/"\(.*\)"/"\\"\1\\""/' > "$dict"

failures=0
for name in $names; do
    corpus=build-fuzz/corpus/$name found=build-fuzz/found/$name
    mkdir -p "$corpus" "$found"
    seeds=tests/fuzz/corpus/$name words=""
    case $name in scene | steps) words="-dict=$dict -max_len=4096" seeds="$seeds tests/fuzz/corpus/scene" ;; esac
    echo "== $name, $seconds s"
    UBSAN_OPTIONS=print_stacktrace=1 "build-fuzz/tests/fuzz_$name" -max_total_time="$seconds" \
        -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$found/" $words \
        "$corpus" $seeds > "build-fuzz/$name.log" 2>&1 || failures=1
    grep -E '^(stat::(number_of_executed_units|average_exec_per_sec)|SUMMARY|.*does not hold)' "build-fuzz/$name.log" || true
    ls "$found" | grep -q . && { echo "found: $found"; failures=1; }
done
exit $failures
