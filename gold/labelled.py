"""Annotation sessions of the inspector as a corpus: saved pages with labels of their text leaves."""

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
from .annotations import Annotation, LabelledLeaves, match_leaves, read_annotations
from .entries import unusable
from .leaf_labels import Labels
from .pages import CONTENT, UNCERTAIN, GoldNodes, GoldPage

#: The folders of labels and of pages in a session.
LABELS, PAGES = "labels", "pages"


def has_annotations(path: Path) -> bool:
    """Return whether a folder is an annotation session with labels, or a file is one of its label files."""
    folder, files = _inspection(path)
    return (folder / PAGES).is_dir() and bool(files)


def _inspection(path: Path) -> tuple[Path, list[Path]]:
    """Return the folder of an annotation session and its label files; of a file, the folder above it."""
    if path.is_file():
        return path.parent.parent, [path] if path.suffix == ".jsonl" and path.parent.name == LABELS else []
    return path, sorted((path / LABELS).glob("*.jsonl"))


def annotated_pages(path: Path) -> Iterator[GoldPage]:
    """Yield the annotated pages, all in the split "train"; contradictory labels become uncertain.

    Pages that were confirmed as a whole have a gold text, too. Raises LabelsUnreadable if a label file is damaged.
    """
    folder, files = _inspection(path)
    annotators = [read_annotations(file) for file in files]
    for identity in dict.fromkeys(page for pages in annotators for page in pages):
        annotations = [pages[identity] for pages in annotators if identity in pages and pages[identity].leaves]
        path = folder / PAGES / f"{Path(identity).name}.page"
        if annotations:
            try:
                yield _gold_page(folder, identity, path, annotations)
            except PageUnreadable as error:
                yield unusable(folder, identity, path, error)


def _gold_page(folder: Path, identity: str, path: Path, annotations: Sequence[Annotation]) -> GoldPage:
    page = load(path)
    labels = reduce(_merged, [match_leaves(page, annotation) for annotation in annotations])
    done = any(annotation.done for annotation in annotations)
    return GoldPage(
        corpus=folder.name,
        folder=folder,
        id=identity,
        path=path,
        url=page.url,
        domain=urlsplit(page.url).hostname or Path(urlsplit(page.url).path).parent.name,
        encoding="utf-8",
        split="train",
        texts=(_text(page, labels.content),) if done else (),
        nodes=GoldNodes(
            texts=tuple(page.leaf_texts),
            labels=tuple(labels.content.tolist()),
            roles=tuple("" if role < 0 else ROLES[role] for role in labels.role.tolist()),
        ),
    )


def _merged(one: LabelledLeaves, other: LabelledLeaves) -> LabelledLeaves:
    content = np.where(one.content == UNCERTAIN, other.content, one.content)
    content[(other.content != UNCERTAIN) & (other.content != content)] = UNCERTAIN
    role = np.where(one.role < 0, other.role, one.role)
    role[((other.role >= 0) & (other.role != role)) | (content == UNCERTAIN)] = -1
    return LabelledLeaves(content=content, role=role, unmatched=one.unmatched + other.unmatched)


def _text(page: Page, content: Labels) -> str:
    rows = rows_of(page, visible_blocks(page, text_blocks(page)))
    in_content = rows.summed((content == CONTENT).astype(np.float64)) > 0
    return "\n".join(text for text, use in zip(rows.texts, in_content.tolist(), strict=True) if use)
