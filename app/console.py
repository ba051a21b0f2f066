"""Progress and errors of a command, on standard error, and the extra that installs a missing library."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from ..errors import BlocksightError, ExtraMissing
from ..render.render_options import RenderOptions

if TYPE_CHECKING:
    from rich.console import Console

#: Seconds after which progress appears on a terminal, until it is drawn again, and between lines without a terminal.
PATIENCE, REDRAW_SECONDS, LINE_SECONDS = 2.0, 0.5, 10.0
#: Options of the command line by the names in messages: those of one word are at the start of a remark in parentheses.
_OPTIONS = {field.name: f"--{field.name.replace('_', '-')}" for field in fields(RenderOptions)}
_OPTIONS |= {"credentials": "--user", "headers": "--header"}
_OPTIONS |= {name: f"--{name}" for name in ("column", "rendered", "split")}
_FIELD = re.compile("|".join(rf"\b{name}\b" if "_" in name else rf"(?<=\(){name}\b" for name in _OPTIONS))
_CLEAR_LINE = "\r\x1b[K"


class Failed(click.ClickException):
    """A failure whose reasons are on standard error already."""

    exit_code = 1

    def __init__(self) -> None:
        super().__init__("")

    def show(self, file: Any = None) -> None:
        """Print nothing more."""


class Terminated(KeyboardInterrupt):
    """The program was asked to end by SIGTERM."""


@contextmanager
def end_on_sigterm() -> Iterator[None]:
    """Raise Terminated on SIGTERM, as KeyboardInterrupt on SIGINT; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _raise_terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raise_terminated(*_: object) -> None:
    raise Terminated


def say(line: str) -> None:
    """Print a line on standard error."""
    click.echo(line, err=True)


def complain(source: str, why: str) -> None:
    """Print a source and the reason of its failure on standard error, as :func:`with_options` spells it."""
    say(f"{source}: {with_options(why)}")


def with_options(why: str, *, of: str = "", kept: Container[str] = ()) -> str:
    """Return a message with options of the command line, ``of`` a server, for names of arguments that are not kept."""
    return _FIELD.sub(lambda found: found[0] if found[0] in kept else _OPTIONS[found[0]] + of, why)


@contextmanager
def report_errors() -> Iterator[None]:
    """Turn an error of blocksight into a line on standard error and exit code 1, a ValueError into exit code 2."""
    try:
        yield
    except BlocksightError as error:
        complain("blocksight", str(error))
        raise Failed from error
    except ValueError as error:
        raise click.UsageError(with_options(str(error))) from error


class ProgressBar:
    """A line of progress: on a terminal it is rewritten once work takes long, elsewhere printed every some seconds.

    A total of 0 is unknown.

    It is a :data:`~blocksight.processes.workers.Progress`: called with the step, the number done and the total.
    """

    def __init__(self, what: str, total: int = 0) -> None:
        self._step = (what, 0, total)
        self._is_shown = False
        self._lock = threading.Lock()
        self._start = time.monotonic()
        self._ended = threading.Event()

    def __enter__(self) -> ProgressBar:
        self._is_terminal = sys.stderr.isatty()
        threading.Thread(target=self._watch, name="blocksight-progress", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        with self._lock:
            self._clear()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Note the progress."""
        with self._lock:
            self._step = (what, done, total)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide it while results are printed on the same terminal."""
        with self._lock:
            self._clear()
            yield

    def _watch(self) -> None:
        pause = PATIENCE if self._is_terminal else LINE_SECONDS
        while not self._ended.wait(pause):
            pause = REDRAW_SECONDS if self._is_terminal else LINE_SECONDS
            with self._lock:
                if not self._ended.is_set():
                    self._print()

    def _print(self) -> None:
        what, done, total = self._step
        of = f" of {total:,}" if total else ""
        line = f"{what}: {done:,}{of}, {time.monotonic() - self._start:.0f} s"
        if not self._is_terminal:
            say(line)
            return
        click.echo(f"{_CLEAR_LINE}{line[: shutil.get_terminal_size().columns - 1]}", nl=False, err=True)
        self._is_shown = True

    def _clear(self) -> None:
        if self._is_shown:
            click.echo(_CLEAR_LINE, nl=False, err=True)
        self._is_shown = False


def listen(host: str, port: int) -> socket.socket:
    """Bind a port, so that its number can be printed before it is served; ClickException if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = f"cannot listen at port {port} of {host} ({error.strerror}); --port 0 takes a free one"
        raise click.ClickException(why) from error


def stdout_console() -> Console:
    """Return a console for tables on standard output; a pipe gets lines of 200 characters."""
    from rich.console import Console

    return Console(width=None if Console().is_terminal else 200)


#: The extra of each optional library, by its import name.
EXTRAS = {
    "PIL": "browser",
    "mcp": "mcp",
    "playwright": "browser",
    "psutil": "browser",
    "jinja2": "research",
    "pandas": "research",
    "pyarrow": "research",
    "rapidfuzz": "research",
    "rich": "research",
    "scipy": "research",
    "sklearn": "research",
    "pycrfsuite": "research",
    "snowballstemmer": "research",
    "trafilatura": "research",
    "protego": "scale",
    "starlette": "scale",
    "uvicorn": "scale",
}


@contextmanager
def name_extras(what: str) -> Iterator[None]:
    """Turn the error of a library that is missing for ``what`` into ExtraMissing; leave other errors alone."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise ExtraMissing(what, extra) from error
