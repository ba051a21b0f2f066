"""Open a browser context for each document: contexts share nothing and leave nothing behind.

Contexts use this package's own DevTools connection: Playwright's would bind its driver to every event of every page.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from ..devtools.channel import Channel, ChannelClosed, CommandFailed, Connection, FrameControl
from ..devtools.scripts import call
from ..network.proxy import AUTH_URL, PageProxy
from ..render_options import RenderOptions, read_storage_state
from .identity import Command, identity_commands, window_bounds
from .navigation import EMPTY

_OPEN_SECONDS = 15.0
_CLOSE_SECONDS = 5.0


@asynccontextmanager
async def open_context(
    connection: Connection, options: RenderOptions, proxy: PageProxy, workers: SharedWorkers, *, is_loaded: bool
) -> AsyncIterator[tuple[Channel, str]]:
    """Open an empty page in a fresh context behind the proxy; raises TimeoutError or ChannelClosed if that fails.

    Yields its channel and the id of its frame. ``is_loaded``: the page's document is loaded through the proxy, and the
    request for it sends the proxy's password.
    """
    browser = connection.browser
    settings = {"disposeOnDetach": True, "proxyServer": proxy.address, "proxyBypassList": "<-loopback>"}
    created = await browser.send("Target.createBrowserContext", settings, timeout=_OPEN_SECONDS)
    context = {"browserContextId": created["browserContextId"]}
    channel = None
    try:
        await workers.register(context["browserContextId"], options)
        channel, frame = await _open_page(connection, context, options, None if is_loaded else proxy)
        if options.javascript:
            workers.pass_to(channel, context["browserContextId"])
        yield channel, frame
    finally:
        workers.forget(context["browserContextId"])
        if channel is not None:
            channel.close()
        closing = asyncio.ensure_future(_close(connection, context))
        # A caller without time left must not wait for it.
        if not _is_cancelled():
            await asyncio.shield(closing)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _close(connection: Connection, context: dict[str, Any]) -> None:
    with suppress(ChannelClosed, CommandFailed):
        try:
            await connection.browser.send("Target.disposeBrowserContext", context, timeout=_CLOSE_SECONDS)
        except TimeoutError:
            connection.worn = True


async def _open_page(
    connection: Connection, context: dict[str, Any], options: RenderOptions, proxy: PageProxy | None
) -> tuple[Channel, str]:
    browser = connection.browser
    window: dict[str, Any] = {"url": EMPTY, **window_bounds(options), **context}
    if connection.has_frame_control:
        window["enableBeginFrameControl"] = True
    # The browser executes concurrent commands in order.
    replies = [browser.post("Browser.setDownloadBehavior", {"behavior": "deny", **context}, timeout=_OPEN_SECONDS)]
    creating = browser.post("Target.createTarget", window, timeout=_OPEN_SECONDS)
    # The main frame of a target has its id.
    frame = str((await creating)["targetId"])
    session = await browser.send("Target.attachToTarget", {"targetId": frame, "flatten": True}, timeout=_OPEN_SECONDS)
    channel = connection.channel(session["sessionId"])
    channel.frame = frame
    if connection.has_frame_control:
        channel.frames = FrameControl(channel)
    channel.on("Page.javascriptDialogOpening", partial(_dismiss, channel))
    state = read_storage_state(options.storage_state) if options.storage_state is not None else {}
    if state.get("cookies"):
        cookies = {"cookies": [_cookie(cookie) for cookie in state["cookies"]], **context}
        await browser.send("Storage.setCookies", cookies, timeout=_OPEN_SECONDS)
    commands = [*_settings(options, connection.version), *_storage_scripts(state)]
    calls = [channel.send(method, parameters, timeout=_OPEN_SECONDS) for method, parameters in commands]
    if options.identify:  # older browsers do not have this command
        await channel.try_send("Emulation.setAutomationOverride", {"enabled": True}, timeout=_OPEN_SECONDS)
    await asyncio.gather(*replies, *calls, *([_authenticate(channel, proxy)] if proxy is not None else []))
    if not options.javascript:
        # After authentication, which is a request of a script.
        await channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=_OPEN_SECONDS)
    return channel, frame


async def _authenticate(channel: Channel, proxy: PageProxy) -> None:
    """Send the proxy's password once: the browser keeps it for all requests of the context.

    Only an intercepted request can be given a password, and intercepting every request of a page is expensive; requests
    of workers cannot be intercepted at all.
    """

    async def proceed(event: dict[str, Any]) -> None:
        await channel.send("Fetch.continueRequest", {"requestId": event["requestId"]}, timeout=_OPEN_SECONDS)

    async def provide(event: dict[str, Any]) -> None:
        credentials = {"response": "ProvideCredentials", "username": proxy.name, "password": proxy.secret}
        reply = {"requestId": event["requestId"], "authChallengeResponse": credentials}
        await channel.send("Fetch.continueWithAuth", reply, timeout=_OPEN_SECONDS)

    channel.on("Fetch.requestPaused", proceed)
    channel.on("Fetch.authRequired", provide)
    patterns = {"patterns": [{"urlPattern": AUTH_URL}], "handleAuthRequests": True}
    fetch = {"expression": f"fetch({json.dumps(AUTH_URL)}, {{mode: 'no-cors'}}).catch(() => 0)", "awaitPromise": True}
    for method, parameters in (("Fetch.enable", patterns), ("Runtime.evaluate", fetch), ("Fetch.disable", {})):
        await channel.send(method, parameters, timeout=_OPEN_SECONDS)
    if not proxy.authenticated:
        raise ChannelClosed("the browser does not find its proxy")


async def _dismiss(channel: Channel, event: dict[str, Any]) -> None:
    """Close a dialog; a page that asks whether it may be left may be."""
    reply = {"accept": event["type"] == "beforeunload"}
    await channel.send("Page.handleJavaScriptDialog", reply, timeout=_OPEN_SECONDS)


def _settings(options: RenderOptions, version: str) -> list[Command]:
    commands: list[Command] = [
        ("Page.enable", {}),
        ("Network.enable", {}),
        # Its own requests go through the proxy. What a page loads is intercepted here, and must not be answered there.
        ("Network.setBypassServiceWorker", {"bypass": True}),
        ("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}),
        *identity_commands(options, version),
    ]
    if options.any_certificate:
        commands.append(("Security.setIgnoreCertificateErrors", {"ignore": True}))
    return commands


def _storage_scripts(state: dict[str, Any]) -> list[Command]:
    scripts = []
    for origin in state.get("origins", []):
        entries = [[entry["name"], entry["value"]] for entry in origin.get("localStorage", [])]
        scripts.append(call("restore_storage", origin["origin"], entries))
    return [("Page.addScriptToEvaluateOnNewDocument", {"source": source}) for source in scripts]


def _cookie(cookie: dict[str, Any]) -> dict[str, Any]:
    """Return a cookie as DevTools expects it, without the expiry of a session cookie (Playwright writes -1)."""
    names = ("name", "value", "domain", "path", "httpOnly", "secure", "sameSite", "url")
    fields = {name: cookie[name] for name in names if name in cookie}
    return fields | ({"expires": cookie["expires"]} if cookie.get("expires", -1) > 0 else {})


_TYPES = ("shared_worker", "service_worker")
_SECONDS = 5.0
_AGENT = "Emulation.setUserAgentOverride"


class SharedWorkers:
    """Gives the shared and service workers of all contexts the identity of their pages, before their first script runs.

    Shared workers get its clock, too. The DevTools session of a page has its own workers only.
    """

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
