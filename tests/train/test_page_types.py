"""Training what tells types of pages and sets of records, on a tiny corpus."""

import json

import numpy as np
import pytest
from blocksight.records.page_type import load_page_types
from blocksight.train.page_types import TypedPage, fit_page_types, fit_softmax, train_page_types

MENU = "<nav><ul>" + "".join(f"<li><a href=/{n}>Part {n} of all</a></li>" for n in range(5)) + "</ul></nav>"
SENTENCE = "The kettle that was bought last week whistles far too loudly for a small kitchen, they say, number {}."


def article(number):
    text = [SENTENCE.format(f"{number} {part}") for part in range(8)]
    return f"{MENU}<article><h1>Kettles</h1>{''.join(f'<p>{one}</p>' for one in text)}</article>", "\n".join(text)


def thread(number):
    text = [SENTENCE.format(f"{number} {part}") for part in range(6)]
    posts = "".join(
        f"<div class=post><b class=author>Name{n}</b><time>{n + 1} May 2024</time><p>{one}</p></div>"
        for n, one in enumerate(text)
    )
    return f"{MENU}<main><h1>Loud kettle</h1>{posts}</main>", "\n".join(text)


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "types"
    (folder / "pages").mkdir(parents=True)
    lines = []
    for number in range(16):
        kind = ("article", "forum")[number % 2]
        html, text = (article, thread)[number % 2](number)
        (folder / "pages" / f"p{number}.html").write_text(html, encoding="utf-8")
        address = f"https://site{number}.example/{'news/2024/x' if kind == 'article' else 'threads/x'}"
        entry = {
            "id": f"p{number}",
            "url": address,
            "domain": f"site{number}.example",
            "page_type": kind,
            "gold_text": text,
        }
        lines.append(json.dumps(entry | {"split": "train"}) + "\n")
    (folder / "gold.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def test_types_and_sets_are_learned(corpus, tmp_path):
    messages = []
    model = train_page_types([corpus], processes=1, say=messages.append)
    assert messages[0].startswith("16 pages")
    assert model.names == ("article", "thread")
    assert model.about["accuracy on unseen sites"] == 1.0
    assert model.about["sets right on unseen sites"] == 1.0
    model.save(tmp_path / "x.npz")
    again = load_page_types(tmp_path / "x.npz")
    assert again.types.weight == pytest.approx(model.types.weight, abs=1e-5)


def test_corpora_of_articles_teach_that_type(corpus, tmp_path):
    folder = tmp_path / "news"
    (folder / "pages").mkdir(parents=True)
    lines = []
    for number in range(8):
        html, text = article(number)
        (folder / "pages" / f"n{number}.html").write_text(html, encoding="utf-8")
        lines.append(json.dumps({"id": f"n{number}", "gold_text": text, "domain": f"n{number}.example"}))
    (folder / "gold.jsonl").write_text("\n".join(line[:-1] + ', "split": "train"}' for line in lines), encoding="utf-8")
    model = train_page_types([corpus], articles=[folder], processes=1, say=lambda _: None)
    assert model.about["types"] == {"article": 16, "thread": 8}
    assert model.about["corpora"] == {"news": 8, "types": 16}


def test_pages_without_a_type_teach_nothing(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<p>Text")
    (tmp_path / "gold.jsonl").write_text('{"id": "a", "gold_text": "Text", "split": "train"}\n')
    with pytest.raises(ValueError, match="no training page has a type"):
        train_page_types([tmp_path])


def test_one_type_is_not_enough():
    pages = [
        TypedPage(own=np.zeros(3), matrix=np.zeros((2, 3)), content=np.asarray([0.0, 1.0]), kind="article", site=str(n))
        for n in range(9)
    ]
    with pytest.raises(ValueError, match="pages of two types"):
        fit_page_types(pages)


def test_two_classes_are_a_softmax_of_two():
    matrix = np.asarray([[0.0], [0.1], [0.9], [1.0]])
    model = fit_softmax(matrix, np.asarray([0, 0, 1, 1]), np.ones(4), 10.0)
    likely = model.probability(matrix)
    assert likely.sum(axis=1) == pytest.approx(np.ones(4))
    assert (likely[:, 1] > 0.5).tolist() == [False, False, True, True]
