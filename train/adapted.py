"""A model that goes on learning: from pages that a person labelled, without forgetting what it knew.

Its last look is moved towards the labels of a few pages, and moving costs: where they say nothing, it judges as before.
So a handful of pages of one site is enough to put that site right, and other sites lose nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..classify.model.model import Model
from ..classify.model.svm import LinearSvm
from ..gold.labels import Labels
from ..gold.pages import CONTENT, UNCERTAIN
from ..render.arrays import BoolColumn, FloatArray
from ..render.errors import ModelMismatch
from ..render.page import Page
from .examples import NoExamples
from .linear import squared_hinge
from .weights import row_weights

#: What a step away from the model that was there before costs, on the mean loss of the labelled rows. Of .001, .01, .1
#: and 1, the one with the largest F1 on a site's other pages after three of it, on six training sites of built pages
#: that the model had not seen; pages of other sites lost nothing with any.
STRENGTH = 0.001


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledRows:
    """The labelled blocks of one page as the last look of a model sees them.

    Attributes
    ----------
    values : float32 (rows, columns)
    content : bool (rows,)
    weight : float64 (rows,)
        Pages weigh about alike.
    """

    values: FloatArray
    content: BoolColumn
    weight: FloatArray


def labelled_rows(model: Model, page: Page, labels: Labels) -> LabelledRows:
    """Measure the blocks of a page of which a person said something.

    Parameters
    ----------
    model : Model
        One whose last look is linear, as that of the shipped ones.
    page : Page
    labels : int8 (leaves,)
        ``CONTENT``, ``BOILERPLATE``, or ``UNCERTAIN`` where nothing was said. A block is what most of its labelled
        words are.
    """
    _last(model)
    table = model.measure(page)
    rows = table.rows
    words = rows.leaf_words + 1e-9
    known = rows.summed(words * (labels != UNCERTAIN))
    content = rows.summed(words * (labels == CONTENT)) * 2 >= known
    said = known > 0
    values = model.looked(table).values[said]
    return LabelledRows(values=values, content=content[said], weight=row_weights(rows.words[said], content[said]))


def adapted(model: Model, pages: Sequence[LabelledRows], *, strength: float = STRENGTH) -> Model:
    """Move a model towards the labels of some pages.

    Parameters
    ----------
    model : Model
    pages : sequence of LabelledRows
        Measured by that model.
    strength : float
        How much moving costs; the more, the closer the model stays to what it was.

    Raises
    ------
    NoExamples
        When nothing is labelled.
    ModelMismatch
        When the last look is not linear.
    """
    last = _last(model)
    if not any(len(rows.content) for rows in pages):
        raise NoExamples("no block is labelled: label some pages first")
    values, content, weight = (
        np.concatenate([getattr(rows, name) for rows in pages]) for name in ("values", "content", "weight")
    )
    rows = last.standardise(values).astype(np.float32)
    plane, bias = squared_hinge(rows, content, weight, strength, (last.weight, last.bias))
    moved = replace(last, weight=plane, bias=bias)
    about = model.about | {"labelled pages": len(pages), "labelled blocks": len(content), "moving cost": strength}
    if model.second is None:
        return replace(model, first=moved, about=about, name="")
    return replace(model, second=moved, about=about, name="")


def _last(model: Model) -> LinearSvm:
    last = model.second or model.first
    if not isinstance(last, LinearSvm):
        raise ModelMismatch("a model whose last look is not linear cannot go on learning: take the shipped one")
    return last
