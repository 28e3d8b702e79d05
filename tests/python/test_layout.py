"""The declarations for ctypes are those of the headers, as the C compiler sees them."""
import ctypes
import os
import subprocess

import pytest

import pliant
from pliant import _abi
from pliant._library import lib

STRUCTS = {name: getattr(_abi, name) for name in dir(_abi)
           if isinstance(getattr(_abi, name), type) and issubclass(getattr(_abi, name), ctypes.Structure)
           and name.startswith("pli_")}


def test_sizes_and_offsets(tmp_path):
    assert len(STRUCTS) > 60
    lines = ['#include "pliant/pliant.h"', "#include <stddef.h>", "#include <stdio.h>",
             "int main(void) {"]
    expected = []
    for name, struct in STRUCTS.items():
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        expected.append((name, ctypes.sizeof(struct)))
        for field, _ in struct._fields_:
            lines.append(f'printf("%zu %zu\\n", offsetof({name}, {field}), '
                         f"sizeof((({name}*)0)->{field}));")
            place = getattr(struct, field)
            expected.append((f"{name}.{field}", f"{place.offset} {place.size}"))
    for name, value in vars(_abi).items():
        if name.startswith("PLI_") and isinstance(value, int):
            lines.append(f'printf("%lld\\n", (long long){name});')
            expected.append((name, value))
    source, program = tmp_path / "layout.c", tmp_path / "layout"
    source.write_text("\n".join(lines + ["return 0; }"]))
    include = os.path.join(os.environ["PLIANT_SOURCE"], "include")
    subprocess.run([os.environ["PLIANT_CC"], "-std=c17", "-I", include, source, "-o", program], check=True)
    found = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(found) == len(expected)
    for (name, value), line in zip(expected, found):
        assert line == str(value), name


def test_every_function_is_there():
    declared = set()
    with open(os.path.join(os.environ["PLIANT_SOURCE"], "tests/check/abi.txt")) as file:
        declared = {line.split()[1] for line in file if line.startswith("symbol ")}
    assert set(_abi.FUNCTIONS) == declared
    for name in declared:
        getattr(lib, name[len("pli_"):])  # the compiled library has it


def test_defs_of_the_library_are_as_large():
    """A def that is larger than the library's is refused: see docs/VERSIONING.md."""
    def_ = pliant._defs.default("body")
    def_.size += 8
    world = pliant.World()
    with pytest.raises(pliant.ArgumentError, match="newer"):
        world._call(lib.world_add_body, ctypes.byref(def_), None)


def test_library_that_is_too_old_says_so():
    with pytest.raises(AttributeError):
        lib.no_such_function
    _abi.FUNCTIONS["pli_of_the_future"] = (ctypes.c_int, ())
    try:
        with pytest.raises(ImportError, match="older than this package"):
            lib.of_the_future
    finally:
        del _abi.FUNCTIONS["pli_of_the_future"]
