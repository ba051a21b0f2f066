"""Annotations of text leaves: read from label files (JSON lines), and matched with a page of the same text.

A line is one change of one page; lines are only appended::

    {"page": "1f0c...", "url": "https://a.org/", "who": "anna", "at": "2026-11-22T10:00:00+00:00", "change": "set",
     "leaves": [[17, "9b1c2d3e4f506172", "body", true]]}

A leaf has its index among the page's text leaves, the digest of its text, its role (null for none), and whether it is
content (null to remove the label). A label belongs to the text, not to a block: it is independent of the segmentation,
and does not apply to another text with the same index. ``change`` is "set", "undo" or "redo", "done" if the labels
shown for the rest of the page are confirmed, or "open" if that is revoked.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BlocksightError
from ..files.atomic import complete_lines
from ..lexicon.words import text_hash
from ..page.page import Page
from ..page.role_names import ROLE, ROLES
from .leaf_labels import Labels
from .pages import BOILERPLATE, CONTENT, UNCERTAIN

#: Kinds of changes.
SET, UNDO, REDO, DONE, OPEN = "set", "undo", "redo", "done", "open"


class LabelsUnreadable(BlocksightError):
    """A label file cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafLabel:
    """The label of a text leaf by an annotator."""

    index: int  # Among the page's text leaves
    digest: str  # Of its text (:func:`leaf_digest`)
    role: str  # Of :data:`~blocksight.page.role_names.ROLES`, "" where none was said
    content: bool | None  # None where a label was taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line of a label file: labels of some leaves of a page, set at once."""

    page: str
    url: str
    who: str
    kind: str
    leaves: tuple[LeafLabel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """The state of one annotator's labels of one page after all changes."""

    page: str
    url: str
    who: str
    leaves: Mapping[int, LeafLabel]  # By their place; without those that were taken back
    done: bool = False  # Whether the whole page was confirmed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledLeaves:
    """Labels of the leaves of a page by annotation."""

    #: int8 (leaves,): :data:`~blocksight.gold.pages.CONTENT`, ``BOILERPLATE``, or ``UNCERTAIN`` where nothing was
    #: said.
    content: Labels
    #: int8 (leaves,): Index into :data:`~blocksight.page.role_names.ROLES`, -1 where none was said.
    role: NDArray[np.int8]
    unmatched: int  # Labels of texts that the page does not have


def leaf_digest(text: str) -> str:
    """Return the hash of a leaf's text with white space collapsed, which does not reveal the text."""
    return text_hash(" ".join(text.split()))


def read_changes(path: Path) -> list[Change]:
    """Read the complete lines of a label file, in the order in which they were written. Raises LabelsUnreadable."""
    try:
        lines = complete_lines(path)
    except OSError as error:
        raise LabelsUnreadable(f"{path}: cannot be read: {error.strerror or error}") from error
    return [_change(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _change(path: Path, number: int, line: bytes) -> Change:
    try:
        entry = json.loads(line)
        return Change(
            page=_text(entry["page"]),
            url=_text(entry.get("url", "")),
            who=_text(entry["who"]),
            kind=_text(entry.get("change", SET)),
            leaves=tuple(map(leaf_label, entry["leaves"])),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LabelsUnreadable(f"{path}, line {number}: is no valid change of labels ({error}); remove it") from error


def leaf_label(entry: Sequence[Any]) -> LeafLabel:
    """Parse one leaf of a change: index, digest, role or null, content or null. Raises ValueError."""
    index, digest, role, content = entry
    valid_index = isinstance(index, int) and not isinstance(index, bool) and index >= 0
    valid_role = role is None or (isinstance(role, str) and role in ROLE)
    if not (valid_index and valid_role and isinstance(digest, str) and (content is None or isinstance(content, bool))):
        raise ValueError(f"{str(entry)[:80]} should be an index, a digest, a role or null, and true, false or null")
    return LeafLabel(index=index, digest=digest, role=role or "", content=content)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text was expected, not {str(value)[:40]!r}")
    return value


def merge_changes(changes: Sequence[Change]) -> dict[str, Annotation]:
    """Return the annotations by page from the changes of one annotator; the last label of a leaf counts."""
    annotations: dict[str, Annotation] = {}
    leaves: defaultdict[str, dict[int, LeafLabel]] = defaultdict(dict)
    for change in changes:
        labels, before = leaves[change.page], annotations.get(change.page)
        for label in change.leaves:
            labels.pop(label.index, None)
            if label.content is not None:
                labels[label.index] = label
        done = change.kind == DONE or (change.kind != OPEN and before is not None and before.done)
        annotations[change.page] = Annotation(
            page=change.page, url=change.url, who=change.who, leaves=labels, done=done
        )
    return annotations


def read_annotations(path: Path) -> dict[str, Annotation]:
    """Read a label file; return its annotations by page."""
    return merge_changes(read_changes(path))


def match_leaves(page: Page, annotation: Annotation) -> LabelledLeaves:
    """Match the labels of an annotation with the leaves of a page.

    A label applies to the leaf with its index if that has its text, else to the only unlabelled leaf with the same
    text.
    """
    digests = [leaf_digest(text) for text in page.leaf_texts]
    content = np.full(len(digests), UNCERTAIN, dtype=np.int8)
    role = np.full(len(digests), -1, dtype=np.int8)

    def set_label(index: int, label: LeafLabel) -> None:
        content[index] = CONTENT if label.content else BOILERPLATE
        role[index] = ROLES.index(label.role) if label.role else -1

    moved = []
    for label in annotation.leaves.values():
        if label.index < len(digests) and digests[label.index] == label.digest:
            set_label(label.index, label)
        else:
            moved.append(label)
    unmatched = 0
    for label in moved:
        same = [index for index, digest in enumerate(digests) if digest == label.digest]
        if len(same) == 1 and content[same[0]] == UNCERTAIN:
            set_label(same[0], label)
        else:
            unmatched += 1
    return LabelledLeaves(content=content, role=role, unmatched=unmatched)
