"""The viewer as a child process."""
import os
import sys
import time
import types
import urllib.request

import pytest

import pliant
from pliant import viewer


def world():
    made = pliant.World(gravity=[0, -9.81], dimension=2)
    made.add_body(pliant.Mesh("disk", radius=1)).add_energy("neo-hookean", young=1e4)
    return made


def page(address):
    with urllib.request.urlopen(address, timeout=30) as answer:
        return answer.headers, answer.read()


@pytest.fixture(autouse=True)
def built_with_viewer():
    import subprocess
    run = subprocess.run([viewer.command(), "view", "/nowhere", "--no-open"], capture_output=True, text=True)
    if "without the viewer" in run.stderr:
        pytest.skip("built without the viewer")


def test_a_world_is_shown_while_it_is_stepped():
    w = world()
    with w.view(open=False) as view:
        folder = view.folder
        assert view.address.startswith("http://127.0.0.1:")
        headers, body = page(view.address)
        assert headers["Content-Type"].startswith("text/html") and headers["X-Frame-Options"] == "DENY"
        w.run(5)
        w._recorder.wait()
        assert len(pliant.Result(folder)) == 6
        process = view._process
    assert process.poll() is not None and not folder.exists()
    assert w._recorder is None and w.step()  # goes on without being recorded


def test_in_a_notebook_it_is_an_iframe(monkeypatch):
    shell = types.ModuleType("IPython")
    shell.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", shell)
    with world().view() as view:
        html = view._repr_html_()
        assert html.startswith(f'<iframe src="{view.address}"')
        headers, _ = page(view.address)
        assert "X-Frame-Options" not in headers
        assert "frame-ancestors http://127.0.0.1:* http://localhost:*" in headers["Content-Security-Policy"]


def test_a_result_is_replayed_and_mistakes_are_errors(tmp_path):
    w = world()
    with w.record(tmp_path / "r"):
        w.run(2)
        with w.view(open=False) as view:  # the folder that it is recorded into
            assert view.folder == tmp_path / "r"
        assert w._recorder is not None
    with pliant.Result(tmp_path / "r").view(open=False) as view:
        assert page(view.address)[1]
    assert (tmp_path / "r/run.json").exists()
    with pytest.raises(pliant.Error, match="absent"):
        viewer.view_folder(tmp_path / "absent", open=False)


def test_it_ends_with_python(tmp_path):
    import subprocess
    code = ("import pliant\nw = pliant.World(dimension=2)\n"
            "w.add_body(pliant.Mesh('point'), vertex_mass=1.0)\n"
            "v = w.view(open=False)\nprint(v._process.pid, v.folder)")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    pid, folder = out.split()
    deadline = time.monotonic() + 30
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}") and not os.path.exists(folder)
