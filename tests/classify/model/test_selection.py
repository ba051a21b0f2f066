"""The choice of a page's content, worked out by hand."""

from math import log

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.model.selection import (
    candidate_sets,
    expected_f1,
    fill_gaps,
    select_content,
)
from blocksight.features.rows import rows_of


def counts_of(html):
    page = bs.parse(html)
    return rows_of(page, bs.text_blocks(page))


def filled(counts, selected, score=0.0):
    return fill_gaps(counts, selected, np.full(len(counts), score))


def test_expected_f1_by_hand():
    # One sure word in, one half-sure word out: 2·1 / (1 + 1.5).
    rows, weight, probability = np.array([True, False]), np.array([1.0, 1.0]), np.array([1.0, 0.5])
    assert expected_f1(rows, weight, probability) == pytest.approx(0.8)
    assert expected_f1(~rows & rows, weight, probability * 0) == 0


def test_select_content_largest_expected_f1():
    counts = counts_of("<p>" + "word " * 30 + "</p><p>" + "word " * 30 + "</p><p>menu</p>")
    scores = np.array([1.5, 1.2, -2.0])
    choice = select_content(counts, scores, Calibration(slope=3.0, offset=-0.2))
    assert choice.rows.tolist() == [True, True, False]
    assert 0.9 < choice.expected_f1 <= 1


def test_select_content_spread_of_doubtful_scores():
    counts = counts_of("".join(f"<p>{'word ' * 30}</p>" for _ in range(10)))
    scores = np.array([0.1] + [-0.6] * 9)
    alone = select_content(counts, scores, Calibration(slope=5.0, offset=0.0))
    together = select_content(counts, scores, Calibration(slope=5.0, offset=0.0, spread=1.0))
    assert alone.rows.sum() == 1
    assert together.rows.all()
    clear = np.array([1.5] * 5 + [-1.5] * 5)
    for spread in (0.0, 0.5):
        choice = select_content(counts, clear, Calibration(slope=5.0, offset=0.0, spread=spread))
        assert choice.rows.tolist() == (clear > 0).tolist()


def test_select_content_invisible_rows():
    counts = counts_of("<p>" + "word " * 30 + "</p><p>" + "word " * 30 + "</p>")
    unseen = np.array([False, True])
    choice = select_content(counts, np.array([1.0, 1.0]), Calibration(slope=3.0, offset=0.0, spread=0.5), unseen)
    assert choice.rows.tolist() == [True, False]


def test_fill_gaps_table_between():
    html = "<div><p>one two three</p><table><tr><td>a<td>b</table><p>four five six</p><table><tr><td>c</table></div>"
    counts = counts_of(html)
    chosen = np.array([True, False, False, True, False])
    assert filled(counts, chosen).tolist() == [True, True, True, True, False]


def test_fill_gaps_table_begun():
    # Ten words of cells, more than half of the seven that are selected.
    cells = "".join(f"<tr><td>{letter} b<td>c d e</tr>" for letter in "xy")
    counts = counts_of(f"<p>one two three four five</p><table><tr><th>name<th>sum</tr>{cells}</table>")
    header = np.array([True, True, True, False, False, False, False])
    assert filled(counts, header).all()
    assert filled(counts, header, score=-0.9).tolist() == header.tolist()
    # Nor does it by a cell in its middle, or if it is a table of links: eight of twelve words.
    middle = np.array([True, False, False, True, False, False, False])
    assert filled(counts, middle).tolist() == middle.tolist()
    linked = counts_of(
        f"<p>one two three</p><table><tr><th>name<th>sum</tr>{cells.replace('c d e', '<a href=/>c d e f</a>')}"
    )
    assert filled(linked, header).tolist() == header.tolist()


def test_fill_gaps_list_of_links():
    html = "<div><p>one two three</p><ul><li><a href=/>a</a></li></ul><p>four five six</p></div>"
    assert filled(counts_of(html), np.array([True, False, True])).tolist() == [True, False, True]


def sets(html, scores):
    return [np.flatnonzero(rows).tolist() for rows in candidate_sets(counts_of(html), np.asarray(scores))]


def test_candidate_sets_thresholds():
    # One row at each of the seven thresholds, and one above all of them.
    scores = [-1.0, -0.7, -0.5, -0.35, -0.2, 0.0, 0.25, 0.3]
    offered = sets("".join(f"<p>word {number}</p>" for number in range(8)), scores)
    assert offered[:7] == [list(range(first, 8)) for first in range(1, 8)]


def test_candidate_sets_levels():
    html = "<div><p>a b</p><p>c d</p></div><p>e f</p>"
    offered = sets(html, [0.5, -0.8, 0.5])
    everything, ends = [0, 1, 2], [0, 2]
    # Above -1 all of them, above the other thresholds the two at the ends.
    assert offered[:7] == [everything] + [ends] * 6
    # Two words a row. Level -0.7: 2.4 - 0.2 + 2.4 = 4.6; level -0.35: 1.7 - 0.9 + 1.7 = 2.5: the whole page.
    assert offered[7:15] == [everything, ends] * 4
    # Level 0: 1.0 - 1.6 + 1.0 = 0.4, less than the first paragraph has by itself.
    assert offered[15:] == [[0]] * 4


def test_candidate_sets_end_of_stretch():
    # Level -0.7: 1.2 - 1.3 + 1.2 = 1.1, less than 1.2; with the other levels even less.
    assert sets("<p>a</p><p>b</p><p>c</p>", [0.5, -2.0, 0.5])[-12:] == [[0]] * 12


def test_candidate_sets_stretch_across_elements():
    html = "<div><p>a</p><p>b</p></div><div><p>c</p><p>d</p></div>"
    offered = sets(html, [-2.0, 1.0, 1.0, -2.0])
    # Level 0: the two in the middle sum to 2, both elements around them to -1, the page to -2.
    assert offered[-4:] == [[1, 2], [1, 2], [1], [1]]


def test_candidate_sets_weight_of_words():
    # Level 0: 0.2 words of 4 = 0.8; -0.5 of no words counts as half a word: -0.25; then 0.3: together 0.85.
    assert sets("<p>a b c d</p><p>&mdash;</p><p>e</p>", [0.2, -0.5, 0.3])[-4] == [0, 1, 2]
    # -0.7 · 0.5 = -0.35 is more than the last row brings.
    assert sets("<p>a b c d</p><p>&mdash;</p><p>e</p>", [0.2, -0.7, 0.3])[-4] == [0]


def test_candidate_sets_floor():
    offered = sets("<p>a b</p><p>c</p><p>d e</p>", [1.0, -0.7, 1.0])
    # Level 0: 2.0 - 0.7 + 2.0 = 3.3 with the second row, which then goes.
    assert offered[-4:] == [[0, 1, 2], [0, 2]] * 2


def test_candidate_sets_none_empty():
    assert sets("<p>a</p>", [-5.0]) == []
    assert sets("<p>a</p>", [0.1]) == [[0]] * (6 + 3 * 4)


def test_select_content_expected_f1_by_hand():
    # Slope ln 3: a score of 1 is a probability of 3/4. One row of two words: 2 · 2 · 0.75 / (2 + 2 · 0.75) = 6/7.
    calibration = Calibration(slope=log(3), offset=0.0)
    assert select_content(counts_of("<p>a b</p>"), np.array([1.0]), calibration).expected_f1 == pytest.approx(6 / 7)
    # Hidden text weighs nothing, however likely it is.
    unseen = select_content(counts_of("<p>a b</p><p>c</p>"), np.array([1.0, 2.0]), calibration, np.array([False, True]))
    assert (unseen.rows.tolist(), unseen.expected_f1) == ([True, False], pytest.approx(6 / 7))
    # A dash has no word and weighs half a one: (2 · 0.75 + 0.5 · 0.75) · 2 / (2.5 + 2.5 · 0.75) = 6/7 again; with a
    # score of -1, 2 · 1.5 / (2 + 1.5 + 0.125).
    dash = select_content(counts_of("<p>a b</p><p>&mdash;</p>"), np.array([1.0, -1.0]), calibration)
    assert (dash.rows.tolist(), dash.expected_f1) == ([True, False], pytest.approx(3 / 3.625))


def test_select_content_without_candidates():
    nothing = select_content(counts_of("<p>a"), np.array([1.0]), Calibration(slope=1.0, offset=0.0), np.array([True]))
    assert nothing.expected_f1 == 0.0
    empty = select_content(counts_of("<p>"), np.zeros(0), Calibration(slope=1.0, offset=0.0))
    assert (len(empty.rows), empty.expected_f1) == (0, 0.0)


def test_expected_f1_of_several_sets():
    # Likely words: 2 · 0.5 and 1 · 1, together 2. One row: 2 · 1 / (2 + 2), or 2 · 1 / (1 + 2); both: 2 · 2 / (3 + 2).
    sets_of_rows = np.array([[True, False], [False, True], [True, True]])
    worth = expected_f1(sets_of_rows, np.array([2.0, 1.0]), np.array([0.5, 1.0]))
    assert worth.tolist() == pytest.approx([0.5, 2 / 3, 0.8])


def test_expected_f1_of_less_than_a_word():
    # 2 · 0.1 / (0.2 + 0.1).
    assert expected_f1(np.array([True]), np.array([0.2]), np.array([0.5])) == pytest.approx(2 / 3)


@pytest.mark.parametrize(("cell", "taken"), [("w x y z", True), ("v w x y z", False)])
def test_fill_gaps_most_words(cell, taken):
    # Eight chosen words: four are taken in, five are not.
    counts = counts_of(f"<p>a b c d</p><table><tr><td>{cell}</table><p>e f g h</p>")
    assert filled(counts, np.array([True, False, True])).tolist() == [True, taken, True]


@pytest.mark.parametrize(("links", "taken"), [("a b c d e", True), ("a b c d e f", False)])
def test_fill_gaps_most_links(links, taken):
    plain = " ".join(["w"] * (10 - len(links.split())))
    content = " ".join(["w"] * 20)
    counts = counts_of(f"<p>{content}</p><ul><li>{plain} <a href=/>{links}</a></ul><p>{content}</p>")
    assert filled(counts, np.array([True, False, True])).tolist() == [True, taken, True]


def test_fill_gaps_links_around():
    linked = f"<p><a href=/>{'w ' * 20}</a></p>"
    counts = counts_of(f"<p>x</p>{linked}<ul><li>a b c</ul>{linked}<p>y</p>")
    assert filled(counts, np.array([False, True, False, True, False])).tolist() == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("html", "chosen"),
    [
        # Neighbours of the table are chosen, but one of them lies outside of the table's parent.
        ("<p>a b c</p><div><table><tr><td>x</table><p>d e f</p></div>", [True, False, True]),
        ("<div><p>a b c</p><table><tr><td>x</table></div><p>d e f</p>", [True, False, True]),
        # Only one neighbour is chosen.
        ("<p>a b c</p><table><tr><td>x</table><p>d e f</p>", [True, False, False]),
        ("<p>a b c</p><table><tr><td>x</table><p>d e f</p>", [False, False, True]),
        # An empty table, behind which a block is not chosen.
        ("<p>a b c</p><table></table><p>d e f</p>", [True, False]),
        # No table.
        ("<p>a b c</p><div>x</div><p>d e f</p>", [True, False, True]),
    ],
)
def test_fill_gaps_others(html, chosen):
    assert filled(counts_of(html), np.array(chosen)).tolist() == chosen


def test_fill_gaps_table_in_part():
    counts = counts_of("<p>a b c</p><table><tr><td>x<td>y</table><p>d e f</p>")
    chosen = np.array([True, True, False, True])
    assert filled(counts, chosen).all()
    assert chosen.tolist() == [True, True, False, True]


TABLE = "<table><tr><th>Club<th>Points<tr><td>Eelton<td>41</table>"


@pytest.mark.parametrize(
    ("html", "chosen", "wanted"),
    [
        # A scoreboard below a paragraph, and nothing of the article below it.
        (f"<p>{'w ' * 9}</p>{TABLE}<p>About us</p>", [0], [0, 1, 2, 3, 4]),
        # The heading of the table is not content by itself, and stays what it is.
        (f"<p>{'w ' * 9}</p><h2>Table</h2>{TABLE}", [0], [0, 2, 3, 4, 5]),
        # In boxes of its own, as themes and editors write tables.
        (f"<div><p>{'w ' * 9}</p></div><figure><div>{TABLE}</div></figure>", [0], [0, 1, 2, 3, 4]),
        # What is above the table is no content, or there is nothing above it.
        (f"<p>Home</p>{TABLE}<p>{'w ' * 9}</p>", [5], [5]),
        (f"<h2>Table</h2>{TABLE}<p>{'w ' * 9}</p>", [5], [5]),
        (f"{TABLE}<p>{'w ' * 9}</p>", [4], [4]),
        # A paragraph that is no content is between.
        (f"<p>{'w ' * 9}</p><p>More</p>{TABLE}", [0], [0]),
        # One line, or a table for layout around another.
        (f"<p>{'w ' * 9}</p><table><tr><td>a<td>b<td>c<td>d</table>", [0], [0]),
        (f"<p>{'w ' * 9}</p><table><tr><td>a<td>b<tr><td><table><tr><td>c</table><td>d</table>", [0], [0]),
        # Code, and the numbers of its lines.
        (f"<p>{'w ' * 9}</p><div><pre>swim()</pre></div><p>About</p>", [0], [0, 1]),
        (f"<p>{'w ' * 9}</p><div><pre>1 2</pre></div><p>About</p>", [0], [0]),
        (f"<p>{'w ' * 9}</p><pre><table><tr><td>1 2<td>swim()</table></pre><p>About</p>", [0], [0, 2]),
        # What code prints, between content.
        (f"<p>{'w ' * 9}</p><pre>42</pre><p>{'w ' * 9}</p>", [0, 2], [0, 1, 2]),
        # A list may be a menu.
        (f"<p>{'w ' * 9}</p><ul><li>a<li>b</ul>", [0], [0]),
    ],
)
def test_fill_gaps_below_content(html, chosen, wanted):
    counts = counts_of(html)
    selected = np.isin(np.arange(len(counts)), chosen)
    assert np.flatnonzero(filled(counts, selected)).tolist() == wanted


@pytest.mark.parametrize(("score", "taken"), [(-0.69, True), (-0.71, False)])
def test_fill_gaps_score_of_sidebar(score, taken):
    counts = counts_of(f"<p>{'w ' * 9}</p>{TABLE}")
    assert filled(counts, np.array([True, False, False, False, False]), score)[1:].tolist() == [taken] * 4
    # Between content it is.
    counts = counts_of(f"<p>{'w ' * 9}</p>{TABLE}<p>{'w ' * 9}</p>")
    assert filled(counts, np.array([True, False, False, False, False, True]), score).all()


MANUAL = "<nav><p>Home</nav><p>net - cast a net</p><dl><dt>--wide<dd>Cast a wide net.</dl><p>See the <a href=/>%s</a>"
