"""The page on which tools act: in a browser of its own, behind the same guard and limits as pages that are read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from anyio.from_thread import start_blocking_portal

from ...document.map.map_session import Session
from ...errors import PageFailed
from ...render.chromium.identity import user_agent
from ...render.chromium.process.executable import find_browser, read_version
from ...render.chromium.process.launch import RESTRICTIONS, is_root
from ...render.network.proxy import proxy_for
from ...render.render_options import RenderOptions
from ...render.sources.sources import demand_web_address

#: No page opens another one: links and forms that would do so open in the page itself.
_IN_PLACE = """for (const kind of ["click", "submit"]) addEventListener(kind, (event) => {
  event.composedPath().forEach((element) => element.removeAttribute?.("target"));
}, true);"""


class LivePage(ExitStack):
    """One page for all clients of a server; use it as a context manager. Each address gets a fresh browser profile.

    ``max_bytes`` and ``max_requests`` of the options are for an address with all that is done on its page. Playwright's
    objects belong to the thread that made them: a thread of its own does what many threads ask for.
    """

    def __init__(self, options: RenderOptions, executable: str | None = None) -> None:
        super().__init__()
        self._options, self._executable = options, executable
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="blocksight-live")
        self._opened = ExitStack()
        self._session: Session | None = None

    def __exit__(self, *_: object) -> None:
        self._thread.submit(self._opened.close).result()
        self._thread.shutdown()

    def open(self, url: str) -> str:
        """Open an address in a fresh profile and return the map; Refused if it is none or not allowed."""
        return self._thread.submit(self._open, demand_web_address(url)).result()

    def act(self, action: str, *arguments: Any, **options: Any) -> str:
        """Return the answer of a method of :class:`~blocksight.document.map.map_session.Session`."""

        def work() -> str:
            if self._session is None:
                raise PageFailed("no page", "nothing is open; open an address first")
            return str(getattr(self._session, action)(*arguments, **options))

        return self._thread.submit(work).result()

    def _open(self, url: str) -> str:
        from playwright.sync_api import sync_playwright

        self._opened.close()
        self._session = None
        options, found = self._options, find_browser(self._executable)
        portal = self._opened.enter_context(start_blocking_portal())
        proxy = self._opened.enter_context(portal.wrap_async_context_manager(proxy_for(url, options)))
        settings: Any = {"server": proxy.address, "username": proxy.name, "password": proxy.secret}
        program = self._opened.enter_context(sync_playwright()).chromium.launch(
            executable_path=found.path, args=list(RESTRICTIONS), chromium_sandbox=not is_root(), proxy=settings
        )
        self._opened.callback(program.close)
        context = program.new_context(
            accept_downloads=False,
            user_agent=user_agent(options, read_version(found) or program.version),
            viewport={"width": options.viewport[0], "height": options.viewport[1]},
            locale=options.locale,
            timezone_id=options.timezone,
            storage_state=options.storage_state,
            service_workers="block",
        )
        context.add_init_script(_IN_PLACE)
        self._session = Session(context.new_page(), seconds=options.timeout)
        return self._session.open(url)
