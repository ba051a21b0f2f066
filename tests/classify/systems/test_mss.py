"""MSS without training, by hand."""

import blocksight as bs
from blocksight.classify.systems.mss.simple import LongestDiv, MssSimple, MssSimpleHr


def marked(system, html):
    """The texts that a system marks."""
    page = bs.parse(html)
    return [text for text, mark in zip(page.leaf_texts, system.mark(page), strict=True) if mark]


SEVEN = "one two three four five six seven"


def test_a_tag_costs_three_and_a_quarter_words():
    # </p><p> cost 6.5: seven words pay for them, six do not.
    assert marked(MssSimple(), f"<p>{SEVEN}</p><p>{SEVEN}</p>") == [SEVEN, SEVEN]
    six = SEVEN.removesuffix(" seven")
    assert marked(MssSimple(), f"<p>{SEVEN}</p><p>{six}</p>") == [SEVEN]


def test_symbols_count_as_words():
    # Six words and a full stop: 7 > 6.5.
    with_stop = SEVEN.removesuffix(" seven") + "."
    assert marked(MssSimple(), f"<p>{SEVEN}</p><p>{with_stop}</p>") == [SEVEN, with_stop]


def test_another_tag_score():
    assert marked(MssSimple(tag_score=-1.0), f"<p>{SEVEN}</p><p>one two three</p>") == [SEVEN, "one two three"]


def test_a_start_that_sums_up_to_nothing_is_kept():
    # Figure 1 of the paper: 13 words less four tags are nothing, and twenty words follow; of several stretches the
    # best begins behind.
    thirteen, twenty = f"{SEVEN} one two three four five six", f"{SEVEN} {SEVEN} one two three four five six"
    html = f"<p>{thirteen}</p><hr><hr><p>{twenty}</p>"
    assert marked(MssSimple(), html) == [thirteen, twenty]
    assert marked(MssSimpleHr(), html) == [thirteen]
    assert marked(MssSimple(stretches=2), html) == [thirteen, twenty]
    assert marked(MssSimple(tag_score=-3.3), html) == [twenty]


def test_two_stretches():
    # Four rules and two tags part them: 6 x 3.25 = 19.5 > 7.
    html = f"<p>lead of five words here</p><hr><hr><hr><hr><p>{SEVEN}</p><hr><hr><hr><hr><p>end</p>"
    assert marked(MssSimple(), html) == [SEVEN]
    assert marked(MssSimple(stretches=2), html) == ["lead of five words here", SEVEN]


def test_cut_at_the_rule():
    # </p><hr><p> cost 9.75 of fourteen words.
    html = f"<p>{SEVEN} {SEVEN}</p><hr><p>{SEVEN} {SEVEN}</p>"
    assert len(marked(MssSimple(), html)) == 2
    assert marked(MssSimpleHr(), html) == [f"{SEVEN} {SEVEN}"]


def test_cleaning_rules():
    # The table's five tags (tbody is one) cost 16.25 on each side, less than the 21 words behind it.
    last = f"{SEVEN} {SEVEN} {SEVEN}"
    linked = f"<div>{last} <a>{last}</a></div>"
    html = f"<p>{SEVEN}</p>{linked}<div>{SEVEN}</div><table><tr><td>{last} {last}</td></tr></table><p>{last}</p>"
    assert len(marked(MssSimple(), html)) == 6
    assert marked(MssSimple(clean=True), html) == [SEVEN, SEVEN, last]


def test_cleaning_keeps_elements_that_are_not_completely_inside():
    # The outer div holds a link, but opens before the stretch.
    html = f"<div><p>{SEVEN}</p><p>{SEVEN} <a>x</a> {SEVEN} {SEVEN}</p></div>"
    assert len(marked(MssSimple(clean=True), html)) == 4


def test_longest_cell_or_div():
    # 2 + 3 characters in the outer div, 5 in the cell; white space does not count.
    html = "<div>ab<div>cde</div></div><table><tr><td>fghij<td>k          l</table>"
    assert marked(LongestDiv(), html) == ["fghij"]
    assert marked(LongestDiv(), "<div>ab<div>cdef</div></div><table><tr><td>fghij</table>") == ["ab", "cdef"]
    assert marked(LongestDiv(), "<div><div>abc</div></div><p>a longer paragraph</p>") == ["abc"]
    assert marked(LongestDiv(), "<p>no such element</p>") == []
