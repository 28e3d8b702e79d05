"""Energies of your own, in Python: evaluated for many elements at once, checked by differences."""
from __future__ import annotations

import ctypes
import weakref
from typing import Any, Mapping, Optional

import numpy as np

from . import _abi
from ._arrays import Handle
from ._library import ArgumentError, encode, lib
from .mesh import SIZES, element_kind

_PARAM = {"unit": "", "min": -1e300, "max": 1e300, "default": None, "help": ""}


class Energy:
    """A potential energy over elements. Derive from it, set `name`, `elements` and `parameters`, and
    write `value` and `gradient`; `hessian` may be left out.

    >>> import numpy as np, pliant
    >>> class Spring(pliant.Energy):
    ...     \"\"\"k/2 (|d| - l)^2 for each segment.\"\"\"
    ...     name, elements = "my-spring", "segment"
    ...     parameters = {"stiffness": {"default": 10.0, "min": 0, "unit": "N/m"}}
    ...     def value(self, x, rest, p):
    ...         length = np.linalg.norm(x[:, 1] - x[:, 0], axis=1)
    ...         return p["stiffness"] / 2 * (length - np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1))**2
    ...     def gradient(self, x, rest, p):
    ...         d = x[:, 1] - x[:, 0]
    ...         length = np.linalg.norm(d, axis=1)
    ...         pull = p["stiffness"] * (1 - np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1) / length)
    ...         return np.stack([-pull[:, None] * d, pull[:, None] * d], axis=1)
    >>> spring = Spring()
    >>> spring.check()
    >>> world = pliant.World(dimension=2, energies=[spring])

    The arrays of a call: x and rest (n, vertices, dimension), p a dict of arrays (n,). `value` returns
    (n,) [J], inf where a state is forbidden; `gradient` (n, vertices, dimension) [N]; `hessian`
    (n, vertices, dimension, vertices, dimension) [N/m]. Without `hessian` it is taken by differences of
    the gradient, which costs 2 * vertices * dimension evaluations. The library projects nothing: this
    class makes every Hessian positive semi-definite where the minimizer asks for it.

    Functions must be pure: the same arguments, the same bits. They are called from several threads, one
    at a time.
    """

    name: str = ""
    elements: str = "segment"
    parameters: Mapping[str, Mapping[str, Any]] = {}
    dimensions: tuple[int, ...] = (2, 3)

    def value(self, x: np.ndarray, rest: np.ndarray, p: dict[str, np.ndarray]) -> np.ndarray:
        """(n,) [J]; inf where a state is forbidden."""
        raise NotImplementedError

    def gradient(self, x: np.ndarray, rest: np.ndarray, p: dict[str, np.ndarray]) -> np.ndarray:
        """(n, vertices, dimension) [N]."""
        raise NotImplementedError

    def hessian(self, x: np.ndarray, rest: np.ndarray, p: dict[str, np.ndarray]) -> np.ndarray:
        """(n, vertices, dimension, vertices, dimension) [N/m]; here by differences of the gradient."""
        shape, h = x.shape, 1e-6 * (np.abs(rest).max(initial=0) or 1)
        out = np.zeros(shape + shape[1:])
        for a in range(shape[1]):
            for c in range(shape[2]):
                step = np.zeros(shape[1:])
                step[a, c] = h
                out[:, :, :, a, c] = (self.gradient(x + step, rest, p)
                                      - self.gradient(x - step, rest, p)) / (2 * h)
        return (out + out.transpose(0, 3, 4, 1, 2)) / 2

    # ---- the table of the library

    def __init__(self) -> None:
        if not self.name:
            raise ArgumentError(f"{type(self).__name__}: an energy needs a name", key="name")
        self._kind = element_kind(self.elements)
        self._width = SIZES[self._kind]
        self._worlds: "weakref.WeakSet[Handle]" = weakref.WeakSet()  # that use it
        self._keep: list[Any] = []
        self._made: Optional[_abi.pli_energy_type] = None

    def _table(self) -> _abi.pli_energy_type:
        if self._made is not None:
            return self._made
        t, names = _abi.pli_energy_type(), list(self.parameters)
        params = (_abi.pli_param * max(1, len(names)))()
        for row, name in zip(params, names):
            given = {**_PARAM, **self.parameters[name]}
            unknown = set(given) - set(_PARAM)
            if unknown:
                raise ArgumentError(f'{self.name}: parameter "{name}" has no {unknown.pop()!r}; it has '
                                    + ", ".join(_PARAM), key=name)
            row.name, row.unit = self._text(name), self._text(given["unit"])
            row.help = self._text(given["help"] or name)
            row.min, row.max, row.type = given["min"], given["max"], _abi.PLI_PARAM_NUMBER
            row.flags = _abi.PLI_PARAM_REQUIRED if given["default"] is None else 0
            row.default_value = given["default"] or 0
        t.abi, t.name = _abi.PLI_ENERGY_ABI, self._text(self.name)
        t.help = self._text((self.__doc__ or self.name).strip().splitlines()[0])
        t.dims = sum(1 << d for d in self.dimensions)
        t.params, t.param_count = ctypes.addressof(params), len(names)
        # A record: rest positions, 3 per vertex, and the parameters.
        self._record = 3 * self._width + len(names)
        t.data_size[self._kind] = 8 * self._record
        fields = dict(_abi.pli_energy_type._fields_)
        t.prepare, t.eval = fields["prepare"](self._prepare), fields["eval"](self._eval)
        self._keep += [params, t.prepare, t.eval]
        self._made = t
        return t

    def _text(self, value: str) -> bytes:
        self._keep.append(encode(value))
        return self._keep[-1]

    def _fail(self, failure: BaseException) -> None:
        for handle in self._worlds:
            if lib.world_is_busy(handle.pointer):  # others may use the same energy
                handle.fail(failure)

    def _prepare(self, params: int, element: int, data: int, error: int) -> int:
        e = _abi.pli_element.from_address(element)
        vertices = (ctypes.c_int32 * self._width).from_address(e.vertices)
        for i, vertex in enumerate(vertices):  # `rest` has all vertices of the world
            ctypes.memmove(data + 24 * i, e.rest + 24 * vertex, 24)
        size = 24 * self._width
        if self.parameters:
            ctypes.memmove(data + size, params, 8 * len(self.parameters))
        return _abi.PLI_OK

    def _eval(self, batch: int, local: int) -> None:
        b, out = _abi.pli_batch.from_address(batch), _abi.pli_local.from_address(local)
        n, w, d = b.count, self._width, b.dim
        try:
            vertices = _floats(b.vertices, (n, w), ctypes.c_int32)
            x = _floats(b.x, (int(vertices.max()) + 1, 3))[vertices][:, :, :d]
            record = _floats(b.data, (n, self._record))
            rest = record[:, :3 * w].reshape(n, w, 3)[:, :, :d]
            p = {name: record[:, 3 * w + i] for i, name in enumerate(self.parameters)}
            self._add(b, out, x, rest, p)
        except BaseException as failure:
            if b.want & _abi.PLI_VALUE:
                _floats(out.e, (n,))[:] = np.inf
            self._fail(failure)

    def _add(self, b: Any, out: Any, x: np.ndarray, rest: np.ndarray, p: dict) -> None:
        n, w, d = x.shape
        if b.want & _abi.PLI_VALUE:
            _floats(out.e, (n,))[:] += self._shaped(self.value(x, rest, p), (n,), "value")
        if b.want & _abi.PLI_GRADIENT:
            _floats(out.g, (n, w, d))[:] += self._shaped(self.gradient(x, rest, p), (n, w, d),
                                                         "gradient")
        if b.want & _abi.PLI_HESSIAN:
            H = self._shaped(self.hessian(x, rest, p), (n, w, d, w, d), "hessian")
            H = H.reshape(n, w * d, w * d)
            _floats(out.H, (n, w * d, w * d))[:] += project(H) if b.project else H

    def _shaped(self, array: Any, shape: tuple, what: str) -> np.ndarray:
        array = np.asarray(array, np.float64)
        if array.shape != shape:
            raise ArgumentError(f"{self.name}: {what} has the shape {array.shape}, must be {shape}")
        return array

    # ---- checks

    def check(self, *, count: int = 20, dimension: Optional[int] = None, seed: int = 0,
              tolerance: float = 1e-5, **values: float) -> None:
        """Compares gradient and Hessian with central differences at random deformed elements; raises
        ArgumentError with the worst place. `values`: of parameters without a default."""
        random = np.random.default_rng(seed)
        for d in (dimension,) if dimension else self.dimensions:
            rest = _corners(self._width, d) + 0.1 * random.standard_normal((count, self._width, d))
            x = rest + 0.1 * random.standard_normal(rest.shape)
            p = {}
            for name, row in self.parameters.items():
                value = values.get(name, row.get("default"))
                if value is None:
                    raise ArgumentError(f'{self.name}: check needs a value of "{name}"', key=name)
                p[name] = np.full(count, float(value))
            allowed = np.isfinite(self.value(x, rest, p))
            if not allowed.any():
                raise ArgumentError(f"{self.name}: value is infinite at all {count} elements")
            x, rest, p = x[allowed], rest[allowed], {k: v[allowed] for k, v in p.items()}
            self._compare("gradient", self.value, self.gradient, x, rest, p, tolerance)
            self._compare("hessian", self.gradient, self.hessian, x, rest, p, 10 * tolerance)

    def _compare(self, what: str, low: Any, high: Any, x: np.ndarray, rest: np.ndarray, p: dict,
                 tolerance: float) -> None:
        exact, h = np.asarray(high(x, rest, p)), 1e-5
        for a in range(x.shape[1]):
            for c in range(x.shape[2]):
                step = np.zeros(x.shape[1:])
                step[a, c] = h
                found = (np.asarray(low(x + step, rest, p)) - np.asarray(low(x - step, rest, p))) / (2 * h)
                wrong = np.abs(exact[..., a, c] - found)
                scale = max(np.abs(exact).max(), np.abs(found).max(), 1e-300)
                if not wrong.max() <= tolerance * scale:
                    element = np.unravel_index(np.argmax(wrong), wrong.shape)[0]
                    raise ArgumentError(
                        f"{self.name}: {what} differs from central differences by "
                        f"{wrong.max() / scale:.2g} of its size, in element {element} of the check, "
                        f"vertex {a}, axis {'xyz'[c]}", key=what)


def project(H: np.ndarray) -> np.ndarray:
    """The nearest positive semi-definite matrices: negative eigenvalues become 0."""
    values, vectors = np.linalg.eigh((H + H.transpose(0, 2, 1)) / 2)
    return np.einsum("nik,nk,njk->nij", vectors, np.maximum(values, 0), vectors)


def _corners(width: int, d: int) -> np.ndarray:
    """An element of size 1: a simplex, and for quadratic ones its midpoints."""
    corners = {1: 1, 2: 2, 3: 3, 4: 4, 6: 3, 10: 4}[width]
    x = np.zeros((corners, 3))
    for i in range(1, corners):
        x[i, i - 1] = 1
    pairs = {6: [(0, 1), (1, 2), (2, 0)],
             10: [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]}.get(width, [])
    return np.vstack([x] + [[(x[i] + x[j]) / 2] for i, j in pairs])[:, :d]


def _floats(data: int, shape: tuple[int, ...], type: Any = ctypes.c_double) -> np.ndarray:
    size = int(np.prod(shape))
    return np.frombuffer((type * size).from_address(data), dtype=np.dtype(type)).reshape(shape)
