"""Every word and every parameter that the library knows, read from its own tables.

>>> import pliant
>>> "neo-hookean" in pliant.energies
True
>>> pliant.energies["neo-hookean"].parameters["young"].unit
'Pa'
>>> print(pliant.schemes["bdf2"])
bdf2: order 2, stable at any step size for linear forces, damps little
"""
from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from typing import Any, Iterator, Optional

from . import _abi
from ._library import ArgumentError, did_you_mean, lib, text

_TYPES = ("number", "integer", "bool", "choice", "text", "vector")


class Parameter:
    """A parameter: name, type, unit, range, default and what it is."""

    def __init__(self, row: _abi.pli_param):
        self.name = text(row.name)
        self.type = _TYPES[row.type]
        self.unit = text(row.unit)
        self.min, self.max, self.default = row.min, row.max, row.default_value
        self.flags = row.flags
        self.required = bool(row.flags & _abi.PLI_PARAM_REQUIRED)
        self.help = text(row.help)
        self.offset = row.offset
        self.choices = tuple(_words(row.choice)) if row.choice else ()

    def __str__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        kind = " | ".join(self.choices) if self.choices else self.type
        default = "" if self.required or self.type in ("text", "choice", "vector") \
            or math.isnan(self.default) else f", default {self.default:g}"
        return f"{self.name}: {kind}{unit}{default}; {self.help}"

    __repr__ = __str__


def _words(function: Any) -> Iterator[str]:
    i = 0
    while True:
        address = function(i)
        if not address:
            return
        yield text(ctypes.string_at(address))
        i += 1


class Entry:
    """A word of a list with its meaning and its parameters."""

    def __init__(self, name: str, help: str, parameters: dict[str, Parameter]):
        self.name, self.help, self.parameters = name, help, parameters
        self.__doc__ = str(self)

    def __str__(self) -> str:
        return "\n  ".join([f"{self.name}: {self.help}"] + [str(p) for p in self.parameters.values()])

    __repr__ = __str__


class Catalog(Mapping):
    """The words of one list, by name. `help()` and `print()` show them with their parameters."""

    def __init__(self, title: str, entries: dict[str, Entry]):
        self._title, self._entries = title, entries
        self.__doc__ = str(self)

    def __getitem__(self, name: str) -> Entry:
        if name not in self._entries:
            raise ArgumentError(f'{self._title}: there is no "{name}"'
                                + did_you_mean(name, self._entries), key=str(name))
        return self._entries[name]

    def __contains__(self, name: Any) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __str__(self) -> str:
        return "\n".join([self._title + ":"] + [
            "  " + str(e).replace("\n", "\n  ") for e in self._entries.values()])

    __repr__ = __str__


def _catalog(kind: int) -> Catalog:
    entries = {}
    for i in range(lib.list_count(kind)):
        parameters, k = {}, 0
        while True:
            row = lib.list_param(kind, i, k)
            if not row:
                break
            parameters[text(row[0].name)] = Parameter(row[0])
            k += 1
        name = text(lib.list_name(kind, i))
        entries[name] = Entry(name, text(lib.list_help(kind, i)), parameters)
    return Catalog(text(lib.list_title(kind)), entries)


def _joints() -> Catalog:
    entries, i = {}, 0
    while lib.joint_type_name(i):
        name = text(lib.joint_type_name(i))
        entries[name] = Entry(name, text(lib.joint_type_help(i)), {})
        i += 1
    return Catalog("joints", entries)


# "energies", "schemes", ...: as the C interface calls its lists (include/pliant/list.h).
CATALOGS = {text(lib.list_title(k)).replace(" ", "_").replace("-", "_"): _catalog(k)
            for k in range(_abi.PLI_LIST_KIND_COUNT)}
CATALOGS["joints"] = _joints()


def object_parameters(object: int) -> dict[str, Parameter]:
    """Rows of the def of an object of the C interface."""
    table = lib.object_params(object)
    if not table:
        return {}
    rows = ctypes.cast(table[0].rows, ctypes.POINTER(_abi.pli_param))
    return {text(rows[i].name): Parameter(rows[i]) for i in range(table[0].count)}


def material(name: str) -> dict[str, float]:
    """The constants of a material by name: density [kg/m^3], young [Pa], poisson, ...

    >>> material("rubber")["density"] > 500
    True
    """
    words = list(CATALOGS["materials"])
    if name not in words:
        CATALOGS["materials"][name]  # raises
    count = ctypes.c_int()
    rows = lib.material_settings(words.index(name), ctypes.byref(count))
    return {text(rows[i].name): rows[i].value for i in range(count.value)}


def help(topic: Optional[str] = None) -> str:
    """The text of `pliant help TOPIC`: scene keys with unit, range and default.

    >>> "friction" in help("contact")
    True
    """
    from ._library import call, encode
    parts: list[str] = []
    write = _abi.pli_write_fn(lambda context, part: parts.append(text(part)))
    call(lib.scene_help, encode(topic) if topic else None, write, None)
    return "".join(parts)
