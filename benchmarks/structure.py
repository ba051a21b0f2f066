"""Structure and what is said of a page by precision and recall: blocksight beside the peers that write Markdown.

    python benchmarks/structure.py OUT CORPUS... [--facts FILE] [--limit N] [--split dev] [--on raw]

Without ``--facts`` the gold is that of the corpora (docs/corpora.md: ``gold_markdown``, ``gold_html``, ``gold_xpath``,
``gold_structure``). With it only the pages that the file names are measured, by what it says of them:
``benchmarks/facts.jsonl`` holds facts of 30 pages of two public corpora, written down by looking at the pages: names of
picture files, sizes of tables, title, authors, date; none of their text.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import orjson
import pandas as pd
from blocksight.classify.systems import system_named
from blocksight.compare.evaluate import EvaluationConfig, evaluate
from blocksight.compare.measures.measures import MEASURES

SYSTEMS = ("blocksight", "blocksight-dom", "trafilatura", "readability-lxml", "markdownify")
CHOSEN = tuple(measure for measure in MEASURES if measure.needs in ("structure", "fields"))


def stated_pages(corpus: Path, facts: Path, folder: Path) -> Path:
    """Make a corpus of the pages of another one that a file states facts of."""
    lines = [orjson.loads(line) for line in facts.read_bytes().splitlines()]
    known = {entry["id"]: entry for entry in map(orjson.loads, (corpus / "gold.jsonl").read_bytes().splitlines())}
    chosen = [known[line["id"]] | line for line in lines if line["corpus"] == corpus.name]
    made = folder / corpus.name
    made.mkdir(parents=True)
    (made / "gold.jsonl").write_bytes(b"".join(orjson.dumps(entry) + b"\n" for entry in chosen))
    (made / "pages").symlink_to((corpus / "pages").resolve())
    return made


def table(rows: pd.DataFrame) -> str:
    """Write one line a measure: precision and recall, or the share that is exact, of each system."""
    names = list(dict.fromkeys(rows["system"]))
    lines = [f"| | facts | {' | '.join(names)} |", "|---|---|" + "---|" * len(names)]
    for measure in CHOSEN:
        if measure.main not in rows:
            continue
        known = rows.dropna(subset=list(measure.figures))
        cells, facts = [], 0
        for name in names:
            figures = known[known["system"] == name][list(measure.figures)].to_numpy()
            if not len(figures):
                cells.append("")
            elif measure.needs == "fields":
                cells.append(f"{figures.mean():.3f}")
                facts = len(figures)
            else:
                right, wrong, missed = figures.sum(axis=0)
                facts = int(right + missed)
                cells.append(f"{right / max(right + wrong, 1):.3f} / {right / max(right + missed, 1):.3f}")
        if facts:
            lines.append(f"| {measure.name} | {facts} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Structure by precision and recall.")
    parser.add_argument("out", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--facts", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--on", default="raw", choices=("raw", "rendered"))
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    given = parser.parse_args()
    systems = tuple(system_named(name) for name in given.systems.split(","))
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        for corpus in given.corpora:
            folder = stated_pages(corpus, given.facts, Path(temporary)) if given.facts else corpus
            wanted = EvaluationConfig(
                corpus=folder, out=given.out / corpus.name, systems=systems, measures=CHOSEN, inputs=(given.on,),
                limit=given.limit, split=given.split,
            )  # fmt: skip
            found.append(evaluate(wanted))
    rows = pd.concat(found)
    print(table(rows[rows["system"] != "everything"]))


if __name__ == "__main__":
    main()
