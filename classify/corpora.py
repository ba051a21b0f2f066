"""Pages with gold content, as they lie in a folder: ``NAME/gold.jsonl`` and ``NAME/pages/ID.html``."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPage:
    """One page and what a person (or a trusted program) takes for its content.

    Attributes
    ----------
    corpus, id : str
    folder : Path
        Of the corpus; sites kept as a whole are served from there.
    path : Path
        The file with the raw bytes.
    url_path : str or None
        For sites kept as a whole: the address within the folder, when that is served.
    url : str or None
    site : str
        The domain, by which pages are kept together when they are split.
    encoding : str or None
        To read the bytes with, where the corpus knows.
    split : str
        "train" or "dev"; pages without one count as dev.
    text : str
        The gold text; "" where the gold is of another kind.
    must_have, must_not : tuple of str
        Snippets that the content holds and does not hold.
    node_texts : tuple of str
        Texts of the page's nodes in reading order, each labelled for itself.
    node_labels : tuple of int
        Of those: 1 for content, 0 for boilerplate, -1 for uncertain.
    text_id : str
        The same for pages of different sites that show the same text, else "".
    kind : str
        The type of page where the corpus knows one, else "".
    language : str
        Code of the content's language where the corpus knows, else "".
    """

    corpus: str
    id: str
    folder: Path = Path()
    path: Path
    url: str | None
    site: str
    encoding: str | None
    split: str
    text: str
    must_have: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    node_texts: tuple[str, ...] = ()
    node_labels: tuple[int, ...] = ()
    kind: str = ""
    url_path: str | None = None
    text_id: str = ""
    language: str = ""


#: Labels of nodes: our names, and KrdWrd's numbers (2 is uncertain, others mark nodes that nobody judged).
_LABELS = {"content": 1, "boilerplate": 0, "uncertain": -1}
_KRDWRD = {3: 1, 1: 0}


def read_sites(path: Path) -> dict[str, str]:
    """Read which site belongs to which split: ``site<TAB>split`` a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {site: split for site, _, split in (line.strip().partition("\t") for line in lines) if split}


def read_corpus(folder: Path, sites: Mapping[str, str] | None = None, *, any_gold: bool = False) -> Iterator[GoldPage]:
    """Yield the pages of a corpus that have a gold text.

    Parameters
    ----------
    folder : Path
        Holds ``gold.jsonl``, one JSON object a line with ``id`` and ``gold_text`` (``split``, ``url``, ``domain``,
        ``encoding``, ``kind`` are read where present), and ``pages``, with one ``ID.html`` each. Sites kept as a whole
        have ``path`` and ``url_path`` (``/sites/NAME/...``) instead.
    sites : mapping, optional
        The split of each site, for corpora that do not say it page by page.
    any_gold : bool
        Yield also pages whose gold is of another kind: snippets (``must_have``, ``must_not``), or labels of single
        nodes (``labels``, a list of ``{"text", "label"}`` in reading order with the labels "content", "boilerplate"
        and "uncertain"; or ``leaf_text`` and ``leaf_label``, KrdWrd's 3, 1 and others).

    Raises
    ------
    FileNotFoundError
        When there is no ``gold.jsonl``.
    ValueError
        When a line of it is not such an object.
    """
    listing = folder / "gold.jsonl"
    with listing.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                page = _gold_page(folder, entry, sites or {})
                wanted = any_gold or entry.get("gold_text") is not None
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise ValueError(f"{listing}, line {number}: not a gold page ({error!r})") from error
            if wanted and page.path.is_file():
                yield page


def sample(pages: Iterable[GoldPage], limit: int | None = None) -> list[GoldPage]:
    """Choose so many pages or all of them, the same ones every time, in an order that has nothing to do with theirs."""
    return sorted(pages, key=lambda gold: zlib.crc32(gold.id.encode()))[:limit]


def _gold_page(folder: Path, entry: dict[str, Any], sites: Mapping[str, str]) -> GoldPage:
    nodes = [(node["text"], _LABELS[node["label"]]) for node in entry.get("labels") or ()]
    leaves = zip(entry.get("leaf_text") or (), entry.get("leaf_label") or (), strict=True)
    nodes += [(text, _KRDWRD.get(label, -1)) for text, label in leaves]
    url_path = entry.get("url_path")
    site = url_path.strip("/").split("/")[1] if url_path else entry.get("domain") or f"{folder.name}/{entry['id']}"
    return GoldPage(
        corpus=folder.name,
        folder=folder,
        id=str(entry["id"]),
        path=folder / (entry["path"] if url_path else f"pages/{entry['id']}.html"),
        url_path=url_path,
        url=entry.get("url"),
        site=site,
        text_id=str(entry.get("aid", "")),
        encoding=entry.get("encoding"),
        # What is not plainly meant for training is not trained on.
        split=sites.get(site) or entry.get("split", "dev"),
        text=entry.get("gold_text") or "",
        must_have=tuple(entry.get("must_have") or ()),
        must_not=tuple(entry.get("must_not") or ()),
        node_texts=tuple(text for text, _ in nodes),
        node_labels=tuple(label for _, label in nodes),
        language=entry.get("lang") or "",
        kind=entry.get("kind") or entry.get("page_type") or "",
    )
