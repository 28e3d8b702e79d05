"""Structs of the C interface: filled from keys and values by the parameter rows of the library, read as
attributes."""
from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np

from . import _abi
from ._library import ArgumentError, encode, lib, text
from .lists import Parameter, object_parameters

_rows: dict[int, dict[str, Parameter]] = {}


def rows(object: int) -> dict[str, Parameter]:
    if object not in _rows:
        _rows[object] = object_parameters(object)
    return _rows[object]


def default(name: str) -> Any:
    """A def with its defaults: default("body") is pli_default_body_def()."""
    def_ = getattr(_abi, f"pli_{name}_def")()
    def_.size = ctypes.sizeof(def_)
    if name == "world":
        def_.solver.size = ctypes.sizeof(def_.solver)
        def_.contact.size = ctypes.sizeof(def_.contact)
    getattr(lib, f"{name}_def_init")(ctypes.byref(def_))
    return def_


def vector(value: Any, what: str) -> list[float]:
    """Two or three numbers as three."""
    try:
        numbers = [float(v) for v in value]
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} = {value!r}, must be a list of 2 or 3 numbers") from None
    if len(numbers) not in (2, 3):
        raise ArgumentError(f"{what} has {len(numbers)} numbers, must be 2 or 3")
    return numbers + [0.0] * (3 - len(numbers))


def number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} = {value!r}, must be a number", key=what) from None


def fill(def_: Any, object: int, values: dict[str, Any], keep: list) -> None:
    """Writes values by the rows of an object; texts are kept alive in `keep`. Ranges are checked by
    the library."""
    for key, value in values.items():
        row = rows(object)[key]
        at = ctypes.addressof(def_) + row.offset
        if row.type == "number":
            automatic = value == "auto" and row.flags & _abi.PLI_PARAM_AUTO
            ctypes.c_double.from_address(at).value = 0.0 if automatic else number(value, key)
        elif row.type == "integer":
            if number(value, key) != int(value) or abs(int(value)) > 2**31 - 1:
                raise ArgumentError(f"{key} = {value!r}, must be an integer", key=key)
            ctypes.c_int.from_address(at).value = int(value)
        elif row.type == "bool":
            if not isinstance(value, (bool, np.bool_)):
                raise ArgumentError(f"{key} = {value!r}, must be True or False", key=key)
            ctypes.c_bool.from_address(at).value = bool(value)
        elif row.type == "vector":
            (ctypes.c_double * 3).from_address(at)[:] = vector(value, key)
        else:
            if not isinstance(value, str):
                raise ArgumentError(f"{key} = {value!r}, must be a text", key=key)
            keep.append(ctypes.c_char_p(encode(value, key)))
            ctypes.memmove(at, ctypes.byref(keep[-1]), ctypes.sizeof(ctypes.c_char_p))


def settings(values: dict[str, Any]) -> tuple[Any, int]:
    """Numbers by name as an array of pli_setting; True and False are 1 and 0."""
    array = (_abi.pli_setting * max(1, len(values)))()
    for i, (name, value) in enumerate(values.items()):
        array[i].name = encode(name)
        array[i].value = number(value, name)
    return array, len(values)


def points(value: Any, count: Optional[int], what: str) -> np.ndarray:
    """Rows of 2 or 3 numbers as a contiguous array of 3; `count` None: any number of rows."""
    array = np.asarray(value, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] not in (2, 3) or count is not None and len(array) != count:
        wanted = "n" if count is None else count
        raise ArgumentError(f"{what} has the shape {array.shape}, must be ({wanted}, 2) or "
                            f"({wanted}, 3)")
    out = np.zeros((len(array), 3))
    out[:, :array.shape[1]] = array
    return out


def indices(value: Any, what: str, count: Optional[int] = None) -> np.ndarray:
    """Vertex numbers, or a mask with one bool for each of `count` vertices."""
    array = np.asarray(value)
    if array.dtype == bool:
        if count is None or array.shape != (count,):
            raise ArgumentError(f"{what}: a mask must have one value for each vertex")
        array = np.flatnonzero(array)
    if array.size == 0:
        return np.empty(0, np.int32)
    if not np.issubdtype(array.dtype, np.integer):
        raise ArgumentError(f"{what} must be integers")
    if array.min() < -2**31 or array.max() >= 2**31:
        raise ArgumentError(f"{what}: a number is out of range")
    return np.ascontiguousarray(np.atleast_1d(array), dtype=np.int32)


def address(array: Optional[np.ndarray]) -> Optional[int]:
    return None if array is None else array.ctypes.data


def as_dict(struct: Any) -> dict[str, Any]:
    """Members of a struct; arrays become NumPy arrays, texts str."""
    out = {}
    for name, _ in struct._fields_:
        value = getattr(struct, name)
        if isinstance(value, ctypes.Array):
            value = np.array(value)
        out[name] = text(value) if isinstance(value, bytes) else value
    return out


class Info:
    """Members of a struct as attributes."""

    def __init__(self, struct: Any, **more: Any):
        self.__dict__.update(as_dict(struct), **more)

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
