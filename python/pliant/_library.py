"""Loads libpliant and calls it: prototypes, errors as exceptions, texts."""
from __future__ import annotations

import ctypes
import difflib
import os
from pathlib import Path
from typing import Any, Iterable, Optional

from . import _abi
from ._abi import pli_error

_NAMES = (f"libpliant.so.{_abi.PLI_ABI_VERSION}", "libpliant.so")


class Error(Exception):
    """What the library refused. The text is for people; the attributes are for programs.

    Attributes:
        status: "out of memory", "invalid argument", ...
        object: what is at fault: "body", "energy", "solver", ...; "" if that is not known
        index: its number among those of its kind, -1 if there is only one
        key: the parameter, "" if it is none
        line, column: the place in a text file, 0 if it is in none
    """

    def __init__(self, message: str, status: str = "", object: str = "", index: int = -1,
                 key: str = "", line: int = 0, column: int = 0):
        super().__init__(message)
        self.status, self.object, self.index, self.key = status, object, index, key
        self.line, self.column = line, column


class ArgumentError(Error, ValueError):
    """An invalid value, an unknown key, or calls in the wrong order."""


class SceneError(Error, ValueError):
    """A scene, a mesh file or a saved state is invalid. `findings` lists every problem of a scene."""

    findings: tuple = ()


class FileError(Error, OSError):
    """A file could not be opened, read or written."""


class OutOfMemory(Error, MemoryError):
    """The machine or the limit of a world has no more memory."""


class BusyError(Error, RuntimeError):
    """A world was called by its own callback, or by two threads at once."""


class Cancelled(Error):
    """A callback cancelled the call."""


class StepFailed(Error):
    """A step did not converge and was not kept. `info` is its StepInfo, with a remedy."""

    info: Any = None


for _class in (Error, *Error.__subclasses__()):
    _class.__module__ = "pliant"  # where users find them

_KINDS = {
    _abi.PLI_E_MEMORY: OutOfMemory, _abi.PLI_E_ARGUMENT: ArgumentError,
    _abi.PLI_E_SCENE: SceneError, _abi.PLI_E_IO: FileError, _abi.PLI_E_BUSY: BusyError,
    _abi.PLI_E_CANCELLED: Cancelled,
}


def _candidates() -> Iterable[Path]:
    """Where the library may be: named by the user, in a wheel, installed, in a build folder."""
    given = os.environ.get("PLIANT_LIBRARY")
    if given:
        yield Path(given)
        return
    here = Path(__file__).resolve().parent
    folders = [here, here.parents[1]]
    for up in here.parents:
        folders += [up / "lib", *sorted(up.glob("lib/*-linux-gnu")), up / "lib64"]
    for folder in folders:
        for name in _NAMES:
            if (folder / name).exists():
                yield folder / name
    for name in _NAMES:
        yield Path(name)  # as the loader finds it


def _load() -> tuple[ctypes.CDLL, str]:
    problems = []
    for path in _candidates():
        try:
            return ctypes.CDLL(str(path)), str(path)
        except OSError as error:
            problems.append(str(error))
    raise ImportError("pliant: libpliant was not found: install it (make install), or set "
                      "PLIANT_LIBRARY to the file. " + "; ".join(problems))


class Library:
    """The functions of libpliant as attributes, without the prefix pli_."""

    def __init__(self) -> None:
        self._handle, self.path = _load()
        self._handle.pli_abi_version.restype = ctypes.c_int
        found = self._handle.pli_abi_version()
        if found != _abi.PLI_ABI_VERSION:
            raise ImportError(f"pliant: {self.path} has the binary interface {found}, this package "
                              f"needs {_abi.PLI_ABI_VERSION}: install both from the same source")

    def __getattr__(self, name: str) -> Any:
        if "pli_" + name not in _abi.FUNCTIONS:
            raise AttributeError(name)
        try:
            function = getattr(self._handle, "pli_" + name)
        except AttributeError:
            raise ImportError(f"pliant: {self.path} is older than this package, it has no "
                              f"pli_{name}: install both from the same source") from None
        function.restype, function.argtypes = _abi.FUNCTIONS["pli_" + name]
        setattr(self, name, function)
        return function


lib = Library()
byref = ctypes.byref
_OBJECTS = [name[len("PLI_OBJECT_"):].lower().replace("_", "-")
            for name in _abi.ENUMS["pli_object"]]


def text(value: Optional[bytes]) -> str:
    return value.decode("utf-8", "replace") if value else ""


def encode(value: Any, what: str = "text") -> bytes:
    """Bytes of a text or a path; NUL would end it early."""
    data = os.fsencode(value)
    if b"\0" in data:
        raise ArgumentError(f"{what}: a NUL character is not allowed")
    return data


def raise_error(status: int, error: pli_error) -> None:
    place = _OBJECTS[error.object] if 0 < error.object < len(_OBJECTS) else ""
    raise _KINDS.get(status, Error)(
        text(error.message) or text(lib.status_text(status)), status=text(lib.status_text(status)),
        object=place, index=error.index, key=text(error.key), line=error.line,
        column=error.column)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last argument is a pli_error."""
    error = pli_error()
    status = function(*arguments, byref(error))
    if status:
        raise_error(status, error)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(word), list(known), 1)
    return f', did you mean "{near[0]}"?' if near else ""


def refuse_keys(given: Iterable[str], known: Iterable[str], what: str) -> None:
    """Unknown keys are errors."""
    known = list(known)
    for key in given:
        if key not in known:
            raise ArgumentError(f'{what} has no key "{key}"{did_you_mean(key, known)}; it has '
                                + (", ".join(known) or "none"), key=str(key))
