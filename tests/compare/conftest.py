"""A corpus of pages made up here, in our own form."""

import json

import pytest

SENTENCE = "The {n}th day brought rain, and with it news from the upper valley that nobody wanted to hear."


def page(n):
    menu = "".join(f"<li><a href=/{k}>Item {k}</a></li>" for k in range(3 + n % 5))
    body = "".join(f"<p>{SENTENCE.format(n=10 * n + k)}</p>" for k in range(2 + n))
    return f"<html lang=en><title>Day {n}</title><ul>{menu}</ul><div class=text>{body}</div><p>All rights are kept.</p>"


def entry(n):
    gold = "\n".join(SENTENCE.format(n=10 * n + k) for k in range(2 + n))
    return {"id": f"p{n}", "gold_text": gold, "page_type": "news" if n % 2 else "essay", "split": "dev"}


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """Eight pages to be measured, one for training, one of which the file is missing, one that is empty."""
    folder = tmp_path_factory.mktemp("corpora") / "days"
    (folder / "pages").mkdir(parents=True)
    entries = [entry(n) for n in range(8)]
    entries += [entry(8) | {"split": "train"}, entry(9) | {"id": "missing"}, entry(7) | {"id": "empty"}]
    for n in range(9):
        (folder / "pages" / f"p{n}.html").write_text(page(n))
    (folder / "pages" / "empty.html").write_text(" ")
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, entries)))
    return folder
