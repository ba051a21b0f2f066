"""The roles of a page's text leaves, and the selection of roles to keep."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import unknown_name
from ..page.arrays import DIGITS, TINY, FloatArray, Marks
from ..page.clean_text import clean
from ..page.page import Page
from ..page.role_names import CONTENT_ROLES, ROLE, ROLES

#: Roles that are always kept: without them there is no content.
ALWAYS = ("body", "post")
#: Roles that are also kept by default.
KEPT = tuple(role for role in CONTENT_ROLES if role not in ALWAYS)
#: Roles that metadata are read from, and the most characters of one.
METADATA_ROLES, METADATA_CHARACTERS = ("title", "author", "date"), 300
#: The name that selects all roles.
ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafRoles:
    """The roles of a page's text leaves.

    ``role``, int8 (leaves,), is an index into :data:`~blocksight.page.role_names.ROLES`, -1 if unknown;
    ``probability``, float64 (leaves,), is NaN there. ``signature``, bool (leaves,), marks who wrote the posts of a
    thread and when, as its records say; None for other pages.
    """

    role: NDArray[np.int8]
    probability: FloatArray
    signature: Marks | None = None

    def marked(self, names: Iterable[str]) -> Marks:
        """Mark the leaves of some roles."""
        # The last one is for -1.
        table = np.zeros(len(ROLES) + 1, dtype=bool)
        table[[ROLE[name] for name in names]] = True
        marks: Marks = table[self.role]
        return marks

    def outside(self, others: Marks) -> LeafRoles:
        """Return the roles without those of some leaves, bool (leaves,)."""
        return replace(self, role=np.where(others, -1, self.role).astype(np.int8))

    def of(self, leaves: list[int], lengths: NDArray[np.int64]) -> tuple[str | None, float | None]:
        """Return the role of most of the text of some leaves, with its probability; None if unknown."""
        role = self.role[leaves]
        known = role >= 0
        if not known.any():
            return None, None
        weight = lengths[leaves] * known + TINY * known
        best = int(np.argmax(np.bincount(role[known], weights=weight[known])))
        chosen = role == best
        likely = np.average(self.probability[leaves][chosen], weights=weight[chosen])
        return ROLES[best], round(float(likely), DIGITS)


def roles_to_keep(keep: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the roles to keep: :data:`ALWAYS` and the named ones, by default :data:`KEPT`.

    ``keep`` is a comma-separated string or an iterable of names, also in the plural; "all" is every role. Raises
    ValueError with a suggestion for an unknown role, TypeError for any other type.
    """
    if keep is None:
        return (*ALWAYS, *KEPT)
    if not isinstance(keep, Iterable):
        raise TypeError(f"keep takes names of roles, not a value of type {type(keep).__name__}")
    given = keep.split(",") if isinstance(keep, str) else list(keep)
    if not all(isinstance(name, str) for name in given):
        raise TypeError("keep takes names of roles, each a text")
    names = [_role(name.strip().lower()) for name in given if name.strip()]
    return ROLES if ALL in names else tuple(dict.fromkeys((*ALWAYS, *names)))


def _role(name: str) -> str:
    if name == ALL:
        return ALL
    singular = name.removesuffix("s")
    blocks = next((role for role in ROLES if role in (name, singular)), "")
    if not blocks:
        raise unknown_name("role", name, (ALL, *ROLES))
    return blocks


def kept_marks(marks: Marks, roles: LeafRoles, kept: Iterable[str]) -> Marks:
    """Return marks changed to the roles that were asked for (:func:`roles_to_keep`); all roles are the whole page.

    A role that was named comes from the whole page; of the usual ones only what the marks have is kept by default.
    """
    wanted = set(kept)
    added = wanted if wanted == {*ROLES} else wanted - {*ALWAYS}
    blocks: Marks = (marks & ~roles.marked({*KEPT} - wanted)) | roles.marked(added)
    return blocks


def title_text(page: Page, roles: LeafRoles) -> str:
    """Return the text of the most probable title, "" for none."""
    return next((text for role, text in role_texts(page, roles) if role == "title"), "")


def role_texts(page: Page, roles: LeafRoles) -> tuple[tuple[str, str], ...]:
    """Return role and text of blocks that are a title, an author or a date, the most probable first.

    Dates with the same tag and class, such as those of posts, are in document order: a thread is as old as its first
    post.
    """
    blocks: list[tuple[Kind, float, str]] = []
    owner, headings = page.owner[page.leaves], page.below(page.has_tag("h1", "h2", "h3"))[page.leaves]
    marked = np.flatnonzero(roles.marked(METADATA_ROLES))
    starts = np.flatnonzero(np.diff(owner[marked], prepend=-2) | np.diff(roles.role[marked], prepend=-2))
    for leaves in np.split(marked, starts[1:]) if len(marked) else ():
        text = clean(" ".join(page.leaf_texts[leaf] for leaf in leaves.tolist()))
        # A name in a heading is that of what is below it: a product, a person's profile.
        named = headings[leaves[0]] and ROLES[roles.role[leaves[0]]] == "author"
        if len(text) <= METADATA_CHARACTERS and not named:
            kind = _block_kind(page, int(owner[leaves[0]]), ROLES[roles.role[leaves[0]]])
            blocks.append((kind, float(roles.probability[leaves[0]]), text))
    likeliest: dict[Kind, float] = {}
    for kind, likely, _ in blocks:
        likeliest[kind] = max(likely, likeliest.get(kind, 0.0))
    return tuple((kind[0], text) for kind, _, text in sorted(blocks, key=lambda one: -likeliest[one[0]]))


#: A role; of dates also tag and class of the element that is one, else its row.
Kind = tuple[str, str]


def _block_kind(page: Page, row: int, role: str) -> Kind:
    comparable = role == "date" and row >= 0
    return role, f"{page.tag_of(row)} {page.attributes_of(row).get('class', '')}" if comparable else str(row)
