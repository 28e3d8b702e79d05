#!/bin/bash
# pliant check on mesh files and pliant mesh: reports, exit codes, conversions, filling of surfaces.
# usage: test_mesh.sh PLIANT SOURCE_FOLDER
pliant=$1
source=$2
data=${PLIANT_DATA:-$source/../shared/data}/meshes
. "$(dirname "$0")/expect.sh"

cat >cube.obj <<'END'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END

# ---- check
expect 0 "$pliant" check cube.obj
says out "triangles     12"
says out "closed, encloses 1 m^3"
says out "quality       worst 0.828"
silent err
expect 0 "$pliant" check -q cube.obj
silent out
head -11 cube.obj >open.obj
printf 'v 5 5 5\nv 0 0 0\n' >>open.obj
expect 0 "$pliant" check open.obj
says out "open: "
says err "open.obj: warning: vertex 9 (line 13) is at the same place as vertex 0 (line 1)"
says err "open.obj: warning: 2 vertices belong to no element, the first is vertex 8 (line 12)"
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 2 2\n' >flat.obj
expect 2 "$pliant" check flat.obj
says err "flat.obj: triangle 0 (line 4) has area 0 m^2"
says err "flat.obj: triangle 1 (line 5) names vertex 1 twice"
says err "flat.obj has 2 bad elements"
printf 'v 0 0 0\nf 1 2 3\n' >bad.obj
expect 2 "$pliant" check bad.obj
says err "bad.obj:2:5: vertex 2, must be 1 to 1"

# Solids: what is wrong with a mesh is said with elements and lines.
msh() { # FILE NODES ELEMENTS: nodes and elements without their numbers, a line each
    printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n' "$(printf "$2" | wc -l)" >"$1"
    printf "$2" | awk '{print NR, $0}' >>"$1"
    printf '$EndNodes\n$Private\n$Secret 1 2 x\n$EndPrivate\n$Elements\n%d\n' "$(printf "$3" | wc -l)" >>"$1"
    printf "$3" | awk '{print NR, $0}' >>"$1"
    printf '$EndElements\n' >>"$1"
}
corners='0 0 0\n1 0 0\n0 1 0\n0 0 1\n'
msh good.msh "$corners" '4 0 1 2 3 4\n'
expect 0 "$pliant" check good.msh
says out "tetrahedra    1"
says out "volume        0.166667 m^3"
says out "edges         1 m (vertices 0, 1) to 1.414 m, mean 1.207 m"
says out "topology      Euler characteristic 2: 0 handles"
says out "quality       worst 0.732, mean 0.732"
says out "angles        54.74 degrees in tetrahedron 0 (line 16) to 90 in tetrahedron 0 (line 16)"
silent err
msh bad.msh "$corners" '4 0 1 3 2 4\n4 0 1 2 3 3\n'
expect 2 "$pliant" check bad.msh
says err "bad.msh: tetrahedron 0 (line 16) has volume -0.166667 m^3: two of its vertices must be swapped"
says err "bad.msh: tetrahedron 1 (line 17) names vertex 2 twice"
msh flat.msh '0 0 0\n1 0 0\n0 1 0\n1 1 0\n' '4 0 1 2 3 4\n'
expect 2 "$pliant" check flat.msh
says err "flat.msh: tetrahedron 0 (line 16) has volume 0 m^3: its vertices must not fall together"
msh sliver.msh '0 0 0\n1 0 0\n0 1 0\n1 1 1e-10\n' '4 0 1 2 3 4\n'
expect 0 "$pliant" check sliver.msh
says err "sliver.msh: warning: tetrahedron 0 (line 16) is nearly flat, its quality is"
says out "1 bad element: nearly flat, quality below 0.001"
msh twice.msh "${corners}0 0 1\n" '4 0 1 2 3 4\n'
expect 0 "$pliant" check twice.msh
says err "twice.msh: warning: vertex 4 (line 10) is at the same place as vertex 3 (line 9)"
says err "twice.msh: warning: 1 vertices belong to no element, the first is vertex 4 (line 10)"
msh double.msh "$corners" '4 0 1 2 3 4\n4 0 2 3 1 4\n'
expect 0 "$pliant" check double.msh
says err "double.msh: warning: 4 faces have two tetrahedra on the same side, the first at vertices 0, 1, 2 in tetrahedron 0 (line 16), tetrahedron 1 (line 17): the solid overlaps itself"
msh three.msh "${corners}1 1 1\n0 0 2\n" '4 0 1 2 3 4\n4 0 1 2 3 6\n4 0 1 2 3 5\n'
expect 0 "$pliant" check three.msh
says err "the first at vertices 0, 1, 2 in tetrahedron 0 (line 18), tetrahedron 1 (line 19), tetrahedron 2 (line 20): the solid overlaps itself"
msh edge.msh "${corners}0 -1 0\n0 0 -1\n" '4 0 1 2 3 4\n4 0 1 2 5 6\n'
expect 0 "$pliant" check edge.msh
says err "the first at vertices 0, 1 in tetrahedron 0 (line 18), tetrahedron 1 (line 19): the surface is not manifold"
says out "not manifold"
msh bow.msh "${corners}-1 0 0\n0 -1 0\n0 0 -1\n" '4 0 1 2 3 4\n4 0 1 6 5 7\n'
expect 0 "$pliant" check bow.msh
says err "bow.msh: warning: 1 vertices have several fans of triangles, the first at vertex 0 in tetrahedron 0 (line 19), tetrahedron 1 (line 20): the surface touches itself"
says out "topology      Euler characteristic 3"
msh mixed.msh "$corners" '4 2 7 1 1 2 3 4\n2 2 8 1 1 2 3\n1 2 9 1 1 2\n15 2 9 1 4\n5 0 1 2 3 4 1 2 3 4\n'
expect 0 "$pliant" check mixed.msh
says err "mixed.msh: warning: 1 hexahedra skipped"
says out "segments      1"
says out "triangles     1"
says out "groups        7: 4 vertices, of volumes, tag 7"
says out "              8: 3 vertices, of surfaces, tag 8"
says out "              9: 2 vertices, of curves, tag 9"
says out "              9: 1 vertex, of vertices, tag 9"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n' >fan.obj
expect 0 "$pliant" check fan.obj
says err "the first at vertices 0, 1 in triangle 0 (line 6), triangle 1 (line 7), triangle 2 (line 8): the surface is not manifold"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n' >turned.obj
expect 0 "$pliant" check turned.obj
says err "the first at vertices 1, 2 in triangle 0 (line 5), triangle 1 (line 6)"
printf 'v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\nv 1 0 2\nv 0 0 2\nf 3 4 5 6 1 2\n' >concave.obj
expect 0 "$pliant" check concave.obj
says out "area          3 m^2"
silent err
printf 'v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\nf 1 2 3 4\n' >bow.obj
expect 2 "$pliant" check bow.obj
says err "bow.obj:6:1: the face crosses itself, seen along its normal: triangulate it"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 3\n' >twice.obj
expect 2 "$pliant" check twice.obj
says err "triangle 1 (line 4)"
expect 2 "$pliant" check missing.msh
says err "missing.msh: No such file or directory"

# ---- conversions
expect 2 "$pliant" mesh
expect 2 "$pliant" mesh cube.obj
expect 2 "$pliant" mesh cube.obj a.vtu b.vtu
expect 2 "$pliant" mesh cube.obj a.vtu --size 0
expect 2 "$pliant" mesh cube.obj a.stp --surface
says err "are written to files named .vtu, .msh or .obj"
expect 2 "$pliant" mesh cube.obj a.obj --size 0.1
says err "pliant: --size"
expect 0 "$pliant" mesh cube.obj cube.vtu --surface
says out "triangles     12"
expect 0 "$pliant" mesh cube.vtu cube.msh --surface -q
silent out
expect 0 "$pliant" mesh cube.msh back.obj
says out "closed, encloses 1 m^3"
expect 1 "$pliant" mesh cube.obj nowhere/a.msh --surface
ls ./*.tmp >/dev/null 2>&1 && fail "a temporary file was left behind"

printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 5 0 1 1 1 1 1 1 1 1\n$EndElements\n' >hex.msh
expect 0 "$pliant" mesh hex.msh hex.vtu
says err "hex.msh: 1 hexahedra skipped"

# ---- groups go along
expect 0 "$pliant" mesh mixed.msh mixed.vtu -q
expect 0 "$pliant" mesh mixed.vtu again.msh
says out "7: 4 vertices, of volumes, tag 7"
says out "8: 3 vertices, of surfaces, tag 8"
says out "9: 2 vertices, of curves, tag 9"
printf 'g side\n' | cat - cube.obj >named.obj
expect 0 "$pliant" mesh named.obj back.obj
says err "named.obj: its 1 groups"

# ---- frames of a run are meshes
expect 0 "$pliant" run "$source/scenes/tutorial/6_inv_free.json" -q -n 1 -o frames
expect 0 "$pliant" check frames/frame_000001.vtu
says out "triangles"
expect 0 "$pliant" mesh frames/frame_000001.vtu frame.obj

# ---- filling by our own engine: always there
expect 0 "$pliant" mesh cube.obj solid.vtu
says out "filled with tetrahedra of size 0.1145 m, 100 % of the enclosed volume"
says out "volume        1 m^3"
says out "no bad elements"
expect 0 "$pliant" mesh named.obj -o solid.msh --size 0.25
says out "volume        1 m^3"
says out "side: 194 vertices"
cp solid.msh first.msh
expect 0 "$pliant" mesh named.obj -o solid.msh --size 0.25 -q
silent out
cmp -s solid.msh first.msh || fail "filling gives another mesh the second time"
expect 0 env PATH=/nowhere "$pliant" mesh cube.obj solid.vtu --engine stuffing
expect 2 "$pliant" mesh cube.obj solid.vtu --engine gmesh
says err '"gmesh", did you mean "gmsh"?'
expect 2 "$pliant" mesh cube.obj solid.vtu -o other.vtu
says err "solid.vtu and --output other.vtu"
expect 2 "$pliant" mesh open.obj solid.vtu --size 0.1
says err "open.obj: the surface is open"
expect 0 "$pliant" mesh open.obj kept.vtu
says err "open.obj: the surface is not closed"
expect 2 "$pliant" mesh cube.obj solid.vtu --size 5
says err "no tetrahedron of size 5 m fits into the surface"
printf 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n' >tetrahedron.off
expect 0 "$pliant" mesh tetrahedron.off solid.vtu --size 0.3
says err "of the volume is lost"
expect 1 "$pliant" mesh cube.obj nowhere/a.msh

# A scene fills a file, and a skin goes with the tetrahedra: touched and shown instead of them.
cat >skin.json <<'END'
{ "dimension": 3, "time": {"step": 0.01, "steps": 4}, "gravity": [0, -9.81, 0],
  "bodies": [
    { "name": "core", "mesh": {"type": "file", "path": "cube.obj", "fill": 0.5}, "velocity": [0, -5, 0],
      "energies": [{"type": "neo-hookean", "young": 1e5, "poisson": 0.3}] },
    { "name": "skin", "mesh": {"type": "file", "path": "cube.obj"}, "kinematics": "embedded" }],
  "obstacles": [{"type": "half-space", "point": [0, -0.05, 0], "normal": [0, 1, 0]}] }
END
expect 0 "$pliant" check skin.json
says out "no errors in skin.json"
expect 0 "$pliant" run skin.json -o skin --verify -q
expect 0 "$pliant" export skin --to obj -q
[ "$(grep -c '^o ' skin_obj/frame_000000.obj)" = 2 ] || fail "an export shows the cage beside its skin"
expect 0 "$pliant" export skin --to obj -q --body core -o core_obj
[ "$(grep -c '^f ' core_obj/frame_000000.obj)" -gt 12 ] || fail "an export does not show the cage by name"

# ---- filling by Gmsh, as far as it is there
export ASAN_OPTIONS=detect_leaks=0 # what Gmsh leaks is not ours
if [ -x "$(dirname "$pliant")/pliant-mesh" ]; then
    expect 0 "$pliant" mesh -g gmsh cube.obj solid.vtu
    says out "volume        1 m^3"
    says out "surface       12 triangles"
    expect 0 "$pliant" mesh -g gmsh named.obj solid.vtu
    says out "side: 8 vertices, of surfaces"
    expect 0 "$pliant" mesh -g gmsh named.obj solid.vtu --size 0.3
    says err "group side is lost"
    expect 0 "$pliant" mesh -g gmsh cube.obj solid.msh --size 0.3
    says out "volume        1 m^3"
    says out "tetrahedra"
    cp solid.msh first.msh
    expect 0 "$pliant" mesh -g gmsh cube.obj solid.msh --size 0.3 -q
    cmp -s solid.msh first.msh || fail "the mesher gives another mesh the second time"
    # A cube in a cube is a cavity; one beside it is another part.
    awk '/^v/ {print} /^f/ {f[++n] = $0} END {print ""; for (i = 1; i <= n; ++i) print f[i]}' cube.obj >nested.obj
    awk '/^v/ {print "v", 0.25 + $2 / 2, 0.25 + $3 / 2, 0.25 + $4 / 2}' cube.obj >>nested.obj
    awk '/^f/ {print "f", $2 + 8, $3 + 8, $4 + 8, $5 + 8}' cube.obj >>nested.obj
    awk '/^v/ {print "v", 2 + $2, $3, $4}' cube.obj >>nested.obj
    awk '/^f/ {print "f", $2 + 16, $3 + 16, $4 + 16, $5 + 16}' cube.obj >>nested.obj
    expect 0 "$pliant" mesh -g gmsh nested.obj solid.vtu
    says out "volume        1.875 m^3"
    says out "parts         2"
    # So few triangles, or so thin ones, that METIS does not divide them: Gmsh asked it for ever.
    printf 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n' >tetrahedron.off
    expect 0 timeout -s KILL 60 "$pliant" mesh -g gmsh tetrahedron.off solid.vtu --size 0.3
    says out "volume        0.166667 m^3"
    silent err
    thin='f 1 3 4\nf 1 4 9\nf 9 4 2\nf 5 6 8 7\nf 1 9 5\nf 9 6 5\nf 9 2 6\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n'
    cube_corners='v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n'
    printf "${cube_corners}v 0.99999999 0 0\n$thin" >thin.obj
    expect 0 timeout -s KILL 60 "$pliant" mesh -g gmsh thin.obj solid.vtu --size 0.3
    says out "volume        1 m^3"
    printf "${cube_corners}v 0.9999999999 0 0\n$thin" >thin.obj
    expect 1 timeout -s KILL 60 "$pliant" mesh -g gmsh thin.obj solid.vtu --size 0.3
    says err "one of its triangles is too thin; fill it without --size"
    # The mesher ends with the command, or with whoever else says that he started it.
    expect 1 "$(dirname "$pliant")/pliant-mesh" cube.obj orphan.vtu 0.3 1
    [ ! -e orphan.vtu ] || fail "the mesher goes on without its parent"
    if [ -e /proc/$$/task/$$/children ]; then
        mkfifo alive
        "$pliant" mesh -g gmsh cube.obj long.vtu --size 0.001 >alive 2>&1 &
        job=$!
        exec 3<alive
        while kill -0 $job && [ ! -s children ]; do cat /proc/$job/task/$job/children >children; done
        kill -9 $job
        wait $job 2>/dev/null
        timeout 60 cat <&3 >/dev/null || { fail "the mesher outlives the command"; kill -9 $(cat children); }
        exec 3<&-
    fi
    expect 2 "$(dirname "$pliant")/pliant-mesh"
    expect 1 "$(dirname "$pliant")/pliant-mesh" open.obj a.vtu 0
    says err "is not a closed surface"
else
    echo "no pliant-mesh beside pliant: filling is skipped"
fi
mkdir alone
cp "$pliant" alone/pliant
export LD_LIBRARY_PATH="$(dirname "$pliant")"
expect 1 env PATH=/nowhere alone/pliant mesh -g gmsh cube.obj solid.vtu
says err "--engine gmsh needs the program pliant-mesh"
printf '#!/bin/sh\nexit 3\n' >alone/pliant-mesh
chmod +x alone/pliant-mesh
expect 1 alone/pliant mesh -g gmsh cube.obj solid.vtu
says err "cube.obj"
# Who ignores the end of children passes that on; the mesher's is learned all the same.
expect 1 timeout 60 env --ignore-signal=CHLD alone/pliant mesh -g gmsh cube.obj solid.vtu
says err "cube.obj"
unset LD_LIBRARY_PATH

# ---- the data folder
if [ -d "$data/formats" ]; then
    for file in "$data"/formats/*; do
        case $(basename "$file") in
        bad_*) expect 2 "$pliant" check "$file"; [ -s err ] || fail "nothing is said about $file" ;;
        polyline*) expect 0 "$pliant" check "$file" ;;
        *) expect 0 "$pliant" check "$file"; says out "closed" ;;
        esac
    done
else
    echo "$data is not there: its files are skipped"
fi

[ $failures -eq 0 ] && echo "all checks passed"
exit $((failures > 0))
