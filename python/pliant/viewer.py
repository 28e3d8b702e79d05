"""The browser viewer: `pliant view` as a child process."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from ._library import Error, FileError, lib

if TYPE_CHECKING:
    from .record import Recorder
    from .world import World


def command() -> str:
    """The program `pliant`: of $PLIANT_COMMAND, beside the library, or in the path."""
    given = os.environ.get("PLIANT_COMMAND")
    folder = Path(lib.path).resolve().parent
    places = [given] if given else [folder / "pliant", *(up / "bin" / "pliant" for up in folder.parents),
                                    shutil.which("pliant")]
    for place in places:
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return str(place)
    raise FileError("the program pliant was not found: install it, or set PLIANT_COMMAND to it")


def in_jupyter() -> bool:
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell else None
    return running is not None and hasattr(running, "kernel")


class View:
    """A viewer that runs: `address` for a browser. It ends with `close()`, or with Python."""

    def __init__(self, folder: Union[str, os.PathLike], *, port: int = 0,
                 open: Optional[bool] = None, recorder: Optional["Recorder"] = None,
                 temporary: bool = False, height: int = 480):
        embedded = in_jupyter()
        arguments = [command(), "view", os.fspath(folder), "--quiet", "--port", str(port)]
        if embedded:
            arguments.append("--embed")
        if open is False or open is None and embedded:
            arguments.append("--no-open")
        where = os.path.dirname(os.path.abspath(lib.path))
        others = os.environ.get("LD_LIBRARY_PATH")
        env = {**os.environ, "LD_LIBRARY_PATH": f"{where}:{others}" if others else where}
        self._process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         text=True, env=env)
        self.folder, self.height, self._recorder = Path(folder), height, recorder
        self.address = (self._process.stdout.readline() or "").strip()
        if not self.address:
            raise Error(self._process.stderr.read().strip() or "the viewer did not start")
        # Not a method: it must not keep the view alive.
        self._end = weakref.finalize(self, _end, self._process,
                                     os.fspath(folder) if temporary else None)

    def close(self) -> None:
        """Ends the viewer, and the recording that it began."""
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None
        self._end()

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return (f'<iframe src="{self.address}" width="100%" height="{self.height}" '
                'style="border:1px solid #ccc"></iframe>')

    def __repr__(self) -> str:
        return f"View({self.address})"


def _end(process: subprocess.Popen, folder: Optional[str]) -> None:
    process.terminate()
    process.wait()
    process.stdout.close()
    process.stderr.close()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)


def view_folder(folder: Union[str, os.PathLike], **keys: Any) -> View:
    return View(folder, **keys)


def view_world(world: "World", **keys: Any) -> View:
    """A world that is recorded already is shown from there; else into a folder of its own."""
    if world._recorder is not None:
        world._recorder.wait()
        return View(world._recorder.folder, **keys)
    folder = tempfile.mkdtemp(prefix="pliant-view-")
    recorder = world.record(folder, preview_frames=0)
    recorder.wait()
    return View(folder, recorder=recorder, temporary=True, **keys)
