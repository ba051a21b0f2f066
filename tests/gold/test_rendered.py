"""Pages of a corpus, parsed, rendered and kept."""

import json

import pytest
from blocksight.errors import PageFailed, PageUnreadable
from blocksight.gold.corpora import read_corpus
from blocksight.gold.rendered import missing_pages, read_page, render_missing, saved_path, style_bytes
from blocksight.page.store import save


@pytest.fixture
def pages(tmp_path):
    """A page by itself, one of a site that is kept as a whole, an empty one, and one whose file is missing."""
    folder = tmp_path / "made"
    whole = {"id": "whole", "path": "sites/one/index.html", "url_path": "/sites/one/index.html"}
    entries = [{"id": "alone"}, whole, {"id": "empty"}, {"id": "missing"}]
    files = {
        "pages/alone.html": '<text id="1"><p>Boil fresh water.</p></text>',
        "pages/empty.html": " ",
        "sites/one/index.html": "<p>Pour</p><script src=/sites/one/more.js></script>",
        "sites/one/more.js": "document.body.append('the tea')",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "gold.jsonl").write_text("\n".join(json.dumps(entry | {"gold_text": "Boil"}) for entry in entries))
    return read_corpus(folder)


def test_raw_html_is_parsed(pages):
    alone, _, empty, missing = pages
    page = read_page(alone)
    assert page.leaf_texts == ("Boil fresh water.",)
    assert not page.has_tag("text").any()
    for gold in (empty, missing):
        with pytest.raises(PageFailed):
            read_page(gold)


def test_what_was_rendered_is_loaded(pages, tmp_path):
    alone = pages[0]
    with pytest.raises(PageUnreadable):
        read_page(alone, tmp_path)
    assert missing_pages(pages, tmp_path) == pages[:3]
    path = saved_path(tmp_path, alone)
    assert path == tmp_path / "made" / "alone.page"
    path.parent.mkdir(exist_ok=True)
    save(read_page(alone), path)
    assert read_page(alone, tmp_path).leaf_texts == ("Boil fresh water.",)
    assert missing_pages(pages, tmp_path) == pages[1:3]
    assert missing_pages(pages, tmp_path, screenshot=True) == pages[:3]


@pytest.mark.browser
def test_missing_pages_are_rendered_and_failures_named(pages, tmp_path):
    out, done = tmp_path / "out", {}

    def note(gold, why, seconds):
        done[gold.id] = why
        assert seconds > 0

    render_missing(pages, out, done=note)
    assert set(done) == {"alone", "whole", "empty"}
    assert [name for name, why in done.items() if why] == ["empty"]
    assert "".join(read_page(pages[1], out).leaf_texts) == "Pourthe tea"
    done.clear()
    render_missing(pages[:2], out, done=note)
    assert not done


def test_style_bytes():
    assert style_bytes(b"<style type=x>p{a:b}</style><p style='c:d'>style</p>") == len("p{a:b}") + len("'c:d'")
