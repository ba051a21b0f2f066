"""Gold of pieces: texts of a page with their roles and places; nothing is known of the rest of the page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..page.clean_text import letters_of
from ..page.page import Page
from ..page.parse import parse
from .pages import BOILERPLATE, CONTENT, UNCERTAIN, GoldNodes, GoldPage, GoldPiece

#: Roles of pieces, and our roles of the blocks that hold them; pictures have no text.
PIECE_ROLES = {
    "content": "body",
    "title": "title",
    "author": "author",
    "date": "date",
    "image": "",
    "comment": "comment",
    "form": "form",
    "navigation": "navigation",
}
#: Labels of roles about which no two corpora differ.
_LABELS = {"content": CONTENT, "comment": BOILERPLATE, "form": BOILERPLATE, "navigation": BOILERPLATE}
#: Facts of a product. Few corpora count them as content, and they are no part of a text.
_FACTS = frozenset(["price", "sku", "brand", "mpn", "gtin"])
#: Forms that often enclose content: an order form holds the product, a form of another kind anything.
_OPEN_FORMS = frozenset(["order", "other", "display options"])
#: A leaf with more than this share of its letters outside of a piece, and more of them than stand with a date or a name
#: in one line ("Updated", a weekday, a time), is more than the piece.
_MOST_OTHER, _OTHER_LETTERS = 0.5, 24
_STEP = re.compile(r"([\w-]+)(?:\[(\d+)\])?")


def labelled_nodes(gold: GoldPage) -> GoldNodes:
    """Return the labelled nodes of a page; of a page with pieces, these are all leaves of its raw HTML.

    Raises PageFailed if the raw page is needed and cannot be read.
    """
    return _raw_nodes(gold) if gold.nodes.pieces and not gold.nodes.texts else gold.nodes


@lru_cache(maxsize=4)
def _raw_nodes(gold: GoldPage) -> GoldNodes:
    page = parse(gold.raw(), url=gold.base, encoding=gold.encoding)
    return place_pieces(page, gold.nodes.pieces)


def place_pieces(page: Page, pieces: tuple[GoldPiece, ...]) -> GoldNodes:
    """Return all leaves of a page with the labels and roles of the pieces; those in no piece are uncertain.

    A piece that is not at its place, or not surely there, says nothing. A leaf of pieces that contradict each other is
    uncertain, and has no role.
    """
    labels: list[set[int]] = [set() for _ in page.leaf_texts]
    roles: list[set[str]] = [set() for _ in page.leaf_texts]
    for piece in pieces:
        label, role = _meaning(piece)
        for leaf in _leaves(page, piece) if piece.sure else ():
            labels[leaf] |= {label} - {UNCERTAIN}
            roles[leaf] |= {role} - {""}
    return GoldNodes(
        texts=tuple(page.leaf_texts),
        labels=tuple(label.pop() if len(label) == 1 else UNCERTAIN for label in labels),
        roles=tuple(map(_one_role, roles)),
    )


def _one_role(roles: set[str]) -> str:
    """Return the only role of a leaf, "" without one; name and date in one leaf are a by-line."""
    if roles == {"author", "date"}:
        return "author"
    return next(iter(roles)) if len(roles) == 1 else ""


def _meaning(piece: GoldPiece) -> tuple[int, str]:
    """Return the label of a piece, and its role, "" for none."""
    label, role = _LABELS.get(piece.role, UNCERTAIN), PIECE_ROLES[piece.role]
    if piece.kind in _FACTS or (piece.role == "form" and piece.kind in _OPEN_FORMS):
        return UNCERTAIN, ""
    if piece.kind == "comment-author":
        return BOILERPLATE, role
    # A description is a standfirst, or the first paragraph.
    return label, "" if piece.kind == "description" else role


def _leaves(page: Page, piece: GoldPiece) -> range:
    """Return the leaves of a piece: those at its number or else in its element, if they hold its text."""
    if piece.leaves is not None and _holds(page.leaf_texts[slice(*piece.leaves)], piece.text):
        return range(*piece.leaves)
    node = element_at(page, piece.path) if piece.path else None
    if node is None:
        return range(0)
    first, end = page.leaf_range[node].tolist()
    return range(first, end) if _holds(page.leaf_texts[first:end], piece.text) else range(0)


def _holds(leaf_texts: Sequence[str], text: str) -> bool:
    """Return whether leaves hold a text and little else."""
    letters, key = _key(" ".join(leaf_texts)), _key(text)
    other = len(letters) - len(key)
    return bool(key) and key in letters and other <= max(_MOST_OTHER * len(letters), _OTHER_LETTERS)


def _key(text: str) -> str:
    """Return the letters and digits of a text; a fraction as its digits, and signs alone (of a pager) as they are."""
    return letters_of(unicodedata.normalize("NFKC", text)) or "".join(text.split())


def element_at(page: Page, path: str) -> int | None:
    """Return the node of an absolute XPath of tags and numbers (``/html/body[1]/div[2]``), None if there is none."""
    node = -1
    for step in path.strip("/").split("/"):
        match = _STEP.fullmatch(step)
        if match is None:
            return None
        children = np.flatnonzero(page.parent == node).tolist()
        same = [child for child in children if page.tag_of(child) == match[1]]
        number = int(match[2] or 1)
        if not 1 <= number <= len(same):
            return None
        node = same[number - 1]
    return node
