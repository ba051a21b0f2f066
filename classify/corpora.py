"""Pages with gold content, as they lie in a folder: ``NAME/gold.jsonl`` and ``NAME/pages/ID.html``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPage:
    """One page and what a person (or a trusted program) takes for its content.

    Attributes
    ----------
    corpus, id : str
    path : Path
        The file with the raw bytes.
    url : str or None
    site : str
        The domain, by which pages are kept together when they are split.
    encoding : str or None
        To read the bytes with, where the corpus knows.
    split : str
        "train" or "dev"; pages without one count as dev.
    text : str
        The gold text.
    kind : str
        The type of page where the corpus knows one, else "".
    """

    corpus: str
    id: str
    path: Path
    url: str | None
    site: str
    encoding: str | None
    split: str
    text: str
    kind: str = ""


def read_corpus(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of a corpus that have a gold text.

    Parameters
    ----------
    folder : Path
        Holds ``gold.jsonl``, one JSON object a line with ``id`` and ``gold_text`` (``split``, ``url``, ``domain``,
        ``encoding``, ``kind`` are read where present), and ``pages``, with one ``ID.html`` each.

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
                page = _gold_page(folder, json.loads(line))
            except (json.JSONDecodeError, KeyError) as error:
                raise ValueError(f"{listing}, line {number}: not a gold page ({error!r})") from error
            if page is not None and page.path.is_file():
                yield page


def _gold_page(folder: Path, entry: dict[str, Any]) -> GoldPage | None:
    text = entry.get("gold_text")
    if text is None:
        return None
    return GoldPage(
        corpus=folder.name,
        id=str(entry["id"]),
        path=folder / "pages" / f"{entry['id']}.html",
        url=entry.get("url"),
        site=entry.get("domain") or f"{folder.name}/{entry['id']}",
        encoding=entry.get("encoding"),
        # What is not plainly meant for training is not trained on.
        split=entry.get("split", "dev"),
        text=text,
        kind=entry.get("kind") or entry.get("page_type") or "",
    )
