#!/usr/bin/python3
"""Processor time of a step of a world with one point, from C and from Python, and of reading positions.
usage: python_step.py BUILD [CC]"""
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEPS = 200_000
SOURCE = Path(__file__).resolve().parent.parent
PROGRAM = r"""
#include <pliant/pliant.h>
int main(void) {
    pli_error e = PLI_NO_ERROR;
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    def.gravity[1] = -9.81;
    pli_world* world = NULL;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double x[3] = {0};
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    if (pli_world_create(&def, &world, &e) || pli_mesh_add_vertices(&mesh, 1, x, NULL, &e) ||
        pli_world_add_body(world, &body, &id, &e)) return 1;
    pli_step_info info;
    for (int i = 0; i < STEPS; ++i)
        if (pli_world_step(world, &info, &e)) return 1;
    return 0;
}
"""


def in_c(build, cc):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "steps.c").write_text(PROGRAM)
        subprocess.run([cc, "-O2", f"-DSTEPS={STEPS}", "-I", SOURCE / "include", f"{folder}/steps.c", "-o",
                        f"{folder}/steps", build / "libpliant.so", f"-Wl,-rpath,{build.resolve()}"],
                       check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([f"{folder}/steps"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / STEPS


def timed(function):
    start = time.process_time()
    for _ in range(STEPS):
        function()
    return (time.process_time() - start) / STEPS


def main(build, cc="cc"):
    sys.path.insert(0, str(build / "python"))
    import pliant
    world = pliant.World(gravity=[0, -9.81], dimension=2, threads=1)
    body = world.add_body(pliant.Mesh("point"), vertex_mass=1.0)
    world.step()
    c, python = in_c(build, cc), timed(world.step)
    print(f"a step from C       {1e6 * c:6.2f} us")
    print(f"a step from Python  {1e6 * python:6.2f} us: {1e6 * (python - c):.2f} us more")
    print(f"world.positions     {1e6 * timed(lambda: world.positions):6.2f} us")
    print(f"body.positions      {1e6 * timed(lambda: body.positions):6.2f} us")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main(Path(sys.argv[1]), *sys.argv[2:])
