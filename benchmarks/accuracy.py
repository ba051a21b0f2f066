"""Word-bag F1 of blocksight and others on one corpus, same pages, one run.

    python benchmarks/accuracy.py CORPUS [--limit N]

CORPUS is a folder with ``gold.jsonl`` and ``pages/ID.html``, or one whose ``gold.jsonl`` has ``url_path`` (a site to be
served from that folder; ``--sites FILE`` then names the sites of the split, one ``site<TAB>split`` a line). Only pages
of the split ``dev`` are taken; with ``--limit`` a sample that is always the same, spread over the kinds of pages.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path

import blocksight as bs
import numpy as np
import trafilatura
from blocksight.classify.corpora import read_corpus, read_sites
from blocksight.compare.measures import word_bag_f1
from blocksight.compare.significance import mean_interval
from blocksight.render.loopback import serve_folder
from blocksight.render.markup import to_html
from blocksight.render.static import decode

SYSTEMS = (
    "blocksight visual",
    "blocksight no browser",
    "trafilatura (raw HTML)",
    "trafilatura (rendered HTML)",
    "whole page text",
)


@dataclass(frozen=True)
class Case:
    """One page of the benchmark."""

    id: str
    kind: str
    gold: str
    raw: bytes
    encoding: str | None
    open: Callable[[bs.Browser], bs.Page]


def dev_cases(folder: Path, sites: Mapping[str, str], address: str) -> list[Case]:
    """Take the pages of the split dev; ``address`` serves the folder."""
    cases = []
    for gold in read_corpus(folder, sites):
        if gold.split != "dev":
            continue
        raw = gold.path.read_bytes()
        if gold.url_path:
            opened = partial(bs.Browser.open, source=address + gold.url_path)
        else:
            url = gold.url if gold.url and gold.url.startswith("http") else None
            opened = partial(bs.Browser.open, source=raw, url=url, encoding=gold.encoding)
        cases.append(Case(gold.id, gold.kind or folder.name, gold.text, raw, gold.encoding, opened))
    return cases


def sample(cases: list[Case], limit: int | None) -> list[Case]:
    """Choose pages, the same ones every time, in turn from each kind."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in sorted(cases, key=lambda case: zlib.crc32(case.id.encode())):
        groups[case.kind].append(case)
    spread = [case for turn in zip_longest(*(groups[kind] for kind in sorted(groups))) for case in turn if case]
    return spread[:limit]


def extracted(case: Case, browser: bs.Browser) -> dict[str, str]:
    """Extract one page by every system."""
    texts = dict.fromkeys(SYSTEMS, "")
    try:
        page = case.open(browser)
    except bs.PageFailed as error:
        print(error, file=sys.stderr)
    else:
        texts["blocksight visual"] = bs.extract(page).text
        texts["whole page text"] = bs.extract(page, system="everything").text
        texts["trafilatura (rendered HTML)"] = trafilatura.extract(to_html(page), include_comments=False) or ""
    try:
        raw = bs.parse(case.raw, encoding=case.encoding)
        texts["blocksight no browser"] = bs.extract(raw).text
    except bs.PageFailed as error:
        print(f"{case.id}, raw HTML: {error.why}", file=sys.stderr)
    texts["trafilatura (raw HTML)"] = trafilatura.extract(decode(case.raw, case.encoding), include_comments=False) or ""
    return texts


def run(cases: list[Case]) -> dict[str, list[tuple[str, float]]]:
    """Score every system on every page: (kind, F1)."""
    scores: dict[str, list[tuple[str, float]]] = {name: [] for name in SYSTEMS}
    with bs.Browser(options=bs.RenderOptions(offline=True, allow_private=True)) as browser:
        for number, case in enumerate(cases, 1):
            for name, text in extracted(case, browser).items():
                scores[name].append((case.kind, word_bag_f1(text, case.gold)))
            if sys.stderr.isatty():
                print(f"\r{number}/{len(cases)}", end="", file=sys.stderr)
    return scores


def report(corpus: str, scores: dict[str, list[tuple[str, float]]]) -> None:
    """Print the table: all pages, then a mean for each kind."""
    kinds = sorted({kind for kind, _ in scores[SYSTEMS[0]]})
    print(f"{corpus}: {len(scores[SYSTEMS[0]])} pages, word-bag F1, mean [bootstrap 95 % interval], share below .5")
    for name in SYSTEMS:
        values = [value for _, value in scores[name]]
        mean, low, high = mean_interval(values)
        print(f"  {name:28} {mean:.3f} [{low:.3f}, {high:.3f}]  {np.mean(np.asarray(values) < 0.5):6.1%}")
    for kind in kinds if len(kinds) > 1 else ():
        means = "  ".join(f"{np.mean([v for k, v in scores[name] if k == kind]):.3f}" for name in SYSTEMS)
        count = sum(k == kind for k, _ in scores[SYSTEMS[0]])
        print(f"    {kind:12} {count:4} pages  {means}")


def main() -> int:
    """Run the benchmark; 0 when done, 2 when there is nothing to run on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--sites", type=Path, help="tab-separated site and split, for served corpora")
    wanted = parser.parse_args()
    if not (wanted.corpus / "gold.jsonl").is_file():
        print(f"skipped: there is no corpus in {wanted.corpus} (no gold.jsonl)", file=sys.stderr)
        return 2
    sites = read_sites(wanted.sites) if wanted.sites else {}
    with serve_folder(wanted.corpus) as address:
        cases = dev_cases(wanted.corpus, sites, address)
        cases = sample(cases, wanted.limit)
        if not cases:
            print(f"skipped: {wanted.corpus} has no pages of the split dev", file=sys.stderr)
            return 2
        report(wanted.corpus.name, run(cases))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
