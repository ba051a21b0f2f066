"""The browser process of a slot, with processes that only say whether they are worn."""

import asyncio

import pytest
from blocksight.errors import BrowserMissing
from blocksight.render.chromium.browser_process import BrowserSlot


class Process:
    def __init__(self):
        self.worn, self.busy, self.ended = False, 0, False

    def is_worn(self):
        return self.worn

    async def end(self):
        self.ended = True


class Launches:
    """Launches that fail as often as ``failures`` says, by number."""

    def __init__(self, *failures, seconds=0.001):
        self.started, self.count, self.failures, self.seconds = [], 0, failures, seconds

    async def __call__(self):
        self.count += 1
        await asyncio.sleep(self.seconds)
        if self.count in self.failures:
            raise BrowserMissing("none")
        self.started.append(Process())
        return self.started[-1]


def test_a_process_is_started_once_and_kept_until_it_is_worn():
    async def run():
        launch = Launches()
        slot = BrowserSlot(launch)
        assert launch.count == 0
        first, same = await asyncio.gather(slot.ready(), slot.ready())
        assert first is same is await slot.ready()
        first.worn = True
        second = await slot.ready()
        await asyncio.sleep(0.001)
        return launch.count, second is not first, first.ended

    assert asyncio.run(run()) == (2, True, True)


def test_a_process_can_be_replaced_once_for_all_who_ask():
    async def run():
        launch = Launches()
        slot = BrowserSlot(launch)
        first = await slot.ready()
        others = await asyncio.gather(slot.ready(instead_of=first), slot.ready(instead_of=first))
        return launch.count, others[0] is others[1], first.worn

    assert asyncio.run(run()) == (2, True, True)


def test_a_worn_process_ends_after_its_pages():
    async def run():
        slot = BrowserSlot(Launches())
        first = await slot.ready()
        first.worn, first.busy = True, 1
        await slot.ready()
        await asyncio.sleep(0.001)
        before, first.busy = first.ended, 0
        slot.drop(first)
        await asyncio.sleep(0.001)
        return before, first.ended

    assert asyncio.run(run()) == (False, True)


def test_only_a_browser_that_has_started_before_gets_a_second_attempt():
    async def run(*failures):
        launch = Launches(*failures)
        slot = BrowserSlot(launch)
        (await slot.ready()).worn = True
        await slot.ready()
        return launch.count

    assert asyncio.run(run(2)) == 3
    with pytest.raises(BrowserMissing):
        asyncio.run(run(1))
    with pytest.raises(BrowserMissing):
        asyncio.run(run(2, 3))


def test_no_process_starts_after_the_end():
    async def run():
        launch = Launches(seconds=60)
        slot = BrowserSlot(launch)
        starting = asyncio.ensure_future(slot.ready())
        await asyncio.sleep(0.01)
        await slot.end()
        for ready in (starting, slot.ready()):
            with pytest.raises(BrowserMissing, match="closed"):
                await ready
        return launch.count, launch.started

    assert asyncio.run(run()) == (1, [])


def test_a_caller_that_is_cancelled_ends_no_start_for_others():
    async def run():
        launch = Launches()
        slot = BrowserSlot(launch)
        cancelled, other = (asyncio.ensure_future(slot.ready()) for _ in range(2))
        await asyncio.sleep(0)
        cancelled.cancel()
        return await other is slot.process, launch.count

    assert asyncio.run(run()) == (True, 1)
