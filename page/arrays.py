"""Types of the columns that pages consist of, and functions on single columns."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from types import ModuleType
from typing import Any, TypeVar, overload
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

IntColumn = NDArray[np.int32]
BoolColumn = NDArray[np.bool_]
#: Values that a browser measures: CSS pixels, opacity.
FloatColumn = NDArray[np.float32]
#: Values that are computed from them.
FloatArray = NDArray[np.float64]
#: bool (leaves,): True for text leaves of a page (:attr:`~blocksight.page.page.Page.leaves`) that are content. The
#: result of every system, and the form of gold labels.
Marks = NDArray[np.bool_]
#: Some rows of columns: a slice, bool (rows,), or their numbers.
RowIndex = slice | NDArray[np.bool_] | NDArray[np.intp]


def _compiled() -> ModuleType | None:
    if os.environ.get("BLOCKSIGHT_PURE", "0") not in ("", "0"):
        return None
    try:
        return importlib.import_module("._flat", __package__)
    except ImportError:
        return None


#: Loops over columns in C (``_flat.c``); None without them, if there was no compiler or ``BLOCKSIGHT_PURE=1``. Each
#: has a reference in NumPy with the same values, bit for bit.
compiled = _compiled()

_Owner = TypeVar("_Owner")
_Value = TypeVar("_Value")


def cached_by_owner(compute: Callable[[_Owner], _Value]) -> Callable[[_Owner], _Value]:
    """Decorate a function of one object: its result, which must not refer to it, is cached as long as it exists."""
    cache: WeakKeyDictionary[_Owner, _Value] = WeakKeyDictionary()

    @wraps(compute)
    def cached(owner: _Owner) -> _Value:
        if owner not in cache:
            cache[owner] = compute(owner)
        return cache[owner]

    return cached


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """Data type, shape and range of a column of a page, next to its type, as ``Annotated`` metadata."""

    dtype: type[np.generic]
    #: Unit of its rows: "nodes", "attributes", "lines" or "leaves".
    rows: str
    #: Least and greatest value; a name means the last index into it ("nodes", "names", "strings").
    low: float = -np.inf
    high: float | str = np.inf
    #: Values per row; 0 for a one-dimensional column.
    width: int = 0
    #: Whether NaN is allowed, for nodes without layout.
    gaps: bool = False


@overload
def prefix_sums(values: FloatArray) -> FloatArray: ...
@overload
def prefix_sums(values: NDArray[np.bool_ | np.signedinteger[Any]]) -> NDArray[np.int64]: ...
def prefix_sums(values: NDArray[Any]) -> NDArray[Any]:
    """Return the exclusive prefix sums of n values, (n + 1, ...): ``values[i:j]`` has the sum ``sums[j] - sums[i]``.

    >>> prefix_sums(np.array([2.0, 0.5, 1.0])).tolist()
    [0.0, 2.0, 2.5, 3.5]
    >>> prefix_sums(np.array([True, False, True])).tolist()
    [0, 1, 1, 2]
    """
    kind = values.dtype if values.dtype.kind == "f" else np.dtype(np.int64)
    sums = np.zeros((len(values) + 1, *values.shape[1:]), dtype=kind)
    values.cumsum(axis=0, out=sums[1:])
    return sums


def corners_of(box: NDArray[np.float32]) -> FloatArray:
    """Convert ``[x, y, width, height]`` to ``[left, top, right, bottom]``, float64 (boxes, 4)."""
    corners = box.astype(np.float64)
    corners[:, 2:] += corners[:, :2]
    return corners


def between(column: IntColumn, first: int, last: int) -> tuple[int, int]:
    """Return the index range of the values v of a sorted column with ``first <= v < last``.

    ``np.searchsorted`` copies the whole column if the searched values have another type, such as Python integers:
    one call per row would take time quadratic in the page size.

    >>> between(np.array([1, 1, 3, 4, 4], dtype=np.int32), 1, 4)
    (0, 3)
    """
    begin, end = column.searchsorted(np.array((first, last), dtype=column.dtype)).tolist()
    return begin, end
