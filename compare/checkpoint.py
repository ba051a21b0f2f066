"""What an evaluation has done so far: one line a page, written as soon as it is done, so that a killed run goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from ..errors import OtherSettings
from ..files.atomic import SETTINGS, append_line, finished_lines, go_on

FORMAT = "blocksight-evaluation"
NAME = "journal.jsonl"


class Checkpoint:
    """The file ``journal.jsonl`` of an evaluation's folder.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    settings : dict
        What must be the same for a run to go on: corpus, measures, version.

    Raises
    ------
    OtherSettings
        When the folder holds another evaluation, or results of another kind.
    """

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.path = folder / NAME
        self.rows: list[dict[str, Any]] = []
        self.opened: dict[str, dict[str, Any]] = {}
        if self.path.exists() and not (folder / SETTINGS).exists():
            raise OtherSettings(
                f"{self.path}: there is no {SETTINGS} that says of what; take another folder or remove it"
            )
        go_on(folder, {"format": FORMAT, **settings})
        if self.path.exists():
            for line in finished_lines(self.path):
                self._take(orjson.loads(line))

    def _take(self, line: dict[str, Any]) -> None:
        self.rows += line.get("rows", [])
        if "opened" in line:
            self.opened[line["opened"]] = line

    def _write(self, line: dict[str, Any]) -> None:
        append_line(self.path, orjson.dumps(line, option=orjson.OPT_SERIALIZE_NUMPY))

    def add_rows(self, rows: list[dict[str, Any]]) -> None:
        """Note the rows of one page."""
        self._write({"rows": rows})
        self._take({"rows": rows})

    def add_opened(self, page: str, seconds: float | None, error: str) -> None:
        """Note that a page was rendered, or why not."""
        line = {"opened": page, "seconds": seconds, "error": error}
        self._write(line)
        self._take(line)

    def done(self) -> set[tuple[str, str, str]]:
        """Return page, input and system of every row."""
        return {(row["page"], row["input"], row["system"]) for row in self.rows}
