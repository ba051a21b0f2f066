"""A page to its content: judge it, and write down what is marked."""

from __future__ import annotations

from typing import Literal, get_args

from ..render.page import Page
from ..render.visibility import revealed
from .document import Document, document
from .system import System
from .systems import system_named
from .systems.blocksight import Blocksight, BlocksightDom
from .title import title_of

HiddenText = Literal["drop", "keep", "mark"]


def extract(page: Page, *, system: System | str = "blocksight", hidden: HiddenText = "drop") -> Document:
    """Extract the content of a page.

    Parameters
    ----------
    page : Page
        Rendered, loaded or parsed; without geometry, ``blocksight`` works on markup and text alone.
    system : System or str
        One of :data:`~blocksight.classify.systems.SYSTEMS` by name, or any object with ``mark`` and ``card``.

    hidden : str
        What to do with text that a person does not see: "drop" it, "keep" it as if it were seen (collapsed parts of a
        page, for example), or keep and "mark" it: each block then tells why it is not seen.

    Returns
    -------
    Document
        Its ``text``, ``markdown`` and ``html`` are empty where the page has no main text.

    Raises
    ------
    ValueError
        When no system has that name, or ``hidden`` is none of the three.
    """
    if hidden not in get_args(HiddenText):
        raise ValueError(f"hidden must be drop, keep or mark, not {hidden!r}")
    reasons = page.hidden if hidden == "mark" else None
    page = page if hidden == "drop" else revealed(page)
    chosen = system_named(system) if isinstance(system, str) else system
    title = title_of(page)
    if isinstance(chosen, (Blocksight, BlocksightDom)):
        judgement = chosen.judge(page)
        return document(
            page, judgement.marks, title=title, system=chosen.card.name, scores=judgement.probability, reasons=reasons
        )
    seen = page if chosen.card.visual else page.without_geometry()
    return document(page, chosen.mark(seen), title=title, system=chosen.card.name, reasons=reasons)
