#!/bin/bash
# make valgrind: every test program and a few short runs of the command under memcheck. Any error or
# leak is a finding; its log is kept in BUILD_FOLDER/valgrind/NAME.log.
#   tools/valgrind.sh BUILD_FOLDER JOBS [SECONDS] [NAME...]
# Memcheck is about 40 times slower: a program that takes more than SECONDS of processor time (default
# 120) is cut off and listed, without findings so far. Valgrind does not support 512-bit registers and
# reports this to the program, which then uses 256-bit ones.
set -u
cd "$(dirname "$0")/.." || exit 2
build=$(realpath "$1") jobs=$2 seconds=${3:-120}
shift $(($# < 3 ? $# : 3))
command -v valgrind > /dev/null || { echo "valgrind is missing: apt-get install valgrind"; exit 1; }
logs=$build/valgrind
rm -rf "$logs"
mkdir -p "$logs/work"

# These count heap calls and the size of the process.
left_out="memory_steady memory_soak"
# Run for memory errors, not for results: oracles in long double, which valgrind computes in 53 bits; a
# program that cannot be started, which it hides from posix_spawn.
inexact=" math_elementary contact_ccd export_export_png "

# one NAME COMMAND...: a finding is any output of valgrind, or an unexpected exit code.
one() {
    local name=$1 code
    shift
    { (
        ulimit -t "$seconds"
        cd "$logs/work" || exit 2
        OPENBLAS_NUM_THREADS=1 exec valgrind -q --error-exitcode=99 --leak-check=full \
            --errors-for-leak-kinds=definite,possible --num-callers=24 \
            --log-file="$logs/$name.log" "$@" > "$logs/$name.out" 2>&1
    ); } 2> /dev/null
    code=$?
    [[ $inexact == *" $name "* ]] && [ $code -lt 99 ] && code=0
    if [ -s "$logs/$name.log" ] || { [ $code -ne 0 ] && [ $code -ne 137 ]; }; then
        echo "FOUND     $name, exit code $code: $logs/$name.log, .out"
    elif [ $code -eq 137 ]; then
        echo "cut off   $name after $seconds s"
    else
        echo "clean     $name"
    fi
}
export -f one
export logs seconds inexact

# The programs to run: a name and a command per line.
list() {
    local program name
    for program in "$build"/tests/*; do
        name=$(basename "$program")
        [ -f "$program" ] && [ -x "$program" ] && [[ $name != *.* ]] || continue
        [[ " $left_out " == *" $name "* ]] && continue
        case $name in
            fuzz_*) echo "$name $program $PWD/tests/fuzz/corpus/${name#fuzz_}" ;;
            *) echo "$name $program" ;;
        esac
    done
    local command=$build/pliant scenes=$PWD/scenes
    echo "run_plane $command run $scenes/tutorial/1_mass_spring.json -n 5 -t 2 -o plane"
    echo "run_space $command run $scenes/twisted_rods.json -n 2 -t 2 -o space"
    echo "check $command check $scenes/twisted_rods.json"
    echo "schema $command schema"
    echo "help $command help scene"
}

wanted=" $* "
list | while read -r name rest; do
    [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || continue
    printf '%s\0' "one $name $rest"
done | xargs -0 -P "$jobs" -I{} bash -c '{}' | tee "$logs/summary"
printf 'left out  %s\n' $left_out | tee -a "$logs/summary"
printf 'valgrind: %d clean, %d cut off, %d left out, %d found\n' "$(grep -c ^clean "$logs/summary")" \
    "$(grep -c '^cut off' "$logs/summary")" "$(grep -c '^left out' "$logs/summary")" \
    "$(grep -c ^FOUND "$logs/summary")"
! grep -q ^FOUND "$logs/summary"
