"""What people labelled in the inspector, as a corpus: saved pages, and a label for each of their text leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from ..errors import PageUnreadable
from ..features.rows import rows_of
from ..page.page import Page
from ..page.role_names import ROLES
from ..page.store import load
from ..segment.blocks import text_blocks, visible_blocks
from .annotations import Annotation, LabelledLeaves, labelled_leaves, read_by_hand
from .entries import unusable
from .leaf_labels import Labels
from .pages import CONTENT, UNCERTAIN, GoldNodes, GoldPage

#: Where an inspection keeps what people said, and the pages.
LABELS, PAGES = "labels", "pages"


def holds_labels(path: Path) -> bool:
    """Return whether a folder is an annotation session with labels, or a file is one of its label files."""
    folder, files = _inspection(path)
    return (folder / PAGES).is_dir() and bool(files)


def _inspection(path: Path) -> tuple[Path, list[Path]]:
    """Return the folder of an annotation session and its label files; of a file, the folder above it."""
    if path.is_file():
        return path.parent.parent, [path] if path.suffix == ".jsonl" and path.parent.name == LABELS else []
    return path, sorted((path / LABELS).glob("*.jsonl"))


def labelled_pages(path: Path) -> Iterator[GoldPage]:
    """Yield the annotated pages, all in the split "train"; contradictory labels become uncertain.

    Pages that were confirmed as a whole have a gold text, too. Raises LabelsUnreadable if a label file is damaged.
    """
    folder, files = _inspection(path)
    people = [read_by_hand(file) for file in files]
    for identity in dict.fromkeys(page for said in people for page in said):
        found = [said[identity] for said in people if identity in said and said[identity].leaves]
        kept = folder / PAGES / f"{Path(identity).name}.page"
        if found:
            try:
                yield _gold_page(folder, identity, kept, found)
            except PageUnreadable as error:
                yield unusable(folder, identity, kept, error)


def _gold_page(folder: Path, identity: str, path: Path, said: Sequence[Annotation]) -> GoldPage:
    page = load(path)
    laid = reduce(_both, [labelled_leaves(page, one) for one in said])
    done = any(one.done for one in said)
    return GoldPage(
        corpus=folder.name,
        folder=folder,
        id=identity,
        path=path,
        url=page.url,
        domain=urlsplit(page.url).hostname or Path(urlsplit(page.url).path).parent.name,
        encoding="utf-8",
        split="train",
        texts=(_text(page, laid.content),) if done else (),
        nodes=GoldNodes(
            texts=tuple(page.leaf_texts),
            labels=tuple(laid.content.tolist()),
            roles=tuple("" if role < 0 else ROLES[role] for role in laid.role.tolist()),
        ),
    )


def _both(one: LabelledLeaves, other: LabelledLeaves) -> LabelledLeaves:
    """Merge the labels of two annotators."""
    content = np.where(one.content == UNCERTAIN, other.content, one.content)
    content[(other.content != UNCERTAIN) & (other.content != content)] = UNCERTAIN
    role = np.where(one.role < 0, other.role, one.role)
    role[((other.role >= 0) & (other.role != role)) | (content == UNCERTAIN)] = -1
    return LabelledLeaves(content=content, role=role, refused=one.refused + other.refused)


def _text(page: Page, content: Labels) -> str:
    """Return the content, one line per paragraph."""
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    kept = rows.summed((content == CONTENT).astype(np.float64)) > 0
    return "\n".join(text for text, use in zip(rows.texts, kept.tolist(), strict=True) if use)
