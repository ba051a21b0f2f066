"""Conventions: the roles that the gold of a corpus counts as content, and one default for all corpora.

Some corpora include headlines, others captions, bylines or teasers. If a gold and the default disagree about a block of
known role, that block is neither trained on nor counted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..features.alignment import LEAST_SHARE, MOST_CELLS, alignment, in_runs
from ..features.rows import Rows
from ..lexicon.words import word_spans, words
from ..page.arrays import Marks
from ..page.clean_text import letters_of
from ..page.page import Page
from ..page.role_names import CONTENT_ROLES, ROLE
from .leaf_labels import label_rows, page_rows
from .pages import GoldPage
from .role_votes import label_roles

#: Roles about which corpora differ, in the order of tables.
DISPUTED = ("title", "standfirst", "author", "date", "caption", "note", "comment", "related", "promotion")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgreedGold:
    """The gold of a page, reduced to what it and the default convention agree about."""

    gold: GoldPage  # Its texts without the disputed blocks
    uncounted: Marks  # bool (leaves,): Leaves of the disputed blocks, which no answer is judged by


def disputed_rows(role: NDArray[np.int8], in_gold: Marks, roles: Collection[str] = DISPUTED) -> Marks:
    """Return the rows of some roles that are content by a gold and not by the default, or the other way round.

    ``role`` is an index into :data:`~blocksight.page.role_names.ROLES`, -1 if unknown.
    """
    marks: Marks = _has_role(role, roles) & (_has_role(role, CONTENT_ROLES) != in_gold)
    return marks


def _has_role(role: NDArray[np.int8], names: Collection[str]) -> Marks:
    return np.isin(role, [ROLE[name] for name in names])


def agreed_gold(page: Page, gold: GoldPage) -> AgreedGold:
    """Remove the blocks of known role about which a gold and the default convention disagree.

    Their words are removed from the gold texts, and their leaves from every answer, together with leaves elsewhere on
    the page with the same text: an answer that is text could mean either.
    """
    rows = page_rows(page)
    share = label_rows(rows.texts, gold).share
    role = label_roles(rows, gold, share).role
    # Of a headline that is on the page twice, either can be the one in the gold.
    in_gold = _with_copies(rows, np.nan_to_num(share) >= LEAST_SHARE)
    disputed = _with_copies(rows, disputed_rows(role, in_gold) & ~np.isnan(share))
    texts = tuple(_without_rows(text, rows, disputed) for text in gold.texts)
    return AgreedGold(gold=replace(gold, texts=texts), uncounted=np.append(disputed, False)[rows.leaf_row])


def _with_copies(rows: Rows, marks: Marks) -> Marks:
    """Return some rows, and all with the same letters and digits."""
    keys = [letters_of(text) for text in rows.texts]
    marked = {key for key, mark in zip(keys, marks.tolist(), strict=True) if mark} - {""}
    copies: Marks = marks | np.asarray([key in marked for key in keys], dtype=bool)
    return copies


def _without_rows(text: str, rows: Rows, removed: Marks) -> str:
    """Remove the words of some rows from a text, and the lines that are empty afterwards."""
    if not removed.any():
        return text
    row_words = [words(row) for row in rows.texts]
    owner = np.repeat(np.arange(len(row_words)), [len(each) for each in row_words])
    page_words, text_words = [word for each in row_words for word in each], words(text)
    near = np.flatnonzero(in_runs(page_words, text_words))
    if len(near) * len(text_words) > MOST_CELLS:
        return text
    partner = alignment([page_words[number] for number in near.tolist()], text_words)
    gone = partner[removed[owner[near]] & (partner >= 0)]
    spans = word_spans(text)
    return _cut(text, [spans[number] for number in sorted(gone.tolist())])


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    pieces, end = [], 0
    for first, last in spans:
        pieces.append(text[end:first])
        end = last
    lines = "".join([*pieces, text[end:]]).split("\n")
    # Changed lines with nothing but punctuation left are dropped.
    return "\n".join(
        line for line, before in zip(lines, text.split("\n"), strict=True) if line == before or re.search(r"\w", line)
    )
