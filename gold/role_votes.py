"""Roles of a page's rows, combined from the votes of labeling functions: no role rather than a wrong one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..features.alignment import LEAST_SHARE
from ..features.rows import Rows
from ..page.arrays import FloatArray, Marks
from ..page.role_names import CONTENT_ROLES, ROLE, ROLES
from .labeling_functions.gold_text import gold_text_votes
from .labeling_functions.head import head_votes
from .labeling_functions.label_context import SOURCES, LabelContext, Vote, label_context
from .labeling_functions.markup import markup_votes
from .pages import GoldPage

#: Ranks of equally trusted sources, the most trusted first.
_RANKS = (
    ("construction",),
    ("typed block", "post"),
    ("gold field", "comment text"),
    ("json-ld", "meta", "microdata", "hentry"),
    ("tag",),
    ("class",),
    ("gold text",),
)
#: A row with less than this share in the gold is certainly no body.
LEFT_OUT = 0.2
#: Words from which a row of comments is recognised.
COMMENT_WORDS = 4
#: Roles outside of any text.
OUTSIDE_ROLES = ("related", "navigation", "promotion", "notice", "form", "footer")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoleLabels:
    """Roles of a page's rows."""

    role: NDArray[np.int8]  # int8 (rows,): Index into :data:`~blocksight.page.role_names.ROLES`, -1 if unknown
    #: int8 (rows,): Index into :data:`~blocksight.gold.labeling_functions.label_context.SOURCES`, -1 if the role is
    #: unknown.
    source: NDArray[np.int8]
    #: bool (rows, roles): Roles that a row certainly does not have: all others if the role is known, else for example
    #: body if the row is not in the gold.
    excluded: NDArray[np.bool_]


def label_roles(rows: Rows, gold: GoldPage, share: FloatArray) -> RoleLabels:
    """Label the role of each row by the most trusted source that votes for one.

    Typed blocks and the corpus' own fields are trusted more than structured data of the page, these more than tags,
    tags more than classes. If equally trusted sources contradict each other, or a class contradicts the gold text, the
    role is unknown.

    Parameters
    ----------
    rows : Rows
        Of a parsed or rendered page.
    gold : GoldPage
    share : float64 (rows,)
        Share of each row's words in the gold (:func:`~blocksight.gold.leaf_labels.label_rows`).
    """
    context = label_context(rows, gold, share)
    votes = [*gold_text_votes(context), *head_votes(context), *markup_votes(context)]
    role, source = _combine(len(rows), votes)
    if gold.kind == "forum":
        # The text of a forum page is its posts, whatever the markup calls them.
        role[np.isin(role, [ROLE["comment"], ROLE["body"]]) & context.in_gold] = ROLE["post"]
    dropped = _contradicts_gold(context, role, source)
    role[dropped] = source[dropped] = -1
    if gold.roles.generated:
        generated = dropped & context.in_gold
        role[generated], source[generated] = ROLE["body"], SOURCES.index("gold text")
    return RoleLabels(role=role, source=source, excluded=_excluded(context, role))


def _combine(count: int, votes: list[Vote]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return role and source of each row, both int8 (rows,)."""
    role = np.full(count, -1, dtype=np.int8)
    source = np.full(count, -1, dtype=np.int8)
    settled = np.zeros(count, dtype=bool)
    for rank in _RANKS:
        own = [vote for vote in votes if vote.source in rank]
        for vote in sorted(own, key=lambda vote: rank.index(vote.source)):
            if vote.role:
                fresh = vote.rows & ~settled & (role < 0)
                source[fresh] = SOURCES.index(vote.source)
                role[fresh] = ROLE[vote.role]
        role[_contradictory(count, own) & ~settled] = -1
        for vote in own:
            settled |= vote.rows
    return role, np.where(role < 0, -1, source).astype(np.int8)


def _contradictory(count: int, votes: list[Vote]) -> Marks:
    """Return the rows with votes for several roles; name and date in one row are a byline.

    A veto alone leaves a row without role anyway; together with a role it is a contradiction.
    """
    by_role: dict[str, Marks] = {}
    for vote in votes:
        by_role[vote.role] = by_role.get(vote.role, np.zeros(count, dtype=bool)) | vote.rows
    if "author" in by_role and "date" in by_role:
        by_role["date"] = by_role["date"] & ~by_role["author"]
    several: Marks = np.sum([np.zeros(count), *by_role.values()], axis=0) > 1
    return several


def _contradicts_gold(context: LabelContext, role: NDArray[np.int8], source: NDArray[np.int8]) -> Marks:
    """Return the rows in the gold with a role outside of any text, and the body rows that are not in the gold."""
    by_markup = np.isin(source, [SOURCES.index(name) for name in ("tag", "class")])
    outside = np.isin(role, [ROLE[name] for name in OUTSIDE_ROLES])
    left_out = np.nan_to_num(context.share, nan=1.0) < LEAST_SHARE
    body = np.isin(role, [ROLE["body"], ROLE["post"]]) & (source != SOURCES.index("typed block"))
    marks: Marks = (by_markup & outside & context.in_gold) | (body & left_out)
    return marks


def _excluded(context: LabelContext, role: NDArray[np.int8]) -> NDArray[np.bool_]:
    unknown = role < 0
    excluded = np.repeat(~unknown[:, None], len(ROLES), axis=1)
    excluded[~unknown, role[~unknown]] = False

    def exclude(rows: Marks, *names: str) -> None:
        for name in names:
            excluded[unknown & rows, ROLE[name]] = True

    exclude(np.nan_to_num(context.share, nan=1.0) < LEFT_OUT, "body", "post")
    exclude(context.in_gold, *OUTSIDE_ROLES)
    if context.gold.roles.generated:
        exclude(context.in_gold, "author", "date", "comment")
    if (role == ROLE["title"]).any():
        exclude(np.asarray([key not in context.titles for key in context.keys], dtype=bool), "title")
    if context.gold.roles.comments:
        exclude(context.rows.words >= COMMENT_WORDS, "comment")
    return excluded


def disputed_rows(role: NDArray[np.int8], in_gold: Marks, roles: Collection[str]) -> Marks:
    """Return the rows of some roles that are content by a gold and not by the default, or the other way round.

    Some corpora include headlines, others captions, bylines or teasers. ``role`` is an index into
    :data:`~blocksight.page.role_names.ROLES`, -1 if unknown.
    """
    disputed, content = (np.isin(role, [ROLE[name] for name in names]) for names in (roles, CONTENT_ROLES))
    marks: Marks = disputed & (content != in_gold)
    return marks
