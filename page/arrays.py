"""Names for the columns that all floors hand on; their shapes stand where they are used. And what adds them up."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

IntColumn = NDArray[np.int32]
BoolColumn = NDArray[np.bool_]
#: What a browser measures: CSS pixels, opacity.
FloatColumn = NDArray[np.float32]
#: What is worked out from it.
FloatArray = NDArray[np.float64]
#: One bool a text leaf of a page (:attr:`~blocksight.page.page.Page.leaves`): True for content. Every system, and the
#: gold, answers in this form.
Marks = NDArray[np.bool_]


@overload
def prefix_sums(values: FloatArray) -> FloatArray: ...
@overload
def prefix_sums(values: NDArray[np.bool_ | np.signedinteger[Any]]) -> NDArray[np.int64]: ...
def prefix_sums(values: NDArray[Any]) -> NDArray[Any]:
    """Return 0 and the sums of the first, the first two, ... values.

    What stands at ``[first, last)`` adds up to ``sums[last] - sums[first]``: all sums over windows, stretches and
    subtrees are taken so, for any number of them at once.

    Parameters
    ----------
    values : float64, integer or bool (n, ...)

    Returns
    -------
    float64 or int64 (n + 1, ...)

    Examples
    --------
    >>> prefix_sums(np.array([2.0, 0.5, 1.0])).tolist()
    [0.0, 2.0, 2.5, 3.5]
    >>> prefix_sums(np.array([True, False, True])).tolist()
    [0, 1, 1, 2]
    """
    kind = values.dtype if values.dtype.kind == "f" else np.dtype(np.int64)
    sums = np.zeros((len(values) + 1, *values.shape[1:]), dtype=kind)
    np.cumsum(values, axis=0, out=sums[1:])
    return sums


def between(column: IntColumn, first: int, last: int) -> tuple[int, int]:
    """Return where the values from ``first`` up to, but not with, ``last`` stand in a sorted column.

    ``np.searchsorted`` copies the whole column where what is looked for is of another type, plain numbers among them:
    asked row by row, that grows with the square of a page.

    Examples
    --------
    >>> between(np.array([1, 1, 3, 4, 4], dtype=np.int32), 1, 4)
    (0, 3)
    """
    begin, end = column.searchsorted(np.array((first, last), dtype=column.dtype)).tolist()
    return begin, end
