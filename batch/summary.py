"""How far a run is: what is done, what failed and why, how fast, and how long it will take."""

from __future__ import annotations

import time
from collections import Counter, deque
from pathlib import Path
from typing import Any

import orjson

from ..files.atomic import write_bytes
from .output.ledger import Ledger
from .output.shards import disk_named
from .row_schema import SCHEMA_VERSION, Row

SUMMARY = "summary.json"
#: The rate is that of the last so many pages.
_RECENT = 200


class Summary:
    """Counts of one run, beside those of its folder."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._began = time.time()
        self._times: deque[float] = deque([time.monotonic()], maxlen=_RECENT)
        self.rows = 0
        self.failures: Counter[str] = Counter()
        self.recount()

    def recount(self) -> None:
        """Look into the ledger how many inputs there are, and how many were done before this run."""
        done, waiting, failed = self._ledger.counts()
        self.before = done + sum(failed.values()) - self.rows
        self.total = done + sum(failed.values()) + waiting

    def count(self, row: Row) -> None:
        """Count a row."""
        self.rows += 1
        self._times.append(time.monotonic())
        if row["error_kind"] is not None:
            self.failures[row["error_kind"]] += 1

    @property
    def rate(self) -> float:
        """Pages a second, of late."""
        passed = time.monotonic() - self._times[0]
        return (len(self._times) - 1) / passed if passed > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds until all that was noted is done, None where that cannot be told yet."""
        waiting = self.total - self.before - self.rows
        return waiting / self.rate if self.rate > 0 and waiting >= 0 else None

    def line(self) -> str:
        """Return how far it is, in one line."""
        told = [f"{self.before + self.rows:,} of {self.total:,} pages", f"{self.rate:.1f} a second"]
        if self.left is not None:
            told.append(f"about {_spoken(self.left)} left")
        if self.failures:
            told.append(self.failed())
        return ", ".join(told)

    def failed(self) -> str:
        """Return the failures by kind, the most frequent first."""
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in self.failures.most_common())
        return f"{sum(self.failures.values()):,} failed ({kinds})"

    def told(self) -> dict[str, Any]:
        """Return what became of everything, as plain values."""
        done, waiting, failed = self._ledger.counts()
        return {
            "schema": SCHEMA_VERSION,
            "inputs": done + waiting + sum(failed.values()),
            "done": done,
            "failed": sum(failed.values()),
            "failed_by_kind": failed,
            "waiting": waiting,
            "this_run": {
                "began": self._began,
                "seconds": round(time.time() - self._began, 3),
                "rows": self.rows,
                "failed_by_kind": dict(self.failures.most_common()),
            },
        }

    def write(self, folder: Path) -> None:
        """Write it into the folder."""
        with disk_named(folder):
            write_bytes(folder / SUMMARY, orjson.dumps(self.told(), option=orjson.OPT_INDENT_2) + b"\n")


def _spoken(seconds: float) -> str:
    """Write a time as people say it.

    >>> _spoken(42.4), _spoken(150), _spoken(9000)
    ('42 s', '2 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
