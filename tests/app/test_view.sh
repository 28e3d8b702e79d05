#!/bin/sh
# pliant view, driven by a client in Python (view_client.py).
program=$1
source=$2
here=$(dirname "$0")
if "$program" view /nowhere 2>&1 | grep -q "built without its viewer"; then
    echo "skipped: built without its viewer"
    exit 77
fi
if ! command -v python3 > /dev/null; then
    echo "skipped: there is no python3"
    exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
status=0
for test in view_play view_abuse; do
    python3 "$here/$test.py" "$program" "$source" || status=1
done
"$program" view /nowhere > /dev/null 2>&1
[ $? -eq 2 ] || { echo "FAILED: a scene that is not there"; status=1; }
"$program" view --port 70000 > /dev/null 2>&1
[ $? -eq 2 ] || { echo "FAILED: --port 70000"; status=1; }
exit $status
