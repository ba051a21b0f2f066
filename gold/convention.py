"""Conventions: the roles that the gold of a corpus counts as content, and one default for all corpora.

Some corpora include headlines, others captions, bylines or teasers. If a gold and the default disagree about a block of
known role, that block is neither trained on nor counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..document.metadata.clean_text import letters_of
from ..errors import BlocksightError, CorpusUnreadable
from ..features.alignment import LEAST_SHARE, MOST_CELLS, alignment, in_runs
from ..features.rows import Rows
from ..files.atomic import write_text
from ..lexicon.words import word_spans, words
from ..page.arrays import Marks
from ..page.page import Page
from ..page.role_names import CONTENT_ROLES, ROLE
from .labeling_functions.label_context import SOURCES
from .leaf_labels import label_rows, page_rows
from .pages import GoldPage, sample
from .rendered import read_page
from .role_votes import label_roles

#: Roles about which corpora differ, in the order of tables.
DISPUTED = ("title", "standfirst", "author", "date", "caption", "note", "comment", "related", "promotion")
#: Shares of pages from which on a role is "in", and up to which it is "out"; fewest pages for either.
IN_SHARE, OUT_SHARE, MIN_PAGES = 0.8, 0.2, 5
#: The file that describes a corpus, and its entry.
INFO, ENTRY = "info.json", "convention"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleConvention:
    """Frequency with which the gold of a corpus includes a role."""

    share: float  # Share of the pages with blocks of that role whose gold includes at least half of these blocks
    pages: int  # Number of pages with such blocks

    @property
    def verdict(self) -> str:
        """Either "in", "out", "mixed", or "unknown" if too few pages have the role."""
        if self.pages < MIN_PAGES:
            return "unknown"
        return "in" if self.share >= IN_SHARE else "out" if self.share <= OUT_SHARE else "mixed"


# -- measurement ------------------------------------------------------------------------------------------------------


def measure_convention(
    pages: Iterable[GoldPage], *, rendered: Path | None = None, limit: int = 200
) -> dict[str, RoleConvention]:
    """Count for each disputed role on how many of at most ``limit`` pages the gold includes it.

    Pages that are not in the folder of rendered ones are parsed; unreadable pages are skipped.
    """
    included: dict[str, list[bool]] = {role: [] for role in DISPUTED}
    for gold in sample([gold for gold in pages if not gold.error and gold.has_gold and not gold.is_partial], limit):
        page = _open(gold, rendered)
        for role, share in _page_shares(page, gold).items() if page is not None else ():
            included[role].append(share >= LEAST_SHARE)
    return {
        role: RoleConvention(share=float(np.mean(values)) if values else 0.0, pages=len(values))
        for role, values in included.items()
    }


def _open(gold: GoldPage, rendered: Path | None) -> Page | None:
    for folder in (rendered, None) if rendered else (None,):
        try:
            return read_page(gold, folder)
        except BlocksightError:
            continue
    return None


def _page_shares(page: Page, gold: GoldPage) -> dict[str, float]:
    """Return for each disputed role the share of its blocks in the gold, of those that the gold covers."""
    rows = page_rows(page)
    share = label_rows(rows.texts, gold).share
    labels = label_roles(rows, gold, share, check_gold=False)
    usable = ~np.isnan(share) & (labels.source != SOURCES.index("comment text"))
    blocks = {role: (labels.role == ROLE[role]) & usable for role in DISPUTED}
    return {role: float((share[marks] >= LEAST_SHARE).mean()) for role, marks in blocks.items() if marks.any()}


def write_convention(folder: Path, convention: Mapping[str, RoleConvention]) -> Path:
    """Write the convention of a corpus into its ``info.json``; other entries stay. Raises CorpusUnreadable."""
    info = _read_info(folder)
    info[ENTRY] = convention_dict(convention)
    write_text(folder / INFO, json.dumps(info, ensure_ascii=False, indent=1) + "\n")
    return folder / INFO


def convention_dict(convention: Mapping[str, RoleConvention]) -> dict[str, dict[str, object]]:
    """Return a convention as plain values."""
    return {
        role: {"gold": of_role.verdict, "share": round(of_role.share, 3), "pages": of_role.pages}
        for role, of_role in convention.items()
    }


def _read_info(folder: Path) -> dict[str, dict[str, dict[str, object]]]:
    path = folder / INFO
    if not path.is_file():
        return {}
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(info, dict) or not isinstance(info.get(ENTRY, {}), dict):
            raise TypeError("an object was expected")
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise CorpusUnreadable(f"{path} cannot be read: {error}; fix or remove it") from error
    return info


def convention_table(conventions: Mapping[str, Mapping[str, RoleConvention]]) -> list[list[str]]:
    """Return a table for people: a header, then a line per corpus with share and number of pages for each role."""
    table = [["corpus", *DISPUTED]]
    for corpus, roles in conventions.items():
        cells = [f"{roles[role].share:.0%} of {roles[role].pages}" if roles[role].pages else "-" for role in DISPUTED]
        table.append([corpus, *cells])
    return table


# -- the default convention -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgreedGold:
    """The gold of a page, reduced to what it and a convention agree about."""

    gold: GoldPage  # Its texts without the disputed blocks
    uncounted: Marks  # bool (leaves,): Leaves of the disputed blocks, which no answer is judged by


def disputed_rows(
    role: NDArray[np.int8],
    in_gold: Marks,
    content_roles: Collection[str] = CONTENT_ROLES,
    roles: Collection[str] = DISPUTED,
) -> Marks:
    """Return the rows of some roles that are content by a gold and not by a convention, or the other way round.

    ``role`` is an index into :data:`~blocksight.page.role_names.ROLES`, -1 if unknown.
    """
    marks: Marks = _has_role(role, roles) & (_has_role(role, content_roles) != in_gold)
    return marks


def _has_role(role: NDArray[np.int8], names: Collection[str]) -> Marks:
    return np.isin(role, [ROLE[name] for name in names])


def agreed_gold(page: Page, gold: GoldPage, content_roles: Collection[str] = CONTENT_ROLES) -> AgreedGold:
    """Remove the blocks of known role about which a gold and a convention disagree.

    Their words are removed from the gold texts, and their leaves from every answer, together with leaves elsewhere on
    the page with the same text: an answer that is text could mean either.

    Parameters
    ----------
    page : Page
    gold : GoldPage
    content_roles : collection of str
        The roles that are content by the convention.
    """
    rows = page_rows(page)
    share = label_rows(rows.texts, gold).share
    role = label_roles(rows, gold, share).role
    # Of a headline that is on the page twice, either can be the one in the gold.
    in_gold = _with_copies(rows, np.nan_to_num(share) >= LEAST_SHARE)
    disputed = _with_copies(rows, disputed_rows(role, in_gold, content_roles) & ~np.isnan(share))
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
