"""Short pages as SCEDD's paper sees them (Xi, Guo and others, 2016, section 4), on any corpus.

    python benchmarks/scedd_short_pages.py CORPUS... [--limit N] [--all-lengths]

Printed are

- how many pages are short by the densest tag (the paper), by the largest density sum (ours), and by the gold;
- table 1: pages and wrong pages of the density method (CETD) by bytes of the rough extraction, and summed up from the
  shortest. A page is wrong if more than a fifth of the answer's characters are not in the gold;
- figures 4 and 5: wrong pages of the method for short pages by its lowest and its highest credible line. They are
  counted on pages whose gold is short, since a rough extraction errs; with ``--all-lengths`` on all that the densest
  tag calls short.

CORPUS is a folder in one of the forms of docs/corpora.md; pages of the split ``dev`` are taken, with ``--limit`` a
sample of each that is always the same, as raw HTML. Several corpora are counted together.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.classify.systems.cetd import Cetd
from blocksight.classify.systems.scedd import Scedd, rough_bytes
from blocksight.compare.measures.grading import SCEDD_TOLERANCE, scedd_error
from blocksight.compare.outputs import system_output
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.gold.rendered import read_page
from blocksight.page.arrays import Marks

SHORT = 450
#: Upper ends of the bands of table 1, in bytes; the paper's go by fifty up to 450.
BANDS = (50, 100, 150, 200, 250, 300, 350, 400, 450, 1000, 2000, 4000, 8000)
BOTTOM = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.99, 1.0)
TOP = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)

Pages = list[tuple[GoldPage, bs.Page]]


def pages_of(folders: Sequence[Path], limit: int | None) -> Pages:
    """Open the pages of some corpora."""
    found: Pages = []
    for folder in folders:
        golds = [gold for gold in read_corpus(folder) if gold.split == "dev" and gold.texts and not gold.error]
        found += [(gold, read_page(gold)) for gold in sample(golds, limit)]
    return found


def is_wrong(gold: GoldPage, page: bs.Page, marks: Marks) -> bool:
    """Return whether an answer is wrong by the paper's error."""
    return min(scedd_error(system_output(page, marks).text, text) for text in gold.texts) > SCEDD_TOLERANCE


def lengths(pages: Pages, sizes: Sequence[int]) -> None:
    """Print table 1."""
    wrong = np.asarray([is_wrong(gold, page, Cetd().mark(page)) for gold, page in pages])
    band = np.searchsorted(BANDS, sizes, side="right")
    print("| bytes below | pages | wrong | share | pages up to here | wrong | share |\n|---|---|---|---|---|---|---|")
    for place, name in enumerate([*map(str, BANDS), "any"]):
        here, sofar = band == place, band <= place
        cells = [f"{len(wrong[some])} | {wrong[some].sum()} | {_share(wrong[some])}" for some in (here, sofar)]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _share(wrong: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    return f"{wrong.mean():.0%}" if len(wrong) else ""


def heights(pages: Pages) -> None:
    """Print figures 4 and 5."""
    for name, values in (("bottom_coefficient", BOTTOM), ("top_coefficient", TOP)):
        print(f"\n| {name} | wrong of {len(pages)} |\n|---|---|")
        for value in values:
            bottom = name == "bottom_coefficient"
            system = replace(Scedd(), bottom_coefficient=value) if bottom else replace(Scedd(), top_coefficient=value)
            wrong = sum(is_wrong(gold, page, system.mark_short(page)) for gold, page in pages)
            print(f"| {value:g} | {wrong} |", flush=True)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--all-lengths", action="store_true")
    wanted = parser.parse_args()
    pages = pages_of(wanted.corpora, wanted.limit)
    by_tag, by_sum = ([rough_bytes(page, by_sum=rule) for _, page in pages] for rule in (False, True))
    by_gold = [min(len(text.encode("gb18030")) for text in gold.texts) for gold, _ in pages]
    rules = {"the densest tag, as in the paper": by_tag, "the largest density sum, ours": by_sum, "the gold": by_gold}
    for rule, sizes in rules.items():
        print(f"short by {rule}: {sum(size < SHORT for size in sizes)} of {len(pages)}")
    print()
    lengths(pages, by_sum)
    sizes = by_tag if wanted.all_lengths else by_gold
    heights([pair for pair, size in zip(pages, sizes, strict=True) if size < SHORT])


if __name__ == "__main__":
    main()
