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
says err "results/disks"
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
expect 2 "$pliant" export run/all --to usd --field stress
says err "fields need format png"
expect 2 "$pliant" export run/all --to html --view top
says err "need format png or mp4"
expect 2 "$pliant" export run/all --to png --field strain
says err 'no field "strain"; this run has velocity'
expect 2 "$pliant" export run/all --to png --range 5
says err "LOW,HIGH"
expect 2 "$pliant" export run/all --to png --range 5,5
says err "the second number must be larger than the first"
expect 2 "$pliant" export run/all --to png --zoom 1001
says err "must be from 0.001 to 1000"
expect 2 "$pliant" export run/all --to png --zoom big
expect 2 "$pliant" export run/all --to png --at 1,2
says err "X,Y,Z: three numbers in metres"
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
says err "results/disks"
expect 1 "$pliant" report nothing-here
says err "nothing-here/stats.jsonl"
expect 0 "$pliant" report run/all
says out "wrote run/all/report.html: 12 steps"
says run/all/report.html "<td>12, t = 0.24 s</td>"
says run/all/report.html "data:image/svg+xml;base64,"
says run/all/report.html "Residual [m/s], at"
expect 0 "$pliant" run "$source/scenes/schemes/static.json" -o static -q
expect 0 "$pliant" report static
says static/report.html "Residual (relative force), at"
expect 0 "$pliant" report run/all -q -o other.html
silent out
cmp -s other.html run/all/report.html || fail "the same report"
# Many steps are read with a look at the progress now and then.
awk 'BEGIN {for (i = 1; i <= 700; ++i) printf "{\"step\":%d,\"time\":%d}\n", i, i}' >many
cp -r run/all long
mv many long/stats.jsonl
expect 0 "$pliant" report long
says out "wrote long/report.html: 700 steps"
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
# A point far away in the middle, without text: nothing but paper, so that the pictures are the same.
for at in 1e6,0,0 0,1e6,0; do
    expect 0 "$pliant" export run/all --to png --size 64x48 --every 12 -o far$at --at=$at --zoom 2 --no-text
done
cmp -s far1e6,0,0/frame_000000.png far0,1e6,0/frame_000000.png || fail "pictures of nothing differ"
cmp -s far1e6,0,0/frame_000000.png far1e6,0,0/frame_000001.png || fail "pictures of nothing differ"
expect 0 "$pliant" export run/all --to png --size 64x48 --every 12 -o near --field velocity --range=-1,2.5
cmp -s far1e6,0,0/frame_000000.png near/frame_000000.png && fail "a picture shows nothing"
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

# ---- glTF by the validator of its makers, USD by a strict reader and by that of three.js
packages=$source/web/node_modules
if command -v node >/dev/null && [ -d "$packages/gltf-validator" ] && [ -d "$packages/tinyusdz" ]; then
    expect 0 node "$source/tests/app/read_gltf.mjs" "$packages" run/all.glb again/gltf
    says out "run/all.glb"
    expect 0 node "$source/tests/app/read_usd.mjs" "$packages" run/all.usda run/all_pc2
    says out "run/all.usda: 13 frames, 50 per second"
    sed 's/faceVertexIndices = \[/faceVertexIndices = [(/' run/all.usda >wrong.usda
    expect 1 node "$source/tests/app/read_usd.mjs" "$packages" wrong.usda run/all_pc2
else
    echo "skipped: node or packages of web/ are not there (make setup-test installs them if npm is)"
fi

# ---- films by the real ffmpeg
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    expect 0 "$pliant" export run/all --to mp4 --size 320x180
    says out "wrote run/all.mp4: 1 file"
    expect 0 ffprobe -v error -of default=nw=1 -show_entries \
        stream=codec_name,pix_fmt,width,height,nb_frames,r_frame_rate run/all.mp4
    for line in codec_name=h264 pix_fmt=yuv420p width=320 height=180 nb_frames=13 r_frame_rate=50/1; do
        says out $line
    done
    expect 0 ffprobe -v error -of default=nw=1:nk=1 -show_entries format=duration run/all.mp4
    says out "0.26"
    # A run of 100 frames per second has the speed it had, with every second of them.
    expect 0 "$pliant" run -q "$source/scenes/tutorial/1_mass_spring.json" -o fast --set time.step=0.01 -n 10
    expect 0 "$pliant" export fast --to mp4 --size 320x180
    expect 0 ffprobe -v error -of default=nw=1 -show_entries stream=nb_frames,r_frame_rate fast.mp4
    says out nb_frames=6
    says out r_frame_rate=50/1
    # The picture in the film is that of png, up to what the film leaves out of it.
    expect 0 "$pliant" export run/all --to png --size 320x180 -o small
    expect 0 ffmpeg -v info -nostats -i run/all.mp4 -start_number 0 -framerate 50 -i small/frame_%06d.png \
        -lavfi '[1:v]format=yuv420p[p];[0:v][p]psnr' -f null -
    average=$(sed -n 's/.*average:\([0-9]*\).*/\1/p' err)
    [ "${average:-0}" -ge 30 ] || fail "the film differs from the pictures: $(tail -1 err)" # [dB]
else
    echo "skipped: ffmpeg is not there"
fi
empty_path=$(mktemp -d)
expect 1 env PATH="$empty_path" "$pliant" export run/all --to mp4 -o none.mp4
says err "needs the program ffmpeg"
rmdir "$empty_path"
if ls | grep none.mp4; then fail "a part of a film was left behind"; fi

# ---- Blender: positions of all frames, from glTF and by the point caches
cat >blender.py <<'END'
import struct, sys
try:
    import numpy
    numpy.bool = bool  # which the importer of older versions asks for
except ImportError:
    print('Blender has no numpy')
    sys.exit(0)
import bpy

data = open('run/all_pc2/cube.pc2', 'rb').read()
count, frames = struct.unpack('<i', data[16:20])[0], struct.unpack('<i', data[28:32])[0]
numbers = struct.unpack('<%df' % (3 * count * frames), data[32:])

def expected(frame, i):  # Blender has z up
    x, y, z = numbers[3 * (frame * count + i):3 * (frame * count + i) + 3]
    return x, -z, y

def check(what, thing, some=None):
    worst = 0
    for frame in some or range(frames):
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
start()
bpy.ops.wm.obj_import(filepath='run/all_obj/frame_000007.obj')
check('obj', bpy.data.objects['cube'], [7])
if bpy.app.build_options.usd:
    start()
    bpy.ops.wm.usd_import(filepath='run/all.usda')
    check('usd', [o for o in bpy.data.objects if o.type == 'MESH' and o.parent.name == 'cube'][0])
print('Blender agrees')
END
if command -v blender >/dev/null; then
    expect 0 blender -b --factory-startup --python-exit-code 1 --python blender.py
    if grep -q "has no numpy" out; then
        echo "skipped: Blender has no numpy (python3-numpy)"
    else
        says out "Blender agrees"
    fi
else
    echo "skipped: Blender is not there"
fi

[ $failures -eq 0 ] && echo "all checks passed"
exit $((failures > 0))
