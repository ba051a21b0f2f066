"""A small data set of pages made up here."""

import json

import pytest
from blocksight.classify.corpora import read_corpus
from blocksight.train.dataset import build
from blocksight.train.dataset_parts import Plan, Work

SENTENCE = "The {n}th day brought rain, and with it news from the upper valley that nobody wanted to hear. "


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory):
    """The folder of a data set: 24 pages of 7 sites, raw HTML, some groups of features."""
    folder = tmp_path_factory.mktemp("corpora") / "made"
    (folder / "pages").mkdir(parents=True)
    lines = []
    for n in range(24):
        gold = SENTENCE.format(n=n) * (1 + n % 4)
        menu = "".join(f"<li><a href=/{k}>Item {k}</a></li>" for k in range(3 + n % 5))
        (folder / "pages" / f"p{n}.html").write_text(
            f"<title>Day {n}</title><ul>{menu}</ul><div><p>{gold}</p><p>{gold}</p></div><p>Imprint of the site</p>"
        )
        lines.append({"id": f"p{n}", "gold_text": gold + gold, "domain": f"s{n % 7}.org", "split": "train"})
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    out = folder.parent / "dataset"
    plan = Plan(static=True, groups=("text", "link", "structure", "neighbour"))
    work = Work(pages=list(read_corpus(folder)), folder=out, rendered=out / "pages", plan=plan)
    assert build(work, ("parquet",)) == {}
    return out
