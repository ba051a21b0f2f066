"""Leaks of hidden text and drops of visible text, next to other programs."""

from __future__ import annotations

import base64
import io
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import blocksight as bs
import click
import numpy as np
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.network.local_server import QuietHandler, serve
from blocksight.render.visibility.css_values import LEGIBLE_DIFFERENCE, visible_difference
from common import List, respond, table_head, table_row
from generators.visibility_suite import Case, cases, errors
from numpy.typing import NDArray
from peer_programs import Extractor, extractors, peer_options
from PIL import Image
from playwright.sync_api import CDPSession, Error, Frame, Page, sync_playwright

#: Smaller differences to the eye do not count; legible text changes this many pixels over this size.
DIFFERENCE, PIXELS, HEIGHT, WIDTH = LEGIBLE_DIFFERENCE, 16, 4, 8
#: Seconds of the page's clock before a screenshot, and the number of screenshots of endless animations.
REST, MOMENTS = 10.0, 10
#: Families whose pages are opened in real time, since frames, workers and scrolling are not driven by virtual time, and
#: the seconds that a reader stays at a scroll position.
LIVE, STAY = ("time", "scrolling"), 2.0

# -- the truth, by pixels ---------------------------------------------------------------------------------------------

_OPEN = """(() => { const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (how) { return attach.call(this, {...how, mode: "open"}); } })()"""
_FIND = """sentence => {
  const found = [];
  const walk = root => { for (const node of root.childNodes) {
    if (node.nodeName === "SCRIPT") continue;
    if (node.nodeType === 3 && node.data.includes(sentence)) found.push(node);
    if (node.shadowRoot) walk(node.shadowRoot);
    walk(node);
  } };
  walk(document);
  globalThis.__found = found[0];
  return !!found[0];
}"""
_TURN = """sentence => { const turned = sentence.split(" ").map(word => [...word].reverse().join("")).join(" ");
  __found.data = __found.data.replace(sentence, turned); }"""
_TURN_BACK = """sentence => { const turned = sentence.split(" ").map(word => [...word].reverse().join("")).join(" ");
  __found.data = __found.data.replace(turned, sentence); }"""
#: Scrolls, as a person could, until the text (or a given element) is in view: 0 its start, 1 its end.
_SCROLL = """([where, sentence, given]) => {
  const range = document.createRange();
  if (given) range.selectNode(given);
  else { const at = __found.data.indexOf(sentence); range.setStart(__found, at);
    range.setEnd(__found, at + sentence.length); }
  const scrolls = value => value === "auto" || value === "scroll";
  const fit = (scroller, low, high, axis) => {
    const box = range.getBoundingClientRect();
    const [first, last] = axis === "y" ? [box.top, box.bottom] : [box.left, box.right];
    const by = first + (last - first) * where - (low + (high - low) * where);
    scroller.scrollBy({[axis === "y" ? "top" : "left"]: by, behavior: "instant"});
  };
  const above = node => node.assignedSlot || node.parentElement || node.getRootNode().host;
  const root = document.documentElement, body = document.body;
  for (let one = above(given || __found); one; one = above(one)) {
    const style = getComputedStyle(one), plain = one !== root
      && !(one === body && getComputedStyle(root).overflow === "visible");
    if (!plain) continue;
    const box = one.getBoundingClientRect();
    if (scrolls(style.overflowY)) fit(one, box.top, box.bottom, "y");
    if (scrolls(style.overflowX)) fit(one, box.left, box.right, "x");
  }
  const handed = getComputedStyle(root).overflow === "visible" && body;
  const ruling = getComputedStyle(handed ? body : root);
  const free = value => value !== "hidden" && value !== "clip";
  const window_ = document.scrollingElement || root;
  if (free(ruling.overflowY)) fit(window_, 0, innerHeight, "y");
  if (free(ruling.overflowX)) fit(window_, 0, innerWidth, "x");
}"""
_WINDOWS = "Math.min(Math.ceil(2 * document.documentElement.scrollHeight / innerHeight), 20)"
_MOVES = """() => document.getAnimations().some(one => one.effect.getComputedTiming().endTime === Infinity)
  || !!document.querySelector("marquee")"""


class PixelTruth:
    """A window of an unmodified browser, and whether a sentence is visible in it."""

    def __init__(self, page: Page, session: CDPSession, *, live: bool) -> None:
        self._page = page
        self._session = session
        self._live = live

    def open(self, address: str) -> None:
        """Load a page and let its clock run."""
        self._page.goto(address)
        self.run(REST)

    def run(self, seconds: float) -> None:
        """Let the clock of the page run, and stop it; a live page runs in real time."""
        if self._live:
            self._page.wait_for_timeout(1000 * seconds)
            return
        expired: list[Any] = []

        def note(event: Any) -> None:
            expired.append(event)

        self._session.once("Emulation.virtualTimeBudgetExpired", note)
        budget = {"policy": "pauseIfNetworkFetchesPending", "budget": 1000 * seconds}
        self._session.send("Emulation.setVirtualTimePolicy", budget)
        for _ in range(200):
            if expired:
                break
            self._page.wait_for_timeout(25)
        self._session.send("Emulation.setVirtualTimePolicy", {"policy": "pause"})

    def is_visible(self, sentence: str) -> bool:
        """Return whether a sentence is visible at any scroll position."""
        frames = [frame for frame in self._page.frames if frame.evaluate(_FIND, sentence)]
        windows = self._page.evaluate(_WINDOWS) if self._live and not frames else 0
        for number in range(windows):  # the text may be loaded where it is scrolled to
            self._page.evaluate("number => scrollTo(0, number * innerHeight / 2)", number)
            self.run(STAY)
            frames = [frame for frame in self._page.frames if frame.evaluate(_FIND, sentence)]
        return any(self._visible_in(frame, sentence) for frame in frames)

    def _visible_in(self, frame: Frame, sentence: str) -> bool:
        if any(self._changes(frame, sentence, where) for where in (0.5, 0.0, 1.0)):
            return True
        for _ in range(MOMENTS if frame.evaluate(_MOVES) else 0):
            self.run(0.73)
            if self._changes(frame, sentence, 0.5):
                return True
        return False

    def _changes(self, frame: Frame, sentence: str, where: float) -> bool:
        frame.evaluate(_SCROLL, [where, sentence, None])
        inner = frame
        while inner.parent_frame is not None:
            owner = inner.frame_element()
            if owner.get_attribute("scrolling") == "no":
                frame.evaluate("scrollTo(0, 0)")
            inner.parent_frame.evaluate(_SCROLL, [where, sentence, owner])
            inner = inner.parent_frame
        if self._live:
            self.run(STAY)
        # The first screenshot after scrolling may show the old position.
        self._screenshot()
        before = self._screenshot()
        frame.evaluate(_TURN, sentence)
        after = self._screenshot()
        frame.evaluate(_TURN_BACK, sentence)
        return legibly_different(before, after)

    def _screenshot(self) -> NDArray[np.int16]:
        shot = self._session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        with Image.open(io.BytesIO(base64.b64decode(shot["data"]))) as image:
            return np.asarray(image.convert("RGB"), dtype=np.int16)


def legibly_different(before: NDArray[np.int16], after: NDArray[np.int16]) -> bool:
    """Return whether two screenshots differ by more than specks."""
    changed = (before != after).any(axis=2)
    changed[changed] = visible_difference(before[changed], after[changed]) >= DIFFERENCE
    if changed.sum() < PIXELS:
        return False
    height, width = (np.ptp(np.flatnonzero(changed.any(axis=axis))) + 1 for axis in (1, 0))
    return bool(height >= HEIGHT and width >= WIDTH)


def wrong_marks(suite: list[Case]) -> Iterator[str]:
    """Yield the sentences of the suite whose mark differs from what pixels show."""
    pages = {f"/{case.family}/{case.name}": case.html for case in suite}

    class Site(QuietHandler):
        def do_GET(self) -> None:
            respond(self, "text/html; charset=utf-8", pages.get(self.path, "").encode())

    with serve(Site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser().path, chromium_sandbox=False, args=["--force-color-profile=srgb"]
        )
        for case in suite:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.add_init_script(_OPEN)
            truth = PixelTruth(page, page.context.new_cdp_session(page), live=case.family in LIVE)
            truth.open(f"{address}/{case.family}/{case.name}")
            for sentences, seen in ((case.seen, True), (case.unseen, False)):
                for sentence in sentences:
                    if truth.is_visible(sentence) != seen:
                        yield f"{case.family}/{case.name}: {'not ' * seen}visible by pixels: {sentence}"
            page.close()


# -- outputs of the programs ------------------------------------------------------------------------------------------

Suite = list[Case]


def by_blocksight(suite: Suite) -> Iterator[str]:
    """Yield the visible text of each page by blocksight, which renders it."""
    with bs.Browser(pages=1, options=bs.RenderOptions(offline=True)) as browser:
        for case in suite:
            yield bs.extract(browser.open(case.html.encode()), system="everything").text


def in_browser(suite: Suite) -> list[tuple[str, str]]:
    """Return the HTML of each page half a second after loading, and Playwright's ``inner_text``."""
    results = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser().path, chromium_sandbox=False)
        for case in suite:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            try:
                page.set_content(case.html, timeout=10_000)
                page.wait_for_timeout(500)
                results.append((page.content(), page.inner_text("body")))
            except Error:
                results.append((case.html, ""))
            page.close()
    return results


def by_extractor(extractor: Extractor, pages: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the text of each page by another program, from the HTML after its scripts; "" if it fails."""
    for html, _ in pages:
        try:
            yield extractor.text(html, bs.parse(html), 30.0)
        except bs.BlocksightError as error:
            print(f"{extractor.name}: {error}", file=sys.stderr)
            yield ""
    extractor.stop()


def by_command(command: str, pages: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what a command prints for the HTML of each page after its scripts; {} in it is the page's file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        for html, _ in pages:
            file.write_text(html, encoding="utf-8")
            words = [word.replace("{}", str(file)) for word in shlex.split(command)]
            yield subprocess.run(words, capture_output=True, text=True, check=False, timeout=120).stdout


@click.command()
@click.argument("families", nargs=-1)
@click.option("--truth", is_flag=True, help="Check the marks of the fixtures by pixels.")
@click.option("--list", "list_errors", is_flag=True, help="Print the leaks and drops of blocksight.")
@click.option(
    "--systems",
    type=List(str),
    default="trafilatura-recall",
    show_default=True,
    help="Other programs, as for `corpus`.",
)
@click.option("--command", "commands", multiple=True, help="Another program: a command line, {} is the file of a page.")
@peer_options
def visibility(
    families: tuple[str, ...], truth: bool, list_errors: bool, systems: list[str], commands: tuple[str, ...],
    python: str | None, peers: Path | None,
) -> None:  # fmt: skip
    """Count leaks and false drops on the pages of fixtures/seen.toml.

    Each page has visible and hidden sentences. A hidden one in the output is a leak, a visible one that is missing is a
    false drop; both are counted by family. Other programs get the HTML half a second after loading; "inner_text" is
    Playwright's. --truth checks the marks of the fixtures first: a sentence is visible if, at
    some scroll position and after ten seconds, the screenshot changes legibly when the letters of its words are put in
    reverse order. Pages about time and scrolling are opened in real time, for some 15 seconds each. The exit code is 1
    if a mark is wrong or blocksight is.
    """
    suite = [case for case in cases() if not families or case.family in families]
    wrong = list(wrong_marks(suite)) if truth else []
    print(*wrong, sep="\n", file=sys.stderr)
    pages = in_browser(suite)
    outputs: dict[str, Iterable[str]] = {"blocksight": by_blocksight(suite), "inner_text": (text for _, text in pages)}
    outputs |= {program.name: by_extractor(program, pages) for program in extractors(systems, python, peers)}
    outputs |= {shlex.split(command)[0]: by_command(command, pages) for command in commands}
    results = {
        name: [errors(case, text) for case, text in zip(suite, texts, strict=True)] for name, texts in outputs.items()
    }
    table_head("family", "pages", "unseen", "seen", *(f"{name}: leaks, drops" for name in results))
    for family in [*dict.fromkeys(case.family for case in suite), "all"]:
        rows = [number for number, case in enumerate(suite) if family in (case.family, "all")]
        sizes = [sum(len(suite[row].unseen) for row in rows), sum(len(suite[row].seen) for row in rows)]
        counts = [[sum(len(pairs[row][side]) for row in rows) for side in (0, 1)] for pairs in results.values()]
        table_row(family, len(rows), *sizes, *(f"{leaks}, {drops}" for leaks, drops in counts))
    failed = [(case, pair) for case, pair in zip(suite, results["blocksight"], strict=True) if any(pair)]
    if list_errors:
        for case, (leaked, dropped) in failed:
            print(f"{case.family}/{case.name}: leaks {leaked}, drops {dropped}", file=sys.stderr)
    sys.exit(1 if wrong or failed else 0)
