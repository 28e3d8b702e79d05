"""Scenes: JSON files, texts or dicts; running them."""
from __future__ import annotations

import ctypes
import json
import os
import time as clock
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping, Optional, Union

import numpy as np

from . import _abi
from ._arrays import Handle
from ._defs import default, vector
from ._library import (ArgumentError, SceneError, byref, call, encode, lib, refuse_keys, text)
from .energy import Energy
from .mesh import to_json
from .record import Recorder
from .result import Result
from .world import StepInfo, World, _energy_types, _limit, step_failed

Source = Union[str, os.PathLike, Mapping[str, Any]]
_SEVERITIES = ("note", "warning", "error")


class Finding:
    """One problem of a scene: severity, line and column in its file ("": the scene itself, else an
    included one), path of the key, message."""

    def __init__(self, row: _abi.pli_finding, shown: str):
        self.severity = _SEVERITIES[row.severity]
        self.line, self.column, self.file = row.line, row.column, text(row.file)
        self.path, self.message = text(row.path), text(row.message)
        self._shown = shown

    def __str__(self) -> str:
        return self._shown

    __repr__ = __str__


class Scene:
    """A scene, checked, with its world.

    >>> import pliant
    >>> scene = pliant.Scene({"bodies": [{"name": "ball", "mesh": {"type": "disk", "radius": 1},
    ...                       "energies": [{"type": "neo-hookean", "young": 1e4}]}],
    ...                       "gravity": [0, -9.81]}, set={"time.step": 0.05})
    >>> scene.world.time_step
    0.05
    >>> scene.step().kept
    True
    >>> pliant.Scene({**scene.data, "gravty": [0, -9.81]})
    Traceback (most recent call last):
        ...
    pliant.SceneError: gravty: unknown key "gravty", did you mean "gravity"?

    source: a path, a dict, or JSON text. set: other values by path, as --set of the
    command: {"bodies[0].density": 500}. Raises SceneError, whose `findings` are all problems.
    """

    def __init__(self, source: Source, *, set: Optional[Mapping[str, Any]] = None, threads: int = 0,
                 energies: Iterable[Energy] = (), interactive: bool = False, memory: int = 0):
        def_, keep = default("scene"), []
        self._from_dict = isinstance(source, Mapping)
        if isinstance(source, Mapping):
            def_.text = encode(to_json(source, indent=1))
        elif isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
            def_.text = encode(source)
        else:
            def_.path = encode(os.fspath(source))
        overrides = [encode(f"{key}={to_json(value)}")
                     for key, value in (set or {}).items()]
        array = (ctypes.c_char_p * max(1, len(overrides)))(*overrides)
        def_.overrides, def_.override_count = ctypes.addressof(array), len(overrides)
        def_.thread_count, def_.interactive = threads, interactive
        types = {e.name: e for e in energies}
        tables = _energy_types(types.values(), keep)
        def_.energy_types, def_.energy_type_count = ctypes.addressof(tables), len(types)
        if memory:
            def_.allocator = _limit(memory, keep)
        pointer = ctypes.c_void_p()
        call(lib.scene_create, byref(def_), byref(pointer))
        self._pointer = pointer.value or 0
        self.findings = self._read_findings()
        if lib.scene_error_count(self._pointer):
            lib.scene_destroy(self._pointer)
            raise _scene_error(self.findings)
        handle = Handle(lib.scene_world(self._pointer), lib.scene_destroy, self._pointer)
        handle.keep += keep
        self.world = World._of_handle(handle)
        for energy in types.values():
            energy._worlds.add(handle)

    def _read_findings(self) -> tuple[Finding, ...]:
        buffer, out = ctypes.create_string_buffer(1024), []
        for i in range(lib.scene_finding_count(self._pointer)):
            row = lib.scene_finding(self._pointer, i)[0]
            shown = text(lib.scene_finding_text(self._pointer, i, buffer, 1024))
            if self._from_dict:  # which has no lines
                row.line = row.column = 0
                shown = ": ".join(filter(None, (text(row.path), text(row.message))))
            out.append(Finding(row, shown))
        return tuple(out)

    @property
    def _run(self) -> _abi.pli_run_def:
        return lib.scene_run(self._pointer)[0]

    @property
    def name(self) -> str:
        return text(self._run.name)

    @property
    def steps(self) -> int:
        """Number of time steps; with a duration an upper bound."""
        return self._run.steps

    @property
    def text(self) -> str:
        """The resolved scene, with overrides and the values of materials, as JSON."""
        return text(lib.scene_text(self._pointer))

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.text)

    @property
    def parameters(self) -> dict[str, Any]:
        """What can be changed while the scene runs, by path, with the present values."""
        out, i = {}, 0
        while True:
            row = lib.scene_parameter_at(self._pointer, i)
            if not row:
                return out
            out[text(row[0].path)] = _parameter_value(row[0])
            i += 1

    def set(self, path: str, value: Any) -> None:
        """Sets one of `parameters` in the running world, from the next step on: gravity, the time step,
        friction, constants of energies, loads. Others need another scene."""
        paths = list(self.parameters)
        refuse_keys([path], paths, "the scene's list of parameters")
        numbers = vector(value, path) if np.ndim(value) else [float(value), 0.0, 0.0]
        applied = ctypes.c_bool()
        self.world._call(lambda w, *rest: lib.scene_set_parameter(self._pointer, *rest),
                         paths.index(path), (ctypes.c_double * 3)(*numbers), byref(applied))
        if not applied.value:
            raise ArgumentError(f"{path} cannot be changed while the scene runs: make another scene "
                                "with set=", key=path)

    @property
    def over(self) -> bool:
        """Whether the world has reached the end of the scene."""
        run = self._run
        return run.duration > 0 and self.world.time >= run.duration \
            or self.world.step_count >= run.steps

    def step(self) -> StepInfo:
        """One step; then bodies appear and vanish as the scene says."""
        info = self.world.step()
        if info.kept and lib.scene_event_count(self._pointer):
            count = ctypes.c_int()
            self.world._call(lambda w, *rest: lib.scene_update(self._pointer, *rest),
                             self.world.time, byref(count))
            if count.value:
                self.world.prepare()
        return info

    def __repr__(self) -> str:
        return f'Scene("{self.name}", {self.world!r})'


def _scene_error(findings: tuple[Finding, ...]) -> SceneError:
    errors = [f for f in findings if f.severity == "error"]
    first = errors[0]
    error = SceneError("\n".join(str(f) for f in errors), status="invalid scene",
                       key=first.path.rpartition(".")[2], line=first.line, column=first.column)
    error.findings = findings
    return error


def _parameter_value(row: _abi.pli_scene_parameter) -> Any:
    kind = row.row and ctypes.cast(row.row, ctypes.POINTER(_abi.pli_param))[0].type
    if kind == _abi.PLI_PARAM_VECTOR:
        return list(row.value)
    if kind in (_abi.PLI_PARAM_CHOICE, _abi.PLI_PARAM_TEXT):
        return text(row.word)
    if kind == _abi.PLI_PARAM_BOOL:
        return bool(row.value[0])
    return int(row.value[0]) if kind == _abi.PLI_PARAM_INTEGER else row.value[0]


def check(source: Source, **keys: Any) -> tuple[Finding, ...]:
    """All problems of a scene, without raising.

    >>> import pliant
    >>> [f.severity for f in pliant.check({"gravity": "down"})]
    ['error', 'error']
    """
    try:
        return Scene(source, **keys).findings
    except SceneError as error:
        if error.findings:
            return error.findings
        raise


def free_folder(name: str) -> Path:
    """results/NAME, or results/NAME-2, ... if that has results."""
    folder, number = Path("results") / name, 1
    found = _abi.pli_recorded()
    while True:
        call(lib.recorder_look, encode(folder), byref(found))
        if found.frame_count == 0 and not found.checkpoint:
            return folder
        number += 1
        folder = Path("results") / f"{name}-{number}"


def run(scene: Union[Scene, Source], out: Union[None, str, os.PathLike] = None, *,
        overwrite: bool = False, each: Optional[Callable[[StepInfo], Any]] = None,
        **keys: Any) -> Result:
    """Runs a scene to its end and records it, as `pliant run`; returns the result.

    out: the folder; default results/NAME, or results/NAME-2 if that has results. each: called after
    every step. Other keys are those of Scene. A step that is not kept raises StepFailed; what was
    written so far stays, and `pliant run --resume` can continue it.
    """
    if not isinstance(scene, Scene):
        scene = Scene(scene, **keys)
    elif keys:
        raise ArgumentError("keys of Scene are given, but the scene exists already")
    folder = Path(out) if out is not None else free_folder(scene.name)
    found = _abi.pli_recorded()
    call(lib.recorder_look, encode(folder), byref(found))
    if (found.frame_count or found.checkpoint) and not overwrite:
        raise ArgumentError(f"{folder} has the results of an earlier run ({found.frame_count} frames): "
                            "overwrite=True replaces them", key="out")
    return _simulate(scene, folder, each, None)


def resume(folder: Union[str, os.PathLike], *, each: Optional[Callable[[StepInfo], Any]] = None,
           **keys: Any) -> Result:
    """Continues a run from its checkpoint, with the same bits as if it had never stopped. Other keys are
    those of Scene: set={"time.steps": 500} makes it longer."""
    checkpoint = ctypes.c_void_p()
    call(lib.checkpoint_read, encode(folder), None, byref(checkpoint))
    try:
        info = lib.checkpoint_describe(checkpoint)
        words = ctypes.cast(info.overrides, ctypes.POINTER(ctypes.c_char_p))
        old = dict(text(words[i]).split("=", 1) for i in range(info.override_count))
        values = {**{k: _json(v) for k, v in old.items()}, **keys.pop("set", {})}
        path = text(info.scene)
        source: Source = path if Path(path).exists() else text(info.text)
        scene = Scene(source, set=values, **keys)
        scene.world._call(lambda w, *rest: lib.scene_update(scene._pointer, *rest), info.time, None)
        call(lib.checkpoint_restore, checkpoint, scene.world._h.pointer)
        return _simulate(scene, Path(folder), each, checkpoint)
    finally:
        lib.checkpoint_destroy(checkpoint)


def _json(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value


def _simulate(scene: Scene, folder: Path, each: Any, checkpoint: Any) -> Result:
    run_, world = scene._run, scene.world
    recorder = Recorder(world, folder, title=scene.name, every=2**31 - 1,
                        preview_frames=run_.preview_frames, double_precision=run_.double_precision,
                        compress=run_.compress, _bits=run_.fields, _resume=checkpoint)
    saves = run_.checkpoint_every > 0

    def save() -> None:
        call(lib.recorder_checkpoint, recorder._pointer, scene._pointer)

    saved, unsaved = clock.monotonic(), 0
    try:
        if saves and checkpoint is None:
            save()
        while not scene.over:
            info = scene.step()
            if not info.kept:
                raise step_failed(info)
            if info.step % run_.frame_every == 0 or scene.over:
                recorder.frame()
                unsaved += 1
            late = clock.monotonic() - saved >= run_.checkpoint_interval
            if saves and unsaved >= run_.checkpoint_every and late:
                save()
                saved, unsaved = clock.monotonic(), 0
            if each is not None:
                each(info)
    finally:
        if saves:
            save()
        recorder.close()
    return Result(folder)
