"""Whether what was found is an article at all (Pasternack and Roth, WWW 2009, section 4.1).

The paper's first step is to decide if the page holds an article; its evaluation takes that as given, and so do the
systems here: their answers are as they were found. The decision stands beside them, for answers of any system and for
gold texts.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ....lexicon.words import count_sentences
from ....page.arrays import Marks
from ....page.page import Page
from ...system import SegmentKind
from ..reading.kinds import kinds_by_tag, marked_lines

#: "A story or report at least two paragraphs and eight total sentences in length."
LEAST_PARAGRAPHS, LEAST_SENTENCES = 2, 8


def is_story(paragraphs: Iterable[str]) -> bool:
    """Return whether paragraphs are an article: two of them at least, and eight sentences together.

    Ours: a paragraph holds a sentence's end; lines without one (headings, menus, names) are none.

    Examples
    --------
    >>> is_story(["It rained. It rained. It rained. It rained."] * 2), is_story(["It rained."] * 7)
    (True, False)
    """
    ends = [count for count in map(count_sentences, paragraphs) if count]
    return len(ends) >= LEAST_PARAGRAPHS and sum(ends) >= LEAST_SENTENCES


def stories_only(page: Page, marks: Marks) -> Marks:
    """Return what any system has marked if it is an article, else no marks.

    Parameters
    ----------
    page : Page
    marks : bool (leaves,)
    """
    lines = marked_lines(page, marks)
    kinds = kinds_by_tag(page, [line.node for line in lines])
    texts = [line.text for line, kind in zip(lines, kinds, strict=True) if kind is SegmentKind.PARAGRAPH]
    return marks if is_story(texts) else np.zeros_like(marks)
