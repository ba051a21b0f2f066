"""Checkpoint of an evaluation: one line for each finished page, so that an interrupted run can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from ..errors import SettingsMismatch
from ..files.atomic import SETTINGS, append_line, complete_lines, open_run_folder

FORMAT = "blocksight-evaluation"
NAME = "journal.jsonl"


class Checkpoint:
    """The file ``journal.jsonl`` in an evaluation's folder, which is created if it does not exist.

    ``settings`` (corpus, measures, version) must be unchanged when a run is resumed, else SettingsMismatch is raised.
    """

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.path = folder / NAME
        self.rows: list[dict[str, Any]] = []
        self.opened: dict[str, dict[str, Any]] = {}
        if self.path.exists() and not (folder / SETTINGS).exists():
            raise SettingsMismatch(f"{self.path}: {SETTINGS} is missing; use another folder or remove this file")
        open_run_folder(folder, {"format": FORMAT, **settings})
        if self.path.exists():
            for line in complete_lines(self.path):
                self._add(orjson.loads(line))

    def _add(self, line: dict[str, Any]) -> None:
        self.rows += line.get("rows", [])
        if "opened" in line:
            self.opened[line["opened"]] = line

    def add(self, **line: Any) -> None:
        """Record the ``rows`` of one page; or that a page was ``opened``, in how many ``seconds``, or its ``error``."""
        append_line(self.path, orjson.dumps(line, option=orjson.OPT_SERIALIZE_NUMPY))
        self._add(line)

    def finished(self) -> set[tuple[str, str, str]]:
        """Return (page, input, system) of every row."""
        return {(row["page"], row["input"], row["system"]) for row in self.rows}
