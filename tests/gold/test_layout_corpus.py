"""Corpora of labelled layouts: what is content, what the pages lose, and labels that are wrong."""

import json

import pytest
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import label_leaves
from blocksight.gold.rendered import may_be_styled, read_page

from tests.generators.layout_corpus import built, entry, labelled_texts, without_names, write_corpus

HTML = """<title>Tea</title><nav data-block="menu">Home</nav>
<main data-block="list"><h1>Kettles</h1><div data-block='one'>Enamel <b>4 litres</b><button>Buy</button></div>
<p>Ten in all</p><script>var tea</script></main>"""
CONTENT = {"kind": "listing", "main": ["list", "one"], "without": ["button", "h1"], "title": "h1"}


def test_a_text_belongs_to_the_innermost_block_and_selectors_leave_parts_out():
    assert labelled_texts(HTML, CONTENT) == [
        ("Home", False), ("Kettles", False), ("Enamel ", True), ("4 litres", True),
        ("Buy", False), ("Ten in all", True),
    ]  # fmt: skip
    only_list = labelled_texts(HTML, CONTENT | {"main": ["list"]})
    assert [text for text, is_content in only_list if is_content] == ["Ten in all"]


def test_a_page_loses_the_names_of_its_blocks_alone():
    assert without_names(HTML).startswith("<title>Tea</title><nav>Home</nav>\n<main><h1>Kettles</h1><div>Enamel <b>")
    assert without_names("<p data-block=a>data-block is an attribute</p>") == "<p>data-block is an attribute</p>"
    assert without_names("<p>Write data-block=a there</p>") == "<p>Write data-block=a there</p>"


@pytest.mark.parametrize(
    "wrong", [{"main": ["lists"]}, {"without": ["h2"]}, {"author": ".writer"}], ids=["block", "part", "author"]
)
def test_labels_that_the_page_does_not_have(wrong):
    with pytest.raises(ValueError, match=r"lists|h2|writer"):
        entry("tea", HTML, CONTENT | wrong, "train")


def test_the_corpus_is_read_as_sites_with_labelled_leaves(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "tea.html").write_text(HTML, encoding="utf-8")
    (folder / "content.json").write_text(json.dumps({"tea": CONTENT}), encoding="utf-8")
    assert write_corpus([folder], tmp_path / "out", "train") == 1
    [gold] = read_corpus(tmp_path / "out")
    assert (gold.site, gold.split, gold.kind, gold.roles.title) == ("set-tea", "train", "listing", "Kettles")
    assert gold.text == "Enamel\n4 litres\nTen in all"
    assert may_be_styled(gold)
    page = read_page(gold)
    assert dict(zip(page.leaf_texts, label_leaves(page, gold).tolist(), strict=True))["4 litres"] == 1
    assert b"data-block" not in gold.raw()


def test_pages_of_the_repository_have_content_that_fits_their_blocks(fixtures):
    for listing in sorted(fixtures.glob("layouts*/content.json")):
        contents = json.loads(listing.read_text(encoding="utf-8"))
        assert set(contents) == {page.stem for page in listing.parent.glob("*.html")}
        for stem, content in contents.items():
            html = (listing.parent / f"{stem}.html").read_text(encoding="utf-8")
            if "<script" not in html:
                assert bool(entry(stem, html, content, "dev")["gold_text"]) == bool(content["main"]), stem


@pytest.mark.browser
def test_a_page_that_scripts_build_is_written_as_it_is_rendered():
    html = "<body><script>document.body.innerHTML += '<p data-block=tea>Ten kettles</p>'</script>"
    assert labelled_texts(built(html), {"kind": "listing", "main": ["tea"]}) == [("Ten kettles", True)]
    assert built(HTML.replace("<script>var tea</script>", "")) == HTML.replace("<script>var tea</script>", "")
