"""The processes below one, found from the system's own lists."""

import os
import subprocess
import sys

import psutil
import pytest
from blocksight.render.chromium.process import launch
from blocksight.render.chromium.process.launch import ProcessTree

CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"


@pytest.fixture
def above():
    """A process that has started another, which waits for a line."""
    with subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE) as started:
        while not psutil.Process(started.pid).children():
            pass
        yield started
        started.communicate(b"\n", timeout=300)


@pytest.mark.parametrize("listed", [True, False])
def test_all_descendants_are_found(above, monkeypatch, listed):
    if listed and not launch._has_child_lists():
        pytest.skip("this system keeps no lists of children")
    monkeypatch.setattr(launch, "_has_child_lists", lambda: listed)
    found = ProcessTree(above.pid).members()
    assert [one.pid for one in found] == [above.pid, *(c.pid for c in psutil.Process(above.pid).children())]


def test_a_child_that_has_ended_is_not_confused_with_another_program(monkeypatch):
    with subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE) as started:
        while not (children := psutil.Process(started.pid).children()):
            pass
        known = ProcessTree(started.pid)
        assert len(known.members()) == 2
        children[0].kill()
        children[0].wait(300)
        assert [process.pid for process in known.members()] in ([started.pid], [])
        started.communicate(b"\n", timeout=300)


def test_known_processes_are_kept(above):
    known = ProcessTree(above.pid)
    first, second = known.members(), known.members()
    assert all(one is other for one, other in zip(first, second, strict=True))


def test_ended_processes_are_dropped():
    with subprocess.Popen([sys.executable, "-c", ""]) as started:
        known = ProcessTree(started.pid)
    assert known.members() == []


def test_a_process_without_children_is_alone():
    assert ProcessTree(os.getpid()).members()[0].pid == os.getpid()
