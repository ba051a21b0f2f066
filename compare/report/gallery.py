"""The gallery of a report: the pages on which systems disagree most, with what each missed and added, and a picture."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import pandas as pd
from PIL import Image
from rapidfuzz.distance import LCSseq

from ...classify.system import System
from ...classify.systems import system_named
from ...errors import BrowserMissing
from ...gold.pages import GoldPage
from ...gold.rendered import OFFLINE, missing_pages, read_page, render_missing, saved_path
from ...lexicon.words import count_words, word_spans
from ...page.arrays import Marks
from ...page.page import Page
from ...page.store import load
from ...processes.progress import Progress
from ...segment.blocks import leaf_boxes, text_blocks
from ..evaluate import EvaluationConfig
from ..measures.labelling import leaf_reference
from ..measures.measures import Measure
from ..measures.overlap import word_sequence
from ..outputs import system_output
from ..scoring import BASELINE, RENDERED, timed_marks, with_gold
from .gains import gains
from .leaderboard import rank_systems, rows_with_measure
from .pairwise import SystemInput, label, top_systems

#: Width of a picture, and where a long page is cut, in CSS pixels of the page.
PICTURE_WIDTH, TALLEST = 720, 3000
#: The number of runs of words that are shown, and of characters of each.
MOST_RUNS, MOST_CHARACTERS = 12, 240

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A screenshot: a small WebP as a ``data:`` URL, and the size of the area that it shows in CSS pixels."""

    url: str
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """Text of a page that one system kept."""

    name: str
    score: float | None = None
    #: The longest runs of words of the gold that are not in the output, and the reverse; truncated.
    missed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    missed_words: int = 0  # Words of all such runs
    added_words: int = 0
    boxes: tuple[Box, ...] = ()  # Its paragraphs in the picture: x, y, width and height in CSS pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryPage:
    """One page of the gallery."""

    id: str
    about: str
    kept: tuple[KeptText, ...]
    picture: Picture | None = None
    gold: tuple[Box, ...] = ()  # The paragraphs that are content by the gold, in the picture; empty if unknown

    @property
    def overlays(self) -> list[tuple[str, tuple[Box, ...]]]:
        """The layers that can be shown on the picture: name and boxes, the gold last if known."""
        return [(text.name, text.boxes) for text in self.kept] + ([("the gold", self.gold)] if self.gold else [])


def gallery_of(
    config: EvaluationConfig, table: pd.DataFrame, progress: Progress = lambda *_: None, *, pages: int = 12
) -> list[GalleryPage]:
    """Return the pages on which the top systems of an evaluation disagree most.

    Each page is rendered again for its screenshot and saved in the folder's ``gallery``; without a browser there are no
    pictures.
    """
    ranking = rank_systems(table, config.measures)
    names = top_systems(ranking)
    configured = {system.card.name: system for system in config.systems}
    systems = [(configured.get(name) or system_named(name), source) for name, source in names]
    disputed = most_disputed(table, ranking.measure, [name for name in names if name[0] != BASELINE], pages)
    ids = list(dict.fromkeys([*_pages_for_and_against(table, ranking.measure, pages // 2), *disputed]))[:pages]
    golds = {gold.id: gold for gold in config.pages()}
    chosen = [golds[identifier] for identifier in ids]
    screenshots = _screenshots(config, chosen, progress)
    gallery = []
    for number, gold in enumerate(chosen, 1):
        rows = table[table["page"] == gold.id]
        keys = zip(rows["system"].astype(str), rows["input"].astype(str), strict=True)
        scores = dict(zip(keys, rows[ranking.measure.main].astype(float), strict=True))
        inputs = {source: read_page(gold, config.rendered if source == RENDERED else None) for _, source in names}
        gallery.append(gallery_page(gold, inputs, systems, scores, screenshots.get(gold.id), config.seconds))
        progress("gallery", number, len(chosen))
    return gallery


def _screenshots(config: EvaluationConfig, golds: Sequence[GoldPage], progress: Progress) -> dict[str, Page]:
    """Render pages with a screenshot, or load those rendered before; pages that fail are left out."""
    folder = config.out / "gallery"
    missing = missing_pages(golds, folder, screenshot=True)
    done = count(1)

    def report_page(*_: object) -> None:
        progress("screenshots", next(done), len(missing))

    with suppress(BrowserMissing):
        options = replace(OFFLINE, screenshot="full")
        render_missing(missing, folder, options=options, executable=config.executable, done=report_page)
    paths = {gold.id: saved_path(folder, gold) for gold in golds}
    return {identifier: load(path) for identifier, path in paths.items() if path.exists()}


def _pages_for_and_against(table: pd.DataFrame, measure: Measure, number: int) -> list[str]:
    """Return the pages with the largest gain and with the largest loss by vision, alternately."""
    vision = [gain for gain in gains(table, measure) if (gain.name, gain.pages) == ("vision", "all")]
    return [page for gain in vision for pair in zip(gain.best, gain.worst, strict=False) for page in pair][:number]


def most_disputed(table: pd.DataFrame, measure: Measure, names: Sequence[SystemInput], number: int) -> list[str]:
    """Return the pages with the largest standard deviation of the systems' scores, largest first."""
    rows = rows_with_measure(table, measure)
    chosen = rows[[name in set(names) for name in zip(rows["system"], rows["input"], strict=True)]]
    spread = chosen.groupby("page")[measure.main].std().fillna(0.0)
    spread = spread[spread > 0].sort_values(ascending=False, kind="stable")
    return [str(page) for page in spread.index[:number]]


def gallery_page(
    gold: GoldPage,
    pages: dict[str, Page],
    systems: Sequence[tuple[System, str]],
    scores: dict[SystemInput, float],
    screenshot: Page | None,
    limit: float = 60.0,
) -> GalleryPage:
    """Run systems on a page again and describe what they kept.

    ``pages`` are its versions by input, ``systems`` have an input each, ``screenshot`` is the page with a screenshot if
    there is one, and ``limit`` the seconds that a system may take.
    """
    kept = []
    for system, source in systems:
        page = pages[source]
        marks, _, _ = timed_marks(with_gold(system, gold), page, limit)
        missed, added = missed_and_added(system_output(page, marks).text, gold)
        name = (system.card.name, source)
        boxes = () if screenshot is None else kept_boxes(screenshot, transfer_marks(marks, page, screenshot))
        kept.append(
            KeptText(
                name=label(name),
                score=scores.get(name),
                missed=_longest_runs(missed),
                added=_longest_runs(added),
                missed_words=sum(map(count_words, missed)),
                added_words=sum(map(count_words, added)),
                boxes=boxes,
            )
        )
    about = ", ".join(part for part in (gold.kind, gold.language, gold.url or "") if part)
    gold_boxes = _gold_boxes(screenshot, gold)
    return GalleryPage(id=gold.id, about=about, kept=tuple(kept), picture=picture(screenshot), gold=gold_boxes)


def _gold_boxes(page: Page | None, gold: GoldPage) -> tuple[Box, ...]:
    leaves = None if page is None else leaf_reference(page, gold)
    return () if page is None or leaves is None else kept_boxes(page, leaves.content & leaves.known)


def missed_and_added(prediction: str, gold: GoldPage) -> tuple[list[str], list[str]]:
    """Return the runs of words that are only in the gold, and only in the prediction, in their original spelling.

    Of several gold texts the most similar one is used. If there are only snippets: the required ones that are absent,
    and the forbidden ones that are present.
    """
    if not gold.texts:
        text = " ".join(prediction.split())
        return (
            [snippet for snippet in gold.snippets.must_have if " ".join(snippet.split()) not in text],
            [snippet for snippet in gold.snippets.must_not if " ".join(snippet.split()) in text],
        )
    reference = max(gold.texts, key=lambda text: word_sequence(prediction, text).f1)
    spans, reference_spans = word_spans(prediction), word_spans(reference)
    predicted = [prediction[start:stop].lower() for start, stop in spans]
    expected = [reference[start:stop].lower() for start, stop in reference_spans]
    missed, added = [], []
    for step in LCSseq.opcodes(predicted, expected):
        if step.tag in ("insert", "replace"):
            missed.append(reference[reference_spans[step.dest_start][0] : reference_spans[step.dest_end - 1][1]])
        if step.tag in ("delete", "replace"):
            added.append(prediction[spans[step.src_start][0] : spans[step.src_end - 1][1]])
    return missed, added


def _longest_runs(runs: list[str]) -> tuple[str, ...]:
    longest = sorted(runs, key=len, reverse=True)[:MOST_RUNS]
    return tuple(run if len(run) <= MOST_CHARACTERS else f"{run[:MOST_CHARACTERS]} …" for run in longest)


def transfer_marks(marks: Marks, page: Page, other: Page) -> Marks:
    """Transfer marks to another version of a page: leaves with the same text in the same order correspond."""
    if page is other:
        return marks
    texts, other_texts = ([" ".join(text.split()) for text in some.leaf_texts] for some in (page, other))
    transferred = np.zeros(len(other_texts), dtype=bool)
    for step in LCSseq.opcodes(texts, other_texts):
        if step.tag == "equal":
            transferred[step.dest_start : step.dest_end] = marks[step.src_start : step.src_end]
    return transferred


def kept_boxes(page: Page, marks: Marks) -> tuple[Box, ...]:
    """Return the boxes of the marked lines of each paragraph within the picture."""
    blocks = text_blocks(page)
    boxes = leaf_boxes(page, np.where(marks, blocks.leaf_block, -1).astype(np.int32), len(blocks))
    inside = boxes[np.isfinite(boxes[:, 0]) & (boxes[:, 1] < TALLEST)].astype(np.float64).round(1).tolist()
    return tuple((x, y, width, height) for x, y, width, height in inside)


def picture(page: Page | None) -> Picture | None:
    """Return a small picture of a page's screenshot; None without one."""
    if page is None or page.screenshot is None:
        return None
    image = Image.open(io.BytesIO(page.screenshot)).convert("RGB")
    image = image.crop((0, 0, image.width, min(image.height, TALLEST)))
    small = image.resize((PICTURE_WIDTH, max(round(image.height * PICTURE_WIDTH / image.width), 1)))
    out = io.BytesIO()
    small.save(out, "WEBP", quality=45)
    url = f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"
    return Picture(url=url, width=float(image.width), height=float(image.height))
