"""What differs between a window on a screen and the headless browser: facts, and the texts and boxes of pages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from urllib.parse import quote

import blocksight as bs
import click
import numpy as np
from blocksight.render.chromium.process.launch import is_root
from blocksight.render.network.local_server import QuietHandler, serve, serve_folder
from common import respond, skip, table_head, table_row
from numpy.typing import NDArray
from playwright.sync_api import Error, sync_playwright

FIXTURES = Path(__file__).parents[2] / "fixtures"
#: Programs of browsers with windows.
PROGRAMS = ("/usr/lib/chromium/chromium", "chromium", "chromium-browser", "google-chrome")
#: Size of the viewport, seconds for one page, seconds that a page in a window is given after it was loaded.
VIEWPORT, SECONDS, REST = (1280, 800), 60.0, 3.0
#: Pauses of .4 seconds after which a fact that has not arrived is missing.
LATE = 25
#: Boxes that are this close, in CSS pixels, are equal.
CLOSE = 1.0

_TOOLS = (
    (FIXTURES / "robots" / "tools.js").read_text(encoding="utf-8")
    + """
const pause = async times => { for (let time = 0; time < times; time++) {
  await new Promise(resolve => setTimeout(resolve, 200));
  await fetch("/late");
} };
const digest = text => { let sum = 0; for (const one of text) sum = (sum * 31 + one.charCodeAt()) >>> 0; return sum; };
"""
)
#: Timers run ahead in a browser with a virtual clock, and workers wait while it is paused by a request: both in turns.
_COLLECT = """
addEventListener("load", async () => {
  const late = pause(TIMES).then(() => "late"), all = {};
  await Promise.all(Object.entries(facts).map(async ([name, fact]) => {
    try { all[name] = await Promise.race([fact(), late]); } catch (error) { all[name] = `${error}`; }
    all[name] ??= `${all[name]}`;
  }));
  await fetch("/facts/" + location.hash.slice(1), {method: "POST", body: JSON.stringify(all)});
});
"""


def facts_page(facts: dict[str, str]) -> str:
    """Return a page that sends the values of facts to ``/facts/NAME``, where the address ends with ``#NAME``."""
    functions = ",\n".join(f"{json.dumps(name)}: () => {code}" for name, code in facts.items())
    collect = _COLLECT.replace("TIMES", str(LATE))
    body = '<p>Facts.</p><div style="height: 3000px"></div>'
    return f"<!doctype html><title>Facts</title>{body}<script>{_TOOLS}const facts = {{{functions}}};{collect}</script>"


class FactsSite:
    """A site with the page of facts; the requests for it are facts as well."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, Any]] = {}
        self.arrived = threading.Condition()
        facts = tomllib.loads((FIXTURES / "robots" / "facts.toml").read_text(encoding="utf-8"))["facts"]
        page, site = facts_page(facts).encode(), self
        heads: list[dict[str, str]] = []

        class Handler(QuietHandler):
            def do_GET(self) -> None:
                if self.path == "/late":
                    time.sleep(0.2)
                if self.path == "/":
                    heads.append({name.lower(): value for name, value in self.headers.items() if name != "Host"})
                respond(self, "text/html; charset=utf-8", page if self.path == "/" else b".")

            def do_POST(self) -> None:
                facts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                # A proxy may have sent it.
                head = {
                    name: value for name, value in heads[-1].items() if "proxy" not in name and name != "connection"
                }
                requests = {f"header {name}": value for name, value in head.items()}
                with site.arrived:
                    site.values[self.path.rpartition("/")[2]] = facts | requests | {"order of headers": list(head)}
                    site.arrived.notify_all()
                respond(self, "text/plain", b".")

        self.handler = Handler

    def wait(self, name: str) -> dict[str, Any]:
        """Return the facts that a page with a name has sent."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: name in self.values, SECONDS):
                skip(f"the {name} browser has sent no facts within {SECONDS:g} s")
        return self.values[name]


# -- a window ---------------------------------------------------------------------------------------------------------


@contextmanager
def screen() -> Iterator[str]:
    """Start a screen in memory; yield the value of DISPLAY."""
    program = shutil.which("Xvfb")
    if program is None:
        skip("there is no Xvfb (on Debian: apt-get install xvfb)")
    reading, writing = os.pipe()
    size = "{}x{}x24".format(*(1920, 1080))
    command = [str(program), "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as ready:
            number = ready.readline().strip()
        if not number:
            skip("Xvfb does not start")
        yield f":{number}"
    finally:
        process.terminate()
        process.wait(10)


def browser_program(named: str | None) -> str:
    """Return a browser that has windows."""
    for name in (named,) if named else PROGRAMS:
        if found := shutil.which(str(name)):
            return found
    skip("there is no Chromium with windows (on Debian: apt-get install chromium; --headed names one)")
    raise AssertionError


def _environment(display: str) -> dict[str, str | float | bool]:
    return {**os.environ, "DISPLAY": display, "TZ": "UTC", "LANGUAGE": "en_US", "LANG": "en_US.UTF-8"}


def _arguments(size: tuple[int, int]) -> list[str]:
    sandbox = ["--no-sandbox", "--test-type"] if is_root() else []
    return [
        *sandbox,
        "--no-first-run",
        "--no-default-browser-check",
        "--lang=en-US",
        "--enable-unsafe-swiftshader",
        "--window-size={},{}".format(*size),
    ]


def facts_in_a_window(program: str, display: str, site: FactsSite, address: str) -> dict[str, Any]:
    """Return the facts of a browser that nothing controls, in a window with the viewport of VIEWPORT."""
    size = VIEWPORT
    for name in ("sized", "headed"):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            where = [f"--user-data-dir={profile}", f"{address}/#{name}"]
            command, environment = [program, *_arguments(size), *where], _environment(display)
            process = subprocess.Popen(
                command, env={key: str(value) for key, value in environment.items()}, stderr=subprocess.DEVNULL
            )
            try:
                facts = site.wait(name)
            finally:
                process.terminate()
                process.wait(20)
        inner = facts["window-inner"]
        size = size[0] + VIEWPORT[0] - inner[0], size[1] + VIEWPORT[1] - inner[1]
    return facts


def facts_without_a_window(site: FactsSite, address: str) -> dict[str, Any]:
    """Return the facts that blocksight's pages get."""
    with bs.Browser(
        options=bs.RenderOptions(allow_private=True, timeout=SECONDS, settle=20.0, settle_cap=45.0)
    ) as browser:
        browser.open(f"{address}/#headless")
    return site.wait("headless")


def difference(one: object, other: object) -> tuple[str, str]:
    """Return what is in one value only; both values, if that is all of them or only their order."""
    if isinstance(one, list) and isinstance(other, list):
        left, right = ([part for part in a if part not in b] for a, b in ((one, other), (other, one)))
        if (left or right) and len(left) < len(one):
            one, other = left, right
    first, second = (json.dumps(value, ensure_ascii=False)[:300] for value in (one, other))
    return first, second


# -- pages ------------------------------------------------------------------------------------------------------------


def pages_in_a_window(program: str, display: str, addresses: list[str]) -> Iterator[bs.Page | None]:
    """Yield pages as a browser with a window shows them; None for one that fails."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program,
            headless=False,
            env=_environment(display),
            args=_arguments((VIEWPORT[0], 1000)),
            ignore_default_args=["--enable-automation", "--hide-scrollbars"],
        )
        context = browser.new_context(
            viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]}, locale="en-US", timezone_id="UTC"
        )
        for address in addresses:
            page = context.new_page()
            try:
                page.goto(address, timeout=SECONDS * 1000)
                page.wait_for_timeout(REST * 1000)
                yield bs.capture(page, timeout=SECONDS)
            except (Error, bs.BlocksightError) as failed:
                print(f"{address}: {failed}", file=sys.stderr)
                yield None
            page.close()
        browser.close()


def words(page: bs.Page) -> list[str]:
    """Return the words that are laid out, in document order.

    Visible or not: only one of the two browsers checks texts by screenshots.
    """
    assert page.geometry is not None
    rows = np.flatnonzero(~np.isnan(page.geometry.box[:, 0]) & page.has_tag("#text")).tolist()
    # A text may be split where its visible part ends.
    return "".join(page.text_of(row) + " " * (row + 1 not in rows) for row in rows).split()


def elements(page: bs.Page) -> tuple[list[str], NDArray[np.float32]]:
    """Return the tags of the elements that are laid out, and their boxes."""
    assert page.geometry is not None
    rows = np.flatnonzero(~np.isnan(page.geometry.box[:, 0]) & ~page.has_tag("#text"))
    return [page.tag_of(row) for row in rows.tolist()], page.geometry.box[rows]


def compare(one: bs.Page, other: bs.Page) -> tuple[int, int, int, int, float]:
    """Return counts: words, those that differ, elements, boxes that differ; and the greatest distance of boxes."""
    texts, others = words(one), words(other)
    shared = SequenceMatcher(None, texts, others, autojunk=False).get_matching_blocks()
    different = max(len(texts), len(others)) - sum(match.size for match in shared)
    (tags, boxes), (other_tags, other_boxes) = elements(one), elements(other)
    matches = SequenceMatcher(None, tags, other_tags, autojunk=False).get_matching_blocks()
    left, right = (np.concatenate([np.arange(m[side], m[side] + m.size) for m in matches]) for side in (0, 1))
    distance = np.abs(boxes[left] - other_boxes[right]).max(axis=1, initial=0.0)
    unequal = int((distance >= CLOSE).sum()) + max(len(tags), len(other_tags)) - len(left)
    return len(texts), different, len(tags), unequal, float(distance.max(initial=0.0))


def compare_pages(program: str, display: str, folder: Path, files: list[Path]) -> None:
    """Print the table of the pages of a folder."""
    with serve_folder(folder) as address:
        addresses = [f"{address}/{quote(str(file.relative_to(folder)))}" for file in files]
        options = bs.RenderOptions(allow_private=True, timeout=SECONDS, settle=REST, scroll=0)
        with bs.Browser(options=options) as browser:
            found = {one.source: one.page for one in browser.open_many(addresses)}
        rows = []
        for file, name, page in zip(files, addresses, pages_in_a_window(program, display, addresses), strict=True):
            own = found.get(name)
            if page is not None and own is not None:
                rows.append((str(file.relative_to(folder)), *compare(own, page)))
    table_head("page", "words", "that differ", "elements", "boxes that differ", "greatest distance")
    for row in rows:
        if row[2] or row[4]:
            table_row(*row[:5], f"{row[5]:.1f} px")
    equal = sum(not row[2] and not row[4] for row in rows)
    table_row(
        f"{len(rows)} pages, {equal} equal", *(sum(int(row[column]) for row in rows) for column in (1, 2, 3, 4)), ""
    )


@click.command()
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--limit", default=40, show_default=True, help="Most pages of FOLDER.")
@click.option("--headed", help="A Chromium with windows; otherwise the system's.")
def headed(folder: Path | None, limit: int, headed: str | None) -> None:
    """Compare a window on a screen in memory (Xvfb) with the headless browser.

    The facts of fixtures/robots/facts.toml are those of a browser that nothing controls. The pages, fixtures
    and those of FOLDER, are loaded in a window by Playwright; their words and boxes are compared.
    """
    program = browser_program(headed)
    with screen() as display:
        site = FactsSite()
        with serve(site.handler) as address:
            window = facts_in_a_window(program, display, site, address)
            own = facts_without_a_window(site, address)
        different = [name for name in {**window, **own} if window.get(name) != own.get(name)]
        table_head("fact", "in a window", "headless")
        for name in different:
            table_row(name, *difference(window.get(name), own.get(name)))
        table_row(f"{len({**window, **own})} facts, {len(different)} differ", "", "")
        files = sorted(FIXTURES.glob("*/page.html")) + sorted((FIXTURES / "boxes").glob("*.html"))
        print()
        compare_pages(program, display, FIXTURES, files)
        if folder is not None:
            print()
            found = sorted(folder.rglob("*.htm*"), key=lambda file: zlib.crc32(str(file.relative_to(folder)).encode()))
            compare_pages(program, display, folder, found[:limit])
