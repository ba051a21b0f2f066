"""Names for the columns that all floors hand on; their shapes stand where they are used."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IntColumn = NDArray[np.int32]
BoolColumn = NDArray[np.bool_]
#: What a browser measures: CSS pixels, opacity.
FloatColumn = NDArray[np.float32]
#: What is worked out from it.
FloatArray = NDArray[np.float64]
#: One bool a text leaf of a page (:attr:`~blocksight.render.page.Page.leaves`): True for content. Every system, and the
#: gold, answers in this form.
Marks = NDArray[np.bool_]
