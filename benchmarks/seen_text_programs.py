"""Run blocksight, trafilatura or Crawl4AI on the pages of an exported suite: those of them that are installed.

python benchmarks/seen_text_programs.py FOLDER PROGRAM
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def blocksight(folder: Path) -> Callable[[Path], str]:
    """Render the page's own HTML, as a person's browser would."""
    import blocksight as bs

    browser = bs.Browser(options=bs.RenderOptions(offline=True))

    def run(page: Path) -> str:
        source = folder / "pages" / page.name
        return bs.extract(browser.open(source.read_bytes()), system="everything").text

    return run


def trafilatura(_: Path) -> Callable[[Path], str]:
    """Read the HTML after its scripts."""
    from trafilatura import extract

    return lambda page: extract(page.read_text(encoding="utf-8"), favor_recall=True) or ""


def crawl4ai(_: Path) -> Callable[[Path], str]:
    """Read the HTML after its scripts: cleaned by its default strategy, as Markdown."""
    from crawl4ai import LXMLWebScrapingStrategy
    from crawl4ai.markdown_generation_strategy import DefaultMarkdownGenerator

    cleaner, writer = LXMLWebScrapingStrategy(), DefaultMarkdownGenerator()

    def run(page: Path) -> str:
        cleaned = cleaner.scrap("https://example.org/", page.read_text(encoding="utf-8")).cleaned_html
        return str(writer.generate_markdown(cleaned).raw_markdown)

    return run


PROGRAMS = {"blocksight": blocksight, "trafilatura": trafilatura, "crawl4ai": crawl4ai}

if __name__ == "__main__":
    suite, name = Path(sys.argv[1]), sys.argv[2]
    program = PROGRAMS[name](suite)
    (suite / name).mkdir(exist_ok=True)
    for html in sorted((suite / "rendered").glob("*.html")):
        (suite / name / f"{html.stem}.txt").write_text(program(html), encoding="utf-8")
