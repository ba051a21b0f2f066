"""Render many documents, one in ten with a fault, and show that nothing hangs, leaks or dies.

    python benchmarks/soak.py [--documents 1000] [--pages 2]

Pages are made here and served on 127.0.0.1. Every document must come back as a page or with a named reason, none later
than its time and two seconds; memory of the browser, the driver and this process at the end is compared with that after
a tenth of the documents; no process may be left. Exit code 1 when any of this does not hold.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import blocksight as bs
import numpy as np
import psutil
from blocksight.render.network.local_server import QuietHandler, serve

TIMEOUT = 8.0
GRACE = 2.0
#: How often memory is measured, and seconds of rest before it.
SAMPLES, REST = 50, 0.3

#: What a page can do wrong; each is one document.
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
    """Good pages, and each fault by its name."""

    def do_GET(self) -> None:
        """Answer by the first part of the path."""
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
        """Send a whole page."""
        self.answer(f"<!doctype html><title>t</title><body>{body}".encode(), "text/html")

    def answer(self, body: bytes, kind: str, *headers: str, status: int = 200) -> None:
        """Send an answer with its length."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for header in headers:
            self.send_header(*header.split(": ", 1))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, part: bytes, times: int, pause: float) -> None:
        """Send an answer that does not say how long it is."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        for _ in range(times):
            self.wfile.write(part)
            time.sleep(pause)


def children() -> list[psutil.Process]:
    """Processes below this one."""
    return psutil.Process().children(recursive=True)


def kill_a_renderer() -> None:
    """End one of the browser's page processes, as the system does when memory is short."""
    for process in children():
        with suppress(psutil.Error):
            if "--type=renderer" in " ".join(process.cmdline()):
                process.kill()
                return


def memory() -> float:
    """Megabytes of this process and all below it that nobody else shares (resident where that is not known)."""
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
    """What became of one document."""

    kind: str
    seconds: float
    why: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """What became of all."""

    outcomes: list[Outcome]
    memory: list[float]
    left: list[str]
    seconds: float
    timeout: float

    @property
    def late(self) -> list[Outcome]:
        """Documents that took longer than they may."""
        return [outcome for outcome in self.outcomes if outcome.seconds > self.timeout + GRACE]

    @property
    def good_that_failed(self) -> list[Outcome]:
        """Faultless documents that did not come out, except where a neighbour's fault took the browser along."""
        return [outcome for outcome in self.outcomes if outcome.kind == "ok" and outcome.why not in {"page", "partial"}]


def kinds(documents: int, faults: float, seed: int) -> list[str]:
    """Return the documents' kinds: so many faults, all of them in turn, at random places."""
    names = list(FAULTS)
    count = int(documents * faults)
    found = ["ok"] * (documents - count) + [names[number % len(names)] for number in range(count)]
    random.Random(seed).shuffle(found)
    return found


def rendered(browser: bs.Browser, url: str) -> Outcome:
    """Render one document and note what became of it."""
    began = time.monotonic()
    try:
        why = "partial" if browser.open(url).partial else "page"
    except bs.BlocksightError as error:
        why = type(error).__name__
    return Outcome(kind=url.split("/")[3], seconds=time.monotonic() - began, why=why)


def soak(
    documents: int,
    *,
    pages: int = 2,
    faults: float = 0.1,
    timeout: float = TIMEOUT,
    seed: int = 0,
    samples: int = SAMPLES,
) -> Report:
    """Render the documents, ``pages`` at once, and note everything."""
    before = {process.pid for process in children()}
    outcomes: list[Outcome] = []
    weights: list[float] = []
    began = time.monotonic()
    options = bs.RenderOptions(timeout=timeout, allow_private=True)
    wanted = kinds(documents, faults, seed)
    size = max(documents // samples, pages)
    with (
        serve(Site) as address,
        bs.Browser(pages=pages, options=options) as browser,
        ThreadPoolExecutor(pages) as threads,
    ):
        for first in range(0, documents, size):
            part = [f"{address}/{kind}/{first + number}" for number, kind in enumerate(wanted[first : first + size])]
            outcomes.extend(threads.map(partial(rendered, browser), part))
            # What is left when nothing is under way, not what two pages happen to hold at the moment.
            time.sleep(REST)
            weights.append(memory())
    _, left = psutil.wait_procs([one for one in children() if one.pid not in before], timeout=5)
    names = []
    for process in left:
        with suppress(psutil.Error):
            names.append(" ".join(process.cmdline())[:200])
    return Report(outcomes=outcomes, memory=weights, left=names, seconds=time.monotonic() - began, timeout=timeout)


def main() -> int:
    """Run, and say what holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=2)
    wanted = parser.parse_args()
    report = soak(wanted.documents, pages=wanted.pages)
    for kind in ("ok", *FAULTS):
        mine = [outcome for outcome in report.outcomes if outcome.kind == kind]
        if mine:
            longest = max(outcome.seconds for outcome in mine)
            print(f"{kind:10} {len(mine):5}  longest {longest:5.1f} s  {dict(Counter(one.why for one in mine))}")
    tenth = len(report.memory) // 10
    early, late = np.median(report.memory[tenth : 2 * tenth + 1]), np.median(report.memory[-tenth - 1 :])
    print(
        f"{len(report.outcomes)} of {wanted.documents} documents in {report.seconds:.0f} s; "
        f"later than {TIMEOUT + GRACE:g} s: {len(report.late)}; faultless that failed: {len(report.good_that_failed)}"
    )
    print(
        f"memory after a tenth {early:.0f} MB, at the end {late:.0f} MB ({late / early - 1:+.0%}); left: {report.left}"
    )
    good = len(report.outcomes) == wanted.documents and not report.late and not report.left and late <= 1.1 * early
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
