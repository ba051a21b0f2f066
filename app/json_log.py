"""A log with one JSON object a line: a record for each page, and what the program says about hosts and retries."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import orjson


class JsonFormatter(logging.Formatter):
    """Format a record as JSON, with the columns of its page if it has one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": time, "level": record.levelname.lower(), "event": record.getMessage()}
        line |= getattr(record, "page", {"logger": record.name})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


@contextmanager
def json_log(path: Path) -> Iterator[None]:
    """Append the log of the program to a file; OSError if it cannot be opened."""
    logger = logging.getLogger("blocksight")
    before, handler = logger.level, logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(JsonFormatter())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
        handler.close()
