"""Scenes, runs, results, checkpoints, exports and plots."""
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import pliant

SOURCE, BUILD = Path(os.environ["PLIANT_SOURCE"]), Path(os.environ["PLIANT_BUILD"])
BALL = {"gravity": [0, -9.81], "time": {"step": 0.01, "steps": 12},
        "bodies": [{"name": "ball", "mesh": {"type": "disk", "radius": 0.5, "rings": 3},
                    "energies": [{"type": "neo-hookean", "young": 1e4, "poisson": 0.4}]}],
        "obstacles": [{"type": "half-space", "name": "ground", "point": [0, -0.55], "normal": [0, 1]}],
        "output": {"every": 3, "fields": ["velocity", "stress"], "checkpoint_interval": 0}}


def test_dict_text_and_file_are_the_same_scene(tmp_path):
    path = tmp_path / "ball.json"
    path.write_text(json.dumps(BALL))
    ends = []
    for source in (BALL, json.dumps(BALL), path, str(path)):
        scene = pliant.Scene(source)
        while not scene.over:
            assert scene.step()
        ends.append(scene.world.positions.copy())
    assert all((end == ends[0]).all() for end in ends) and scene.name == "ball" and scene.steps == 12


def test_run_writes_what_the_command_writes(tmp_path):
    path = tmp_path / "ball.json"
    path.write_text(json.dumps(BALL))
    result = pliant.run(path, tmp_path / "python")
    subprocess.run([BUILD / "pliant", "run", path, "-o", tmp_path / "command", "-q"], check=True)
    mine, theirs = (sorted(p.name for p in (tmp_path / f).iterdir()) for f in ("python", "command"))
    assert mine == theirs
    for name in mine:
        if name.endswith(".vtu"):
            assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()
    assert len(result) == 5 and list(result.times) == pytest.approx([0, 0.03, 0.06, 0.09, 0.12])
    with pytest.raises(pliant.ArgumentError, match="overwrite=True"):
        pliant.run(path, tmp_path / "python")
    assert len(pliant.run(path, tmp_path / "python", overwrite=True)) == 5


def test_result_reads_what_was_simulated(tmp_path):
    seen = []
    scene = pliant.Scene(BALL)
    result = pliant.run(scene, tmp_path / "r", each=lambda info: seen.append(info.iterations))
    last = result[-1]
    assert np.allclose(last.positions, scene.world.positions, atol=1e-6)  # frames are single precision
    assert np.allclose(last["velocity"][:, :2], scene.world.velocities, atol=1e-5)
    assert last.body("ball").triangles.shape == (54, 3) and last.body("ball").vertices == slice(0, 37)
    assert "von_mises" in last.fields and last["von_mises"].shape == (37,)
    assert [s["iterations"] for s in result.statistics] == seen
    assert result.positions().shape == (5, 37, 2) and result.title == "scene"
    assert [f.number for f in result] == [0, 1, 2, 3, 4]
    with pytest.raises(IndexError):
        result[5]
    with pytest.raises(pliant.ArgumentError, match='did you mean "velocity"?'):
        last["velocty"]
    with pytest.raises(pliant.FileError):
        pliant.Result(tmp_path / "absent")


def test_exports_and_report(tmp_path):
    result = pliant.run(BALL, tmp_path / "r")
    page = result.export("html", tmp_path / "page.html")
    assert page.read_text().startswith("<!doctype html") or page.stat().st_size > 100_000
    pictures = result.export("png", tmp_path / "pictures", size=(64, 64), every=4)
    assert pictures.exists() and result.report(tmp_path / "report.html").stat().st_size > 1000
    with pytest.raises(pliant.ArgumentError):
        result.export("jpeg")


def test_resume_has_the_same_bits(tmp_path):
    path = tmp_path / "ball.json"
    path.write_text(json.dumps(BALL))
    whole = pliant.run(path, tmp_path / "whole")
    pliant.run(path, tmp_path / "part", set={"time.steps": 6})
    again = pliant.resume(tmp_path / "part", set={"time.steps": 12})
    assert len(again) == len(whole) == 5
    assert (again[-1].positions == whole[-1].positions).all()
    assert len(again.statistics) == 12


def test_findings_have_places_and_suggestions(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text('{\n "bodies": [ { "name": "a", "density": -5,\n  "mesh": { "type": "disk", "radius": 1 } } ],\n'
                    ' "gravty": [0, 1] }')
    with pytest.raises(pliant.SceneError) as caught:
        pliant.Scene(path)
    error = caught.value
    assert (error.line, error.key) == (2, "density") and error.column > 10
    assert f'{path}:2:' in str(error) and 'did you mean "gravity"?' in str(error)
    assert [f.path for f in error.findings if f.severity == "error"] == ["bodies[0].density", "gravty"]
    assert all(f.file == "" for f in error.findings)
    findings = pliant.check(path)
    assert [str(f) for f in findings] == [str(f) for f in error.findings]
    # A dict has keys, but no lines.
    with pytest.raises(pliant.SceneError, match=r"^bodies\[0\].density: ") as caught:
        pliant.Scene({"bodies": [{**BALL["bodies"][0], "density": -5}]})
    assert caught.value.line == 0
    with pytest.raises(pliant.FileError):
        pliant.Scene("absent.json")
    with pytest.raises(pliant.SceneError, match="not valid JSON"):
        pliant.Scene("{")
    with pytest.raises(pliant.SceneError, match="time.stp"):
        pliant.Scene(BALL, set={"time.stp": 1})
    with pytest.raises(pliant.ArgumentError, match="cannot be written"):
        pliant.Scene({"bodies": object()})


def test_parameters_change_while_it_runs():
    scene = pliant.Scene(BALL)
    young = "bodies[0].energies[0].young"
    assert scene.parameters[young] == 1e4 and scene.parameters["gravity"][1] == -9.81
    scene.set(young, 2e4)
    scene.set("gravity", [0, 0])
    assert scene.parameters[young] == 2e4 and (scene.world.gravity == 0).all()
    assert scene.data["bodies"][0]["energies"][0]["young"] == 2e4
    with pytest.raises(pliant.ArgumentError, match="another scene"):
        scene.set("bodies[0].density", 3)
    with pytest.raises(pliant.ArgumentError, match="did you mean"):
        scene.set("gravty", [0, 0])
    with pytest.raises(pliant.Error):
        scene.set(young, -1)
    assert scene.step()


def test_bodies_appear_and_vanish(tmp_path):
    data = json.loads(json.dumps(BALL))
    second = {**data["bodies"][0], "name": "late", "translate": [0, 1.5], "appears": 0.05,
              "vanishes": 0.09}
    data["bodies"].append(second)
    result = pliant.run(data, tmp_path / "r")
    assert [len(f.bodies) for f in result] == [1, 1, 2, 1, 1]
    with pytest.raises(pliant.ArgumentError, match="frame by frame"):
        result.positions()


def test_world_is_recorded(tmp_path):
    world = pliant.World(gravity=[0, -9.81], dimension=2)
    body = world.add_body(pliant.Mesh("disk", radius=1))
    body.add_energy("neo-hookean", young=1e4)
    with world.record(tmp_path / "r", every=2, fields=["velocity"], title="mine") as recorder:
        with pytest.raises(pliant.ArgumentError, match="recorded already"):
            world.record(tmp_path / "other")
        world.run(5)
    result = recorder.result
    assert list(result.times) == pytest.approx([0, 0.02, 0.04, 0.05]) and result.title == "mine"
    assert len(result.statistics) == 5 and result.fields == {"velocity": "m/s"}
    with pytest.raises(pliant.ArgumentError, match="velocity"):
        world.record(tmp_path / "x", fields=["velocty"])


def test_plots(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = pliant.run(BALL, tmp_path / "r")
    axes = result.plot(color=result[-1]["von_mises"], label="von Mises [Pa]")
    axes.figure.savefig(tmp_path / "a.png")
    scene = pliant.Scene(SOURCE / "scenes/two_cubes.json")
    axes = pliant.plot(scene.world)
    axes.figure.savefig(tmp_path / "b.png")
    assert (tmp_path / "a.png").stat().st_size > 5000 < (tmp_path / "b.png").stat().st_size
    with pytest.raises(pliant.ArgumentError, match="color"):
        result.plot(color=[1, 2])


def test_every_shipped_scene_is_read():
    for path in sorted((SOURCE / "scenes/tutorial").glob("*.json")):
        assert pliant.Scene(path).world.vertex_count > 0
