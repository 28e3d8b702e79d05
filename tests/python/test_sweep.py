"""Sweeps and measures."""
import csv
import math

import numpy as np
import pytest

import pliant

HANGING = {"gravity": [0, -9.81], "time": {"step": 0.01, "steps": 5},
           "bodies": [{"name": "bar", "mesh": {"type": "rectangle", "size": [1, 0.2], "segments": [4, 1]},
                       "energies": [{"type": "neo-hookean", "young": 1e6, "poisson": 0.3}],
                       "fix": [{"group": "left"}]}]}


def test_table_has_one_row_for_each_combination(tmp_path):
    rows = []
    sweep = pliant.sweep(HANGING, {"bodies[0].density": [100.0, 200.0], "gravity": [[0, -1], [0, -2]]},
                         ["supports.bar.force.y", "max(total)", lambda result: len(result)],
                         out=tmp_path / "s", each=rows.append)
    assert len(sweep) == 4 == len(rows) and sweep.problems == [""] * 4
    force = sweep["supports.bar.force.y"]
    assert force[1] == pytest.approx(2 * force[0], rel=0.01)  # nearly linear
    assert force[3] == pytest.approx(2 * force[2], rel=0.01) and force[2] != force[0]
    assert list(sweep["bodies[0].density"]) == [100, 100, 200, 200] and list(sweep["<lambda>"]) == [6] * 4
    with open(sweep.folder / "sweep.csv") as file:
        table = list(csv.DictReader(file))
    assert [float(r["supports.bar.force.y"]) for r in table] == list(force)
    assert (sweep.folder / table[0]["folder"] / "run.json").exists()
    assert sweep.results[3].measure("supports.0.force.y") == force[3]
    with pytest.raises(pliant.ArgumentError, match="overwrite=True"):
        pliant.sweep(HANGING, {"bodies[0].density": [1.0]}, out=tmp_path / "s")
    with pytest.raises(pliant.ArgumentError, match="no column"):
        sweep["force"]


def test_results_do_not_depend_on_jobs(tmp_path):
    ends = [pliant.sweep(HANGING, {"bodies[0].density": np.linspace(100, 300, 4)}, "total",
                         out=tmp_path / str(jobs), jobs=jobs)["total"] for jobs in (1, 3)]
    assert (ends[0] == ends[1]).all()


def test_mistakes_end_it_before_anything_runs(tmp_path):
    for set_, measure in (({"bodies[0].densty": [1.0]}, "total"), ({}, "total"), ({"gravity": []}, "total"),
                          ({"bodies[0].density": [1.0]}, "mex(total)"), ({"bodies[0].density": [1.0]}, "")):
        with pytest.raises(pliant.Error):
            pliant.sweep(HANGING, set_, measure, out=tmp_path / "none")
        assert not list(tmp_path.rglob("run.json"))


def test_a_run_that_fails_is_a_row_with_its_reason(tmp_path):
    sweep = pliant.sweep(HANGING, {"bodies[0].density": [100.0, -1.0]}, "supports.bar.force.y",
                         out=tmp_path / "s")
    assert sweep.problems[0] == "" and "density = -1" in sweep.problems[1] and sweep.results[1] is None
    assert math.isnan(sweep["supports.bar.force.y"][1])


def test_series_and_measures_agree(tmp_path):
    result = pliant.run(HANGING, tmp_path / "r")
    times, force = result.series("supports.bar.force.y")
    assert times == pytest.approx([0.01, 0.02, 0.03, 0.04, 0.05])
    for word, value in (("last", force[-1]), ("first", force[0]), ("min", force.min()),
                        ("max", force.max()), ("mean", force.mean()), ("sum", force.sum())):
        assert result.measure(f"{word}(supports.bar.force.y)") == pytest.approx(value, rel=1e-14)
    frames, x = result.series("bodies.bar.position.y")
    assert len(frames) == 6 and x[-1] == pytest.approx(result[-1].positions[:, 1].mean())
    for bad, match in (("bodies.bat.position.x", "there are bar"), ("bodies.bar.position", "component"),
                       ("bodies.bar.velocity.w", "component"), ("bodies.bar.stress.x", "output.fields")):
        with pytest.raises(pliant.ArgumentError, match=match):
            result.measure(bad)


def test_plot(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    sweep = pliant.sweep(HANGING, {"bodies[0].density": [100.0, 200.0], "gravity": [[0, -1], [0, -2]]},
                         "total", out=tmp_path / "s")
    axes = sweep.plot()
    assert len(axes.lines) == 2 and axes.get_xlabel() == "bodies[0].density"
