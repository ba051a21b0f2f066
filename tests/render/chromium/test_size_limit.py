"""A page that grows is stopped while it can still be captured."""

import asyncio
import time

import pytest
from blocksight.render.chromium.navigation import NODE_SECONDS, SizeLimit
from blocksight.render.chromium.page_session import PageSession, PageTooMuch
from blocksight.render.chromium.time_budget import PageTime, TimeBudget
from blocksight.render.render_options import RenderOptions


class Counting:
    """Answers each look with twice as many nodes."""

    def __init__(self):
        self.nodes = 500

    async def send(self, method, *, timeout):
        assert timeout > 0
        self.nodes *= 2
        return {"metrics": [{"name": "Frames", "value": 1}, {"name": "Nodes", "value": float(self.nodes)}]}


def grown(most, seconds):
    growth = SizeLimit(Counting(), most, time.monotonic() + seconds)
    asyncio.run(asyncio.wait_for(growth.watch(), 20))
    return growth


def test_more_nodes_than_a_page_may_have():
    assert grown(3_000, 1000).nodes == 4_000


def test_more_nodes_than_can_be_captured_in_the_time_left():
    growth = grown(10**9, 5)
    assert growth.is_reached
    assert growth.nodes * NODE_SECONDS > 2


@pytest.mark.parametrize("answer", [{"metrics": []}, {"metrics": [{"name": "Nodes", "value": 0}]}])
def test_a_page_that_stays_small_is_not_stopped(answer):
    class Still:
        async def send(self, method, *, timeout):
            return answer

    growth = SizeLimit(Still(), 10, time.monotonic() + 1000)
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(growth.watch(), 0.5))
    assert not growth.is_reached


def snapshot(characters):
    return {"strings": ["#text", "x" * (characters // 4)], "documents": [{"nodes": {"nodeValue": [-1, 1, 1, 1, 1]}}]}


@pytest.mark.parametrize(("truncated", "refused"), [(False, True), (True, False)], ids=["page", "beginning"])
def test_more_text_than_there_is_time_for_is_too_much(truncated, refused):
    options = RenderOptions(timeout=60.0)
    budget = TimeBudget(PageTime(60.0), options, truncated=truncated)
    session = PageSession(None, options, None, budget, "")  # type: ignore[arg-type]
    session._limit_text("x", snapshot(4_000_000))
    if not refused:
        session._limit_text("x", snapshot(80_000_000))
        return
    with pytest.raises(PageTooMuch, match="80,000,000 characters"):
        session._limit_text("x", snapshot(80_000_000))
