"""Worlds built in code: bodies, energies, supports, loads, contact; steps; reading."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _abi, _defs
from ._arrays import Handle, Sparse
from ._defs import address, default, fill, indices, points, rows, settings, vector
from ._library import (ArgumentError, Error, StepFailed, byref, call, encode, lib, raise_error,
                       refuse_keys, text)
from .mesh import KINDS, SIZES, Mesh, Selection, element_kind, select

if TYPE_CHECKING:
    from .energy import Energy
    from .record import Recorder
    from .viewer import View

Field = Callable[[float, np.ndarray], Sequence[float]]
_AXES = {"x": 0, "y": 1, "z": 2}


class StepInfo(_abi.pli_step_info):
    """The result of a step. True if the world has the new state."""

    @property
    def reason(self) -> str:
        """"converged", "iteration cap", ..."""
        return text(lib.reason_text(_abi.pli_step_info.reason.__get__(self)))

    @property
    def remedy(self) -> str:
        """Advice in words, "" if it converged."""
        return text(_abi.pli_step_info.remedy.__get__(self))

    @property
    def converged(self) -> bool:
        return _abi.pli_step_info.reason.__get__(self) == _abi.PLI_CONVERGED

    def __bool__(self) -> bool:
        return self.kept

    def __repr__(self) -> str:
        return (f"StepInfo(step={self.step}, time={self.time:.6g}, reason={self.reason!r}, "
                f"kept={self.kept}, iterations={self.iterations}, contacts={self.contact_count})")


StepInfo.__doc__ += "\n\n" + "\n".join(
    f"{name}: {comment}" for name, comment in _abi.pli_step_info._docs_.items())


def as_dict(struct: Any) -> dict[str, Any]:
    """Members of a struct; arrays become NumPy arrays, texts str."""
    out = {}
    for name, _ in struct._fields_:
        value = getattr(struct, name)
        if isinstance(value, ctypes.Array):
            value = np.array(value)
        out[name] = text(value) if isinstance(value, bytes) else value
    return out


class _Info:
    """Members of a struct as attributes."""

    def __init__(self, struct: Any, **more: Any):
        self.__dict__.update(as_dict(struct), **more)

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())


class World:
    """A world of bodies that `step()` moves.

    >>> import pliant
    >>> world = pliant.World(gravity=[0, -9.81], dimension=2, time={"step": 0.01})
    >>> mesh = pliant.Mesh("rectangle", size=[1, 1], segments=[4, 4])
    >>> body = world.add_body(mesh, density=500, name="block")
    >>> _ = body.add_energy("neo-hookean", young=1e5, poisson=0.4)
    >>> info = world.step()
    >>> info.reason, bool(body.velocities[:, 1].max() < 0)
    ('converged', True)

    Keys are those of a scene: gravity, dimension, thickness, and the dicts time, solver and contact
    (print(pliant.help("contact")) explains them). `energies`: types of your own (pliant.Energy).
    `interactive`: vertices may be grabbed. `threads`: 0 for all processors; results do not depend on
    it. `memory`: a limit in bytes.
    """

    def __init__(self, *, energies: Iterable["Energy"] = (), interactive: bool = False,
                 threads: int = 0, memory: int = 0, **keys: Any):
        def_ = default("world")
        keep: list[Any] = []
        objects = {"time": (_abi.PLI_OBJECT_TIME, def_), "solver": (_abi.PLI_OBJECT_SOLVER, def_.solver),
                   "contact": (_abi.PLI_OBJECT_CONTACT, def_.contact)}
        top = rows(_abi.PLI_OBJECT_WORLD)
        refuse_keys(keys, [*top, *objects, "energies", "interactive", "threads", "memory"], "a world")
        fill(def_, _abi.PLI_OBJECT_WORLD, {k: v for k, v in keys.items() if k in top}, keep)
        for name, (object, part) in objects.items():
            values = keys.get(name, {})
            if not isinstance(values, Mapping):
                raise ArgumentError(f"{name} = {values!r}, must be a dict", key=name)
            refuse_keys(values, rows(object), name)
            fill(part, object, dict(values), keep)
        def_.interactive, def_.thread_count = interactive, threads
        self._types = {e.name: e for e in energies}
        array = _energy_types(self._types.values(), keep)
        def_.energy_types, def_.energy_type_count = ctypes.addressof(array), len(self._types)
        if memory:
            def_.allocator = _limit(memory, keep)
        pointer = ctypes.c_void_p()
        call(lib.world_create, byref(def_), byref(pointer))
        self._open(Handle(pointer.value or 0, lib.world_destroy, pointer.value or 0), keep)

    def _open(self, handle: Handle, keep: list) -> None:
        self._h = handle
        handle.keep += keep
        for energy in getattr(self, "_types", {}).values():
            energy._worlds.add(handle)
        self._dimension = lib.world_dimension(handle.pointer)
        self._shown: dict[str, tuple] = {}
        self._error = byref(handle.error)
        self._recorder: Optional["Recorder"] = None
        self._groups: dict[tuple[int, int], dict[str, np.ndarray]] = {}

    @classmethod
    def _of_handle(cls, handle: Handle) -> "World":
        world = cls.__new__(cls)
        world._types = {}
        world._open(handle, [])
        return world

    def _call(self, function: Any, *arguments: Any) -> None:
        """Calls with the world first; what a callback raised comes before the library's error."""
        h = self._h
        self._shown.clear()  # it may change the arrays
        h.drop()
        status = function(h.pointer, *arguments, self._error)
        h.raise_failure()
        if status:
            raise_error(status, h.error)

    def _field(self, function: Field) -> Any:
        """A Python function of time and place as a callback of the library."""
        dimension, handle_fail = self._dimension, _weak_fail(self._h)

        def evaluate(context: Any, time: float, place: int, out: int) -> None:
            value = (ctypes.c_double * 3).from_address(out)
            try:
                x = np.array((ctypes.c_double * 3).from_address(place)[:dimension])
                value[:] = vector(function(time, x), "what a function of time and place returns")
            except BaseException as failure:
                value[:] = (0, 0, 0)
                handle_fail(failure)

        callback = _abi.pli_field_fn(evaluate)
        self._h.keep.append(callback)
        return callback

    # ---- adding

    def add_body(self, mesh: Mesh, *, name: str = "", initial: Any = None, velocities: Any = None,
                 obstacle: bool = False, tags: Sequence[str] = (), modes: Any = None,
                 pattern: Any = None, **keys: Any) -> "Body":
        """Adds a body; its energies come afterwards.

        Keys: density, velocity, mass, kinematics, contact_thickness, ... as in a scene
        (print(pliant.help("bodies"))). initial: positions at t = 0, one row per vertex. velocities:
        one row per vertex. obstacle: others touch it, but it never deforms. tags: words by which
        contact rules name it. modes: (m, n, 3), the body moves in their span.
        """
        own = ["name", "initial", "velocities", "obstacle", "tags", "modes", "pattern"]
        refuse_keys(keys, [*rows(_abi.PLI_OBJECT_BODY), *own], "a body")
        if not isinstance(mesh, Mesh):
            raise ArgumentError(f"add_body: {type(mesh).__name__} is not a pliant.Mesh", key="mesh")
        def_, keep = default("body"), [mesh]
        fill(def_, _abi.PLI_OBJECT_BODY, keys, keep)
        def_.name = encode(name or f"body {self.body_count}")
        def_.mesh = ctypes.addressof(mesh._mesh)
        def_.obstacle = obstacle
        for key, value in (("initial", initial), ("velocities", velocities)):
            if value is not None:
                keep.append(points(value, mesh.vertex_count, key))
                setattr(def_, key, address(keep[-1]))
        if modes is not None:
            keep.append(np.stack([points(m, mesh.vertex_count, "modes") for m in modes]))
            def_.modes, def_.mode_count = address(keep[-1]), len(keep[-1])
        if pattern is not None:
            keep.append(np.ascontiguousarray(pattern, np.float64).reshape(-1, 6))
            if len(keep[-1]) != len(mesh.triangles):
                raise ArgumentError("pattern must have 6 numbers for each triangle", key="pattern")
            def_.pattern = address(keep[-1])
        words = (ctypes.c_char_p * max(1, len(tags)))(*[encode(t) for t in tags])
        def_.tags, def_.tag_count = ctypes.addressof(words), len(tags)
        id = _abi.pli_body_id()
        self._call(lib.world_add_body, byref(def_), byref(id))
        self._groups[id.index, id.generation] = mesh.groups
        return Body(self, id)

    def add_half_space(self, *, name: str = "", carrier: Optional["Body"] = None,
                       **keys: Any) -> "HalfSpace":
        """A flat obstacle: keys point, normal (towards the free side), friction, friction_static.
        `carrier`: its point moves with the first vertex of this body."""
        refuse_keys(keys, [*rows(_abi.PLI_OBJECT_HALF_SPACE), "name", "carrier"], "a half-space")
        def_, keep = default("half_space"), []
        fill(def_, _abi.PLI_OBJECT_HALF_SPACE, keys, keep)
        def_.name = encode(name)
        if carrier is not None:
            def_.carrier = carrier._id
        id = _abi.pli_half_space_id()
        self._call(lib.world_add_half_space, byref(def_), byref(id))
        return HalfSpace(self, id)

    def add_contact_rule(self, between: Sequence[str] = ("", ""), *, passing: bool = False,
                         allow_initial: bool = False, friction: float = -1,
                         friction_static: float = -1) -> "Thing":
        """Contact between two bodies by name or tag ("": all): `passing`: none; `allow_initial`: they
        may intersect at t = 0; friction of this pair."""
        if len(between) != 2 or isinstance(between, str):
            raise ArgumentError(f"between = {between!r}, must be two names", key="between")
        def_ = default("contact_rule")
        def_.between = (ctypes.c_char_p * 2)(*[encode(n) for n in between])
        setattr(def_, "pass", passing)
        def_.allow_initial, def_.friction, def_.friction_static = allow_initial, friction, friction_static
        id = _abi.pli_rule_id()
        self._call(lib.world_add_contact_rule, byref(def_), byref(id))
        return Thing(self, id, lib.world_remove_contact_rule)

    def add_stencils(self, energy: str, vertices: Any, **values: float) -> "AddedEnergy":
        """An energy between listed vertices: for each stencil a list of (body, vertex)."""
        flat = [pair for stencil in vertices for pair in stencil]
        array = (_abi.pli_vertex_ref * max(1, len(flat)))()
        for i, (body, vertex) in enumerate(flat):
            array[i].body, array[i].vertex = body._id, int(vertex)
        def_ = default("stencils")
        def_.energy, def_.count = encode(energy), len(vertices)
        given, def_.setting_count = settings(values)
        def_.settings, def_.vertices = ctypes.addressof(given), ctypes.addressof(array)
        id = _abi.pli_energy_id()
        self._call(lib.world_add_stencils, byref(def_), byref(id))
        return AddedEnergy(self, id)

    def add_joint(self, type: str, first: Any, second: Any = None, *, at: Any, axis: Any = None,
                  name: str = "", motion: Optional[Field] = None) -> "Joint":
        """A joint of a type of pliant.joints between two ends: a body, (body, vertices), or None for
        the world. at: its place [m]. motion: of the place of the world, offset by (t, x)."""
        def_, keep = default("joint"), []
        def_.name, def_.type = encode(name), encode(type)
        for i, end in enumerate((first, second)):
            if end is None:
                continue
            body, chosen = end if isinstance(end, tuple) else (end, None)
            def_.ends[i].body = body._id
            if chosen is not None:
                keep.append(body._select(chosen))
                def_.ends[i].vertices, def_.ends[i].vertex_count = address(keep[-1]), len(keep[-1])
        def_.at[:] = vector(at, "at")
        if axis is not None:
            def_.axis[:] = vector(axis, "axis")
        if motion is not None:
            def_.motion = self._field(motion)
        id = _abi.pli_joint_id()
        self._call(lib.world_add_joint, byref(def_), byref(id))
        return Joint(self, id)

    # ---- steps

    def prepare(self) -> None:
        """Builds all tables; the first step does it too. Intersections are found here."""
        self._call(lib.world_prepare)

    def step(self) -> StepInfo:
        """One time step. A step that does not converge is no exception: the info is false if it was
        not kept, and has a reason and a remedy."""
        h, info = self._h, StepInfo()
        if h.drops:
            h.drop()
        status = lib.world_step(h.pointer, byref(info), self._error)
        if h.failures:
            h.raise_failure()
        if status:
            raise_error(status, h.error)
        if self._recorder is not None:
            self._recorder.step(info)
        return info

    def run(self, steps: Optional[int] = None, *, duration: Optional[float] = None,
            each: Optional[Callable[[StepInfo], Any]] = None) -> StepInfo:
        """Steps until `steps` are done or `duration` [s] has passed; `each` is called after every
        step. Raises StepFailed if a step is not kept."""
        if (steps is None) == (duration is None):
            raise ArgumentError("run needs either steps or duration")
        end = self.time + duration if duration is not None else np.inf
        done, info = 0, StepInfo()
        while done < steps if steps is not None else self.time < end * (1 - 1e-12):
            info = self.step()
            if not info.kept:
                raise step_failed(info)
            done += 1
            if each is not None:
                each(info)
        return info

    # ---- control between steps

    @property
    def gravity(self) -> np.ndarray:
        """[m/s^2]; can be set at any time between steps."""
        value = (ctypes.c_double * 3)()
        lib.world_gravity(self._h.pointer, value)
        return np.array(value[:self._dimension])

    @gravity.setter
    def gravity(self, value: Sequence[float]) -> None:
        self._call(lib.world_set_gravity, (ctypes.c_double * 3)(*vector(value, "gravity")))

    @property
    def time_step(self) -> float:
        """[s]; can be set, except for schemes of order 3 and more."""
        return lib.world_time_step(self._h.pointer)

    @time_step.setter
    def time_step(self, value: float) -> None:
        self._call(lib.world_set_time_step, _defs.number(value, "time_step"))

    def set_friction(self, friction: float, friction_static: float = 0) -> None:
        """Between bodies where no rule says otherwise; static 0: the same."""
        self._call(lib.world_set_friction, friction, friction_static)

    def set_contact_stiffness(self, stiffness: float) -> None:
        """kappa of the barriers, from now on as given [Pa]."""
        self._call(lib.world_set_contact_stiffness, stiffness)

    def set_state(self, positions: Any = None, velocities: Any = None, *, time: Optional[float] = None,
                  step: Optional[int] = None) -> None:
        """Positions and velocities of all vertices; None: positions as they are, velocities 0."""
        state, keep = _abi.pli_world_state(), []
        state.time = self.time if time is None else time
        state.step = self.step_count if step is None else step
        for key, value in (("positions", positions), ("velocities", velocities)):
            if value is not None:
                full = points(value, self.vertex_count, key)
                if self._dimension == 2 and key == "positions":
                    full[:, 2] = self._all("positions", 3)[:, 2]
                keep.append(full)
                setattr(state, key, address(full))
        self._call(lib.world_set_state, byref(state))

    def grab(self, vertex: int, target: Any, stiffness: float = 0) -> None:
        """Pulls a vertex (numbered in the world) towards a target until release()."""
        self._call(lib.world_grab, int(vertex), (ctypes.c_double * 3)(*vector(target, "target")),
                   stiffness)

    def release(self) -> None:
        """Lets go what was grabbed."""
        lib.world_release(self._h.pointer)

    # ---- saving

    def save(self) -> bytes:
        """The complete state; a world made in the same way continues from it with the same bits."""
        pieces: list[bytes] = []

        def write(context: Any, data: int, size: int) -> bool:
            pieces.append(ctypes.string_at(data, size))
            return True

        self._call(lib.world_save, _abi.pli_write_bytes_fn(write), None)
        return b"".join(pieces)

    def restore(self, state: bytes) -> None:
        """Goes back (or on) to a saved state, of this world or one made in the same way."""
        self._call(lib.world_restore, state, len(state))

    def clone(self) -> "World":
        """A world with the same model and state; it goes on with the same bits."""
        pointer = ctypes.c_void_p()
        self._call(lib.world_clone, byref(pointer))
        world = World._of_handle(
            Handle(pointer.value or 0, lib.world_destroy, pointer.value or 0, like=self._h))
        world._types, world._groups = self._types, dict(self._groups)
        return world

    # ---- reading

    def _all(self, name: str, width: int, function: Any = None, type: Any = ctypes.c_double,
             count: Optional[int] = None) -> np.ndarray:
        """An array of the world, shown without copying."""
        pointer = (function or getattr(lib, "world_" + name))(self._h.pointer)
        rows_ = self.vertex_count if count is None else count
        known = self._shown.get(name)
        if known is None or known[0] != pointer or known[1] != rows_:
            shape = (rows_, width) if width > 1 else (rows_,)
            known = (pointer, rows_, self._h.array(pointer, shape, type))
            self._shown[name] = known
        return known[2]

    def _vectors(self, name: str, function: Any = None) -> np.ndarray:
        return self._all(name, 3, function)[:, :self._dimension]

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def time(self) -> float:
        """[s]"""
        return lib.world_time(self._h.pointer)

    @property
    def step_count(self) -> int:
        return lib.world_step_count(self._h.pointer)

    @property
    def vertex_count(self) -> int:
        return lib.world_vertex_count(self._h.pointer)

    @property
    def unknown_count(self) -> int:
        return lib.world_unknown_count(self._h.pointer)

    @property
    def body_count(self) -> int:
        return lib.world_body_count(self._h.pointer)

    @property
    def positions(self) -> np.ndarray:
        """(n, dimension) of all vertices [m]: a read-only view that each step updates."""
        return self._vectors("positions")

    @property
    def velocities(self) -> np.ndarray:
        """(n, dimension) [m/s]: a read-only view that each step updates."""
        return self._vectors("velocities")

    @property
    def rest_positions(self) -> np.ndarray:
        return self._vectors("rest_positions")

    @property
    def reactions(self) -> np.ndarray:
        """Forces of supports on the vertices [N]; 0 before the first step."""
        return self._vectors("reactions")

    @property
    def contact_forces(self) -> np.ndarray:
        """On each vertex, without friction [N]."""
        return self._vectors("contact_forces").copy()

    @property
    def friction_forces(self) -> np.ndarray:
        """On each vertex in the last step [N]."""
        return self._vectors("friction_forces").copy()

    @property
    def masses(self) -> np.ndarray:
        """Of each vertex [kg]; 0 before prepare()."""
        return self._all("vertex_masses", 1)

    def elements(self, kind: str) -> np.ndarray:
        """Vertex numbers in the world of all elements of a kind."""
        k = element_kind(kind)
        count = lib.world_element_count(self._h.pointer, k)
        return self._all("elements " + kind, SIZES[k], lambda w: lib.world_elements(w, k),
                         ctypes.c_int32, count)

    def element_field(self, field: str, kind: str) -> np.ndarray:
        """"stress" (Cauchy: xx yy zz yz zx xy) [Pa], "energy" [J], "energy_density" [J/m^3] or
        "stretches" of all elements of a kind, computed now."""
        widths = {"energy": 1, "energy_density": 1, "stress": 6, "stretches": 3}
        refuse_keys([field], widths, "an element")
        k, fields = element_kind(kind), _abi.pli_element_fields()
        count = lib.world_element_count(self._h.pointer, k)
        out = np.zeros((count, widths[field]) if widths[field] > 1 else count)
        setattr(fields, field, address(out))
        lib.world_element_fields(self._h.pointer, k, byref(fields))
        return out

    @property
    def energies(self) -> dict[str, float]:
        """Parts of the energy at the present state [J]: kinetic, then one per term."""
        w = self._h.pointer
        return {text(lib.world_energy_name(w, i)): lib.world_energy_value(w, i)
                for i in range(lib.world_energy_count(w))}

    @property
    def total_energy(self) -> float:
        """Kinetic and stored energy [J]."""
        w = self._h.pointer
        return sum(lib.world_energy_value(w, i) for i in range(lib.world_energy_count(w))
                   if lib.world_energy_stored(w, i))

    @property
    def balance(self) -> _Info:
        """Where energy went since the start [J]."""
        return _Info(lib.world_balance(self._h.pointer))

    @property
    def contacts(self) -> np.ndarray:
        """Pairs closer than dhat, as a structured array: body, vertices, point, normal, distance,
        force, friction. A copy."""
        count = lib.world_contact_count(self._h.pointer)
        dtype = np.dtype(_abi.pli_contact_info)
        pointer = lib.world_contacts(self._h.pointer)
        if count == 0 or not pointer:
            return np.empty(0, dtype)
        size = count * ctypes.sizeof(_abi.pli_contact_info)
        return np.frombuffer(ctypes.string_at(pointer, size), dtype)

    @property
    def body_contacts(self) -> list[_Info]:
        """Sums over the contacts of each two bodies: names a and b, count, force, friction."""
        w, out = self._h.pointer, []
        for i in range(lib.world_body_contact_count(w)):
            info = lib.world_body_contact(w, i)
            a, b = info.body[0], info.body[1]
            other = lib.world_half_space_name(w, -1 - b) if b < 0 else lib.world_body_name(w, b)
            out.append(_Info(info, a=text(lib.world_body_name(w, a)), b=text(other)))
        return out

    @property
    def supports(self) -> list[_Info]:
        """Each fix and prescribe: body, kind, centre, force [N], torque [N m], blocked."""
        w, out = self._h.pointer, []
        for i in range(lib.world_support_count(w)):
            info = lib.world_support(w, i)
            out.append(_Info(info, body=text(lib.world_body_name(w, info.body))))
        return out

    @property
    def bodies(self) -> list["Body"]:
        w = self._h.pointer
        return [Body(self, lib.world_body_id(w, i)) for i in range(self.body_count)]

    def body(self, name: str) -> "Body":
        """The first body of this name."""
        names = [b.name for b in self.bodies]
        refuse_keys([name], names, "the world's list of bodies")
        return self.bodies[names.index(name)]

    @property
    def dhat(self) -> float:
        """Distance at which contact forces start [m]; after prepare()."""
        return lib.world_dhat(self._h.pointer)

    @property
    def memory(self) -> int:
        """Bytes in use."""
        return lib.world_memory(self._h.pointer)

    def summary(self, about: Any = None) -> _Info:
        """Mass, centre, velocity, momentum, angular momentum, kinetic energy, volume and box of all
        bodies together."""
        return self._summary(-1, about)

    def _summary(self, body: int, about: Any) -> _Info:
        place = (ctypes.c_double * 3)(*vector(about, "about")) if about is not None else None
        return _Info(lib.world_body_summary(self._h.pointer, body, place))

    def verify(self) -> None:
        """Raises SceneError if something penetrates, by independent exact tests."""
        self._call(lib.world_verify)

    def cast_ray(self, origin: Any, direction: Any, max_distance: float = np.inf) -> Optional[_Info]:
        """What a ray meets first, or None: body, point, normal, distance."""
        return self._hit(lib.world_cast_ray, vector(origin, "origin"), vector(direction, "direction"),
                         max_distance)

    def closest_point(self, place: Any, max_distance: float = np.inf) -> Optional[_Info]:
        """The point of all surfaces that is closest to a place, or None."""
        return self._hit(lib.world_closest_point, vector(place, "place"), max_distance)

    def _hit(self, function: Any, *arguments: Any) -> Optional[_Info]:
        hit, found = _abi.pli_hit(), ctypes.c_bool()
        given = [(ctypes.c_double * 3)(*a) if isinstance(a, list) else float(a) for a in arguments]
        self._call(function, *given, byref(hit), byref(found))
        return _Info(hit) if found.value else None

    # ---- derivatives

    _OF = {"potential": _abi.PLI_OF_POTENTIAL, "step": _abi.PLI_OF_STEP}

    def gradient(self, of: str = "potential") -> np.ndarray:
        """Of the potential energy, or of the function that the last step minimized ("step"), on
        unknowns [N]."""
        refuse_keys([of], self._OF, "a gradient")
        out = np.zeros(self.unknown_count)
        self._call(lib.world_gradient, self._OF[of], None, address(out))
        return out

    def hessian(self, of: str = "potential") -> Sparse:
        """On unknowns, exact [N/m]."""
        refuse_keys([of], self._OF, "a Hessian")
        matrix = _abi.pli_sparse()
        self._call(lib.world_hessian, self._OF[of], byref(matrix))
        return Sparse(matrix)

    def mass_matrix(self) -> Sparse:
        """M on unknowns [kg]."""
        matrix = _abi.pli_sparse()
        self._call(lib.world_mass_matrix, byref(matrix))
        return Sparse(matrix)

    def map(self) -> Sparse:
        """W: x = x0 + W q, 3 rows per vertex."""
        matrix = _abi.pli_sparse()
        self._call(lib.world_map, byref(matrix))
        return Sparse(matrix)

    # ---- recording and looking

    def record(self, folder: Union[str, os.PathLike], **keys: Any) -> "Recorder":
        """Writes a result folder, as `pliant run` does: a frame now, and one with each step from now
        on, until the recorder is closed. See pliant.Recorder."""
        from .record import Recorder
        return Recorder(self, folder, **keys)

    def view(self, **keys: Any) -> "View":
        """Shows the world in the browser while it is stepped; in Jupyter in an iframe."""
        from .viewer import view_world
        return view_world(self, **keys)

    def __repr__(self) -> str:
        return (f"World(dimension={self._dimension}, bodies={self.body_count}, "
                f"vertices={self.vertex_count}, step={self.step_count}, time={self.time:.6g})")


def _weak_fail(handle: Handle) -> Callable[[BaseException], None]:
    """`handle.fail` without a reference to the handle, which keeps the callbacks that use it."""
    failures, cancel = handle.failures, handle.cancel

    def fail(failure: BaseException) -> None:
        failures.append(failure)
        cancel.value = 1

    return fail


def step_failed(info: StepInfo) -> StepFailed:
    failed = StepFailed(f"step {info.step} did not converge: {info.reason}; {info.remedy}",
                        status="not converged")
    failed.info = info
    return failed


def _energy_types(types: Iterable["Energy"], keep: list) -> Any:
    tables = [e._table() for e in types]
    keep += tables
    array = (ctypes.c_void_p * max(1, len(tables)))(*[ctypes.addressof(t) for t in tables])
    keep.append(array)
    return array


class _Budget:
    def __init__(self, limit: int):
        self.pointer = ctypes.c_void_p()
        call(lib.budget_create, limit, byref(self.pointer))

    def __del__(self) -> None:
        if self.pointer and lib is not None:
            lib.budget_destroy(self.pointer)


def _limit(memory: int, keep: list) -> int:
    """The address of an allocator with a budget."""
    budget, allocator = _Budget(memory), _abi.pli_allocator()
    allocator.budget = budget.pointer
    keep += [budget, allocator]
    return ctypes.addressof(allocator)


class Thing:
    """Something that was added to a world and can be removed."""

    def __init__(self, world: World, id: Any, remove: Any):
        self._world, self._id, self._remove = world, id, remove

    def remove(self) -> None:
        """Between steps; all others keep their state."""
        self._world._call(self._remove, self._id)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._id.index})"


class AddedEnergy(Thing):
    """An energy of a body, or of listed stencils."""

    def __init__(self, world: World, id: Any):
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

    def __init__(self, world: World, id: Any):
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

    def __init__(self, world: World, id: Any):
        super().__init__(world, id, lib.world_remove_load)

    def set(self, value: Union[float, Sequence[float]]) -> None:
        """Another value [N] or [Pa], from the next step on."""
        self._world._call(lib.world_set_load, self._id, (ctypes.c_double * 3)(*_load_value(value)))


def _load_value(value: Any) -> list[float]:
    return [float(value), 0.0, 0.0] if np.ndim(value) == 0 else vector(value, "value")


class HalfSpace(Thing):
    """A flat obstacle."""

    def __init__(self, world: World, id: Any):
        super().__init__(world, id, lib.world_remove_half_space)

    def set_friction(self, friction: float, friction_static: float = 0) -> None:
        self._world._call(lib.world_set_half_space_friction, self._id, friction, friction_static)


class Joint(Thing):
    """Places of two bodies that stay together."""

    def __init__(self, world: World, id: Any):
        super().__init__(world, id, lib.world_remove_joint)

    @property
    def info(self) -> _Info:
        """name, type, place, force [N], torque [N m], gap [m]: after a step."""
        info = _abi.pli_joint_info()
        w = self._world._h.pointer
        lib.world_joint(w, lib.world_joint_number(w, self._id), byref(info))
        return _Info(info)


class Body(Thing):
    """A body of a world. Arrays have one row for each of its vertices."""

    def __init__(self, world: World, id: Any):
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

    def replace_mesh(self, mesh: Mesh, transfer: Optional[tuple] = None) -> _Info:
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
        return _Info(info)

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

    def summary(self, about: Any = None) -> _Info:
        """Mass, centre, velocity, momentum, angular momentum, inertia, kinetic energy, volume, box."""
        return self._world._summary(self.number, about)

    def __repr__(self) -> str:
        first, end = self._range()
        return f'Body("{self.name}", {end - first} vertices)'


def _axes(axes: str) -> list[bool]:
    if not isinstance(axes, str) or not axes or set(axes) - set(_AXES):
        raise ArgumentError(f'axes = {axes!r}, must be some of "xyz"', key="axes")
    return [axis in axes for axis in _AXES]
