"""Types of the columns that pages consist of, and functions on single columns."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from types import ModuleType
from typing import Any, TypeVar, overload

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

#: Shares of what is counted, for rules that need no finer limit: hardly any of it, some, half, ...
HARDLY_ANY, SOME, HALF, MOSTLY, MOST, NEARLY_ALL = 0.1, 0.3, 0.5, 0.6, 0.8, 0.9
#: A divisor in place of zero; the digits of probabilities and shares that are written.
TINY, DIGITS = 1e-9, 4

#: Some rows by their numbers.
AnyIndices = NDArray[np.signedinteger[Any]]
_Owner = TypeVar("_Owner")
_Value = TypeVar("_Value")


#: The attribute of an object with the results of functions that are cached as long as it exists.
RESULTS = "_results"


class _Results(dict[str, Any]):
    """Results by the name of their function; copies and pickles of an object compute them again."""

    def __reduce__(self) -> tuple[type[_Results], tuple[()]]:
        return _Results, ()


def cached_by_owner(compute: Callable[[_Owner], _Value]) -> Callable[[_Owner], _Value]:
    """Decorate a function of one object: its result, which must not refer to it, is cached as long as it exists."""
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def cached(owner: _Owner) -> _Value:
        results: dict[str, _Value] | None = vars(owner).get(RESULTS)
        if results is None:
            results = vars(owner)[RESULTS] = _Results()
        if name not in results:
            results[name] = compute(owner)
        return results[name]

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


#: Up to this many values are sorted faster by Python; a table of all values up to the largest is faster than sorting if
#: it has at most so many places, or so many for each value.
_FEW, _SHORT, _SPARSE = 32, 1 << 14, 16
#: The number by which the compiled loops call a type of values.
_NUMBERS = {"?": 0, "d": 1, np.dtype(np.int64).char: 2}


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
    if compiled and values.ndim == 1 and (number := _NUMBERS.get(values.dtype.char)) is not None:
        result = np.empty(len(values) + 1, dtype=np.float64 if number == 1 else np.int64)
        compiled.prefix(np.ascontiguousarray(values), number, result)
        return result
    kind = values.dtype if values.dtype.kind == "f" else np.dtype(np.int64)
    sums = np.zeros((len(values) + 1, *values.shape[1:]), dtype=kind)
    values.cumsum(axis=0, out=sums[1:])
    return sums


@overload
def span_sums(values: FloatArray, first: AnyIndices | None, last: AnyIndices) -> FloatArray: ...
@overload
def span_sums(
    values: NDArray[np.bool_ | np.signedinteger[Any]], first: AnyIndices | None, last: AnyIndices
) -> NDArray[np.int64]: ...
def span_sums(values: NDArray[Any], first: AnyIndices | None, last: AnyIndices) -> NDArray[Any]:
    """Return the sum of ``values[i:j]`` for each i and j of ``first`` and ``last``; without ``first``, i is the row.

    >>> span_sums(np.array([2.0, 0.5, 1.0]), np.array([0, 1]), np.array([2, 3])).tolist()
    [2.5, 1.5]
    >>> span_sums(np.array([True, False, True]), None, np.array([3, 2, 3])).tolist()
    [2, 0, 1]
    """
    number = _NUMBERS.get(values.dtype.char)
    if compiled and number is not None and last.dtype.itemsize in (4, 8) and last.flags.c_contiguous:
        kind = np.float64 if number == 1 else np.int64
        result, memory = np.empty(len(last), dtype=kind), np.empty(len(values) + 1, dtype=kind)
        compiled.spans(values, number, first, last, memory, result)
        return result
    sums = prefix_sums(values)
    return sums[last] - sums[np.arange(len(last)) if first is None else first]


#: OpenBLAS computes products of at most so many multiplications in one thread.
ONE_THREAD = 1 << 18


def product(rows: FloatArray, weight: FloatArray) -> FloatArray:
    """Return ``rows @ weight`` of two matrices, some rows at a time.

    OpenBLAS divides larger products among threads, which wait for each other in busy loops: for the matrices of a page
    that takes longer than the product, and with other programs on the machine up to fifty times as long.

    >>> product(np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([[1.0], [-1.0]])).tolist()
    [[-1.0], [-3.0]]
    """
    at_once = max(ONE_THREAD // max(weight.size, 1), 1)
    weight, result = np.ascontiguousarray(weight, dtype=np.float64), np.empty((len(rows), weight.shape[1]))
    for first in range(0, len(rows), at_once):
        np.matmul(rows[first : first + at_once], weight, out=result[first : first + at_once])
    return result


def shifted(values: FloatArray, steps: Iterable[int], outside: float) -> list[FloatArray]:
    """Return the values some steps from each row, (rows, ...) for each step; ``outside`` is beyond the ends.

    >>> [column.tolist() for column in shifted(np.array([1.0, 2.0, 3.0]), (-1, 2), 0.0)]
    [[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]]
    """
    steps, count = tuple(steps), len(values)
    far = max(map(abs, steps))
    padded = np.full((count + 2 * far, *values.shape[1:]), outside)
    padded[far : far + count] = values
    return [padded[far + step : far + step + count] for step in steps]


def numbered(values: AnyIndices) -> tuple[AnyIndices, NDArray[np.intp]]:
    """Return the distinct values in ascending order, and the index of each value among them.

    >>> [part.tolist() for part in numbered(np.array([7, 3, 7, 9]))]
    [[3, 7, 9], [1, 0, 1, 2]]
    """
    if len(values) > _FEW:
        if (most := int(values.max())) < max(_SPARSE * len(values), _SHORT) and values.min() >= 0:
            known, order_of = np.zeros(most + 1, dtype=bool), np.empty(most + 1, dtype=np.intp)
            known[values] = True
            distinct = known.nonzero()[0]
            order_of[distinct] = np.arange(len(distinct))
            return distinct.astype(values.dtype), order_of[values]
        distinct, number = np.unique(values, return_inverse=True)
        return distinct, number
    written = values.tolist()
    order = {value: index for index, value in enumerate(sorted(set(written)))}
    return np.asarray(list(order), dtype=values.dtype), np.asarray([order[value] for value in written], dtype=np.intp)


def corners_of(box: NDArray[np.float32]) -> FloatArray:
    """Convert ``[x, y, width, height]`` to ``[left, top, right, bottom]``, float64 (boxes, 4)."""
    corners = box.astype(np.float64).reshape(-1, 4)
    corners[:, 2:] += corners[:, :2]
    return corners


def logistic(decision: FloatArray) -> FloatArray:
    """Return the probabilities of decisions in logits, which are clipped so that no exponential overflows."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(decision, -30, 30))))


def mask_of(count: int, rows: Any) -> BoolColumn:
    """Return a mask of the given rows, by index or themselves a mask, bool (count,)."""
    mask = np.zeros(count, dtype=bool)
    mask[rows] = True
    return mask


def between(column: IntColumn, first: int, last: int) -> tuple[int, int]:
    """Return the index range of the values v of a sorted column with ``first <= v < last``.

    ``np.searchsorted`` copies the whole column if the searched values have another type, such as Python integers:
    one call per row would take time quadratic in the page size.

    >>> between(np.array([1, 1, 3, 4, 4], dtype=np.int32), 1, 4)
    (0, 3)
    """
    begin, end = column.searchsorted(np.array((first, last), dtype=column.dtype)).tolist()
    return begin, end
