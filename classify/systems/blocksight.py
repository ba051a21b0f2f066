"""blocksight's own system: an SVM over block features, and a choice for the whole page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...document.content.parts.complete import missing_items
from ...document.roles import LeafRoles
from ...features.rows import Rows
from ...page.arrays import BoolColumn, FloatArray, Marks
from ...page.page import Page
from ...page.role_names import ROLES
from ...page.visibility import invisible_leaves
from ..model.model import Model, shipped_model
from ..model.role_model import decided
from ..model.selection import Selection, choose, filled
from ..system import Card, Judgement

if TYPE_CHECKING:
    from ...document.records.threads import Thread

#: Roles that the choice of a page takes along at times, and how likely they must be to be left out again.
LEFT_OUT, SURE = ("title", "author", "date", "caption"), 0.8
#: A page whose best choice is expected to be no better than this, and holds no more words of content than a caption,
#: has no main text: an index, a form, an error.
LEAST_EXPECTED_F1 = 0.25
LEAST_EXPECTED_WORDS = 12.0
#: Fewer words than this, most of them links, are no main text either.
FEW_LINK_WORDS = 50.0


def judge(page: Page, model: Model) -> Judgement:
    """Score a page's blocks by a model and choose the content."""
    table = model.measure(page)
    rows = table.rows
    if not len(rows):
        empty = np.zeros(len(page.leaves))
        nothing = LeafRoles(role=np.full(len(empty), -1, dtype=np.int8), probability=np.full(len(empty), np.nan))
        return Judgement(
            marks=empty.astype(bool), probability=empty, expected_f1=0.0, roles=nothing if model.roles else None
        )
    looked = model.looked(table)
    scores = looked.scores
    probability = model.calibration.probability(scores)
    hidden = invisible_leaves(page)
    unseen = rows.summed((~hidden).astype(np.float64)) == 0
    choice = choose(rows, scores, model.calibration, unseen)
    none = _is_nothing(rows, choice, probability)
    content = np.append(
        np.zeros_like(choice.rows) if none else _without(filled(rows, choice.rows) & ~unseen, looked.roles), False
    )
    inside = rows.leaf_row >= 0
    marks = content[rows.leaf_row] & inside & ~hidden
    marks |= missing_items(page, marks)
    roles = _leaf_roles(rows, looked.roles, hidden)
    if not none and (thread := _thread(page)) is not None:
        marks = thread.whole(marks) & ~hidden
        roles = roles and _of_posts(roles, thread)
    return Judgement(
        marks=marks,
        probability=np.where(hidden, np.nan, np.append(probability, np.nan)[rows.leaf_row]),
        expected_f1=0.0 if none else choice.expected_f1,
        roles=roles,
    )


def _thread(page: Page) -> Thread | None:
    # Needed from here on only.
    from ...document.records.threads import thread_of

    return thread_of(page)


def _of_posts(roles: LeafRoles, thread: Thread) -> LeafRoles:
    """Call the text of posts what it is, and nothing else in them; single blocks do not tell all of it."""
    role, probability = roles.role.copy(), roles.probability.copy()
    known = role >= 0
    beside = thread.inside & ~thread.text & roles.marked(["post"])
    for name, marks in {"other": beside, "post": thread.text, **thread.told}.items():
        changed = marks & known & (role != ROLES.index(name))
        role[changed], probability[changed] = ROLES.index(name), thread.likely
    return LeafRoles(role=role, probability=probability)


def _without(content: BoolColumn, roles: FloatArray | None) -> BoolColumn:
    """Leave out what is surely a headline, a by-line, a date or a caption, unless nothing else is there."""
    if roles is None:
        return content
    surely = roles[:, [ROLES.index(name) for name in LEFT_OUT]].max(axis=1) > SURE
    rest: BoolColumn = content & ~surely
    return rest if rest.any() else content


def _leaf_roles(rows: Rows, roles: FloatArray | None, hidden: Marks) -> LeafRoles | None:
    if roles is None:
        return None
    role = decided(rows, roles, ROLES)
    likely = roles[np.arange(len(rows)), role]
    return LeafRoles(
        role=np.where(hidden, -1, np.append(role, -1)[rows.leaf_row]).astype(np.int8),
        probability=np.where(hidden, np.nan, np.append(likely, np.nan)[rows.leaf_row]),
    )


def _is_nothing(rows: Rows, choice: Selection, probability: NDArray[np.float64]) -> bool:
    """Return whether a page has no main text: no paragraph, and the best choice is hardly likely, or a few links."""
    if rows.long.any():
        return False
    amount, links = rows.words[choice.rows].sum(), rows.link_words[choice.rows].sum()
    unlikely = choice.expected_f1 < LEAST_EXPECTED_F1
    if links > amount / 2:
        return bool(unlikely or amount < FEW_LINK_WORDS)
    return bool(unlikely and (rows.words * probability * choice.rows).sum() < LEAST_EXPECTED_WORDS)


def _told(judgement: Judgement, page: Page) -> NDArray[np.int8]:
    return np.full(len(page.leaves), -1, dtype=np.int8) if judgement.roles is None else judgement.roles.role


def named(system: str, model: Model | None) -> str:
    """Return the name of what judged: a system, and the file of its model if that is not the shipped one."""
    return system if model is None else f"{system} ({model.name or 'own model'})"


def _check(model: Model | None) -> None:
    if model is not None and not isinstance(model, Model):
        given = type(model).__name__
        raise TypeError(f"model must be a Model, not a value of type {given}: pass load_model(path)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocksight:
    """The visual system; on a page that no browser has seen it works like ``blocksight-dom``.

    Parameters
    ----------
    model : Model, optional
        Instead of the one that comes with the program.
    """

    model: Model | None = None
    card: ClassVar[Card] = Card(
        name="blocksight",
        title="SVM over visual, text, link and structural block features, choice by expected F1",
        paper="blocksight; features after FIASCO (Bauer et al., WAC3 2007) and others",
        year=2026,
        visual=True,
        trained=True,
    )

    def __post_init__(self) -> None:
        _check(self.model)

    def judge(self, page: Page) -> Judgement:
        """Mark the content and say how sure that is."""
        name = "blocksight" if page.geometry is not None else "blocksight-dom"
        return replace(judge(page, self.model_for(page)), by=named(name, self.model))

    def model_for(self, page: Page) -> Model:
        """Return the model that judges a page."""
        return self.model or shipped_model(visual=page.geometry is not None)

    def mark(self, page: Page) -> Marks:
        """Mark the content."""
        return self.judge(page).marks

    def roles(self, page: Page) -> NDArray[np.int8]:
        """int8 (leaves,): what each leaf is, an index into :data:`~blocksight.page.role_names.ROLES`."""
        return _told(self.judge(page), page)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksightDom:
    """The same without eyes: markup and text only, no browser needed.

    Parameters
    ----------
    model : Model, optional
        Instead of the one that comes with the program.
    """

    model: Model | None = None
    card: ClassVar[Card] = Card(
        name="blocksight-dom",
        title="SVM over text, link and structural block features, choice by expected F1",
        paper="blocksight",
        year=2026,
        visual=False,
        trained=True,
    )

    def __post_init__(self) -> None:
        _check(self.model)

    def judge(self, page: Page) -> Judgement:
        """Mark the content and say how sure that is."""
        judgement = judge(page.without_geometry(), self.model_for(page))
        return replace(judgement, by=named(self.card.name, self.model))

    def model_for(self, page: Page) -> Model:
        """Return the model that judges, the same for all pages."""
        del page
        return self.model or shipped_model(visual=False)

    def mark(self, page: Page) -> Marks:
        """Mark the content."""
        return self.judge(page).marks

    def roles(self, page: Page) -> NDArray[np.int8]:
        """int8 (leaves,): what each leaf is, an index into :data:`~blocksight.page.role_names.ROLES`."""
        return _told(self.judge(page), page)
