"""The time of a page: what counts, what does not, and when it ends in any case."""

import asyncio

import pytest
from blocksight.render.chromium import time_budget
from blocksight.render.chromium.time_budget import PageTime, TimeBudget
from blocksight.render.render_options import RenderOptions

OPTIONS = RenderOptions(timeout=10.0)


@pytest.fixture
def clock(monkeypatch):
    """Return a list with the time, which tests set."""
    now = [1000.0]
    monkeypatch.setattr(time_budget.time, "monotonic", lambda: now[0])
    return now


def test_opening_an_empty_page_does_not_count(clock):
    page_time = PageTime(10.0)
    page_time.begin_opening()
    clock[0] += 3.0
    page_time.end_opening()
    assert (page_time.left, page_time.opening) == (10.0, 3.0)


def test_a_page_ends_after_twice_its_timeout(clock):
    page_time = PageTime(10.0, 1.5)
    assert page_time.left == 15.0
    for _ in range(2):
        page_time.begin_opening()
        clock[0] += 4.0
        page_time.end_opening()
    assert page_time.end == 1020.0
    assert page_time.most_left == 12.0


def test_less_work_fits_on_a_busy_machine(clock):
    page_time = PageTime(10.0, 2.0)
    clock[0] += 4.0
    assert (page_time.left, page_time.work_left) == (16.0, 8.0)


def test_the_limit_in_words(clock):
    assert PageTime(10.0).limit == "10 s"
    assert PageTime(10.0, 2.0).limit == "10 s, 20 s on this busy machine"


def test_time_is_reserved_for_another_attempt(clock):
    budget = TimeBudget(PageTime(10.0), OPTIONS, truncated=False)
    assert budget.deadline == 1006.5  # 3.5 of 10 s
    assert budget.load_by == pytest.approx(1003.9)  # 0.4 of 6.5 s
    assert TimeBudget(PageTime(10.0), OPTIONS, truncated=True).deadline == 1010.0


def test_none_is_reserved_where_opening_the_page_would_take_it(clock):
    page_time = PageTime(10.0)
    page_time.begin_opening()
    clock[0] += 2.5
    page_time.end_opening()
    assert TimeBudget(page_time, OPTIONS, truncated=False).deadline == page_time.end


def test_on_a_busy_machine_the_shares_grow_as_well(clock):
    budget = TimeBudget(PageTime(10.0, 2.0), OPTIONS, truncated=False)
    assert budget.deadline == 1013.0  # 7 of 20 s
    assert budget.load_by == pytest.approx(1007.8)
    assert budget.settle_left == pytest.approx(7.8)


def test_a_captured_page_uses_the_time_of_the_next_attempt():
    async def run():
        budget = TimeBudget(PageTime(2.0), RenderOptions(timeout=2.0), truncated=False)
        budget.deadline -= 1.95
        async with budget.limit():
            budget.skip_retry()
            await asyncio.sleep(0.2)
        return budget

    budget = asyncio.run(run())
    assert budget.deadline == budget.page_time.end
