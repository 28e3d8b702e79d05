#!/bin/sh
# Tests of the Python package: run.sh PYTHON BUILD SOURCE CC FILE. Ends with 77, skipped, and says why if
# Python, NumPy or pytest are not there.
set -eu
python=$1 build=$2 source=$3 cc=$4 file=$5

skip() {
    echo "skipped: $1"
    exit 77
}

[ -x "$python" ] || skip "Python 3 is not installed"
"$python" -c 'import numpy' 2> /dev/null || skip "NumPy is not installed (python3-numpy)"
"$python" -c 'import pytest' 2> /dev/null || skip "pytest is not installed (python3-pytest)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg MPLCONFIGDIR="$folder/mpl"
export PLIANT_BUILD="$build" PLIANT_SOURCE="$source" PLIANT_CC="$cc"
# The bytes of OpenBLAS threads that NumPy starts are of no use here.
export OPENBLAS_NUM_THREADS=1
cd "$folder"
"$python" -m pytest -q -p no:cacheprovider --basetemp="$folder/tmp" "$source/tests/python/$file"
