"""Fine-tuning of a model on manually labelled pages.

The last stage, and the last role stage, are moved towards the labels, with a penalty on the distance: predictions for
other pages stay as they are. So a few pages are enough to correct the model for a site, and other sites lose nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..classify.model.model import Model
from ..classify.model.role_model import RoleModel, role_columns
from ..features.rows import Rows
from ..gold.leaf_labels import Labels
from ..gold.pages import CONTENT, UNCERTAIN
from ..gold.role_votes import OUTSIDE_ROLES
from ..page.arrays import BoolColumn, FloatArray
from ..page.page import Page
from ..page.role_names import CONTENT_ROLES, ROLE, ROLES
from .examples import NoExamples, row_weights
from .fit_roles import move_roles, role_sides, role_weights
from .linear import squared_hinge

#: Penalty on the distance from the old model, relative to the mean loss of the labelled rows. Of .001, .01, .1 and 1,
#: the one with the largest F1 on the other pages of a site after three of it, on six unseen training sites of generated
#: pages; pages of other sites lost nothing with any.
STRENGTH = 0.001
#: Margin of the decisions on labelled blocks. The selection of a page's content includes unlikely blocks if there are
#: many: with 1, as in training, comments labelled as boilerplate were extracted again. On unseen training sites, larger
#: margins were better up to 8; on others, from 4 on, few unusual pages dominated.
MARGIN = 2.0
#: The same for roles, relative to the mean loss of each: the middle of .001, .01, .1 and 1, which do equally well.
ROLE_STRENGTH = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledRows:
    """The labelled rows of one page as inputs of a model's last stages."""

    values: FloatArray  # float32 (rows, columns)
    content: BoolColumn  # bool (rows,)
    weight: FloatArray  # float64 (rows,): Pages weigh about alike
    #: float32 (rows, columns) or None: Input of the role model; None for a model without roles.
    role_values: FloatArray | None = None
    role: NDArray[np.int8]  # int8 (rows,): Index into :data:`~blocksight.page.role_names.ROLES`, -1 where none was said

    @property
    def sides(self) -> NDArray[np.int8]:
        """Known and excluded roles, int8 (rows, roles): boilerplate has no role of content, and the other way round."""
        excluded = np.zeros((len(self.role), len(ROLES)), dtype=bool)
        for names, rows in ((CONTENT_ROLES, ~self.content), (OUTSIDE_ROLES, self.content)):
            for name in names:
                excluded[rows, ROLE[name]] = True
        return role_sides(self.role, excluded)


def labelled_rows(model: Model, page: Page, labels: Labels, roles: NDArray[np.int8] | None = None) -> LabelledRows:
    """Measure the labelled rows of a page for a model.

    ``labels``, int8 (leaves,), are ``CONTENT``, ``BOILERPLATE`` or ``UNCERTAIN``; a row is what most of its labelled
    words are. ``roles``, int8 (leaves,), are indices into :data:`~blocksight.page.role_names.ROLES`, -1 for none.
    """
    table = model.measure(page)
    rows = table.rows
    words = rows.leaf_words + 1e-9
    total = rows.summed(words * (labels != UNCERTAIN))
    content = rows.summed(words * (labels == CONTENT)) * 2 >= total
    labelled = total > 0
    prediction = model.predict(table)
    return LabelledRows(
        values=prediction.inputs[labelled].astype(np.float32),
        content=content[labelled],
        weight=row_weights(rows.words[labelled], content[labelled]),
        role_values=None if prediction.role_inputs is None else prediction.role_inputs[labelled].astype(np.float32),
        role=np.full(labelled.sum(), -1, dtype=np.int8) if roles is None else row_roles(rows, roles)[labelled],
    )


def row_roles(rows: Rows, leaf_roles: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the role of most of each row's text, by the roles of a page's leaves; -1 for none, int8 (rows,)."""
    length = rows.page.leaf_lengths.astype(np.float64)
    weight = np.stack([rows.summed(length * (leaf_roles == code)) for code in range(len(ROLES))], axis=1)
    return np.where(weight.max(axis=1, initial=0.0) > 0, weight.argmax(axis=1), -1).astype(np.int8)


def fine_tune(model: Model, pages: Sequence[LabelledRows]) -> Model:
    """Move a model towards the labels of some pages that were measured by it.

    Raises NoExamples without labels.
    """
    last = model.second or model.first
    if not any(len(rows.content) for rows in pages):
        raise NoExamples("no labelled blocks: label some pages first")
    values, content, weight = (
        np.concatenate([getattr(rows, name) for rows in pages]) for name in ("values", "content", "weight")
    )
    roles = _tuned_roles(model.roles, pages)
    if roles is not None:
        likely = roles.second.probability(_role_values(pages))
        values[:, [last.columns.index(name) for name in role_columns(ROLES) if name in last.columns]] = likely
    rows = last.standardise(values).astype(np.float32)
    plane, bias = squared_hinge(rows, content, weight, STRENGTH, (last.weight, last.bias), MARGIN)
    moved = replace(last, weight=plane, bias=bias)
    about = model.about | {
        "labelled pages": len(pages),
        "labelled blocks": len(content),
        "labelled roles": sum(int((rows.role >= 0).sum()) for rows in pages),
        "moving cost": STRENGTH,
    }
    if model.second is None:
        return replace(model, first=moved, roles=roles, about=about, name="")
    return replace(model, second=moved, roles=roles, about=about, name="")


def _tuned_roles(roles: RoleModel | None, pages: Sequence[LabelledRows]) -> RoleModel | None:
    """Move the last role stage, if there is one and some role is labelled."""
    if roles is None or not any((rows.role >= 0).any() for rows in pages):
        return roles
    role, sides = (np.concatenate([getattr(rows, name) for rows in pages]) for name in ("role", "sides"))
    weight = role_weights(role, sides, np.repeat(np.arange(len(pages)), [len(rows.role) for rows in pages]))
    return replace(roles, second=move_roles(roles.second, _role_values(pages), sides, weight, ROLE_STRENGTH))


def _role_values(pages: Sequence[LabelledRows]) -> FloatArray:
    values: FloatArray = np.concatenate([rows.role_values for rows in pages if rows.role_values is not None])
    return values
