"""Counts of a service, in the text format of Prometheus."""

from __future__ import annotations

import threading
from collections import Counter


class Metrics:
    """Answers by path and status, and their seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, float] = {}
        self.under_way = 0

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count an answer."""
        with self._lock:
            self._answers[path, status] += 1
            self._seconds[path] = self._seconds.get(path, 0.0) + seconds

    def text(self) -> str:
        """Return all counts, one per line."""
        with self._lock:
            lines = ["# HELP blocksight_answers_total Answers by path and status."]
            lines.append("# TYPE blocksight_answers_total counter")
            for (path, status), count in sorted(self._answers.items()):
                lines.append(f'blocksight_answers_total{{path="{path}",status="{status}"}} {count}')
            lines += ["# HELP blocksight_seconds_total Seconds by path.", "# TYPE blocksight_seconds_total counter"]
            for path, seconds in sorted(self._seconds.items()):
                lines.append(f'blocksight_seconds_total{{path="{path}"}} {seconds:.6f}')
            lines += ["# HELP blocksight_under_way Pages in progress.", "# TYPE blocksight_under_way gauge"]
            lines.append(f"blocksight_under_way {self.under_way}")
        return "\n".join(lines) + "\n"
