#!/bin/bash
# What steps a world takes nothing from the mathematical library but functions that are exact, so
# that bits do not depend on it; src/math/elementary.h has the others.
# usage: elementary.sh COMPILER ARCHIVE...
set -u
exact="sqrt|sqrtf|fabs|floor|ceil|round|lround|nearbyint|fma|fmin|fmax|fminf|fmaxf|frexp|ldexp|copysign|nextafter|trunc|rint|fmod"
library=$($1 -print-file-name=libm.so.6)
shift
# Sanitizers may bring others: only what the library and the C library for mathematics both name.
known=$(nm -D --defined-only "$library" | awk '{sub(/@.*/, "", $NF); print $NF}' | sort -u)
[ -n "$known" ] || { echo "nothing found in $library"; exit 1; }
bad=""
for archive in "$@"; do
    used=$(nm -u "$archive" | awk '$1 == "U" {print $2}' | sort -u | grep -vxE "$exact")
    bad="$bad$(comm -12 <(echo "$used") <(echo "$known") | sed "s|^|$(basename "$archive"): |")"
done
[ -z "$bad" ] || { echo "inexact functions of the C library:"; echo "$bad"; exit 1; }
echo "exact functions only"
