#!/bin/bash
# pliant run --resume: a run that was killed, cut off or out of space goes on as if it had never stopped.
# usage: test_resume.sh PLIANT SOURCE_FOLDER
# PLIANT_CRASH names the library of crash.c; without it the tests that kill are left out.
pliant=$1
source=$2
[ -w /dev/shm ] && export TMPDIR=/dev/shm # hundreds of runs: in memory waiting for a disk takes no time
. "$(dirname "$0")/expect.sh"

# Friction, a motion against contact, several frames between checkpoints and steps between frames.
cat >scene.json <<'END'
{ "name": "press", "time": {"step": 0.01, "steps": 25}, "gravity": [0, -9.81],
  "contact": {"dhat": 0.01, "friction": 0.3, "stiffness": "auto"},
  "output": {"every": 2, "preview_frames": 4, "checkpoint_interval": 0},
  "bodies": [
    {"name": "ball", "density": 1000, "mesh": {"type": "disk", "radius": 0.2, "rings": 2},
     "translate": [0, 0.22], "energies": [{"type": "neo-hookean", "young": 1e5, "poisson": 0.4}]},
    {"name": "press", "density": 1000, "mesh": {"type": "rectangle", "size": [0.6, 0.1], "segments": [6, 1]},
     "translate": [0.05, 0.49], "energies": [{"type": "neo-hookean", "young": 1e6, "poisson": 0.4}],
     "prescribe": [{"group": "top", "velocity": [0.2, -0.4]}]}],
  "obstacles": [{"type": "half-space", "name": "floor", "normal": [0, 1], "friction": 0.4}] }
END
expect 0 "$pliant" run -q scene.json -o unbroken -t 1

# same FOLDER MOMENT: its files are those of the unbroken run, but for times; every step once.
same() {
    diff -rq -x stats.jsonl -x checkpoint.pli unbroken "$1" >differences ||
        fail "$1 is not the same: $2: $(head -3 differences)"
    without_times "$1/stats.jsonl" >lines
    without_times unbroken/stats.jsonl | cmp -s - lines || fail "$1/stats.jsonl is another one: $2"
}
without_times() { sed 's/"seconds":{[^}]*}//' "$1"; }

# ---- it never stopped, stopped at its end, stopped at its start
expect 0 "$pliant" run -q scene.json -o again -t 2
same again "a second run"
expect 0 "$pliant" run --resume again
says out "from step 25 (t = 0.25 s), 14 frames"
same again "resumed at its end"
expect 0 "$pliant" run -q scene.json -o never --set output.checkpoint_every=0
[ ! -e never/checkpoint.pli ] || fail "a checkpoint that nobody wants"
expect 2 "$pliant" run --resume never
says err "never/checkpoint.pli: No such file"

# ---- killed at 50 moments of its writing: each run twice, then it goes on to its end
crash() { # VARIABLE=VALUE ... COMMAND: runs it with what crash.c is told
    (
        env LD_PRELOAD="$PLIANT_CRASH" "$@" >out 2>err </dev/null
        exit $?
    ) 2>shell
}
if [ -n "$PLIANT_CRASH" ]; then
    crash CRASH_COUNT="$work/count" "$pliant" run -q scene.json -o counted || fail "with crash.c"
    calls=$(cat count)
    RANDOM=7
    for cut in 0 1; do # without and with what a power cut takes
        killed=0
        while [ $killed -lt $((cut ? 20 : 50)) ]; do
            rm -rf broken
            how=(scene.json -o broken --overwrite) # until there is a checkpoint
            at="$((1 + RANDOM % calls)) $((1 + RANDOM % (calls / 2)))"
            moments="CRASH_CUT=$cut, CRASH_AT="
            for n in $at; do
                moments="$moments $n"
                crash CRASH_AT="$n" CRASH_CUT=$cut "$pliant" run -q "${how[@]}"
                code=$?
                [ $code -eq 137 ] && killed=$((killed + 1))
                [ $code -eq 137 ] || [ $code -eq 0 ] || { fail "exit code $code, $moments"; cat err; }
                [ ! -e broken/checkpoint.pli ] || how=(--resume broken)
            done
            expect 0 "$pliant" run -q "${how[@]}"
            same broken "$moments"
            [ $failures -lt 5 ] || break 2
        done
    done
else
    echo "without crash.c nothing is killed"
fi

# ---- Ctrl-C between two frames: the frame it leaves is none of the run's
expect 0 "$pliant" run -q scene.json -o long --set time.steps=200
mkfifo pipe
"$pliant" run scene.json --set time.steps=200 -o interrupted >pipe 2>err &
job=$!
exec 3<pipe
read -r _ <&3
read -r _ <&3
kill -INT $job
cat <&3 >/dev/null
wait $job
says err "stopped by Ctrl-C after step"
says err "pliant run --resume interrupted"
expect 0 "$pliant" run -q --resume interrupted
mv unbroken first
mv long unbroken
same interrupted "after Ctrl-C"
rm -rf unbroken
mv first unbroken

# ---- bodies appear and vanish: before, at and after each change
events=(-q "$source/tests/memory/scenes/events.json" --set output.checkpoint_interval=0)
expect 0 "$pliant" run "${events[@]}" -n 5 -o changing
for steps in 1 2 3 4; do
    expect 0 "$pliant" run "${events[@]}" -n $steps -o part --overwrite
    expect 0 "$pliant" run -q --resume part -n 5
    diff -rq -x stats.jsonl -x checkpoint.pli changing part >differences ||
        fail "resumed after step $steps, bodies that appear: $(head -3 differences)"
done

# ---- a scene that has changed
cp -r again changed
sed -i 's/"friction": 0.3/"friction": 0.35/; s/"press", "time"/"PRESS", "time"/' scene.json
expect 2 "$pliant" run --resume changed
says err "the scene has changed since the checkpoint in changed was written:"
says err "contact.friction: 0.3 is now 0.35"
says err 'name: "press" is now "PRESS"'
says err "--force"
same changed "after a refusal"
expect 0 "$pliant" run --resume changed --force --steps 30
says out "from step 25 "
[ "$(wc -l <changed/stats.jsonl)" -eq 30 ] || fail "30 steps"
sed -i 's/"friction": 0.35/"friction": 0.3/; s/"PRESS", "time"/"press", "time"/' scene.json
expect 2 "$pliant" run --resume again --set bodies[0].mesh.rings=3
says err 'body "ball": 19 vertices are now 37'
expect 2 "$pliant" run -q --resume again --set bodies[0].mesh.rings=3 --force
says err "number of vertices = "
expect 0 "$pliant" run -q --resume again --set 'description="another"' # for people alone
cp -r again moved
mv scene.json moved.json
expect 2 "$pliant" run --resume moved
says err "scene.json: No such file"
expect 0 "$pliant" run -q moved.json --resume moved
same moved "with a scene that was moved"
mv moved.json scene.json
expect 2 "$pliant" run --resume again -o elsewhere
expect 2 "$pliant" run scene.json --force
expect 2 "$pliant" run --resume again --overwrite

# ---- at its end there is nothing to do, and it says how to make it longer
expect 0 "$pliant" run -q scene.json -o ended -n 3
expect 0 "$pliant" run --resume ended
says out "pliant run --resume ended -n STEPS"
expect 0 "$pliant" run --resume ended -n 4
! grep -q "is complete" out || fail "a run that went on was complete"

# ---- made longer: no changed scene. With frames that both runs have, all is as in one long run.
expect 0 "$pliant" run -q scene.json -o longer -n 20
expect 0 "$pliant" run -q --resume longer -n 26
expect 0 "$pliant" run -q scene.json -o at_once -n 26
diff -rq -x stats.jsonl -x checkpoint.pli longer at_once >differences ||
    fail "made longer: $(head -3 differences)"

# ---- by time: with an interval that never passes there is one at the start and one at the end
expect 0 "$pliant" run -q scene.json -o by_time --set output.checkpoint_interval=1e9
cmp -s by_time/checkpoint.pli again/checkpoint.pli && fail "the same checkpoint of another scene"
expect 0 "$pliant" run --resume by_time
says out "from step 25 "
same by_time "with checkpoints by time"

# The same text, another mesh.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >mesh.obj
cat >file.json <<'END'
{ "time": {"steps": 3}, "contact": {"bodies": false}, "bodies": [
    {"name": "one", "density": 1000, "mesh": {"type": "file", "path": "mesh.obj"},
     "energies": [{"type": "neo-hookean", "young": 1e5, "poisson": 0.4}]}]}
END
expect 0 "$pliant" run -q file.json -o file
printf 'v 0 0 0\nv 1.1 0 0\nv 0 1 0\nf 1 2 3\n' >mesh.obj
expect 2 "$pliant" run --resume file
says err 'body "one": positions, elements, masses'

# The same text, the same mesh, other groups in it: a state of other unknowns, also with --force.
groups() { # LEFT RIGHT: names of the triangles
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 0 0\nv 4 0 0\nv 3 1 0\ng %s\nf 1 2 3\ng %s\nf 4 5 6\n' "$@" >mesh.obj
}
groups left right
sed 's/"density": 1000/"fix": [{"group": "left"}], "density": 1000/' file.json >held.json
expect 0 "$pliant" run -q held.json -o held
groups right left
expect 2 "$pliant" run --resume held
says err 'body "one": positions, elements, masses'
expect 2 "$pliant" run -q --resume held --force --steps 5
says err "unknowns are not those of this world"

# A scene behind a link: its meshes are beside the link.
mkdir store project
mv mesh.obj project
mv file.json store/abc.json
ln -s ../store/abc.json project/linked.json
expect 0 "$pliant" run -q project/linked.json -o linked
cp -r linked linked_before
expect 0 "$pliant" run -q --resume linked
diff -rq linked linked_before >differences || fail "behind a link: $(cat differences)"

# Contact that comes with --force: frames before it have no files of contacts.
cat >free.json <<'END'
{ "time": {"step": 0.01, "steps": 12}, "gravity": [0, -9.81], "contact": {"bodies": false}, "bodies": [
    {"name": "one", "density": 1000, "mesh": {"type": "rectangle", "size": [1, 1], "segments": [2, 2]},
     "energies": [{"type": "neo-hookean", "young": 1e5, "poisson": 0.4}]}]}
END
expect 0 "$pliant" run -q free.json -o free
expect 0 "$pliant" run -q --resume free --force --steps 20 \
    --set 'obstacles=[{"type":"half-space","name":"floor","point":[0,-0.6],"normal":[0,1]}]'
for file in $(grep -o '[a-z]*_[0-9]*[.]vtu' free/run.pvd); do
    [ -e "free/$file" ] || fail "run.pvd lists $file, which is not there"
done
[ "$(grep -c contacts_ free/run.pvd)" -eq "$(ls free | grep -c contacts_)" ] || fail "contacts that are not listed"
[ -e free/contacts_000020.vtu ] || fail "no contacts at the end"
says free/run.json '"name":"floor"'

# Frames that a power cut left behind a gap.
cp -r free gap
rm gap/frame_000015.vtu gap/checkpoint.pli
expect 0 "$pliant" run -q free.json -o head --set time.steps=10
cp head/checkpoint.pli gap
expect 0 "$pliant" run -q --resume gap --force
[ "$(ls gap | grep -c frame_)" -eq 11 ] || fail "11 frames: $(ls gap | grep frame_ | tail -3)"

# ---- two runs, one folder
"$pliant" run -q scene.json --set time.steps=100000 --set output.every=100000 -o busy >out 2>log &
job=$!
while [ ! -e busy/checkpoint.pli ]; do sleep 0.02; done
expect 2 "$pliant" run -q --resume busy --force --steps 30
says err "another run writes to busy"
expect 2 "$pliant" run -q scene.json -o busy --overwrite
says err "another run writes to busy"
kill -INT $job
wait $job
# An end that lies where Ctrl-C left its frame: the frame is there again.
steps=$(sed -n 's/stopped by Ctrl-C after step \([0-9]*\) .*/\1/p' log)
cp -r busy before
expect 0 "$pliant" run -q --resume busy --force --steps "$steps"
diff -rq -x 'checkpoint*' -x preview.svg before busy >differences ||
    fail "the frame of step $steps is another one: $(cat differences)"

# ---- stopped by --memory in the middle of a step: that step has changed what rounding depends on
cat >memory.json <<'END'
{ "dimension": 3, "time": {"step": 0.01, "steps": 14, "scheme": "bdf2"}, "gravity": [0, -9.81, 0],
  "contact": {"dhat": 0.01, "friction": 0.3, "stiffness": "auto"}, "output": {"every": 3, "preview_frames": 0, "checkpoint_interval": 0},
  "bodies": [
    {"name": "a", "density": 1000, "mesh": {"type": "box", "size": [0.5, 0.1, 0.5], "segments": [6, 2, 6]},
     "translate": [0, 0.07, 0], "energies": [{"type": "neo-hookean", "young": 1e4, "poisson": 0.4}]},
    {"name": "b", "density": 1000, "mesh": {"type": "box", "size": [0.5, 0.1, 0.5], "segments": [5, 2, 5]},
     "translate": [0.05, 0.24, 0.03], "velocity": [0.3, -0.5, 0],
     "energies": [{"type": "neo-hookean", "young": 1e4, "poisson": 0.4}]}],
  "obstacles": [{"type": "half-space", "name": "floor", "normal": [0, 1, 0], "friction": 0.4}] }
END
expect 0 "$pliant" run -q memory.json -o roomy -t 1
stopped=0
for limit in 15 16 17 17.5 18 18.5 19 20 21; do
    rm -rf tight
    "$pliant" run -q memory.json -o tight -t 1 --memory ${limit}M >out 2>err || [ -d tight ] || continue
    grep -q "step [0-9]*: out of memory" err || continue
    stopped=$((stopped + 1))
    expect 0 "$pliant" run -q --resume tight -t 1
    diff -rq -x stats.jsonl -x checkpoint.pli roomy tight >differences ||
        fail "stopped by $limit MB, it goes on with other bits: $(head -3 differences)"
done
[ $stopped -gt 0 ] || echo "no limit stops this run in a step: left out"

# ---- damaged, of another time, incomplete
damage() { # TEXT: the checkpoint of `damaged` is refused with it, and nothing is touched
    expect 2 "$pliant" run --resume damaged
    says err "$1"
    rm -rf damaged
    cp -r again damaged
}
cp -r again damaged
head -c 1000 again/checkpoint.pli >damaged/checkpoint.pli
damage "1000 bytes"
printf 'x' | dd of=damaged/checkpoint.pli bs=1 seek=3000 conv=notrunc 2>dd.log
damage "checksum"
printf '\11' | dd of=damaged/checkpoint.pli bs=1 seek=4 conv=notrunc 2>dd.log
damage "format 9"
echo "hello" >damaged/checkpoint.pli
damage "not a checkpoint"
rm damaged/frame_000003.vtu
damage "frame_000003.vtu is missing"
head -n 20 again/stats.jsonl >damaged/stats.jsonl
damage "stats.jsonl"

# ---- a disk that becomes full: an error, all frames before it, and it goes on when there is room
full() { # what is there of the run in `full/run` can be read, and it can go on
    says err "No space left on device"
    [ "$(grep -c 'No space left' err)" -eq 1 ] || fail "a full disk is told more than once"
    ls full/run | grep -q tmp && fail "a temporary file was left behind"
    for frame in full/run/frame_*.vtu; do
        cmp -s "$frame" "unbroken/$(basename "$frame")" || fail "$frame is not whole"
    done
    expect 0 "$pliant" export full/run --to csv -o tables
}
if [ -n "$PLIANT_CRASH" ]; then
    mkdir full
    crash CRASH_FULL=60000 "$pliant" run -q scene.json -o full/run
    [ $? -eq 1 ] || fail "exit code with a full disk"
    full
    expect 0 "$pliant" run -q --resume full/run
    same full/run "after a full disk"
    rm -rf full
fi
mkdir full
if mount -t tmpfs -o size=120k tmpfs full 2>mount.log; then
    trap 'cd /; umount "$work/full"; chmod -R u+w "$work"; rm -rf "$work"' EXIT
    expect 1 "$pliant" run -q scene.json -o full/run
    full
    expect 1 "$pliant" run -q --resume full/run
    full
    mount -o remount,size=10m full
    expect 0 "$pliant" run -q --resume full/run
    same full/run "after a full tmpfs"
else
    echo "mount is not permitted: the small tmpfs is left out"
fi

[ $failures -eq 0 ] && echo "all checks passed"
exit $((failures > 0))
