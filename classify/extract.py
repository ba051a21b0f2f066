"""A page to its content: judge it, and write down what is marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal, get_args

from ..document.document import Document, document
from ..document.roles import kept_marks, roles_to_keep
from ..page.page import Page
from ..page.visibility import invisible_leaves, with_hidden_text
from .system import Judge, System, checked_marks, marks_of, page_for
from .systems import as_system

HiddenText = Literal["drop", "keep", "mark"]
Images = Literal["keep", "none"]
Shown = Literal["content", "all"]


def extract(
    page: Page,
    *,
    system: System | str | Callable[[str], str | None] = "blocksight",
    hidden: HiddenText = "drop",
    images: Images = "keep",
    headline: bool = True,
    blocks: Shown = "content",
    keep: str | Iterable[str] | None = None,
) -> Document:
    """Extract the content of a page.

    Parameters
    ----------
    page : Page
        Rendered, loaded or parsed; without geometry, ``blocksight`` works on markup and text alone.
    system : System, str or callable
        One of :data:`~blocksight.classify.systems.SYSTEMS` or :data:`~blocksight.classify.systems.PEERS` by name, any
        object with ``mark`` and ``card``, or a function from HTML to text. One that also has ``judge``
        (:class:`~blocksight.classify.system.Judge`) gives the blocks their scores and the document its confidence.
    hidden : str
        What to do with text that a person does not see: "drop" it, "keep" it as if it were seen (collapsed parts of a
        page, for example), or keep and "mark" it: each block then says why it is not seen.
    images : str
        What to do with pictures of the content: "keep" them, or "none".
    headline : bool
        Whether Markdown and HTML begin with the title, where the content has no heading that says the same. Plain text
        is the content alone.
    blocks : str
        "all" keeps every block of the page with the verdict on it (``all_blocks``), not only those of the "content".
    keep : str or iterable of str, optional
        The roles of blocks that come out beside the body and the posts of a forum
        (:data:`~blocksight.page.role_names.ROLES`): "title,caption,comments", "all". By default those of
        :data:`~blocksight.document.roles.KEPT`.

    Returns
    -------
    Document
        Its ``text``, ``markdown`` and ``html`` are empty where the page has no main text. Each is written when it is
        first read.

    Raises
    ------
    ValueError
        When no system has that name, ``hidden``, ``images`` or ``blocks`` is none of those, ``keep`` names no role or
        the system tells none, or a system brought along does not return one mark a text leaf.
    TypeError
        When ``page`` is no Page, or ``system`` nothing of the kind.
    GeometryMissing
        When the system looks at geometry and the page has none.
    PeerMissing
        When the system is a peer that is not installed.
    """
    if not isinstance(page, Page):
        given = type(page).__name__
        raise TypeError(
            f"extract takes a Page, not a value of type {given}: pass parse(html), load(path) or Browser().open(url)"
        )
    if hidden not in get_args(HiddenText):
        raise ValueError(f"hidden must be drop, keep or mark, not {hidden!r}")
    if images not in get_args(Images):
        raise ValueError(f"images must be keep or none, not {images!r}")
    if blocks not in get_args(Shown):
        raise ValueError(f"blocks must be content or all, not {blocks!r}")
    kept = roles_to_keep(keep)
    reasons = page.hidden if hidden == "mark" else None
    page = page if hidden == "drop" else with_hidden_text(page)
    chosen = as_system(system)
    # Whoever cannot look may choose what nobody sees.
    seen = ~invisible_leaves(page)
    judgement = chosen.judge(page_for(chosen, page)) if isinstance(chosen, Judge) else None
    answer = checked_marks(chosen, judgement.marks, page) if judgement else marks_of(chosen, page)
    probability = judgement.probability if judgement else None
    roles = judgement.roles if judgement else None
    if roles is not None:
        answer = kept_marks(answer, roles, kept)
    elif keep is not None:
        raise ValueError(
            f"keep: {chosen.card.name} tells no roles; blocksight and blocksight-dom with their own models do"
        )
    found = document(
        page,
        answer & seen,
        system=(judgement.by if judgement else "") or chosen.card.name,
        scores=probability,
        reasons=reasons,
        confidence=round(judgement.expected_f1, 4) if judgement else None,
        images=images == "keep",
        headline=headline,
        roles=roles,
        captions=roles is None or "caption" in kept,
    )
    if blocks == "content":
        return found
    # What measures and names the blocks is needed here only.
    from .explain import explain_blocks

    return replace(found, verdicts=explain_blocks(page, chosen, answer & seen, probability, roles))
