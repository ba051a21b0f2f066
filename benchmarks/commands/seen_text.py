"""The suite of hidden text for any program: export its pages, and score the texts that programs extract from them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
from blocksight.render.chromium.process.executable import find_browser
from common import FOLDER, skip, table_head, table_row
from generators.visibility_suite import Case, cases, flat
from playwright.sync_api import Error, sync_playwright

#: File with the truth in an exported suite, and the name of the text that people see in a browser's own words.
TRUTH, INNER_TEXT = "truth.json", "inner_text"
_BAD = re.compile(r"[^\w.-]+")


@click.group()
def seen_text() -> None:
    """Score any program on the pages of fixtures/seen.toml."""


@seen_text.command(epilog="Example: python benchmarks/accuracy.py seen-text export suite")
@click.argument("folder", type=FOLDER)
@click.option("--rendered", is_flag=True, help="Also write each page's HTML after its scripts, and its inner text.")
def export(folder: Path, *, rendered: bool) -> None:
    """Write the pages into FOLDER/pages, and which sentences of each are visible.

    The truth is decided by pixels (`visibility --truth`). With --rendered, FOLDER/rendered has each page's HTML after
    its scripts, and FOLDER/inner_text what Playwright's inner_text returns.
    """
    suite = cases()
    for name in ("pages", *(("rendered", INNER_TEXT) if rendered else ())):
        (folder / name).mkdir(parents=True, exist_ok=True)
    truth = {file_name(case): {"seen": case.seen, "unseen": case.unseen} for case in suite}
    (folder / TRUTH).write_text(json.dumps(truth, indent=1, ensure_ascii=False), encoding="utf-8")
    for case in suite:
        (folder / "pages" / f"{file_name(case)}.html").write_text(case.html, encoding="utf-8")
    if rendered:
        # A second run continues an interrupted one.
        missing = [case for case in suite if not (folder / INNER_TEXT / f"{file_name(case)}.txt").exists()]
        for case, html, text in in_browser(missing):
            (folder / "rendered" / f"{file_name(case)}.html").write_text(html, encoding="utf-8")
            (folder / INNER_TEXT / f"{file_name(case)}.txt").write_text(text, encoding="utf-8")


def file_name(case: Case) -> str:
    """Return the name of a page's files."""
    return _BAD.sub("-", f"{case.family}.{case.name}")


def in_browser(suite: list[Case]) -> Iterator[tuple[Case, str, str]]:
    """Yield each page with its HTML and its inner text."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser().path, chromium_sandbox=False)
        for case in suite:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            try:
                page.set_content(case.html, timeout=10_000)
                page.wait_for_timeout(500)
                yield case, page.content(), page.inner_text("body")
            except Error:
                yield case, case.html, ""
            page.close()


@seen_text.command(epilog="Example: python benchmarks/accuracy.py seen-text run suite pages out -- trafilatura -i {}")
@click.argument("folder", type=FOLDER)
@click.argument("source")
@click.argument("output")
@click.argument("command", nargs=-1, required=True)
def run(folder: Path, source: str, output: str, command: tuple[str, ...]) -> None:
    """Run a program on each page of FOLDER/SOURCE ({} is its file), and write what it prints into FOLDER/OUTPUT."""
    (folder / output).mkdir(parents=True, exist_ok=True)
    for page in sorted((folder / source).glob("*.html")):
        words = [word.replace("{}", str(page)) for word in command]
        result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        (folder / output / f"{page.stem}.txt").write_text(result.stdout, encoding="utf-8")


@seen_text.command(epilog="Example: python benchmarks/accuracy.py seen-text score suite inner_text out")
@click.argument("folder", type=FOLDER)
@click.argument("outputs", nargs=-1, required=True)
def score(folder: Path, outputs: tuple[str, ...]) -> None:
    """Count hidden sentences in the texts of FOLDER/OUTPUT/PAGE.txt (leaks) and visible ones missing there (drops).

    Pages without a file are not counted.
    """
    if not (folder / TRUTH).exists():
        skip(f"{folder} has no {TRUTH}: export the suite first")
    truth: dict[str, dict[str, list[str]]] = json.loads((folder / TRUTH).read_text(encoding="utf-8"))
    table_head("program", "pages", "leaks", "drops")
    for name in outputs:
        counts = dict.fromkeys(("pages", "unseen", "seen", "leaks", "drops"), 0)
        for page, sentences in truth.items():
            file = folder / name / f"{page}.txt"
            if not file.exists():
                continue
            text = flat(file.read_text(encoding="utf-8"))
            counts["pages"] += 1
            for kind in ("unseen", "seen"):
                counts[kind] += len(sentences[kind])
            counts["leaks"] += sum(flat(sentence) in text for sentence in sentences["unseen"])
            counts["drops"] += sum(flat(sentence) not in text for sentence in sentences["seen"])
        leaks, drops = f"{counts['leaks']} of {counts['unseen']}", f"{counts['drops']} of {counts['seen']}"
        table_row(name, counts["pages"], leaks, drops)
