"""What people say of pages, written down at once: a file a person, to which lines are added and none is changed."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from ..files.atomic import append_line
from ..gold.annotations import (
    DONE,
    OPEN,
    REDO,
    SET,
    UNDO,
    Annotation,
    Change,
    LabelsUnreadable,
    LeafLabel,
    leaf_label,
    merge_changes,
    read_annotations,
    read_changes,
)

#: What may be written.
KINDS = (SET, UNDO, REDO, DONE, OPEN)
_NAME = re.compile(r"[\w][\w.-]{0,40}")
#: Leaves of one change: more than any page has.
_MOST = 200_000


class LabelStore:
    """The labels of one person, and beside them those of others.

    Parameters
    ----------
    folder : Path
        One file a person: ``WHO.jsonl``.
    who : str

    Raises
    ------
    ValueError
        When the name is none for a file.
    LabelsUnreadable
        When a file of labels is damaged.
    """

    def __init__(self, folder: Path, who: str) -> None:
        if not _NAME.fullmatch(who):
            raise ValueError(f"{who!r} cannot be the name of a file of labels: take letters, digits, points and dashes")
        self.who = who
        self._folder = folder
        self._path = folder / f"{who}.jsonl"
        self._lock = threading.RLock()
        self._known: dict[str, list[Change]] = {}
        self._size = 0
        self._changes()

    def _changes(self) -> dict[str, list[Change]]:
        """Return what is in the file, which another inspector may have written to."""
        with self._lock:
            size = self._path.stat().st_size if self._path.exists() else 0
            if size != self._size:
                self._size, self._known = size, {}
                for change in read_changes(self._path) if size else ():
                    self._known.setdefault(change.page, []).append(change)
            return self._known

    def add(self, page: str, url: str, kind: str, leaves: Sequence[Sequence[Any]]) -> None:
        """Write a change down; when this returns, it is on the disk.

        Raises
        ------
        ValueError
            When it is none.
        """
        if kind not in KINDS:
            raise ValueError(f"a change is one of {', '.join(KINDS)}, not {kind!r}")
        if len(leaves) > _MOST:
            raise ValueError(f"a change has at most {_MOST} leaves")
        labels = tuple(map(leaf_label, leaves))
        line = {
            "page": page,
            "url": url,
            "who": self.who,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "change": kind,
            "leaves": [_written(label) for label in labels],
        }
        written = orjson.dumps(line)
        with self._lock:
            known = self._changes()
            self._folder.mkdir(parents=True, exist_ok=True)
            append_line(self._path, written)
            self._size += len(written) + 1  # where the file has another size, somebody else wrote: it is read again
            change = Change(page=page, url=url, who=self.who, kind=kind, leaves=labels)
            known.setdefault(page, []).append(change)

    def changes(self, page: str) -> list[Change]:
        """Return what this person said of a page, in its order."""
        return list(self._changes().get(page, ()))

    def said(self, page: str) -> Annotation | None:
        """Return what this person says of a page in the end."""
        return merge_changes(self._changes().get(page, ())).get(page)

    def pages(self) -> dict[str, Annotation]:
        """Return the same for all pages."""
        return {page: said for page in list(self._changes()) if (said := self.said(page)) is not None}

    def others(self) -> tuple[dict[str, dict[str, Annotation]], list[str]]:
        """Read what others say, by their names; return also what is wrong with files that cannot be read."""
        found, unreadable = {}, []
        for path in sorted(self._folder.glob("*.jsonl")) if self._folder.is_dir() else []:
            try:
                if path != self._path:
                    found[path.stem] = read_annotations(path)
            except LabelsUnreadable as error:
                unreadable.append(str(error))
        return found, unreadable


def _written(label: LeafLabel) -> list[Any]:
    return [label.index, label.digest, label.role or None, label.content]
