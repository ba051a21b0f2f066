"""The contexts of a browser: fresh for each page, the next one opened ahead, all closed (contexts that only count)."""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from blocksight.errors import Refused
from blocksight.render.chromium import browser_context
from blocksight.render.chromium.browser_context import Contexts
from blocksight.render.devtools.channel import ChannelClosed
from blocksight.render.network.guard import Policy
from blocksight.render.render_options import RenderOptions

OPTIONS, POLICY = RenderOptions(), Policy(allow_private=True)


@pytest.fixture
def opened(monkeypatch):
    """Contexts by number, in the order in which they are opened; ``fails`` are the numbers of those that fail."""
    record = SimpleNamespace(count=0, closed=[], fails=set())

    @asynccontextmanager
    async def open_context(connection, options, proxy, workers):
        number = record.count
        record.count += 1
        await asyncio.sleep(0)
        if number in record.fails:
            raise ChannelClosed("no context")
        try:
            yield SimpleNamespace(number=number, crashed=asyncio.Event())
        finally:
            record.closed.append(number)

    monkeypatch.setattr(browser_context, "open_context", open_context)
    monkeypatch.setattr(browser_context, "SharedWorkers", lambda connection: None)
    return record


async def number_of(contexts, options=OPTIONS, policy=POLICY, address=""):
    async with contexts.open(options, policy, address) as (proxy, channel):
        assert proxy.address.startswith("http://127.0.0.1:")
        await asyncio.sleep(0.01)
        return channel.number


def test_one_page_has_one_context(opened):
    async def run():
        contexts = Contexts(None)
        found = await number_of(contexts)
        await contexts.close_next()
        return found

    assert asyncio.run(run()) == 0
    assert (opened.count, opened.closed) == (1, [0])


def test_the_context_of_the_next_page_is_opened_from_the_second_on(opened):
    async def run():
        contexts = Contexts(None)
        found = [await number_of(contexts) for _ in range(4)]
        await contexts.close_next()
        return found

    assert asyncio.run(run()) == [0, 1, 2, 3]
    # The fifth was opened while the fourth was in use.
    assert (opened.count, opened.closed) == (5, [0, 1, 2, 3, 4])


def test_a_context_of_other_settings_is_not_used(opened):
    other = RenderOptions(viewport=(800, 600))

    async def run():
        contexts = Contexts(None)
        found = [await number_of(contexts, options) for options in (OPTIONS, OPTIONS, other, OPTIONS)]
        found.append(await number_of(contexts, policy=Policy()))
        await contexts.close_next()
        return found

    assert asyncio.run(run()) == [0, 1, 3, 4, 5]
    assert sorted(opened.closed) == list(range(6))


def test_a_context_that_failed_or_crashed_is_replaced(opened):
    opened.fails.add(2)

    async def run():
        contexts = Contexts(None)
        found = [await number_of(contexts) for _ in range(3)]
        contexts._next.result().channel.crashed.set()
        found.append(await number_of(contexts))
        await contexts.close_next()
        return found

    # The third was opened while the second was in use.
    assert asyncio.run(run()) == [0, 1, 3, 5]
    assert sorted(opened.closed) == [0, 1, 3, 4, 5, 6]


def test_pages_at_the_same_time_do_not_share_a_context(opened):
    async def run():
        contexts = Contexts(None)
        found = await asyncio.gather(*(number_of(contexts) for _ in range(6)))
        await contexts.close_next()
        return found

    assert len(set(asyncio.run(run()))) == 6
    assert sorted(opened.closed) == list(range(opened.count))


def test_a_page_that_is_cancelled_while_it_waits_leaves_no_context(opened):
    async def run():
        contexts = Contexts(None)
        for _ in range(2):
            async with contexts.open(OPTIONS, POLICY, ""):
                pass
        waiting = asyncio.ensure_future(number_of(contexts))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.sleep(0.01)
        await contexts.close_next()

    asyncio.run(run())
    assert sorted(opened.closed) == list(range(opened.count))


def test_a_refused_address_opens_no_context(opened):
    async def run():
        contexts = Contexts(None)
        for _ in range(3):
            with pytest.raises(Refused):
                await number_of(contexts, policy=Policy(), address="http://127.0.0.1:1/")
        await contexts.close_next()

    asyncio.run(run())
    assert opened.count == 0


def test_a_state_that_may_change_is_read_for_each_page(opened, tmp_path):
    (tmp_path / "state.json").write_text("{}")
    options = RenderOptions(storage_state=tmp_path / "state.json")

    async def run():
        contexts = Contexts(None)
        return [await number_of(contexts, options) for _ in range(3)]

    assert asyncio.run(run()) == [0, 1, 2]
    assert opened.count == 3
