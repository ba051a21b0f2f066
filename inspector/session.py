"""The desk: pages, labels and models of one inspection, in one folder.

Everything that the browser asks for comes from here. Pages are judged by processes that can be ended; what they
answered is kept for a while.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self, TypeVar

import orjson

from ..classify.systems import system_named
from ..classify.systems.blocksight import Blocksight
from ..compare.agreement import compare_systems
from ..errors import BlocksightError
from ..gold.annotations import annotation_agreement, match_leaves
from ..page.page import Page
from ..page.parse import parse
from ..processes.workers import WorkerPool
from ..render.render_options import RenderOptions
from .items import Item
from .label_store import LabelStore
from .learning import Learning
from .models import SessionModels
from .page_cache import PageCache
from .page_view import fingerprint, view
from .ranking import ORDERS, Order, Rank, Ranking, ordered, rank
from .segmentation_view import block_reasons, cut_view
from .tiles import TILE, Tiles

T = TypeVar("T")

#: Seconds for one look at a page.
SECONDS = 90.0
#: Answers that are kept.
_KEPT = 60


class FolderUnsafe(BlocksightError):
    """The folder of an inspection holds links: what is written there would land elsewhere."""


class OtherText(ValueError):
    """Labels are for another text than the page has."""


class InspectorSession(ExitStack):
    """Use it as a context manager, and enter it before other threads are started.

    Parameters
    ----------
    sheets : sequence of Item
    folder : Path
        Keeps ``pages/``, ``labels/`` and ``models/``.
    who : str
        Whose labels are written.
    options : RenderOptions
    executable : str, optional
        The browser's program.
    model : Path, optional
        By default the one that was in use, or the shipped one.
    """

    def __init__(
        self,
        sheets: Sequence[Item],
        folder: Path,
        *,
        who: str,
        options: RenderOptions,
        executable: str | None = None,
        model: Path | None = None,
    ) -> None:
        super().__init__()
        _refuse_links(folder)
        self.sheets = {sheet.id: sheet for sheet in sheets}
        self.notebook = LabelStore(folder / "labels", who)
        self.shelf = SessionModels(folder / "models", model)
        self._workers = WorkerPool(2, _warm)
        self._opening = PageCache(folder / "pages", options, executable)
        self._tiles = Tiles()
        self._kept: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self.ranking = Ranking(tuple(sheets), self._rank)
        self.learning = Learning(self)

    def __enter__(self) -> Self:
        self.enter_context(self._workers)
        self.enter_context(self._opening)
        self.callback(self.ranking.stop)
        return self

    # -- what is shown ---------------------------------------------------------------------------------------------

    @property
    def system(self) -> Blocksight:
        """The system with the model in use."""
        return Blocksight(model=self.shelf.model)

    def page(self, identity: str) -> Page:
        """Return a page by its id; KeyError where there is none."""
        return self._opening.page(self.sheets[identity])

    def run(self, work: Callable[..., T], page: Page, *given: Any) -> T:
        """Do some work on a page in a process of its own."""
        return self._workers.run(work, page.replace(screenshot=None, mhtml=None, warc=None), *given, seconds=SECONDS)

    def view(self, identity: str) -> bytes:
        """Return what is shown of a page, as JSON; labels are apart (:meth:`labels`)."""
        page = self.page(identity)

        def make() -> dict[str, Any]:
            shown = self.run(view, page, self.system, self.sheets[identity].gold)
            picture = self._tiles.size(identity, page)
            return shown | {"id": identity, "picture": picture, "tile": TILE, "model": self.shelf.name}

        return self._answer(("view", identity, self.shelf.name), make)

    def cut(self, identity: str, method: str, pdoc: int) -> bytes:
        """Return a segmentation as JSON."""
        return self._answer(
            ("cut", identity, method, pdoc), lambda: self.run(cut_view, self.page(identity), method, pdoc)
        )

    def reasons(self, identity: str, method: str, pdoc: int) -> bytes:
        """Return as JSON what contributed for and against each block."""
        return self._answer(
            ("reasons", identity, method, pdoc, self.shelf.name),
            lambda: self.run(block_reasons, self.page(identity), self.system, method, pdoc),
        )

    def agreement(self, identity: str, names: Sequence[str]) -> bytes:
        """Return as JSON what systems keep of a page, and how far they agree; ValueError for a name of none."""
        systems = [self.system if name == "blocksight" else system_named(name) for name in dict.fromkeys(names)]
        return self._answer(
            ("agreement", identity, *names, self.shelf.name),
            lambda: self.run(_agreement, self.page(identity), systems),
        )

    def tile(self, identity: str, number: int) -> bytes | None:
        """Return one piece of the page's picture."""
        return self._tiles.tile(identity, self.page(identity), number)

    def _answer(self, key: tuple[Any, ...], make: Callable[[], Any]) -> bytes:
        if key not in self._kept:
            self._kept[key] = orjson.dumps(make())
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    # -- the pages and their order ---------------------------------------------------------------------------------

    def _rank(self, sheet: Item) -> Rank:
        return self.run(rank, self.page(sheet.id), self.system)

    def queue(self, order: Order) -> list[dict[str, Any]]:
        """Return the pages in an order, with what is known of each."""
        if order not in ORDERS:
            raise ValueError(f"no such order: {order}; there are {', '.join(ORDERS)}")
        said = self.notebook.pages()
        return [self._listed(sheet, said.get(sheet.id)) for sheet in self._in_order(order)]

    def _in_order(self, order: Order) -> list[Item]:
        return ordered(list(self.sheets.values()), self.ranking.ranks, order)

    def _listed(self, sheet: Item, said: Any) -> dict[str, Any]:
        known = self.ranking.ranks.get(sheet.id)
        return {
            "id": sheet.id,
            "name": sheet.name,
            "site": sheet.site,
            "labels": 0 if said is None else len(said.leaves),
            "done": said is not None and said.done,
            "confidence": known.confidence if known and not known.error else None,
            "disputed": known.disputed if known and not known.error else None,
            "error": known.error if known else "",
        }

    # -- labels ----------------------------------------------------------------------------------------------------

    def labels(self, identity: str) -> dict[str, Any]:
        """Return what was said of a page by hand: in the end, change by change, and by others."""
        page = self.page(identity)
        said = self.notebook.said(identity)
        own = None if said is None else match_leaves(page, said)
        found: dict[str, Any] = {
            "who": self.notebook.who,
            "done": said is not None and said.done,
            "refused": 0 if own is None else own.unmatched,
            "content": [] if own is None else own.content.tolist(),
            "role": [] if own is None else own.role.tolist(),
            "changes": [
                {"change": change.kind, "leaves": [[one.index, one.role or None, one.content] for one in change.leaves]}
                for change in self.notebook.changes(identity)
            ],
            "others": {},
        }
        others, found["unreadable"] = self.notebook.others()
        for who, pages in others.items():
            if identity in pages:
                other = match_leaves(page, pages[identity])
                kappa, both = (float("nan"), 0) if own is None else annotation_agreement(own, other)
                found["others"][who] = {
                    "content": other.content.tolist(),
                    "role": other.role.tolist(),
                    "kappa": None if math.isnan(kappa) else round(kappa, 3),
                    "both": both,
                }
        return found

    def add(self, identity: str, kind: str, shown: str, leaves: Sequence[Sequence[Any]]) -> None:
        """Write down what was said of leaves: place, digest, role or null, content or null each.

        Raises
        ------
        OtherText
            When the page that was shown had another text.
        ValueError
            When it is no change.
        """
        page = self.page(identity)
        if shown != fingerprint(page):
            raise OtherText("this page has another text than the one that was shown: load it again")
        self._opening.keep(self.sheets[identity], page)
        self.notebook.add(identity, page.url, kind, leaves)

    # -- models ----------------------------------------------------------------------------------------------------

    def use(self, name: str) -> None:
        """Judge by another model of the shelf from now on; KeyError where there is none."""
        self.shelf.use(name)
        self.ranking.start()


def _refuse_links(folder: Path) -> None:
    """Refuse a folder that somebody else may have prepared: files in it are written to."""
    links = [path for name in ("pages", "labels", "models") for path in (folder / name).glob("*") if path.is_symlink()]
    if links:
        raise FolderUnsafe(f"{links[0]} is a link: put the file itself there, or take it out")


def _agreement(page: Page, systems: Sequence[Any]) -> dict[str, Any]:
    found = compare_systems(page, systems)
    return {
        "names": found.names,
        "words": found.kept_words.tolist(),
        "whole": int(found.words.sum()),
        "disputed": round(found.disputed, 4),
        "overlap": found.overlap.round(3).tolist(),
        "agreement": found.agreement.round(3).tolist(),
        "marks": ["".join("1" if one else "0" for one in marks) for marks in found.marks.tolist()],
        "errors": found.errors,
    }


def _warm() -> None:
    page = parse("<p>Fresh water is boiled, the pot is warmed, and the leaves draw.</p>")
    compare_systems(page, ["blocksight-dom"])
