"""What people, and the makers of a corpus, say of a page's parts: typed blocks, posts, comments, the text itself."""

from __future__ import annotations

import re

import numpy as np

from ...features.alignment import LEAST_SHARE, word_shares
from ...page.arrays import Marks
from ...page.html import TEXT
from ...page.page import Page
from ...page.role_names import ROLE
from ..leaf_labels import same_nodes
from .bylines import begins_with_by
from .head import is_dated
from .label_context import BODY_WORDS, LabelContext, Vote, key_of

#: Share of a row's words that must be found again in a text that is known.
MOSTLY = 0.8
#: Letters beside the name or the date of a post.
BESIDE_LETTERS = 12
#: Words of a link that names a text rather than a place of the site.
TEASER_WORDS = 6
#: What a typed block's roles are here. Those left out say too little of one row: pictures and videos are typed together
#: with the headlines of their teasers, advertisements with what stands beside them.
_TYPED = {
    "title": "title",
    "byline": "author",
    "body": "body",
    "comments": "comment",
    "navigation": "navigation",
    "footer": "footer",
    "logo": "other",
    "link list": "related",
}
_CONSTRUCTED = "data-role"
_BY_LINE = re.compile(r"^\W*(?:by|von|par|por|posted|written|published)\b|作者|记者|記者", re.IGNORECASE)


def gold_text_votes(scene: LabelContext) -> list[Vote]:
    """Return what is known of a page's text, its posts and comments, and of blocks that people typed."""
    people = [*_by_hand(scene), *_typed(scene), *_posts(scene), *_comments(scene)]
    return [*_constructed(scene), *people, *_rules(scene), *_body(scene)]


def _constructed(scene: LabelContext) -> list[Vote]:
    """Vote what a page made for training says in an attribute of its own."""
    column = scene.page.attribute(_CONSTRUCTED)
    named = np.flatnonzero(column >= 0)
    nearest = scene.page.nearest(column >= 0)
    said = {row: scene.page.strings[int(column[row])] for row in named.tolist()}
    claims = []
    for role in sorted(set(said.values()) & ROLE.keys()):
        own = np.asarray([said.get(row) == role for row in nearest.tolist()], dtype=bool)
        rows = scene.rows_in(own, 0.9) & own[scene.page.leaves][scene.rows.first_leaf]
        claims.append(Vote(witness="construction", role=role, rows=rows))
    return claims


def _by_hand(scene: LabelContext) -> list[Vote]:
    """Vote the rows most of whose text stands in nodes that a person gave one of our roles."""
    if not any(scene.gold.node_roles):
        return []
    node = same_nodes(scene.page, scene.gold)
    roles = np.append(np.asarray(scene.gold.node_roles, dtype=object), "")[node]
    length = scene.page.leaf_lengths.astype(np.float64)
    whole = np.maximum(scene.rows.summed(length), 1.0)
    return [
        Vote(witness="typed block", role=role, rows=scene.rows.summed(length * (roles == role)) >= MOSTLY * whole)
        for role in sorted(set(scene.gold.node_roles) & ROLE.keys())
    ]


def _typed(scene: LabelContext) -> list[Vote]:
    """Vote the rows most of whose text stands in leaves that people gave one role."""
    if not scene.gold.leaf_roles:
        return []
    rows = scene.rows
    roles = np.asarray(_leaf_roles(scene), dtype=object)
    length = scene.page.leaf_lengths.astype(np.float64)
    whole = np.maximum(rows.summed(length), 1.0)
    plain = (rows.link_density < LEAST_SHARE) & ~rows.in_heading
    claims = []
    for name, role in _TYPED.items():
        marks = rows.summed(length * (roles == name)) >= MOSTLY * whole
        if role in ("body", "comment"):
            marks &= plain & (rows.words >= BODY_WORDS)
        if role == "related":
            marks &= (rows.link_density >= LEAST_SHARE) & (rows.words >= TEASER_WORDS)
        if role == "title":
            marks &= _first_heading(scene, marks)
        claims.append(Vote(witness="typed block", role=role, rows=marks))
    return claims


def _first_heading(scene: LabelContext, marks: Marks) -> Marks:
    """Mark the first of some rows where it is a heading of a high level before the text; sections have titles, too."""
    first = scene.none()
    places = np.flatnonzero(marks)[:1]
    first[places[places < scene.start]] = True
    return first & scene.page.below(scene.page.has_tag("h1", "h2"))[scene.rows.node]


def _leaf_roles(scene: LabelContext) -> list[str]:
    """Return the role that people gave each text leaf, "" where nobody did."""
    known = {(leaf.path, leaf.number): leaf for leaf in scene.gold.leaf_roles}
    found = []
    for place, text in zip(_leaf_places(scene.page), scene.page.leaf_texts, strict=True):
        leaf = known.get(place)
        same = leaf is not None and key_of(text).startswith(key_of(leaf.beginning)[:10])
        found.append(leaf.role if leaf is not None and same else "")
    return found


def _leaf_places(page: Page) -> list[tuple[str, int]]:
    """Return the path of each leaf's element, and its number among the texts there."""
    paths: list[str] = []
    counts: list[dict[str, int]] = []
    places = {}
    for row, above in enumerate(page.parent.tolist()):
        tag = page.tag_of(row)
        number = 1
        if above >= 0:
            number = counts[above][tag] = counts[above].get(tag, 0) + 1
        if tag == TEXT:
            places[row] = paths[above], number
        step = tag if tag == "html" else f"{tag}[{number}]"
        paths.append(f"{paths[above]}/{step}" if above >= 0 else f"/{step}")
        counts.append({})
    return [places[row] for row in page.leaves.tolist()]


def _posts(scene: LabelContext) -> list[Vote]:
    """Vote the texts of a forum's posts, and the short lines that say who wrote them and when."""
    posts = scene.gold.posts
    if not posts:
        return []
    rows = scene.rows
    text = word_shares(rows.texts, "\n".join(post.text for post in posts)) >= MOSTLY
    short = (rows.words <= 16) & ~text
    names = {key_of(post.author) for post in posts} - {""}
    days = {key_of(post.date) for post in posts} - {""}
    named = short & np.asarray([_little_beside(key, names, days) for key in scene.keys], dtype=bool)
    dated = short & np.asarray([_little_beside(key, days, set()) for key in scene.keys], dtype=bool)
    return [
        Vote(witness="post", role="post", rows=text),
        Vote(witness="post", role="author", rows=named),
        Vote(witness="post", role="date", rows=dated & ~named),
    ]


def _little_beside(key: str, wanted: set[str], known: set[str]) -> bool:
    """Return whether a row holds one of some texts, and but for other known ones not much more."""
    rest = next((key.replace(text, "", 1) for text in sorted(wanted, key=len, reverse=True) if text in key), None)
    if rest is None:
        return False
    beside = next((text for text in known if text in rest), "")
    return len(rest) - len(beside) <= BESIDE_LETTERS


def _comments(scene: LabelContext) -> list[Vote]:
    if not scene.gold.comments:
        return []
    found = word_shares(scene.rows.texts, scene.gold.comments) >= MOSTLY
    lines = (scene.rows.words <= 16) & [begins_with_by(text) or is_dated(text) for text in scene.beginnings]
    rows = found & ~scene.kept & (scene.rows.words >= 4) & ~lines
    return [Vote(witness="comment text", role="comment", rows=rows)]


def _rules(scene: LabelContext) -> list[Vote]:
    """Vote what a trusted rule of the site calls body, and the gold, too."""
    rows = (np.nan_to_num(scene.rules_share) >= MOSTLY) & scene.kept
    return [Vote(witness="site rule", role="body", rows=rows & _inside(scene))]


def _body(scene: LabelContext) -> list[Vote]:
    """Vote the rows of the gold text: paragraphs, and what stands between them and looks like nothing else.

    Where the texts are those that the page was made from, all of them.
    """
    rows = scene.rows
    if not scene.gold.texts or scene.gold.leaf_roles:
        return []
    if scene.gold.exact:
        return [Vote(witness="gold text", role="body", rows=np.nan_to_num(scene.share) >= MOSTLY)]
    found = (np.nan_to_num(scene.share) >= MOSTLY) & (rows.link_density < LEAST_SHARE)
    paragraph = found & (rows.words >= 2 * BODY_WORDS)
    return [Vote(witness="gold text", role="body", rows=paragraph | (found & _inside(scene) & ~_weak(scene)))]


def _inside(scene: LabelContext) -> Marks:
    place = np.arange(len(scene.rows))
    inside: Marks = (place >= scene.start) & (place < scene.stop)
    return inside


def _weak(scene: LabelContext) -> Marks:
    """Mark the rows that may be something else than the text among which they stand: lines, links, captions."""
    page, rows = scene.page, scene.rows
    pictures = page.count_within(page.has_tag("img", "picture", "video"))
    above = np.maximum(page.parent[rows.node], 0)
    beside = (pictures[above] > 0) & (page.sum_leaves(rows.leaf_words)[above] <= 2 * rows.words + 5)
    line = np.asarray([bool(_BY_LINE.search(text)) for text in scene.beginnings], dtype=bool) & (rows.words <= 16)
    marks: Marks = beside | line | (rows.words < 3) | page.below(page.has_tag("figure", "time"))[rows.node]
    return marks
