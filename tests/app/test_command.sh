#!/bin/bash
# The pliant command from outside: exit codes, messages, results, interruptions, full disks.
# usage: test_command.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
scene=$source/scenes/tutorial/1_mass_spring.json
. "$(dirname "$0")/expect.sh"

# ---- what it says about itself
expect 0 "$pliant" --version
says out "pliant "
expect 0 "$pliant" version
says out "licence: "
says out "METIS (Apache-2.0)"
# Nothing under the GPL unless it was asked for; then the solver is known, and otherwise explained.
if ldd "$pliant" | grep -qE "cholmod|gmsh"; then
    says out "licence: GPL-3.0-or-later, because CHOLMOD is linked"
    expect 0 "$pliant" help solver
    says out "cholesky  "
else
    says out "licence: MIT"
    expect 0 "$pliant" help solver
    ! grep -q "^ *cholesky " out || fail "help offers a solver that is not there"
    sed 's/"tolerance": 0.01/"linear": "cholesky"/' "$scene" >cholesky.json
    expect 2 "$pliant" check cholesky.json
    says err 'cholesky.json:7:25: solver.linear = "cholesky": this binary was built without CHOLMOD: use'
fi
expect 0 "$pliant"
says out "usage:"
expect 0 "$pliant" -h
says out "neo-hookean"
expect 0 "$pliant" help solver
says out "tolerance: number > 0"
expect 0 "$pliant" help obstacle
for kind in half-space sphere capsule box mesh; do grep -q "^$kind " out || fail "help obstacle: $kind"; done
expect 0 "$pliant" help mesh # a command and a topic
says out "usage: pliant mesh"
says out "mesh  (bodies[].mesh)"
expect 0 "$pliant" help all
says out "kg/m^3"
expect 0 "$pliant" run --help
says out "--threads"
expect 0 "$pliant" schema
says out "exclusiveMinimum"
expect 2 "$pliant" help nothing-like-this
expect 2 "$pliant" rnu
says err 'did you mean "run"?'
expect 2 "$pliant" run
expect 2 "$pliant" run --stesp 3 "$scene"
says err 'did you mean "--steps"?'
expect 2 "$pliant" run --steps
says err "needs a value"
expect 2 "$pliant" run --steps many "$scene"
expect 2 "$pliant" run --steps 0 "$scene"
expect 2 "$pliant" run --threads -1 "$scene"
expect 2 "$pliant" run --threads 257 "$scene"
says err "from 0 to 256"
expect 2 "$pliant" help $'x\033[31m\ny'
says err '"x?[31m?y"'
expect 0 "$pliant" help stress # a word that a key takes
says out '"fields": ["stress"]'
expect 2 "$pliant" run --quiet=yes "$scene"
expect 2 "$pliant" run "$scene" other.json
expect 2 "$pliant" schema too-much
"$pliant" help all | head -1 >out # a reader that goes away is no failure
[ "${PIPESTATUS[0]}" -eq 0 ] || fail "pliant help | head"
if [ -w /dev/full ]; then
    "$pliant" help >/dev/full 2>err
    [ $? -eq 1 ] || fail "help to a full disk"
    says err "pliant: cannot write"
fi

# ---- scenes from standard input
for command in check run; do
    "$pliant" $command - --set time.steps=2 <"$scene" >out 2>err || { fail "$command -"; cat err; }
    silent err
done
says out "1 body, "
says out "results in results/stdin"
[ -s results/stdin/run.pvd ] || fail "run -: no results"
expect 0 "$pliant" run --resume results/stdin --force --steps 3 # the checkpoint has the scene
says out "from step 2 "
rm -r results
echo '{' | "$pliant" check - >out 2>err && fail "check - of no JSON"
says err "stdin:2:1: not valid JSON"
printf 'a\0b' | "$pliant" check - >out 2>err && fail "check - of a NUL byte"
says err "has a NUL byte"
expect 2 "$pliant" check - # nothing
says err "the file is empty"
echo '{' | "$pliant" view --no-open - >out 2>err && fail "view - of no JSON"
says err "stdin:2:1: not valid JSON"

# ---- check
expect 0 "$pliant" check "$scene"
says out "unknowns 50"
silent err
expect 0 "$pliant" check -q "$scene"
silent out
expect 0 "$pliant" check "$source/scenes/array_of_cubes.json"
grep -Eq '^  cube 0 \.\. [0-9]+ +[0-9]+ ' out || { fail "check: copies are no line"; cat out; }
[ "$(grep -c '^  cube ' out)" -eq 1 ] || fail "check: more than one line of copies"
cat >many.json <<END
{ "bodies": [ $(for i in $(seq 30); do
    printf '{"name": "b%d", "mesh": {"type": "point"}, "vertex_mass": 1, "contact_bodies": false},' "$i"
done) {"name": "last", "mesh": {"type": "point"}, "vertex_mass": 1, "contact_bodies": false} ] }
END
expect 0 "$pliant" check many.json
says out '  b30 '
says out '  last '
expect 0 "$pliant" check "$scene" --set time.step='"auto"' --set time.duration=0.5 --set time.steps=0
says out "duration      0.5 s"
grep -q 1000000000 out && fail "check: the number of steps is not known"
expect 2 "$pliant" check missing.json
says err "missing.json: No such file"
expect 2 "$pliant" check "$work"
says err "is a folder"
printf '{\n  "bodies": [ { "name": "mat",\n    "density": -5, "colour": 1 } ]\n}\n' >bad.json
expect 2 "$pliant" check bad.json
says err 'bad.json:3:16: body "mat": density = -5 kg/m^3, must be > 0'
says err 'bad.json:3:20: body "mat": unknown key "colour"'
says err 'bad.json:2:15: body "mat": mesh is missing'
says err 'bad.json has 3 errors'
expect 2 "$pliant" run bad.json
[ ! -e results ] || fail "a bad scene made a folder"
expect 2 "$pliant" check "$scene" --set time.step=0 --set bodies[3].density=1
says err "--set time.step: time.step = 0 s, must be > 0"
says err "--set bodies[3].density: index 3 is out of range"
: >empty.json
expect 2 "$pliant" check empty.json
says err "empty.json:1:1: the file is empty"
head -c 300 "$scene" >cut.json
expect 2 "$pliant" check cut.json
says err "not valid JSON"
# What waits for ever or never ends is no scene.
mkfifo waiting
for file in waiting /dev/zero; do
    expect 2 timeout 20 "$pliant" check $file
    says err "$file: is not a regular file"
done
# Names reach a terminal as one line without control characters.
printf '{"name": "a\\nb", "bodies": [{"name": "\\u001b[31m\\n\\u009b%0100d", "mesh": %s, "energies": [%s]}]}' 7 \
    '{"type": "disk", "radius": 1}' '{"type": "neo-hookean"}' >names.json
expect 0 "$pliant" check names.json
says out "a?b"
says out "  ?[31m??000"
says out "0...  "
expect 0 "$pliant" run names.json -n 1 -o names
says out "a?b: 1 body, "
LC_ALL=C grep -q $'[\001-\010\013-\037\177]' out && fail "control characters were printed"
expect 0 "$pliant" check "$scene" --set obstacles[0].type=half-space --set 'obstacles[0].point=[0,-9]'
says out "obstacles     1"
if [ "$(id -u)" -ne 0 ]; then
    cp "$scene" secret.json
    chmod 000 secret.json
    expect 2 "$pliant" check secret.json
    says err "Permission denied"
fi

# ---- run
expect 0 "$pliant" run "$scene" --steps 3
says out "step 3/3"
says out "iterations"
says out "results in results/1_mass_spring"
silent err
for file in frame_000000.vtu frame_000003.vtu run.pvd stats.jsonl preview.svg; do
    [ -s results/1_mass_spring/$file ] || fail "no $file"
done
[ ! -e results/1_mass_spring/frame_000004.vtu ] || fail "too many frames"
[ "$(wc -l <results/1_mass_spring/stats.jsonl)" -eq 3 ] || fail "stats.jsonl has not 3 lines"
expect 0 "$pliant" run --profile "$scene" -n 2 -o profile
says out "ms per iteration"
says out "slowest steps"
expect 0 "$pliant" run -q "$scene" -n 2 -o quiet
silent out
silent err
expect 0 "$pliant" run "$scene" --set time.steps=5 --set output.frame_every=2 -o some/where
[ "$(ls some/where | grep -c vtu)" -eq 4 ] || fail "frames of steps 0, 2, 4 and 5"
expect 0 "$pliant" run "$scene"
[ "$(grep -c '^step' out)" -le 20 ] || fail "too many lines of progress"

# The same bits for any number of threads and in any locale.
expect 0 "$pliant" run -q "$scene" -n 5 -o one -t 1
expect 0 env LC_ALL=de_DE.UTF-8 "$pliant" run -q "$scene" -n 5 -o three -t 3 --set time.step=0.004
for frame in one/*.vtu; do
    cmp -s "$frame" "three/$(basename "$frame")" || fail "$frame depends on threads or locale"
done

# ---- a run that stops by itself
expect 1 "$pliant" run "$scene" --set solver.max_iterations=1 --set solver.tolerance=1e-9 -n 5 -o stop
says err "did not converge"
says err "what to do"
says err "solver.on_failure"
says err "s, halved 8 times (solver.on_failure)"
says err "pliant run --resume stop"
[ -s stop/preview.svg ] || fail "a stopped run has no preview"
expect 0 "$pliant" run "$scene" --set solver.max_iterations=1 --set solver.tolerance=1e-9 -n 5 \
    -o accept --set solver.on_failure=accept
says out "not converged"
says err "step 1 did not converge (iteration cap, residual "
[ "$(grep -c 'did not converge' err)" -eq 1 ] || fail "accepted steps are told one by one"
cat >pressed.json <<'EOF'
{ "time": {"step": 0.02, "steps": 2}, "contact": {"bodies": false}, "solver": {"method": "newton"},
  "bodies": [ {"name": "b", "mesh": {"type": "rectangle", "size": [1, 0.1], "segments": [12, 2]},
    "stretch": [0.5, 1], "scramble": 1e-3, "energies": [ {"type": "neo-hookean", "young": 1e7} ]} ] }
EOF
expect 1 "$pliant" run pressed.json -o nothing --set solver.on_failure=accept
says err "the minimizer took no step"

# An explicit scheme that explodes has no residual, and there is no state to go on from.
cat >explode.json <<'EOF'
{ "time": {"scheme": "symplectic-euler", "step": 0.05, "steps": 200}, "gravity": [0, -9.81],
  "contact": {"bodies": false},
  "bodies": [ {"name": "b", "mesh": {"type": "rectangle", "size": [1, 1], "segments": [4, 4]},
    "energies": [ {"type": "neo-hookean", "young": 1e5} ], "fix": [ {"group": "left"} ]} ] }
EOF
expect 1 "$pliant" run explode.json -q -o explode
says err "did not converge: diverged"
says err "use a smaller time.step"
says err "start again"
! grep -q "residual\|--resume" err || { fail "words that are not true of an explicit step"; cat err; }

# ---- a scene where a folder is needed
for command in export report "run --resume"; do
    expect 2 "$pliant" $command "$scene"
    says err "1_mass_spring.json is a file: pliant $command needs"
done

# ---- robots
expect 0 "$pliant" import "$source/tests/data/robots/arm.urdf" --joint elbow=-1 -o arm.json
says out "wrote arm.json: 5 links and 4 joints became 2 bodies"
says err "arm.urdf:67: note: <gazebo> is not taken over"
says arm.json '"total_mass": 1.5'
expect 2 "$pliant" import "$source/tests/data/robots/arm.urdf" --joint elbw=1 -o arm.json
says err 'there is no joint "elbw"; did you mean "elbow"?'
expect 2 "$pliant" import "$source/tests/data/robots/arm.urdf" --joint elbow=x -o arm.json
says err "must be NAME=VALUE"
expect 2 "$pliant" import

# ---- options of other commands
expect 2 "$pliant" export stop --overwrite
says err 'export has no option "--overwrite", pliant run has it; see: pliant help export'
expect 2 "$pliant" run "$scene" --overwrit
says err 'did you mean "--overwrite"?'
expect 0 "$pliant" run "$scene" -n 1 -o counted --set bodies[0].stretch=[1,1]
says out " 1 iteration so far"

# ---- a scheme that makes energy: a stiff bar spins, h does not resolve it
cat >spin.json <<END
{"dimension": 2, "gravity": [0, 0], "contact": {"bodies": false},
 "time": {"scheme": "implicit-midpoint", "step": 0.01, "steps": 300},
 "bodies": [{"name": "bar", "spin": 2.6,
   "mesh": {"type": "rectangle", "size": [1, 0.1], "segments": [10, 1]},
   "energies": [{"type": "st-venant-kirchhoff", "young": 1e9, "poisson": 0.3}]}]}
END
expect 0 "$pliant" run spin.json -o spin
says err "averaged-vector-field"
[ "$(grep -c 'averaged-vector-field' err)" -eq 1 ] || fail "a gain is said more than once"
expect 0 "$pliant" run spin.json -o spin2 --set time.scheme=averaged-vector-field
grep -q "averaged-vector-field" err && fail "the averaged vector field makes no energy"

# ---- contact: a press that is held back, and what the run says of it
cat >press.json <<'EOF'
{ "name": "press", "time": {"step": 0.01, "steps": 12}, "gravity": [0, -9.81],
  "contact": {"dhat": 0.01},
  "bodies": [
    {"name": "ball", "density": 1000, "mesh": {"type": "disk", "radius": 0.2, "rings": 2},
     "translate": [2, 0.205], "energies": [{"type": "neo-hookean", "young": 1e6, "poisson": 0.4}]},
    {"name": "press", "vertex_mass": 1, "mesh": {"type": "point"}, "contact_area": 1,
     "translate": [0, 0.05], "prescribe": [{"velocity": [0, -1]}]}],
  "obstacles": [{"type": "half-space", "name": "floor", "normal": [0, 1]}] }
EOF
expect 0 "$pliant" run press.json -o press
says err '1 prescribed vertex (body "press")'
[ "$(grep -c 'prescribed vert' err)" -eq 1 ] || fail "blocked vertices are reported more than once"
says out "  blocked         "
says out "  contacts        at most "
says press/stats.jsonl '"contacts":[{"a":"ball","b":"floor","count":'
says press/run.pvd 'part="1" file="contacts_000012.vtu"'
[ -s press/contacts_000000.vtu ] || fail "no contacts_000000.vtu"
expect 0 "$pliant" run -q press.json -o press --overwrite
silent err
expect 1 "$pliant" run press.json -o press --overwrite --set solver.on_blocked=fail
says err "prescribed motion blocked"

# ---- places that cannot be written
echo x >file
expect 2 "$pliant" run "$scene" -n 1 -o file/below
says err "file"
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    chmod a-w locked
    expect 2 "$pliant" run "$scene" -n 1 -o locked/run
    says err "locked"
fi
# A disk that becomes full: no file may be larger than 4 blocks of 1024 bytes.
(
    ulimit -f 4
    "$pliant" run "$scene" -n 200 -o full --set bodies[0].mesh.segments=[20,20] >out 2>err
)
code=$?
[ $code -eq 1 ] || fail "exit code $code with a full disk"
says err "full/"
says err "File too large"
[ "$(grep -c 'File too large' err)" -eq 1 ] || fail "a full disk is told more than once"
for file in full/*.vtu; do
    [ -e "$file" ] || continue
    [ "$(tail -c 11 "$file" | tr -d '\n')" = "</VTKFile>" ] || fail "$file is half-written"
done
if ls full | grep -q tmp; then fail "a temporary file was left behind"; fi

# ---- a second run: results that are there stay, unless their replacement is asked for
cp "$scene" twice.json
expect 0 "$pliant" run -q twice.json -n 2
silent err
expect 0 "$pliant" run -q twice.json -n 1
says err "results/twice has the results of an earlier run: 3 frames"
says err "results/twice-2"
expect 0 "$pliant" run twice.json -n 1
says err "results/twice-3"
says out "results in results/twice-3: 2 frames"
[ "$(ls results/twice | grep -c frame_)" -eq 3 ] || fail "the first results have changed"
expect 2 "$pliant" run -q twice.json -n 1 -o results/twice
says err "--overwrite replaces them, --resume results/twice"
[ "$(ls results/twice | grep -c frame_)" -eq 3 ] || fail "results were replaced"
expect 0 "$pliant" run twice.json -n 1 --overwrite
says out "results/twice: 3 frames"
[ "$(ls results/twice | grep -c frame_)" -eq 2 ] || fail "results were not replaced"

# ---- what frames hold
expect 0 "$pliant" run -q twice.json -n 1 -o few
expect 0 "$pliant" run -q twice.json -n 1 -o all --set 'output.fields=["all"]' --set output.precision=double
expect 0 "$pliant" run -q twice.json -n 1 -o small --set output.compression=small
grep -aq 'Name="von_mises"' few/frame_000001.vtu && fail "stress that nobody wants"
grep -aq 'Name="von_mises"' all/frame_000001.vtu || fail "no stress"
grep -aq 'Float32' all/frame_000001.vtu && fail "double precision"
[ "$(wc -c <small/frame_000001.vtu)" -le "$(wc -c <few/frame_000001.vtu)" ] || fail "small is larger"
expect 2 "$pliant" check twice.json --set 'output.fields=["strain"]'
says err 'output.fields[0] = "strain", must be one of "velocity"'

# ---- a terminal gets a bar
if script -qec true /dev/null >/dev/null 2>&1; then # a machine may have no pseudo-terminals
    expect 0 script -qec "'$pliant' run '$scene' -n 3 -o bar" /dev/null
    says out "[########################] step 3/3"
fi

# ---- Ctrl-C or SIGTERM, once the first line has come
mkfifo pipe
interrupt_with() { # SIGNAL NAME
    "$pliant" run "$scene" --steps 1000000 -o interrupted --overwrite --set output.frame_every=1000 >pipe 2>err &
    job=$!
    exec 3<pipe
    read -r _ <&3
    kill -"$1" $job
    cat <&3 >/dev/null
    wait $job
    code=$?
    [ $code -eq 1 ] || fail "exit code $code after $2"
    says err "stopped by $2 after step"
    says err "pliant run --resume interrupted"
    [ -s interrupted/run.pvd ] && [ -s interrupted/preview.svg ] || fail "files are missing after $2"
    last=$(ls interrupted | grep vtu | tail -1)
    grep -q "$last" interrupted/run.pvd || fail "the last frame is not listed"
    if ls interrupted | grep -q tmp; then fail "a temporary file was left behind by $2"; fi
}
interrupt_with INT Ctrl-C
# Within a step: one that takes very long, as soon as the first checkpoint is there.
expect 0 "$pliant" check "$source/scenes/two_cubes.json" -q
"$pliant" run "$source/scenes/two_cubes.json" -o long --set bodies[0].mesh.segments=[30,30,30] \
    --set solver.linear=multifrontal --set solver.tolerance=1e-9 >out 2>err &
process=$!
while [ ! -e long/checkpoint.pli ] && kill -0 $process 2>/dev/null; do :; done
kill -INT $process
wait $process
[ $? -eq 1 ] || fail "exit code after Ctrl-C within a step"
says err "stopped by Ctrl-C after step 0 of 100 (t = 0 s)"
says err "pliant run --resume long"
interrupt_with TERM SIGTERM

[ $failures -eq 0 ] && echo "all checks passed"
exit $((failures > 0))
