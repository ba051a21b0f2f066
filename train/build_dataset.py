"""Construction of a data set from corpora: pages are rendered, measured, labelled and written in several formats.

The rows of each page are stored in the data set's folder, so that an interrupted run is resumed, and another format is
written without measuring again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

import numpy as np

from ..features.export.coco import write_coco
from ..features.export.dataset_files import Dataset
from ..features.export.table_formats import FORMATS
from ..files.atomic import write_atomic, write_text
from ..gold.pages import GoldPage
from ..gold.rendered import OFFLINE, missing_pages, render_missing
from ..processes.progress import Progress
from ..processes.workers import run_parallel
from ..render.render_options import RenderOptions
from .dataset_parts import PageRowStore

#: Formats of one file, and COCO, which needs screenshots.
DATASET_FORMATS = (*FORMATS, "coco")


def build_dataset(
    work: PageRowStore,
    formats: Sequence[str],
    *,
    options: RenderOptions = OFFLINE,
    executable: str | os.PathLike[str] | None = None,
    workers: int = 1,
    progress: Progress = lambda *_: None,
    failed: Callable[[str, str], None] = lambda *_: None,
    note: Callable[[str], None] = lambda _: None,
) -> dict[str, str]:
    """Build a data set, or resume one, and return the failed pages with the reasons.

    ``workers`` is the number of pages rendered, and of measuring processes, at a time. ``progress`` is called after
    each page (:mod:`~blocksight.processes.progress`), ``failed`` with the name of each failed page and the reason,
    ``note`` with a line about what a format leaves out. Raises SettingsMismatch if the folder holds a data set with
    other settings, BrowserMissing if pages must be rendered and there is no browser, and ValueError for unknown formats
    or formats that do not fit the plan.
    """
    unknown = set(formats) - set(DATASET_FORMATS)
    if unknown:
        raise ValueError(f"unknown format: {', '.join(sorted(unknown))}; choose from {', '.join(DATASET_FORMATS)}")
    if "coco" in formats and work.plan.static:
        raise ValueError("coco needs screenshots: render the pages")
    work.begin()
    failures: dict[str, str] = {}

    def stage(name: str, pages: Sequence[GoldPage]) -> Callable[..., None]:
        numbers = count(1)

        def done(gold: GoldPage, why: str, _: float = 0.0) -> None:
            if why:
                failures[gold.name] = why
                failed(gold.name, why)
            progress(name, next(numbers), len(pages))

        return done

    missing = [] if work.plan.static else missing_pages(work.pages, work.rendered, screenshot=options.screenshot != "")
    unusable = [gold for gold in work.pages if gold.error]
    read = stage("reading", unusable)
    for gold in unusable:
        read(gold, gold.error)
    for gold in missing:  # the rows must belong to the new screenshot
        work.part(gold).unlink(missing_ok=True)
    rendered = stage("rendering", missing)
    render_missing(missing, work.rendered, options=options, executable=executable, at_once=workers, done=rendered)
    left = [gold for gold in work.pages if gold.name not in failures and not work.is_done(gold)]
    measured = stage("measuring", left)
    for gold, why in _measured(work, left, workers):
        measured(gold, why)
    write_dataset(work, formats, failures, note)
    return failures


def _measured(work: PageRowStore, pages: Sequence[GoldPage], workers: int) -> Iterator[tuple[GoldPage, str]]:
    processes = min(workers, max(len(pages), 1))
    for number, why in run_parallel(work.measure, pages, processes, died=lambda _: "the process died on this page"):
        yield pages[number], why


def write_dataset(
    work: PageRowStore, formats: Sequence[str], failures: dict[str, str], note: Callable[[str], None]
) -> None:
    """Write the data set in some formats, its data dictionary, and the list of failures."""
    dataset = work.dataset()
    write_atomic(work.folder / "dictionary.csv", partial(dataset.dictionary.to_csv, index=False))
    write_text(work.folder / "failures.json", json.dumps(failures, indent=1, ensure_ascii=False) + "\n")
    if not dataset.schema.names:
        return
    for form in formats:
        if form == "coco":
            left_out = write_coco(dataset, work.pictures(), work.folder / "coco")
            if left_out:
                reasons = ", ".join(f"{number} {why}" for why, number in left_out.most_common())
                note(f"coco: {left_out.total()} blocks are no annotations ({reasons}); coco/left_out.jsonl names them")
        else:
            file, writer = FORMATS[form]
            writer(dataset, work.folder / file)


def count_labels(dataset: Dataset) -> dict[str, int]:
    """Count the rows with each label."""
    counts = {"content": 0, "boilerplate": 0, "unlabelled": 0}
    for part in dataset.parts():
        label = part["label"].to_numpy(zero_copy_only=False)
        counts["content"] += int(np.sum(label == 1))
        counts["boilerplate"] += int(np.sum(label == 0))
        counts["unlabelled"] += part["label"].null_count
    return counts
