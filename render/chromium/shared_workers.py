"""Give shared and service workers the identity of the page that starts them, and shared workers its clock.

The DevTools session of a page does not include them, only its own workers.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from ..devtools.channel import Channel, CommandFailed, Connection
from ..render_options import RenderOptions
from .identity import identity_commands

_TYPES = ("shared_worker", "service_worker")
_SECONDS = 5.0
_AGENT = "Emulation.setUserAgentOverride"


class SharedWorkers:
    """Attaches to the shared and service workers of all contexts of a browser before their first script runs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._contexts: dict[str, RenderOptions] = {}
        self._pages: dict[str, Channel] = {}
        self._watching: asyncio.Future[Any] | None = None

    async def register(self, context: str, options: RenderOptions) -> None:
        """Set the options of the workers of a context."""
        self._contexts[context] = options
        if self._watching is None:
            self._watching = asyncio.ensure_future(self._watch())
        await asyncio.shield(self._watching)

    def pass_to(self, page: Channel, context: str) -> None:
        """Let the page of a context start its shared workers; it gets the event as for a worker of its own."""
        self._pages[context] = page

    def forget(self, context: str) -> None:
        """Remove a context."""
        self._contexts.pop(context, None)
        self._pages.pop(context, None)

    async def _watch(self) -> None:
        browser = self._connection.browser
        browser.on("Target.attachedToTarget", self._start)
        listed = [*({"type": name} for name in _TYPES), {"exclude": True}]
        settings = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": listed}
        with suppress(CommandFailed):
            await browser.send("Target.setAutoAttach", settings, timeout=_SECONDS)

    async def _start(self, event: dict[str, Any]) -> None:
        """Set the identity of a worker and let it run; one whose context is gone runs without."""
        target = event["targetInfo"]
        if target["type"] not in _TYPES:
            return
        worker = self._connection.channel(event["sessionId"])
        options = self._contexts.get(target.get("browserContextId", ""))
        agent = dict(identity_commands(options, self._connection.version))[_AGENT] if options else None
        calls = [(_AGENT, agent)] if agent else []
        page = self._pages.get(target.get("browserContextId", "")) if target["type"] == "shared_worker" else None
        run: list[tuple[str, dict[str, Any]]] = [] if page else [("Runtime.runIfWaitingForDebugger", {})]
        # The browser executes them in order.
        sent = (worker.send(*call, timeout=_SECONDS) for call in [*calls, *run])
        await asyncio.gather(*sent, return_exceptions=True)
        worker.close()
        if page:
            page.receive({"method": "Target.attachedToTarget", "params": event})
