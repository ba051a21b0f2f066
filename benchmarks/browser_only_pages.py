"""Word-bag F1 on the fixture pages that only a browser can read: blocksight, and trafilatura on raw HTML.

python benchmarks/browser_only_pages.py
"""

from __future__ import annotations

import time
from pathlib import Path

import blocksight as bs
import trafilatura
from blocksight.compare.measures.measures import word_bag_f1
from blocksight.render.network.local_server import serve_folder

FIXTURES = Path(__file__).parent.parent / "fixtures"
PAGES = ("client-rendered", "open-shadow", "framed")


def main() -> None:
    """Print one line a page."""
    with bs.Browser(options=bs.RenderOptions(allow_private=True)) as browser, serve_folder(FIXTURES) as address:
        for name in PAGES:
            gold = (FIXTURES / name / "gold.txt").read_text(encoding="utf-8")
            raw = (FIXTURES / name / "page.html").read_text(encoding="utf-8")
            began = time.perf_counter()
            found = bs.extract(browser.open(f"{address}/{name}/page.html")).text
            seconds = time.perf_counter() - began
            peer = trafilatura.extract(raw, include_comments=False) or ""
            print(
                f"{name:16} blocksight {word_bag_f1(found, gold):.3f} in {seconds:.2f} s, "
                f"trafilatura on raw HTML {word_bag_f1(peer, gold):.3f}"
            )


if __name__ == "__main__":
    main()
