"""Work spread over processes: what dies with what."""

import subprocess
import sys
import time

import psutil
from blocksight.processes.spread import spread, spread_in_order

PARENT = """
from blocksight.processes.spread import spread
if __name__ == "__main__":
    tasks = ["__import__('os').getpid()", "__import__('time').sleep(60)", "__import__('time').sleep(60)"]
    for _, number in spread(eval, tasks, 2, died=str):
        print(number, flush=True)
"""


def test_one_process_works_here():
    prepared = []
    assert list(spread(abs, [-1, 2], 1, died=str, prepare=lambda: prepared.append(1))) == [(0, 1), (1, 2)]
    assert prepared == [1]


def test_a_process_that_dies_takes_its_task_only():
    tasks = ["1 + 1", "__import__('os')._exit(3)", "2 + 2", "3 + 3", "__import__('os')._exit(3)", "4 + 4"]
    found = spread_in_order(eval, tasks, 2, died=lambda task: f"died: {task[:4]}")
    assert found == [2, "died: __im", 4, 6, "died: __im", 8]


def test_nobody_is_left_when_the_program_is_killed(tmp_path):
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
