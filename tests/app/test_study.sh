#!/bin/bash
# pliant study: measured orders, refusals, failures, files, bad options, interruptions.
# usage: test_study.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
. "$(dirname "$0")/expect.sh"

# A net of springs that hangs from two corners and swings: smooth, no contact.
cat >net.json <<'END'
{
  "name": "net | <&>", "dimension": 2, "gravity": [1, -5], "contact": { "bodies": false },
  "time": { "step": 0.04, "duration": 0.8 },
  "bodies": [ {
    "name": "net", "vertex_mass": 1,
    "mesh": { "type": "rectangle", "size": [1, 1], "segments": [2, 2], "pattern": "springs" },
    "energies": [ { "type": "spring", "stiffness": 100 } ],
    "fix": [ { "box": [[-0.6, 0.4], [-0.4, 0.6]] }, { "box": [[0.4, 0.4], [0.6, 0.6]] } ]
  } ]
}
END

# order SCHEME LOW HIGH: the order between the two finest steps that tell it lies in between.
order() {
    awk -F, -v scheme="$1" -v low="$2" -v high="$3" \
        '$1 == scheme && $8 != "" {o = $8} END {exit !(o > low && o < high)}' net/study.csv ||
        { fail "order of $1 is not in $2 .. $3"; cat net/study.md; }
}

# ---- all schemes
expect 0 "$pliant" study net.json -o net
silent err
says out "reference: rk4 with h = 0.00125 s (640 steps)"
says out "results in net"
for file in study.md study.csv error.svg energy.svg cost.svg; do
    [ -s net/$file ] || fail "no $file"
    [ ! -e net/$file.tmp ] || fail "$file.tmp was left behind"
done
says out "| averaged-vector-field |"
# Measured far from the limit of small steps, hence the room; what they differ by is 1.
order backward-euler 0.75 1.15
order symplectic-euler 0.75 1.25
order bdf2 1.75 2.25
order newmark 1.85 2.15
order implicit-midpoint 1.85 2.15
order averaged-vector-field 1.85 2.15
order leapfrog 1.85 2.15
order exponential 1.8 3.2
order bdf3 2.7 3.4
order rk4 3.7 4.3
[ "$(grep -c '^bdf2,.*,complete,' net/study.csv)" -eq 4 ] || fail "not four sizes of bdf2"
[ "$(wc -l <net/study.csv)" -eq 57 ] || fail "study.csv has not 14 schemes with 4 sizes"
grep -q "^static\|^quasi-static" net/study.csv && fail "statics have no motion to compare"
says net/error.svg "net | &lt;&amp;&gt;"
says net/error.svg ">newmark (2.0)<"
says net/study.md "](energy.svg)"

# ---- what is asked for, and nothing else; h fits into the duration
expect 0 "$pliant" study -q net.json -m bdf2,rk4,bdf2 -n 0.03,0.015 -d 0.5 -o some -t 1
silent out
silent err
[ "$(grep -c '^bdf2,' some/study.csv)" -eq 2 ] || fail "bdf2 twice in the list is bdf2"
[ "$(wc -l <some/study.csv)" -eq 5 ] || fail "two schemes with two sizes"
says some/study.csv "rk4,0.029411764705882353,17,17,complete"
cut -d, -f1-13 some/study.csv >first.csv
expect 0 "$pliant" study -q net.json -m bdf2,rk4 -n 0.015,0.03 -d 0.5 -o some -t 3
cut -d, -f1-13 some/study.csv | cmp -s - first.csv || fail "the table depends on threads or order"

# ---- failures are results
expect 0 "$pliant" study net.json -m forward-euler,leapfrog,backward-euler -n 0.2,0.1 -d 2 -o wild \
    --set bodies[0].energies[0].stiffness=10000
says out "forward-euler with h = 0.2 s (10 steps): blown up, at t ="
says wild/study.csv "leapfrog,0.20000000000000001,10"
grep -q "^backward-euler,.*,complete," wild/study.csv || fail "backward Euler never explodes"
says wild/energy.svg ">leapfrog (blown up)<"
expect 0 "$pliant" study net.json -m bdf2,rk4 -n 0.04,0.02 -o hard --set solver.max_iterations=1
says out "bdf2 with h = 0.04 s (20 steps): failed, iteration cap"
says hard/study.csv "rk4,0.040000000000000001,20,20,complete"

# ---- refusals are listed with their reason
expect 0 "$pliant" study "$source/scenes/disks.json" -m backward-euler,rk4 -n 0.02,0.01 -d 0.04 -o disks
says out 'rk4: refused, scheme "rk4" cannot be used with'
says disks/study.csv "rk4,0.01,4,0,refused,,,,"
[ "$(grep -c '^| rk4' disks/study.md)" -eq 1 ] || fail "a refused scheme has one row"

# ---- the name of the folder
mkdir elsewhere
cd elsewhere || exit 1
expect 0 "$pliant" study -q ../net.json -m newmark -n 0.1
[ -s results/net_study/study.md ] || fail "no results/net_study"
cd ..

# ---- bad usage
expect 0 "$pliant" help study
says out "--schemes"
says out "step sizes [s]"
expect 2 "$pliant" study
expect 2 "$pliant" study missing.json
says err "No such file"
expect 2 "$pliant" study net.json --schemes bdf2,newmakr
says err '"newmakr", did you mean "newmark"?'
expect 2 "$pliant" study net.json --schemes static
says err "static has no inertia"
expect 2 "$pliant" study net.json --schemes ""
says err "--schemes"
expect 2 "$pliant" study net.json --steps 0.1,zero
says err "--steps zero: must be a time above 0 s"
expect 2 "$pliant" study net.json --steps -1
expect 2 "$pliant" study net.json --steps 5
says err "at most the duration, 0.8 s"
expect 2 "$pliant" study net.json --steps $(seq -s, 0.01 0.001 0.2)
says err "sizes, must be 1 to"
expect 2 "$pliant" study net.json --set 'time.step="auto"' --set time.duration=1
says err "--steps and --duration"
expect 2 "$pliant" study net.json --steps 1e-9
says err "more than 10000000 steps"
expect 2 "$pliant" study net.json --duration never
says err "--duration never: must be a time in seconds above 0"
expect 2 "$pliant" study net.json --stesp 1
says err 'did you mean "--steps"?'
expect 2 "$pliant" study net.json --set bodies[0].vertex_mass=-1
says err "must be"
expect 2 "$pliant" run net.json --schemes bdf2
echo x >file
expect 2 "$pliant" study net.json -m bdf2 -o file/below
says err "file"

# ---- Ctrl-C, once the first row of the table has come
mkfifo pipe
"$pliant" study net.json -m backward-euler,bdf2,newmark -n 0.04,0.0005 -d 8 -o stopped >pipe 2>err &
job=$!
exec 3<pipe
for _ in 1 2 3 4 5; do read -r _ <&3; done
kill -INT $job
cat <&3 >/dev/null
wait $job
code=$?
[ $code -eq 1 ] || fail "exit code $code after Ctrl-C"
says err "stopped by Ctrl-C"
says stopped/study.csv "backward-euler,0.040000000000000001,200,200,complete"
says stopped/study.md "not run"
[ -s stopped/cost.svg ] || fail "no cost.svg after Ctrl-C"

[ $failures -eq 0 ] && echo "all checks passed"
exit $((failures > 0))
