"""The pages that are to be inspected: what was named, what lies in folders, and pages of corpora with their gold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from ..batch.sources.inputs import input_of
from ..errors import BlocksightError
from ..gold.corpora import read_corpus
from ..gold.pages import GoldPage
from ..render.sources.sources import is_address

#: Endings of the files of a folder that are pages.
ENDINGS = (".page", ".html", ".htm", ".xhtml", ".mhtml", ".mht")
#: Fixtures of this project, for a first look: a page each, ``page.html``.
DEMO_PAGES = ("magazine", "news", "liquid", "index", "short")
#: What lies in the folder of a corpus.
GOLD = "gold.jsonl"


class NothingToInspect(BlocksightError):
    """No page was named, and none lies in the folders that were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One page to be inspected.

    Attributes
    ----------
    id : str
        The same for the same source, whenever it is named (:func:`~blocksight.batch.sources.inputs.input_of`).
    name : str
        To be read by a person.
    source : str
        An address or the path of a file.
    site : str
        What it shares with other pages of its site: the host of an address, else the folder of the file.
    gold : GoldPage or None
        What a corpus says of it.
    """

    id: str
    name: str
    source: str
    site: str
    gold: GoldPage | None = None


def items_of(sources: Sequence[str], gold: Path | None = None) -> tuple[Item, ...]:
    """Collect the pages of some sources, each once.

    Parameters
    ----------
    sources : sequence of str
        Addresses, files, and folders: corpora (with a ``gold.jsonl``), or any others, of which every page is taken.
    gold : Path, optional
        The ``gold.jsonl`` of a corpus. Its entries are for the pages of the same id or address; without sources, all of
        its pages are taken.

    Raises
    ------
    NothingToInspect
        When there is no page.
    CorpusUnreadable
        When a corpus cannot be read.
    """
    known = read_corpus(gold.parent) if gold is not None else []
    found: list[Item] = [] if sources else [_of_corpus(page) for page in known if not page.error]
    for source in sources:
        found += _sheets(source)
    by_name = {page.id: page for page in known} | {page.url: page for page in known if page.url}
    once = {sheet.id: _with_gold(sheet, by_name) for sheet in found}
    if not once:
        raise NothingToInspect("no page was found: name addresses, files or folders with pages, or try --demo")
    return tuple(once.values())


def _sheets(source: str) -> Iterator[Item]:
    path = Path(source)
    if is_address(source) or not path.is_dir():
        yield item_of(source)
    elif (path / GOLD).is_file():
        yield from (_of_corpus(page) for page in read_corpus(path) if not page.error)
    else:
        files = sorted(file for file in path.rglob("*") if file.suffix.lower() in ENDINGS and file.is_file())
        yield from (item_of(str(file)) for file in files)


def item_of(source: str) -> Item:
    """Return the sheet of an address or a file."""
    if is_address(source):
        return Item(id=input_of(source).id, name=source, source=source, site=urlsplit(source).hostname or source)
    path = Path(source).resolve()
    return Item(id=input_of(path).id, name=f"{path.parent.name}/{path.name}", source=str(path), site=path.parent.name)


def _of_corpus(page: GoldPage) -> Item:
    site = page.site if page.domain or page.url_path else urlsplit(page.url or "").hostname or page.site
    return Item(id=input_of(page.path).id, name=page.name, source=str(page.path), site=site, gold=page)


def _with_gold(sheet: Item, known: Mapping[str, GoldPage]) -> Item:
    if sheet.gold is not None:
        return sheet
    gold = known.get(sheet.source) or known.get(Path(sheet.source).stem)
    return sheet if gold is None else replace(sheet, gold=gold)


def demo_items() -> tuple[Item, ...]:
    """Return the pages that come with blocksight."""
    fixtures = Path(__file__).parent.parent / "fixtures"
    return tuple(item_of(str(fixtures / name / "page.html")) for name in DEMO_PAGES)
