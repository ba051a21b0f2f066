"""Pages that want to keep a browser busy, large or confused: each gives its text, or is refused by name, in time.

    python benchmarks/hostile.py [KIND ...] [--timeout SECONDS] [--most-memory MB] [--list]

Each kind (hostile_pages.py) is served from 127.0.0.1, rendered in a browser of its own, and its content extracted.
Printed are the seconds of both, the most memory that this process and all below it held meanwhile (what is shared
counts once), and what came: the text of the page, whole or partial, or the name of the error. A kind fails when neither
its first sentence came nor a refusal for its size, when it took more than the timeout and a second, or more memory than
allowed. The exit code is 1 where one failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import blocksight as bs
import psutil
from blocksight.render.network.local_server import QuietHandler, serve
from hostile_pages import KINDS, SENTENCE, pack

#: Seconds beyond its time in which a page must be over.
GRACE = 1.0
_LOOK = 0.1


class Site(QuietHandler):
    """Serves each kind under its name, and what they ask for."""

    def do_GET(self) -> None:
        """Answer by the path."""
        path = unquote(urlsplit(self.path).path)[1:]
        if path == "never":
            time.sleep(60)
        elif path.endswith(".css"):
            self._answer("text/css", f"@import '/{path}?{time.monotonic()}';".encode())
        elif path == "file":
            self._answer("application/octet-stream", b"a file")
        elif path in KINDS:
            self._page(path)
        else:
            self._answer("text/plain", b"ok")

    do_POST = do_GET

    def _answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _page(self, name: str) -> None:
        page = KINDS[name]
        self.send_response(page.status)
        self.send_header("Content-Type", page.kind)
        for header in page.headers:
            self.send_header(*header)
        self.end_headers()
        with suppress(OSError):
            for part in page.parts():
                self.wfile.write(part.replace(b":PORT", f":{self.connection.getsockname()[1]}".encode()))


def serve_all(told: Connection) -> None:
    """Serve until the program ends, and tell where; in a process of its own, whose work is not the renderer's."""
    pack()
    with serve(Site) as address:
        told.send(address)
        with suppress(EOFError):
            told.recv()


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """Yield the address of the pages, and the number of the process that serves them."""
    context = multiprocessing.get_context("spawn")
    ours, its = context.Pipe()
    process = context.Process(target=serve_all, args=(its,), daemon=True)
    process.start()
    try:
        yield ours.recv(), process.pid or 0
    finally:
        process.kill()
        process.join()


def held(but: int) -> float:
    """Return the megabytes that this process and all below it hold but one; shared ones are counted once."""
    me = psutil.Process()
    total = 0.0
    for process in (me, *(one for one in me.children(recursive=True) if one.pid != but)):
        with suppress(psutil.Error, OSError):
            total += _proportional(process.pid) or process.memory_info().rss / 1e6
    return total


def _proportional(pid: int) -> float:
    """Return the megabytes of a process as Linux counts them (PSS); 0 where it does not."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1e3
    return 0.0


class Scales:
    """Notes the most memory held while the context lasts."""

    def __init__(self, but: int) -> None:
        self._but = but

    def __enter__(self) -> Scales:
        self.most = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._weigh, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _weigh(self) -> None:
        while not self._over.wait(_LOOK):
            self.most = max(self.most, held(self._but))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one page."""

    name: str
    rendering: float
    extracting: float
    memory: float
    said: str
    good: bool

    def line(self) -> str:
        """Return it as one line."""
        good = "    " if self.good else "BAD "
        return (
            f"{good}{self.name:26} {self.rendering:6.1f} + {self.extracting:4.1f} s {self.memory:6.0f} MB  {self.said}"
        )


def outcome(browser: bs.Browser, address: str, name: str, scales: Scales, *, most_memory: float) -> Outcome:
    """Render one page, extract its content and see whether that is as it should be."""
    extracting = 0.0
    with scales:
        began = time.monotonic()
        try:
            page = browser.open(f"{address}/{quote(name)}")
            rendered = time.monotonic()
            bs.extract(page).written("markdown")
            extracting = time.monotonic() - rendered
            has_text = any(SENTENCE in text for text in page.leaf_texts)
            said = f"{'partial' if page.partial else 'whole'}, {len(page):,} nodes" + ("" if has_text else ", NO TEXT")
        except bs.Refused as error:
            said, has_text = f"Refused: {error.reason}", True
        except bs.BlocksightError as error:
            said, has_text = f"{type(error).__name__}: {getattr(error, 'why', error)}", KINDS[name].textless
        except Exception as error:  # what is looked for
            said, has_text = f"NO NAMED ERROR: {error!r}", False
        seconds = time.monotonic() - began
    good = has_text and seconds <= browser.options.timeout + GRACE and scales.most <= most_memory
    rendering = seconds - extracting
    return Outcome(
        name=name, rendering=rendering, extracting=extracting, memory=scales.most, said=said, good=good
    )  # fmt: skip


def main() -> None:
    """Print one line a kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--most-memory", type=float, default=1000.0, metavar="MB")
    parser.add_argument("--list", action="store_true", help="Print the names of the kinds.")
    wanted = parser.parse_args()
    if wanted.list:
        print("\n".join(KINDS))
        return
    options = bs.RenderOptions(timeout=wanted.timeout, allow_private=True)
    bs.extract(bs.parse(f"<p>{SENTENCE}"))  # loads what is loaded once
    counts: Counter[bool] = Counter()
    with served() as (address, server):
        for name in wanted.kinds or KINDS:
            with bs.Browser(pages=1, options=options) as browser:
                found = outcome(browser, address, name, Scales(server), most_memory=wanted.most_memory)
            print(found.line(), flush=True)
            counts[found.good] += 1
    print(f"{counts[True]} of {counts.total()} kinds gave their text or were refused by name, in time")
    sys.exit(1 if counts[False] else 0)


if __name__ == "__main__":
    main()
