#!/bin/bash
# Builds the library in several ways and runs tests/repeat/golden.txt with each: the results must equal
# the table bit by bit. Machines without wide registers or fused operations are emulated.
# usage: repeat.sh FOLDER JOBS
set -u
folder=$1
jobs=$2
cd "$(dirname "$0")/.." || exit 2
bad=0

# name, compiler, flags, widest registers in doubles
builds="
gcc-O2    gcc    -O2                        8
gcc-O3    gcc    -O3                        8
gcc-sse2  gcc    -O3                        2
gcc-avx2  gcc    -O3                        4
gcc-v3    gcc    -O3,-march=x86-64-v3       8
clang-O2  clang  -O2                        8
clang-O3  clang  -O3                        8
clang-sse2 clang -O2                        2
"

run() { # name, environment, build: prints the number of matching rows
    result=$(env "$2" "$folder/$3/pliant_repeat" -f -t 1 tests/repeat/golden.txt . 2>&1) || bad=1
    printf '%-28s %s\n' "$1" "$(echo "$result" | tail -n 1)"
    echo "$result" | head -n -1 | sed 's/^/    /'
}

while read -r name compiler flags lanes; do
    [ -n "$name" ] || continue
    build=$compiler${flags//[,=]/} # builds that differ only in registers share most objects
    command -v "$compiler" > /dev/null || { echo "$name: $compiler is not installed, skipped"; continue; }
    {
        cmake -S . -B "$folder/$build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$compiler" \
            -DCMAKE_C_FLAGS="${flags//,/ }" -DPLIANT_LANES="$lanes" -DPLIANT_TESTS=OFF -DPLIANT_VIEWER=OFF &&
            cmake --build "$folder/$build" --target pliant_repeat -j "$jobs"
    } > "$folder-$name.log" 2>&1 || { cat "$folder-$name.log"; exit 1; }
    rm -f "$folder-$name.log"
    run "$name" "LC_ALL=C" "$build"
done <<< "$builds"

# The C library and the BLAS with the kernels of older machines.
run "gcc-O2, no FMA, no AVX2" \
    "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-FMA_Usable,-FMA,-FMA4,-AVX512F,-AVX512VL" gcc-O2
run "gcc-O2, another BLAS kernel" "OPENBLAS_CORETYPE=NEHALEM" gcc-O2
exit $bad
