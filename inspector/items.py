"""The pages of an inspection: from addresses, files and folders, and from corpora with their gold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ..batch.sources.inputs import input_of
from ..batch.sources.lists import inputs_of
from ..errors import BlocksightError
from ..gold.corpora import read_corpus
from ..gold.pages import GoldPage
from ..render.sources.sources import is_address

#: Fixtures of this project, for the demo: one ``page.html`` each.
DEMO_PAGES = ("magazine", "news", "liquid", "index", "short")
#: The file that makes a folder a corpus.
GOLD = "gold.jsonl"


class NothingToInspect(BlocksightError):
    """No page was named, and the folders contain none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorItem:
    """One page to inspect."""

    id: str  # Stable for a source
    name: str  # For display
    source: str  # An address or the path of a file
    site: str  # The host of an address, else the folder of the file
    gold: GoldPage | None = None  # Of a page of a corpus


def items_of(sources: Sequence[str]) -> tuple[InspectorItem, ...]:
    """Collect the pages of addresses, files, corpora (folders with a ``gold.jsonl``) and other folders, each once.

    Raises NothingToInspect if there is no page, CorpusUnreadable if a corpus cannot be read.
    """
    unique = {item.id: item for source in sources for item in _expanded(source)}
    if not unique:
        raise NothingToInspect("no page was found: name addresses, files or folders with pages, or try --demo")
    return tuple(unique.values())


def _expanded(source: str) -> Iterator[InspectorItem]:
    if (Path(source) / GOLD).is_file():
        yield from (_item_of_gold(page) for page in read_corpus(source) if not page.error)
    else:
        yield from (item_of(entry.source) for entry in inputs_of([source]))


def item_of(source: str) -> InspectorItem:
    """Return the item of an address or a file."""
    if is_address(source):
        return InspectorItem(
            id=input_of(source).id, name=source, source=source, site=urlsplit(source).hostname or source
        )
    path = Path(source).resolve()
    return InspectorItem(
        id=input_of(path).id, name=f"{path.parent.name}/{path.name}", source=str(path), site=path.parent.name
    )


def _item_of_gold(page: GoldPage) -> InspectorItem:
    site = page.site if page.domain or page.url_path else urlsplit(page.url or "").hostname or page.site
    return InspectorItem(id=input_of(page.path).id, name=page.name, source=str(page.path), site=site, gold=page)


def demo_items() -> tuple[InspectorItem, ...]:
    """Return the pages of the demo."""
    fixtures = Path(__file__).parent.parent / "fixtures"
    return tuple(item_of(str(fixtures / name / "page.html")) for name in DEMO_PAGES)
