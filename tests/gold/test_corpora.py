"""Corpora in each of the known forms, made up here."""

import gzip
import json

import pytest
from blocksight.gold.corpora import FORMS, read_cases
from blocksight.gold.pages import Case, sample
from blocksight.render.errors import CorpusUnreadable

HTML = "<title>Tea</title><p>Boil fresh water.</p>"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def test_our_own_form(tmp_path):
    entries = [
        {"id": "a", "gold_text": "Boil", "gold_texts": ["Tea. Boil", "Boil"], "lang": "en", "split": "train"},
        {"id": "b", "must_have": ["x"], "must_not": ["y"], "page_type": "forum", "encoding": "cp1252"},
        {"id": "c", "leaf_text": ["Boil", "Home"], "leaf_label": [3, 2]},
        {"id": "missing", "gold_text": "x"},
        {"id": "no-gold"},
        {"gold_text": "no id"},
        {"id": "a", "gold_text": "Boil"},
    ]
    write(tmp_path / "gold.jsonl", "\n".join(map(json.dumps, entries)) + "\n\n[1]\nnot json\n")
    for name in "abc":
        write(tmp_path / "pages" / f"{name}.html", HTML)
    write(tmp_path / "pages" / "no-gold.html", HTML)
    cases = read_cases(tmp_path)
    a, b, c = cases[:3]
    assert a.gold.texts == ("Boil", "Tea. Boil")
    assert (a.corpus, a.language, a.split, a.error) == (tmp_path.name, "en", "train", "")
    assert (b.gold.must_have, b.gold.must_not, b.kind, b.encoding) == (("x",), ("y",), "forum", "cp1252")
    assert c.gold.leaves == (("Boil", True), ("Home", False))
    assert [(case.id, bool(case.error)) for case in cases[3:]] == [
        ("missing", True), ("no-gold", True), ("line 6", True), ("a (2)", True), ("line 9", True), ("line 10", True),
    ]  # fmt: skip
    assert "no file" in cases[3].error


def test_served_sites_and_their_splits(tmp_path):
    entry = {"id": "a", "path": "sites/one/x.html", "url_path": "/sites/one/x.html#/p", "gold_text": "Boil"}
    write(tmp_path / "gold.jsonl", json.dumps(entry))
    write(tmp_path / "sites" / "one" / "x.html", HTML)
    (case,) = read_cases(tmp_path, {"one": "train"})
    assert (case.url_path, case.split, case.error) == ("/sites/one/x.html#/p", "train", "")


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("orig/1.html", "clean/1.txt"),
        ("input/1.html", "GoldStandard/1-cleaned.txt"),
        ("en_original/1.html", "en_cleaned/1.txt"),
    ],
)
def test_cleaneval(tmp_path, page, text):
    write(tmp_path / page, f'<text id="1" title="x">\n{HTML}\n</text>\n')
    write(tmp_path / text, "URL: http://tea.example/\n\n<h>Tea\n<p>Boil fresh\nwater.\n<l>Drink.")
    write((tmp_path / page).with_name("10.html"), HTML)
    one, ten = read_cases(tmp_path)
    assert one.gold.texts == ("Tea\nBoil fresh\nwater.\nDrink.",)
    assert one.gold.markup.split() == "<h>Tea <p>Boil fresh water. <l>Drink.".split()
    assert one.url == "http://tea.example/"
    assert one.raw().strip() == HTML.encode()
    assert (ten.id, bool(ten.error)) == ("10", True)


def test_article_extraction_benchmark(tmp_path):
    truth = {"f00": {"articleBody": "Boil", "url": "http://a.b"}, "f01": {"articleBody": "Boil"}}
    write(tmp_path / "ground-truth.json", json.dumps(truth))
    write(tmp_path / "html" / "f00.html.gz", HTML)
    one, other = read_cases(tmp_path)
    assert (one.gold.texts, one.url, one.raw()) == (("Boil",), "http://a.b", HTML.encode())
    assert other.error


@pytest.mark.parametrize("home", ["", "tests"])
def test_trafilaturas_evaluation(tmp_path, home):
    truth = {
        "http://a.b": {"file": "a.html", "with": ["Boil"], "without": ["Home"]},
        "http://c.d": {"file": "c.html", "with": ["Boil"], "without": ["Home"]},
        "http://e.f": {"file": "", "with": ["Boil"], "without": ["Home"]},
    }
    write(tmp_path / home / "evaldata.json", json.dumps(truth))
    write(tmp_path / home / "cache" / "a.html", HTML)
    write(tmp_path / home / "eval" / "c.html", HTML)
    a, c, e = read_cases(tmp_path)
    assert (a.id, a.url, a.gold.must_have, a.gold.must_not, a.error) == ("a", "http://a.b", ("Boil",), ("Home",), "")
    assert (c.path.parent.name, c.error) == ("eval", "")
    assert e.error


@pytest.mark.parametrize(("home", "identity"), [("", "0001"), ("dev", "dev-0001")])
def test_wcxb(tmp_path, home, identity):
    truth = {
        "url": "http://a.b",
        "_internal": {"page_type": {"primary": "forum"}},
        "ground_truth": {"main_content": "Boil", "with": ["Boil"], "without": ["Home"]},
    }
    write(tmp_path / home / "ground-truth" / "0001.json", json.dumps(truth))
    write(tmp_path / home / "ground-truth" / "0002.json", "{}")
    write(tmp_path / home / "html" / "0001.html.gz", HTML)
    good, bad = read_cases(tmp_path)
    assert (good.id, good.kind, good.gold.texts, good.gold.must_not) == (identity, "forum", ("Boil",), ("Home",))
    assert good.raw() == HTML.encode()
    assert "not a gold page" in bad.error


def test_pairs(tmp_path):
    write(tmp_path / "one.html", HTML)
    write(tmp_path / "one.txt", "Boil fresh water.")
    write(tmp_path / "two.htm.gz", HTML)
    write(tmp_path / "two.txt", "Boil.")
    write(tmp_path / "three.html", HTML)
    cases = {case.id: case for case in read_cases(tmp_path)}
    assert (cases["one"].gold.texts, cases["two"].raw()) == (("Boil fresh water.",), HTML.encode())
    assert cases["three"].error


def test_no_corpus(tmp_path):
    with pytest.raises(CorpusUnreadable) as caught:
        read_cases(tmp_path)
    assert all(form.name in str(caught.value) for form in FORMS)
    with pytest.raises(CorpusUnreadable, match="is no folder"):
        read_cases(tmp_path / "nowhere")
    write(tmp_path / "ground-truth.json", "{")
    with pytest.raises(CorpusUnreadable, match="article-extraction-benchmark, but"):
        read_cases(tmp_path)


def test_a_sample_is_spread_over_the_kinds_and_always_the_same(tmp_path):
    cases = [Case(corpus="x", id=f"{kind}{n}", path=tmp_path, kind=kind) for kind in ("a", "b") for n in range(10)]
    chosen = sample(cases, 6)
    assert [case.kind for case in chosen] == ["a", "b"] * 3
    assert chosen == sample(cases[::-1], 6)
    assert len(sample(cases, None)) == 20
