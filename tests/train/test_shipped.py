"""Training on a small corpus of pages made up here."""

import json

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.corpora import read_corpus, read_sites
from blocksight.classify.model.model import load_model
from blocksight.classify.systems.blocksight import BlocksightDom
from blocksight.features.table import column_names
from blocksight.train.shipped import Recipe, squared_hinge, train, train_shipped, training_pages
from sklearn.svm import LinearSVC

SENTENCE = "The {n}th day brought rain, and with it news from the upper valley that nobody wanted to hear. "


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    pages = folder / "made" / "pages"
    pages.mkdir(parents=True)
    lines = []
    for n in range(24):
        gold = SENTENCE.format(n=n) * (1 + n % 4)
        menu = "".join(f"<li><a href=/{k}>Item {k}</a></li>" for k in range(3 + n % 5))
        (pages / f"p{n}.html").write_text(
            f"<title>Day {n}</title><ul>{menu}</ul><div class=text><p>{gold}</p><p>{gold}</p></div><p>© Site</p>"
        )
        split = "dev" if n >= 20 else "train"
        lines.append(
            {"id": f"p{n}", "gold_text": gold + gold, "domain": f"s{n % 7 + 10 * (n >= 20)}.org", "split": split}
        )
    lines.append({"id": "p20", "gold_text": "no split said", "domain": "x.org"})
    (folder / "made" / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_reading_a_corpus(corpora):
    pages = list(read_corpus(corpora / "made"))
    assert len(pages) == 25
    assert (pages[0].corpus, pages[0].id, pages[0].site) == ("made", "p0", "s0.org")
    assert pages[-1].split == "dev"


def test_a_broken_line_is_named(tmp_path):
    (tmp_path / "gold.jsonl").write_text('{"id": "a"\n')
    with pytest.raises(ValueError, match="line 1"):
        list(read_corpus(tmp_path))


def test_sites_give_the_split(tmp_path):
    (tmp_path / "sites.tsv").write_text("one\ttrain\ntwo\tdev\n\n")
    assert read_sites(tmp_path / "sites.tsv") == {"one": "train", "two": "dev"}


def test_only_training_pages_so_many_a_site(corpora):
    pages = training_pages(corpora)
    assert len(pages) == 20
    assert {page.split for page in pages} == {"train"}
    assert len(training_pages(corpora, pages_a_site=1)) == 7


def test_dev_pages_are_refused(corpora):
    dev = [page for page in read_corpus(corpora / "made") if page.split == "dev"]
    with pytest.raises(ValueError, match="only pages of the split train"):
        train(dev, Recipe(groups=("text",), rendered=None))


def test_training_learns_and_repeats_itself(corpora, tmp_path):
    pages = training_pages(corpora)
    recipe = Recipe(groups=("text", "link", "structure", "region", "neighbour", "page"), rendered=None)
    model = train(pages, recipe, processes=1)
    again = train(pages, recipe, processes=1)
    np.testing.assert_array_equal(model.second.weight, again.second.weight)
    assert model.about["corpora"] == {"made": 20}
    model.save(tmp_path / "m.npz")
    unseen = bs.parse((corpora / "made" / "pages" / "p22.html").read_bytes())
    marks = BlocksightDom(model=load_model(tmp_path / "m.npz")).mark(unseen)
    text = [text for text, mark in zip(unseen.leaf_texts, marks, strict=True) if mark]
    assert text == [SENTENCE.format(n=22) * 3] * 2


def test_nothing_to_train_on(tmp_path):
    with pytest.raises(ValueError, match="no corpus with pages of the split train"):
        train_shipped(tmp_path, rendered=tmp_path / "pages", out=tmp_path / "models")
    assert not (tmp_path / "models").exists()


def test_visual_columns_are_for_rendered_pages_only():
    assert not set(Recipe(groups=("text",), rendered=None).columns) & set(column_names("visual"))


def test_the_plane_is_scikit_learns():
    random = np.random.default_rng(0)
    rows = random.normal(size=(400, 5)).astype(np.float32)
    labels = rows @ [1.0, -2.0, 0.5, 0.0, 0.0] + 0.3 + random.normal(size=400) > 0
    weight = random.random(400) + 0.5
    plane, bias = squared_hinge(rows, labels, weight, 1e-2)
    svc = LinearSVC(C=1 / (1e-2 * 400), dual=False, intercept_scaling=100.0, tol=1e-8, max_iter=10_000)
    svc.fit(rows, labels, sample_weight=weight / weight.mean())
    np.testing.assert_allclose(plane, svc.coef_[0], atol=2e-3)
    assert bias == pytest.approx(float(svc.intercept_[0]), abs=2e-3)
