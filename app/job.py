"""The pages of one command call, opened one after the other; each failure is reported with its reason.

While the work on a page is done, the next one is rendered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from ..errors import BlocksightError, PageFailed, PageUnreadable
from ..files.atomic import write_atomic
from ..page.page import Page
from ..render.render_options import UNMATCHED, RenderOptions, Screenshot
from ..render.sources.sources import read_descriptor
from .command_options import AUTO, browser_mode, program, render_options
from .console import Failed, ProgressBar, complain
from .page_runner import PageRunner

R = TypeVar("R")

_PARTIAL = "partial: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The pages of one call; counts failures."""

    sources: tuple[str, ...]  # Addresses, HTML files, saved pages, archives, and "-" for standard input
    options: RenderOptions
    executable: str | None = None  # The browser's program
    browser: bool | Literal["auto"] = True  # As for PageRunner
    url: str | None = None  # Address of files and standard input
    encoding: str | None = None  # Encoding of these
    failures: list[str] = field(default_factory=list)
    held: ExitStack = field(default_factory=ExitStack)  # browser and processes, which end with :meth:`run`

    def results(self, work: Callable[[Page], R], warm_up: Callable[[], object] = bool) -> Iterator[tuple[str, R]]:
        """Yield the result of each page that could be opened, and report the others.

        ``work`` runs in a worker process, within the timeout of the page: it and its result must be picklable.
        ``warm_up`` runs first in that process, while the first page is rendered.
        """
        return self.results_by_route(partial(_without_route, work), warm_up)

    def results_by_route(
        self, work: Callable[[Page, str | None], tuple[R, str]], warm_up: Callable[[], object] = bool
    ) -> Iterator[tuple[str, R]]:
        """Do the same with work that also returns why its page should be rendered, "" if the result is enough.

        It is called as by :meth:`~blocksight.app.page_runner.PageRunner.run_by_route`.
        """
        results = self._results(work, warm_up)
        self.held.callback(results.close)
        return results

    def _results(
        self, work: Callable[[Page, str | None], tuple[R, str]], warm_up: Callable[[], object]
    ) -> Generator[tuple[str, R], None, None]:
        runner = PageRunner(self.options, browser=self.browser, executable=self.executable, warm_up=warm_up)
        with runner, ProgressBar("pages", len(self.sources)) as bar:
            for number, source in enumerate(self.sources, 1):
                runner.following = "".join(self.sources[number : number + 1])
                try:
                    data = self._stdin() if source == "-" else source
                    opening: dict[str, Any] = {"url": self.url, "encoding": self.encoding}
                    notes, result = runner.run_by_route(data, partial(_noted, work), **opening)
                except (PageFailed, PageUnreadable) as error:
                    why = error.reason if isinstance(error, PageFailed) else str(error)
                    with bar.hidden():
                        self.fail(source, why.removeprefix(f"{source}: "))
                    continue
                finally:
                    bar("pages", number, len(self.sources))
                with bar.hidden():
                    for note in notes:
                        is_unmet = self.options.wait_for and note.removeprefix(_PARTIAL).startswith(UNMATCHED)
                        (self.fail if is_unmet else complain)(source, note)
                    yield source, result

    def _stdin(self) -> bytes:
        most, timeout = self.options.max_bytes, self.options.timeout
        try:
            descriptor = sys.stdin.fileno()
        except (OSError, ValueError):  # a replacement without a descriptor
            return sys.stdin.buffer.read(most + 1)
        return read_descriptor(descriptor, name="standard input", max_bytes=most, timeout=timeout)

    def fail(self, source: str, why: str) -> None:
        """Report that a page failed."""
        self.failures.append(source)
        complain(source, why)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Turn failures into the exit code."""
        try:
            with self.held:
                yield
        except BlocksightError as error:
            complain("blocksight", str(error))
            raise Failed from error
        if self.failures:
            raise Failed

    def write(self, path: Path, write: Callable[[Path], Any]) -> bool:
        """Write a result whole or not at all; return whether it was written."""
        try:
            write_atomic(path, write)
        except OSError as error:
            self.fail(str(path), f"cannot be written: {error.strerror or error}")
            return False
        return True

    def write_bytes(self, path: Path, data: bytes) -> bool:
        """Write bytes whole or not at all; return whether they were written."""
        return self.write(path, lambda unfinished: unfinished.write_bytes(data))


def _without_route(work: Callable[[Page], R], page: Page, _: str | None) -> tuple[R, str]:
    return work(page), ""


def _noted(
    work: Callable[[Page, str | None], tuple[R, str]], page: Page, reason: str | None
) -> tuple[tuple[tuple[str, ...], R], str]:
    """Do the work of a page, and add that it is partial."""
    result, asked = work(page, reason)
    return ((f"{_PARTIAL}{page.partial_reason}",) if page.partial else (), result), asked


def start_job(
    sources: tuple[str, ...],
    rendering: dict[str, Any],
    *,
    static: bool = False,
    screenshot: Screenshot = "",
    mhtml: bool = False,
    chooses: bool = False,
) -> Job:
    """Return the job of some sources, of which ``@FILE`` is a list, with the values of the options of `rendering`.

    ``chooses`` is whether the command can ask for a page to be rendered after it has read its raw HTML.
    """
    if rendering["browser"] == AUTO and not chooses:
        raise click.UsageError("--browser auto is for extract, batch and serve")
    mode = browser_mode(rendering, static=static)
    sources = expand_lists(sources)
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read once only")
    return Job(
        sources=sources,
        options=render_options(rendering, screenshot=screenshot, mhtml=mhtml),
        executable=program(rendering["browser"]),
        browser=mode,
        url=rendering["url"],
        encoding=rendering["encoding"],
    )


def expand_lists(sources: Iterable[str]) -> tuple[str, ...]:
    """Replace each list, ``@FILE`` or ``@-``, by its sources, one per line."""
    from ..batch.sources.lists import lines_of

    expanded: list[str] = []
    for source in sources:
        try:
            expanded += lines_of(source[1:]) if source.startswith("@") else [source]
        except OSError as error:
            raise click.BadParameter(f"{source[1:]}: cannot be read: {error.strerror or error}") from error
    return tuple(expanded)
