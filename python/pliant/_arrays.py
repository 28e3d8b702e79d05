"""A world of the C interface, and its arrays shown to NumPy without copying.

The memory of an array that is shown stays valid for as long as the array lives: the world is destroyed
after the last of them, and changes of the world leave their memory alone (pli_world_keep_array).
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional

import numpy as np

from . import _abi
from ._library import byref, call, lib
from .mesh import shown


class Handle:
    """Owns a world, or the scene that owns it, and what must live as long."""

    def __init__(self, pointer: int, destroy: Callable[[int], None], owner: int,
                 like: Optional["Handle"] = None):
        """`like`: the handle of a world that it was cloned from, whose callbacks it shares."""
        self.pointer, self._destroy, self._owner = pointer, destroy, owner
        self.error = _abi.pli_error()
        self.keep: list[Any] = [like]  # callbacks and what else the world refers to
        self.drops: list[int] = []     # arrays that are shown no more; other threads append
        self.failures: list[BaseException] = like.failures if like else []  # of callbacks
        self.cancel = like.cancel if like else ctypes.c_char(0)
        function = ctypes.cast(lib.cancel_if_set, _abi.pli_cancel_fn)
        call(lib.world_set_cancel, pointer, function, ctypes.addressof(self.cancel))

    def array(self, data: Optional[int], shape: tuple[int, ...], type: Any) -> np.ndarray:
        """Shown without copying; within a callback a copy, because the world is at work."""
        if not data:
            return np.zeros(shape, np.dtype(type))
        if lib.world_is_busy(self.pointer):
            return shown(data, shape, self, type).copy()
        self.drop()
        call(lib.world_keep_array, self.pointer, data)
        return shown(data, shape, _Kept(self, data), type)

    def drop(self) -> None:
        while self.drops and not lib.world_is_busy(self.pointer):
            lib.world_drop_array(self.pointer, self.drops.pop())

    def fail(self, failure: BaseException) -> None:
        """Called in a callback: the present call ends soon and `raise_failure` raises it."""
        self.failures.append(failure)
        self.cancel.value = 1

    def raise_failure(self) -> None:
        if self.failures:
            failure = self.failures[0]
            self.failures.clear()
            self.cancel.value = 0
            raise failure

    def __del__(self) -> None:
        if self._owner and lib is not None:
            self._destroy(self._owner)


class _Kept:
    """The claim of a shown array on its memory."""

    def __init__(self, handle: Handle, data: int):
        self._handle, self._data = handle, data

    def __del__(self) -> None:
        # Not at once: the world may be at work in another thread.
        self._handle.drops.append(self._data)


class Sparse:
    """A matrix in compressed columns; of a symmetric one `lower` tells that its upper triangle, apart
    from the diagonal, is not stored. `toarray()` is the full matrix, `tocsc()` that of SciPy."""

    def __init__(self, matrix: Any):
        self.shape = (matrix.row_count, matrix.column_count)
        self.lower = bool(matrix.symmetric)
        count = matrix.count

        def copy(data: Any, size: int, type: Any) -> np.ndarray:
            return shown(data or 0, (size,), matrix, type).copy()

        self.indptr = copy(matrix.start, matrix.column_count + 1, ctypes.c_int32)
        self.indices = copy(matrix.row, count, ctypes.c_int32)
        self.data = copy(matrix.value, count, ctypes.c_double)
        lib.sparse_free(byref(matrix))

    def toarray(self) -> np.ndarray:
        full = np.zeros(self.shape)
        columns = np.repeat(np.arange(self.shape[1]), np.diff(self.indptr))
        full[self.indices, columns] = self.data
        if self.lower:
            full[columns, self.indices] = self.data
        return full

    def tocsc(self) -> Any:
        from scipy import sparse  # where it is installed
        matrix = sparse.csc_matrix((self.data, self.indices, self.indptr), shape=self.shape)
        return matrix + sparse.tril(matrix, -1).T if self.lower else matrix
