"""What a corpus says of one page, by the keys of ``gold.jsonl``, to a :class:`~blocksight.gold.pages.GoldPage`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .gold_structure import facts_stated
from .pages import BOILERPLATE, CONTENT, UNCERTAIN, GoldPage, LeafRole, Post

Entry = dict[str, Any]

_LABELS = {"content": CONTENT, "boilerplate": BOILERPLATE, "uncertain": UNCERTAIN}
#: KrdWrd's numbers: 2 is uncertain, others are of nodes that nobody judged.
_KRDWRD = {3: CONTENT, 1: BOILERPLATE}


def gold_page(folder: Path, identity: str, path: Path, entry: Entry) -> GoldPage:
    """Return the page of an entry; where its gold makes no sense, with the reason as its ``error``."""
    try:
        return _gold_page(folder, identity, path, entry)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        return unusable(folder, identity, path, error)


def unusable(folder: Path, identity: str, path: Path, why: Exception) -> GoldPage:
    """Return a page of which the corpus' words cannot be read."""
    return GoldPage(corpus=folder.name, folder=folder, id=identity, path=path, error=f"not a gold page ({why!r})")


def _gold_page(folder: Path, identity: str, path: Path, entry: Entry) -> GoldPage:
    nodes = _nodes(entry)
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
        split=_word(entry, "split") or "dev",
        kind=_word(entry, "kind", "page_type"),
        language=_word(entry, "lang", "language"),
        text_id=str(entry.get("aid", "")),
        texts=tuple(dict.fromkeys(_texts([] if own is None else [own]) + _texts(entry.get("gold_texts")))),
        markup=_word(entry, "gold_markup"),
        must_have=_texts(entry.get("must_have")),
        must_not=_texts(entry.get("must_not")),
        node_texts=_texts([text for text, _ in nodes]),
        node_labels=tuple(label for _, label in nodes),
        title=_word(entry, "title"),
        author=_names(entry),
        date=_word(entry, "date"),
        licence=_word(entry, "licence", "license"),
        exact=bool(entry.get("exact") or entry.get("generator")),
        posts=tuple(_post(post) for post in entry.get("posts") or ()),
        comments=_word(entry, "comments_text"),
        leaf_roles=tuple(_leaf(leaf) for leaf in entry.get("leaves") or ()),
        content_markdown=_word(entry, "gold_markdown"),
        content_html=_word(entry, "gold_html"),
        element=_word(entry, "gold_xpath"),
        structure=_structure(entry),
        **_about(entry),
    )


def _post(post: Entry) -> Post:
    return Post(text=_word(post, "text"), author=_word(post, "author"), date=_word(post, "date"))


def _leaf(leaf: list[Any]) -> LeafRole:
    """Return a leaf of kreuzer's form: path, number, type of the block, beginning, role, and more."""
    path, number, _, beginning, role, *_ = leaf
    return LeafRole(path=str(path), number=int(number), beginning=str(beginning), role=str(role or ""))


def _structure(entry: Entry) -> tuple[tuple[str, object], ...]:
    """Return the facts that are listed, looked at already: what makes no sense is the page's error."""
    stated = entry.get("gold_structure") or {}
    facts_stated(stated)
    return tuple(stated.items())


def _about(entry: Entry) -> dict[str, Any]:
    """Return title, authors and date: as stated for the gold, or in the source of a page that is known to show them."""
    title = entry.get("title") if entry.get("title_in_page") else ""
    author = entry.get("author") if entry.get("author_in_page") else ""
    date = entry.get("date") if "title_in_page" in entry else ""
    return {
        "shown_title": _word(entry, "gold_title") or str(title or ""),
        "shown_authors": _texts(entry.get("gold_authors"))
        or _texts(author if isinstance(author, list) else [author][: bool(author)]),
        "shown_date": _word(entry, "gold_date") or str(date or ""),
    }


def _nodes(entry: Entry) -> list[tuple[str, int]]:
    """Return the labelled nodes of an entry, in blocksight's words or in KrdWrd's numbers."""
    nodes = [(node["text"], _LABELS[node["label"]]) for node in entry.get("labels") or ()]
    leaves = zip(entry.get("leaf_text") or (), entry.get("leaf_label") or (), strict=True)
    return nodes + [(text, _KRDWRD.get(label, UNCERTAIN)) for text, label in leaves]


def _word(entry: Entry, *names: str) -> str:
    """Return the first of some values that is there, "" where none is."""
    found = next((entry[name] for name in names if entry.get(name)), "")
    if not isinstance(found, str):
        raise TypeError(f"a text was expected, not {str(found)[:40]!r}")
    return found


def _names(entry: Entry) -> str:
    """Return who wrote the page: one name, or several in a list."""
    said = entry.get("author")
    return "; ".join(_texts(said)) if isinstance(said, list) else _word(entry, "author")


def _texts(given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise TypeError(f"a list of texts was expected, not {str(given)[:40]!r}")
    return tuple(given)
