"""What a corpus says of one page, by the keys of ``gold.jsonl``, to a :class:`~blocksight.gold.pages.GoldPage`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .pages import BOILERPLATE, CONTENT, UNCERTAIN, GoldPage

Entry = dict[str, Any]

_LABELS = {"content": CONTENT, "boilerplate": BOILERPLATE, "uncertain": UNCERTAIN}
#: KrdWrd's numbers: 2 is uncertain, others are of nodes that nobody judged.
_KRDWRD = {3: CONTENT, 1: BOILERPLATE}


def gold_page(folder: Path, identity: str, path: Path, entry: Entry) -> GoldPage:
    """Return the page of an entry; where its gold makes no sense, with the reason as its ``error``."""
    try:
        return _gold_page(folder, identity, path, entry)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
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
        url=entry.get("url"),
        url_path=entry.get("url_path"),
        domain=entry.get("domain") or "",
        encoding=entry.get("encoding"),
        split=entry.get("split") or "dev",
        kind=entry.get("kind") or entry.get("page_type") or "",
        language=entry.get("lang") or entry.get("language") or "",
        text_id=str(entry.get("aid", "")),
        texts=tuple(dict.fromkeys(_texts([] if own is None else [own]) + _texts(entry.get("gold_texts")))),
        markup=entry.get("gold_markup") or "",
        must_have=_texts(entry.get("must_have")),
        must_not=_texts(entry.get("must_not")),
        node_texts=_texts([text for text, _ in nodes]),
        node_labels=tuple(label for _, label in nodes),
    )


def _nodes(entry: Entry) -> list[tuple[str, int]]:
    """Return the labelled nodes of an entry, in blocksight's words or in KrdWrd's numbers."""
    nodes = [(node["text"], _LABELS[node["label"]]) for node in entry.get("labels") or ()]
    leaves = zip(entry.get("leaf_text") or (), entry.get("leaf_label") or (), strict=True)
    return nodes + [(text, _KRDWRD.get(label, UNCERTAIN)) for text, label in leaves]


def _texts(given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise TypeError(f"a list of texts was expected, not {str(given)[:40]!r}")
    return tuple(given)
