"""What comes one after the other, under asyncio."""

import asyncio
import threading

import pytest
from blocksight.batch.aiter import aiter_in_thread


def test_the_loop_goes_on_while_an_item_is_waited_for():
    gate = threading.Event()

    def slow():
        assert gate.wait(30), "the loop stood still"
        yield 1
        yield 2

    async def main():
        found = asyncio.ensure_future(anext(aiter_in_thread(slow())))
        await asyncio.sleep(0)
        gate.set()
        return await found

    assert asyncio.run(main()) == 1


def test_who_leaves_early_closes_it():
    closed = threading.Event()

    def endless():
        try:
            while True:
                yield threading.current_thread().name
        finally:
            closed.set()

    async def main():
        names = aiter_in_thread(endless())
        first = [await anext(names), await anext(names)]
        await names.aclose()
        return first

    names = asyncio.run(main())
    assert closed.wait(10)
    assert names[0] == names[1] != threading.current_thread().name


def test_an_error_comes_through_with_its_items_before():
    def broken():
        yield 1
        raise OSError("the list ended")

    async def main():
        items = aiter_in_thread(broken())
        assert await anext(items) == 1
        with pytest.raises(OSError, match="the list ended"):
            await anext(items)

    asyncio.run(main())


def test_who_is_cancelled_does_not_wait():
    gate, closed = threading.Event(), threading.Event()

    def stuck():
        try:
            gate.wait(30)
            yield 1
            yield 2
        finally:
            closed.set()

    async def main():
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(aiter_in_thread(stuck())), 0.05)

    asyncio.run(main())
    assert not closed.is_set()
    gate.set()
    assert closed.wait(10)
