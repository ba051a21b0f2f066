"""BTE, by hand."""

import blocksight as bs
import pytest
from blocksight.classify.systems.bte import Bte
from blocksight.classify.systems.linear_page import leaf_words, stream_of
from blocksight.features.stretches import Ties


def marked(system, html):
    """The texts that a system marks."""
    page = bs.parse(html)
    return [text for text, mark in zip(page.leaf_texts, system.mark(page), strict=True) if mark]


def test_the_stream_has_a_tag_for_each_end_of_an_element():
    page = bs.parse("<html><head><title>t</title></head><body><p>a b<br><b>c</b></p><script>x y</script></body></html>")
    stream = stream_of(page)
    events = [
        page.text_of(row) if leaf >= 0 else f"{'' if opens else '/'}{page.tag_of(row)}"
        for row, leaf, opens in zip(stream.row, stream.leaf, stream.opens, strict=True)
    ]
    # Nothing of the head, nothing of the script, one tag for the break.
    assert events == ["html", "body", "p", "a b", "br", "b", "c", "/b", "/p", "/body", "/html"]


def test_words_minus_tags():
    # nav: two words between <a> tags, four tags from it to the paragraph; 2 - 4 < 0, so it stays out.
    # In the paragraph 5 + 1 + 2 words less 2 tags; the footer would add 3 words for the 4 tags </p><div><p><a>.
    html = (
        "<body><div><a>home news</a></div><p>one two three four five <b>six</b> seven eight</p>"
        "<div><p><a>all rights reserved</a></p></div></body>"
    )
    assert marked(Bte(), html) == ["one two three four five ", "six", " seven eight"]


def test_a_stretch_reaches_over_tags_that_pay():
    # Between the paragraphs stand two tags, the second has three words: 4 - 2 + 3 = 5 > 4.
    assert marked(Bte(), "<p>one two three four</p><p>five six seven</p>") == ["one two three four", "five six seven"]


@pytest.mark.parametrize(
    ("ties", "expected"), [(Ties.SHORTEST, ["one two three"]), (Ties.LONGEST, ["one two three", "four five"])]
)
def test_ties(ties, expected):
    # Two tags and two words: the longer stretch has 3 - 2 + 2 = 3, as has the shorter one.
    assert marked(Bte(ties=ties), "<p>one two three</p><p>four five</p>") == expected


def test_of_equals_the_first_is_taken():
    assert marked(Bte(), "<p>one two</p><hr><hr><p>three four</p>") == ["one two"]


def test_a_character_is_a_word_where_words_are_not_spaced():
    # 2 words against 4; six tags between.
    assert marked(Bte(), "<p>two words</p><hr><hr><hr><hr><p>这是正文</p>") == ["这是正文"]


def test_hidden_text_and_its_page():
    assert marked(Bte(), "<p>one two</p><p hidden>three</p>") == ["one two"]
    assert marked(Bte(), "<div><img></div>") == []


def test_time_is_linear():
    page = bs.parse("<div>" + "<p>some words <a>link</a> and more</p>" * 20_000 + "</div>")
    assert len(leaf_words(page)) == 60_000
    assert Bte().mark(page).all()
