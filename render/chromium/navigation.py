"""Navigate to a document, and wait until it has loaded and settled."""

from __future__ import annotations

import asyncio
from typing import Any

from ...errors import NoAnswer
from ..devtools.channel import Channel, Reply
from .page_clock import PageClock
from .requests.interception import RequestHandler
from .requests.main_response import MainResponse
from .reveal import reveal
from .settle import Parsed, settle, wait_for_selector
from .size_limit import SizeLimit
from .time_budget import TimeBudget

Window = tuple[int, int]


async def navigate(
    channel: Channel,
    address: str,
    prepared: list[Reply],
    response: MainResponse,
    handler: RequestHandler,
    budget: TimeBudget,
) -> None:
    """Navigate to an address; raises ``PageFailed`` when it cannot be loaded, is too large, or does not answer.

    ``prepared`` are the replies to commands that have been posted: the document is requested when all have arrived.
    """
    navigation = channel.post("Page.navigate", {"url": address}, timeout=budget.total_left)
    await asyncio.gather(*prepared)
    handler.ready.set()
    too_large = asyncio.ensure_future(response.too_large.wait())
    try:
        tasks: set[asyncio.Future[Any]] = {navigation, too_large}
        await asyncio.wait(tasks, timeout=budget.answer_left, return_when=asyncio.FIRST_COMPLETED)
        response.check()
        if not navigation.done():
            seconds = response.options.timeout
            raise NoAnswer(response.name, f"no answer within {seconds:g} s (--timeout sets it)")
        error_text = navigation.result().get("errorText")
    finally:
        for task in (navigation, too_large):
            task.cancel()
    if error_text:
        raise handler.refused or response.failure(error_text)
    budget.skip_retry_if_late()


async def load(
    channel: Channel, parsed: Parsed, response: MainResponse, growth: SizeLimit, budget: TimeBudget, clock: PageClock
) -> tuple[bool, Window]:
    """Wait until a page has settled, or is too large to be captured; return whether it has settled, and its window."""
    loading = asyncio.ensure_future(_settled(channel, parsed, response, budget, clock))
    watching = asyncio.ensure_future(growth.watch())
    too_large = asyncio.ensure_future(response.too_large.wait())
    tasks = (loading, watching, too_large)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        response.check()
        if loading.done():
            return loading.result()
        watching.result()
        return False, response.options.viewport
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _settled(
    channel: Channel, parsed: Parsed, response: MainResponse, budget: TimeBudget, clock: PageClock
) -> tuple[bool, Window]:
    options = response.options
    selector = options.wait_for
    matched = not selector or await wait_for_selector(channel, clock.frames, selector, budget.load_left)
    ready = await settle(clock, parsed, options, budget.settle_left) and matched
    response.check()
    if ready and options.javascript:
        return await reveal(channel, options, budget.settle_left, clock)
    return ready, options.viewport
