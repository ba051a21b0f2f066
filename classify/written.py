"""What a system writes and says itself beside its marks: Markdown, and title, authors and date of a page."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from ..document.document import document
from ..document.metadata.metadata import metadata
from ..page.arrays import Marks
from ..page.page import Page
from .system import System, page_for


class Stated(NamedTuple):
    """What is said of a page; "" and () for what is not.

    ``title`` is without the name of the site, ``date`` the day of publication as ISO 8601.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""


@runtime_checkable
class Writer(System, Protocol):
    """A system that writes Markdown itself."""

    def markdown(self, page: Page) -> str | None:
        """Return the content of a page as Markdown; None to have it written from the marks."""
        ...


@runtime_checkable
class Witness(System, Protocol):
    """A system that finds title, authors and date itself."""

    def stated(self, page: Page) -> Stated | None:
        """Return what it finds; None where it does not look for them."""
        ...


def markdown_of(system: System, page: Page, marks: Marks) -> str:
    """Return the content as Markdown: the system's own, else written from what it has marked, without a title above."""
    own = system.markdown(page_for(system, page)) if isinstance(system, Writer) else None
    return document(page, marks, headline=False).markdown if own is None else own


def stated_of(system: System, page: Page) -> Stated | None:
    """Return what is said of the page: by the system itself, else by blocksight; None where it does not look for it."""
    if isinstance(system, Witness):
        return system.stated(page_for(system, page))
    found = metadata(page)
    return Stated(title=found.title, authors=found.authors, date=found.published[:10])
