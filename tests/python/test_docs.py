"""Everything that is shown to users runs: docstrings, docs/PYTHON.md, notebooks, the example."""
import ast
import doctest
import importlib
import io
import json
import os
import pkgutil
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import pliant

SOURCE = Path(os.environ["PLIANT_SOURCE"])


@pytest.mark.parametrize("name", [m.name for m in pkgutil.iter_modules(pliant.__path__)
                                  if m.name != "_abi"])
def test_docstrings(name):
    module = importlib.import_module("pliant." + name)
    assert doctest.testmod(module).failed == 0
    assert module.__doc__


def test_public_names_are_explained():
    for name in pliant.__all__:
        thing = getattr(pliant, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if callable(value) and not member.startswith("_"):
                    assert value.__doc__, f"{name}.{member}"


def run_code(code, place, names):
    """Runs a block; what it prints is returned."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code, place, "exec", dont_inherit=True), names)
    return out.getvalue()


def blocks(path):
    text = path.read_text()
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        line = text[:match.start()].count("\n") + 1
        yield "\n" * line + match[1], str(path)


def test_page(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names, count, printed = {"__name__": "page"}, 0, ""
    for code, place in blocks(SOURCE / "docs/PYTHON.md"):
        printed += run_code(code, place, names)
        count += 1
    assert count > 15
    assert 'did you mean "gravity"?' in printed and "density = -5 kg/m^3, must be > 0" in printed
    # The friction sweep against a rigid block: the step of 0.01 s and a soft block make a few per cent.
    way = names["sweep"]["bodies.block.position.x"]
    mu = names["sweep"]["obstacles[0].friction"]
    exact = [max(0, 4.905 - 8.496 * m) * 0.125 for m in mu]
    assert way == pytest.approx(exact, abs=0.03)
    assert (tmp_path / "results/slope.svg").stat().st_size > 5000


@pytest.mark.parametrize("path", sorted((SOURCE / "python/notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebook(path, tmp_path, monkeypatch):
    """Cells run in one namespace, as in a kernel; a last expression must be valid too."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text())
    assert notebook["nbformat"] == 4 and all(not c.get("outputs") for c in notebook["cells"])
    names = {"__name__": "notebook"}
    for i, cell in enumerate(notebook["cells"]):
        assert {"cell_type", "id", "metadata", "source"} <= set(cell)
        if cell["cell_type"] == "code":
            code = "".join(cell["source"])
            ast.parse(code)
            run_code(code, f"{path.name}, cell {i}", names)


def test_lecture_is_thirty_lines():
    cells = json.loads((SOURCE / "python/notebooks/1_mass_spring.ipynb").read_text())["cells"]
    lines = [line for line in cells[3]["source"] if line.strip()]
    assert 25 <= len(lines) <= 35


def test_example_reaches(capsys):
    runpy.run_path(str(SOURCE / "python/examples/reach.py"), run_name="__main__")
    ends = [float(d) for d in re.findall(r"ends ([\d.]+) m", capsys.readouterr().out)]
    assert len(ends) == 3 and max(ends) < 0.1


def test_example_resets_exactly():
    task = runpy.run_path(str(SOURCE / "python/examples/reach.py"))["Reach"]()
    episodes = []
    for _ in range(2):
        task.reset(seed=5)
        episodes.append([task.step([0.1, 0.2])[0] for _ in range(5)])
    assert (episodes[0][-1] == episodes[1][-1]).all()
