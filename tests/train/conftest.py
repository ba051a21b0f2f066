"""What the tests of training share: rows made up by hand, and a small data set of pages made up here."""

import json

import numpy as np
import pytest
from blocksight.gold.corpora import read_corpus
from blocksight.train.build_dataset import PageRowStore, Plan, build_dataset
from blocksight.train.custom import train_custom
from blocksight.train.examples import Examples, read_examples

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
    work = PageRowStore(pages=read_corpus(folder), folder=out, rendered=out / "pages", plan=plan)
    assert build_dataset(work, ("parquet",)) == {}
    return out


def _rows(label, words, page, site):
    return Examples(
        columns=("words_log",),
        matrix=np.asarray(words, dtype=np.float32)[:, None],
        label=np.asarray(label, dtype=bool),
        words=np.asarray(words, dtype=float),
        page=np.asarray(page),
        site=np.asarray(site),
        about={"count": str(len(label))},
    )


@pytest.fixture(scope="session")
def rows():
    """Make labelled rows of one feature from their labels, words, pages and sites."""
    return _rows


@pytest.fixture(scope="session")
def examples(small_dataset):
    """The rows of the small data set."""
    return read_examples(small_dataset)


@pytest.fixture(scope="session")
def own(examples):
    """A model of one's own, from the small data set."""
    return train_custom(examples, (0.01, 0.1), folds=3)
