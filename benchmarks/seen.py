"""What of hidden and of odd-looking text comes out, beside Playwright's inner text and trafilatura.

    python benchmarks/seen.py [--truth] [FAMILY...]

The pages are those of ``fixtures/seen.toml``: each has sentences that a person can see and sentences that nobody can.
A sentence of the second kind that comes out is a leak, one of the first kind that does not is a false drop; both are
counted by family, as a Markdown table. ``--truth`` checks the marks of the fixtures first, by pixels: a sentence is
seen when, at some scroll position that a person can reach and after the page has come to rest, the picture of the
window changes legibly when the letters of its words are put in the reverse order. Exit code 1 when a mark is wrong or
blocksight is.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import blocksight as bs
import numpy as np
import trafilatura
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.network.local_server import QuietHandler, serve
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import CDPSession, Frame, Page, sync_playwright

FIXTURES = Path(__file__).parents[1] / "fixtures" / "seen.toml"
#: Changes of colour below this (of 255) are none; legible text changes so many pixels over such a height and width.
LEVEL, PIXELS, HEIGHT, WIDTH = 12, 16, 4, 8
#: Seconds of the page's clock before the picture, and how often what moves for ever is looked at again.
REST, MOMENTS = 10.0, 10

_MARK = re.compile(r"\[([+-])(.*?)\1\]", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A page with its sentences; ``seen`` and ``unseen`` are what a person reads and does not."""

    family: str
    name: str
    html: str
    seen: tuple[str, ...]
    unseen: tuple[str, ...]


def cases(path: Path = FIXTURES) -> list[Case]:
    """Read the suite."""
    families = tomllib.loads(path.read_text(encoding="utf-8"))
    parts = families.pop("parts")
    return [_case(family, name, text, parts) for family, members in families.items() for name, text in members.items()]


def _case(family: str, name: str, text: str, parts: dict[str, str]) -> Case:
    text = text if text.startswith("<!doctype") else f"{parts['start']}{text}{parts['end']}"
    for part, value in parts.items():
        text = text.replace(f"@{part}@", value)
    found = [(sign, html.unescape(sentence)) for sign, sentence in _MARK.findall(text)]
    return Case(
        family=family,
        name=name,
        html=_MARK.sub(r"\2", text),
        seen=tuple(sentence for sign, sentence in found if sign == "+"),
        unseen=tuple(sentence for sign, sentence in found if sign == "-"),
    )


# -- the truth, by pixels ------------------------------------------------------------------------------------------

_OPEN = """(() => { const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (how) { return attach.call(this, {...how, mode: "open"}); } })()"""
_FIND = """sentence => {
  const found = [];
  const walk = root => { for (const node of root.childNodes) {
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
#: Scrolls, as a person could, until what was found (or the element given) is in view: 0 its beginning, 1 its end.
_BRING = """([where, sentence, given]) => {
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
_MOVES = """() => document.getAnimations().some(one => one.effect.getComputedTiming().endTime === Infinity)
  || !!document.querySelector("marquee")"""


class Looking:
    """A window of a plain browser, and what changes in it."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page = page
        self._session = session

    def open(self, address: str) -> None:
        """Show a page and let it come to rest."""
        self._page.goto(address)
        self.run(REST)

    def run(self, seconds: float) -> None:
        """Let the page's clock run, and stop it."""
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

    def sees(self, sentence: str) -> bool:
        """Whether a sentence is seen, anywhere."""
        frames = [frame for frame in self._page.frames if frame.evaluate(_FIND, sentence)]
        return any(self._seen_in(frame, sentence) for frame in frames)

    def _seen_in(self, frame: Frame, sentence: str) -> bool:
        if any(self._changes(frame, sentence, where) for where in (0.5, 0.0, 1.0)):
            return True
        for _ in range(MOMENTS if frame.evaluate(_MOVES) else 0):
            self.run(0.73)
            if self._changes(frame, sentence, 0.5):
                return True
        return False

    def _changes(self, frame: Frame, sentence: str, where: float) -> bool:
        frame.evaluate(_BRING, [where, sentence, None])
        inner = frame
        while inner.parent_frame is not None:
            owner = inner.frame_element()
            if owner.get_attribute("scrolling") == "no":
                frame.evaluate("scrollTo(0, 0)")
            inner.parent_frame.evaluate(_BRING, [where, sentence, owner])
            inner = inner.parent_frame
        before = self._picture()
        frame.evaluate(_TURN, sentence)
        after = self._picture()
        frame.evaluate(_TURN_BACK, sentence)
        return legible(before, after)

    def _picture(self) -> NDArray[np.int16]:
        shot = self._session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        with Image.open(io.BytesIO(base64.b64decode(shot["data"]))) as image:
            return np.asarray(image.convert("RGB"), dtype=np.int16)


def legible(before: NDArray[np.int16], after: NDArray[np.int16]) -> bool:
    """Whether two pictures differ in more than specks."""
    changed = np.abs(before - after).max(axis=2) >= LEVEL
    if changed.sum() < PIXELS:
        return False
    high, wide = (np.ptp(np.flatnonzero(changed.any(axis=axis))) + 1 for axis in (1, 0))
    return bool(high >= HEIGHT and wide >= WIDTH)


def wrong_marks(suite: list[Case]) -> Iterator[str]:
    """Yield which sentences of the suite are marked otherwise than pixels tell."""
    pages = {f"/{case.family}/{case.name}": case.html for case in suite}

    class Site(QuietHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with serve(Site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser().path, chromium_sandbox=False, args=["--force-color-profile=srgb"]
        )
        for case in suite:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.add_init_script(_OPEN)
            looking = Looking(page, page.context.new_cdp_session(page))
            looking.open(f"{address}/{case.family}/{case.name}")
            for sentences, seen in ((case.seen, True), (case.unseen, False)):
                for sentence in sentences:
                    if looking.sees(sentence) != seen:
                        yield f"{case.family}/{case.name}: pixels say {'un' * seen}seen: {sentence}"
            page.close()


# -- who lets what out ---------------------------------------------------------------------------------------------


def by_blocksight(suite: list[Case]) -> Iterator[str]:
    """Yield what blocksight takes for seen on each page."""
    with bs.Browser(pages=1, options=bs.RenderOptions(offline=True)) as browser:
        for case in suite:
            yield bs.extract(browser.open(case.html.encode()), system="everything").text


def by_inner_text(suite: list[Case]) -> Iterator[str]:
    """Yield Playwright's ``inner_text`` of each page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser().path, chromium_sandbox=False)
        for case in suite:
            page = browser.new_page()
            page.set_content(case.html)
            page.wait_for_timeout(500)
            yield page.inner_text("body")
            page.close()


def by_trafilatura(suite: list[Case]) -> Iterator[str]:
    """Yield what trafilatura finds in the HTML of each page."""
    for case in suite:
        yield trafilatura.extract(case.html, favor_recall=True) or ""


SYSTEMS: dict[str, Callable[[list[Case]], Iterator[str]]] = {
    "blocksight": by_blocksight,
    "inner_text": by_inner_text,
    "trafilatura": by_trafilatura,
}


def flat(text: str) -> str:
    """Text without white space, of which nothing hangs, in one case: style sheets change it."""
    return "".join(text.split()).casefold()


def errors(case: Case, text: str) -> tuple[list[str], list[str]]:
    """Return the sentences that leaked and those that were dropped."""
    out = flat(text)
    leaked = [sentence for sentence in case.unseen if flat(sentence) in out]
    dropped = [sentence for sentence in case.seen if flat(sentence) not in out]
    return leaked, dropped


def main() -> int:
    """Check the truth, then count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--truth", action="store_true")
    parser.add_argument("--list", action="store_true", help="name blocksight's leaks and drops")
    wanted = parser.parse_args()
    suite = [case for case in cases() if not wanted.families or case.family in wanted.families]
    bad = list(wrong_marks(suite)) if wanted.truth else []
    print(*bad, sep="\n", file=sys.stderr)
    found = {name: [errors(c, t) for c, t in zip(suite, run(suite), strict=True)] for name, run in SYSTEMS.items()}
    print("| family | pages | unseen | seen | " + " | ".join(f"{name}: leaks, drops" for name in found) + " |")
    print("|---|---|---|---|" + "---|" * len(found))
    for family in [*dict.fromkeys(case.family for case in suite), "all"]:
        rows = [number for number, case in enumerate(suite) if family in (case.family, "all")]
        sizes = [sum(len(suite[row].unseen) for row in rows), sum(len(suite[row].seen) for row in rows)]
        counts = [[sum(len(result[row][side]) for row in rows) for side in (0, 1)] for result in found.values()]
        cells = [str(len(rows)), *map(str, sizes), *(f"{leaks}, {drops}" for leaks, drops in counts)]
        print(f"| {family} | " + " | ".join(cells) + " |")
    failed = [(case, one) for case, one in zip(suite, found["blocksight"], strict=True) if any(one)]
    if wanted.list:
        for case, (leaked, dropped) in failed:
            print(f"{case.family}/{case.name}: leaks {leaked}, drops {dropped}", file=sys.stderr)
    return 1 if bad or failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
