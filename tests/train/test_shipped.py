"""Training on a small corpus of pages made up here."""

import json
import shutil

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import load_model
from blocksight.classify.systems.blocksight import BlocksightDom
from blocksight.features.block_table import column_names
from blocksight.gold.anonymised import Markup
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage
from blocksight.gold.split import training_pages
from blocksight.train.recipe import ARTICLE_WEIGHT, STRIPPED_WEIGHT, Recipe
from blocksight.train.shipped import FOLDS, folds_by_corpus, train_recipe, train_shipped

pytestmark = pytest.mark.long

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


def test_one_site_is_refused(corpora):
    pages = [page for page in training_pages([corpora / "made"]) if page.site == "s0.org"]
    with pytest.raises(ValueError, match="two sites"):
        train_recipe(pages, Recipe(groups=("text",), rendered=None), processes=1)


def test_dev_pages_are_refused(corpora):
    dev = [page for page in read_corpus(corpora / "made") if page.split == "dev"]
    with pytest.raises(ValueError, match="only pages of the split train"):
        train_recipe(dev, Recipe(groups=("text",), rendered=None))


def test_training_learns_and_repeats_itself(corpora, tmp_path):
    pages = training_pages([corpora / "made"])
    recipe = Recipe(groups=("text", "link", "structure", "region", "neighbour", "page"), rendered=None)
    model = train_recipe(pages, recipe, processes=1)
    again = train_recipe(pages, recipe, processes=2)
    np.testing.assert_array_equal(model.second.weight, again.second.weight)
    np.testing.assert_array_equal(model.confidence.knots, again.confidence.knots)
    table = model.about["confidence on unseen sites"]["table"]
    assert sum(row["pages"] for row in table) == len(pages)
    np.testing.assert_array_equal(model.roles.second.weight, again.roles.second.weight)
    assert model.about["corpora"] == {"made": 20}
    assert model.about["pages by markup"]["plain"] > 0
    model.save(tmp_path / "m.npz")
    unseen = bs.parse((corpora / "made" / "pages" / "p22.html").read_bytes())
    marks = BlocksightDom(model=load_model(tmp_path / "m.npz")).mark(unseen)
    text = [text for text, mark in zip(unseen.leaf_texts, marks, strict=True) if mark]
    assert text == [SENTENCE.format(n=22) * 3] * 2


def test_a_stripped_page_counts_a_share_of_the_same_page_as_it_is(corpora):
    gold = training_pages([corpora / "made"])[0]
    recipe = Recipe(groups=("text",), rendered=None)
    known, bare = recipe.rows((gold, Markup.ORIGINAL)), recipe.rows((gold, Markup.PLAIN))
    assert known.weight.any()
    np.testing.assert_allclose(bare.weight, STRIPPED_WEIGHT * known.weight)
    assert bare.labels.tolist() == known.labels.tolist()


def with_pieces(corpora, tmp_path):
    """Copy the corpora, with a second one of pages of which only the menus are known."""
    folder = tmp_path / "corpora"
    shutil.copytree(corpora, folder)
    (folder / "menus").mkdir()
    (folder / "menus" / "pages").symlink_to(folder / "made" / "pages")
    piece = {"text": "Item 0", "role": "navigation", "leaves": [0, 1]}
    entries = [{"id": f"p{n}", "domain": f"s{n % 7}.org", "split_safe": "train", "pieces": [piece]} for n in range(6)]
    (folder / "menus" / "gold.jsonl").write_text("\n".join(map(json.dumps, entries)))
    return folder


def test_pages_with_partial_gold_teach_and_do_not_judge(corpora, tmp_path):
    folder = with_pieces(corpora, tmp_path)
    pages = training_pages([folder / "made", folder / "menus"])
    recipe = Recipe(groups=("text", "link", "structure"), rendered=None)
    model = train_recipe(pages, recipe, processes=1)
    assert model.about["corpora"] == {"made": 20, "menus": 6}
    # What is not in the pieces is unknown: counted as wrong, the texts of these pages would lower the F1.
    assert model.about["F1 on unseen sites"] > 0.9
    stripped = [task for task in recipe.tasks(pages) if task[1] is Markup.PLAIN and not task[0].is_partial]
    assert model.about["pages by markup"]["plain"] == len(stripped)


def test_gold_of_pieces_alone_is_not_enough(corpora, tmp_path):
    folder = with_pieces(corpora, tmp_path)
    (folder / "made" / "gold.jsonl").unlink()
    with pytest.raises(ValueError, match="only gold of pieces; add one with whole texts"):
        train_shipped(folder, rendered=tmp_path / "pages", out=tmp_path / "models")


def test_nothing_to_train_on(tmp_path):
    with pytest.raises(ValueError, match="no corpus with pages of the split train"):
        train_shipped(tmp_path, rendered=tmp_path / "pages", out=tmp_path / "models")
    assert not (tmp_path / "models").exists()


def test_pages_that_cannot_be_used_are_named_and_end_nothing(corpora, tmp_path, capsys, monkeypatch):
    folder = tmp_path / "corpora" / "made"
    shutil.copytree(corpora / "made", folder)
    with (folder / "gold.jsonl").open("a") as listing:
        listing.write('\n{"id": "gone", "gold_text": "x", "split": "train"}\nnot json\n')
    asked = []

    def train_on(pages, *_, **__):
        asked.extend(pages)
        raise KeyboardInterrupt

    monkeypatch.setattr("blocksight.train.shipped.train_recipe", train_on)
    with pytest.raises(KeyboardInterrupt):
        train_shipped(folder.parent, rendered=tmp_path, out=tmp_path, only="dom")
    assert len(asked) == 20
    said = capsys.readouterr().err
    assert "made/gone: there is no file" in said
    assert "made/line 27: not a gold page" in said


def test_what_the_gold_says_nothing_of_weighs_nothing(tmp_path):
    (tmp_path / "a.html").write_text("<p>The mine is deep and old.</p><p>—</p><p>Home</p>")
    gold = GoldPage(corpus="c", id="a", path=tmp_path / "a.html", texts=("The mine is deep and old.",), split="train")
    rows = Recipe(groups=("text",), rendered=None).rows((gold, Markup.ORIGINAL))
    assert rows.labels.tolist() == [True, False, False]
    assert (rows.weight > 0).tolist() == [True, False, True]


def test_articles_weigh_less_in_the_model_of_raw_html(tmp_path):
    (tmp_path / "a.html").write_text("<p>The mine is deep and old.</p><p>Home</p>")

    def weight(articles, **about):
        texts = ("The mine is deep and old.",)
        gold = GoldPage(
            **{"corpus": "c", "id": "a", "path": tmp_path / "a.html", "texts": texts, "split": "train"} | about
        )
        return Recipe(groups=("text",), rendered=None, articles=articles).rows((gold, Markup.ORIGINAL)).weight

    whole = weight(())
    assert weight((), kind="listing").tolist() == weight(("d",)).tolist() == whole.tolist()
    assert weight((), kind="article") == pytest.approx(whole * ARTICLE_WEIGHT)
    assert weight(("c",)) == pytest.approx(whole * ARTICLE_WEIGHT)


def test_folds_by_corpus(tmp_path):
    def golds(corpus, sites, kind=""):
        pages = [(site, number) for site in sites for number in range(2)]
        return [
            GoldPage(corpus=corpus, id=f"{site}{n}", path=tmp_path, domain=f"{site}.org", kind=kind)
            for site, n in pages
        ]

    of_types = golds("types", "stuvwxyz", "product")
    pages = [*of_types, *golds("news", "abcd"), *golds("again", "abcde"), *golds("blogs", "fghi"), *golds("old", "jkl")]
    folds = dict(zip([(gold.corpus, gold.site) for gold in pages], folds_by_corpus(pages).tolist(), strict=True))
    held_out = {corpus: {fold for (own, _), fold in folds.items() if own == corpus} for corpus, _ in folds}
    assert [len(held_out[corpus]) for corpus in ("news", "again", "blogs", "old")] == [1, 1, 1, 1]
    # Most sites of one are those of the other.
    assert held_out["news"] == held_out["again"] != held_out["blogs"]
    # No other corpus has pages of its types.
    assert len(held_out["types"]) > 1
    # Of a few corpora each is divided.
    assert len(set(folds_by_corpus(golds("news", "abcd")).tolist())) == FOLDS


def test_visual_columns_are_for_rendered_pages_only():
    assert not set(Recipe(groups=("text",), rendered=None).columns) & set(column_names("visual"))
