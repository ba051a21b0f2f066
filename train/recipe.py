"""The training data of the shipped models: columns and rows of parsed or rendered pages."""

from __future__ import annotations

import zlib
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..classify.model.calibration import Calibration
from ..classify.model.reading_columns import reading_columns
from ..classify.model.reading_model import ReadingModel, overlaps_of
from ..classify.model.readings import PageReadings
from ..classify.model.role_model import role_context
from ..classify.model.second_stage import COLUMNS, TREE_COLUMNS, second_stage_columns
from ..classify.model.selection import expected_f1, select_content
from ..classify.systems.blocksight import evidence_of, judge_evidence
from ..errors import BlocksightError, PageUnreadable
from ..features.block_table import groups_named, measure
from ..features.rows import Rows
from ..features.visual.styled import is_styled
from ..gold.anonymised import Markup, with_markup
from ..gold.leaf_labels import label_rows, page_rows
from ..gold.pages import CONTENT, UNCERTAIN, GoldPage
from ..gold.rendered import may_be_styled, read_page
from ..gold.role_votes import disputed_rows, label_roles
from ..page.arrays import BoolColumn, FloatArray
from ..page.page import Page
from ..page.role_names import ROLES
from ..records.candidates import find_records
from ..segment.blocks import text_blocks, visible_blocks
from .examples import row_weights
from .fit_confidence import JudgedPage
from .fit_readings import PageChoice
from .fit_roles import role_sides

#: Candidates for the standard deviation of a page's common shift of scores.
SPREADS = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)
#: One page in this number is used once more, without semantic markup, and each second one with hashed names.
STRIPPED_EVERY, HASHED_EVERY = 4, 2
#: Weight of such a copy for the content, relative to the original: with .2, pages without semantic markup gain more
#: than others lose; with 1 the others lose more (docs/results/models.md).
STRIPPED_WEIGHT = 0.2
#: Weight of a copy with hashed names: with more, pages with names lose.
HASHED_WEIGHT = 0.25
#: Weights of copies of a styled page for the content of the visual model, relative to the original: the copy without
#: markup, which only its appearance explains, one in between, and the page rebuilt as plain boxes.
NO_MARKUP_WEIGHT, BETWEEN_WEIGHT, REBUILT_WEIGHT = 1.0, 0.2, 1.0
#: The visual model does not judge pages without style sheets. It learns from one of this many of them, with a lower
#: weight for the content: from all with weight 1, styled pages lose .007, and .017 without
#: markup (docs/results/models.md).
UNSTYLED_EVERY, UNSTYLED_WEIGHT = 3, 0.3
#: Weight of a styled page that was saved as a single file, for the content of the visual model: a part of its style is
#: often missing. With 1, pages of whole sites lose what these gain.
SINGLE_FILE_WEIGHT = 0.4
#: Weight of articles for the content in the model of raw HTML: three of four training pages are articles, and what is
#: content of them is not what is content of a shop (docs/results/models.md).
ARTICLE_WEIGHT = 0.7
#: Weight of a page with gold of pieces for the content: most of its known rows are content.
PARTIAL_WEIGHT = 0.3
#: Kinds of markup in between; a page has a copy of one of them.
BETWEEN = (Markup.NO_NAMES, Markup.PLAIN_TAGS, Markup.PLAIN)
#: Roles for which the gold decides. For all others it must agree with the default, for menus and forms, too: no corpus
#: includes them on purpose.
AS_GOLD = ("body", "post", "other")
JUDGED = tuple(role for role in ROLES if role not in AS_GOLD)
_WEIGHTS = {
    Markup.ORIGINAL: 1.0,
    Markup.HASHED: HASHED_WEIGHT,
    Markup.NO_NAMES: BETWEEN_WEIGHT,
    Markup.PLAIN_TAGS: BETWEEN_WEIGHT,
    Markup.PLAIN: STRIPPED_WEIGHT,
    Markup.NONE: NO_MARKUP_WEIGHT,
    Markup.REBUILT: REBUILT_WEIGHT,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class PageRows:
    """The training rows of a page: features, labels and weights."""

    gold: GoldPage  # If it is partial, the rows that it says nothing of weigh nothing
    markup: Markup
    styled: bool  # whether it has geometry: it was rendered, and its style sheets were there
    matrix: NDArray[np.float32]  # float32 (rows, columns)
    labels: BoolColumn  # bool (rows,): Content by the default
    weight: FloatArray  # float64 (rows,): For the content; 0 where nothing reliable is known
    role: NDArray[np.int8]  # int8 (rows,)
    #: int8 (rows, roles): What is known of each role (:func:`~blocksight.train.fit_roles.role_sides`).
    sides: NDArray[np.int8]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The groups of features, and the folder of rendered pages (None for raw HTML).

    Without rendered pages, articles weigh :data:`ARTICLE_WEIGHT`; ``articles`` are the corpora that have nothing else.
    """

    groups: tuple[str, ...]
    rendered: Path | None
    articles: Collection[str] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The feature names; those that need geometry are for rendered pages."""
        groups = groups_named(*self.groups)
        return tuple(name for group in groups if self.rendered or not group.needs_geometry for name in group.names)

    @property
    def second_columns(self) -> tuple[str, ...]:
        """The additional columns of the second stage, without those of roles."""
        return TREE_COLUMNS if self.rendered is None else COLUMNS

    def tasks(self, pages: list[GoldPage]) -> list[tuple[GoldPage, Markup]]:
        """Return the pages to measure, some of them again with less markup.

        For the visual model, a page that may be styled is measured twice more, without any markup and with one kind of
        markup in between, and of the others one in :data:`UNSTYLED_EVERY` is used. Of pages that are not styled one in
        :data:`STRIPPED_EVERY` is measured once more, without semantic markup, and for raw HTML one in
        :data:`HASHED_EVERY` with hashed names. A rebuilt page teaches the visual model only, as it is: its markup is no
        author's.
        """
        chosen, again = [], []
        for gold in pages:
            if gold.roles.rebuilt:
                if self.rendered is not None:
                    again.append((gold, Markup.REBUILT))
                continue
            number = zlib.crc32(gold.name.encode())
            styled = self.rendered is not None and may_be_styled(gold)
            if styled:
                again += [(gold, Markup.NONE), (gold, BETWEEN[number % len(BETWEEN)])]
            elif self.rendered is not None and number // STRIPPED_EVERY % UNSTYLED_EVERY:
                continue
            elif number % STRIPPED_EVERY == 0:
                again.append((gold, Markup.PLAIN))
            if self.rendered is None and number // STRIPPED_EVERY % HASHED_EVERY == 0:
                again.append((gold, Markup.HASHED))
            chosen.append((gold, Markup.ORIGINAL))
        return [*chosen, *again]

    def rows(self, task: tuple[GoldPage, Markup]) -> PageRows | None:
        """Measure and label a page.

        None if it cannot be read or shares nothing with its gold, for a copy without markup that has other blocks than
        the original, and for a copy without markup, or a rebuilt page, that has no style: nothing explains such a page.
        """
        gold, markup = task
        try:
            page = self.page(gold)
            styled = page.geometry is not None
            if markup in (Markup.NONE, Markup.REBUILT) and not styled:
                return None
            rows = page_rows(page)
            labels = label_rows(rows.texts, gold)
            roles = label_roles(rows, gold, labels.share)
        except BlocksightError:
            return None
        content, counted = reliable_labels(labels.label, roles.role)
        # A form or a pager teaches without any content.
        if not (content.any() or (gold.is_partial and (counted.any() or (roles.role >= 0).any()))):
            return None
        matrix = self._features(with_markup(page, markup))
        if len(matrix) != len(rows):
            return None
        return PageRows(
            gold=gold,
            markup=markup,
            styled=styled,
            matrix=matrix,
            labels=content,
            weight=row_weights(rows.words, content) * counted * self._weight(gold, markup, styled=styled),
            role=roles.role,
            sides=role_sides(roles.role, roles.excluded),
        )

    def _weight(self, gold: GoldPage, markup: Markup, *, styled: bool) -> float:
        weight = _WEIGHTS[markup] * (PARTIAL_WEIGHT if gold.is_partial else 1.0)
        if self.rendered is None:
            is_article = gold.kind == "article" or gold.corpus in self.articles
            return weight * (ARTICLE_WEIGHT if is_article else 1.0)
        if styled and gold.url_path:
            return weight
        return weight * (SINGLE_FILE_WEIGHT if styled else UNSTYLED_WEIGHT)

    def _features(self, page: Page) -> NDArray[np.float32]:
        table = measure(page, visible_blocks(page, text_blocks(page)), columns=self.columns)
        return table.matrix(self.columns).astype(np.float32)

    def page(self, gold: GoldPage, markup: Markup = Markup.ORIGINAL) -> Page:
        """Return a page, rendered or parsed, with more or less markup.

        A page that is not rendered is parsed; a rendered one without style sheets has no geometry, as that says nothing
        about its blocks.
        """
        try:
            page = read_page(gold, self.rendered)
        except PageUnreadable:
            page = read_page(gold)
        if page.geometry is not None and not is_styled(page):
            page = page.without_geometry(keep_hidden=True)
        return with_markup(page, markup)

    def page_rows(self, gold: GoldPage, markup: Markup = Markup.ORIGINAL) -> Rows:
        """Return the rows of a page."""
        return page_rows(self.page(gold, markup))

    def second_stage_columns(self, gold: GoldPage, markup: Markup, scores: FloatArray) -> NDArray[np.float32]:
        """Return the second-stage columns of a page by the scores of the first; NaN if they need missing geometry."""
        rows = self.page_rows(gold, markup)
        names = [name for name in self.second_columns if rows.page.geometry is not None or name in TREE_COLUMNS]
        columns = np.full((len(rows), len(self.second_columns)), np.nan, dtype=np.float32)
        columns[:, [self.second_columns.index(name) for name in names]] = second_stage_columns(rows, scores, names)
        return columns

    def context(self, gold: GoldPage, markup: Markup, probability: FloatArray) -> NDArray[np.float32]:
        """Return the columns of the roles around each row, by role probabilities."""
        return role_context(self.page_rows(gold, markup), probability, ROLES)(slice(None)).astype(np.float32)

    def selection_f1(
        self, gold: GoldPage, markup: Markup, scores: FloatArray, labels: BoolColumn, calibration: Calibration
    ) -> FloatArray:
        """Return the F1, in words, of the content selected with each of the :data:`SPREADS`."""
        rows = self.page_rows(gold, markup)
        selected = [select_content(rows, scores, replace(calibration, spread=spread)).rows for spread in SPREADS]
        return expected_f1(np.stack(selected), rows.words, labels.astype(np.float64))

    def judged(
        self,
        gold: GoldPage,
        markup: Markup,
        scores: FloatArray,
        roles: FloatArray,
        labels: BoolColumn,
        calibration: Calibration,
        readings: ReadingModel | None = None,
    ) -> JudgedPage:
        """Return what the confidence of a page is computed from, and the F1 of its output in words."""
        rows = self.page_rows(gold, markup)
        evidence = evidence_of(rows, find_records(rows.page), scores, roles, calibration, readings)
        judgement, columns = judge_evidence(evidence)
        kept = rows.summed(rows.leaf_words * judgement.marks) > rows.words / 2
        f1 = float(expected_f1(kept, np.maximum(rows.words, 0.5), labels.astype(np.float64)))
        return JudgedPage(columns=columns.value, f1=f1)

    def page_choice(
        self,
        gold: GoldPage,
        markup: Markup,
        scores: FloatArray,
        roles: FloatArray,
        labels: BoolColumn,
        counted: BoolColumn,
        calibration: Calibration,
    ) -> PageChoice | None:
        """Return the readings of a page with their F1, in words of the rows that count; None if there are none."""
        rows = self.page_rows(gold, markup)
        reading = PageReadings(rows=rows, scores=scores, roles=roles, records=find_records(rows.page))
        sets = reading.sets()
        if not len(sets):
            return None
        return PageChoice(
            columns=reading_columns(reading, sets, calibration).astype(np.float32),
            f1=expected_f1(sets, rows.words * counted, labels.astype(np.float64)),
            overlaps=overlaps_of(sets.astype(np.float64), reading.weight),
        )


def reliable_labels(label: NDArray[np.int8], role: NDArray[np.int8]) -> tuple[BoolColumn, BoolColumn]:
    """Return the rows that are content by the default convention, and those with a reliable label.

    Corpora contradict each other about titles, bylines, captions and teasers: a row of such a role is used only if its
    label agrees with the default convention.
    ``label`` is that of the gold, ``role`` an index into :data:`~blocksight.page.role_names.ROLES`, -1 if unknown. All
    are columns of rows.
    """
    in_gold = label == CONTENT
    disputed = disputed_rows(role, in_gold, roles=JUDGED)
    return in_gold & ~disputed, (label != UNCERTAIN) & ~disputed
