"""Worker processes: time limits, crashes, and tasks in parallel."""

import os
import subprocess
import sys
import threading
import time
from functools import partial

import psutil
import pytest
from blocksight.errors import PageFailed
from blocksight.processes.contention import MOST_STRETCH, Contention
from blocksight.processes.workers import Worker, WorkerDied, WorkerPool, parallel_map, run_parallel


@pytest.fixture(scope="module")
def worker():
    with Worker() as started:
        yield started


def test_tasks_run_in_one_other_process(worker):
    first = worker.run(os.getpid, seconds=30)
    assert first != os.getpid()
    assert worker.run(os.getpid, seconds=30) == first
    assert worker.run(divmod, 7, 2, seconds=30) == (3, 1)


def test_an_error_is_raised_again_with_the_remote_traceback(worker):
    with pytest.raises(PageFailed, match="no reason") as raised:
        worker.run(_fail, seconds=30)
    assert "_fail" in raised.value.__notes__[0]


def _fail():
    raise PageFailed("a", "no reason")


def test_a_task_has_more_time_while_other_programs_use_the_processors(worker, monkeypatch):
    monkeypatch.setattr(Contention, "stretch", MOST_STRETCH)
    assert worker.run(time.sleep, 5, seconds=4) is None


def test_a_task_over_its_time_limit_is_killed_and_the_next_one_runs(worker):
    number = worker.run(os.getpid, seconds=30)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        worker.run(time.sleep, 60, seconds=0.2)
    assert time.monotonic() - began < 10
    assert not psutil.pid_exists(number)
    assert worker.run(os.getpid, seconds=30) != number


def test_a_crash_is_an_error_and_the_next_task_runs(worker):
    with pytest.raises(WorkerDied):
        worker.run(os._exit, 1, seconds=30)
    assert worker.run(abs, -1, seconds=30) == 1


def test_the_process_ends_with_the_context():
    with Worker() as started:
        number = started.run(os.getpid, seconds=30)
    assert not psutil.pid_exists(number)


def test_warm_up_runs_before_the_first_task(tmp_path):
    for ready in (partial(tmp_path.joinpath("ready").touch), _fail):
        with WorkerPool(1, ready) as pool:
            assert pool.run(abs, -1, seconds=30) == 1
    assert tmp_path.joinpath("ready").exists()


@pytest.mark.parametrize("fork", [True, False])
def test_only_a_forked_worker_has_the_modules_of_this_process(fork, monkeypatch):
    monkeypatch.setitem(sys.modules, "only_here", sys)
    with Worker(fork=fork) as started:
        inherited = started.run(eval, "'only_here' in __import__('sys').modules", seconds=60)
    assert inherited == (fork and sys.platform == "linux" and threading.active_count() == 1)


def test_a_pool_runs_a_task_twice_before_it_gives_up(tmp_path):
    with WorkerPool(1, bool) as pool:
        with pytest.raises(WorkerDied):
            pool.run(_count_and_exit, tmp_path / "attempts", seconds=30)
        assert (tmp_path / "attempts").read_text() == "xx"
        with pytest.raises(TimeoutError, match=r"not done within 0\.2 s"):
            pool.run(time.sleep, 60, seconds=0.2)
        assert pool.run(abs, -1, seconds=30) == 1


def _count_and_exit(path):
    with path.open("a") as file:
        file.write("x")
    os._exit(1)


PARENT = """
from blocksight.processes.workers import run_parallel
if __name__ == "__main__":
    tasks = ["__import__('os').getpid()", "__import__('time').sleep(60)", "__import__('time').sleep(60)"]
    for _, number in run_parallel(eval, tasks, 2, died=str):
        print(number, flush=True)
"""


def test_one_process_is_this_process():
    warm = []
    assert list(run_parallel(abs, [-1, 2], 1, died=str, warm_up=lambda: warm.append(1))) == [(0, 1), (1, 2)]
    assert warm == [1]


def test_a_crash_costs_its_task_only():
    tasks = ["1 + 1", "__import__('os')._exit(3)", "2 + 2", "3 + 3", "__import__('os')._exit(3)", "4 + 4"]
    results = parallel_map(eval, tasks, 2, died=lambda task: f"died: {task[:4]}")
    assert results == [2, "died: __im", 4, 6, "died: __im", 8]


def test_workers_end_when_the_program_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        worker = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        parent.wait()
    deadline = time.monotonic() + 20
    while worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE


def test_running_tasks_are_ended_when_the_generator_is_closed():
    results = run_parallel(time.sleep, [0.01, 60, 60], 2, died=lambda seconds: None)
    assert next(results)[0] == 0
    start = time.monotonic()
    results.close()
    assert time.monotonic() - start < 30


SCRIPT = """
import sys, threading, time
import blocksight as bs
from pathlib import Path

threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
with open("runs", "a") as runs:
    runs.write("x")
try:
    rows = list(bs.run_batch([Path("page.html")], "out", options=bs.BatchOptions(browser=False, workers=1)))
except bs.errors.WorkersEnded as error:
    print("refused", error)
"""


def test_a_script_without_a_guard_gets_an_error_at_once(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "page.html").write_text("<p>Boil fresh water.")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.startswith("refused worker processes end while they start: a script must call this in a block")
    assert 'if __name__ == "__main__"' in done.stdout
    assert done.stderr == ""
    assert (tmp_path / "runs").read_text() == "xxx"  # the script, and two attempts to start a worker
    assert not (tmp_path / "out").exists()
