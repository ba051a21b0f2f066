"""A browser context of its own for each document: nothing is shared with other documents, nothing is left behind.

Contexts are made over our own DevTools connection: Playwright's would bind its driver to every event of every page.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from ..devtools.channel import Channel, ChannelClosed, CommandFailed, Connection
from ..network.proxy import AUTH_URL, PageProxy
from ..render_options import RenderOptions, read_storage_state
from .environment import DETERMINISTIC

_OPEN_SECONDS = 15.0
_CLOSE_SECONDS = 1.0

#: A service worker would answer for the page's next visit, which there is not.
_NO_SERVICE_WORKERS = """if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register =
  () => Promise.reject(new DOMException("not allowed", "SecurityError"))"""

Command = tuple[str, dict[str, Any]]


@asynccontextmanager
async def open_context(connection: Connection, options: RenderOptions, way: PageProxy) -> AsyncIterator[Channel]:
    """Open an empty page in a fresh context, set up as the options say, for as long as the context lasts.

    Parameters
    ----------
    connection : Connection
    options : RenderOptions
    way : PageProxy
        The proxy through which everything goes.

    Yields
    ------
    Channel
        To the page.

    Raises
    ------
    TimeoutError, ChannelClosed
        When the browser does not open one.
    """
    browser = connection.browser
    wanted = {"disposeOnDetach": True, "proxyServer": way.address, "proxyBypassList": "<-loopback>"}
    made = await browser.send("Target.createBrowserContext", wanted, timeout=_OPEN_SECONDS)
    context = {"browserContextId": made["browserContextId"]}
    channel = None
    try:
        channel = await _page(connection, context, options, way)
        yield channel
    finally:
        if channel is not None:
            channel.close()
        closing = asyncio.ensure_future(_close(connection, context))
        # Whoever has no time left must not wait for it as well.
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


async def _page(connection: Connection, context: dict[str, Any], options: RenderOptions, way: PageProxy) -> Channel:
    browser = connection.browser
    # The browser keeps the order of what is asked of it at once.
    answers = await asyncio.gather(
        browser.send("Browser.setDownloadBehavior", {"behavior": "deny", **context}, timeout=_OPEN_SECONDS),
        browser.send("Target.createTarget", {"url": "about:blank", **context}, timeout=_OPEN_SECONDS),
    )
    attach = {"targetId": answers[1]["targetId"], "flatten": True}
    session = await browser.send("Target.attachToTarget", attach, timeout=_OPEN_SECONDS)
    channel = connection.channel(session["sessionId"])
    channel.on("Page.javascriptDialogOpening", partial(_dismiss, channel))
    state = read_storage_state(options.storage_state) if options.storage_state is not None else {}
    if state.get("cookies"):
        cookies = {"cookies": [_cookie(cookie) for cookie in state["cookies"]], **context}
        await browser.send("Storage.setCookies", cookies, timeout=_OPEN_SECONDS)
    commands = [*_settings(options), *_scripts(options, state)]
    told = (channel.send(method, params, timeout=_OPEN_SECONDS) for method, params in commands)
    await asyncio.gather(_enter(channel, way), *told)
    if not options.javascript:
        # Not before: the way in is a script's request.
        await channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=_OPEN_SECONDS)
    return channel


async def _enter(channel: Channel, way: PageProxy) -> None:
    """Tell the browser the proxy's secret, once: it keeps it for all that the context will ask for.

    Only a request that we stop at can be given a password, and stopping at every request of a page is dear; workers
    could not be given one at all.
    """

    async def go_on(event: dict[str, Any]) -> None:
        await channel.send("Fetch.continueRequest", {"requestId": event["requestId"]}, timeout=_OPEN_SECONDS)

    async def tell(event: dict[str, Any]) -> None:
        told = {"response": "ProvideCredentials", "username": way.name, "password": way.secret}
        answer = {"requestId": event["requestId"], "authChallengeResponse": told}
        await channel.send("Fetch.continueWithAuth", answer, timeout=_OPEN_SECONDS)

    channel.on("Fetch.requestPaused", go_on)
    channel.on("Fetch.authRequired", tell)
    wanted = {"patterns": [{"urlPattern": AUTH_URL}], "handleAuthRequests": True}
    knock = {"expression": f"fetch({json.dumps(AUTH_URL)}, {{mode: 'no-cors'}}).catch(() => 0)", "awaitPromise": True}
    for method, params in (("Fetch.enable", wanted), ("Runtime.evaluate", knock), ("Fetch.disable", {})):
        await channel.send(method, params, timeout=_OPEN_SECONDS)
    if not way.authenticated:
        raise ChannelClosed("the browser does not find its proxy")


async def _dismiss(channel: Channel, event: dict[str, Any]) -> None:
    """Close a dialog; a page that asks whether it may be left may be."""
    answer = {"accept": event["type"] == "beforeunload"}
    await channel.send("Page.handleJavaScriptDialog", answer, timeout=_OPEN_SECONDS)


def _settings(options: RenderOptions) -> list[Command]:
    width, height = options.viewport
    size = {"width": width, "height": height, "deviceScaleFactor": options.device_scale, "mobile": False}
    commands: list[Command] = [
        ("Page.enable", {}),
        ("Network.enable", {}),
        ("Emulation.setDeviceMetricsOverride", size),
        ("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]}),
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ("Emulation.setLocaleOverride", {"locale": options.locale}),
        ("Emulation.setTimezoneOverride", {"timezoneId": options.timezone}),
        ("Emulation.setUserAgentOverride", {"userAgent": options.user_agent, "acceptLanguage": options.locale}),
    ]
    if options.headers and options.send_everywhere:
        commands.append(("Network.setExtraHTTPHeaders", {"headers": dict(options.headers)}))
    return commands


def _scripts(options: RenderOptions, state: dict[str, Any]) -> list[Command]:
    scripts = [_NO_SERVICE_WORKERS, *(_storage(origin) for origin in state.get("origins", []))]
    if options.deterministic:
        scripts.append(DETERMINISTIC)
    return [("Page.addScriptToEvaluateOnNewDocument", {"source": source}) for source in scripts]


def _cookie(cookie: dict[str, Any]) -> dict[str, Any]:
    """Leave out the end of a cookie that has none (Playwright writes -1)."""
    known = ("name", "value", "domain", "path", "httpOnly", "secure", "sameSite", "url")
    kept = {name: cookie[name] for name in known if name in cookie}
    return kept | ({"expires": cookie["expires"]} if cookie.get("expires", -1) > 0 else {})


def _storage(origin: dict[str, Any]) -> str:
    entries = [[entry["name"], entry["value"]] for entry in origin.get("localStorage", [])]
    return f"""if (location.origin === {json.dumps(origin["origin"])})
      for (const [name, value] of {json.dumps(entries)})
        if (localStorage.getItem(name) === null) localStorage.setItem(name, value)"""
