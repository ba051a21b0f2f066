"""One document in one fresh browser page: navigate, let it settle, freeze it, capture it."""

from __future__ import annotations

import asyncio
import base64
import math
import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import PageFailed, Refused, TimedOut
from ...page.page import Page
from ..devtools.channel import Channel, ChannelClosed, CommandFailed
from ..network.proxy import PageProxy
from ..render_options import RenderOptions
from ..sources.sources import PageSource, is_network_blocked
from ..visibility.pending_page import PendingPage, PixelResult
from ..visibility.pixels.blank_fonts import empty_texts
from ..visibility.pixels.pixel_check import MOST_SECONDS, MOST_SHARE, PixelCheck
from ..visibility.pixels.window_capture import Frames, shoot
from .environment import environment
from .freeze import AnimationFreezer, skips, unskip
from .requests.blocked_resources import BlockedResources
from .requests.interception import RequestHandler
from .requests.main_response import MainResponse
from .settle import WATCH, Parsed, freeze, matched, rest, reveal, settle
from .size_limit import CHARACTER_SECONDS, SizeLimit
from .snapshot.capture import SNAPSHOT, Place, decode_snapshot
from .snapshot.css_columns import mend_columns
from .snapshot.shadow_roots import note_shadows
from .snapshot.shown_images import note_images
from .snapshot.spoofed_attributes import drop_spoofed_attributes

#: Seconds, and share of the time, that are kept for capturing.
CAPTURE_RESERVE, CAPTURE_SHARE = 4.0, 0.4
#: The same for an address that has not even answered: what comes then is hardly more than a beginning.
ANSWER_RESERVE, ANSWER_SHARE = 1.5, 0.1
#: The same for another attempt, with the beginning of the page alone; it needs so much at least.
BEGINNING_RESERVE, BEGINNING_SHARE, BEGINNING_LEAST = 3.5, 0.35, 1.2
#: A frame's pixels are shown no larger than this.
_LARGEST_PIXEL = 20.0
#: Frames whose place is asked for, at most.
_MOST_FRAMES = 200
#: Nodes from which on it is a page's size that makes it late.
_MANY_NODES = 5_000
#: Tallest screenshot in device pixels; Chromium's own limit is 16,384.
_TALLEST = 16_000
#: Share of the time that is left in which it must come: what a person sees of the page is asked after it.
_PICTURE_SHARE = 0.6


class PageCrashed(PageFailed):
    """The tab died; it may have been its own doing or not."""


class PageLate(TimedOut):
    """A page was not captured in time."""


class PageTooMuch(Refused):
    """A page was not captured for its size."""


class PageSession:
    """Renders one document over a channel to a page that nobody else uses.

    Parameters
    ----------
    channel : Channel
    options : RenderOptions
    way : PageProxy
        How it reaches the network.
    deadline : float
        By ``time.monotonic()``; a part of the time is left for another attempt.
    browser : str
        What the page's environment calls it.
    begins : bool
        Whether this is that attempt: only the beginning of the page is rendered.
    """

    def __init__(
        self, channel: Channel, options: RenderOptions, way: PageProxy, deadline: float, browser: str, *, begins: bool
    ) -> None:
        self._channel = channel
        self._frames = Frames(channel)
        self._way = way
        self._closed = False
        self._options = options
        self._deadline = deadline
        self._browser = browser
        self._begins = begins
        self._end = deadline
        if not begins:
            spare = min(BEGINNING_RESERVE, BEGINNING_SHARE * self._left)
            self._deadline -= spare if spare >= BEGINNING_LEAST else 0.0
        self._loaded_by = self._deadline - min(CAPTURE_RESERVE, CAPTURE_SHARE * self._left)
        self._nodes = 0

    @property
    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)

    @property
    def _cap(self) -> float:
        """Seconds that the page may still take to settle."""
        return max(min(self._loaded_by - time.monotonic(), self._options.settle_cap), 0.0)

    async def render(self, target: str | PageSource) -> Page:
        """Render an address or a document at hand.

        Raises
        ------
        PageFailed
            With the reason, when there is no page to be had.
        """
        name, address = (target, target) if isinstance(target, str) else (target.name, target.address)
        try:
            # Each call has a deadline of its own; what is done with the answers has this one.
            async with asyncio.timeout(max(self._end - time.monotonic(), 0.0)):
                return await self._render(name, address, target if isinstance(target, PageSource) else None)
        except ChannelClosed as closed:
            raise PageCrashed(name, "the page crashed the browser's tab") from closed
        except TimeoutError as late:
            raise self._late(name) from late
        except CommandFailed as refused:
            raise PageFailed(name, f"the browser could not do it: {refused}") from refused

    async def _render(self, name: str, address: str, document: PageSource | None) -> Page:
        tree = await self._call("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        response = MainResponse(self._channel, frame, self._options, name, self._way)
        begins = self._left if self._begins else 0.0
        parsed = Parsed(self._channel, frame)
        spared = BlockedResources(self._channel, parsed.wait) if self._options.light else None
        answers = RequestHandler(self._channel, frame, address, document, self._options, begins=begins, spared=spared)
        await asyncio.gather(self._watch(), answers.start())
        self._closed = is_network_blocked(document, self._options)
        await self._navigate(name, address, response, answers)
        async with asyncio.timeout(self._left):
            page = await self._settled_and_captured(name, parsed, response)
        # What a document at hand was answered, we said ourselves.
        return page if document else page.replace(environment=dict(page.environment) | response.told())

    async def _settled_and_captured(self, name: str, parsed: Parsed, response: MainResponse) -> Page:
        growth = SizeLimit(self._channel, self._options.max_nodes, self._deadline)
        ready, window = await self._loaded(parsed, response, growth)
        response.check()
        self._limit_nodes(name, growth.nodes)
        if not ready:
            self._way.shut()
        if ready and self._options.deterministic:
            await rest(self._channel, self._cap, self._frames)
        still = await freeze(self._channel, self._left, at_once=growth.is_enough)
        still = replace(still, unstyled=replace(still.unstyled, lost=response.pictures.lost))
        self._limit_nodes(name, still.nodes)
        page = await self._capture(name, window, still, partial=not ready or self._way.limit_exceeded)
        if response.traffic is not None:
            page = page.replace(warc=await response.traffic.records(self._left / 4))
        return page

    async def _watch(self) -> None:
        if self._options.javascript:
            await self._call("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    def _late(self, name: str) -> PageFailed:
        """Return the error for a page whose time is over: its size, where that is why."""
        if self._nodes < _MANY_NODES:
            return PageLate(name, f"not done within {self._options.timeout:g} s (--timeout sets it)")
        why = f"{self._nodes:,} nodes cannot be captured within {self._options.timeout:g} s (--timeout gives more)"
        return PageTooMuch(name, why)

    async def _navigate(self, name: str, address: str, response: MainResponse, answers: RequestHandler) -> None:
        left = self._end - time.monotonic()
        navigation = asyncio.ensure_future(self._channel.send("Page.navigate", {"url": address}, timeout=left))
        large = asyncio.ensure_future(response.too_large.wait())
        try:
            left = self._end - time.monotonic() - min(ANSWER_RESERVE, ANSWER_SHARE * self._options.timeout)
            await asyncio.wait({navigation, large}, timeout=max(left, 0.0), return_when=asyncio.FIRST_COMPLETED)
            response.check()
            if not navigation.done():
                raise TimedOut(name, f"no answer within {self._options.timeout:g} s (--timeout sets it)")
            error_text = navigation.result().get("errorText")
        finally:
            for task in (navigation, large):
                task.cancel()
        if error_text:
            raise answers.refused or response.failure(error_text)
        if self._left < BEGINNING_LEAST:  # it came so late that there will be no other attempt
            self._deadline = self._end

    async def _loaded(self, parsed: Parsed, response: MainResponse, growth: SizeLimit) -> tuple[bool, tuple[int, int]]:
        """Let the page load and settle, as long as it does not grow too large to be captured in time."""
        loading = asyncio.ensure_future(self._settled(parsed, response))
        watching = asyncio.ensure_future(growth.watch())
        try:
            await asyncio.wait({loading, watching}, return_when=asyncio.FIRST_COMPLETED)
            if loading.done():
                return loading.result()
            watching.result()
            return False, self._options.viewport
        finally:
            loading.cancel()
            watching.cancel()
            await asyncio.gather(loading, watching, return_exceptions=True)

    async def _settled(self, parsed: Parsed, response: MainResponse) -> tuple[bool, tuple[int, int]]:
        """Wait until the page is as it wants to be; return whether it is, and the size of its window then."""
        wanted = self._options.wait_for
        found = not wanted or await matched(self._channel, wanted, max(self._loaded_by - time.monotonic(), 0.0))
        ready = await settle(self._channel, parsed, self._options, self._cap) and found
        response.check()
        if ready and self._options.javascript:
            return await reveal(self._channel, self._options, self._cap, self._frames)
        return ready, self._options.viewport

    def _limit_nodes(self, name: str, nodes: int) -> None:
        self._nodes = max(self._nodes, nodes)
        most = self._options.max_nodes
        if nodes > most:
            raise Refused(name, f"{nodes:,} nodes, above the limit of {most:,} (--max-nodes raises it)")

    def _limit_text(self, name: str, reply: dict[str, Any]) -> None:
        """Refuse a text of which nothing could be made in the time that is left; its beginning may do."""
        size = np.fromiter(map(len, reply["strings"]), dtype=np.int64, count=len(reply["strings"]))
        values = np.concatenate([document["nodes"]["nodeValue"] for document in reply["documents"]])
        characters = int(size[values[values >= 0]].sum())
        if not self._begins and characters * CHARACTER_SECONDS > self._end - time.monotonic():
            limit = f"{self._options.timeout:g} s (--timeout gives more)"
            why = f"{characters:,} characters of text are too many for {limit}"
            raise PageTooMuch(name, why)

    async def take(self, name: str, window: tuple[int, int]) -> Page:
        """Capture a page that somebody else drives, as it stands."""
        async with asyncio.timeout(self._left):
            return await self._capture(name, window, AnimationFreezer(), partial=False, untouched=True)

    async def _capture(
        self, name: str, window: tuple[int, int], still: AnimationFreezer, *, partial: bool, untouched: bool = False
    ) -> Page:
        reply = await self._call("DOMSnapshot.captureSnapshot", SNAPSHOT)
        # A page that was too busy to be counted is counted now.
        self._limit_nodes(name, sum(len(document["nodes"]["parentIndex"]) for document in reply["documents"]))
        if not untouched:
            self._limit_text(name, reply)
        if not untouched and skips(reply):
            with suppress(TimeoutError):
                await unskip(self._channel, self._left / 4)
            reply = await self._call("DOMSnapshot.captureSnapshot", SNAPSHOT)
        drop_spoofed_attributes(reply)
        places, *_ = await asyncio.gather(
            self._frame_places(reply), mend_columns(self._channel, reply), self._noted(reply)
        )
        # In a thread: a large page takes a while, and the others must not wait for it.
        draft = await asyncio.to_thread(self._draft, name, reply, window, places, still)
        screenshot = await self._screenshot(reply) if self._options.screenshot else None
        mhtml = await self._mhtml() if self._options.mhtml else None
        seen = PixelResult() if untouched else await self._looked_at(draft, reply, window)
        empty = await empty_texts(self._channel, draft, reply, still.fonts, self._left / 4)
        page = await asyncio.to_thread(draft.page, seen, empty)
        return page.replace(
            partial=partial or (screenshot is None and bool(self._options.screenshot)),
            screenshot=screenshot,
            mhtml=mhtml,
            environment=environment(self._options, self._browser, scripts=self._scripts(still)),
        )

    def _draft(
        self,
        name: str,
        reply: dict[str, Any],
        window: tuple[int, int],
        places: dict[int, Place],
        still: AnimationFreezer,
    ) -> PendingPage:
        """Turn a snapshot into a draft, and work out what its layout says of what is seen."""
        draft = decode_snapshot(
            reply,
            url=name,
            viewport=(float(window[0]), float(window[1])),
            frame_places=places,
            unstyled=still.unstyled,
            moving=still.moving,
            moves_itself=still.wheel or still.failed or still.missing or not self._options.javascript,
        )
        if still.boxes or still.locked:
            draft = draft.held(still.boxes, window=still.locked and not still.wheel)
        _ = draft.sight
        return draft

    async def _noted(self, reply: dict[str, Any]) -> None:
        """Write into a snapshot what it does not tell of pictures and shadow trees."""
        await note_images(self._channel, reply)
        await note_shadows(self._channel, reply)

    def _scripts(self, still: AnimationFreezer) -> str:
        """Tell what became of the page's scripts; "kept out" are those that we did not let it have."""
        if not self._options.javascript:
            return "off"
        if still.missing and self._closed:
            return "kept out"
        return "failed" if still.failed or still.missing else "ran"

    async def _looked_at(self, draft: PendingPage, reply: dict[str, Any], window: tuple[int, int]) -> PixelResult:
        """Ask pictures about the lines of which the layout does not tell whether they are seen."""
        if not draft.sight.doubtful.any():
            return PixelResult()
        seconds = min(MOST_SECONDS, MOST_SHARE * self._left)
        scale = self._options.device_scale
        size = (float(window[0]), float(window[1]))
        looking = PixelCheck(
            self._channel, draft, reply, window=size, scale=scale, seconds=seconds, held=self._frames.missing
        )
        return await looking.look()

    async def _frame_places(self, reply: dict[str, Any]) -> dict[int, Place]:
        """Ask where the content of each frame begins; a frame that is not shown has no such place."""
        owners: dict[int, int] = {}
        for document in reply["documents"]:
            frames = document["nodes"].get("contentDocumentIndex", {"index": [], "value": []})
            backend = document["nodes"]["backendNodeId"]
            owners |= {inner: backend[node] for node, inner in zip(frames["index"], frames["value"], strict=True)}
        asked = list(owners.items())[:_MOST_FRAMES]
        quads = await asyncio.gather(*(self._content_of(owner) for _, owner in asked))
        found = zip((inner for inner, _ in asked), quads, strict=True)
        return {inner: _place(quad, reply["documents"][inner]) for inner, quad in found if quad}

    async def _content_of(self, owner: int) -> list[float]:
        """Return the corners of the content of a frame, nothing for one that is not shown."""
        with suppress(CommandFailed):
            box = await self._call("DOM.getBoxModel", {"backendNodeId": owner})
            corners: list[float] = box["model"]["content"]
            return corners
        return []

    async def _screenshot(self, reply: dict[str, Any]) -> bytes | None:
        """Return the picture of the page that was asked for; None where it does not come in time."""
        wanted: dict[str, Any] = {"format": "png"}
        if self._options.screenshot == "full":
            root, scale = reply["documents"][0], self._options.device_scale
            width = max(float(root.get("contentWidth", 0)), 1.0)
            height = max(float(root.get("contentHeight", 0)), float(self._options.viewport[1]))
            height = min(height, _TALLEST / scale)
            clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
            wanted |= {"clip": clip, "captureBeyondViewport": True}
        with suppress(TimeoutError):
            return base64.b64decode(await shoot(self._channel, wanted, self._left * _PICTURE_SHARE))
        return None

    async def _mhtml(self) -> bytes:
        # The browser writes archives only while the clock goes; the page's scripts shall not use that.
        await self._call("Emulation.setScriptExecutionDisabled", {"value": True})
        await self._call("Emulation.setVirtualTimePolicy", {"policy": "advance"})
        archive = await self._call("Page.captureSnapshot", {"format": "mhtml"})
        data: str = archive["data"]
        return data.encode()

    async def _call(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return await self._channel.send(method, params, timeout=self._left)


def _place(quad: list[float], document: dict[str, Any]) -> Place:
    """Return where a document begins, and how large its pixels are, from the corners of its frame's content."""
    left, top, right, *_, below_x, below_y = quad
    wide, high = document["layout"]["bounds"][0][2:] if document["layout"]["bounds"] else (0.0, 0.0)
    x = min(math.hypot(right - left, quad[3] - top) / wide, _LARGEST_PIXEL) if wide > 0 else 1.0
    y = min(math.hypot(below_x - left, below_y - top) / high, _LARGEST_PIXEL) if high > 0 else 1.0
    return left - document["scrollOffsetX"] * x, top - document["scrollOffsetY"] * y, x, y
