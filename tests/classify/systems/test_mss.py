"""MSS without training, by hand."""

import blocksight as bs
import numpy as np
from blocksight.classify.systems.linear_page import stream_of
from blocksight.classify.systems.mss.simple import LongestDiv, MssSimple, best_stretches, junk


def marked(system, html):
    """The texts that a system marks."""
    page = bs.parse(html)
    return [text for text, mark in zip(page.leaf_texts, system.mark(page), strict=True) if mark]


SEVEN = "one two three four five six seven"


def test_mss_simple_tag_score():
    # </p><p> cost 6.5: seven words pay for them, six do not.
    assert marked(MssSimple(), f"<p>{SEVEN}</p><p>{SEVEN}</p>") == [SEVEN, SEVEN]
    six = SEVEN.removesuffix(" seven")
    assert marked(MssSimple(), f"<p>{SEVEN}</p><p>{six}</p>") == [SEVEN]


def test_mss_simple_symbols():
    # Six words and a full stop: 7 > 6.5.
    with_stop = SEVEN.removesuffix(" seven") + "."
    assert marked(MssSimple(), f"<p>{SEVEN}</p><p>{with_stop}</p>") == [SEVEN, with_stop]


def test_mss_simple_other_tag_score():
    assert marked(MssSimple(tag_score=-1.0), f"<p>{SEVEN}</p><p>one two three</p>") == [SEVEN, "one two three"]


def test_mss_simple_keeps_a_start_with_sum_zero():
    # Figure 1 of the paper: 13 words less four tags are nothing, and twenty words follow.
    thirteen, twenty = f"{SEVEN} one two three four five six", f"{SEVEN} {SEVEN} one two three four five six"
    html = f"<p>{thirteen}</p><hr><hr><p>{twenty}</p>"
    assert marked(MssSimple(), html) == [thirteen, twenty]
    assert marked(MssSimple(tag_score=-3.3), html) == [twenty]


def test_best_stretches_by_hand():
    # A start that sums up to nothing is kept by the only stretch, and is one of several.
    assert best_stretches(np.asarray([5.0, -5.0, 7.0, -9.0, 1.0]), 1) == [(0, 3)]
    assert best_stretches(np.asarray([5.0, -5.0, 7.0, -9.0, 1.0]), 2) == [(2, 3), (0, 1)]


def kept_by_cleaning(html):
    """The texts of the best stretch without junk."""
    page = bs.parse(html)
    stream, system = stream_of(page), MssSimple()
    marks = system.mark(page) & ~junk(page, stream, system.stretch_of(page, stream))
    return [text for text, mark in zip(page.leaf_texts, marks, strict=True) if mark]


def test_junk_tables_and_divs_with_links():
    # The table's five tags (tbody is one) cost 16.25 on each side, less than the 21 words behind it.
    last = f"{SEVEN} {SEVEN} {SEVEN}"
    linked = f"<div>{last} <a>{last}</a></div>"
    html = f"<p>{SEVEN}</p>{linked}<div>{SEVEN}</div><table><tr><td>{last} {last}</td></tr></table><p>{last}</p>"
    assert len(marked(MssSimple(), html)) == 6
    assert kept_by_cleaning(html) == [SEVEN, SEVEN, last]


def test_junk_is_only_what_is_completely_inside():
    # The outer div holds a link, but opens before the stretch.
    assert len(kept_by_cleaning(f"<div><p>{SEVEN}</p><p>{SEVEN} <a>x</a> {SEVEN} {SEVEN}</p></div>")) == 4


def test_longest_cell_or_div():
    # 2 + 3 characters in the outer div, 5 in the cell; white space does not count.
    html = "<div>ab<div>cde</div></div><table><tr><td>fghij<td>k          l</table>"
    assert marked(LongestDiv(), html) == ["fghij"]
    assert marked(LongestDiv(), "<div>ab<div>cdef</div></div><table><tr><td>fghij</table>") == ["ab", "cdef"]
    assert marked(LongestDiv(), "<div><div>abc</div></div><p>a longer paragraph</p>") == ["abc"]
    assert marked(LongestDiv(), "<p>no such element</p>") == []
