"""Extraction: mark the content of a page with a system, and build its document."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, get_args

from ..classify.roles import KEPT, kept_marks, roles_to_keep
from ..classify.system import Judgement, System, checked_marks, is_judge, marks_of, page_for
from ..classify.systems import as_system
from ..page.arrays import DIGITS
from ..page.lazy import Lazy
from ..page.page import Page
from ..page.visibility import invisible_leaves, with_hidden_text
from .content.markdown_elements import Spans
from .document import Document, LeafPrediction, document

if TYPE_CHECKING:
    from ..render.browser import Browser, Source

HiddenText = Literal["drop", "keep", "mark", "report"]
Images = Literal["keep", "none"]
Shown = Literal["content", "all"]


class OutputForm(TypedDict, total=False):
    """Form of documents: arguments of :func:`extract`."""

    images: Images
    headline: bool
    spans: Spans


def extract(
    page: Page | Source,
    *,
    system: System | str | Callable[[str], str | None] = "blocksight",
    browser: Browser | Literal["auto"] | None = None,
    hidden: HiddenText = "drop",
    blocks: Shown = "content",
    keep: str | Iterable[str] | None = None,
    timeout: float | None = None,
    **form: Unpack[OutputForm],
) -> Document:
    """Extract the content of a page.

    Parameters
    ----------
    page : Page, or str, path or bytes
        Rendered, loaded or parsed; without geometry, ``blocksight`` uses markup and text alone. With ``browser``, also
        an address, a file, or the bytes of a document.
    system : System, str or callable
        One of :data:`~blocksight.classify.systems.SYSTEMS` or :data:`~blocksight.classify.systems.PEERS` by name, any
        object with ``mark`` and ``card``, or a function from HTML to text. A system with ``judge``
        (:class:`~blocksight.classify.system.Judge`) gives the blocks scores and the document a confidence.
    browser : Browser or "auto", optional
        Open an address or a file: its raw HTML first, and the browser only if the verdict or the confidence asks
        for it; ``Document.route`` says which and why. The browser also fetches the HTML of addresses, with its guard,
        session and limits. "auto" starts one for this call; pass a :class:`~blocksight.render.browser.Browser` for
        several calls.
    hidden : str
        What to do with invisible text: "drop" it, "keep" it as if it were visible (collapsed parts of a page, for
        example), or "mark" it: keep it, and each block has the reason why it is not visible. "report" drops it, and the
        command line prints the report that each document has as ``hidden``.
    blocks : str
        "all" keeps every block of the page with its verdict (``all_blocks``), not only the "content".
    keep : str or iterable of str, optional
        Roles to keep in addition to the body and the posts of a forum (:data:`~blocksight.page.role_names.ROLES`):
        "title,caption,comments", "all". By default of standfirst and notes (:data:`~blocksight.classify.roles.KEPT`)
        those that belong to the text; if both are kept, also the captions of the pictures that are written, and who
        wrote each post, and when.
    timeout : float, optional
        Seconds for a page, after it was opened: a process does the work, and is killed after them. The document has its
        formats then; a page and a system of your own must be picklable.

    Other Parameters
    ----------------
    images : str
        What to do with pictures of the content: "keep" them, or "none".
    headline : bool
        Whether Markdown and HTML start with the title if no heading of the content has the same text. Plain text has
        no title.
    spans : str
        How Markdown has cells of a table that span columns or rows: "repeat" the text in each, leave the others
        "blank", or write such tables as "html".

    Returns
    -------
    Document
        ``text``, ``markdown`` and ``html`` are empty if the page has no main text; each is written on first access.

    Raises
    ------
    ValueError
        If no system has that name, an option has none of its values, ``keep`` names no role or the system has none,
        or a custom system does not return one mark for each text leaf.
    TypeError
        If ``page`` is no Page, or ``system`` of another type.
    GeometryMissing
        If the system needs geometry and the page has none.
    PeerMissing
        If the system is a peer that is not installed.
    TimedOut
        If it is not done within ``timeout``.
    """
    settings = partial(extract, system=system, hidden=hidden, blocks=blocks, keep=keep, **form)
    if timeout is not None:
        settings = partial(_extracted_in_time, settings, timeout)
    if not isinstance(page, Page):
        return _opened(page, browser, settings)
    if timeout is not None:
        return settings(page)
    if unknown := form.keys() - OutputForm.__annotations__.keys():
        raise TypeError(f"extract() got an unexpected keyword argument {min(unknown)!r}")
    images, headline, spans = form.get("images", "keep"), form.get("headline", True), form.get("spans", "blank")
    given = {
        "hidden": (hidden, HiddenText),
        "images": (images, Images),
        "spans": (spans, Spans),
        "blocks": (blocks, Shown),
    }
    for name, (value, kind) in given.items():
        *others, last = get_args(kind)
        if value not in (*others, last):
            raise ValueError(f"{name} must be {', '.join(others)} or {last}, not {value!r}")
    kept = roles_to_keep(keep)
    keeps_usual = set(KEPT) <= set(kept)
    reasons = page.hidden if hidden == "mark" else None
    original = page
    page = page if hidden in ("drop", "report") else with_hidden_text(page)
    chosen = as_system(system)
    judgement = chosen.judge(page_for(chosen, page)) if is_judge(chosen) else None
    marks = checked_marks(chosen, judgement.marks, page) if judgement else marks_of(chosen, page)
    probability = judgement.probability if judgement else None
    predicted = LeafPrediction(
        system=(judgement.by if judgement else "") or chosen.card.name,
        scores=probability,
        reasons=reasons,
        roles=judgement.roles if judgement else None,
        confidence=Lazy(partial(_confidence, judgement)) if judgement else None,
        against=judgement.against if judgement else None,
        records=judgement.records if judgement else None,
        original=original,
    )
    if predicted.roles is not None:
        marks = marks if keep is None else kept_marks(marks, predicted.roles, kept)
        if keeps_usual and predicted.roles.signature is not None:
            marks = marks | predicted.roles.signature
    elif keep is not None:
        raise ValueError(
            f"keep: {chosen.card.name} has no roles; blocksight and blocksight-dom with their own models do"
        )
    # A system without geometry may mark text that is not visible.
    marks = marks & ~invisible_leaves(page)
    extracted = document(
        page,
        marks,
        predicted,
        images=images == "keep",
        headline=headline,
        captions=keeps_usual or "caption" in kept,
    )
    extracted = extracted if spans == "blank" else replace(extracted, spans=spans)
    if blocks == "content":
        return extracted
    # Only needed here.
    from .explain import explain_blocks

    against = None if predicted.against is None else predicted.against.value
    return replace(extracted, verdicts=explain_blocks(page, marks, probability, predicted.roles, against))


def _extracted_in_time(settings: Callable[[Page], Document], seconds: float, page: Page) -> Document:
    from ..processes.workers import run_in_time

    return run_in_time(seconds, page.url, _in_full, settings, page)


def _in_full(settings: Callable[[Page], Document], page: Page) -> Document:
    """Extract a page, and write its document, which is cached in it."""
    extracted = settings(page)
    for form in ("text", "markdown", "html"):
        getattr(extracted, form)
    return extracted


def _confidence(judgement: Judgement) -> float | None:
    return round(judgement.expected_f1, DIGITS)


def _opened(source: object, browser: Browser | str | None, settings: Callable[[Page], Document]) -> Document:
    """Extract a source that is opened first."""
    # Pages are extracted without the browser's libraries.
    from ..render.browser import Browser
    from .route import extract_by_route

    is_html = isinstance(source, str) and source.lstrip().startswith("<")
    if browser is None or is_html or not isinstance(source, str | os.PathLike | bytes):
        raise TypeError(
            f"extract takes a Page, not a value of type {type(source).__name__}: extract(parse(html)), "
            'extract(load(path)) for a saved page, extract(source, browser="auto") for an address or a file'
        )
    if isinstance(browser, Browser):
        return extract_by_route(browser, source, settings)
    if browser != "auto":
        raise ValueError(f'browser must be a Browser or "auto", not {browser!r}')
    with Browser() as started:
        return extract_by_route(started, source, settings)
