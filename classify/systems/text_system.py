"""A function from HTML to text as a system: its text is aligned with the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...features.alignment import leaves_of_text
from ...page.arrays import Marks
from ...page.page import Page
from ...page.to_html import to_html
from ...page.visibility import invisible_leaves
from ..system import Card


@dataclass(frozen=True, slots=True)
class TextSystem:
    """A function from HTML to text as a system.

    The function gets the page as HTML (:func:`~blocksight.page.to_html.to_html`, the rendered DOM if there is one);
    its result is aligned with the page's text leaves
    (:func:`~blocksight.features.alignment.leaves_of_text`). Text that is not on the page, or invisible, cannot be
    marked.

    Parameters
    ----------
    function : callable
        From str to str, or None for no text.
    name : str
        By default the function's.

    Examples
    --------
    >>> from blocksight.page.parse import parse
    >>> page = parse("<p>Home</p><p>Rain is on its way.</p>")
    >>> TextSystem(lambda html: "Rain is on its way.").mark(page).tolist()
    [False, True]
    """

    function: Callable[[str], str | None]
    name: str = ""

    @property
    def card(self) -> Card:
        """The description of the system, which has only a name."""
        name = self.name or getattr(self.function, "__name__", type(self.function).__name__)
        return Card(name=name, title="a function from HTML to text")

    def mark(self, page: Page) -> Marks:
        """Mark the leaves that the function's text was extracted from."""
        return marks_of_text(page, self.function(to_html(page)) or "")


def marks_of_text(page: Page, text: str) -> Marks:
    """Mark the visible leaves that a text was extracted from."""
    marks: Marks = leaves_of_text(page, text) & ~invisible_leaves(page)
    return marks
