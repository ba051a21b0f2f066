"""Conversion of entries with the keys of ``gold.jsonl`` to :class:`~blocksight.gold.pages.GoldPage`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .pages import (
    BOILERPLATE,
    CONTENT,
    UNCERTAIN,
    GoldMetadata,
    GoldNodes,
    GoldPage,
    GoldPiece,
    GoldRoles,
    GoldSnippets,
    Post,
    TypedLeaf,
)
from .pieces import PIECE_ROLES

Entry = dict[str, Any]

_LABELS = {"content": CONTENT, "boilerplate": BOILERPLATE, "uncertain": UNCERTAIN}
#: KrdWrd's numbers: 2 is uncertain, all others are of nodes without a judgement.
_KRDWRD = {3: CONTENT, 1: BOILERPLATE}


def gold_page(folder: Path, identity: str, path: Path, entry: Entry) -> GoldPage:
    """Return the page of an entry; if its gold is invalid, a page with the reason as its ``error``."""
    try:
        return _gold_page(folder, identity, path, entry)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        return unusable(folder, identity, path, error)


def unusable(folder: Path, identity: str, path: Path, why: Exception) -> GoldPage:
    """Return a page whose entry cannot be read."""
    return GoldPage(corpus=folder.name, folder=folder, id=identity, path=path, error=f"not a gold page ({why!r})")


def _gold_page(folder: Path, identity: str, path: Path, entry: Entry) -> GoldPage:
    own = entry.get("gold_text")
    return GoldPage(
        corpus=folder.name,
        folder=folder,
        id=identity,
        path=path,
        url=_word(entry, "url") or None,
        url_path=_word(entry, "url_path") or None,
        domain=_word(entry, "domain"),
        encoding=_word(entry, "encoding") or None,
        # "split_safe" also keeps the sites of other corpora's evaluation pages out of training.
        split=_word(entry, "split_safe", "split") or "dev",
        kind=_word(entry, "kind", "page_type"),
        language=_word(entry, "lang", "language"),
        text_id=str(entry.get("aid", "")),
        licence=_word(entry, "licence", "license"),
        texts=tuple(dict.fromkeys(_texts([] if own is None else [own]) + _texts(entry.get("gold_texts")))),
        snippets=GoldSnippets(must_have=_texts(entry.get("must_have")), must_not=_texts(entry.get("must_not"))),
        nodes=_nodes(entry),
        roles=_roles(entry),
        metadata=_metadata(entry),
    )


def _roles(entry: Entry) -> GoldRoles:
    author = entry.get("author")
    return GoldRoles(
        title=_word(entry, "title"),
        author="; ".join(_texts(author)) if isinstance(author, list) else _word(entry, "author"),
        date=_word(entry, "date"),
        generated=bool(entry.get("exact") or entry.get("generator")),
        rebuilt=entry.get("rebuilt") is True,
        posts=tuple(
            Post(text=_word(post, "text"), author=_word(post, "author"), date=_word(post, "date"))
            for post in entry.get("posts") or ()
        ),
        comments=_word(entry, "comments_text"),
        typed_leaves=tuple(_typed_leaf(leaf) for leaf in entry.get("leaves") or ()),
        boxes=tuple((str(selector), _word(box, "role")) for selector, box in (entry.get("roles") or {}).items()),
    )


def _typed_leaf(leaf: list[Any]) -> TypedLeaf:
    """Return a leaf of kreuzer's form: path, number, type of the block, prefix, role, and more."""
    path, number, _, prefix, role, *_ = leaf
    return TypedLeaf(path=str(path), number=int(number), prefix=str(prefix), role=str(role or ""))


def _metadata(entry: Entry) -> GoldMetadata:
    """Return title, authors and date: as stated for the gold, or as in the source of a page known to show them."""
    title = entry.get("title") if entry.get("title_in_page") else ""
    author = entry.get("author") if entry.get("author_in_page") else ""
    date = entry.get("date") if "title_in_page" in entry else ""
    return GoldMetadata(
        title=_word(entry, "gold_title") or str(title or ""),
        authors=_texts(entry.get("gold_authors"))
        or _texts(author if isinstance(author, list) else [author][: bool(author)]),
        date=_word(entry, "gold_date") or str(date or ""),
    )


def _nodes(entry: Entry) -> GoldNodes:
    """Return the labelled nodes of an entry, with blocksight's names of labels or KrdWrd's numbers."""
    nodes = [(node["text"], _LABELS[node["label"]]) for node in entry.get("labels") or ()]
    leaves = zip(entry.get("leaf_text") or (), entry.get("leaf_label") or (), strict=True)
    nodes += [(text, _KRDWRD.get(label, UNCERTAIN)) for text, label in leaves]
    return GoldNodes(
        texts=_texts([text for text, _ in nodes]),
        labels=tuple(label for _, label in nodes),
        pieces=tuple(map(_piece, entry.get("pieces") or ())),
    )


def _piece(piece: Entry) -> GoldPiece:
    role, leaves, path = _word(piece, "role"), piece.get("leaves"), _word(piece, "at")
    if role not in PIECE_ROLES:
        raise ValueError(f"the role of a piece is {role!r}, and must be one of {', '.join(PIECE_ROLES)}")
    if leaves is None and not path:
        raise ValueError(f"a piece needs its place, 'leaves' or 'at', and has neither: {str(piece)[:80]}")
    if leaves is not None:
        first, end = leaves
        if not (isinstance(first, int) and isinstance(end, int) and 0 <= first <= end):
            raise ValueError(f"'leaves' of a piece are its first leaf and one past its last, not {str(leaves)[:40]}")
        leaves = first, end
    sure = piece.get("sure") is not False and not piece.get("doubtful") and not piece.get("hidden")
    return GoldPiece(
        text=_word(piece, "text"), role=role, kind=_word(piece, "kind"), leaves=leaves, path=path, sure=sure
    )


def _word(entry: Entry, *names: str) -> str:
    """Return the value of the first key that is present, "" if none is."""
    value = next((entry[name] for name in names if entry.get(name)), "")
    if not isinstance(value, str):
        raise TypeError(f"a text was expected, not {str(value)[:40]!r}")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise TypeError(f"a list of texts was expected, not {str(value)[:40]!r}")
    return tuple(value)
