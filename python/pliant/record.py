"""Result folders: written while a world runs."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Iterable, Optional, Union

from . import _abi
from ._defs import default
from ._library import ArgumentError, byref, call, encode, lib, refuse_keys, text
from .world import StepInfo, World

if TYPE_CHECKING:
    from .result import Result


def frame_fields() -> dict[str, int]:
    """Arrays that frames can have beside positions, with their bits."""
    return {text(lib.frame_field_name(i)): 1 << i for i in range(_abi.PLI_FRAME_FIELD_COUNT)}


class Recorder:
    """Writes frames, statistics and a picture of a world into a folder, as `pliant run` does.

    >>> import pliant, tempfile
    >>> world = pliant.World(dimension=2)
    >>> body = world.add_body(pliant.Mesh("disk", radius=1))
    >>> _ = body.add_energy("neo-hookean", young=1e4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with world.record(folder) as recorder:
    ...         _ = world.run(3)
    ...     len(recorder.result)
    4

    every: a frame with every n-th step. fields: arrays of frames (list(pliant.frame_fields)), or "all".
    """

    def __init__(self, world: World, folder: Union[str, os.PathLike], *, title: str = "",
                 every: int = 1, fields: Union[None, str, Iterable[str]] = None,
                 preview_frames: int = 6, double_precision: bool = False, compress: bool = False,
                 _bits: Optional[int] = None, _resume: Any = None):
        if world._recorder is not None:
            raise ArgumentError("the world is recorded already: close that recorder first")
        if every < 1:
            raise ArgumentError(f"every = {every}, must be >= 1", key="every")
        self._world, self.folder, self.every = world, os.fspath(folder), every
        def_ = default("recorder")
        names = frame_fields()
        chosen = list(names) if fields == "all" else [fields] if isinstance(fields, str) else fields
        if chosen is not None:
            chosen = list(chosen)
            refuse_keys(chosen, names, "a frame")
            def_.fields = sum(names[f] for f in set(chosen))
        if _bits is not None:
            def_.fields = _bits
        words = encode(self.folder), encode(title)
        def_.folder, def_.title = words[0], words[1] if title else None
        def_.preview_frames = preview_frames
        def_.double_precision, def_.compress = double_precision, compress
        def_.resume = _resume
        world.prepare()
        pointer = ctypes.c_void_p()
        call(lib.recorder_create, byref(def_), world._h.pointer, byref(pointer))
        self._pointer: Optional[int] = pointer.value
        self._last = -1
        world._recorder = self
        if _resume is None:
            self.frame()
        elif lib.recorder_time(self._pointer) == world.time:
            self._last = world.step_count

    def frame(self) -> None:
        """The present state as a frame."""
        call(lib.recorder_frame, self._pointer)
        self._last = self._world.step_count

    def step(self, info: StepInfo) -> None:
        """Called by World.step: statistics, and every n-th time a frame."""
        call(lib.recorder_step, self._pointer, byref(info))
        if info.kept and info.step % self.every == 0:
            self.frame()

    def wait(self) -> None:
        """Until all frames so far are written."""
        call(lib.recorder_wait, self._pointer)

    def close(self) -> None:
        """The last frame, the list of frames and the picture."""
        if self._pointer is None:
            return
        pointer, self._world._recorder = self._pointer, None
        try:
            if self._world.step_count != self._last:
                self.frame()
            call(lib.recorder_finish, pointer)
        finally:
            self._pointer = None
            lib.recorder_destroy(pointer)

    @property
    def result(self) -> "Result":
        from .result import Result
        return Result(self.folder)

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None and lib is not None:
            lib.recorder_destroy(self._pointer)
