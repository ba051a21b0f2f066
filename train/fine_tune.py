"""A model that goes on learning: from pages that a person labelled, without forgetting what it knew.

Its last look, and its last look at roles, are moved towards the labels of a few pages, and moving costs: where they say
nothing, it judges as before. So a handful of pages of one site is enough to put that site right, and other sites lose
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..classify.model.model import Model
from ..classify.model.role_model import RoleModel, role_columns
from ..classify.model.svm import LinearSvm
from ..errors import ModelMismatch
from ..features.rows import Rows
from ..gold.leaf_labels import Labels
from ..gold.pages import CONTENT, UNCERTAIN
from ..gold.role_scores import row_roles
from ..page.arrays import BoolColumn, FloatArray
from ..page.page import Page
from ..page.role_names import CONTENT_ROLES, ROLE, ROLES
from .examples import NoExamples
from .fit_roles import moved_roles, role_sides, role_weights
from .linear import squared_hinge
from .weights import row_weights

#: What a step away from the model that was there before costs, on the mean loss of the labelled rows. Of .001, .01, .1
#: and 1, the one with the largest F1 on a site's other pages after three of it, on six training sites of built pages
#: that the model had not seen; pages of other sites lost nothing with any.
STRENGTH = 0.001
#: How far on their side decisions on labelled blocks shall be. The choice of a page takes what is hardly likely along
#: where there is much of it: with 1, as in training, comments that were labelled came out again. On training sites that
#: a model had not seen, more was better up to 8; on others 4 and more let few odd pages rule all, so 2 was taken.
MARGIN = 2.0
#: The same of roles, on the mean loss of each: of .001, .01, .1 and 1 in the middle of those that do alike.
ROLE_STRENGTH = 0.01
#: Roles that no content has.
_OUTSIDE = ("related", "navigation", "promotion", "notice", "form", "footer")


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledRows:
    """The labelled rows of one page as inputs of a model's last stages."""

    values: FloatArray  # float32 (rows, columns)
    content: BoolColumn  # bool (rows,)
    weight: FloatArray  # float64 (rows,): Pages weigh about alike
    #: float32 (rows, columns) or None: What tells the roles; None for a model that tells none.
    role_values: FloatArray | None = None
    #: int8 (rows,): Index into :data:`~blocksight.page.role_names.ROLES`, -1 where none was said.
    role: NDArray[np.int8]

    @property
    def sides(self) -> NDArray[np.int8]:
        """Known and excluded roles, int8 (rows, roles): boilerplate has no role of content, and the other way round."""
        excluded = np.zeros((len(self.role), len(ROLES)), dtype=bool)
        for names, rows in ((CONTENT_ROLES, ~self.content), (_OUTSIDE, self.content)):
            for name in names:
                excluded[rows, ROLE[name]] = True
        return role_sides(self.role, excluded)


def labelled_rows(model: Model, page: Page, labels: Labels, roles: NDArray[np.int8] | None = None) -> LabelledRows:
    """Measure the labelled rows of a page for a model whose last stage is linear.

    ``labels``, int8 (leaves,), are ``CONTENT``, ``BOILERPLATE`` or ``UNCERTAIN``; a row is what most of its labelled
    words are. ``roles``, int8 (leaves,), are indices into :data:`~blocksight.page.role_names.ROLES`, -1 for none.
    """
    _last(model)
    table = model.measure(page)
    rows = table.rows
    words = rows.leaf_words + 1e-9
    known = rows.summed(words * (labels != UNCERTAIN))
    content = rows.summed(words * (labels == CONTENT)) * 2 >= known
    said = known > 0
    prediction = model.predict(table)
    return LabelledRows(
        values=prediction.inputs[said].astype(np.float32),
        content=content[said],
        weight=row_weights(rows.words[said], content[said]),
        role_values=None if prediction.role_inputs is None else prediction.role_inputs[said].astype(np.float32),
        role=_roles(rows, roles)[said],
    )


def _roles(rows: Rows, roles: NDArray[np.int8] | None) -> NDArray[np.int8]:
    return np.full(len(rows), -1, dtype=np.int8) if roles is None else row_roles(rows, roles)


def fine_tune(
    model: Model,
    pages: Sequence[LabelledRows],
    *,
    strength: float = STRENGTH,
    role_strength: float = ROLE_STRENGTH,
    margin: float = MARGIN,
) -> Model:
    """Move a model towards the labels of some pages that were measured by it.

    ``strength`` and ``role_strength`` are the costs of moving for content and roles: the higher, the closer the model
    stays to what it was. Decisions on the content of labelled rows should be ``margin`` on their side. Raises
    NoExamples without labels, and ModelMismatch if the last stage is not linear.
    """
    last = _last(model)
    if not any(len(rows.content) for rows in pages):
        raise NoExamples("no block is labelled: label some pages first")
    values, content, weight = (
        np.concatenate([getattr(rows, name) for rows in pages]) for name in ("values", "content", "weight")
    )
    roles = _adapted_roles(model.roles, pages, role_strength)
    if roles is not None:
        likely = roles.second.probability(_role_values(pages))
        values[:, [last.columns.index(name) for name in role_columns(ROLES) if name in last.columns]] = likely
    rows = last.standardise(values).astype(np.float32)
    plane, bias = squared_hinge(rows, content, weight, strength, (last.weight, last.bias), margin)
    moved = replace(last, weight=plane, bias=bias)
    told = sum(int((rows.role >= 0).sum()) for rows in pages)
    about = model.about | {
        "labelled pages": len(pages),
        "labelled blocks": len(content),
        "labelled roles": told,
        "moving cost": strength,
    }
    if model.second is None:
        return replace(model, first=moved, roles=roles, about=about, name="")
    return replace(model, second=moved, roles=roles, about=about, name="")


def _adapted_roles(roles: RoleModel | None, pages: Sequence[LabelledRows], strength: float) -> RoleModel | None:
    """Move the last role stage, if there is one and some role is labelled."""
    if roles is None or not any((rows.role >= 0).any() for rows in pages):
        return roles
    role, sides = (np.concatenate([getattr(rows, name) for rows in pages]) for name in ("role", "sides"))
    weight = role_weights(role, sides, np.repeat(np.arange(len(pages)), [len(rows.role) for rows in pages]))
    return replace(roles, second=moved_roles(roles.second, _role_values(pages), sides, weight, strength))


def _role_values(pages: Sequence[LabelledRows]) -> FloatArray:
    found: FloatArray = np.concatenate([rows.role_values for rows in pages if rows.role_values is not None])
    return found


def _last(model: Model) -> LinearSvm:
    last = model.second or model.first
    if not isinstance(last, LinearSvm):
        raise ModelMismatch("a model whose last look is not linear cannot go on learning: take the shipped one")
    return last
