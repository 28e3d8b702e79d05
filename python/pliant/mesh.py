"""Meshes: vertices and elements."""
from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Callable, Optional, Union

import numpy as np

from . import _abi
from ._defs import address, indices, points
from ._library import ArgumentError, byref, call, did_you_mean, encode, lib, text
from .lists import CATALOGS

KINDS = {"vertex": 0, "segment": 1, "triangle": 2, "tetrahedron": 3, "triangle6": 4,
         "tetrahedron10": 5}
SIZES = (1, 2, 3, 4, 6, 10)
Selection = Union[None, str, int, list, np.ndarray, Callable[[np.ndarray], np.ndarray]]


def element_kind(kind: str) -> int:
    if kind not in KINDS:
        raise ArgumentError(f'there are no elements "{kind}"{did_you_mean(kind, KINDS)}; there are '
                            + ", ".join(KINDS), key="kind")
    return KINDS[kind]


def shown(data: int, shape: tuple[int, ...], owner: Any, type: Any = ctypes.c_double) -> np.ndarray:
    """A read-only array of memory that `owner` keeps alive."""
    size = int(np.prod(shape))
    if not data or size == 0:
        return np.zeros(shape, dtype=np.dtype(type))
    block = (type * size).from_address(data)
    block.owner = owner
    array = np.frombuffer(block, dtype=np.dtype(type)).reshape(shape)
    array.flags.writeable = False
    return array


class Mesh:
    """Vertices, elements and named groups of vertices.

    >>> import pliant
    >>> mesh = pliant.Mesh("rectangle", size=[2, 1], segments=[4, 2])
    >>> mesh
    Mesh(15 vertices, 16 triangles, groups: left, right, bottom, top)
    >>> mesh.positions[mesh.groups["left"]][:, 0]
    array([-1., -1., -1.])
    >>> pliant.Mesh(vertices=[[0, 0], [1, 0], [0, 1]], triangles=[[0, 1, 2]])
    Mesh(3 vertices, 1 triangle)

    `type` and its keys are those of "mesh" in a scene: print(pliant.meshes) lists them. Without a
    type `vertices` and lists of elements are given.
    """

    def __init__(self, type: Optional[str] = None, *, dimension: Optional[int] = None, **keys: Any):
        self._mesh = _abi.pli_mesh()
        lib.mesh_init(byref(self._mesh), None)
        if type is None and "vertices" not in keys:
            if keys:
                raise ArgumentError("a mesh needs a type, or vertices; types: "
                                    + ", ".join(CATALOGS["meshes"]))
            return
        if type is None:
            self._add(**keys)
            return
        if dimension is None:  # as far as the keys tell; shapes in space know it themselves
            lengths = [len(v) for v in keys.values() if isinstance(v, (list, tuple, np.ndarray))]
            dimension = 3 if type not in ("rectangle", "disk", "line", "data") or 3 in lengths else 2
        call(lib.scene_mesh, encode(to_json({"type": type, **keys})), dimension, byref(self._mesh))

    def _add(self, vertices: Any, **elements: Any) -> None:
        x = points(vertices, None, "vertices")
        call(lib.mesh_add_vertices, byref(self._mesh), len(x), address(x), None)
        plural = {"segments": 1, "triangles": 2, "tetrahedra": 3, "triangles6": 4, "tetrahedra10": 5}
        for name, rows in elements.items():
            if name not in plural:
                raise ArgumentError(f'a mesh has no "{name}"{did_you_mean(name, plural)}; it has '
                                    "vertices, " + ", ".join(plural), key=name)
            kind = plural[name]
            numbers = np.asarray(rows)
            if numbers.ndim != 2 or numbers.shape[1] != SIZES[kind]:
                raise ArgumentError(f"{name} has the shape {numbers.shape}, must be "
                                    f"(n, {SIZES[kind]})", key=name)
            flat = indices(numbers.reshape(-1), name)
            call(lib.mesh_add_elements, byref(self._mesh), kind, len(numbers), address(flat))

    @classmethod
    def read(cls, path: Union[str, os.PathLike]) -> "Mesh":
        """A mesh file: .msh, .vtk, .vtu, .mesh, .node, .ele, .obj, .stl, .ply, .off, .seg, .csv."""
        mesh = cls()
        call(lib.mesh_read, byref(mesh._mesh), encode(path))
        return mesh

    def write(self, path: Union[str, os.PathLike]) -> None:
        """Writes .vtu, .msh or .obj, by the name."""
        call(lib.mesh_write, byref(self._mesh), encode(path))

    @property
    def vertex_count(self) -> int:
        return self._mesh.vertex_count

    # Nothing below moves the arrays of a mesh, so that what was shown stays valid.
    @property
    def positions(self) -> np.ndarray:
        """(n, 3) [m]; may be written to. A world takes a copy."""
        count = self._mesh.vertex_count
        array = shown(self._mesh.positions, (count, 3), self)
        array.flags.writeable = True
        return array

    @positions.setter
    def positions(self, value: Any) -> None:
        self.positions[:] = points(value, self.vertex_count, "positions")

    def elements(self, kind: str) -> np.ndarray:
        """Vertex numbers of "segment", "triangle", "tetrahedron", ..., one row each."""
        k = element_kind(kind)
        return shown(self._mesh.elements[k] or 0, (self._mesh.element_count[k], SIZES[k]), self,
                     ctypes.c_int32)

    @property
    def segments(self) -> np.ndarray:
        return self.elements("segment")

    @property
    def triangles(self) -> np.ndarray:
        return self.elements("triangle")

    @property
    def tetrahedra(self) -> np.ndarray:
        return self.elements("tetrahedron")

    @property
    def groups(self) -> dict[str, np.ndarray]:
        """Vertex numbers of the named groups: sides of shapes, groups of files."""
        m = self._mesh
        rows = ctypes.cast(m.groups, ctypes.POINTER(_abi.pli_mesh_group))
        return {text(rows[i].name): shown(rows[i].vertices, (rows[i].vertex_count,), self,
                                          ctypes.c_int32).copy() for i in range(m.group_count)}

    def add_group(self, name: str, vertices: Any) -> None:
        """Adds vertices, numbers or a mask, to the group of this name."""
        numbers = indices(vertices, "vertices", self.vertex_count)
        call(lib.mesh_add_group, byref(self._mesh), encode(name), 0, 0, len(numbers),
             address(numbers))

    def select(self, selection: Selection) -> Optional[np.ndarray]:
        """Vertex numbers of a group's name, numbers, a mask, or a function of the positions (n, 3)
        that returns a mask. None: all, which is None again."""
        return select(selection, self.groups, self.positions)

    def translate(self, offset: Any) -> "Mesh":
        """Moves all vertices [m]; returns the mesh."""
        self.positions[:] += points([offset], 1, "offset")
        return self

    def scale(self, factor: Any) -> "Mesh":
        """By one factor or one for each axis, about the origin; returns the mesh."""
        factors = np.ones(3)
        factors[:np.size(factor) if np.ndim(factor) else 3] = factor
        self.positions[:] *= factors
        return self

    def rotate(self, degrees: float, axis: Any = (0, 0, 1)) -> "Mesh":
        """About an axis through the origin, counter-clockwise; returns the mesh."""
        a = points([axis], 1, "axis")[0]
        a = a / np.linalg.norm(a)
        angle = np.radians(degrees)
        x = self.positions
        x[:] = (x * np.cos(angle) + np.cross(a, x) * np.sin(angle)
                + np.outer(x @ a, a) * (1 - np.cos(angle)))
        return self

    def quadratic(self) -> "Mesh":
        """Another mesh with a midpoint vertex on each edge."""
        other = self.copy()
        call(lib.mesh_make_quadratic, byref(other._mesh))
        return other

    def fill(self, size: float = 0) -> "Mesh":
        """A mesh of tetrahedra of this size [m] inside the closed surface; 0: chosen."""
        solid = Mesh()
        call(lib.mesh_fill, byref(solid._mesh), byref(self._mesh), size, None)
        return solid

    def surface(self) -> "Mesh":
        """Another mesh: the surface of a solid without its inside."""
        other = self.copy()
        call(lib.mesh_keep_surface, byref(other._mesh))
        return other

    def copy(self) -> "Mesh":
        """Vertices, elements and groups."""
        other = Mesh(vertices=self.positions) if self.vertex_count else Mesh()
        for kind in list(KINDS.values())[1:]:
            count = self._mesh.element_count[kind]
            if count:
                call(lib.mesh_add_elements, byref(other._mesh), kind, count,
                     self._mesh.elements[kind])
        for name, vertices in self.groups.items():
            other.add_group(name, vertices)
        return other

    def defects(self, dimension: int = 3) -> list[str]:
        """What is wrong with it, in words: degenerate and inverted elements, coincident vertices."""
        found: list[str] = []
        report = _abi.pli_mesh_defect_fn(lambda context, grave, message: found.append(text(message)))
        call(lib.mesh_find_defects, byref(self._mesh), dimension, report, None)
        return found

    def __repr__(self) -> str:
        parts = [_counted(self.vertex_count, "vertex", "vertices")]
        for name, many in (("segment", "segments"), ("triangle", "triangles"),
                           ("tetrahedron", "tetrahedra"), ("triangle6", "6-node triangles"),
                           ("tetrahedron10", "10-node tetrahedra")):
            count = self._mesh.element_count[KINDS[name]]
            if count:
                parts.append(_counted(count, name, many))
        if self._mesh.group_count:
            parts.append("groups: " + ", ".join(self.groups))
        return f"Mesh({', '.join(parts)})"

    def __del__(self) -> None:
        if getattr(self, "_mesh", None) is not None and lib is not None:
            lib.mesh_free(byref(self._mesh))


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def to_json(value: Any, indent: Optional[int] = None) -> str:
    """As a scene writes it; also NumPy numbers and arrays, and paths."""
    def plain(part: Any) -> Any:
        if isinstance(part, (np.ndarray, np.generic)):
            return part.tolist()
        if isinstance(part, os.PathLike):
            return os.fspath(part)
        raise TypeError(repr(part))

    try:
        return json.dumps(value, default=plain, indent=indent)
    except (TypeError, ValueError) as error:  # keys that are no texts; a circle
        raise ArgumentError(f"this cannot be written in a scene: {error}") from None


def select(selection: Selection, groups: dict[str, np.ndarray],
           positions: np.ndarray) -> Optional[np.ndarray]:
    if selection is None:
        return None
    if isinstance(selection, str):
        if selection not in groups:
            raise ArgumentError(f'there is no group "{selection}"{did_you_mean(selection, groups)}; '
                                "there are " + (", ".join(groups) or "none"), key="vertices")
        return groups[selection]
    if callable(selection):
        selection = np.asarray(selection(positions))
    return indices(selection, "vertices", len(positions))
