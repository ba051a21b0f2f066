"""A page to its content: judge it, and write down what is marked."""

from __future__ import annotations

from ..render.page import Page
from .document import Document, document
from .system import System
from .systems import system_named
from .systems.blocksight import Blocksight, BlocksightDom
from .title import title_of


def extract(page: Page, *, system: System | str = "blocksight") -> Document:
    """Extract the content of a page.

    Parameters
    ----------
    page : Page
        Rendered, loaded or parsed; without geometry, ``blocksight`` works on markup and text alone.
    system : System or str
        One of :data:`~blocksight.classify.systems.SYSTEMS` by name, or any object with ``mark`` and ``card``.

    Returns
    -------
    Document
        Its ``text``, ``markdown`` and ``html`` are empty where the page has no main text.

    Raises
    ------
    ValueError
        When no system has that name.
    """
    chosen = system_named(system) if isinstance(system, str) else system
    title = title_of(page)
    if isinstance(chosen, (Blocksight, BlocksightDom)):
        judgement = chosen.judge(page)
        return document(page, judgement.marks, title=title, system=chosen.card.name, scores=judgement.probability)
    seen = page if chosen.card.visual else page.without_geometry()
    return document(page, chosen.mark(seen), title=title, system=chosen.card.name)
