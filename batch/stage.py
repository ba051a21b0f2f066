"""One input to its row, in this process: opened by a browser, and judged by a process that can be ended."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Self

from .batch_options import BatchOptions
from .finisher import Finisher
from .opener import InputOpener
from .outcome import Outcome, refused
from .robots import RobotsRules
from .sources.inputs import Input


class Stage(ExitStack):
    """Does inputs, several at once, each in the thread that asks.

    Use it as a context manager, and enter it before other threads are started: then its processes are copies of this
    one, and begin at once.

    Parameters
    ----------
    options : BatchOptions
    pages : Path, optional
        The folder to keep rendered pages in.
    warcs : Path, optional
        The folder to keep archives in.
    """

    def __init__(self, options: BatchOptions, *, pages: Path | None = None, warcs: Path | None = None) -> None:
        super().__init__()
        self._digest = options.digest
        self._finisher = Finisher(options, options.workers, pages=pages, warcs=warcs)
        self._opener = InputOpener(options)

    def __enter__(self) -> Self:
        self.enter_context(self._finisher)
        self.enter_context(self._opener)
        return self

    def rules(self, host: str) -> RobotsRules:
        """Read the rules of a host."""
        return self._opener.rules(host)

    def refused(self, found: Input, kind: str, why: str) -> Outcome:
        """Return the row of an input that is not opened."""
        return refused(found, kind, why, self._digest)

    def do(self, found: Input) -> Outcome:
        """Open and judge an input; whatever goes wrong with it is in its row.

        Raises
        ------
        BrowserMissing, RunStopped
            What ends the run: no browser, no room on the disk.
        """
        opened = self._opener.open(found)
        return opened if isinstance(opened, Outcome) else self._finisher.finish(opened)
