"""BTE and the search for the best stretch, by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.bte import Bte
from blocksight.classify.systems.reading.stream import Ties, best_stretch, leaf_words, maximal_stretches, stream_of


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


def test_no_stretch_without_a_gain():
    assert best_stretch(np.array([-1.0, 0.0, -2.0])) == (0, 0)
    assert best_stretch(np.zeros(0)) == (0, 0)


def test_best_stretches_by_all_pairs():
    random = np.random.default_rng(1)
    for _ in range(300):
        scores = random.integers(-3, 3, random.integers(1, 12)).astype(float)
        pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores) + 1)]
        most = max(scores[i:j].sum() for i, j in pairs)
        best = [(i, j) for i, j in pairs if scores[i:j].sum() == most > 0] or [(0, 0)]
        assert best_stretch(scores) == min(best, key=lambda pair: (pair[1] - pair[0], pair))
        assert best_stretch(scores, Ties.LONGEST) == min(best, key=lambda pair: (pair[0] - pair[1], pair))


def maximal(scores, low, high):
    """All maximal stretches by their definition: the best one, then those on its two sides."""
    pairs = [(scores[i:j].sum(), i, j) for i in range(low, high) for j in range(i + 1, high + 1)]
    most = max(pairs, default=(0.0, 0, 0))
    if most[0] <= 0:
        return []
    return [*maximal(scores, low, most[1]), most[1:], *maximal(scores, most[2], high)]


def test_maximal_stretches_by_their_definition():
    random = np.random.default_rng(2)
    for _ in range(300):
        scores = random.normal(0, 1, random.integers(1, 12))
        found = [(start, stop) for _, start, stop in maximal_stretches(scores)]
        assert found == maximal(scores, 0, len(scores))


def test_time_is_linear():
    page = bs.parse("<div>" + "<p>some words <a>link</a> and more</p>" * 20_000 + "</div>")
    assert len(leaf_words(page)) == 60_000
    assert Bte().mark(page).all()
