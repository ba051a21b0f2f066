"""Corpora in each of the known forms, made up here."""

import gzip
import json

import pytest
from blocksight.errors import CorpusUnreadable
from blocksight.gold.corpora import FORMS, read_corpus

HTML = "<title>Tea</title><p>Boil fresh water.</p>"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def test_our_own_form(tmp_path):
    entries = [
        {"id": "a", "gold_text": "Boil", "gold_texts": ["Tea. Boil", "Boil"], "lang": "en", "split": "train"},
        {"id": "b", "must_have": ["x"], "must_not": ["y"], "page_type": "forum", "encoding": "cp1252", "rebuilt": True},
        {"id": "c", "leaf_text": ["Boil", "Home", "Tea", "Ad"], "leaf_label": [3, 1, 2, 0]},
        {"id": "missing", "gold_text": "x"},
        {"id": "no-gold"},
        {"gold_text": "no id"},
        {"id": "a", "gold_text": "Boil"},
    ]
    write(tmp_path / "gold.jsonl", "\n".join(map(json.dumps, entries)) + "\n\n[1]\nnot json\n")
    for name in "abc":
        write(tmp_path / "pages" / f"{name}.html", HTML)
    write(tmp_path / "pages" / "no-gold.html", HTML)
    pages = read_corpus(tmp_path)
    a, b, c = pages[:3]
    assert a.texts == ("Boil", "Tea. Boil")
    assert (a.corpus, a.folder, a.language, a.split, a.error) == (tmp_path.name, tmp_path, "en", "train", "")
    assert (b.snippets.must_have, b.snippets.must_not, b.kind, b.encoding) == (("x",), ("y",), "forum", "cp1252")
    assert [page.roles.rebuilt for page in (a, b, c)] == [False, True, False]
    assert (c.nodes.texts, c.nodes.labels) == (("Boil", "Home", "Tea", "Ad"), (1, 0, -1, -1))
    assert [(page.id, bool(page.error)) for page in pages[3:]] == [
        ("missing", True), ("no-gold", True), ("line 6", True), ("a (2)", True), ("line 9", True), ("line 10", True),
    ]  # fmt: skip
    assert "no file" in pages[3].error
    # What is not said to be for training is not; of an entry that cannot be read nothing is known.
    assert [page.split for page in pages] == ["train", "dev", "dev", "dev", "dev", "", "dev", "", ""]


def test_fields_count_where_the_page_shows_them(tmp_path):
    shown = {"id": "a", "gold_text": "", "title": "Eels", "title_in_page": True, "author": "Ada", "date": "2021-03-05"}
    write(
        tmp_path / "gold.jsonl", "\n".join(map(json.dumps, [shown, {"id": "b", "gold_text": "Boil", "title": "Eels"}]))
    )
    for name in "ab":
        write(tmp_path / "pages" / f"{name}.html", HTML)
    a, b = read_corpus(tmp_path)
    assert (a.metadata.title, a.metadata.authors, a.metadata.date) == ("Eels", (), "2021-03-05")
    assert not b.metadata.title


def test_labels_of_pieces(tmp_path):
    pieces = [("Boil", "content"), ("Home", "boilerplate"), ("Tea", "uncertain")]
    entry = {"id": "a", "labels": [{"text": text, "label": label} for text, label in pieces]}
    write(tmp_path / "gold.jsonl", json.dumps(entry))
    write(tmp_path / "pages" / "a.html", HTML)
    (page,) = read_corpus(tmp_path)
    assert (page.nodes.texts, page.nodes.labels, page.error) == (("Boil", "Home", "Tea"), (1, 0, -1), "")


@pytest.mark.parametrize(
    "gold",
    [
        {"gold_text": 5},
        {"gold_texts": "one text and no list"},
        {"must_have": "one snippet and no list"},
        {"labels": [{"text": "a", "label": "perhaps"}]},
        {"leaf_text": ["a", "b"], "leaf_label": [3]},
        {"leaves": [["/html", float("inf"), "type", "Boil", "body"]]},
        {"posts": ["one post and no object"]},
        {"gold_authors": "one name and no list"},
    ],
)
def test_gold_that_makes_no_sense_is_a_page_with_a_reason(tmp_path, gold):
    write(tmp_path / "gold.jsonl", "\n".join(map(json.dumps, [{"id": "a"} | gold, {"id": "b", "gold_text": "Boil"}])))
    for name in "ab":
        write(tmp_path / "pages" / f"{name}.html", HTML)
    a, b = read_corpus(tmp_path)
    assert "not a gold page" in a.error
    assert not b.error


def test_a_name_that_no_file_can_have_is_a_page_with_a_reason(tmp_path):
    write(tmp_path / "gold.jsonl", json.dumps({"id": "a" * 400, "gold_text": "Boil"}))
    (tmp_path / "pages").mkdir()
    assert "cannot be found" in read_corpus(tmp_path)[0].error


def test_a_line_in_another_encoding_ends_nothing(tmp_path):
    lines = [json.dumps({"id": "a", "gold_text": "Boil"}).encode(), b'{"id": "b", "gold_text": "\xe9t\xe9"}']
    (tmp_path / "gold.jsonl").write_bytes(b"\n".join(lines))
    write(tmp_path / "pages" / "a.html", HTML)
    a, b = read_corpus(tmp_path)
    assert (a.error, b.id) == ("", "line 2")


def test_a_list_of_sites_gives_the_split(tmp_path):
    served = {"path": "sites/one/x.html", "url_path": "/sites/one/x.html#/p", "domain": "one.org"}
    entries = [{"id": "a"} | served, {"id": "b", "domain": "b.org", "split": "dev"}, {"id": "c"}, {"id": "d"}]
    write(tmp_path / "gold.jsonl", "\n".join(json.dumps(entry | {"gold_text": "Boil"}) for entry in entries))
    write(tmp_path / "sites" / "one" / "x.html", HTML)
    for name in "bcd":
        write(tmp_path / "pages" / f"{name}.html", HTML)
    pages = read_corpus(tmp_path, {"one": "train", "b.org": "train", f"{tmp_path.name}/c": "train", "one.org": "dev"})
    assert [page.site for page in pages] == ["one", "b.org", f"{tmp_path.name}/c", f"{tmp_path.name}/d"]
    assert [page.split for page in pages] == ["train", "train", "train", "dev"]
    assert [page.error for page in pages] == [""] * 4


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
    one, ten = read_corpus(tmp_path)
    assert one.texts == ("Tea\nBoil fresh\nwater.\nDrink.",)
    assert one.url == "http://tea.example/"
    assert one.raw().strip() == HTML.encode()
    assert (ten.id, bool(ten.error)) == ("10", True)


def test_article_extraction_benchmark(tmp_path):
    truth = {"f00": {"articleBody": "Boil", "url": "http://a.b"}, "f01": {"articleBody": "Boil"}}
    write(tmp_path / "ground-truth.json", json.dumps(truth))
    write(tmp_path / "html" / "f00.html.gz", HTML)
    one, other = read_corpus(tmp_path)
    assert (one.texts, one.url, one.raw()) == (("Boil",), "http://a.b", HTML.encode())
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
    a, c, e = read_corpus(tmp_path)
    assert (a.id, a.url, a.snippets.must_have, a.snippets.must_not, a.error) == (
        "a",
        "http://a.b",
        ("Boil",),
        ("Home",),
        "",
    )
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
    good, bad = read_corpus(tmp_path)
    assert (good.id, good.kind, good.texts, good.snippets.must_not) == (identity, "forum", ("Boil",), ("Home",))
    assert good.raw() == HTML.encode()
    assert "not a gold page" in bad.error


def test_pairs(tmp_path):
    write(tmp_path / "one.html", HTML)
    write(tmp_path / "one.txt", "Boil fresh water.")
    write(tmp_path / "two.htm.gz", HTML)
    write(tmp_path / "two.txt", "Boil.")
    write(tmp_path / "three.html", HTML)
    pages = {page.id: page for page in read_corpus(tmp_path)}
    assert (pages["one"].texts, pages["two"].raw()) == (("Boil fresh water.",), HTML.encode())
    assert pages["three"].error


def test_no_corpus(tmp_path):
    with pytest.raises(CorpusUnreadable) as caught:
        read_corpus(tmp_path)
    assert all(form.name in str(caught.value) for form in FORMS)
    with pytest.raises(CorpusUnreadable, match="is not a folder"):
        read_corpus(tmp_path / "nowhere")
    write(tmp_path / "ground-truth.json", "{")
    with pytest.raises(CorpusUnreadable, match="the gold of article-extraction-benchmark cannot be read"):
        read_corpus(tmp_path)
