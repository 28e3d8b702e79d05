#!/bin/bash
# pliant export: all formats of a real run, read by independent programs where they are there.
# usage: test_export.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
. "$(dirname "$0")/expect.sh"

# Quadratic and linear solids, a rope, an obstacle that stands still.
cat >all.json <<'END'
{
  "gravity": [0, -10, 0], "time": { "step": 0.02, "steps": 12 }, "dimension": 3,
  "contact": { "bodies": false },
  "bodies": [
    { "name": "curved bar", "density": 1000,
      "mesh": { "type": "bar", "size": [0.6, 0.2, 0.2], "segments": [3, 1, 1], "order": 2 },
      "energies": [ { "type": "neo-hookean", "young": 1e5, "poisson": 0.4 } ] },
    { "name": "cube", "density": 1000, "translate": [0, 1, 0],
      "mesh": { "type": "box", "size": [0.2, 0.2, 0.2], "segments": [2, 2, 2] },
      "energies": [ { "type": "neo-hookean", "young": 1e5, "poisson": 0.4 } ],
      "spin": [0, 0, 3] },
    { "name": "rope", "vertex_mass": 0.1, "translate": [0, 2, 0],
      "mesh": { "type": "line", "from": [0, 0, 0], "to": [1, 0, 0], "segments": 5 },
      "energies": [ { "type": "spring", "stiffness": 100 } ], "fix": [ { "group": "start" } ] }
  ],
  "obstacles": [ { "type": "box", "name": "table", "size": [1, 0.1, 1], "center": [0, -2, 0] } ]
}
END
expect 0 "$pliant" run -q all.json -o run/all
[ -f run/all/run.json ] || { echo "the run failed"; exit 1; }
says run/all/run.json '"name":"curved bar","vertices":[0,'

# ---- what is asked for wrongly
expect 2 "$pliant" export
says err "which result?"
expect 2 "$pliant" export run/all
says err "--to is missing"
says err "glTF 2.0"
expect 2 "$pliant" export run/all --to gtlf
says err 'did you mean "gltf"?'
expect 2 "$pliant" export run/all --to usd --every 0
expect 2 "$pliant" export run/all --to usd --body nobody
says err 'no body "nobody"'
expect 2 "$pliant" export run/all --to png --size 1280
says err "--size 1280: must be WIDTHxHEIGHT"
expect 2 "$pliant" export run/all --to png --size 8x100000
expect 2 "$pliant" export run/all --to mp4 --size 101x100
says err "must be even"
expect 2 "$pliant" export run/all --to vtk -o run/all
says err "is the folder of a run"
expect 1 "$pliant" export nothing-here --to usd
says err "nothing-here"
mkdir empty
expect 1 "$pliant" export empty --to gltf
says err "has no frames"
expect 0 "$pliant" help export
says out "--vertices"

# ---- reports
expect 2 "$pliant" report
says err "which result?"
expect 1 "$pliant" report nothing-here
says err "nothing-here/stats.jsonl"
expect 0 "$pliant" report run/all
says out "wrote run/all/report.html: 12 steps"
says run/all/report.html "<td>12, t = 0.24 s</td>"
says run/all/report.html "data:image/svg+xml;base64,"
expect 0 "$pliant" report run/all -q -o other.html
silent out
cmp -s other.html run/all/report.html || fail "the same report"
expect 0 "$pliant" help report
says out "report.html in DIR"

# ---- all formats
for format in usd gltf obj ply vtk pc2 mdd html png csv; do
    expect 0 "$pliant" export run/all --to $format
    says out "wrote run/all"
    silent err
    expect 0 "$pliant" export run/all --to $format -q -o again/$format --every 2 --body cube
    silent out
done
expect 0 "$pliant" export run/all --to gltf
says out "run/all.glb: 13 frames, about "
[ "$(ls run/all_obj | wc -l)" -eq 13 ] || fail "13 frames as OBJ"
[ "$(ls run/all_png | wc -l)" -eq 13 ] || fail "13 pictures"
[ "$(ls again/ply | wc -l)" -eq 7 ] || fail "7 frames as PLY"
[ "$(ls again/pc2)" = "cube.obj
cube.pc2" ] || fail "caches of one body"
[ "$(wc -l <run/all.csv)" -eq 13 ] || fail "a row per step"
if find . -name '*.tmp' | grep -q .; then fail "temporary files were left behind"; fi
# Frames are meshes for our own readers, too.
for file in run/all_obj/frame_000007.obj run/all_ply/frame_000007.ply run/all_vtk/frame_000007.vtu; do
    expect 0 "$pliant" check $file
    says out "segments      5"
done
expect 0 "$pliant" export run/all --to csv -o tracks.csv --vertices 'rope:0,rope:5,curved bar:2'
[ "$(wc -l <tracks_vertices.csv)" -eq 14 ] || fail "a row per frame"
says tracks_vertices.csv "time,rope:0.x,rope:0.y,rope:0.z,rope:0.velocity.x"

# ---- a run that goes on: its frames count as they come
cp -r run/all part
rm part/frame_00001?.vtu part/run.pvd
expect 0 "$pliant" export part --to usd
says out "part.usda: 10 frames"

# ---- Ctrl-C: nothing is left of the file. The run is made long by links.
if command -v perl >/dev/null; then
    cp -r run/all long
    perl -e 'symlink "frame_000001.vtu", sprintf("long/frame_%06d.vtu", $_) for 13 .. 5000'
    mkfifo pipe
    "$pliant" export long --to usd -o stopped.usda >pipe 2>err &
    job=$!
    exec 3<pipe
    read -r _ <&3
    kill -INT $job
    cat <&3 >/dev/null
    wait $job
    code=$?
    [ $code -eq 1 ] || fail "exit code $code after Ctrl-C"
    says err "stopped by Ctrl-C"
    if ls | grep stopped; then fail "a part of a file was left behind"; fi
fi

# ---- glTF by the validator of its makers
validator=${PLIANT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pliant}/npm/node_modules/gltf-validator
cat >validate.js <<'END'
const validator = require(process.argv[2]), fs = require('fs');
(async () => {
    for (const file of process.argv.slice(3)) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
        const issues = report.issues;
        console.log(file, report.info.totalVertexCount, 'vertices',
                    issues.numErrors + issues.numWarnings + issues.numInfos, 'issues');
        for (const message of issues.messages) console.log(message.code, message.message);
        if (issues.numErrors + issues.numWarnings > 0) process.exitCode = 1;
    }
})();
END
if command -v node >/dev/null && [ -d "$validator" ]; then
    expect 0 node validate.js "$validator" run/all.glb again/gltf
    says out "run/all.glb"
else
    echo "skipped: the glTF validator is not there (tools/setup.sh --tests installs it if npm is)"
fi

# ---- USD by its own tool
if command -v usdcat >/dev/null; then
    expect 0 usdcat --flatten run/all.usda
    says out "faceVertexIndices"
else
    echo "skipped: usdcat is not there"
fi

# ---- Blender: positions of all frames, from glTF and by the point caches
cat >blender.py <<'END'
import struct, sys
import numpy
numpy.bool = bool  # which the importer of older versions asks for
import bpy

data = open('run/all_pc2/cube.pc2', 'rb').read()
count, frames = struct.unpack('<i', data[16:20])[0], struct.unpack('<i', data[28:32])[0]
numbers = struct.unpack('<%df' % (3 * count * frames), data[32:])

def expected(frame, i):  # Blender has z up
    x, y, z = numbers[3 * (frame * count + i):3 * (frame * count + i) + 3]
    return x, -z, y

def check(what, thing):
    worst = 0
    for frame in range(frames):
        bpy.context.scene.frame_set(frame)
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        assert len(mesh.vertices) == count
        for i, vertex in enumerate(mesh.vertices):
            place = thing.matrix_world @ vertex.co
            worst = max([worst] + [abs(a - b) for a, b in zip(place, expected(frame, i))])
    print(what, frames, 'frames, largest difference', worst)
    assert worst < 1e-6  # floats of size 1, turned by a matrix

def start():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 50

start()
bpy.ops.import_scene.gltf(filepath='run/all.glb')
assert len(bpy.data.objects) == 4
check('gltf', bpy.data.objects['cube'])
for kind in 'pc2', 'mdd':
    start()
    bpy.ops.wm.obj_import(filepath='run/all_%s/cube.obj' % kind)
    cube = bpy.context.selected_objects[0]
    cache = cube.modifiers.new('cache', 'MESH_CACHE')
    cache.cache_format, cache.filepath, cache.frame_start = kind.upper(), 'run/all_%s/cube.%s' % (kind, kind), 0
    check(kind, cube)
print('Blender agrees')
END
if command -v blender >/dev/null; then
    expect 0 blender -b --factory-startup --python-exit-code 1 --python blender.py
    says out "Blender agrees"
else
    echo "skipped: Blender is not there"
fi

[ $failures -eq 0 ] && echo "all checks passed"
exit $((failures > 0))
