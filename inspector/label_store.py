"""Labels of pages, one append-only JSON Lines file per annotator."""

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
    leaf_label,
    merge_changes,
    read_changes,
)

#: Kinds of changes.
KINDS = (SET, UNDO, REDO, DONE, OPEN)
_NAME = re.compile(r"[\w][\w.-]{0,40}")
#: Most leaves of one change.
_MAX_LEAVES = 200_000


class LabelStore:
    """The labels of one annotator in the file ``WHO.jsonl``.

    Raises ValueError if the name cannot be a file name, LabelsUnreadable if the file is damaged.
    """

    def __init__(self, folder: Path, who: str) -> None:
        if not _NAME.fullmatch(who):
            raise ValueError(f"{who!r} cannot be the name of a file of labels: take letters, digits, points and dashes")
        self.who = who
        self._folder = folder
        self._path = folder / f"{who}.jsonl"
        self._lock = threading.RLock()
        self._by_page: dict[str, list[Change]] = {}
        self._size = 0
        self._changes()

    def _changes(self) -> dict[str, list[Change]]:
        """Return the changes by page; the file is read again if another inspector has written to it."""
        with self._lock:
            size = self._path.stat().st_size if self._path.exists() else 0
            if size != self._size:
                self._size, self._by_page = size, {}
                for change in read_changes(self._path) if size else ():
                    self._by_page.setdefault(change.page, []).append(change)
            return self._by_page

    def add(self, page: str, url: str, kind: str, leaves: Sequence[Sequence[Any]]) -> None:
        """Append a change to the file; ValueError if it is invalid."""
        if kind not in KINDS:
            raise ValueError(f"a change is one of {', '.join(KINDS)}, not {kind!r}")
        if len(leaves) > _MAX_LEAVES:
            raise ValueError(f"a change has at most {_MAX_LEAVES} leaves")
        labels = tuple(map(leaf_label, leaves))
        line = {
            "page": page,
            "url": url,
            "who": self.who,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "change": kind,
            "leaves": [[label.index, label.digest, label.role or None, label.content] for label in labels],
        }
        data = orjson.dumps(line)
        with self._lock:
            by_page = self._changes()
            self._folder.mkdir(parents=True, exist_ok=True)
            append_line(self._path, data)
            self._size += len(data) + 1  # with another size, it is read again
            change = Change(page=page, url=url, who=self.who, kind=kind, leaves=labels)
            by_page.setdefault(page, []).append(change)

    def changes(self, page: str) -> list[Change]:
        """Return the changes of a page in order."""
        return list(self._changes().get(page, ()))

    def annotation(self, page: str) -> Annotation | None:
        """Return the current labels of a page."""
        return merge_changes(self._changes().get(page, ())).get(page)

    def pages(self) -> dict[str, Annotation]:
        """Return the current labels of all pages."""
        return {page: labels for page in list(self._changes()) if (labels := self.annotation(page)) is not None}
