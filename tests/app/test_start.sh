#!/bin/bash
# Starts that intersect: what pliant says, the file to look at, and pushing apart.
# usage: test_start.sh PLIANT SOURCE_FOLDER
pliant=$1
. "$(dirname "$0")/expect.sh"

# scene NAME HEIGHT REST: two cubes, the second so high over the first.
scene() {
    cat >"$1.json" <<END
{ "dimension": 3, "time": { "steps": 2 }, "contact": { "dhat": 0.01 },
  "bodies": [
    { "name": "low", "mesh": { "type": "box", "size": [1, 1, 1], "segments": [2, 2, 2] },
      "energies": [ { "type": "neo-hookean" } ] $3 },
    { "name": "high", "mesh": { "type": "box", "size": [1, 1, 1], "segments": [2, 2, 2] },
      "translate": [0.1, $2, 0.05], "energies": [ { "type": "neo-hookean" } ] $3 } ] }
END
}

# ---- the file
scene cubes 0.97
expect 2 "$pliant" check cubes.json
says err 'cubes.json:3:5: body "low": at t = 0, its edge '
says err 'of body "high" at ('
says err '(and in '
says err 'cubes.json has 1 error'
says err 'pliant check -o FOLDER'
[ "$(ls)" = "$(printf '%s\n' cubes.json err out)" ] || fail "check has written files"
expect 2 "$pliant" view --no-open cubes.json
says err 'pliant check -o FOLDER'
[ "$(ls)" = "$(printf '%s\n' cubes.json err out)" ] || fail "view has written files"
expect 2 "$pliant" check cubes.json -o folder/inside
says err 'are in folder/inside/cubes-intersections.vtu'
[ -s folder/inside/cubes-intersections.vtu ] || fail "no file in the folder"
[ ! -e cubes-intersections.vtu ] || fail "a file in the present folder too"
expect 0 "$pliant" check -q folder/inside/cubes-intersections.vtu
rm -r folder
for command in "run cubes.json" "run cubes.json -o results/x" "study cubes.json"; do
    expect 2 "$pliant" $command
    [ "$(ls)" = "$(printf '%s\n' cubes.json err out)" ] || fail "$command has written files"
done
expect 2 "$pliant" run cubes.json
says err 'pliant check -o FOLDER'

# ---- pushing apart
expect 0 "$pliant" check --separate cubes.json -o corrected.json
says out 'body "low" moved by (0, -0.0'
says out 'body "high" moved by (0, 0.0'
says out 'the corrected scene is corrected.json'
silent err
expect 0 "$pliant" check corrected.json
silent err
expect 0 "$pliant" run corrected.json --verify -q -o run --overwrite
expect 0 "$pliant" check --separate corrected.json
says out 'nothing to do'
expect 0 "$pliant" check -p -q cubes.json
silent out
cmp -s cubes-separated.json corrected.json || fail "the default name has another scene"

# ---- what cannot be done
scene fixed 0.97 ', "fix": [ {} ]'
expect 1 "$pliant" check --separate fixed.json -o no.json
says err 'neither body "low" nor body "high" can be moved'
[ ! -e no.json ] || fail "a scene that is not right was written"
expect 2 "$pliant" check --separate fixed.json --set bodies[0].density=-1
says err 'other errors'
expect 2 "$pliant" check --separate missing.json
expect 1 "$pliant" check --separate cubes.json -o missing/corrected.json

# ---- a note, and silence
scene near 1.005
expect 0 "$pliant" check near.json
says err 'note: body "low": at t = 0, '
says err 'contact.dhat ('
expect 0 "$pliant" check -q near.json
silent err

[ $failures -eq 0 ] && echo "all expectations met"
exit $((failures > 0))
