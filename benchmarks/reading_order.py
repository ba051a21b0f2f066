"""Document order against reading order by geometry: which one the gold text follows.

    python benchmarks/reading_order.py CORPUS --rendered FOLDER [--limit N] [--sites FILE]

CORPUS and FOLDER as for ``segmentation_oracles.py``. The content of each page, as its gold text marks it, is written
down in both orders; the figure is the share of its words that lie on a longest common subsequence with the gold text.
Only pages whose content comes out in another order tell the two apart.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.features.alignment import common_subsequence
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import gold_marks
from blocksight.gold.pages import sample
from blocksight.gold.rendered import read_page, saved_path
from blocksight.gold.split import read_sites
from blocksight.lexicon.words import words
from blocksight.segment.order import reading_order

#: Beyond this many words times gold words a comparison takes too long.
LARGEST = 60_000_000


def in_sequence(page: bs.Page, leaves: np.ndarray, gold: list[str]) -> float:
    """Share of the words that stand in the gold's order."""
    found = [word for leaf in leaves.tolist() for word in words(page.leaf_texts[leaf])]
    if len(found) * len(gold) > LARGEST:
        return float("nan")
    return float(common_subsequence(found, gold).mean())


def main() -> None:
    """Print the counts and the means, and the pages on which the orders differ most."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rendered", type=Path, required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--sites", type=Path)
    wanted = parser.parse_args()
    golds = read_corpus(wanted.corpus, read_sites(wanted.sites) if wanted.sites else None)
    here = [gold for gold in golds if gold.texts and saved_path(wanted.rendered, gold).exists()]
    here = sample(here, wanted.limit)
    rows, moved = [], 0
    for gold in here:
        page = read_page(gold, wanted.rendered)
        order = reading_order(page)
        content = gold_marks(page, gold.text)
        moved += bool((np.diff(order) != 1).any())
        visual, document = order[content[order]], np.flatnonzero(content)
        if not np.array_equal(visual, document):
            gold_words = words(gold.text)
            rows.append((in_sequence(page, document, gold_words), in_sequence(page, visual, gold_words), gold.id))
    rows = [row for row in rows if not np.isnan(row[0])]
    print(f"{wanted.corpus.name}: {len(here)} pages, {moved} read in another order, {len(rows)} in their content")
    if rows:
        scores = np.asarray([row[:2] for row in rows])
        better, worse = (scores[:, 1] > scores[:, 0] + 1e-9).sum(), (scores[:, 1] < scores[:, 0] - 1e-9).sum()
        print(f"  words in sequence: document {scores[:, 0].mean():.4f}, geometry {scores[:, 1].mean():.4f}; ", end="")
        print(f"geometry better on {better}, worse on {worse}")
        for by_document, by_geometry, name in sorted(rows, key=lambda row: -abs(row[0] - row[1]))[:5]:
            print(f"    {name}: document {by_document:.4f}, geometry {by_geometry:.4f}")


if __name__ == "__main__":
    main()
