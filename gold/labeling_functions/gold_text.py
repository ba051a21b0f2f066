"""Labeling functions that read the gold: typed blocks, posts, comments and the gold text itself."""

from __future__ import annotations

import re

import numpy as np

from ...features.alignment import LEAST_SHARE, word_shares
from ...page.arrays import Marks
from ...page.clean_text import letters_of
from ...page.html import TEXT
from ...page.page import Page
from ...page.role_names import ROLE
from ..leaf_labels import matching_nodes
from ..pieces import labelled_nodes
from .bylines import starts_with_by
from .head import is_dated
from .label_context import BODY_WORDS, LabelContext, Vote, marked_rows, matching_rows, rows_within
from .markup import has_word

#: Share of a row's words that must be in a gold text.
MOSTLY = 0.8
#: Letters of a line besides the name or the date of a post.
MAX_OTHER_LETTERS = 12
#: Words from which a link names a text rather than a section of the site.
TEASER_WORDS = 6
#: Words of a byline or a date.
LINE_WORDS = 16
#: Our roles of typed blocks. Types that say too little of a single row are missing: pictures and videos are typed
#: together with the headlines of their teasers, advertisements with their surroundings.
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
#: Our roles of boxes outside of the content. Types that hold several roles are missing: sidebars, boxes of authors,
#: those of comments, which hold their forms, and footers, which may be those of a post.
_BOXES = {
    "breadcrumb": "navigation",
    "pager": "navigation",
    "site-nav": "navigation",
    "tags": "navigation",
    "toc": "navigation",
    "search": "form",
    "newsletter": "promotion",
    "share": "promotion",
    "social": "promotion",
    "recent": "related",
    "related": "related",
    "cookie": "notice",
}
_CONSTRUCTED = "data-role"
_BYLINE = re.compile(r"^\W*(?:by|von|par|por|posted|written|published)\b|作者|记者|記者", re.IGNORECASE)


def gold_text_votes(context: LabelContext) -> list[Vote]:
    """Return the votes by the gold."""
    functions = (_constructed, _node_roles, _typed_leaves, _boxes, _posts, _comments, _body)
    return [vote for function in functions for vote in function(context)]


def _constructed(context: LabelContext) -> list[Vote]:
    """Vote by the attribute that pages generated for training have."""
    page = context.page
    column = page.attribute(_CONSTRUCTED)
    nearest = page.nearest(column >= 0)
    stated = {node: page.strings[int(column[node])] for node in np.flatnonzero(column >= 0).tolist()}
    votes = []
    for role in sorted(set(stated.values()) & ROLE.keys()):
        nodes = np.asarray([stated.get(node) == role for node in nearest.tolist()], dtype=bool)
        rows = rows_within(context.rows, nodes, 0.9) & nodes[page.leaves][context.rows.first_leaf]
        votes.append(Vote(source="construction", role=role, rows=rows))
    return votes


def _node_roles(context: LabelContext) -> list[Vote]:
    """Vote for rows of which most of the text is in nodes with a role by annotation."""
    nodes = labelled_nodes(context.gold)
    if not any(nodes.roles):
        return []
    roles = np.append(np.asarray(nodes.roles, dtype=object), "")[matching_nodes(context.page, nodes)]
    return [
        Vote(source="typed block", role=role, rows=_mostly(context, roles == role))
        for role in sorted(set(nodes.roles) & ROLE.keys())
    ]


def _mostly(context: LabelContext, leaves: Marks) -> Marks:
    """Return the rows of which most of the text is in some leaves, bool (rows,)."""
    length = context.page.leaf_lengths.astype(np.float64)
    marks: Marks = context.rows.summed(length * leaves) >= MOSTLY * np.maximum(context.rows.summed(length), 1.0)
    return marks


def _typed_leaves(context: LabelContext) -> list[Vote]:
    """Vote for rows of which most of the text is in leaves that annotators gave one type."""
    if not context.gold.roles.typed_leaves:
        return []
    rows = context.rows
    types = np.asarray(_leaf_types(context), dtype=object)
    plain = (rows.link_density < LEAST_SHARE) & ~rows.in_heading
    votes = []
    for name, role in _TYPED.items():
        marks = _mostly(context, types == name)
        if role in ("body", "comment"):
            marks &= plain & (rows.words >= BODY_WORDS)
        if role == "related":
            marks &= (rows.link_density >= LEAST_SHARE) & (rows.words >= TEASER_WORDS)
        if role == "title":
            marks &= _first_heading(context, marks)
        votes.append(Vote(source="typed block", role=role, rows=marks))
    return votes


def _first_heading(context: LabelContext, marks: Marks) -> Marks:
    """Return the first of some rows if it is an h1 or h2 before the text: sections have titles, too."""
    first = marked_rows(context, [row for row in np.flatnonzero(marks)[:1].tolist() if row < context.start])
    return first & context.page.below(context.page.has_tag("h1", "h2"))[context.rows.node]


def _leaf_types(context: LabelContext) -> list[str]:
    """Return the type of each text leaf by annotation, "" for leaves without one."""
    typed = {(leaf.path, leaf.number): leaf for leaf in context.gold.roles.typed_leaves}
    types = []
    for path, text in zip(_leaf_paths(context.page), context.page.leaf_texts, strict=True):
        leaf = typed.get(path)
        same = leaf is not None and letters_of(text).startswith(letters_of(leaf.prefix)[:10])
        types.append(leaf.role if leaf is not None and same else "")
    return types


def _leaf_paths(page: Page) -> list[tuple[str, int]]:
    """Return the path of each leaf's element, and the leaf's number among the texts there."""
    paths: list[str] = []
    counts: list[dict[str, int]] = []
    leaves = {}
    for row, parent in enumerate(page.parent.tolist()):
        tag = page.tag_of(row)
        number = 1
        if parent >= 0:
            number = counts[parent][tag] = counts[parent].get(tag, 0) + 1
        if tag == TEXT:
            leaves[row] = paths[parent], number
        step = tag if tag == "html" else f"{tag}[{number}]"
        paths.append(f"{paths[parent]}/{step}" if parent >= 0 else f"/{step}")
        counts.append({})
    return [leaves[row] for row in page.leaves.tolist()]


def _boxes(context: LabelContext) -> list[Vote]:
    """Vote for rows outside of the gold in boxes that the corpus names by class or id."""
    page, votes = context.page, []
    for selector, name in context.gold.roles.boxes:
        role = _BOXES.get(name)
        if role is not None:
            inside = has_word(page, "id" if selector.startswith("#") else "class", selector[1:].lower())
            votes.append(Vote(source="class", role=role, rows=rows_within(context.rows, inside) & ~context.in_gold))
    return votes


def _posts(context: LabelContext) -> list[Vote]:
    """Vote for the texts of a forum's posts, and for the short lines with their authors and dates."""
    posts = context.gold.roles.posts
    if not posts:
        return []
    text = word_shares(context.rows.texts, "\n".join(post.text for post in posts)) >= MOSTLY
    short = (context.rows.words <= LINE_WORDS) & ~text
    names = {letters_of(post.author) for post in posts} - {""}
    days = {letters_of(post.date) for post in posts} - {""}
    named = short & np.asarray([_is_line_of(key, names, days) for key in context.keys], dtype=bool)
    dated = short & np.asarray([_is_line_of(key, days, set()) for key in context.keys], dtype=bool)
    return [
        Vote(source="post", role="post", rows=text),
        Vote(source="post", role="author", rows=named),
        Vote(source="post", role="date", rows=dated & ~named),
    ]


def _is_line_of(key: str, keys: set[str], other_keys: set[str]) -> bool:
    """Return whether a row contains one of some keys and, apart from one of the others, few more letters."""
    rest = next((key.replace(name, "", 1) for name in sorted(keys, key=len, reverse=True) if name in key), None)
    if rest is None:
        return False
    other = next((name for name in other_keys if name in rest), "")
    return len(rest) - len(other) <= MAX_OTHER_LETTERS


def _comments(context: LabelContext) -> list[Vote]:
    if not context.gold.roles.comments:
        return []
    rows = context.rows
    in_comments = word_shares(rows.texts, context.gold.roles.comments) >= MOSTLY
    lines = (rows.words <= LINE_WORDS) & matching_rows(context, lambda line: starts_with_by(line) or is_dated(line))
    marks = in_comments & ~context.in_gold & (rows.words >= 4) & ~lines
    return [Vote(source="comment text", role="comment", rows=marks)]


def _body(context: LabelContext) -> list[Vote]:
    """Vote for paragraphs of the gold text, and for rows between them without signs of another role.

    If the page was generated from the texts, all their rows are body.
    """
    rows, gold = context.rows, context.gold
    if not gold.texts or gold.roles.typed_leaves:
        return []
    in_text = np.nan_to_num(context.share) >= MOSTLY
    if not gold.roles.generated:
        in_text &= rows.link_density < LEAST_SHARE
        in_text &= (rows.words >= 2 * BODY_WORDS) | (
            marked_rows(context, list(range(context.start, context.stop))) & ~_maybe_other(context)
        )
    return [Vote(source="gold text", role="body", rows=in_text)]


def _maybe_other(context: LabelContext) -> Marks:
    """Return the rows among the text that may have another role: bylines, dates, captions."""
    page, rows = context.page, context.rows
    pictures = page.count_within(page.has_tag("img", "picture", "video"))
    parent = np.maximum(page.parent[rows.node], 0)
    with_picture = (pictures[parent] > 0) & (page.sum_leaves(rows.leaf_words)[parent] <= 2 * rows.words + 5)
    byline = matching_rows(context, _BYLINE.search) & (rows.words <= LINE_WORDS)
    marks: Marks = with_picture | byline | (rows.words < 3) | page.below(page.has_tag("figure", "time"))[rows.node]
    return marks
