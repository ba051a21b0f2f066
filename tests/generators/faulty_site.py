"""A site of good pages and pages with a fault, and a soak test that renders many of them.

Faults are crashes, endless scripts, dialogs, downloads, redirects, refreshes, growth, slow and broken responses.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import blocksight as bs
import psutil
from blocksight.render.network.local_server import QuietHandler, serve

TIMEOUT = 8.0
GRACE = 2.0
#: How often memory is measured, and seconds of rest before it.
SAMPLES, REST = 50, 0.3

#: A page of each fault; None where the response itself is the fault.
FAULTS = {
    "crash": "<p>text<script>location = 'chrome://crash'</script>",
    "killed": "<p>text<script>fetch('/kill')</script>",
    "spin": "<p>before<script>while (true);</script>",
    "dialog": "<p>text<script>alert(1); confirm(2); onbeforeunload = () => 'stay'; location = '/ok/1'</script>",
    "download": None,
    "redirects": None,
    "refreshes": "<meta http-equiv=refresh content=0><p>again and again",
    "grows": "<p>text<script>setInterval(() => { for (let i = 0; i < 500; i++) document.body.append(i) }, 1)</script>",
    "huge": None,
    "slow": None,
    "reset": None,
    "memory": "<p>text<script>const held = []; for (;;) held.push(new Uint8Array(5e7).fill(1))</script>",
    "popups": "<p>text<script>for (let i = 0; i < 50; i++) open('/ok/1')</script>",
    "frames": "<p>text" + "<iframe srcdoc='<p>frame'></iframe>" * 300,
    "workers": "<p>text<script>const spin = URL.createObjectURL(new Blob(['for (;;);']));"
    "for (let i = 0; i < 20; i++) new Worker(spin)</script>",
}


class Site(QuietHandler):
    """Serves good pages, and each fault by its name."""

    def do_GET(self) -> None:
        """Respond by the first part of the path."""
        kind, _, number = self.path[1:].partition("/")
        match kind:
            case "ok":
                self.page(f"<h1>Document {number}</h1>" + "<p>Some words of a paragraph, and some more.</p>" * 40)
            case "download":
                self.answer(b"PK\x03\x04" * 99, "application/zip", "Content-Disposition: attachment; filename=a.zip")
            case "redirects":
                self.answer(b"", "text/html", f"Location: {self.path}", status=302)
            case "huge":
                self.stream(b"<p>more and more text " * 5000, 1000, 0.0)
            case "slow":
                self.stream(b"<p>drop ", 1000, 0.5)
            case "reset":
                self.connection.close()
            case "kill":
                kill_a_renderer()
            case _:
                self.page(FAULTS.get(kind) or "<p>nothing")

    def page(self, body: str) -> None:
        self.answer(f"<!doctype html><title>t</title><body>{body}".encode(), "text/html")

    def answer(self, body: bytes, kind: str, *headers: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for header in headers:
            self.send_header(*header.split(": ", 1))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, part: bytes, times: int, pause: float) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        for _ in range(times):
            self.wfile.write(part)
            time.sleep(pause)


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def kill_a_renderer() -> None:
    """Kill a page process of the browser, as the operating system does when memory is short."""
    for process in children():
        with suppress(psutil.Error):
            if "--type=renderer" in " ".join(process.cmdline()):
                process.kill()
                return


def memory() -> float:
    """Return the unshared memory of this process and its descendants, in MB (resident memory if that is unknown)."""
    total = 0
    for process in (psutil.Process(), *children()):
        with suppress(psutil.Error):
            try:
                total += process.memory_full_info().uss
            except AttributeError:
                total += process.memory_info().rss
    return total / 1e6


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of one document."""

    kind: str
    seconds: float
    why: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """The results of all documents."""

    outcomes: list[Outcome]
    memory: list[float]
    left: list[str]
    seconds: float
    limit: float

    @property
    def late(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.seconds > self.limit]

    @property
    def good_that_failed(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.kind == "ok" and outcome.why not in {"page", "partial"}]


def document_kinds(documents: int, faults: float, seed: int) -> list[str]:
    """Return the kind of each document: the faults in turn, at random positions."""
    names = list(FAULTS)
    count = int(documents * faults)
    kinds = ["ok"] * (documents - count) + [names[number % len(names)] for number in range(count)]
    random.Random(seed).shuffle(kinds)
    return kinds


def render(browser: bs.Browser, url: str) -> Outcome:
    start = time.monotonic()
    try:
        why = "partial" if browser.open(url).partial else "page"
    except bs.BlocksightError as error:
        why = type(error).__name__
    return Outcome(kind=url.split("/")[3], seconds=time.monotonic() - start, why=why)


def soak(
    documents: int,
    *,
    pages: int = 2,
    faults: float = 0.1,
    timeout: float = TIMEOUT,
    grace: float = GRACE,
    seed: int = 0,
    samples: int = SAMPLES,
) -> Report:
    """Render documents, ``pages`` at once; ``faults`` is the share of them with a fault.

    Later than ``timeout`` by more than ``grace`` is late.
    """
    before = {process.pid for process in children()}
    outcomes: list[Outcome] = []
    megabytes: list[float] = []
    start = time.monotonic()
    options = bs.RenderOptions(timeout=timeout, allow_private=True)
    kinds = document_kinds(documents, faults, seed)
    size = max(documents // samples, pages)
    with (
        serve(Site) as address,
        bs.Browser(pages=pages, options=options) as browser,
        ThreadPoolExecutor(pages) as threads,
    ):
        for first in range(0, documents, size):
            part = [f"{address}/{kind}/{first + number}" for number, kind in enumerate(kinds[first : first + size])]
            outcomes.extend(threads.map(partial(render, browser), part))
            # Memory while idle, so that what two open pages need does not count.
            time.sleep(REST)
            megabytes.append(memory())
    _, left = psutil.wait_procs([child for child in children() if child.pid not in before], timeout=60)
    names = []
    for process in left:
        with suppress(psutil.Error):
            names.append(" ".join(process.cmdline())[:200])
    seconds = time.monotonic() - start
    return Report(outcomes=outcomes, memory=megabytes, left=names, seconds=seconds, limit=timeout + grace)
