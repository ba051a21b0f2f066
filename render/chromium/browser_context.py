"""Open a browser context for each document: contexts share nothing and leave nothing behind.

Contexts use this package's own DevTools connection: Playwright's would bind its driver to every event of every page.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..devtools.channel import Channel, ChannelClosed, CommandFailed, Connection
from ..devtools.scripts import call, script
from ..network.guard import Policy
from ..network.proxy import AUTH_URL, PageProxy, open_proxy
from ..render_options import RenderOptions, parse_proxy, read_storage_state
from .identity import Command, identity_commands, optional_commands, outer_size, permission_commands
from .shared_workers import SharedWorkers

_OPEN_SECONDS = 15.0
_CLOSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    """What a context and its proxy depend on."""

    options: RenderOptions
    policy: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """An open context, and what closes it with its proxy."""

    proxy: PageProxy
    channel: Channel
    closing: AsyncExitStack


class Contexts:
    """Opens a context, behind a proxy of its own, for each page of a browser.

    Half of the time of opening is that of the start of a process. From the second of successive pages with equal
    settings on, the context of the next one is opened while a page is rendered.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._workers = SharedWorkers(connection)
        self._last: _Settings | None = None
        self._next: asyncio.Future[_Opened] | None = None

    @asynccontextmanager
    async def open(
        self, options: RenderOptions, policy: Policy, address: str
    ) -> AsyncIterator[tuple[PageProxy, Channel]]:
        """Open an empty page in a fresh context; raises TimeoutError or ChannelClosed if that fails.

        Raises PageFailed if the page may not connect to its ``address``, empty for a document.
        """
        settings = _Settings(options=options, policy=policy)
        is_repeated, self._last = settings == self._last, settings
        opened = await self._take() if is_repeated else None
        if opened is None:
            await self.close_next()
            opened = await self._opened(settings, address)
        try:
            if address:
                await opened.proxy.check(address)
            # A file with the state of a browser may change until the next page.
            if is_repeated and self._next is None and options.storage_state is None:
                self._next = asyncio.ensure_future(self._opened(settings))
            yield opened.proxy, opened.channel
        finally:
            await opened.closing.aclose()

    async def close_next(self) -> None:
        """Close the context that was opened for the next page."""
        if self._next is not None and not self._next.done():
            self._next.cancel()
        if opened := await self._take():
            await opened.closing.aclose()

    async def _take(self) -> _Opened | None:
        """Return the context that was opened for the next page, unless that has failed, or its process has ended."""
        waiting, self._next = self._next, None
        if waiting is None:
            return None
        try:
            await asyncio.wait([waiting])
        finally:
            waiting.cancel()  # without effect once it has ended
        if waiting.cancelled() or waiting.exception() is not None:
            return None
        opened = waiting.result()
        if opened.channel.crashed.is_set():
            await opened.closing.aclose()
            return None
        return opened

    async def _opened(self, settings: _Settings, address: str = "") -> _Opened:
        options = settings.options
        async with AsyncExitStack() as stack:
            proxy = await stack.enter_async_context(
                open_proxy(
                    settings.policy,
                    max_bytes=options.max_bytes,
                    max_requests=options.max_requests,
                    proxy=parse_proxy(options.proxy) if options.proxy else None,
                    proxy_resolves=options.proxy_resolves,
                )
            )
            if address:
                await proxy.check(address)
            context = open_context(self._connection, options, proxy, self._workers)
            channel = await stack.enter_async_context(context)
            return _Opened(proxy=proxy, channel=channel, closing=stack.pop_all())


@asynccontextmanager
async def open_context(
    connection: Connection, options: RenderOptions, proxy: PageProxy, workers: SharedWorkers
) -> AsyncIterator[Channel]:
    """Open an empty page in a fresh context behind the proxy; raises TimeoutError or ChannelClosed if that fails."""
    browser = connection.browser
    settings = {"disposeOnDetach": True, "proxyServer": proxy.address, "proxyBypassList": "<-loopback>"}
    created = await browser.send("Target.createBrowserContext", settings, timeout=_OPEN_SECONDS)
    context = {"browserContextId": created["browserContextId"]}
    channel = None
    try:
        await workers.register(context["browserContextId"], options)
        channel = await _open_page(connection, context, options, proxy)
        if options.javascript:
            workers.pass_to(channel, context["browserContextId"])
        yield channel
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
    connection: Connection, context: dict[str, Any], options: RenderOptions, proxy: PageProxy
) -> Channel:
    browser = connection.browser
    window = {"url": "about:blank", **_window(options), **context}
    # The browser executes concurrent commands in order.
    replies = await asyncio.gather(
        browser.send("Browser.setDownloadBehavior", {"behavior": "deny", **context}, timeout=_OPEN_SECONDS),
        browser.send("Target.createTarget", window, timeout=_OPEN_SECONDS),
        *(_try(browser, method, parameters | context) for method, parameters in permission_commands(options)),
    )
    target = {"targetId": replies[1]["targetId"], "flatten": True}
    session = await browser.send("Target.attachToTarget", target, timeout=_OPEN_SECONDS)
    channel = connection.channel(session["sessionId"])
    channel.on("Page.javascriptDialogOpening", partial(_dismiss, channel))
    state = read_storage_state(options.storage_state) if options.storage_state is not None else {}
    if state.get("cookies"):
        cookies = {"cookies": [_cookie(cookie) for cookie in state["cookies"]], **context}
        await browser.send("Storage.setCookies", cookies, timeout=_OPEN_SECONDS)
    commands = [*_settings(options, connection.version), *_scripts(options, state)]
    calls = [channel.send(method, parameters, timeout=_OPEN_SECONDS) for method, parameters in commands]
    calls += [_try(channel, *command) for command in optional_commands(options)]
    await asyncio.gather(_authenticate(channel, proxy), *calls)
    if not options.javascript:
        # After authentication, which is a request of a script.
        await channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=_OPEN_SECONDS)
    return channel


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


async def _try(channel: Channel, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Send a command that a browser may not know."""
    with suppress(CommandFailed):
        return await channel.send(method, parameters, timeout=_OPEN_SECONDS)
    return {}


def _window(options: RenderOptions) -> dict[str, int]:
    width, height = outer_size(options)
    return {"width": width, "height": height}


def _settings(options: RenderOptions, version: str) -> list[Command]:
    commands: list[Command] = [
        ("Page.enable", {}),
        ("Network.enable", {}),
        # Its own requests go through the proxy. What a page loads is intercepted here, and must not be answered there.
        ("Network.setBypassServiceWorker", {"bypass": True}),
        ("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}),
        *identity_commands(options, version),
    ]
    if options.headers and options.send_everywhere:
        commands.append(("Network.setExtraHTTPHeaders", {"headers": dict(options.headers)}))
    return commands


def _scripts(options: RenderOptions, state: dict[str, Any]) -> list[Command]:
    scripts = [script("disguise")]
    if not options.identify:
        scripts.append(script("as_in_a_window"))
    for origin in state.get("origins", []):
        entries = [[entry["name"], entry["value"]] for entry in origin.get("localStorage", [])]
        scripts.append(call("restore_storage", origin["origin"], entries))
    if options.deterministic:
        scripts.append(script("deterministic"))
    return [("Page.addScriptToEvaluateOnNewDocument", {"source": source}) for source in scripts]


def _cookie(cookie: dict[str, Any]) -> dict[str, Any]:
    """Return a cookie as DevTools expects it, without the expiry of a session cookie (Playwright writes -1)."""
    names = ("name", "value", "domain", "path", "httpOnly", "secure", "sameSite", "url")
    fields = {name: cookie[name] for name in names if name in cookie}
    return fields | ({"expires": cookie["expires"]} if cookie.get("expires", -1) > 0 else {})
