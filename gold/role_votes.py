"""The role of each row of a page, as witnesses say who can be trusted: none rather than a wrong one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..features.alignment import LEAST_SHARE
from ..features.rows import Rows
from ..page.arrays import Marks
from ..page.page import Page
from ..page.role_names import ROLE, ROLES
from .labeling_functions.gold_text import gold_text_votes
from .labeling_functions.head import head_votes
from .labeling_functions.label_context import WITNESSES, LabelContext, Vote
from .labeling_functions.markup import markup_votes
from .pages import GoldPage

__all__ = ["ROLES", "WITNESSES", "RoleLabels", "role_gold"]

#: Witnesses whose word is taken before that of the others', in ranks of equal trust.
_RANKS = (
    ("construction",),
    ("typed block", "post"),
    ("gold field", "comment text"),
    ("json-ld", "meta", "microdata", "hentry"),
    ("tag",),
    ("class",),
    ("site rule", "gold text"),
)
#: A row of which the gold holds less than this is certainly not of the text.
LEFT_OUT = 0.2
#: A row of comments is known by this many words.
COMMENT_WORDS = 4
#: Roles that stand outside of any text.
_OUTSIDE = ("related", "navigation", "promotion", "notice", "form", "footer")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoleLabels:
    """Roles of a page's rows.

    Attributes
    ----------
    role : int8 (rows,)
        Index into :data:`~blocksight.page.role_names.ROLES`, -1 where nothing is known.
    witness : int8 (rows,)
        Index into :data:`~blocksight.gold.labeling_functions.label_context.WITNESSES`, -1 where there is none.
    excluded : bool (rows, roles)
        Roles that a row certainly does not have. A row of a known role has no other; of one without, some may be known
        to be wrong: what the gold leaves out is no body.
    """

    role: NDArray[np.int8]
    witness: NDArray[np.int8]
    excluded: NDArray[np.bool_]


def role_gold(page: Page, rows: Rows, gold: GoldPage, *, heed_gold: bool = True) -> RoleLabels:
    """Say the role of each row, as far as a witness knows it.

    Of several witnesses the most trusted is believed: people who typed blocks and the corpus' own fields before what
    the page says in data made for machines, that before tags, tags before classes. Where those of equal trust
    contradict each other, or a class contradicts the gold text, nothing is known.

    Parameters
    ----------
    page : Page
        Parsed or rendered.
    rows : Rows
        Of that page.
    gold : GoldPage
    heed_gold : bool
        Whether a role by tag or class is doubted where the gold text contradicts it. Without that, it shows what the
        gold holds of each role.
    """
    scene = LabelContext(page, rows, gold)
    claims = [*gold_text_votes(scene), *head_votes(scene), *markup_votes(scene)]
    role, witness = _decided(scene, claims)
    if gold.kind == "forum":
        # The text of a forum's page is what its posts say, whatever they are called.
        role[np.isin(role, [ROLE["comment"], ROLE["body"]]) & scene.kept] = ROLE["post"]
    doubted = _against_gold(scene, role, witness) if heed_gold else scene.none()
    role[doubted] = witness[doubted] = -1
    if gold.exact:
        made = doubted & scene.kept
        role[made], witness[made] = ROLE["body"], WITNESSES.index("gold text")
    return RoleLabels(role=role, witness=witness, excluded=_excluded(scene, role))


def _decided(scene: LabelContext, claims: list[Vote]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    role = np.full(len(scene.rows), -1, dtype=np.int8)
    witness = np.full(len(scene.rows), -1, dtype=np.int8)
    settled = scene.none()
    for rank in _RANKS:
        own = [claim for claim in claims if claim.witness in rank]
        for name in rank:
            for claim in (one for one in own if one.witness == name and one.role):
                fresh = claim.rows & ~settled & (role < 0)
                witness[fresh] = WITNESSES.index(name)
                role[fresh] = ROLE[claim.role]
        role = np.where(_contradicted(scene, own) & ~settled, -1, role).astype(np.int8)
        for claim in own:
            settled |= claim.rows
    return role, np.where(role < 0, -1, witness).astype(np.int8)


def _contradicted(scene: LabelContext, claims: list[Vote]) -> Marks:
    """Mark the rows that witnesses of one rank give several roles; name and date in one row are a by-line."""
    said: dict[str, Marks] = {}
    for claim in claims:
        said[claim.role] = said.get(claim.role, scene.none()) | claim.rows
    if "author" in said and "date" in said:
        said["date"] = said["date"] & ~said["author"]
    if not said:
        return scene.none()
    # What is doubted alone has no role anyway; a doubt beside a role is a contradiction.
    several: Marks = np.sum(list(said.values()), axis=0) > 1
    return several


def _against_gold(scene: LabelContext, role: NDArray[np.int8], witness: NDArray[np.int8]) -> Marks:
    """Mark the rows that the gold holds although their role stands outside of any text, and the other way round."""
    by_markup = np.isin(witness, [WITNESSES.index(name) for name in ("tag", "class")])
    outside = np.isin(role, [ROLE[name] for name in _OUTSIDE])
    left_out = np.nan_to_num(scene.share, nan=1.0) < LEAST_SHARE
    body = np.isin(role, [ROLE["body"], ROLE["post"]]) & (witness != WITNESSES.index("typed block"))
    marks: Marks = (by_markup & outside & scene.kept) | (body & left_out)
    return marks


def _excluded(scene: LabelContext, role: NDArray[np.int8]) -> NDArray[np.bool_]:
    known = role >= 0
    excluded = np.repeat(known[:, None], len(ROLES), axis=1)
    excluded[known, role[known]] = False
    left_out = ~known & (np.nan_to_num(scene.share, nan=1.0) < LEFT_OUT)
    held = ~known & scene.kept
    elsewhere = np.asarray([key not in scene.titles for key in scene.keys], dtype=bool)
    _exclude(excluded, left_out, "body", "post")
    _exclude(excluded, held, *_OUTSIDE)
    if scene.gold.exact:
        _exclude(excluded, held, "author", "date", "comment")
    if (role == ROLE["title"]).any():
        _exclude(excluded, ~known & elsewhere, "title")
    if scene.gold.comments:
        _exclude(excluded, ~known & (scene.rows.words >= COMMENT_WORDS), "comment")
    return excluded


def _exclude(excluded: NDArray[np.bool_], rows: Marks, *names: str) -> None:
    for name in names:
        excluded[rows, ROLE[name]] = True
