"""Load on the HTTP service: waits, refusals and cost, by the number of clients at once."""

from __future__ import annotations

import http.client
import itertools
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import psutil
from blocksight.render.network.local_server import QuietHandler, serve
from common import FOLDER, INTEGERS, private_megabytes, respond, table_head, table_row

TOKEN = "benchmark"
#: Seconds that a client waits for an answer: longer than the service lets any request wait.
PATIENCE = 300.0


class PageSite(QuietHandler):
    """Serves an article whose text is written by a script."""

    def do_GET(self) -> None:
        """Respond with the page."""
        text = "Fresh water is boiled, the pot is warmed, and the leaves draw for three minutes or four. " * 8
        body = (
            f"<!doctype html><title>Tea</title><nav>{'<a href=/>home</a> ' * 20}</nav><article><h1>Tea</h1>"
            f"<p id=p></p></article><script>document.getElementById('p').textContent = '{text}'</script>"
        )
        respond(self, "text/html", body.encode())


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its status, its seconds, those of the wait by ``Server-Timing``, and whether it says when to retry."""

    status: int
    seconds: float
    wait: float
    has_retry_after: bool


@contextmanager
def served(workers: int, queue: int, *options: str) -> Iterator[tuple[int, psutil.Process]]:
    """Run ``blocksight serve``; yield its port and its process."""
    command = [sys.executable, "-m", "blocksight", "serve", "--port", "0", "--token", TOKEN, "--workers", str(workers)]
    running = subprocess.Popen([*command, "--queue", str(queue), *options], stderr=subprocess.PIPE, text=True)
    try:
        for line in running.stderr or ():
            if port := re.search(r"listening at port (\d+)", line):
                yield int(port[1]), psutil.Process(running.pid)
                return
        raise SystemExit("the service did not start")
    finally:
        running.terminate()
        running.wait()


def ask(port: int, body: bytes) -> Answer:
    """Send one request, and wait for its answer."""
    start = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    kind = "application/json" if body.startswith(b'{"url"') else "text/html"
    connection.request("POST", "/extract", body, {"Authorization": f"Bearer {TOKEN}", "Content-Type": kind})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    wait = re.search(r"wait;dur=(\d+)", answer.headers.get("Server-Timing", ""))
    seconds = time.perf_counter() - start
    return Answer(answer.status, seconds, int(wait[1]) / 1000 if wait else 0.0, "Retry-After" in answer.headers)


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU seconds of a process and of those that it has started, ended ones included."""
    total = 0.0
    for each in [process, *process.children(recursive=True)]:
        with suppress(psutil.Error):
            total += sum(each.cpu_times()[:4])
    return total


def load_row(name: str, port: int, process: psutil.Process, bodies: Sequence[bytes], clients: int) -> None:
    """Send all bodies by some clients at once, and print the row."""
    cpu, start = cpu_seconds(process), time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        answers = list(pool.map(lambda body: ask(port, body), bodies))
    seconds, cpu = time.perf_counter() - start, cpu_seconds(process) - cpu
    good = [each for each in answers if each.status == 200]
    refused = [each for each in answers if each.status == 503]
    silent = [each for each in refused if not each.has_retry_after]
    times = [each.seconds for each in good] or [0.0]
    table_row(
        f"{name}, {clients} clients",
        len(answers),
        len(good),
        len(refused),
        len(answers) - len(good) - len(refused) + len(silent),
        f"{len(good) / seconds:.1f}",
        f"{np.median(times):.2f}",
        f"{np.quantile(times, 0.95):.2f}",
        f"{max((each.wait for each in good), default=0.0):.2f}",
        f"{max((each.seconds for each in refused), default=0.0):.2f}",
        f"{cpu / max(len(good), 1):.2f}",
        f"{sum(map(private_megabytes, [process, *process.children(recursive=True)])):.0f}",
    )


@click.command(name="service")
@click.argument("pages", type=FOLDER)
@click.option("--requests", default=80, help="Requests of each row.")
@click.option("--clients", type=INTEGERS, default="1,2,8,16", show_default=True)
@click.option("--workers", default=2)
@click.option("--queue", default=8)
def service_load(pages: Path, requests: int, clients: list[int], workers: int, queue: int) -> None:
    """Measure answers, refusals and waits of ``blocksight serve`` under load.

    PAGES is a folder of HTML files, which are sent as they are; rendered pages are generated and served on 127.0.0.1.
    A client sends its next request when it has an answer. "Silent" answers are neither a page nor a 503 that says when
    to come back.
    """
    files = sorted(pages.glob("*.html"))[:requests]
    raw = [path.read_bytes() for path in itertools.islice(itertools.cycle(files), requests)]
    table_head(
        *("load", "requests", "200", "503", "silent", "200 a second", "s median", "s 95 %"),
        *("longest wait of a 200, s", "longest time to a 503, s", "CPU s a 200", "MB"),
    )
    with served(workers, queue, "--no-browser") as (port, process):
        for count in clients:
            load_row("HTML", port, process, raw, count)
    with serve(PageSite) as address, served(workers, queue, "--allow-private") as (port, process):
        sources = [json.dumps({"url": f"{address}/{number}"}).encode() for number in range(requests)]
        for count in clients:
            load_row("rendered", port, process, sources, count)
