"""What a world has: bodies, energies, supports, loads, half-spaces, joints."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _abi
from ._defs import Info, address, default, fill, indices, points, rows, settings, vector
from ._library import ArgumentError, byref, encode, lib, refuse_keys, text
from .mesh import Mesh, Selection, element_kind, select

if TYPE_CHECKING:
    from .energy import Energy
    from .world import World

Field = Callable[[float, np.ndarray], Sequence[float]]
_AXES = {"x": 0, "y": 1, "z": 2}


class Thing:
    """Something that was added to a world and can be removed."""

    def __init__(self, world: "World", id: Any, remove: Any):
        self._world, self._id, self._remove = world, id, remove

    def remove(self) -> None:
        """Between steps; all others keep their state."""
        self._world._call(self._remove, self._id)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._id.index})"


class AddedEnergy(Thing):
    """An energy of a body, or of listed stencils."""

    def __init__(self, world: "World", id: Any):
        super().__init__(world, id, lib.world_remove_energy)

    def set(self, **values: float) -> None:
        """Other values of parameters, from the next step on."""
        given, count = settings(values)
        self._world._call(lib.world_set_energy, self._id, given, count)

    def set_field(self, function: Optional[Field]) -> None:
        """For energies with an input (wind): a vector by (t, x); None: the parameters again."""
        callback = self._world._field(function) if function else _abi.pli_field_fn()
        self._world._call(lib.world_set_energy_field, self._id, callback, None)

    def __getitem__(self, name: str) -> float:
        value = ctypes.c_double()
        if not lib.world_energy_setting(self._world._h.pointer, self._id, encode(name), byref(value)):
            raise ArgumentError(f'the energy has no value of "{name}"', key=name)
        return value.value

    @property
    def type(self) -> str:
        table = lib.world_energy_type(self._world._h.pointer, self._id)
        return text(table[0].name) if table else ""


class Support(Thing):
    """A fix or a prescribed motion."""

    def __init__(self, world: "World", id: Any):
        super().__init__(world, id, lib.world_remove_support)

    def set_target(self, offset: Sequence[float]) -> None:
        """Where the vertices are to be at the end of the next step: their places when the motion was
        added, and this offset [m]."""
        self._world._call(lib.world_set_target, self._id,
                          (ctypes.c_double * 3)(*vector(offset, "offset")))

    def _info(self) -> Any:
        w = self._world._h.pointer
        return lib.world_support(w, lib.world_support_number(w, self._id))

    @property
    def force(self) -> np.ndarray:
        """Of the support on the body [N]."""
        return np.array(self._info().force[:self._world.dimension])

    @property
    def torque(self) -> np.ndarray:
        """About its centre [N m], three numbers."""
        return np.array(self._info().torque)

    @property
    def centre(self) -> np.ndarray:
        return np.array(self._info().centre[:self._world.dimension])

    @property
    def blocked(self) -> int:
        """Prescribed vertices that did not arrive in the last step."""
        return self._info().blocked


class Load(Thing):
    """A force, traction, pressure or moment."""

    def __init__(self, world: "World", id: Any):
        super().__init__(world, id, lib.world_remove_load)

    def set(self, value: Union[float, Sequence[float]]) -> None:
        """Another value [N] or [Pa], from the next step on."""
        self._world._call(lib.world_set_load, self._id, (ctypes.c_double * 3)(*_load_value(value)))


def _load_value(value: Any) -> list[float]:
    return [float(value), 0.0, 0.0] if np.ndim(value) == 0 else vector(value, "value")


class HalfSpace(Thing):
    """A flat obstacle."""

    def __init__(self, world: "World", id: Any):
        super().__init__(world, id, lib.world_remove_half_space)

    def set_friction(self, friction: float, friction_static: float = 0) -> None:
        self._world._call(lib.world_set_half_space_friction, self._id, friction, friction_static)


class Joint(Thing):
    """Places of two bodies that stay together."""

    def __init__(self, world: "World", id: Any):
        super().__init__(world, id, lib.world_remove_joint)

    @property
    def info(self) -> Info:
        """name, type, place, force [N], torque [N m], gap [m]: after a step."""
        info = _abi.pli_joint_info()
        w = self._world._h.pointer
        lib.world_joint(w, lib.world_joint_number(w, self._id), byref(info))
        return Info(info)


class Body(Thing):
    """A body of a world. Arrays have one row for each of its vertices."""

    def __init__(self, world: "World", id: Any):
        super().__init__(world, id, lib.world_remove_body)

    def _select(self, selection: Selection) -> Optional[np.ndarray]:
        groups = self._world._groups.get((self._id.index, self._id.generation), {})
        return select(selection, groups, self.rest_positions)

    # ---- adding

    def add_energy(self, type: Union[str, "Energy"], **values: float) -> AddedEnergy:
        """What it is made of: a name of pliant.energies with its parameters, or an energy of your own
        that the world was created with."""
        name = type if isinstance(type, str) else type.name
        given, count = settings(values)
        id = _abi.pli_energy_id()
        self._world._call(lib.world_add_energy, self._id, encode(name), given, count, byref(id))
        return AddedEnergy(self._world, id)

    def fix(self, vertices: Selection = None, axes: str = "xyz", *, normal: Any = None,
            clamped: bool = False, no_contact: bool = False) -> Support:
        """Holds vertices along axes, or lets them slide on the plane with a normal."""
        def_ = default("fix")
        chosen = self._choose(def_, vertices)
        def_.axes[:] = _axes(axes)
        if normal is not None:
            def_.normal[:] = vector(normal, "normal")
        def_.clamped, def_.no_contact = clamped, no_contact
        id = _abi.pli_support_id()
        self._world._call(lib.world_fix, self._id, byref(def_), byref(id))
        del chosen
        return Support(self._world, id)

    def prescribe(self, vertices: Selection = None, *, axes: str = "xyz",
                  keyframes: Optional[Sequence[tuple[float, Sequence[float]]]] = None,
                  motion: Optional[Field] = None, clamped: bool = False, no_contact: bool = False,
                  **keys: Any) -> Support:
        """Moves vertices: velocity and travel; keyframes, pairs of time and offset; motion, a function
        of (t, x at t = 0) that returns the offset; or set_target() of what this returns. Contact
        may block them."""
        refuse_keys(keys, [*rows(_abi.PLI_OBJECT_SUPPORT), "axes", "keyframes", "motion", "clamped",
                           "no_contact"], "a prescribed motion")
        def_, keep = default("prescribe"), []
        fill(def_, _abi.PLI_OBJECT_SUPPORT, keys, keep)
        keep.append(self._choose(def_, vertices))
        def_.free[:] = [not held for held in _axes(axes)]
        if self._world.dimension == 2:
            def_.free[2] = False
        if keyframes is not None:
            times = np.array([t for t, _ in keyframes], np.float64)
            offsets = np.array([vector(o, "keyframes") for _, o in keyframes]).reshape(-1, 3)
            keep += [times, offsets]
            def_.times, def_.offsets, def_.key_count = address(times), address(offsets), len(times)
        if motion is not None:
            def_.field = self._world._field(motion)
        def_.clamped, def_.no_contact = clamped, no_contact
        id = _abi.pli_support_id()
        self._world._call(lib.world_prescribe, self._id, byref(def_), byref(id))
        return Support(self._world, id)

    def add_load(self, kind: str, value: Union[float, Sequence[float]] = 0.0,
                 vertices: Selection = None, *, field: Optional[Field] = None) -> Load:
        """"force" [N], "traction" [Pa], "pressure" [Pa] or "moment" [N]; field: a function of (t, x at
        rest) instead of a value."""
        def_ = default("load")
        chosen, word = self._choose(def_, vertices), encode(kind)
        def_.kind = word
        def_.value[:] = _load_value(value)
        if field is not None:
            def_.field = self._world._field(field)
        id = _abi.pli_load_id()
        self._world._call(lib.world_add_load, self._id, byref(def_), byref(id))
        del chosen
        return Load(self._world, id)

    def _choose(self, def_: Any, vertices: Selection) -> Optional[np.ndarray]:
        chosen = self._select(vertices)
        if chosen is not None:
            if len(chosen) == 0:
                raise ArgumentError("no vertex is selected", key="vertices")
            def_.vertices, def_.vertex_count = address(chosen), len(chosen)
        return chosen

    def set_velocities(self, velocities: Any) -> None:
        """[m/s]: one row per vertex, or one vector for all."""
        each = np.ndim(velocities) == 2
        count = self._range()[1] - self._range()[0]
        array = points(velocities if each else [velocities], count if each else 1, "velocities")
        self._world._call(lib.world_set_velocities, self._id, address(array), each)

    def replace_mesh(self, mesh: Mesh, transfer: Optional[tuple] = None) -> Info:
        """Another mesh. transfer: (start, sources, weights) of each new vertex, as compressed rows;
        None: the same vertices. Returns mass, momentum and energy before and after."""
        info, given, keep = _abi.pli_edit_info(), None, []
        if transfer is not None:
            start, sources, weights = transfer
            keep = [indices(start, "start"), indices(sources, "sources"),
                    np.ascontiguousarray(weights, np.float64)]
            if len(keep[0]) != mesh.vertex_count + 1 or keep[0][0] != 0 \
                    or np.any(np.diff(keep[0]) < 0) or not keep[0][-1] == len(keep[1]) == len(keep[2]):
                raise ArgumentError("transfer: start needs one number more than the new mesh has "
                                    "vertices, from 0 to the length of sources and weights")
            given = _abi.pli_transfer()
            given.start, given.weight = address(keep[0]), address(keep[2])
            setattr(given, "from", address(keep[1]))
        pointer = byref(given) if given is not None else None
        self._world._call(lib.world_edit, self._id, byref(mesh._mesh), pointer, byref(info))
        self._world._groups[self._id.index, self._id.generation] = mesh.groups
        return Info(info)

    # ---- reading

    @property
    def number(self) -> int:
        """Its number in the world; numbers move up when a body before it is removed."""
        number = lib.world_body_number(self._world._h.pointer, self._id)
        if number < 0:
            raise ArgumentError("the body was removed from its world", object="body")
        return number

    @property
    def name(self) -> str:
        return text(lib.world_body_name(self._world._h.pointer, self.number))

    def _range(self) -> tuple[int, int]:
        w, number = self._world._h.pointer, self.number
        return lib.world_body_vertex(w, number), lib.world_body_vertex(w, number + 1)

    def _rows(self, array: np.ndarray) -> np.ndarray:
        first, end = self._range()
        return array[first:end]

    @property
    def vertices(self) -> range:
        """Its vertices, numbered in the world."""
        return range(*self._range())

    @property
    def positions(self) -> np.ndarray:
        """(n, dimension) [m]: a read-only view that each step updates."""
        return self._rows(self._world.positions)

    @property
    def velocities(self) -> np.ndarray:
        """(n, dimension) [m/s]: a read-only view that each step updates."""
        return self._rows(self._world.velocities)

    @property
    def rest_positions(self) -> np.ndarray:
        return self._rows(self._world.rest_positions)

    @property
    def reactions(self) -> np.ndarray:
        """Forces of its supports [N]."""
        return self._rows(self._world.reactions)

    @property
    def contact_forces(self) -> np.ndarray:
        return self._rows(self._world.contact_forces)

    @property
    def friction_forces(self) -> np.ndarray:
        return self._rows(self._world.friction_forces)

    @property
    def masses(self) -> np.ndarray:
        return self._rows(self._world.masses)

    @property
    def groups(self) -> dict[str, np.ndarray]:
        """Vertex numbers of the groups of its mesh."""
        return self._world._groups.get((self._id.index, self._id.generation), {})

    def _elements(self, kind: str) -> slice:
        w, number, k = self._world._h.pointer, self.number, element_kind(kind)
        return slice(lib.world_body_element(w, number, k), lib.world_body_element(w, number + 1, k))

    def elements(self, kind: str) -> np.ndarray:
        """Of a kind, in vertex numbers of the body."""
        return self._world.elements(kind)[self._elements(kind)] - self._range()[0]

    def element_field(self, field: str, kind: Optional[str] = None) -> np.ndarray:
        """As World.element_field; kind None: that of its largest elements."""
        kind = kind or self._main_kind()
        return self._world.element_field(field, kind)[self._elements(kind)]

    def _main_kind(self) -> str:
        for kind in ("tetrahedron10", "tetrahedron", "triangle6", "triangle", "segment"):
            part = self._elements(kind)
            if part.stop > part.start:
                return kind
        raise ArgumentError(f'body "{self.name}" has no elements')

    @property
    def stress(self) -> np.ndarray:
        """Cauchy stress of its elements: xx yy zz yz zx xy [Pa]."""
        return self.element_field("stress")

    def summary(self, about: Any = None) -> Info:
        """Mass, centre, velocity, momentum, angular momentum, inertia, kinetic energy, volume, box."""
        return self._world._summary(self.number, about)

    def __repr__(self) -> str:
        first, end = self._range()
        return f'Body("{self.name}", {end - first} vertices)'


def _axes(axes: str) -> list[bool]:
    if not isinstance(axes, str) or not axes or set(axes) - set(_AXES):
        raise ArgumentError(f'axes = {axes!r}, must be some of "xyz"', key="axes")
    return [axis in axes for axis in _AXES]
