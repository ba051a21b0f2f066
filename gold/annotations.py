"""Labels that people gave by hand, leaf by leaf: read from files of JSON lines, and laid on a page of the same text.

A line is one change of one page; a file only grows::

    {"page": "1f0c...", "url": "https://a.org/", "who": "anna", "at": "2026-11-22T10:00:00+00:00", "change": "set",
     "leaves": [[17, "9b1c2d3e4f506172", "body", true]]}

A leaf has its place among the page's text leaves, the digest of its text, its role (null for none that was said), and
whether it is content (null where that is taken back). A label belongs to the text, not to a block: it holds however
the page is cut, and not for another text in the same place. ``change`` is "set", "undo" or "redo", "done" where all
that was not labelled before is confirmed as it was shown, or "open" where that is taken back.
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

#: What a line can be.
SET, UNDO, REDO, DONE, OPEN = "set", "undo", "redo", "done", "open"


class LabelsUnreadable(BlocksightError):
    """A label file cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafLabel:
    """The label of a text leaf by an annotator."""

    place: int  # Among the page's text leaves
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
    refused: int  # Labels of texts that the page does not have


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
        said = json.loads(line)
        return Change(
            page=_text(said["page"]),
            url=_text(said.get("url", "")),
            who=_text(said["who"]),
            kind=_text(said.get("change", SET)),
            leaves=tuple(map(leaf_label, said["leaves"])),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LabelsUnreadable(f"{path}, line {number}: is no change of labels ({error}); take it out") from error


def leaf_label(said: Sequence[Any]) -> LeafLabel:
    """Parse one leaf of a change: index, digest, role or null, content or null. Raises ValueError."""
    place, digest, role, content = said
    whole = isinstance(place, int) and not isinstance(place, bool) and place >= 0
    named = role is None or (isinstance(role, str) and role in ROLE)
    if not (whole and named and isinstance(digest, str) and (content is None or isinstance(content, bool))):
        raise ValueError(f"{str(said)[:80]} should be a place, a digest, a role or null, and true, false or null")
    return LeafLabel(place=place, digest=digest, role=role or "", content=content)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text was expected, not {str(value)[:40]!r}")
    return value


def said_by_hand(changes: Sequence[Change]) -> dict[str, Annotation]:
    """Return the annotations by page from the changes of one annotator; the last label of a leaf counts."""
    found: dict[str, Annotation] = {}
    leaves: defaultdict[str, dict[int, LeafLabel]] = defaultdict(dict)
    for change in changes:
        before = found.get(change.page)
        for label in change.leaves:
            leaves[change.page].pop(label.place, None)
            if label.content is not None:
                leaves[change.page][label.place] = label
        done = change.kind == DONE or (change.kind != OPEN and before is not None and before.done)
        said = Annotation(page=change.page, url=change.url, who=change.who, leaves=leaves[change.page], done=done)
        found[change.page] = said
    return found


def read_by_hand(path: Path) -> dict[str, Annotation]:
    """Read a label file; return its annotations by page."""
    return said_by_hand(read_changes(path))


def labelled_leaves(page: Page, said: Annotation) -> LabelledLeaves:
    """Match the labels of an annotation with the leaves of a page.

    A label applies to the leaf with its index if that has its text, else to the only unlabelled leaf with the same
    text.
    """
    digests = [leaf_digest(text) for text in page.leaf_texts]
    content = np.full(len(digests), UNCERTAIN, dtype=np.int8)
    role = np.full(len(digests), -1, dtype=np.int8)
    moved = []
    for label in said.leaves.values():
        if label.place < len(digests) and digests[label.place] == label.digest:
            _lay(label, label.place, content, role)
        else:
            moved.append(label)
    refused = 0
    for label in moved:
        same = [place for place, digest in enumerate(digests) if digest == label.digest]
        if len(same) == 1 and content[same[0]] == UNCERTAIN:
            _lay(label, same[0], content, role)
        else:
            refused += 1
    return LabelledLeaves(content=content, role=role, refused=refused)


def _lay(label: LeafLabel, place: int, content: Labels, role: NDArray[np.int8]) -> None:
    content[place] = CONTENT if label.content else BOILERPLATE
    role[place] = ROLES.index(label.role) if label.role else -1


def agreement_by_hand(one: LabelledLeaves, other: LabelledLeaves) -> tuple[float, int]:
    """Return Cohen's kappa of two annotations of content, and the number of leaves that both labelled."""
    both = (one.content != UNCERTAIN) & (other.content != UNCERTAIN)
    return cohens_kappa(one.content[both], other.content[both]), int(both.sum())


def cohens_kappa(one: NDArray[np.integer[Any]], other: NDArray[np.integer[Any]]) -> float:
    """Return the agreement beyond chance (Cohen 1960): ``(observed - expected) / (1 - expected)``.

    NaN without items, or if both used the same single label: chance would agree, too.
    """
    if not len(one):
        return float("nan")
    seen = float(np.mean(one == other))
    expected = sum(float(np.mean(one == value) * np.mean(other == value)) for value in np.union1d(one, other))
    return (seen - expected) / (1 - expected) if expected < 1 else float("nan")
