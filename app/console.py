"""What a command shows on standard error while it works: how far it is, and what failed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ..errors import BlocksightError

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

#: Seconds after which a progress bar appears.
PATIENCE = 2.0


class Failed(click.ClickException):
    """Something failed; the reasons are on standard error already."""

    exit_code = 1

    def __init__(self) -> None:
        super().__init__("")

    def show(self, file: Any = None) -> None:
        """Say nothing more."""


def say(line: str) -> None:
    """Print a line on standard error."""
    click.echo(line, err=True)


def complain(source: str, why: str) -> None:
    """Name what failed, and the reason, on standard error."""
    say(f"{source}: {why}")


@contextmanager
def failures_named() -> Iterator[None]:
    """Turn an error of blocksight into a line on standard error and exit code 1, a wrong argument into exit code 2."""
    try:
        yield
    except BlocksightError as error:
        complain("blocksight", str(error))
        raise Failed from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error


class ProgressBar:
    """A progress bar, shown once work takes long and where a person is watching.

    It is called as every :data:`~blocksight.processes.progress.Progress` is: with what is being done, how much of it is
    done, and of how much.

    Parameters
    ----------
    what : str
    total : int
        0 where it is not known yet.
    """

    def __init__(self, what: str, total: int = 0) -> None:
        self._step = (what, 0, total)
        self._shown: RichProgress | None = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True

    def __enter__(self) -> ProgressBar:
        if sys.stderr.isatty():
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            if self._shown is not None:
                self._shown.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how far the work is."""
        with self._lock:
            self._step = (what, done, total)
            self._draw()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Make room: results may go to the same terminal."""
        with self._lock:
            if self._shown is not None:
                self._shown.stop()
            yield
            if self._shown is not None:
                self._shown.start()

    def _show(self) -> None:
        with self._lock:
            if self._timer.finished.is_set():
                return
            self._shown = _rich_bar()
            self._draw()
            self._shown.start()

    def _draw(self) -> None:
        what, done, total = self._step
        if self._shown is not None:
            self._shown.update(self._shown.task_ids[0], description=what, completed=done, total=total or None)


def _rich_bar() -> RichProgress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    words = TextColumn("{task.description}")
    times = (TimeElapsedColumn(), TimeRemainingColumn())
    shown = Progress(
        SpinnerColumn(), words, BarColumn(), MofNCompleteColumn(), *times, console=Console(stderr=True), transient=True
    )
    shown.add_task("")
    return shown
