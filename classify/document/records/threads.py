"""Threads in the content of a page: all posts or what was chosen of them, and where each begins."""

from __future__ import annotations

import numpy as np

from ....render.arrays import Marks
from ....render.page import Page
from .evidence import evidence_alone
from .page_type import shipped_page_types
from .reading import Reader
from .record_sets import MOST, judged_groups, sort_of

#: A thread's posts are kept as a whole from this probability of the set on, and this share of their text chosen.
_THREAD_LIKELY, _HELD = 0.4, 0.2
#: A page is not looked through for posts where it would be a thread with less than this probability if it had no
#: records at all: by its address, what it declares and its text. Of 89 threads the least had .075; finding records is
#: slow.
_HARDLY = 0.01


def whole_threads(page: Page, marks: Marks) -> Marks:
    """Keep the posts of a thread as a whole: the text of all of them, nothing of what stands around it.

    It is decided for the set: only where the page is a thread, its main set has authors or dates, and some of the text
    of its posts was chosen.

    Parameters
    ----------
    page : Page
    marks : bool (leaves,)
        What was chosen block by block.

    Returns
    -------
    bool (leaves,)
    """
    alone = evidence_alone(page)
    if shipped_page_types().page_type(alone, np.zeros(0)).every["thread"] < _HARDLY:
        return marks
    judged = judged_groups(page, alone=alone)
    if judged.main < 0 or judged.page_type.every["thread"] < MOST or judged.likely[judged.main] < _THREAD_LIKELY:
        return marks
    evidence, group = judged.evidence, judged.evidence.groups[judged.main]
    reader = Reader(page, evidence.shown)
    reading = reader.read(group)
    if reading.share("author") + reading.share("date") < 1:
        return marks
    inside, text = np.zeros(len(marks), dtype=bool), np.zeros(len(marks), dtype=bool)
    for first, end in (span for one in judged.posts for span in one.outer):
        inside[page.leaf_range[first, 0] : page.leaf_range[end - 1, 1]] = True
    for one in judged.posts:
        read = reading if one is group else reader.read(one)
        text[[leaf for some in read.texts for leaf in some]] = True
    if evidence.characters[text & marks].sum() < _HELD * evidence.characters[text].sum():
        return marks
    whole: Marks = (marks & ~inside) | text
    return whole


def post_starts(page: Page, marks: Marks) -> list[int]:
    """Return the first marked leaf of each post of a thread; none where the page's matter is no posts.

    Parameters
    ----------
    page : Page
    marks : bool (leaves,)
        The content.
    """
    judged = judged_groups(page)
    if judged.main < 0:
        return []
    group = judged.evidence.groups[judged.main]
    if sort_of(judged, judged.main, Reader(page, judged.evidence.shown).read(group)) != "post":
        return []
    kept = np.flatnonzero(marks)
    spans = [span for one in judged.posts for span in one.spans]
    low = np.searchsorted(kept, page.leaf_range[[first for first, _ in spans], 0])
    high = np.searchsorted(kept, page.leaf_range[[end - 1 for _, end in spans], 1])
    starts: list[int] = kept[low[low < high]].tolist()
    return starts
