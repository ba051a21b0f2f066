"""Hostile pages and fuzzing: every page gives a result or a named error, in time.

python benchmarks/robustness.py hostile | fuzz
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from urllib.parse import quote

import blocksight as bs
import click
import psutil
from blocksight.processes.contention import MOST_STRETCH
from blocksight.render.network.local_server import serve
from common import PeakMemory, private_megabytes, run
from generators import hostile_pages

#: Seconds after its timeout within which a page must end.
GRACE = 1.0
#: Seconds between two samples of memory.
INTERVAL = 0.1
#: Seconds in which the processes of a browser must end after it was closed.
END_SECONDS = 5.0


@click.group(help=__doc__)
def robustness() -> None:
    """Define the command line."""


# -- hostile pages ----------------------------------------------------------------------------------------------------


def serve_all(connection: Connection) -> None:
    """Serve the pages in a process of its own and send their address; ends with the connection."""
    hostile_pages.pack()
    with serve(hostile_pages.Site) as address:
        connection.send(address)
        with suppress(EOFError):
            connection.recv()


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """Yield the address of the pages, and the id of the process that serves them."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve_all, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours.recv(), process.pid or 0
    finally:
        process.kill()
        process.join()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one page."""

    name: str
    render_seconds: float
    extract_seconds: float
    memory: float
    result: str
    passed: bool
    #: The fault of the browser after this page; "" for none.
    after: str = ""

    def line(self) -> str:
        """Return it as one line."""
        seconds = f"{self.render_seconds:6.1f} + {self.extract_seconds:4.1f} s"
        bad = not self.passed or self.after
        return f"{'BAD ' if bad else '    '}{self.name:26} {seconds} {self.memory:6.0f} MB  {self.result} {self.after}"


def outcome(browser: bs.Browser, address: str, name: str, peak: PeakMemory, *, max_memory: float) -> Outcome:
    """Render a page, extract its content and check text, time and memory."""
    extract_seconds = 0.0
    browser.start()
    stretch = browser.stretch
    with peak:
        start = time.monotonic()
        try:
            page = browser.open(f"{address}/{quote(name)}")
            rendered = time.monotonic()
            bs.extract(page).written("markdown")
            extract_seconds = time.monotonic() - rendered
            has_text = any(hostile_pages.SENTENCE in text for text in page.leaf_texts)
            result = f"{'partial' if page.partial else 'whole'}, {len(page):,} nodes{'' if has_text else ', NO TEXT'}"
        except bs.Refused as error:
            result, has_text = f"Refused: {error.reason}", True
        except bs.BlocksightError as error:
            result = f"{type(error).__name__}: {getattr(error, 'reason', error)}"
            has_text = hostile_pages.KINDS[name].textless
        except Exception as error:  # the failure that is searched for
            result, has_text = f"NO NAMED ERROR: {error!r}", False
        seconds = time.monotonic() - start
    # On a busy machine the timeout is extended, to twice as many seconds at most.
    factor = MOST_STRETCH if max(stretch, browser.stretch) > 1.0 else 1.0
    limit = browser.options.timeout * factor + GRACE
    passed = has_text and seconds <= limit and peak.megabytes <= max_memory
    return Outcome(
        name=name, render_seconds=seconds - extract_seconds, extract_seconds=extract_seconds,
        memory=peak.megabytes, result=result, passed=passed,
    )  # fmt: skip


def after(browser: bs.Browser) -> str:
    """Return the fault of a usual page that the browser renders after a hostile one, "" for none."""
    try:
        page = browser.open(f"<!doctype html><p>{hostile_pages.SENTENCE}</p>".encode())
    except Exception as error:  # the failure that is searched for
        return f"NEXT PAGE: {error!r}"
    return "" if hostile_pages.SENTENCE in page.leaf_texts and not page.partial else "NEXT PAGE: not whole"


def remaining(known: set[int]) -> list[str]:
    """Return the names of the descendants that have not ended after a few seconds, without those that are known."""
    end = time.monotonic() + END_SECONDS
    while True:
        left = [process for process in psutil.Process().children(recursive=True) if process.pid not in known]
        if not left or time.monotonic() > end:
            return [process.name() for process in left]
        time.sleep(INTERVAL)


@robustness.command()
@click.argument("kinds", nargs=-1)
@click.option("--timeout", default=10.0, help="Seconds for a page.")
@click.option("--max-memory", default=1000.0, metavar="MB")
def hostile(kinds: tuple[str, ...], timeout: float, max_memory: float) -> None:
    """Render hostile pages, each in a browser of its own, and extract their content.

    Printed are the seconds of both, the peak memory of this process and its descendants, and the result: the page,
    whole or partial, or the name of the error. A kind fails without its first sentence (unless it is refused for its
    size), when it takes more than the timeout and a second (a busy machine extends the timeout), or more memory than
    allowed, when the next page of the same browser is not whole, or if a process is left. The exit code is then 1.
    """
    options = bs.RenderOptions(timeout=timeout, allow_private=True)
    bs.extract(bs.parse(f"<p>{hostile_pages.SENTENCE}"))  # loads the models
    passed = []
    with served() as (address, server):
        known = {process.pid for process in psutil.Process().children(recursive=True)}
        for name in kinds or tuple(hostile_pages.KINDS):
            with bs.Browser(pages=1, options=options) as browser:
                row = outcome(
                    browser,
                    address,
                    name,
                    PeakMemory(private_megabytes, seconds=INTERVAL, without=server),
                    max_memory=max_memory,
                )
                row = replace(row, after=after(browser))
            if left := remaining(known):
                row = replace(row, after=f"{row.after} LEFT: {', '.join(left)}")
            print(row.line(), flush=True)
            passed.append(row.passed and not row.after)
    print(f"{sum(passed)} of {len(passed)} kinds gave their text or were refused with a reason, in time")
    sys.exit(0 if all(passed) else 1)


# -- fuzzing ----------------------------------------------------------------------------------------------------------


@robustness.command()
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Kind of input; all by default.")
@click.option("--cases", default=2_000, help="Cases of each kind.")
@click.option("--first", default=0, metavar="SEED", help="Seed of the first case.")
@click.option("--seconds", default=30.0, help="CPU seconds that a case may take.")
def fuzz(kinds: tuple[str, ...], cases: int, first: int, seconds: float) -> None:
    """Read and use damaged and hostile input: pages, saved pages, models, archives, corpora, data sets.

    Printed are the counts of each kind, and every exception that is not blocksight's own, with its seed;
    ``--first SEED --cases 1`` repeats that case. The exit code is 1 if any case failed.
    """
    # Here, since their imports take 160 MB, which `hostile` would count as memory of pages.
    from generators import fuzz_cases

    if unknown := set(kinds) - set(fuzz_cases.KINDS):
        raise click.UsageError(f"there is no kind {', '.join(sorted(unknown))}: {', '.join(fuzz_cases.KINDS)}")
    failed = 0
    for kind in kinds or tuple(fuzz_cases.KINDS):
        outcomes: Counter[str] = Counter()
        start = time.monotonic()
        for seed in range(first, first + cases):
            result, trace = fuzz_cases.run_case(kind, seed, seconds)
            outcomes[result] += 1
            if trace:
                failed += 1
                print(f"-- {kind} {seed}: {result}\n{trace}".encode("ascii", "backslashreplace").decode(), flush=True)
        counts = ", ".join(f"{number} {name}" for name, number in outcomes.most_common())
        print(f"{kind}: {cases} cases in {time.monotonic() - start:.0f} s: {counts}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    run(robustness)
