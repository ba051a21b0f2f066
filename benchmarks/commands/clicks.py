"""The controls of page maps against real clicks of Playwright, next to a centre-point test and ARIA snapshots."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import blocksight as bs
import click
from blocksight.document.map.controls import Control, ControlFinder
from blocksight.render.chromium.process.executable import find_browser
from blocksight.render.network.local_server import serve_folder
from common import FOLDER, skip, table_head, table_row
from playwright.sync_api import Error, Frame, Page, sync_playwright

FIXTURES = Path(__file__).parents[2] / "fixtures"
#: Milliseconds of a click that is tried; controls that are tried on one page; pages of one corpus.
PATIENCE, MOST = 1_200, 60
_CONTROLS = (
    "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=true], "
    + ", ".join(
        f"[role={role}]"
        for role in "button link checkbox radio switch tab menuitem option combobox textbox searchbox slider".split()
    )
)
#: Returns whether the topmost element at the middle of an element is this element or inside it.
_MIDDLE = """element => {
  const box = element.getBoundingClientRect();
  const hit = element.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return !!hit && (hit === element || element.contains(hit));
}"""


@dataclass(slots=True)
class Tally:
    """Right and wrong answers of one method."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    names: list[str] = field(default_factory=list)

    def add(self, claimed: bool, true: bool, name: str = "") -> None:
        """Count one control."""
        self.right += claimed and true
        self.wrong += claimed and not true
        self.missed += true and not claimed
        if claimed != true and name:
            self.names.append(("wrong: " if claimed else "missed: ") + name)

    def row(self) -> tuple[str, str]:
        """Return precision and recall."""
        return (
            f"{self.right / max(self.right + self.wrong, 1):.3f}",
            f"{self.right / max(self.right + self.missed, 1):.3f}",
        )


@click.command(epilog="Example: python benchmarks/accuracy.py clicks CORPUS CORPUS")
@click.argument("corpora", nargs=-1, type=FOLDER)
@click.option("--limit", default=18, show_default=True, help="Pages of each corpus, one of a site.")
@click.option("--fixtures", "fixture_count", default=24, show_default=True, help="Pages of fixtures/layouts.")
@click.option("--half", type=click.Choice(["even", "odd"]), help="Every other page only.")
@click.option("--show", is_flag=True, help="Name the controls that were decided wrongly.")
def clicks(corpora: tuple[Path, ...], limit: int, fixture_count: int, half: str | None, *, show: bool) -> None:
    """Try each control of served pages by a click that does nothing, and compare."""
    tallies = {name: Tally() for name in ("map", "middle", "visible (ARIA snapshot)")}
    counts: Counter[str] = Counter()
    pages = [(FIXTURES, path) for path in fixture_pages(fixture_count)]
    pages += [(corpus, path) for corpus in corpora for path in corpus_pages(corpus, limit)]
    pages = pages[{"even": 0, "odd": 1}[half] :: 2] if half else pages
    if not pages:
        skip("there are no pages")
    with playwright_browser() as browser:
        for root, path in pages:
            with serve_folder(root) as address, opened(browser, f"{address}/{path}") as page:
                measure(page, tallies, counts)
                click.echo(f"{path[-60:]}: {dict(counts)}", err=True)
    table_head("method", "precision", "recall", "right", "wrong", "missed")
    for name, tally in tallies.items():
        table_row(name, *tally.row(), tally.right, tally.wrong, tally.missed)
    click.echo(f"{counts['pages']} pages; {counts['selectors']} selectors, {counts['ambiguous']} of them not unique")
    if show:
        click.echo("\n".join(tallies["map"].names))


def fixture_pages(count: int) -> list[str]:
    """Return pages of ``fixtures/``, half of them of ``layouts``."""
    layouts = sorted(path.relative_to(FIXTURES).as_posix() for path in (FIXTURES / "layouts").glob("*.html"))
    single = sorted(path.relative_to(FIXTURES).as_posix() for path in FIXTURES.glob("*/page.html"))
    return (single + layouts[:: max(len(layouts) // max(count - len(single), 1), 1)])[:count]


def corpus_pages(corpus: Path, limit: int) -> list[str]:
    """Return pages of a corpus of served sites, one of each site or theme, at equal distances."""
    rows = [json.loads(line) for line in (corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines()]
    first: dict[str, str] = {}
    for row in rows:
        if row.get("split") in (None, "dev"):
            first.setdefault(row.get("site") or row["theme"], row["url_path"].lstrip("/"))
    paths = list(first.values())
    return paths[:: max(len(paths) // limit, 1)][:limit]


@contextmanager
def playwright_browser() -> Iterator[Any]:
    """Start a browser."""
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=find_browser().path, chromium_sandbox=False) as browser,
    ):
        yield browser


@contextmanager
def opened(browser: Any, url: str) -> Iterator[Page]:
    """Open a page that reaches nothing but its own server."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.route(re.compile(r"^(?!http://127\.0\.0\.1)"), lambda route: route.abort())
    try:
        page.goto(url, wait_until="load", timeout=30_000)
        page.wait_for_timeout(800)
        yield page
    finally:
        page.close()


def measure(page: Page, tallies: dict[str, Tally], counts: Counter[str]) -> None:
    """Compare the map of one page with clicks."""
    captured = bs.capture(page)
    controls = ControlFinder(captured).find()
    candidates = [handle for frame in page.frames for handle in handles_of(frame)]
    counts["pages"] += 1
    for number, handle in enumerate(candidates):
        handle.evaluate("(element, number) => { element.candidateNumber = number }", number)
    chosen = dict(enumerate(candidates))
    if len(candidates) > MOST:
        step = len(candidates) / MOST
        chosen = {round(index * step): candidates[round(index * step)] for index in range(MOST)}
    by_candidate: dict[int, Control] = {}
    true: dict[int, bool] = {}
    for control in controls:
        number = located(page, control, counts)
        if number >= 0:
            by_candidate.setdefault(number, control)
    middles = {number: bool(attempt(handle.evaluate, _MIDDLE)) for number, handle in chosen.items()}
    visible = {number: bool(attempt(handle.is_visible)) for number, handle in chosen.items()}
    url = page.url
    for number, handle in chosen.items():
        name = f"{url[-50:]} {attempt(handle.evaluate, 'e => e.outerHTML.slice(0, 90)')}"
        true[number] = visible[number] and succeeds(handle.click, trial=True, timeout=PATIENCE)
        claim = by_candidate.get(number)
        claimed = claim is not None and claim.clickable
        if claim is not None and claimed and not true[number]:
            # The map may name another place to click: a free corner, or the label.
            position = claim.position and {"x": claim.position[0], "y": claim.position[1]}
            place = page.locator(claim.selector)
            true_here = succeeds(place.click, trial=True, timeout=PATIENCE, position=position)
            tallies["map"].add(claimed, true_here, name)
        else:
            tallies["map"].add(claimed, true[number], name)
        tallies["middle"].add(middles[number], true[number])
        tallies["visible (ARIA snapshot)"].add(visible[number], true[number])


def handles_of(frame: Frame) -> list[Any]:
    """Return the controls of a frame; none if it is gone."""
    return attempt(frame.query_selector_all, _CONTROLS) or []


def located(page: Page, control: Control, counts: Counter[str]) -> int:
    """Return the number of the element that a control's selector matches, or of the field of that label."""
    if not control.selector:
        return -1
    counts["selectors"] += 1
    locator = page.locator(control.selector)
    if attempt(locator.count) != 1:
        counts["ambiguous"] += 1
        return -1
    script = "element => element.candidateNumber ?? element.control?.candidateNumber ?? -1"
    number = attempt(locator.evaluate, script, timeout=PATIENCE)
    return -1 if number is None else int(number)


def attempt(action: Any, *arguments: Any, **options: Any) -> Any:
    """Return the result of an action of Playwright; None if it fails."""
    try:
        return action(*arguments, **options)
    except Error:
        return None


def succeeds(action: Any, **options: Any) -> bool:
    """Return whether an action of Playwright does not fail."""
    try:
        action(**options)
    except Error:
        return False
    return True
