"""An inspection: its pages, labels and models in one folder, and all answers to the browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, TypeVar

import orjson

from ..classify.systems.blocksight import Blocksight
from ..files.atomic import refuse_links
from ..gold.annotations import match_leaves
from ..page.page import Page
from ..page.parse import parse
from ..processes.workers import WorkerPool
from ..render.render_options import RenderOptions
from ..segment.blocks import Pdoc
from ..segment.methods import segment_page
from .items import InspectorItem
from .label_store import LabelStore
from .learning import Learning, SessionModels
from .page_cache import TILE, PageCache, Tiles
from .page_view import fingerprint, segmentation_view, view

T = TypeVar("T")

#: Time limit of one task on a page, in seconds.
SECONDS = 90.0
#: Number of answers of each kind in memory.
_CACHED = 30


class OtherText(ValueError):
    """Labels are for another text than that of the page."""


class InspectorSession(ExitStack):
    """One inspection; use it as a context manager, and enter it before other threads are started.

    ``folder`` keeps ``pages/``, ``labels/`` and ``models/``; ``who`` is the annotator; ``model`` is by default the
    newest that was trained here, or the shipped one.
    """

    def __init__(
        self,
        items: Sequence[InspectorItem],
        folder: Path,
        *,
        who: str,
        options: RenderOptions,
        executable: str | None = None,
        model: Path | None = None,
    ) -> None:
        super().__init__()
        refuse_links(folder)
        self.items = {item.id: item for item in items}
        self.label_store = LabelStore(folder / "labels", who)
        self.models = SessionModels(folder / "models", model)
        self._workers = WorkerPool(2, _warm_up)
        self._pages = PageCache(folder / "pages", options, executable)
        self._tiles = Tiles()
        self._view, self.segmentation = lru_cache(_CACHED)(self._viewed), lru_cache(_CACHED)(self._segmented)
        self.learning = Learning(self.items, self.label_store, self.models, page=self.page, run=self.run)

    def __enter__(self) -> Self:
        self.enter_context(self._workers)
        self.enter_context(self._pages)
        return self

    @property
    def system(self) -> Blocksight:
        """The system with the model in use."""
        return Blocksight(model=self.models.model)

    def page(self, identity: str) -> Page:
        """Return a page by its id; KeyError for an unknown one."""
        return self._pages.page(self.items[identity])

    def run(self, task: Callable[..., T], page: Page, *arguments: Any) -> T:
        """Run a task on a page in a worker process."""
        bare = page.replace(screenshot=None, mhtml=None)
        return self._workers.run(task, bare, *arguments, seconds=SECONDS)

    # -- answers in JSON -------------------------------------------------------------------------------------------

    def view(self, identity: str) -> bytes:
        """Return a page with predictions, without labels."""
        return self._view(identity, self.models.name)

    def _viewed(self, identity: str, model: str) -> bytes:
        page = self.page(identity)
        values: dict[str, Any] = self.run(view, page, self.system, self.items[identity].gold)
        size = self._tiles.size(page)
        return orjson.dumps(values | {"id": identity, "picture": size, "tile": TILE, "model": model})

    def _segmented(self, identity: str, method: str, pdoc: Pdoc) -> bytes:
        return orjson.dumps(self.run(_segmentation, self.page(identity), method, pdoc))

    def tile(self, identity: str, number: int) -> bytes | None:
        """Return one tile of the page's screenshot."""
        return self._tiles.tile(self.page(identity), number)

    # -- labels of pages -------------------------------------------------------------------------------------------

    def queue(self) -> list[dict[str, Any]]:
        """Return the pages in the given order, with the number of their labels."""
        labels, rows = self.label_store.pages(), []
        for item in self.items.values():
            annotation = labels.get(item.id)
            rows.append(
                {
                    "id": item.id,
                    "name": item.name,
                    "site": item.site,
                    "labels": 0 if annotation is None else len(annotation.leaves),
                    "done": annotation is not None and annotation.done,
                }
            )
        return rows

    def labels(self, identity: str) -> dict[str, Any]:
        """Return the labels of a page: the current ones, and each change."""
        page = self.page(identity)
        annotation = self.label_store.annotation(identity)
        own = None if annotation is None else match_leaves(page, annotation)
        return {
            "who": self.label_store.who,
            "done": annotation is not None and annotation.done,
            "refused": 0 if own is None else own.unmatched,
            "content": [] if own is None else own.content.tolist(),
            "role": [] if own is None else own.role.tolist(),
            "changes": [
                {
                    "change": change.kind,
                    "leaves": [[label.index, label.role or None, label.content] for label in change.leaves],
                }
                for change in self.label_store.changes(identity)
            ],
        }

    def add(self, identity: str, kind: str, shown: str, leaves: Sequence[Sequence[Any]]) -> None:
        """Store a change of labels: place, digest, role or null, content or null per leaf; ValueError if it is invalid.

        Raises OtherText if ``shown``, the fingerprint of the page that was labelled, is not that of the page.
        """
        page = self.page(identity)
        if shown != fingerprint(page):
            raise OtherText("this page has another text than the one that was shown: load it again")
        self._pages.keep(self.items[identity], page)
        self.label_store.add(identity, page.url, kind, leaves)


def _segmentation(page: Page, method: str, pdoc: Pdoc) -> dict[str, Any]:
    return segmentation_view(page, segment_page(page, method, pdoc))


def _warm_up() -> None:
    Blocksight().mark(parse("<p>Fresh water is boiled, the pot is warmed, and the leaves draw.</p>"))
