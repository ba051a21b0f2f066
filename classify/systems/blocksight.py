"""blocksight's own system: a stacked SVM over block features, and a selection for the whole page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...document.content.lazy import Lazy, known
from ...document.content.parts.complete import missing_items
from ...document.roles import LeafRoles
from ...features.rows import Rows
from ...features.visual.styled import is_styled
from ...page.arrays import BoolColumn, FloatArray, Marks
from ...page.page import Page
from ...page.role_names import ROLE, ROLES
from ...page.visibility import invisible_leaves
from ..model.calibration import Calibration
from ..model.confidence import Confidence, page_columns
from ..model.model import Model, shipped_model
from ..model.reading_model import ReadingModel, choose_reading
from ..model.readings import PageReadings
from ..model.reasons import reasons_against
from ..model.role_model import decide_roles
from ..model.selection import (
    INVISIBLE_SCORE,
    Selection,
    fill_gaps,
    select_content,
    whole_column,
    whole_quotes,
    with_headings,
    without_interface,
    without_side_cards,
)
from ..model.whole_series import likeliest_series, whole_series
from ..system import Card, Judgement

if TYPE_CHECKING:
    from ...document.records.threads import Thread

#: Roles that are removed from the selection again, and their least probability.
LEFT_OUT, SURE = ("title", "author", "date", "caption"), 0.8
#: Roles of which more than this many, each a link and nothing else, are the titles of cards; a page has one title, and
#: captions lead nowhere. Least share of words in links, and least score of such a title.
CARD_TITLES, FEW_TITLES, LINK_ALONE, LIKELY_TITLE = ("title", "caption"), 3, 0.9, -0.3
#: Roles of lines that interrupt an article, most words of one, and least share of long paragraphs of an article. On
#: pages of other kinds such roles are less certain, and what is longer is content as often as not.
INTERRUPTIONS, INTERRUPTION_WORDS, PROSE = ("related", "promotion", "form", "notice"), 15.0, 0.75
#: Roles that cards left or right of a text have.
ASIDE = ("related", "navigation", "promotion")
#: A page whose selection has a lower expected F1, and fewer words of content than a caption, has no main text: an
#: index, a form, an error.
LEAST_EXPECTED_F1 = 0.25
LEAST_EXPECTED_WORDS = 12.0
#: Fewer words than this, most of them links, are no main text either, unless they are likely: the titles of an index.
FEW_LINK_WORDS, LIKELY_LINKS = 50.0, 0.5
#: Least probability of documentation, without its records, and largest expected F1, for its column to be completed.
DOCUMENTATION, CLEAR = 0.3, 0.9
#: Probability of an article or a product, without records, below which the records of a page are wholly alike; least
#: probability of an index, without records, for one of its series to be the content if nothing else is.
OF_ONE_TEXT, INDEX = 0.3, 0.5
#: Types of commercial pages, which have a model of their own, and their least probability, without records.
COMMERCIAL_TYPES, COMMERCIAL = ("collection", "product", "service"), 0.5
#: Least share of the text of records of an article that is content for all of their fields to be: tables of contents
#: have less, of an index half is enough.
WHOLE_OF_TEXT = 0.7
#: Most rows whose features, some 2 kB each, are kept until the reasons against them are asked for.
HELD_ROWS = 4000


def classify_page(page: Page, model: Model, by: str = "") -> Judgement:
    """Score a page's blocks by a model and select the content; ``by`` is the name of the model."""
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
    judgement, columns = judge_scores(rows, scores, roles_of_rows, model.calibration, model.readings)
    expected = Lazy(partial(_expected, model.confidence, columns, judgement))
    if len(rows) > HELD_ROWS:
        expected = known(expected.value)
    return replace(judgement, expected_f1=expected, by=by, against=against)


def _expected(confidence: Confidence | None, columns: Lazy[FloatArray], judgement: Judgement) -> float:
    """Return the F1 that the output of a page is expected to reach."""
    if confidence is None or not judgement.marks.any():
        return judgement.expected_f1
    return float(confidence.of(columns.value[None])[0])


def judge_scores(
    rows: Rows,
    scores: FloatArray,
    roles: FloatArray | None,
    calibration: Calibration,
    readings: ReadingModel | None = None,
) -> tuple[Judgement, Lazy[FloatArray]]:
    """Select the content of a page with blocks by their scores, float64 (rows,), and roles, float64 (rows, roles).

    Return also what the confidence is computed from, one number for each of
    :data:`~blocksight.classify.model.confidence.COLUMNS`.
    """
    page = rows.page
    judgement, has_content = _select_blocks(rows, scores, roles, calibration, readings)
    if has_content and (thread := _find_thread(page)) is not None:
        judgement = replace(
            judgement,
            marks=thread.whole(judgement.marks) & ~invisible_leaves(page),
            roles=judgement.roles
            and _with_post_roles(judgement.roles, thread, signed=thread.is_whole(judgement.marks)),
            groups=thread.classified,
        )
    kept = rows.summed(rows.leaf_words * judgement.marks) > rows.words / 2
    if has_content:
        interface = kept & ~without_interface(rows, kept)
        if interface.any():
            kept &= ~interface
            outside = interface[rows.leaf_row] & (rows.leaf_row >= 0)
            judgement = replace(judgement, marks=judgement.marks & ~outside)
    expected = judgement.expected_f1
    return judgement, Lazy(lambda: page_columns(rows, calibration.probability(scores), kept, expected, roles))


def _select_blocks(
    rows: Rows,
    scores: FloatArray,
    roles: FloatArray | None,
    calibration: Calibration,
    readings: ReadingModel | None,
) -> tuple[Judgement, bool]:
    """Return the judgement by the blocks alone, and whether the page has content."""
    page = rows.page
    probability = calibration.probability(scores)
    hidden = invisible_leaves(page)
    invisible = rows.summed((~hidden).astype(np.float64)) == 0
    reading = PageReadings(rows=rows, scores=np.where(invisible, INVISIBLE_SCORE, scores), roles=roles)
    if readings is None:
        selection = select_content(rows, scores, calibration, invisible)
    else:
        selection = choose_reading(readings, reading, calibration)
    is_empty = _has_no_content(rows, selection, probability)
    if not is_empty:
        content = _completed(reading, selection, scores, invisible)
    else:
        content = likeliest_series(reading) if _is_index(page) else np.zeros_like(selection.rows)
    marks = content[rows.leaf_row] & (rows.leaf_row >= 0) & ~hidden
    marks |= missing_items(page, marks)
    if reading.series and not _may_be_thread(page):
        marks = _with_records(page, marks, ~hidden)
    marks = _with_product(page, marks) & ~hidden
    judgement = Judgement(
        marks=marks,
        probability=np.where(hidden, np.nan, np.append(probability, np.nan)[rows.leaf_row]),
        expected_f1=0.0 if is_empty else selection.expected_f1,
        roles=_leaf_roles(rows, roles, hidden),
    )
    return judgement, not is_empty


def _completed(reading: PageReadings, selection: Selection, scores: FloatArray, invisible: BoolColumn) -> BoolColumn:
    """Return the selected rows with what belongs to them, and without what does not."""
    rows, roles, page = reading.rows, reading.roles, reading.rows.page
    content = fill_gaps(rows, selection.rows, scores) & ~invisible
    if selection.expected_f1 < CLEAR and _likely(page, "documentation") >= DOCUMENTATION:
        content = whole_column(rows, content, scores) & ~invisible
    content = _without_metadata(with_headings(rows, content, scores) & ~invisible, rows, scores, roles)
    if roles is not None and page.geometry is not None:
        content = without_side_cards(rows, content, roles[:, [ROLE[name] for name in ASIDE]].sum(axis=1))
    content = whole_quotes(rows, _without_interruptions(rows, content, roles)) & ~invisible
    return whole_series(reading, content, headings=_is_one_text(page)) if reading.series else content


def _is_one_text(page: Page) -> bool:
    return _likely(page, "article", "product") >= OF_ONE_TEXT


def _may_be_thread(page: Page) -> bool:
    # Imported lazily to keep the import of this module fast.
    from ...document.records.record_sets import THREAD

    return _likely(page, "thread") >= THREAD


def _dom_model(page: Page) -> Model:
    """Return the shipped model for a page without geometry.

    Nearly all training pages are articles. On shops and pages of services a model is better that learned less from them
    (docs/results/models.md).
    """
    return shipped_model(visual=False, commercial=_likely(page, *COMMERCIAL_TYPES) >= COMMERCIAL)


def _is_index(page: Page) -> bool:
    return _likely(page, "listing", "collection", "home") >= INDEX


def _likely(page: Page, *types: str) -> float:
    """Return the probability of some types of page together, without its records."""
    return sum(_types(page)[name] for name in types)


def _types(page: Page) -> dict[str, float]:
    # Imported lazily to keep the import of this module fast.
    from ...document.records.threads import early_type

    return early_type(page).every


def _find_thread(page: Page) -> Thread | None:
    # Imported lazily to keep the import of this module fast.
    from ...document.records.threads import thread_of

    return thread_of(page)


def _with_records(page: Page, marks: Marks, shown: Marks) -> Marks:
    from ...document.records.whole_records import TEXT, whole_records  # late, as above

    return whole_records(page, marks, shown, least=WHOLE_OF_TEXT if _is_one_text(page) else TEXT)


def _with_product(page: Page, marks: Marks) -> Marks:
    from ...document.records.single_records import with_only_product  # late, as above

    return with_only_product(page, marks)


def _with_post_roles(roles: LeafRoles, thread: Thread, *, signed: bool) -> LeafRoles:
    """Replace the roles within a thread by those of its structure, which single blocks do not show."""
    role, probability = roles.role.copy(), roles.probability.copy()
    known = role >= 0
    other = thread.inside & ~thread.text & roles.marked(["post"])
    for name, marks in {"other": other, "post": thread.text, **thread.roles}.items():
        changed = marks & known & (role != ROLES.index(name))
        role[changed], probability[changed] = ROLES.index(name), thread.likely
    signature = np.any(list(thread.roles.values()), axis=0) & known if signed else None
    return LeafRoles(role=role, probability=probability, signature=signature)


def _without_metadata(content: BoolColumn, rows: Rows, scores: FloatArray, roles: FloatArray | None) -> BoolColumn:
    """Remove rows with a high probability of :data:`LEFT_OUT` roles, unless no row would remain.

    Of a list of cards the titles stay.
    """
    if roles is None:
        return content
    surely = roles[:, [ROLES.index(name) for name in LEFT_OUT]].max(axis=1) > SURE
    titles = content & (rows.link_density >= LINK_ALONE) & (scores > LIKELY_TITLE)
    for name in CARD_TITLES:
        alike = titles & (roles[:, ROLES.index(name)] > SURE)
        surely &= ~alike | (alike.sum() <= FEW_TITLES)
    rest: BoolColumn = content & ~surely
    return rest if rest.any() else content


def _without_interruptions(rows: Rows, content: BoolColumn, roles: FloatArray | None) -> BoolColumn:
    """Remove short lines between the paragraphs of an article that are teasers, promotion, forms or notices."""
    words = rows.words * content
    if roles is None or (words * rows.long).sum() <= PROSE * words.sum():
        return content
    likely = roles[:, [ROLES.index(name) for name in INTERRUPTIONS]].sum(axis=1)
    rest: BoolColumn = content & ~((likely > SURE) & (rows.words <= INTERRUPTION_WORDS))
    return rest


def _leaf_roles(rows: Rows, roles: FloatArray | None, hidden: Marks) -> LeafRoles | None:
    if roles is None:
        return None
    role = decide_roles(rows, roles, ROLES)
    likely = roles[np.arange(len(rows)), role]
    return LeafRoles(
        role=np.where(hidden, -1, np.append(role, -1)[rows.leaf_row]).astype(np.int8),
        probability=np.where(hidden, np.nan, np.append(likely, np.nan)[rows.leaf_row]),
    )


def _has_no_content(rows: Rows, selection: Selection, probability: NDArray[np.float64]) -> bool:
    """Return whether a page has no main text: no paragraph, and an unlikely selection or only a few links."""
    if rows.long.any():
        return False
    amount, links = rows.words[selection.rows].sum(), rows.link_words[selection.rows].sum()
    unlikely = selection.expected_f1 < LEAST_EXPECTED_F1
    if links > amount / 2:
        return bool(unlikely or (amount < FEW_LINK_WORDS and selection.expected_f1 < LIKELY_LINKS))
    return bool(unlikely and (rows.words * probability * selection.rows).sum() < LEAST_EXPECTED_WORDS)


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

    card: ClassVar[Card] = Card(
        name="blocksight",
        title="SVM over visual, text, link and structural block features, choice by expected F1",
        paper="blocksight; features after FIASCO (Bauer et al., WAC3 2007) and others",
        year=2026,
        visual=True,
        trained=True,
    )

    def judge(self, page: Page) -> Judgement:
        """Mark the content, with probabilities and the expected F1."""
        seen = self.as_judged(page)
        name = "blocksight" if seen.geometry is not None else "blocksight-dom"
        return classify_page(seen, self.model_for(page), judge_name(name, self.model))

    def as_judged(self, page: Page) -> Page:
        """Return the page as it is judged: one without style sheets has no geometry, unless an own model judges it."""
        return page if self.model or is_styled(page) else page.without_geometry(keep_hidden=True)

    def model_for(self, page: Page) -> Model:
        """Return the model that is used for a page."""
        if self.model:
            return self.model
        seen = self.as_judged(page)
        return _dom_model(seen) if seen.geometry is None else shipped_model(visual=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksightDom(_ModelSystem):
    """The same without geometry: markup and text only, no browser needed."""

    card: ClassVar[Card] = Card(
        name="blocksight-dom",
        title="SVM over text, link and structural block features, choice by expected F1",
        paper="blocksight",
        year=2026,
        trained=True,
    )

    def judge(self, page: Page) -> Judgement:
        """Mark the content, with probabilities and the expected F1."""
        return classify_page(self.as_judged(page), self.model_for(page), judge_name(self.card.name, self.model))

    def as_judged(self, page: Page) -> Page:
        """Return the page without geometry."""
        return page.without_geometry()

    def model_for(self, page: Page) -> Model:
        """Return the model that is used for a page."""
        return self.model or _dom_model(self.as_judged(page))
