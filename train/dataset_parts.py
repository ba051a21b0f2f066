"""The folder of a data set: its plan, and the stored rows of each page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyarrow import ipc

from ..errors import BlocksightError
from ..features.block_table import GROUP_NAMES, TAGGED, column_names, measure, schema_hash
from ..features.export.coco import PagePicture
from ..features.export.dataset_files import KEYS, Dataset, PageKey, TextColumn, block_rows, data_dictionary
from ..features.papers.speech import tagger_is_installed
from ..files.atomic import open_run_folder, write_atomic
from ..gold.leaf_labels import label_rows
from ..gold.pages import GoldPage
from ..gold.rendered import OFFLINE, read_page
from ..page.page import Page
from ..segment.methods import METHODS
from ..version import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The settings on which the rows of a data set depend."""

    groups: tuple[str, ...] = GROUP_NAMES  # Of features (:data:`~blocksight.features.block_table.GROUP_NAMES`)
    method: str = "paragraphs"  # How pages are cut into blocks: "paragraphs", "targets" or "vips"
    text: TextColumn = "text"  # detail of the text of each block
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
            "speech": bool(set(TAGGED) & set(self.groups)) and tagger_is_installed(),
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
            rows = self.rows(self.page(gold), gold)
        except BlocksightError as error:
            return str(error)
        except Exception as error:  # one unusual page must not stop a batch
            return f"{type(error).__name__}: {error}"
        rows = rows.replace_schema_metadata({"gold": _gold_hash(gold)})
        write_atomic(part, partial(_write, rows))
        return ""

    def page(self, gold: GoldPage) -> Page:
        """Return a page, rendered or parsed."""
        return read_page(gold, None if self.plan.static else self.rendered)

    def rows(self, page: Page, gold: GoldPage) -> pa.Table:
        """Return the rows of a page."""
        plan = self.plan
        table = measure(page, METHODS[plan.method](page), groups=plan.groups)
        labels = label_rows(table.rows.texts, gold, threshold=plan.threshold)
        key = PageKey(page=gold.name, site=gold.site, split=gold.split, url=gold.url)
        return block_rows(table, key, labels, text=plan.text)

    def dataset(self) -> Dataset:
        """Return the stored rows as one data set, named after its corpora."""
        dictionary = data_dictionary(self.plan.groups, self.plan.text)
        done = [self.part(gold) for gold in self.pages if self.is_done(gold)]
        schema = _read(done[0]).schema if done else pa.schema([])
        about = {"method": self.plan.method, "input": "raw HTML" if self.plan.static else "rendered pages"}
        name = "+".join(sorted({gold.corpus for gold in self.pages}))
        return Dataset(name=name, parts=lambda: map(_read, done), schema=schema, dictionary=dictionary, about=about)

    def pictures(self) -> Iterator[PagePicture]:
        """Yield the screenshots of the pages with rows."""
        for gold in self.pages:
            if self.is_done(gold):
                page = read_page(gold, self.rendered)
                if page.screenshot is not None:
                    yield PagePicture(page=gold.name, png=page.screenshot)


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
