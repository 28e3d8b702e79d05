"""A user's way: `make install` into a prefix, the wheel, a fresh interpreter in another folder."""
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SOURCE, BUILD = Path(os.environ["PLIANT_SOURCE"]), Path(os.environ["PLIANT_BUILD"])
SCRIPT = """
import os, pliant
world = pliant.World(gravity=[0, -9.81], dimension=2)
body = world.add_body(pliant.Mesh("disk", radius=1))
body.add_energy("neo-hookean", young=1e4)
world.run(3)
print(round(float(body.positions[0, 1]), 6))
print(pliant._library.lib.path)
print(pliant.viewer.command())
"""


def use(folder, cwd):
    """Runs the script with nothing but this folder in the path."""
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1",
           "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=cwd, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    height, library, command = run.stdout.split()
    assert float(height) == pytest.approx(-9.81e-4 * 6)
    return Path(library), Path(command)


def test_installed(tmp_path):
    subprocess.run(["cmake", "--install", BUILD, "--prefix", tmp_path / "prefix"], check=True,
                   capture_output=True)
    package, = (tmp_path / "prefix/lib").glob("python3*/*-packages/pliant")
    (tmp_path / "elsewhere").mkdir()
    library, command = use(package.parent, tmp_path / "elsewhere")
    assert (tmp_path / "prefix") in library.parents and (tmp_path / "prefix") in command.parents
    assert (package / "py.typed").exists()


def test_wheel(tmp_path):
    made = []
    for name in ("a", "b"):
        run = subprocess.run([sys.executable, SOURCE / "tools/python_wheel.py", BUILD, tmp_path / name],
                             check=True, capture_output=True, text=True)
        made.append(Path(run.stdout.strip()))
    assert made[0].read_bytes() == made[1].read_bytes()
    target = tmp_path / "site"
    pip = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet",
                          "--root-user-action=ignore", "--target", target, made[0]],
                         capture_output=True, text=True)
    if pip.returncode != 0:
        assert "No module named pip" in pip.stderr, pip.stderr
        with zipfile.ZipFile(made[0]) as wheel:
            wheel.extractall(target)
        (target / "pliant/pliant").chmod(0o755)
    library, command = use(target, tmp_path)
    assert library.parent == command.parent == target / "pliant"


def test_without_a_library_it_says_what_to_do(tmp_path):
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(BUILD / "python"), "PLIANT_LIBRARY": "/nowhere/lib.so"}
    run = subprocess.run([sys.executable, "-B", "-c", "import pliant"], env=env, capture_output=True,
                         text=True)
    assert "make install" in run.stderr and "PLIANT_LIBRARY" in run.stderr
