"""The choice of a page's content, worked out by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.model.selection import expected_f1, fill_gaps, select_content
from blocksight.features.rows import rows_of


def counts_of(html):
    page = bs.parse(html)
    return rows_of(page, bs.text_blocks(page))


def test_expected_f1_by_hand():
    # One sure word in, one half-sure word out: 2·1 / (1 + 1.5).
    rows, weight, probability = np.array([True, False]), np.array([1.0, 1.0]), np.array([1.0, 0.5])
    assert expected_f1(rows, weight, probability) == pytest.approx(0.8)
    assert expected_f1(~rows & rows, weight, probability * 0) == 0


def test_the_choice_has_the_largest_expected_f1():
    counts = counts_of("<p>" + "word " * 30 + "</p><p>" + "word " * 30 + "</p><p>menu</p>")
    scores = np.array([1.5, 1.2, -2.0])
    choice = select_content(counts, scores, Calibration(slope=3.0, offset=-0.2))
    assert choice.rows.tolist() == [True, True, False]
    assert 0.9 < choice.expected_f1 <= 1


def test_where_all_is_doubtful_a_shift_of_the_page_takes_rather_more():
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


def test_what_nobody_sees_is_not_chosen():
    counts = counts_of("<p>" + "word " * 30 + "</p><p>" + "word " * 30 + "</p>")
    unseen = np.array([False, True])
    choice = select_content(counts, np.array([1.0, 1.0]), Calibration(slope=3.0, offset=0.0, spread=0.5), unseen)
    assert choice.rows.tolist() == [True, False]


def test_nothing_to_choose_from():
    counts = counts_of("<p>")
    assert select_content(counts, np.zeros(0), Calibration(slope=3.0, offset=-0.2)).expected_f1 == 0


def test_a_table_between_content_belongs_to_it():
    html = "<div><p>one two three</p><table><tr><td>a<td>b</table><p>four five six</p><table><tr><td>c</table></div>"
    counts = counts_of(html)
    chosen = np.array([True, False, False, True, False])
    assert fill_gaps(counts, chosen).tolist() == [True, True, True, True, False]


def test_a_list_of_links_between_content_does_not():
    html = "<div><p>one two three</p><ul><li><a href=/>a</a></li></ul><p>four five six</p></div>"
    assert fill_gaps(counts_of(html), np.array([True, False, True])).tolist() == [True, False, True]
