"""The pages that a command was called with, and what failed of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ..render.errors import BlocksightError, PageFailed
from ..render.files import write_whole
from ..render.options import Screenshot
from ..render.page import Page
from .failure import Failed, complain
from .options import render_options
from .sources import Opener


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The pages of one call; counts what failed."""

    opener: Opener
    sources: tuple[str, ...]
    failures: list[str]

    def pages(self) -> Iterator[tuple[str, Page]]:
        """Yield the pages that could be opened, and complain of the others."""
        for opened in self.opener.open_all(self.sources):
            source = str(opened.source)
            if opened.page is None:
                self.fail(source, opened.error.why if isinstance(opened.error, PageFailed) else str(opened.error))
            else:
                if opened.page.partial:
                    click.echo(f"{source}: still loading when it was taken (partial)", err=True)
                yield source, opened.page

    def fail(self, source: str, why: str) -> None:
        """Note that a page failed."""
        self.failures.append(source)
        complain(source, why)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Turn what went wrong into the exit code."""
        try:
            yield
        except BlocksightError as error:
            complain("blocksight", str(error))
            raise Failed("") from error
        if self.failures:
            raise Failed("")

    def write(self, path: Path, write: Callable[[Path], Any]) -> None:
        """Write a result whole or not at all."""
        try:
            write_whole(path, write)
        except OSError as error:
            self.fail(str(path), f"cannot be written: {error.strerror or error}")

    def write_bytes(self, path: Path, data: bytes) -> None:
        """Write bytes in the same way."""
        self.write(path, lambda unfinished: unfinished.write_bytes(data))


def start_job(
    sources: tuple[str, ...],
    rendering: dict[str, Any],
    *,
    static: bool = False,
    screenshot: Screenshot = "",
    mhtml: bool = False,
) -> Job:
    """Prepare to open sources, with the options of `rendering` as they were given."""
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read once only")
    options = render_options(rendering, screenshot=screenshot, mhtml=mhtml)
    opener = Opener(
        options=options,
        executable=rendering["browser"],
        static=static,
        url=rendering["url"],
        encoding=rendering["encoding"],
    )
    return Job(opener=opener, sources=sources, failures=[])
