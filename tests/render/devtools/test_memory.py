"""Memory of large pages is returned to the system."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest
from blocksight.render.chromium import browser_process

_PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
import psutil
from blocksight.render.devtools.channel import _return_large_buffers

def hold():
    kept = [b"x" * size for size in [900_000, 3_000_000] * 10]
    return len(kept)

b"x" * 30_000_000  # freed at once: from now on buffers as large as this come from arenas
if sys.argv[1] == "with":
    _return_large_buffers()
with ThreadPoolExecutor(1) as thread:
    thread.submit(int).result()
    before = psutil.Process().memory_info().rss
    thread.submit(hold).result()
    print(psutil.Process().memory_info().rss - before)
"""


def left_behind(how: str) -> int:
    """Bytes that a fresh process still holds after a thread of it held 39 MB for a moment."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_TUNABLES"))}
    command = [sys.executable, "-c", _PROGRAM, how]
    run = subprocess.run(command, env=usual, capture_output=True, text=True, timeout=60, check=True)
    return int(run.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have other habits")
def test_memory_of_a_large_page_is_returned() -> None:
    assert left_behind("without") > 20_000_000
    assert left_behind("with") < 5_000_000


@pytest.mark.parametrize(
    ("busy", "beyond", "ended"), [(1, 0, 0), (1, 1, 1), (9, 1 + browser_process.MOST_CACHE_BYTES, 0)]
)
def test_a_browser_with_too_much_memory_kills_its_pages(monkeypatch, busy, beyond, ended):
    held = browser_process.MOST_BROWSER_BYTES + browser_process.MOST_CACHE_BYTES + beyond
    process = object.__new__(browser_process.BrowserProcess)
    process.busy = busy
    process._measurements, process._members, process.worn, process.killed = 1, ["browser", "page"], False, 0
    gone = []
    monkeypatch.setattr(browser_process, "own_bytes", {"browser": held, "page": 1}.__getitem__)
    monkeypatch.setattr(browser_process.BrowserProcess, "_kill_renderers", lambda _: gone.append(1))
    process._limit_memory()
    assert (len(gone), process.killed, process.worn) == (ended, ended, bool(ended))
