"""Progress of a run: counts, failures by kind, and the rate."""

from __future__ import annotations

import time
from collections import Counter, deque
from pathlib import Path
from typing import Any

import orjson

from ..files.atomic import write_bytes
from .output.output import Output
from .output.shards import disk_errors
from .row_schema import SCHEMA_VERSION, Row

SUMMARY = "summary.json"
#: Number of recent pages of which the rate is measured.
_RECENT = 200


class Summary:
    """Counts of one run and of its folder."""

    def __init__(self, output: Output) -> None:
        self._ledger = output.ledger
        self._start = time.time()
        self._times = deque([time.monotonic()], maxlen=_RECENT)
        self.rows = 0
        self.failures: Counter[str] = Counter()
        done, waiting, failed = self._ledger.counts()
        #: Inputs that were done before this run, and all of the folder.
        self.before = done + sum(failed.values())
        self.total = self.before + waiting

    def count(self, row: Row) -> None:
        """Count a row."""
        self.rows += 1
        self._times.append(time.monotonic())
        if row["error_kind"] is not None:
            self.failures[row["error_kind"]] += 1

    @property
    def waiting(self) -> int:
        """Number of inputs that are not done."""
        return self.total - self.before - self.rows

    def pace(self) -> str:
        """Return the recent pages per second."""
        passed = time.monotonic() - self._times[0]
        return f"{(len(self._times) - 1) / passed if passed > 0 else 0.0:.1f} pages/s"

    def failed(self) -> str:
        """Return the failures by kind, the most frequent first."""
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.failures.most_common())
        return f"{sum(self.failures.values()):,} failed ({kinds})"

    def to_dict(self) -> dict[str, Any]:
        """Return all counts as JSON values."""
        done, waiting, failed = self._ledger.counts()
        finished = done + sum(failed.values())
        return {
            "schema": SCHEMA_VERSION,
            "inputs": finished + waiting,
            "rows": finished,
            "done": done,
            "failed": sum(failed.values()),
            "failed_by_kind": failed,
            "waiting": waiting,
            "this_run": {
                "start": self._start,
                "seconds": round(time.time() - self._start, 3),
                "rows": self.rows,
                "failed_by_kind": dict(self.failures.most_common()),
            },
        }

    def write(self, folder: Path) -> None:
        """Write the summary file of a folder."""
        with disk_errors(folder):
            write_bytes(folder / SUMMARY, orjson.dumps(self.to_dict(), option=orjson.OPT_INDENT_2) + b"\n")
