"""An actor that processes pages, from source to row, with a browser and worker processes of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ...errors import BlocksightError
from ...processes.contention import MOST_STRETCH
from ..batch_options import BatchOptions
from ..pipeline import Outcome, Pipeline, failed
from ..robots import RobotsRules
from ..sources.inputs import Input
from .connection import node_error

#: Seconds beyond the longest time of a page after which a hanging actor is killed.
_GRACE = 180.0


def lease(options: BatchOptions) -> float:
    """Return the seconds after which a page has certainly ended."""
    # Rendering is extended on a busy machine; extraction has the timeout again.
    return (MOST_STRETCH + 1.0) * options.render.timeout + _GRACE


@contextmanager
def killed_after(seconds: float) -> Iterator[None]:
    """Kill this process if its task outlives all its timeouts; Ray starts another actor."""
    timer = threading.Timer(seconds, os._exit, [1])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


class PageActor:
    """Processes up to ``BatchOptions.workers`` inputs at once, each in a thread of Ray."""

    def __init__(self, options: BatchOptions, pages: str | None = None, warcs: str | None = None) -> None:
        self._options = options
        self._folders = {"pages": Path(pages) if pages else None, "warcs": Path(warcs) if warcs else None}
        self._lock = threading.Lock()
        self._pipeline: Pipeline | None = None

    def ready(self, folder: str, version: str) -> str:
        """Return why this computer cannot take part in the run, "" if it can and the models are loaded."""
        with killed_after(lease(self._options)):  # a disk that hangs must not keep its place
            why = node_error(folder, version, self._options.executable or "", bool(self._options.browser))
            if not why:
                self._started()
        return why

    def process(self, entry: Input, rules: Mapping[str, RobotsRules] | None = None) -> Outcome:
        """Process an input; every failure is an outcome."""
        try:
            with killed_after(2 * lease(self._options)):
                result = self._started().process(entry, rules)
        except BlocksightError:
            raise
        except Exception as error:  # one page must not end the batch
            result = failed(entry, {}, self._options.digest, error)
        # Errors of other libraries may not be picklable; they are in the row.
        return result if isinstance(result.error, BlocksightError) else Outcome(row=result.row)

    def rules(self, host: str) -> RobotsRules:
        """Read the rules of a host."""
        with killed_after(lease(self._options)):
            return self._started().rules(host)

    def _started(self) -> Pipeline:
        with self._lock:
            if self._pipeline is None:
                # Ray has threads that Python does not know, so workers are not forked.
                self._pipeline = Pipeline(self._options, fork=False, **self._folders).__enter__()
            return self._pipeline
