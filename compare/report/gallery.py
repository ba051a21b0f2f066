"""The pages on which systems disagree most: what each missed and added, and a picture of what it kept."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from PIL import Image
from rapidfuzz.distance import LCSseq

from ...classify.system import System
from ...gold.pages import GoldPage
from ...lexicon.words import count_words, word_spans
from ...page.arrays import Marks
from ...page.page import Page
from ...segment.blocks import leaf_boxes, text_blocks
from ..measures.labelling import known_leaves
from ..measures.measures import Measure
from ..measures.overlap import word_sequence
from ..outputs import answer
from ..scoring import timed, with_gold
from .leaderboard import usable
from .pairwise import Name, label

#: Width of a picture, and where a long page is cut, in CSS pixels of the page.
PICTURE_WIDTH, TALLEST = 720, 3000
#: So many runs of words are shown, and so many characters of each.
MOST_RUNS, MOST_CHARACTERS = 12, 240

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A page as it looks: a small WebP as a ``data:`` address, and the size that it shows in CSS pixels."""

    address: str
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """What one system kept of a page.

    Attributes
    ----------
    name : str
    score : float or None
    missed, added : tuple of str
        Runs of words of the gold that are not in the answer, and the other way round, longest first; not all of many.
    missed_words, added_words : int
        Words of all such runs.
    boxes : tuple of (x, y, width, height)
        Its paragraphs on the picture, CSS pixels.
    """

    name: str
    score: float | None = None
    missed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    missed_words: int = 0
    added_words: int = 0
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """One page of the gallery.

    Attributes
    ----------
    id, about : str
    kept : tuple of KeptText
    picture : Picture or None
    gold : tuple of (x, y, width, height)
        The paragraphs that are content, on the picture; empty where that is not known.
    """

    id: str
    about: str
    kept: tuple[KeptText, ...]
    picture: Picture | None = None
    gold: tuple[Box, ...] = ()

    @property
    def overlays(self) -> list[tuple[str, tuple[Box, ...]]]:
        """What can be shown on the picture: a name and boxes, the gold last where it is known."""
        return [(one.name, one.boxes) for one in self.kept] + ([("the gold", self.gold)] if self.gold else [])


def most_disputed(table: pd.DataFrame, measure: Measure, names: Sequence[Name], count: int) -> list[str]:
    """Return the pages on which the scores of systems are spread most (standard deviation), most first."""
    rows = usable(table, measure)
    chosen = rows[[name in set(names) for name in zip(rows["system"], rows["input"], strict=True)]]
    spread = chosen.groupby("page")[measure.main].std().fillna(0.0)
    spread = spread[spread > 0].sort_values(ascending=False, kind="stable")
    return [str(page) for page in spread.index[:count]]


def exhibit(
    gold: GoldPage,
    pages: dict[str, Page],
    systems: Sequence[tuple[System, str]],
    scores: dict[Name, float],
    shown: Page | None,
    limit: float = 60.0,
) -> Exhibit:
    """Run systems on a page again and show what they kept.

    Parameters
    ----------
    gold : GoldPage
    pages : dict
        The page by input.
    systems : sequence of (System, input)
    scores : dict
        Score by system and input.
    shown : Page or None
        The page with a screenshot; without one there is no picture.
    limit : float
        Seconds that a system may take.
    """
    kept = []
    for system, source in systems:
        page = pages[source]
        marks, _, _ = timed(with_gold(system, gold), page, limit)
        missed, added = missed_and_added(answer(page, marks).text, gold)
        name = (system.card.name, source)
        boxes = () if shown is None else kept_boxes(shown, carried_over(marks, page, shown))
        kept.append(
            KeptText(
                name=label(name),
                score=scores.get(name),
                missed=_shown(missed),
                added=_shown(added),
                missed_words=sum(map(count_words, missed)),
                added_words=sum(map(count_words, added)),
                boxes=boxes,
            )
        )
    about = ", ".join(part for part in (gold.kind, gold.language, gold.url or "") if part)
    return Exhibit(id=gold.id, about=about, kept=tuple(kept), picture=picture(shown), gold=_gold_boxes(shown, gold))


def _gold_boxes(shown: Page | None, gold: GoldPage) -> tuple[Box, ...]:
    leaves = None if shown is None else known_leaves(shown, gold)
    return () if shown is None or leaves is None else kept_boxes(shown, leaves.content & leaves.known)


def missed_and_added(found: str, gold: GoldPage) -> tuple[list[str], list[str]]:
    """Return the runs of words that are in the gold only, and in the answer only, as they are written there.

    Of several gold texts the nearest is taken. Where there are snippets only, these are the ones that should be there
    and are not, and those that should not and are.
    """
    if not gold.texts:
        text = " ".join(found.split())
        return (
            [snippet for snippet in gold.must_have if " ".join(snippet.split()) not in text],
            [snippet for snippet in gold.must_not if " ".join(snippet.split()) in text],
        )
    nearest = max(gold.texts, key=lambda text: word_sequence(found, text).f1)
    here, there = word_spans(found), word_spans(nearest)
    one = [found[start:stop].lower() for start, stop in here]
    other = [nearest[start:stop].lower() for start, stop in there]
    missed, added = [], []
    for step in LCSseq.opcodes(one, other):
        if step.tag in ("insert", "replace"):
            missed.append(nearest[there[step.dest_start][0] : there[step.dest_end - 1][1]])
        if step.tag in ("delete", "replace"):
            added.append(found[here[step.src_start][0] : here[step.src_end - 1][1]])
    return missed, added


def _shown(runs: list[str]) -> tuple[str, ...]:
    longest = sorted(runs, key=len, reverse=True)[:MOST_RUNS]
    return tuple(run if len(run) <= MOST_CHARACTERS else f"{run[:MOST_CHARACTERS]} …" for run in longest)


def carried_over(marks: Marks, page: Page, other: Page) -> Marks:
    """Carry marks from one reading of a page to another: leaves with the same text in the same order are the same."""
    if page is other:
        return marks
    here = [" ".join(text.split()) for text in page.leaf_texts]
    there = [" ".join(text.split()) for text in other.leaf_texts]
    carried = np.zeros(len(there), dtype=bool)
    for step in LCSseq.opcodes(here, there):
        if step.tag == "equal":
            carried[step.dest_start : step.dest_end] = marks[step.src_start : step.src_end]
    return carried


def kept_boxes(page: Page, marks: Marks) -> tuple[Box, ...]:
    """Return the boxes of the marked lines of each paragraph, as far as the picture reaches."""
    blocks = text_blocks(page)
    boxes = leaf_boxes(page, np.where(marks, blocks.leaf_block, -1).astype(np.int32), len(blocks))
    found = boxes[np.isfinite(boxes[:, 0]) & (boxes[:, 1] < TALLEST)].astype(np.float64).round(1).tolist()
    return tuple((x, y, width, height) for x, y, width, height in found)


def picture(page: Page | None) -> Picture | None:
    """Make a small picture of a page's screenshot; None without one."""
    if page is None or page.screenshot is None:
        return None
    image = Image.open(io.BytesIO(page.screenshot)).convert("RGB")
    image = image.crop((0, 0, image.width, min(image.height, TALLEST)))
    small = image.resize((PICTURE_WIDTH, max(round(image.height * PICTURE_WIDTH / image.width), 1)))
    out = io.BytesIO()
    small.save(out, "WEBP", quality=45)
    address = f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"
    return Picture(address=address, width=float(image.width), height=float(image.height))
