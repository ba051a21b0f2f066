"""Render one document in one fresh browser page: navigate, load, freeze, capture.

Each step is a function of its own: :mod:`.navigation`, :mod:`.freeze`, :mod:`.snapshot.live`, :mod:`.snapshot.capture`,
and the pixel and font checks of :mod:`~blocksight.render.visibility.pixels`.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from contextlib import suppress
from typing import Any

import numpy as np

from ...errors import PageFailed, Refused, TimedOut, TooLarge
from ...page.page import Page
from ...page.parse import parse
from ..devtools.channel import Channel, ChannelClosed, CommandFailed
from ..devtools.scripts import script
from ..network.proxy import PageProxy
from ..render_options import RenderOptions
from ..sources.alternates import markdown_page
from ..sources.sources import PageSource, is_network_blocked
from ..sources.truncated import truncate_html
from ..visibility.pending_page import PendingPage, PixelResult
from ..visibility.pixels.blank_fonts import blank_texts
from ..visibility.pixels.pixel_check import check_pixels
from ..visibility.pixels.window_capture import Frames, shoot
from .freeze import FreezeResult, freeze
from .identity import Command, window_command
from .navigation import CHARACTER_SECONDS, LOADS_ON, NODE_SECONDS, Parsed, SizeLimit, load, navigate, rest
from .page_clock import PageClock
from .requests.interception import BlockedResources, RequestHandler
from .requests.main_response import MainResponse
from .reveal_parts import RevealedParts
from .snapshot.capture import Placement, decode_snapshot
from .snapshot.live import complete_snapshot, take_snapshot
from .time_budget import TimeBudget

#: Pages with fewer nodes are not late because of their size.
_MANY_NODES = 5_000
#: Most documents that lead to a page: greetings, checks of the browser, a login.
_MOST_DOCUMENTS = 10
#: Tallest screenshot in device pixels (Chromium's own limit is 16,384), and its most pixels.
_TALLEST, _MOST_PIXELS = 16_000, 40_000_000
#: Share of the remaining time for the screenshot: visibility is checked after it.
_SCREENSHOT_SHARE = 0.6
#: Share of an attempt after which the HTML is kept, in case that the page cannot be captured.
_BEGINNING_SHARE = 0.25
#: Seconds of text that are always tried.
_LEAST_TEXT = 0.5
#: Characters of a document, and seconds: the time of the page is over.
_BEGINNING_CHARACTERS, _BEGINNING_SECONDS = 1_000_000, 2.0
_LOG = logging.getLogger(__name__)
#: Characters of a document that cannot be truncated.
_FEW_CHARACTERS = 100_000


class PageCrashed(PageFailed):
    """The tab crashed, because of the page or for another reason."""


class PageLate(TimedOut):
    """A page was not captured in time."""


class PageTooMuch(TooLarge):
    """A page was not captured because of its size."""


class PageSession:
    """Renders one document within a budget; ``beginning`` keeps its HTML in case that this fails."""

    def __init__(
        self,
        channel: Channel,
        options: RenderOptions,
        proxy: PageProxy,
        budget: TimeBudget,
        browser: str,
        beginning: Beginning | None = None,
    ) -> None:
        self._channel = channel
        self._clock = PageClock(channel, Frames(channel), options)
        self._clock.work_left *= budget.page_time.stretch
        self._proxy = proxy
        self._is_closed = False
        self._options = options
        self._browser = browser
        self._beginning = beginning
        self._budget = budget
        self._nodes = 0
        self._parts = RevealedParts(channel, self._clock)

    async def render(self, target: str | PageSource, frame: str) -> Page:
        """Render an address or a document in the page's own frame, which has an id.

        Raises ``PageFailed`` when there is no page; the message says why.
        """
        name, address = (target, target) if isinstance(target, str) else (target.name, target.address)
        try:
            # Each call has a deadline of its own; the work on the replies has this one.
            async with asyncio.timeout(max(self._budget.total_left, 0.0)):
                return await self._render(name, address, target if isinstance(target, PageSource) else None, frame)
        except ChannelClosed as closed:
            raise PageCrashed(name, "the page crashed the browser's tab") from closed
        except TimeoutError as late:
            raise self._late(name) from late
        except CommandFailed as refused:
            raise PageFailed(name, f"the browser could not do it: {refused}") from refused

    async def _render(self, name: str, address: str, document: PageSource | None, frame: str) -> Page:
        channel, options, budget = self._channel, self._options, self._budget
        response = MainResponse(channel, frame, options, name, self._proxy, self._clock.requests)
        seconds = budget.page_time.work_left if budget.is_truncated else 0.0
        parsed = Parsed(channel, frame)
        blocked = BlockedResources(channel, options.block, parsed.wait)
        handler = RequestHandler(channel, frame, address, document, options, blocked, self._proxy, truncate_in=seconds)
        response.keep()
        commands = [*handler.commands(), *self._script_commands()]
        prepared = [channel.post(*command, timeout=budget.left) for command in commands]
        self._is_closed = is_network_blocked(document, options)
        keeping = asyncio.ensure_future(self._keep_beginning(response, handler))
        try:
            await navigate(channel, address, prepared, response, handler, budget)
            async with budget.limit():
                page = await (
                    self._parse(name, response.page_address(), handler)
                    if handler.fetched
                    else self._load_and_capture(name, parsed, response)
                )
        except (PageFailed, CommandFailed):
            if handler.refused is None:
                raise
        finally:
            keeping.cancel()
        if handler.refused is not None:  # also by a script, when the page had been loaded
            raise handler.refused
        # For a given document, the response is our own.
        return (
            document.with_usage(page)
            if document
            else page.replace(environment=dict(page.environment) | response.environment(page.url))
        )

    async def _parse(self, name: str, address: str, handler: RequestHandler) -> Page:
        """Parse a document that was only fetched."""
        if handler.is_markdown:
            page = await asyncio.to_thread(markdown_page, handler.fetched, address)
        else:
            page = await asyncio.to_thread(parse, handler.fetched, url=address)
        page = page.replace(environment={**page.environment, "answer": handler.answer})
        self._limit_nodes(name, len(page))
        return marked_partial(page, handler.partial_reason) if handler.partial_reason else page

    async def _keep_beginning(self, response: MainResponse, handler: RequestHandler) -> None:
        """Keep the HTML that has arrived of an address, if the page takes long."""
        beginning, pause = self._beginning, _BEGINNING_SHARE * self._budget.left
        while beginning is not None and beginning.is_empty:
            await asyncio.sleep(pause)
            html = handler.truncated or await response.body(pause)
            beginning.keep(html, response.environment(response.page_address()))

    def _script_commands(self) -> list[Command]:
        """Return the commands that watch scripts and workers."""
        if not self._options.javascript:
            return []
        watch = {"source": self._clock.script}
        return [("Page.addScriptToEvaluateOnNewDocument", watch), self._clock.watch_workers()]

    async def _load_and_capture(self, name: str, parsed: Parsed, response: MainResponse) -> Page:
        budget, clock = self._budget, self._clock
        growth = SizeLimit(self._channel, self._options.max_nodes, budget.deadline)
        reason = await load(self._channel, parsed, response, growth, budget, clock)
        response.check()
        failures = sorted(set(response.failures))[:20]
        self._limit_nodes(name, growth.nodes)
        is_ready = not reason or reason.startswith(LOADS_ON)
        if is_ready and self._options.reveal:
            await self._parts.open(budget.settle_left)
        if not is_ready:
            self._proxy.shut()
        elif self._options.deterministic:
            await rest(clock, budget.settle_left)
        frozen = await freeze(self._channel, budget.left, at_once=growth.is_reached)
        self._limit_nodes(name, frozen.nodes)
        if growth.is_reached and growth.nodes:
            reason = f"it grows: {growth.nodes:,} nodes so far"
        if response.documents > _MOST_DOCUMENTS:
            reason = f"it loads anew without end: {response.documents} documents so far"
        if self._proxy.limit_exceeded:
            reason = reason or "its requests exceed the limits (max_requests, max_bytes)"
        page = await self._capture(name, frozen, response, reason=reason)
        if errors := [*(f"script: {message}" for message in frozen.errors), *failures]:
            lines = "\n".join(" ".join(line.split()) for line in errors).encode("utf-8", "replace").decode()
            _LOG.info("%s: errors of the page\n%s", name, lines)
            page = page.replace(environment=dict(page.environment) | {"errors": lines})
        return page

    def _late(self, name: str) -> PageFailed:
        """Return the error for a page that is late: a large one is too large."""
        limit = self._budget.page_time.limit
        if self._nodes < _MANY_NODES:
            return PageLate(name, f"not done within {limit} (timeout sets it)")
        why = f"{self._nodes:,} nodes cannot be captured within {limit} (timeout gives more)"
        return PageTooMuch(name, why)

    def _limit_nodes(self, name: str, nodes: int) -> None:
        self._nodes = max(self._nodes, nodes)
        most = self._options.max_nodes
        if nodes > most:
            raise Refused(name, f"{nodes:,} nodes, above the limit of {most:,} (max_nodes raises it)")

    def _limit_text(self, name: str, reply: dict[str, Any]) -> None:
        """Refuse text that cannot be processed in the remaining time; the truncated page may do."""
        size = np.fromiter(map(len, reply["strings"]), dtype=np.int64, count=len(reply["strings"]))
        values = np.concatenate([document["nodes"]["nodeValue"] for document in reply["documents"]])
        characters = int(size[values[values >= 0]].sum())
        if not self._budget.is_truncated and characters * CHARACTER_SECONDS > max(self._budget.total_left, _LEAST_TEXT):
            limit = f"{self._budget.page_time.limit} (timeout gives more)"
            raise PageTooMuch(name, f"{characters:,} characters of text are too many for {limit}")

    async def capture_as_is(self, name: str) -> Page:
        """Capture a page that another program controls, without changing it."""
        async with asyncio.timeout(self._budget.left):
            return await self._capture(name, FreezeResult(), None, reason="", as_is=True)

    async def _capture(
        self,
        name: str,
        frozen: FreezeResult,
        response: MainResponse | None,
        *,
        reason: str,
        as_is: bool = False,
    ) -> Page:
        """Capture a page; ``reason`` says why it is partial."""
        channel, options, budget = self._channel, self._options, self._budget

        def check(reply: dict[str, Any]) -> None:
            # A page that was too busy to count its nodes is counted now.
            self._limit_nodes(name, sum(len(document["nodes"]["parentIndex"]) for document in reply["documents"]))
            if not as_is:
                self._limit_text(name, reply)

        reply = await take_snapshot(channel, budget, check, as_is=as_is)
        if self._nodes * NODE_SECONDS < budget.total_left:
            # The time of the next attempt is better spent on this one.
            budget.skip_retry()
        placements = await complete_snapshot(channel, reply, budget)
        self._parts.mark(reply)
        # In a thread: a large page takes a while, and the others must not wait for it.
        # Scripts may have left the address of the response.
        own = reply["strings"][reply["documents"][0]["documentURL"]]
        url = response.page_address(own) if response else name
        pending = await asyncio.to_thread(self._decode, url, reply, placements, frozen)
        if options.screenshot and not as_is:
            await channel.send(*window_command(options, options.viewport[1], is_painted=True), timeout=budget.left)
        picture = await _screenshot(channel, options, reply, budget.left) if options.screenshot else None
        archive = await _mhtml(channel, budget.left / 2) if options.mhtml else None
        if (options.screenshot and picture is None) or (options.mhtml and archive is None):
            reason = reason or "no screenshot or archive in time"
        page = await self._finish(pending, reply, frozen, as_is=as_is)
        page = page.replace(
            screenshot=picture,
            mhtml=archive,
            environment=environment(options, self._browser, scripts=self._script_state(frozen))
            | _scrolled(reply)
            | self._parts.environment
            | dict(page.environment),
        )
        return marked_partial(page, reason) if reason else page

    async def _finish(self, pending: PendingPage, reply: dict[str, Any], frozen: FreezeResult, *, as_is: bool) -> Page:
        """Decide the visibility of a decoded snapshot, by pixels and fonts, too; the environment says their price."""
        channel, budget, options = self._channel, self._budget, self._options
        pixels, held = PixelResult(), self._clock.frames.missing
        blank, colored = await blank_texts(channel, pending, reply, frozen.fonts, budget.left / 4)
        if not as_is:
            full = window_command(options, options.viewport[1], is_painted=True)
            pixels = await check_pixels(
                channel, pending, reply, colored, options=options, seconds=budget.left,
                stretch=budget.page_time.stretch, held=held, full=full,
            )  # fmt: skip
        page = await asyncio.to_thread(pending.finish, pixels, blank)
        price = {"pictures": f"{pixels.pictures} in {pixels.seconds:.2f} s"} if pixels.pictures else {}
        return page.replace(environment=price)

    def _decode(
        self, url: str, reply: dict[str, Any], placements: dict[int, Placement], frozen: FreezeResult
    ) -> PendingPage:
        """Decode a snapshot, and run the layout tests of visibility."""
        pending = decode_snapshot(
            reply,
            url=url,
            viewport=(float(self._options.viewport[0]), float(self._options.viewport[1])),
            placements=placements,
            facts=frozen.facts,
            moving=frozen.moving,
            moves_itself=frozen.wheel or bool(frozen.errors) or frozen.missing or not self._options.javascript,
        )
        if frozen.locked_boxes or frozen.locked:
            pending = pending.with_locked_scrolling(frozen.locked_boxes, window=frozen.locked and not frozen.wheel)
        _ = pending.visibility
        return pending

    def _script_state(self, frozen: FreezeResult) -> str:
        """Return ``scripts`` of the environment; scripts that the page was not given are "kept out"."""
        if not self._options.javascript:
            return "off"
        if frozen.missing and self._is_closed:
            return "kept out"
        return "failed" if frozen.errors or frozen.missing else "ran"


def _scrolled(reply: dict[str, Any]) -> dict[str, str]:
    """Return ``scroll`` of the environment, "LEFT TOP" in CSS pixels, of a page that was captured while scrolled."""
    root = reply["documents"][0]
    left, top = (round(float(root.get(name) or 0.0)) for name in ("scrollOffsetX", "scrollOffsetY"))
    return {"scroll": f"{left} {top}"} if left or top else {}


async def _screenshot(channel: Channel, options: RenderOptions, reply: dict[str, Any], seconds: float) -> bytes | None:
    """Return a PNG of the page, or of its window; None if there is none in time, or the browser cannot take it.

    ``reply`` is the snapshot, which has the size of the document.
    """
    parameters: dict[str, Any] = {"format": "png"}
    if options.screenshot == "full":
        root, scale = reply["documents"][0], options.device_scale
        width = max(float(root.get("contentWidth", 0)), 1.0)
        height = max(float(root.get("contentHeight", 0)), float(options.viewport[1]))
        height = min(height, _TALLEST / scale, _MOST_PIXELS / scale**2 / width)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        parameters |= {"clip": clip, "captureBeyondViewport": True}
    with suppress(TimeoutError, CommandFailed):
        if "clip" not in parameters:
            return base64.b64decode(await shoot(channel, parameters, seconds * _SCREENSHOT_SHARE))
        # A picture of the whole page has no scrollbars: without their room the page would be laid out anew.
        await channel.evaluate(script("hold_scrollbars"), timeout=seconds)
        try:
            return base64.b64decode(await shoot(channel, parameters, seconds * _SCREENSHOT_SHARE))
        finally:
            await channel.evaluate(script("restore_scrollers"), timeout=seconds)
    return None


async def _mhtml(channel: Channel, seconds: float) -> bytes | None:
    """Return an archive of the page; None if there is none in time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            # The browser writes archives only while the clock runs; the page's scripts must not use that.
            await channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=seconds)
            await channel.send("Emulation.setVirtualTimePolicy", {"policy": "advance"}, timeout=seconds)
            archive = await channel.send("Page.captureSnapshot", {"format": "mhtml"}, timeout=seconds)
            data: str = archive["data"]
            return data.encode()
    return None


def environment(options: RenderOptions, browser: str, *, scripts: str = "ran") -> dict[str, str]:
    """Describe what a rendering depends on; ``scripts`` is "ran", "failed", "off" or "kept out" (no network)."""
    width, height = options.viewport
    return {
        "browser": browser,
        "viewport": f"{width}x{height}",
        "device_scale": f"{options.device_scale:g}",
        "locale": options.locale,
        "timezone": options.timezone,
        "javascript": str(options.javascript).lower(),
        "scripts": scripts,
        "deterministic": str(options.deterministic).lower(),
    }


class Beginning:
    """The HTML of a page as far as it has arrived: of a given document all, of an address what attempts ``keep``."""

    def __init__(self, target: str | PageSource) -> None:
        self._name = target if isinstance(target, str) else target.name
        self._html = "" if isinstance(target, str) else target.html
        self._environment: dict[str, str] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing has arrived."""
        return not self._html

    def keep(self, html: str, environment: dict[str, str]) -> None:
        """Keep the HTML of an attempt."""
        if len(html) > len(self._html):
            self._html, self._environment = html, environment

    async def page(self, reason: str) -> Page | None:
        """Parse it; None if it has no text, or is not parsed in time."""
        if self.is_empty:
            return None
        with suppress(PageFailed, TimeoutError):
            async with asyncio.timeout(_BEGINNING_SECONDS):
                page = await asyncio.to_thread(self._parsed)
            if len(page.leaves):
                page = page.replace(environment=self._environment)
                return marked_partial(page, f"its HTML, without styles and scripts: {reason}")
        return None

    def _parsed(self) -> Page:
        html = self._html[:_BEGINNING_CHARACTERS]
        try:
            html = truncate_html(html, self._name, _BEGINNING_SECONDS)
        except PageFailed:  # its style sheets are too large to be applied: they are not
            html = html[:_FEW_CHARACTERS]
        is_moved = "requested" in self._environment
        return parse(html, url=self._environment["address"] if is_moved else self._name)


def marked_partial(page: Page, reason: str) -> Page:
    """Return a page that is marked as partial; its environment says why."""
    return page.replace(partial=True, environment=dict(page.environment) | {"partial": reason})
