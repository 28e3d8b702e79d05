#!/bin/bash
# Memory of the command: what check predicts against what the process takes, and --memory, which
# refuses a run beforehand or stops it cleanly.
# usage: test_memory.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
bar=$source/bench/scenes/bar_3k.json
rods=$source/scenes/twisted_rods.json
. "$(dirname "$0")/expect.sh"

# ---- sizes
for size in 4 0 x -3G 4Q 4GG 1e30 100K "" nan; do
    expect 2 "$pliant" check --memory="$size" "$bar"
    says err "must be a size like 512M, 4G or 1.5GiB"
done
expect 2 "$pliant" check --memory 2M "$bar"
says err "--memory: the program"
# What the program itself has is more in a build with a sanitizer.
some=$(sed -n 's/.*needs \([0-9.]*\) MB.*/\1/p' err | awk '{printf "%.0fM", $1 + 67}')
for size in 4G 4g; do # units are capital letters
    expect $([ $size = 4G ] && echo 0 || echo 2) "$pliant" check --memory $size "$bar"
done
expect 0 "$pliant" check --memory 0.5GiB "$bar"

# ---- what check predicts is what the process takes, within 20 %: `near OPTIONS...`
near() {
    expect 0 "$pliant" check "$bar" -t 2 "$@"
    local predicted=$(awk '$1 == "memory" && $2 == "about" {print $3}' out)
    expect 0 "$pliant" run "$bar" -n 2 -t 2 -o near --overwrite "$@"
    local taken=$(awk '$1 == "memory" {print $(NF - 4)}' out)
    awk -v p="$predicted" -v t="$taken" 'BEGIN {exit !(p > 0.8 * t && p < 1.2 * t)}' ||
        fail "predicted $predicted MB, took $taken MB: $*"
}
large='bodies[0].mesh.segments=[30,9,9]'
if ! ldd "$(dirname "$pliant")"/libpliant.so 2>/dev/null | grep -qE "libasan|libtsan|libubsan"; then
    cholesky=$("$pliant" help solver | grep -o '^ *cholesky ' || true) # where CHOLMOD is linked
    for linear in multifrontal $cholesky pcg auto; do
        near --set solver.linear=$linear --set "$large"
    done
    near --set solver.linear=pcg --set solver.preconditioner=multilevel --set "$large"
    near --set 'bodies[0].mesh.order=2' --set 'bodies[0].mesh.segments=[10,6,6]'
fi

# ---- refused before anything is written
expect 2 "$pliant" run "$bar" --memory $some --set "$large" -o refused
says err "the run needs about"
says err "--memory allows ${some%M} MB"
says err "--memory"
[ ! -e refused ] || fail "a run that was refused has made its folder"
expect 2 "$pliant" check "$bar" --memory $some --set "$large"
says err "the run needs about"
huge='bodies[0].mesh.segments=[90,27,27]'
expect 2 "$pliant" run "$bar" --memory $some --set "$huge" -o refused
says err "the limit is ${some%M} MB"
# auto does without the factor that would not fit.
expect 0 "$pliant" run "$bar" --memory $some --set "$large" --set solver.linear=auto -n 1 -o fits
expect 2 "$pliant" study "$bar" --memory $some --set "$huge" -o refused

# ---- contact grows beyond the limit: a clean stop, and all before it is there
lean=(-t 1 --set output.preview_frames=0 --set output.frame_every=1)
expect 0 "$pliant" check "$rods" "${lean[@]}"
says out "at least"
says out "; contact"
limit=$(awk '$1 == "memory" {print int($4 + 2.5)}' out) # [MB]; what the program itself has depends on the build
expect 1 "$pliant" run "$rods" "${lean[@]}" --memory "${limit}M" -n 60 -o stopped
says err "out of memory:"
says err "the limit is $limit MB"
says err "--memory"
steps=$(wc -l <stopped/stats.jsonl)
frames=$(ls stopped/frame_*.vtu | wc -l)
[ "$steps" -gt 3 ] && [ "$frames" -eq $((steps + 1)) ] || fail "$steps steps, $frames frames"
[ "$(grep -c DataSet stopped/run.pvd)" -ge "$frames" ] || fail "run.pvd lists fewer than $frames frames"
expect 0 "$pliant" export stopped -f obj -o exported
[ "$(ls exported/*.obj | wc -l)" -eq "$frames" ] || fail "frames of a stopped run cannot be read"

[ $failures -eq 0 ] && echo "all expectations met"
exit $((failures > 0))
