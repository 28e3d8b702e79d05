"""Result folders read back: frames as arrays, statistics, exports."""
from __future__ import annotations

import ctypes
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Optional, Union

import numpy as np

from . import _abi
from ._defs import default
from ._library import ArgumentError, FileError, byref, call, encode, lib, refuse_keys, text
from .mesh import shown

if TYPE_CHECKING:
    from .viewer import View


class ResultBody:
    """What a body shows: name, its vertices, triangles and segments (numbered in the frame)."""

    def __init__(self, row: _abi.pli_replay_body, triangles: np.ndarray, segments: np.ndarray,
                 radius: float):
        self.name = text(row.name)
        self.vertices = slice(row.first_vertex, row.end_vertex)
        self.obstacle, self.thickness, self.radius = bool(row.obstacle), row.thickness, radius
        self.triangles, self.segments = triangles, segments

    def __repr__(self) -> str:
        count = self.vertices.stop - self.vertices.start
        return f'ResultBody("{self.name}", {count} vertices, {len(self.triangles)} triangles)'


class Frame:
    """One frame: time, positions (n, dimension) and arrays by name, e.g. frame["velocity"]."""

    def __init__(self, result: "Result", number: int):
        replay = result._replay
        self.number = number
        self.time: float = lib.replay_time(replay)
        count = lib.replay_vertex_count(replay)
        self.dimension: int = lib.replay_dimension(replay)
        self.positions = shown(lib.replay_positions(replay), (count, 3),
                               result)[:, :self.dimension].copy()
        self.bodies = result._bodies(lib.replay_epoch(replay))
        self._fields = {}
        for field in result.fields:
            components = ctypes.c_int()
            data = lib.replay_field(replay, encode(field), byref(components))
            if data:
                n = components.value
                self._fields[field] = shown(data, (count, n) if n > 1 else (count,), result).copy()

    @property
    def fields(self) -> list[str]:
        return list(self._fields)

    def __getitem__(self, field: str) -> np.ndarray:
        """An array per vertex; those per element are averaged at the vertices."""
        refuse_keys([field], self._fields, "the frame")
        return self._fields[field]

    def body(self, name: str) -> ResultBody:
        """The first body of this name."""
        names = [b.name for b in self.bodies]
        refuse_keys([name], names, "the frame's list of bodies")
        return self.bodies[names.index(name)]

    def __repr__(self) -> str:
        return f"Frame({self.number}, time={self.time:.6g}, {len(self.positions)} vertices)"


class Result:
    """The folder of a run, which may still be in progress. A sequence of frames.

    result[-1] is the last frame, result.statistics one dict per step, result.series("total") times and
    energies of all steps, result.measure("max(total)") one number.
    """

    def __init__(self, folder: Union[str, os.PathLike]):
        self.folder = Path(folder)
        pointer = ctypes.c_void_p()
        self._replay: Optional[int] = None
        call(lib.replay_open, encode(self.folder), None, byref(pointer))
        self._replay = pointer.value
        self._epochs: dict[int, tuple[ResultBody, ...]] = {}
        self.title = text(lib.replay_title(self._replay))
        self.dimension: int = lib.replay_dimension(self._replay)

    def __len__(self) -> int:
        return lib.replay_frame_count(self._replay)

    def __getitem__(self, i: int) -> Frame:
        count = len(self)
        if not -count <= i < count:
            raise IndexError(f"frame {i}: there are {count}")
        i = i % count
        call(lib.replay_read, self._replay, i)
        return Frame(self, i)

    def __iter__(self) -> Iterator[Frame]:
        for i in range(len(self)):
            yield self[i]

    def _bodies(self, epoch: int) -> tuple[ResultBody, ...]:
        if epoch not in self._epochs:
            bodies = []
            for b in range(lib.replay_body_count(self._replay)):
                row = lib.replay_body_at(self._replay, b)
                triangles = np.zeros((row.triangle_count, 3), np.int32)
                segments = np.zeros((row.segment_count, 2), np.int32)
                lib.replay_triangles(self._replay, b, triangles.ctypes.data)
                lib.replay_segments(self._replay, b, segments.ctypes.data)
                bodies.append(ResultBody(row, triangles, segments,
                                         lib.replay_body_radius(self._replay, b)))
            self._epochs[epoch] = tuple(bodies)
        return self._epochs[epoch]

    @property
    def bodies(self) -> tuple[ResultBody, ...]:
        """Of the frame that was read last."""
        return self._bodies(lib.replay_epoch(self._replay))

    @property
    def fields(self) -> dict[str, str]:
        """Arrays of the frames with their units."""
        out, i = {}, 0
        while True:
            row = lib.replay_field_at(self._replay, i)
            if not row.key:
                return out
            out[text(row.array)] = text(row.unit)
            i += 1

    @property
    def times(self) -> np.ndarray:
        """Of all frames [s]."""
        try:
            pvd = (self.folder / "run.pvd").read_text()
            found = re.findall(r'timestep="([^"]+)"[^>]*file="frame_', pvd)
            if len(found) == len(self):
                return np.array(found, float)
        except OSError:
            pass
        return np.array([frame.time for frame in self])

    def positions(self) -> np.ndarray:
        """Of all frames, (frames, n, dimension) [m]; not for runs whose bodies change."""
        frames = [frame.positions for frame in self]
        if len({len(f) for f in frames}) > 1:
            raise ArgumentError("the bodies of this run change: read frame by frame")
        return np.stack(frames)

    @property
    def statistics(self) -> list[dict[str, Any]]:
        """One dict per step: StepInfo, energies, balance, supports, joints, contacts."""
        return [json.loads(line) for line in self._lines()]

    def _lines(self) -> list[str]:
        path = self.folder / "stats.jsonl"
        try:
            lines = path.read_text().splitlines()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from error
        return [line for line in lines if line.endswith("}")]

    def measure(self, name: str) -> float:
        """One number of the run: "max(supports.bar.force.y)", "bodies.ball.position.x", ... Names are
        those of `statistics`, with the names of bodies and joints in lists; see docs/RESULTS.md."""
        value = ctypes.c_double()
        call(lib.measure, encode(self.folder), encode(name), byref(value))
        return value.value

    def series(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Times and values of a measure at each step (of "bodies": at each frame)."""
        pairs: list[tuple[float, float]] = []
        found = _abi.pli_measured_fn(lambda context, time, value: pairs.append((time, value)))
        call(lib.measure_each, encode(self.folder), encode(name), found, None)
        return tuple(np.array(pairs, float).reshape(-1, 2).T)

    def export(self, to: str, out: Union[None, str, os.PathLike] = None, *, every: int = 1,
               bodies: tuple[str, ...] = (), fields: Optional[str] = None,
               size: Optional[tuple[int, int]] = None, view: Optional[str] = None,
               zoom: float = 0, range: Optional[tuple[float, float]] = None,
               text: bool = True) -> Path:
        """Files for other programs, pictures, a page: `to` is one of pliant.export_formats. Returns the
        written file or folder."""
        def_, info, keep = default("export"), _abi.pli_export_info(), []

        def word(value: Any) -> Optional[bytes]:
            keep.append(None if value is None else encode(value))
            return keep[-1]

        def_.folder, def_.format, def_.every = word(self.folder), word(to), every
        def_.out, def_.fields, def_.view, def_.zoom = word(out), word(fields), word(view), zoom
        names = (ctypes.c_char_p * max(1, len(bodies)))(*[encode(b) for b in bodies])
        def_.bodies, def_.body_count = ctypes.addressof(names) if bodies else None, len(bodies)
        if size is not None:
            def_.width, def_.height = size
        if range is not None:
            def_.range[:] = range
        def_.no_text = not text
        call(lib.export, byref(def_), byref(info))
        return Path(os.fsdecode(info.path))

    def report(self, out: Union[None, str, os.PathLike] = None) -> Path:
        """One HTML page with pictures, numbers and plots."""
        def_, info = default("report"), _abi.pli_report_info()
        words = encode(self.folder), None if out is None else encode(out)
        def_.folder, def_.out = words
        call(lib.report, byref(def_), byref(info))
        return Path(os.fsdecode(info.path))

    def view(self, **keys: Any) -> "View":
        """Shows it in the browser; in Jupyter in an iframe."""
        from .viewer import view_folder
        return view_folder(self.folder, **keys)

    def plot(self, frame: int = -1, **keys: Any) -> Any:
        """Draws a frame with Matplotlib: see pliant.plot."""
        from .plot import plot
        return plot(self[frame], **keys)

    def __repr__(self) -> str:
        return f'Result("{self.folder}", {len(self)} frames)'

    def __del__(self) -> None:
        if getattr(self, "_replay", None) is not None and lib is not None:
            lib.replay_close(self._replay)
