"""Construction of a data set from corpora: pages are rendered, measured, labelled and written in several formats.

The rows of each page are stored in the data set's folder, so that an interrupted run is resumed, and another format is
written without measuring again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import ipc

from ..errors import BlocksightError
from ..features.block_table import GROUP_NAMES, column_names, measure, schema_hash
from ..features.dataset_files import FORMATS, KEYS, Dataset, block_rows, data_dictionary
from ..files.atomic import open_run_folder, write_atomic, write_text
from ..gold.leaf_labels import label_rows
from ..gold.pages import GoldPage
from ..gold.rendered import OFFLINE, missing_pages, read_page, render_missing
from ..processes.workers import Progress, run_parallel
from ..render.render_options import RenderOptions
from ..segment.methods import METHODS
from ..version import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The settings on which the rows of a data set depend."""

    groups: tuple[str, ...] = GROUP_NAMES  # Of features (:data:`~blocksight.features.block_table.GROUP_NAMES`)
    method: str = "paragraphs"  # How pages are cut into blocks: "paragraphs", "targets" or "vips"
    threshold: float = 0.5  # Least share of a block's words that the gold must hold
    static: bool = False  # Read raw HTML without a browser; visual columns stay empty
    #: Width and height of the window that pages are rendered in, in CSS pixels.
    viewport: tuple[int, int] = OFFLINE.viewport

    def __post_init__(self) -> None:
        column_names(*self.groups)
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, not {self.method!r}")
        if not 0 < self.threshold <= 1:
            raise ValueError(f"threshold must be above 0 and at most 1, not {self.threshold}")
        if self.static and self.method == "vips":
            raise ValueError("vips needs geometry: render the pages, or choose the method targets")

    def settings(self) -> dict[str, object]:
        """Return the settings and the versions on which the rows depend."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "groups": list(self.groups),
            "viewport": list(self.viewport),
            "version": VERSION,
            "schema": schema_hash((*KEYS, *column_names(*self.groups))),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRowStore:
    """The folder of a data set with the rows of each page."""

    pages: Sequence[GoldPage]
    folder: Path  # Of the data set
    rendered: Path  # Keeps the rendered pages
    plan: Plan

    def part(self, gold: GoldPage) -> Path:
        """Return the path of the rows of a page."""
        return self.folder / "parts" / gold.corpus / f"{gold.file_name}.arrow"

    def is_done(self, gold: GoldPage) -> bool:
        """Return whether the rows of a page are stored, with labels by this gold."""
        part = self.part(gold)
        if gold.error or not part.exists():
            return False
        with ipc.open_file(part) as rows:
            return (rows.schema.metadata or {}).get(b"gold") == _gold_hash(gold)

    def begin(self) -> None:
        """Create the folder, or check that it was made with the same settings; raises SettingsMismatch."""
        open_run_folder(self.folder, self.plan.settings())

    def measure(self, gold: GoldPage) -> str:
        """Measure and label a page and store its rows; return the reason of a failure, or ""."""
        part = self.part(gold)
        part.parent.mkdir(parents=True, exist_ok=True)
        try:
            rows = self.rows(gold)
        except BlocksightError as error:
            return str(error)
        except Exception as error:  # one unusual page must not stop a batch
            return f"{type(error).__name__}: {error}"
        rows = rows.replace_schema_metadata({"gold": _gold_hash(gold)})
        write_atomic(part, partial(_write, rows))
        return ""

    def rows(self, gold: GoldPage) -> pa.Table:
        """Measure and label the rows of a page."""
        plan = self.plan
        page = read_page(gold, None if plan.static else self.rendered)
        table = measure(page, METHODS[plan.method](page), groups=plan.groups)
        labels = label_rows(table.rows.texts, gold, threshold=plan.threshold)
        return block_rows(table, labels, page=gold.name, site=gold.site, split=gold.split, url=gold.url)

    def dataset(self) -> Dataset:
        """Return the stored rows as one data set, named after its corpora."""
        dictionary = data_dictionary(self.plan.groups)
        done = [self.part(gold) for gold in self.pages if self.is_done(gold)]
        schema = _read(done[0]).schema if done else pa.schema([])
        about = {"method": self.plan.method, "input": "raw HTML" if self.plan.static else "rendered pages"}
        name = "+".join(sorted({gold.corpus for gold in self.pages}))
        return Dataset(name=name, parts=lambda: map(_read, done), schema=schema, dictionary=dictionary, about=about)


def _write(rows: pa.Table, path: Path) -> None:
    with ipc.new_file(path, rows.schema, options=ipc.IpcWriteOptions(compression="zstd")) as out:
        out.write_table(rows)


def _read(path: Path) -> pa.Table:
    with ipc.open_file(path) as part:
        return part.read_all().replace_schema_metadata(None)


def _gold_hash(gold: GoldPage) -> bytes:
    key = gold.site, gold.split, gold.url, gold.text
    gold_parts = gold.snippets.must_have, gold.snippets.must_not, gold.nodes.texts, gold.nodes.labels
    # As in earlier versions for pages without pieces, whose stored rows stay valid.
    pieces = (gold.nodes.pieces,) if gold.nodes.pieces else ()
    return hashlib.sha256(repr((*key, *gold_parts, *pieces)).encode()).hexdigest()[:16].encode()


def build_dataset(
    work: PageRowStore,
    formats: Sequence[str],
    *,
    options: RenderOptions = OFFLINE,
    executable: str | os.PathLike[str] | None = None,
    workers: int = 1,
    progress: Progress = lambda *_: None,
    failed: Callable[[str, str], None] = lambda *_: None,
) -> dict[str, str]:
    """Build a data set, or resume one, and return the failed pages with the reasons.

    ``workers`` is the number of pages rendered, and of measuring processes, at a time. ``progress`` is called after
    each page (:mod:`~blocksight.processes.workers`), ``failed`` with the name of each failed page and the reason.
    Raises SettingsMismatch if the folder holds a data set with other settings, BrowserMissing if pages must be rendered
    and there is no browser, and ValueError for unknown formats.
    """
    unknown = set(formats) - set(FORMATS)
    if unknown:
        raise ValueError(f"unknown format: {', '.join(sorted(unknown))}; choose from {', '.join(FORMATS)}")
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

    missing = [] if work.plan.static else missing_pages(work.pages, work.rendered)
    unusable = [gold for gold in work.pages if gold.error]
    read = stage("reading", unusable)
    for gold in unusable:
        read(gold, gold.error)
    rendered = stage("rendering", missing)
    render_missing(missing, work.rendered, options=options, executable=executable, at_once=workers, done=rendered)
    left = [gold for gold in work.pages if gold.name not in failures and not work.is_done(gold)]
    measured = stage("measuring", left)
    processes = min(workers, max(len(left), 1))
    for number, why in run_parallel(work.measure, left, processes, died=lambda _: "the process died on this page"):
        measured(left[number], why)
    _write_dataset(work, formats, failures)
    return failures


def _write_dataset(work: PageRowStore, formats: Sequence[str], failures: dict[str, str]) -> None:
    """Write the data set in some formats, its data dictionary, and the list of failures."""
    dataset = work.dataset()
    write_atomic(work.folder / "dictionary.csv", partial(dataset.dictionary.to_csv, index=False))
    write_text(work.folder / "failures.json", json.dumps(failures, indent=1, ensure_ascii=False) + "\n")
    if not dataset.schema.names:
        return
    for form in formats:
        FORMATS[form](dataset, work.folder / f"blocks.{form}")


def count_labels(dataset: Dataset) -> dict[str, int]:
    """Count the rows with each label."""
    counts = {"content": 0, "boilerplate": 0, "unlabelled": 0}
    for part in dataset.parts():
        label = part["label"].to_numpy(zero_copy_only=False)
        counts["content"] += int(np.sum(label == 1))
        counts["boilerplate"] += int(np.sum(label == 0))
        counts["unlabelled"] += part["label"].null_count
    return counts
