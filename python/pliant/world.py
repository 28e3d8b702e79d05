"""Worlds built in code: bodies, energies, supports, loads, contact; steps; reading."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _abi, _defs
from ._arrays import Handle, Sparse
from ._defs import Info, address, default, fill, points, rows, settings, vector
from ._library import (ArgumentError, StepFailed, byref, call, encode, lib, raise_error, refuse_keys,
                       text)
from .body import AddedEnergy, Body, Field, HalfSpace, Joint, Thing
from .mesh import SIZES, Mesh, element_kind

if TYPE_CHECKING:
    from .energy import Energy
    from .record import Recorder
    from .viewer import View


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
        for key in keys:  # World(step=0.01) and World(time_step=0.01)
            for name, (object, _) in objects.items():
                inner = key.removeprefix(name + "_")
                if key not in top and inner in rows(object):
                    raise ArgumentError(f'a world has no key "{key}", it is part of {name}: '
                                        f'{name}={{"{inner}": {keys[key]!r}}}', key=key)
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
            if not known[2].flags.owndata:  # else it is a copy for a callback
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
    def balance(self) -> Info:
        """Where energy went since the start [J]."""
        return Info(lib.world_balance(self._h.pointer))

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
    def body_contacts(self) -> list[Info]:
        """Sums over the contacts of each two bodies: names a and b, count, force, friction."""
        w, out = self._h.pointer, []
        for i in range(lib.world_body_contact_count(w)):
            info = lib.world_body_contact(w, i)
            a, b = info.body[0], info.body[1]
            other = lib.world_half_space_name(w, -1 - b) if b < 0 else lib.world_body_name(w, b)
            out.append(Info(info, a=text(lib.world_body_name(w, a)), b=text(other)))
        return out

    @property
    def supports(self) -> list[Info]:
        """Each fix and prescribe: body, kind, centre, force [N], torque [N m], blocked."""
        w, out = self._h.pointer, []
        for i in range(lib.world_support_count(w)):
            info = lib.world_support(w, i)
            out.append(Info(info, body=text(lib.world_body_name(w, info.body))))
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

    def summary(self, about: Any = None) -> Info:
        """Mass, centre, velocity, momentum, angular momentum, kinetic energy, volume and box of all
        bodies together."""
        return self._summary(-1, about)

    def _summary(self, body: int, about: Any) -> Info:
        place = (ctypes.c_double * 3)(*vector(about, "about")) if about is not None else None
        return Info(lib.world_body_summary(self._h.pointer, body, place))

    def verify(self) -> None:
        """Raises SceneError if something penetrates, by independent exact tests."""
        self._call(lib.world_verify)

    def cast_ray(self, origin: Any, direction: Any, max_distance: float = np.inf) -> Optional[Info]:
        """What a ray meets first, or None: body, point, normal, distance."""
        return self._hit(lib.world_cast_ray, vector(origin, "origin"), vector(direction, "direction"),
                         max_distance)

    def closest_point(self, place: Any, max_distance: float = np.inf) -> Optional[Info]:
        """The point of all surfaces that is closest to a place, or None."""
        return self._hit(lib.world_closest_point, vector(place, "place"), max_distance)

    def _hit(self, function: Any, *arguments: Any) -> Optional[Info]:
        hit, found = _abi.pli_hit(), ctypes.c_bool()
        given = [(ctypes.c_double * 3)(*a) if isinstance(a, list) else float(a) for a in arguments]
        self._call(function, *given, byref(hit), byref(found))
        return Info(hit) if found.value else None

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
