"""What a corpus takes for content beside the text itself, and one meaning of content for all of them.

Some corpora keep headlines, others captions, by-lines or teasers. Where a gold and the default profile disagree about a
block whose role is known, the gold says nothing of it: it is neither trained on nor counted, whoever answered it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import BlocksightError, CorpusUnreadable
from ..features.alignment import LEAST_SHARE, MOST_CELLS, alignment, in_runs
from ..features.rows import Rows, rows_of
from ..files.atomic import write_atomic
from ..lexicon.words import word_spans, words
from ..page.arrays import Marks
from ..page.page import Page
from ..page.role_names import CONTENT_ROLES, ROLE
from ..segment.blocks import text_blocks, visible_blocks
from .labeling_functions.label_context import WITNESSES, key_of
from .leaf_labels import row_gold
from .pages import GoldPage, sample
from .rendered import read_page
from .role_votes import role_gold

#: Roles about which corpora differ, in the order of tables.
DISPUTED = ("title", "standfirst", "author", "date", "caption", "note", "comment", "related", "promotion")
#: Shares of pages from which on a corpus is said to hold a role, up to which it is said not to, and the fewest pages.
HOLDS, LACKS, LEAST_PAGES = 0.8, 0.2, 5
#: The file that says what a corpus is, and its entry.
INFO, ENTRY = "info.json", "convention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What the gold of a corpus does with a role.

    Attributes
    ----------
    share : float
        Share of the pages, of those that have a block of that role, whose gold holds at least half of these blocks.
    pages : int
        How many have one.
    """

    share: float
    pages: int

    @property
    def verdict(self) -> str:
        """What it does: "in", "out", "mixed", or "unknown" where too few pages have the role."""
        if self.pages < LEAST_PAGES:
            return "unknown"
        return "in" if self.share >= HOLDS else "out" if self.share <= LACKS else "mixed"


# -- what a corpus does -----------------------------------------------------------------------------------------------


def measured_convention(
    pages: Iterable[GoldPage], *, rendered: Path | None = None, limit: int = 200
) -> dict[str, Held]:
    """Count for each disputed role on how many pages the gold holds it; pages that cannot be read are passed over.

    Parameters
    ----------
    pages : iterable of GoldPage
    rendered : Path, optional
        The folder that keeps rendered pages; pages that are not there are parsed.
    limit : int
        At most this number of pages, the same ones every time.
    """
    held: dict[str, list[bool]] = {role: [] for role in DISPUTED}
    usable = [gold for gold in pages if not gold.error and gold.has_gold]
    for gold in sample(usable, limit):
        page = _opened(gold, rendered)
        for role, share in _page_shares(page, gold).items() if page is not None else ():
            held[role].append(share >= LEAST_SHARE)
    return {role: Held(share=float(np.mean(kept)) if kept else 0.0, pages=len(kept)) for role, kept in held.items()}


def _opened(gold: GoldPage, rendered: Path | None) -> Page | None:
    for folder in (rendered, None) if rendered else (None,):
        try:
            return read_page(gold, folder)
        except BlocksightError:
            continue
    return None


def _page_shares(page: Page, gold: GoldPage) -> dict[str, float]:
    """Return for each disputed role the share of its blocks that the gold holds, of those of which it says anything."""
    rows = page_rows(page)
    labels = role_gold(page, rows, gold, heed_gold=False)
    share = row_gold(rows.texts, gold).share
    by_text = labels.witness == WITNESSES.index("comment text")
    found = {}
    for role in DISPUTED:
        places = (labels.role == ROLE[role]) & ~np.isnan(share) & ~by_text
        if places.any():
            found[role] = float((share[places] >= LEAST_SHARE).mean())
    return found


def page_rows(page: Page) -> Rows:
    """Return the rows of which roles are known: the paragraphs that are seen."""
    return rows_of(page, visible_blocks(page, text_blocks(page)))


def write_convention(folder: Path, found: Mapping[str, Held]) -> Path:
    """Write what a corpus does into its ``info.json``; what else stands there is kept.

    Raises
    ------
    CorpusUnreadable
        When the file is there and makes no sense.
    """
    info = _info(folder)
    info[ENTRY] = plain_convention(found)
    text = json.dumps(info, ensure_ascii=False, indent=1) + "\n"
    write_atomic(folder / INFO, lambda path: path.write_text(text, encoding="utf-8"))
    return folder / INFO


def plain_convention(found: Mapping[str, Held]) -> dict[str, dict[str, object]]:
    """Return what a corpus does as plain values."""
    return {
        role: {"gold": held.verdict, "share": round(held.share, 3), "pages": held.pages} for role, held in found.items()
    }


def _info(folder: Path) -> dict[str, dict[str, dict[str, object]]]:
    path = folder / INFO
    if not path.is_file():
        return {}
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(info, dict) or not isinstance(info.get(ENTRY, {}), dict):
            raise TypeError("an object was expected")
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise CorpusUnreadable(f"{path} cannot be read: {error}; mend it or take it away") from error
    return info


# -- the default profile ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreed:
    """A page of which only that counts about which its gold and a profile agree.

    Attributes
    ----------
    gold : GoldPage
        Its texts without what is not counted.
    uncounted : bool (leaves,)
        Leaves that no answer is judged by.
    """

    gold: GoldPage
    uncounted: Marks


def disagree(
    role: NDArray[np.int8],
    held: Marks,
    kept: Collection[str] = CONTENT_ROLES,
    roles: Collection[str] = DISPUTED,
) -> Marks:
    """Mark the rows of some roles that a gold holds and a profile does not, or the other way round.

    Parameters
    ----------
    role : int8 (rows,)
        By witnesses, -1 where nothing is known.
    held : bool (rows,)
        What the gold holds.
    kept : collection of str
        The roles that are content.
    roles : collection of str
        Those about which they can disagree.
    """
    marks: Marks = _of(role, roles) & (_of(role, kept) != held)
    return marks


def _of(role: NDArray[np.int8], names: Collection[str]) -> Marks:
    return np.isin(role, [ROLE[name] for name in names])


def agreed(page: Page, gold: GoldPage, kept: Collection[str] = CONTENT_ROLES) -> Agreed:
    """Leave out what a gold and a profile disagree about: blocks of a known role that only one of them holds.

    Their words are taken out of the gold texts, and their leaves out of any answer. So are leaves elsewhere on the page
    that say the same: of an answer that is text, nobody knows which of them it means.

    Parameters
    ----------
    page : Page
    gold : GoldPage
    kept : collection of str
        The roles that are content.
    """
    rows = page_rows(page)
    role = role_gold(page, rows, gold).role
    share = row_gold(rows.texts, gold).share
    # Where a headline stands twice on the page, nobody knows from which place the gold has it.
    held = _alike(rows, np.nan_to_num(share) >= LEAST_SHARE)
    apart = _alike(rows, disagree(role, held, kept) & ~np.isnan(share))
    texts = tuple(_without(text, rows, apart) for text in gold.texts)
    uncounted = np.append(apart, False)[rows.leaf_row]
    return Agreed(gold=replace(gold, texts=texts), uncounted=uncounted)


def _alike(rows: Rows, apart: Marks) -> Marks:
    """Mark some rows, and all that say the same."""
    keys = [key_of(text) for text in rows.texts]
    said = {key for key, one in zip(keys, apart.tolist(), strict=True) if one} - {""}
    marks: Marks = apart | np.asarray([key in said for key in keys], dtype=bool)
    return marks


def _without(text: str, rows: Rows, apart: Marks) -> str:
    """Take out of a text the words that stand for some rows of the page, and the lines that are empty then."""
    if not apart.any():
        return text
    row_words = [words(row) for row in rows.texts]
    owner = np.repeat(np.arange(len(row_words)), [len(found) for found in row_words])
    page_words, text_words = [word for found in row_words for word in found], words(text)
    near = np.flatnonzero(in_runs(page_words, text_words))
    if len(near) * len(text_words) > MOST_CELLS:
        return text
    partner = alignment([page_words[place] for place in near.tolist()], text_words)
    gone = partner[apart[owner[near]] & (partner >= 0)]
    return _cut(text, [word_spans(text)[place] for place in sorted(gone.tolist())])


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    kept, end = [], 0
    for first, last in spans:
        kept.append(text[end:first])
        end = last
    lines = "".join([*kept, text[end:]]).split("\n")
    before = text.split("\n")
    # A line of which only signs are left says nothing any more.
    return "\n".join(line for line, whole in zip(lines, before, strict=True) if line == whole or re.search(r"\w", line))


def convention_table(found: Mapping[str, Mapping[str, Held]]) -> list[list[str]]:
    """Return a table for people: a head, then a line a corpus, with the share of pages and their number a role."""
    cells = [["corpus", *DISPUTED]]
    for corpus, roles in found.items():
        shown = [f"{roles[role].share:.0%} of {roles[role].pages}" if roles[role].pages else "-" for role in DISPUTED]
        cells.append([corpus, *shown])
    return cells
