"""From an input to its page: files are read, addresses and raw HTML are rendered by a browser, which all share."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Self

from ..errors import BrowserMissing, ExtraMissing, PageFailed, RunStopped
from ..page.page import Page
from ..page.store import is_saved
from ..render.browser import Browser
from ..render.sources.raw import Raw
from ..render.sources.sources import is_address, read_file
from .batch_options import BatchOptions
from .extract_row import about
from .outcome import Outcome, failed, refused
from .robots import Always, RobotsRules, read_rules
from .row_schema import SOURCE
from .sources.archive_pages import is_packed, page_at, raw_at
from .sources.inputs import ID_LENGTH, Input


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedInput:
    """An input with its page, to be judged; other processes may do that.

    Attributes
    ----------
    input : Input
    material : Page or Raw
    known : dict
        Columns that are known already.
    """

    input: Input
    material: Page | Raw
    known: dict[str, Any]


class InputOpener(ExitStack):
    """Opens inputs, several at once, each in the thread that asks.

    Use it as a context manager: then the browser, which starts when it is needed, ends as well.
    """

    def __init__(self, options: BatchOptions) -> None:
        super().__init__()
        self._options = options
        self._digest = options.digest
        rendered = replace(options.render, warc="warc" in options.keep)
        self._browser = Browser(options.executable, pages=options.workers, options=rendered)

    def __enter__(self) -> Self:
        self.callback(self._browser.close)
        return self

    def rules(self, host: str) -> RobotsRules:
        """Read the rules of a host; where they cannot be read for whatever reason, nothing may be asked of it."""
        try:
            return read_rules(self._browser, host, self._options.polite.agent)
        except (BrowserMissing, ExtraMissing):
            raise
        except Exception as error:  # the edge of the batch: one host shall not be the end of all others
            return Always(
                f"robots.txt could not be read ({type(error).__name__}: {error}), so nothing may be asked for"
            )

    def open(self, found: Input) -> OpenedInput | Outcome:
        """Open an input; whatever goes wrong with it is in its row.

        Raises
        ------
        BrowserMissing, RunStopped
            What ends the run.
        """
        if found.wrong:
            return refused(found, SOURCE, found.wrong, self._digest)
        began = time.perf_counter()
        try:
            material = self._material(found)
            known: dict[str, Any] = {"seconds_render": round(time.perf_counter() - began, 4)}
            return OpenedInput(
                input=found, material=material, known=known | (about(material) if isinstance(material, Page) else {})
            )
        except (BrowserMissing, RunStopped):
            raise
        except Exception as error:  # the edge of the batch: one page shall not be the end of all others
            spent = {"seconds_render": round(time.perf_counter() - began, 4)}
            return failed(found, spent, self._digest, error)

    def _material(self, found: Input) -> Page | Raw:
        options, largest = self._options, self._options.render.max_bytes
        if is_address(found.source):
            if not options.browser:
                raise PageFailed(found.source, "an address needs the browser; save the page and give the file")
            return self._browser.open(found.source)
        if found.url and is_packed(found.source):
            if not options.browser:
                return raw_at(found.source, found.url, found.place, largest=largest)
            return self._browser.open(page_at(found.source, found.url, found.place, largest=largest))
        if options.browser and not _is_saved_file(found.source):
            return self._browser.open(found.source)
        data = read_file(found.source, max_bytes=largest, timeout=options.render.timeout)
        seen = options.browser
        return Raw(data=data, name=found.source, url=None, encoding=None, limit=largest, geometry=seen)


def _is_saved_file(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return is_saved(file.read(ID_LENGTH * 2))
    except (OSError, ValueError):
        return False
