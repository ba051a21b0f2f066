"""What the service does with one page, in the thread that asks and in a process that can be ended."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from ...batch.row_schema import error_kind
from ...classify.system import System
from ...errors import PageFailed, Refused
from ...page.page import Page
from ...page.store import dumps, is_saved
from ...processes.pool import Judges
from ...render.browser import Browser
from ...render.render_options import RenderOptions
from ...render.sources.raw import Raw
from ...render.sources.sources import is_address

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """What a request is about.

    Attributes
    ----------
    address : str
        Of the page; with ``data``, the address that it is to be taken for.
    data : bytes or None
        An HTML document, an archive or a saved page.
    encoding : str or None
        Of the document, where the request says so.
    """

    address: str
    data: bytes | None = None
    encoding: str | None = None


class ServiceWorker(ExitStack):
    """The browser and the processes of a service; use it as a context manager.

    Parameters
    ----------
    system : System
    options : RenderOptions
    workers : int
        Pages at once.
    browser : bool
        False reads raw HTML and saved pages only.
    executable : str, optional
        The browser's program.
    """

    def __init__(
        self,
        system: System,
        options: RenderOptions,
        *,
        workers: int,
        browser: bool = True,
        executable: str | None = None,
    ) -> None:
        super().__init__()
        self._system = system
        self._options = options
        self._judges = Judges(workers, _warm, system)
        self._browser = Browser(executable, pages=workers, options=options) if browser else None

    def __enter__(self) -> Self:
        self.enter_context(self._judges)
        if self._browser is not None:
            self.callback(self._browser.close)
        return self

    def extract(self, asked: ServiceRequest) -> bytes:
        """Return the document of a page as JSON."""
        return self._done(asked, _extracted, self._system)

    def render(self, asked: ServiceRequest) -> bytes:
        """Return a page as a saved one."""
        return self._done(asked, _saved)

    def _done(self, asked: ServiceRequest, work: Callable[..., T], *given: Any) -> T:
        return self._judges.run(work, self._opened(asked), *given, seconds=self._options.timeout)

    def _opened(self, asked: ServiceRequest) -> Page | Raw:
        if asked.data is not None and (self._browser is None or is_saved(asked.data)):
            return Raw(
                data=asked.data,
                name=asked.address or "the page",
                url=asked.address or None,
                encoding=asked.encoding,
                limit=self._options.max_bytes,
                geometry=self._browser is not None,
            )
        if self._browser is None:
            raise PageFailed(asked.address, "an address needs the browser; send the HTML")
        if asked.data is not None:
            return self._browser.open(asked.data, url=asked.address or None, encoding=asked.encoding)
        if not is_address(asked.address):
            # It would be taken for the path of a file of this machine.
            raise Refused(asked.address, "this is no address: it should look like https://example.org/page")
        return self._browser.open(asked.address)


#: The status of an answer by the kind of failure; 422 for all others: the page could not be had, or holds nothing.
_STATUS = {"timeout": 504, "refused": 403, "http": 502, "fault": 500}


def failure(error: Exception) -> tuple[int, dict[str, Any]]:
    """Return the status and the answer for an error."""
    kind = error_kind(error)
    why = str(error) if kind != "fault" else "a fault of the program"
    told: dict[str, Any] = {"kind": kind, "message": why}
    if status := getattr(error, "status", 0):
        told["status"] = status
    return _STATUS.get(kind, 422), {"error": told}


def _page(found: Page | Raw) -> Page:
    return found.page() if isinstance(found, Raw) else found


def _extracted(found: Page | Raw, system: System) -> bytes:
    import orjson

    from ...classify.extract import extract

    return orjson.dumps(extract(_page(found), system=system).to_json())


def _saved(found: Page | Raw) -> bytes:
    return dumps(_page(found))


def _warm(system: System) -> None:
    _extracted(Raw(data=b"<p>Fresh water boils.", name="warm", url=None, encoding=None, limit=1000), system)
