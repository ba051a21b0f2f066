"""How the work of each system that reads markup alone grows with the page: 1 is linear.

    python benchmarks/systems_growth.py [--words 20000]

Each system marks a page of so many words, and one ten times as long, made of paragraphs, links, lists and tables by a
fixed seed. Printed are the processor times (the least of several runs, each on a page whose columns are not yet
computed) and their ratio over ten.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from random import Random

import blocksight as bs

RUNS = 5
TIMES = 10
#: Systems whose papers claim linear time.
CLAIMED = ("bte", "mss-simple", "mss-simple-hr", "scedd")
LETTERS = "etaoinshrdlu"


def page_of(words: int) -> bs.Page:
    """Make a page of about so many words, a hundred a part."""
    random = Random(1)
    vocabulary = ["".join(random.choices(LETTERS, k=random.randint(2, 9))) for _ in range(5000)]

    def said(count: int) -> str:
        return " ".join(random.choices(vocabulary, k=count))

    parts = []
    for _ in range(words // 100):
        paragraph = f"<p>{said(30)}, {said(10)} <a href=#>{said(2)}</a> {said(18)}. {said(10)}.</p>"
        links = "".join(f"<li><a href=#>{said(2)}</a>" for _ in range(5))
        cells = "".join(f"<td>{said(4)}" for _ in range(5))
        parts.append(f"<div>{paragraph}<ul>{links}</ul><table><tr>{cells}</table></div>\n")
    return bs.parse(f"<title>{said(5)}</title>" + "".join(parts))


def seconds(system: bs.System, page: bs.Page) -> float:
    """Take the least processor time of several runs."""
    least = float("inf")
    for _ in range(RUNS):
        fresh = replace(page)
        began = time.process_time()
        system.mark(fresh)
        least = min(least, time.process_time() - began)
    return least


def main() -> None:
    """Print one line a system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=20_000)
    wanted = parser.parse_args()
    short, long = page_of(wanted.words), page_of(TIMES * wanted.words)
    print(f"{'system':16} {len(short):>9} nodes {len(long):>9} nodes   growth / {TIMES}")
    for system in bs.SYSTEMS:
        if system.card.visual or system.card.trained:
            continue
        one, other = seconds(system, short), seconds(system, long)
        note = "  claimed linear" if system.card.name in CLAIMED else ""
        print(f"{system.card.name:16} {one:13.4f} s {other:13.4f} s {other / one / TIMES:12.2f}{note}", flush=True)


if __name__ == "__main__":
    main()
