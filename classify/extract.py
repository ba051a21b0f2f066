"""A page to its content: judge it, and write down what is marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from ..render.page import Page
from ..render.visibility import concealed, revealed
from .document.document import Document, document
from .document.title import title_of
from .system import System
from .systems import as_system
from .systems.blocksight import Blocksight, BlocksightDom

HiddenText = Literal["drop", "keep", "mark"]


def extract(
    page: Page, *, system: System | str | Callable[[str], str | None] = "blocksight", hidden: HiddenText = "drop"
) -> Document:
    """Extract the content of a page.

    Parameters
    ----------
    page : Page
        Rendered, loaded or parsed; without geometry, ``blocksight`` works on markup and text alone.
    system : System, str or callable
        One of :data:`~blocksight.classify.systems.SYSTEMS` or :data:`~blocksight.classify.systems.PEERS` by name, any
        object with ``mark`` and ``card``, or a function from HTML to text.
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
    TypeError
        When ``system`` is nothing of the kind.
    GeometryMissing
        When the system looks at geometry and the page has none.
    PeerMissing
        When the system is a peer that is not installed.
    """
    if hidden not in get_args(HiddenText):
        raise ValueError(f"hidden must be drop, keep or mark, not {hidden!r}")
    reasons = page.hidden if hidden == "mark" else None
    page = page if hidden == "drop" else revealed(page)
    chosen = as_system(system)
    title = title_of(page)
    if isinstance(chosen, (Blocksight, BlocksightDom)):
        judgement = chosen.judge(page)
        return document(
            page,
            judgement.marks,
            title=title,
            system=chosen.card.name,
            scores=judgement.probability,
            reasons=reasons,
            confidence=round(judgement.expected_f1, 4),
        )
    given = page if chosen.card.visual else page.without_geometry()
    # Whoever cannot look may choose what nobody sees.
    marks = chosen.mark(given) & ~concealed(page)
    return document(page, marks, title=title, system=chosen.card.name, reasons=reasons)
