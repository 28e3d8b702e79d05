#!/bin/bash
# pliant sweep: values, tables, charts, mistakes, failures, interruptions.
# usage: test_sweep.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
. "$(dirname "$0")/expect.sh"

cat >bar.json <<'END'
{ "time": { "step": 0.01, "steps": 3 }, "gravity": [0, -10],
  "bodies": [ { "name": "bar", "mesh": { "type": "rectangle", "size": [1, 0.2], "segments": [4, 1] },
    "energies": [ { "type": "neo-hookean", "young": 1e6, "poisson": 0.3 } ], "fix": [ { "group": "left" } ] } ] }
END

# ---- a range and a list: all combinations, the first key slowest
expect 0 "$pliant" sweep bar.json --set density=100:300:100 --set poisson=0.1,0.3 -m supports.bar.force.y \
    --measure 'max(iterations)' -o two -j 3
silent err
says out "6 runs, 3 at a time"
says out "results in two: sweep.csv, sweep.svg"
[ "$(head -1 two/sweep.csv)" = 'bodies[0].density,bodies[0].energies[0].poisson,supports.bar.force.y,max(iterations),folder,problem' ] ||
    { fail "head of the table"; head -1 two/sweep.csv; }
[ "$(cut -d, -f1,2 two/sweep.csv | tail -n +2 | tr '\n' ' ')" = "100,0.1 100,0.3 200,0.1 200,0.3 300,0.1 300,0.3 " ] ||
    { fail "order of the runs"; cat two/sweep.csv; }
for file in two/sweep.svg two/sweep-2.svg "two/density=200,poisson=0.3/run.json"; do
    [ -s "$file" ] || fail "no $file"
done
grep -q 'poisson = 0.3' two/sweep.svg || fail "no legend in the chart"

# ---- each run is that of `pliant run`, and any number of jobs gives the same
expect 0 "$pliant" run bar.json -q -o one --set 'bodies[0].density=200' --set 'bodies[0].energies[0].poisson=0.3'
cmp -s one/frame_000003.vtu "two/density=200,poisson=0.3/frame_000003.vtu" || fail "a run differs from pliant run"
expect 0 sh -c "\"$pliant\" sweep - --set density=100:300:100 --set poisson=0.1,0.3 -m supports.bar.force.y \
    -m 'max(iterations)' -o input -j 1 -q <bar.json"
cmp -s two/sweep.csv input/sweep.csv || { fail "the table depends on jobs"; diff two/sweep.csv input/sweep.csv; }

# ---- words have no chart; a last value of a range is included in spite of rounding
expect 0 "$pliant" sweep bar.json --set solver.linear=multifrontal,pcg -m total -o words
says out "no chart: the values of solver.linear are not numbers"
[ ! -e words/sweep.svg ] || fail "a chart of words"
expect 0 "$pliant" sweep bar.json --set poisson=0:0.3:0.1 -n 1 -m total -o range
[ "$(cut -d, -f1 range/sweep.csv | tail -n +2 | tr '\n' ' ')" = "0 0.1 0.2 0.3 " ] || { fail "range"; cat range/sweep.csv; }

# ---- a run that fails is a row with its reason; the others are measured
expect 1 "$pliant" sweep bar.json --set density=100,-1 -m total -o failed
says out "must be > 0"
says failed/sweep.csv 'density=-1,'
grep -q '^100,[-0-9.e]*,density=100,$' failed/sweep.csv || { fail "the run that is right"; cat failed/sweep.csv; }
expect 0 "$pliant" sweep bar.json --set density=100,200 -m supports.bat.force.y -o unknown
says out 'there are bar'

# ---- mistakes end it before anything runs
bad() {
    local text=$1
    shift
    expect 2 "$pliant" sweep "$@" -o bad
    says err "$text"
    [ ! -e bad ] || fail "a folder was made: $*"
}
bad "no key has several values" bar.json -m total
bad "--measure is missing" bar.json --set density=1,2
bad "did you mean max" bar.json --set density=1,2 -m 'mxa(total)'
bad "FIRST:LAST:STEP" bar.json --set density=1:2 -m total
bad "does not lead from first to last" bar.json --set density=1:2:-1 -m total
bad "does not lead from first to last" bar.json --set density=1:2:0 -m total
bad "a value is empty" bar.json --set density=1,,2 -m total
bad "unknown key \"densty\"" bar.json --set densty=1,2 -m total
bad "name one of them" bar.json --set stiffness=1e5,1e6 --set 'bodies[0].energies=[{"type":"anchor","stiffness":2},{"type":"anchor","stiffness":1}]' -m total
bad "must be at most 10000" bar.json --set density=1:1000:1 --set poisson=0:0.4:0.001 -m total
bad "No such file" absent.json --set density=1,2 -m total
expect 2 "$pliant" sweep bar.json --set density=1,2 -m total -o two
says err "--overwrite replaces them"
expect 0 "$pliant" sweep bar.json --set density=1,2 -m total -o two -w -q
[ "$(wc -l <two/sweep.csv)" -eq 3 ] || fail "the table was not replaced"

# ---- default folders do not collide
expect 0 "$pliant" sweep bar.json --set density=1,2 -m total -n 1 -q
expect 0 "$pliant" sweep bar.json --set density=1,2 -m total -n 1 -q
[ -s results/bar_sweep/sweep.csv ] && [ -s results/bar_sweep-2/sweep.csv ] || fail "no results/bar_sweep-2"

# ---- interrupted: its runs end too, and the table says so
"$pliant" sweep bar.json --set density=1,2,3 -m total -n 100000000 -o long -j 2 >out 2>err &
process=$!
for i in $(seq 600); do [ -s "long/density=2/stats.jsonl" ] && break; sleep 0.1; done
kill -TERM $process
wait $process
[ $? -eq 1 ] || fail "exit code after SIGTERM"
says err "stopped by SIGTERM"
grep -q '^3,,density=3,not run$' long/sweep.csv || { fail "a run that never began"; cat long/sweep.csv; }
[ -s "long/density=1/checkpoint.pli" ] || fail "an interrupted run has no checkpoint"
expect 0 "$pliant" help sweep
says out "FIRST:LAST:STEP"

[ $failures -eq 0 ] && echo "sweeps are right"
exit $((failures > 0))
