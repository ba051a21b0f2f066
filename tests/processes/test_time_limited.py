"""Work in a process that is ended where it takes too long."""

import os
import sys
import threading
import time
from functools import partial

import psutil
import pytest
from blocksight.errors import PageFailed
from blocksight.processes.time_limited import Died, Limited


@pytest.fixture(scope="module")
def limited():
    with Limited() as started:
        yield started


def test_work_is_done_by_another_process_and_always_the_same(limited):
    first = limited.run(os.getpid, seconds=30)
    assert first != os.getpid()
    assert limited.run(os.getpid, seconds=30) == first
    assert limited.run(divmod, 7, 2, seconds=30) == (3, 1)


def test_what_it_raises_is_raised_here(limited):
    with pytest.raises(PageFailed, match="no reason") as raised:
        limited.run(_fail, seconds=30)
    assert "_fail" in raised.value.__notes__[0]


def _fail():
    raise PageFailed("a", "no reason")


def test_what_takes_too_long_is_ended_and_the_next_goes_on(limited):
    number = limited.run(os.getpid, seconds=30)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        limited.run(time.sleep, 60, seconds=0.2)
    assert time.monotonic() - began < 10
    assert not psutil.pid_exists(number)
    assert limited.run(os.getpid, seconds=30) != number


def test_a_process_that_dies_of_its_work(limited):
    with pytest.raises(Died):
        limited.run(os._exit, 1, seconds=30)
    assert limited.run(abs, -1, seconds=30) == 1


def test_it_ends_with_the_context():
    with Limited() as started:
        number = started.run(os.getpid, seconds=30)
    assert not psutil.pid_exists(number)


def test_it_gets_ready_before_its_first_work(tmp_path):
    for ready in (partial(tmp_path.joinpath("ready").touch), _fail):
        with Limited(ready) as started:
            assert started.run(abs, -1, seconds=30) == 1
    assert tmp_path.joinpath("ready").exists()


@pytest.mark.parametrize("copied", [True, False])
def test_a_copy_knows_what_this_process_knows(copied, monkeypatch):
    """A process of Ray has threads that Python does not know: none of its own may be a copy of it."""
    monkeypatch.setitem(sys.modules, "only_here", sys)
    with Limited(copied=copied) as started:
        knows = started.run(eval, "'only_here' in __import__('sys').modules", seconds=60)
    assert knows == (copied and sys.platform == "linux" and threading.active_count() == 1)
