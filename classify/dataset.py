"""From a corpus to a data set: pages are rendered once, measured and labelled, and written in the formats asked for.

Everything that has been done is kept in the data set's folder, page by page, so that a run that was ended goes on
where it was, and another format is written without measuring again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import ipc

from ..features.coco import PagePicture, write_coco
from ..features.dataset import Dataset, PageKey, TextColumn, block_rows, data_dictionary
from ..features.formats import FORMATS
from ..features.table import CATALOGUE, column_names, measure
from ..render.errors import BlocksightError
from ..render.options import RenderOptions
from ..render.page import Page
from ..render.static import parse
from ..render.store import load
from ..render.version import VERSION
from ..segment.methods import METHODS
from .corpora import GoldPage
from .gold import ALIGNMENTS, row_gold
from .rendered import OFFLINE, missing_pages, render_missing, saved_path

#: Every format: those of one file, and COCO, which needs the pages' pictures.
DATASET_FORMATS = (*FORMATS, "coco")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A page that is done: what was done to it, how many are done of how many, and the reason of a failure or ""."""

    what: str
    done: int
    total: int
    page: str
    why: str


class OtherSettings(BlocksightError):
    """A folder holds a data set that was made with other settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the rows of a data set are to be.

    Attributes
    ----------
    groups : tuple of str
        Of features (:data:`~blocksight.features.table.CATALOGUE`).
    method : str
        How pages are cut into blocks: "paragraphs", "targets" or "vips".
    text : "text", "hash" or "none"
        What is told of a block's text.
    align : str
        How the gold text is laid along the page (:data:`~blocksight.classify.gold.ALIGNMENTS`).
    threshold : float
        Least share of a block's words that the gold must hold.
    static : bool
        Read raw HTML without a browser; visual columns stay empty.
    viewport : tuple of int
        Width and height of the window that pages are rendered in, in CSS pixels.
    """

    groups: tuple[str, ...] = tuple(CATALOGUE)
    method: str = "paragraphs"
    text: TextColumn = "text"
    align: str = "words"
    threshold: float = 0.5
    static: bool = False
    viewport: tuple[int, int] = OFFLINE.viewport

    def __post_init__(self) -> None:
        column_names(*self.groups)
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not {self.method!r}")
        if self.align not in ALIGNMENTS:
            raise ValueError(f"align must be one of {', '.join(ALIGNMENTS)}, not {self.align!r}")
        if not 0 < self.threshold <= 1:
            raise ValueError(f"threshold must be above 0 and at most 1, not {self.threshold}")
        if self.static and self.method == "vips":
            raise ValueError("vips needs geometry: render the pages, or take the method targets")

    def settings(self) -> dict[str, object]:
        """Give the settings on which the rows depend."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "groups": list(self.groups),
            "viewport": list(self.viewport),
            "version": VERSION,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The folder of a data set, and the pages that go into it.

    Attributes
    ----------
    pages : sequence of GoldPage
    folder : Path
        Of the data set.
    rendered : Path
        Keeps the rendered pages.
    plan : Plan
    """

    pages: Sequence[GoldPage]
    folder: Path
    rendered: Path
    plan: Plan

    def part(self, gold: GoldPage) -> Path:
        """Where the rows of a page are kept."""
        return self.folder / "parts" / gold.corpus / f"{gold.id.replace('/', '_')}.arrow"

    def begin(self) -> None:
        """Make the folder, or check that what is there was made with the same settings.

        Raises
        ------
        OtherSettings
            When it was not.
        """
        settings = self.folder / "settings.json"
        wanted = self.plan.settings()
        self.folder.mkdir(parents=True, exist_ok=True)
        if not settings.exists():
            settings.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
            return
        found = json.loads(settings.read_text(encoding="utf-8"))
        other = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
        if other:
            raise OtherSettings(
                f"{self.folder}: begun with other settings ({', '.join(other)}); take another folder or remove it"
            )

    def measure(self, gold: GoldPage) -> str:
        """Measure and label a page and keep its rows; give the reason of a failure, or ""."""
        part = self.part(gold)
        part.parent.mkdir(parents=True, exist_ok=True)
        try:
            rows = self.rows(self.page(gold), gold)
        except BlocksightError as error:
            return str(error)
        except Exception as error:  # the edge of a batch: one odd page must not end it
            return f"{type(error).__name__}: {error}"
        unfinished = part.with_suffix(".unfinished")
        with ipc.new_file(unfinished, rows.schema, options=ipc.IpcWriteOptions(compression="zstd")) as out:
            out.write_table(rows)
        unfinished.replace(part)
        return ""

    def page(self, gold: GoldPage) -> Page:
        """Get a page, rendered or parsed."""
        if self.plan.static:
            return parse(gold.path.read_bytes(), url=gold.url or gold.path.name, encoding=gold.encoding)
        return load(saved_path(self.rendered, gold))

    def rows(self, page: Page, gold: GoldPage) -> pa.Table:
        """Give the rows of a page."""
        plan = self.plan
        table = measure(page, METHODS[plan.method](page), groups=plan.groups)
        labels = row_gold(table.counts, gold, align=plan.align, threshold=plan.threshold)
        key = PageKey(page=page_name(gold), site=gold.site, split=gold.split, url=gold.url)
        return block_rows(table, key, labels, text=plan.text)

    def dataset(self) -> Dataset:
        """Give the rows that are there, as one data set; it is named after its corpora."""
        dictionary = data_dictionary(self.plan.groups, self.plan.text)
        done = [self.part(gold) for gold in self.pages if self.part(gold).exists()]
        schema = _read(done[0]).schema if done else pa.schema([])
        about = {
            "method": self.plan.method,
            "input": "raw HTML" if self.plan.static else "rendered pages",
            "labels": self.plan.align,
        }
        name = "+".join(sorted({gold.corpus for gold in self.pages}))
        return Dataset(name=name, parts=lambda: map(_read, done), schema=schema, dictionary=dictionary, about=about)

    def pictures(self) -> Iterator[PagePicture]:
        """Yield the screenshots of the pages that have rows."""
        for gold in self.pages:
            if self.part(gold).exists():
                page = load(saved_path(self.rendered, gold))
                if page.screenshot is not None:
                    yield PagePicture(page=page_name(gold), png=page.screenshot)


def build(
    work: Work,
    formats: Sequence[str],
    *,
    options: RenderOptions = OFFLINE,
    executable: str | os.PathLike[str] | None = None,
    workers: int = 1,
    progress: Callable[[Step], None],
) -> dict[str, str]:
    """Make a data set, or go on with one.

    Parameters
    ----------
    work : Work
    formats : sequence of str
        Of :data:`DATASET_FORMATS`.
    options : RenderOptions
        Of pages that are not rendered yet.
    executable : path, optional
        The browser's program.
    workers : int
        Pages rendered, and processes that measure, at the same time.
    progress : callable
        Told of each page that is done.

    Returns
    -------
    dict of str to str
        The pages that have no rows, and why.

    Raises
    ------
    OtherSettings
        When the folder holds a data set that was made with other settings.
    BrowserMissing
        When pages are to be rendered and there is no browser.
    ValueError
        When there is no format of some name, or the formats do not go with the plan.
    """
    unknown = set(formats) - set(DATASET_FORMATS)
    if unknown:
        raise ValueError(f"no such format: {', '.join(sorted(unknown))}; there are {', '.join(DATASET_FORMATS)}")
    if "coco" in formats and work.plan.static:
        raise ValueError("coco needs pictures of the pages: render them")
    work.begin()
    failures: dict[str, str] = {}
    missing = [] if work.plan.static else missing_pages(work.pages, work.rendered, screenshot=options.screenshot != "")
    for gold in missing:  # rows are measured on the very page whose picture is kept
        work.part(gold).unlink(missing_ok=True)
    render = _Counter("rendering", len(missing), failures, progress)
    render_missing(missing, work.rendered, options=options, executable=executable, at_once=workers, done=render.done)
    left = [gold for gold in work.pages if page_name(gold) not in failures and not work.part(gold).exists()]
    count = _Counter("measuring", len(left), failures, progress)
    for gold, why in _measured(work, left, workers):
        count.done(gold, why)
    write(work, formats, failures)
    return failures


def page_name(gold: GoldPage) -> str:
    """By which a page is called in a data set."""
    return f"{gold.corpus}/{gold.id}"


class _Counter:
    """Counts the pages of one stage, and keeps what failed."""

    def __init__(self, what: str, total: int, failures: dict[str, str], progress: Callable[[Step], None]) -> None:
        self.what, self.total, self.failures, self.progress = what, total, failures, progress
        self.number = 0

    def done(self, gold: GoldPage, why: str) -> None:
        self.number += 1
        if why:
            self.failures[page_name(gold)] = why
        self.progress(Step(what=self.what, done=self.number, total=self.total, page=page_name(gold), why=why))


def _measured(work: Work, pages: Sequence[GoldPage], workers: int) -> Iterator[tuple[GoldPage, str]]:
    if workers == 1 or len(pages) < 2:
        yield from ((gold, work.measure(gold)) for gold in pages)
        return
    # Threads draw the progress: a forked process would inherit their locks.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        begun = {pool.submit(work.measure, gold): gold for gold in pages}
        try:
            for future in as_completed(begun):
                yield begun[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def write(work: Work, formats: Sequence[str], failures: dict[str, str]) -> None:
    """Write the data set in some formats, its data dictionary, and the list of failures."""
    dataset = work.dataset()
    dataset.dictionary.to_csv(work.folder / "dictionary.csv", index=False)
    (work.folder / "failures.json").write_text(json.dumps(failures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if not dataset.schema.names:
        return
    for form in formats:
        if form == "coco":
            write_coco(dataset, work.pictures(), work.folder / "coco")
        else:
            file, writer = FORMATS[form]
            writer(dataset, work.folder / file)


def _read(path: Path) -> pa.Table:
    with ipc.open_file(path) as part:
        return part.read_all()


def balance(dataset: Dataset) -> dict[str, int]:
    """Count the rows with each label."""
    counts = {"content": 0, "boilerplate": 0, "unlabelled": 0}
    for part in dataset.parts():
        label = part["label"].to_numpy(zero_copy_only=False)
        counts["content"] += int(np.sum(label == 1))
        counts["boilerplate"] += int(np.sum(label == 0))
        counts["unlabelled"] += part["label"].null_count
    return counts
