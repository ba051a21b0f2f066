"""blocksight's own system: a stacked SVM over block features, and a selection for the whole page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...features.visual.styled import is_styled
from ...page.arrays import FloatArray, Marks
from ...page.lazy import Lazy, known
from ...page.page import Page
from ...page.role_names import ROLE, ROLES
from ...page.visibility import invisible_leaves
from ...records.candidates import RecordCandidates, find_records
from ..choose import Decision, Evidence, decide
from ..model.calibration import Calibration
from ..model.confidence import Confidence, page_columns
from ..model.model import Model, shipped_model
from ..model.reading_model import ReadingModel, choose_reading
from ..model.readings import PageReadings
from ..model.reasons import reasons_against
from ..model.role_model import decide_roles
from ..model.selection import INVISIBLE_SCORE, select_content
from ..roles import LeafRoles
from ..system import Card, Judgement, card_of

#: Most rows whose features, some 2 kB each, are kept until the reasons against them are asked for.
HELD_ROWS = 4000


def classify_page(records: RecordCandidates, model: Model, by: str = "") -> Judgement:
    """Decide on a page by the scores that a model gives its blocks; ``by`` is the name of the model."""
    page = records.page
    table = model.measure(page)
    rows = table.rows
    if not len(rows):
        empty = np.zeros(len(page.leaves))
        no_roles = LeafRoles(role=np.full(len(empty), -1, dtype=np.int8), probability=np.full(len(empty), np.nan))
        roles = no_roles if model.roles else None
        return Judgement(marks=empty.astype(bool), probability=empty, expected_f1=0.0, roles=roles, by=by)
    prediction = model.predict(table)
    scores, roles_of_rows = prediction.scores, prediction.roles
    against = Lazy(partial(reasons_against, model, prediction, rows))
    if len(rows) > HELD_ROWS:
        against = known(against.value)
    # The features, most of the memory of a large page, are free again.
    del table, prediction
    judgement, columns = judge_evidence(
        evidence_of(rows, records, scores, roles_of_rows, model.calibration, model.readings)
    )
    expected = Lazy(partial(_expected, model.confidence, columns, judgement))
    if len(rows) > HELD_ROWS:
        expected = known(expected.value)
    return replace(judgement, expected_f1=expected, by=by, against=against)


def _expected(confidence: Confidence | None, columns: Lazy[FloatArray], judgement: Judgement) -> float:
    """Return the F1 that the output of a page is expected to reach."""
    if confidence is None or not judgement.marks.any():
        return judgement.expected_f1
    return float(confidence.of(columns.value[None])[0])


def evidence_of(
    rows: Rows,
    records: RecordCandidates,
    scores: FloatArray,
    roles: FloatArray | None,
    calibration: Calibration,
    readings: ReadingModel | None,
) -> Evidence:
    """Return what is known of a page by the scores of its blocks, float64 (rows,), and roles, float64 (rows, roles)."""
    hidden = invisible_leaves(rows.page)
    invisible = rows.summed((~hidden).astype(np.float64)) == 0
    reading = PageReadings(rows=rows, scores=np.where(invisible, INVISIBLE_SCORE, scores), roles=roles, records=records)
    if readings is None:
        selection = select_content(rows, scores, calibration, invisible)
    else:
        selection = choose_reading(readings, reading, calibration)
    return Evidence(reading=reading, calibration=calibration, hidden=hidden, invisible=invisible, selection=selection)


def judge_evidence(evidence: Evidence) -> tuple[Judgement, Lazy[FloatArray]]:
    """Decide on a page.

    Return also what the confidence is computed from, one number for each of
    :data:`~blocksight.classify.model.confidence.COLUMNS`.
    """
    rows, roles = evidence.reading.rows, evidence.reading.roles
    decision = decide(evidence)
    expected = evidence.selection.expected_f1 if evidence.has_content else 0.0
    judgement = Judgement(
        marks=decision.marks,
        probability=np.where(evidence.hidden, np.nan, np.append(evidence.probability, np.nan)[rows.leaf_row]),
        expected_f1=expected,
        roles=_leaf_roles(rows, roles, evidence.hidden, decision),
        records=known(decision.records),
    )
    kept = rows.summed(rows.leaf_words * decision.marks) > rows.words / 2
    return judgement, Lazy(lambda: page_columns(rows, evidence.probability, kept, expected, roles))


def _leaf_roles(rows: Rows, roles: FloatArray | None, hidden: Marks, decision: Decision) -> LeafRoles | None:
    """Return the role of each leaf; within posts those of their structure, which single blocks do not show."""
    if roles is None:
        return None
    best = decide_roles(rows, roles, ROLES)
    role = np.where(hidden, -1, np.append(best, -1)[rows.leaf_row]).astype(np.int8)
    likely = np.append(roles[np.arange(len(rows)), best], np.nan)[rows.leaf_row]
    probability = np.where(hidden, np.nan, likely)
    if (thread := decision.signed) is None:
        return LeafRoles(role=role, probability=probability)
    known = role >= 0
    other = thread.inside & ~thread.text & (role == ROLE["post"])
    structure = {"other": other, "post": thread.text} if decision.thread else {}
    for name, marks in {**structure, **thread.roles}.items():
        changed = marks & known & (role != ROLE[name])
        role[changed], probability[changed] = ROLE[name], thread.likely
    return LeafRoles(role=role, probability=probability, signature=thread.signature & known)


def judge_name(system: str, model: Model | None) -> str:
    """Return the name of a system, with the file of its model if it is not the shipped one."""
    return system if model is None else f"{system} ({model.name or 'own model'})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ModelSystem:
    """The common part of both systems: subclasses define ``card``, ``model_for`` and ``judge``."""

    model: Model | None = None  # by default the shipped one

    def __post_init__(self) -> None:
        if self.model is not None and not isinstance(self.model, Model):
            given = type(self.model).__name__
            raise TypeError(f"model must be a Model, not a value of type {given}: pass load_model(path)")

    def judge(self, page: Page) -> Judgement:
        """Mark the content, with probabilities and the expected F1."""
        raise NotImplementedError

    def mark(self, page: Page) -> Marks:
        """Mark the content."""
        return self.judge(page).marks

    def roles(self, page: Page) -> NDArray[np.int8]:
        """Return the role of each leaf, int8 (leaves,), an index into :data:`~blocksight.page.role_names.ROLES`."""
        roles = self.judge(page).roles
        return np.full(len(page.leaves), -1, dtype=np.int8) if roles is None else roles.role


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocksight(_ModelSystem):
    """The visual system; on a page without geometry, or without style sheets, it works like ``blocksight-dom``.

    Without style sheets every block has the width of the page and the browser's own fonts: geometry says nothing then
    that markup does not say better.

    Parameters
    ----------
    model : Model, optional
        By default the shipped one.
    """

    card: ClassVar[Card] = card_of("blocksight")

    def judge(self, page: Page) -> Judgement:
        """Mark the content, with probabilities and the expected F1."""
        seen = self.as_judged(page)
        name = "blocksight" if seen.geometry is not None else "blocksight-dom"
        return classify_page(find_records(seen), self._model(seen), judge_name(name, self.model))

    def evidence(self, page: Page) -> Evidence | None:
        """Return what is known of a page before the choice; None if it has no blocks."""
        seen = self.as_judged(page)
        model = self._model(seen)
        table = model.measure(seen)
        if not len(table.rows):
            return None
        prediction = model.predict(table)
        scores, roles = prediction.scores, prediction.roles
        return evidence_of(table.rows, find_records(seen), scores, roles, model.calibration, model.readings)

    def as_judged(self, page: Page) -> Page:
        """Return the page as it is judged: one without style sheets has no geometry, unless an own model judges it."""
        return page if self.model or is_styled(page) else page.without_geometry(keep_hidden=True)

    def model_for(self, page: Page) -> Model:
        """Return the model that is used for a page."""
        return self._model(self.as_judged(page))

    def _model(self, seen: Page) -> Model:
        return self.model or shipped_model(visual=seen.geometry is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksightDom(_ModelSystem):
    """The same without geometry: markup and text only, no browser needed."""

    card: ClassVar[Card] = card_of("blocksight-dom")

    def judge(self, page: Page) -> Judgement:
        """Mark the content, with probabilities and the expected F1."""
        records = find_records(self.as_judged(page))
        return classify_page(records, self.model_for(page), judge_name(self.card.name, self.model))

    def as_judged(self, page: Page) -> Page:
        """Return the page without geometry."""
        return page.without_geometry()

    def model_for(self, _: Page) -> Model:
        """Return the model that is used for any page."""
        return self.model or shipped_model(visual=False)
