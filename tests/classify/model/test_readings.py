"""Readings of small pages: an article with comments, an index of cards, a thread."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.model.reading_columns import COLUMNS, reading_columns
from blocksight.classify.model.reading_model import ReadingModel, _sums, choose_reading, overlaps_of
from blocksight.classify.model.readings import PageReadings, Series
from blocksight.classify.model.selection import INVISIBLE_SCORE
from blocksight.features.rows import rows_of
from blocksight.page.role_names import ROLE, ROLES
from blocksight.records.candidates import find_records

ARTICLE = (
    "<h1>Kettles</h1><p>The kettle whistles before the water is hot enough for tea.</p>"
    "<h2>2 comments</h2><div class=c><b>Ada</b><p>Mine never whistles at all.</p></div>"
    "<div class=c><b>Ben</b><p>Then it is broken, I am afraid.</p></div>"
)
CARDS = "<nav><a href=/>Home</a></nav><h1>News</h1><p>What is new about tea.</p>" + "".join(
    f"<div class=card><h3><a href=/{n}>Story {n}</a></h3><p>What happened on day {n} of the fair.</p>"
    f"<a href=/{n}>More</a></div>"
    for n in range(3)
)
SURE = Calibration(slope=3.0, offset=0.0)


def reading_of(html, scores, roles=None):
    page = bs.parse(html, url="https://tea.example/news/")
    rows = rows_of(page, bs.text_blocks(page))
    assert len(rows) == len(scores), rows.texts
    return PageReadings(rows=rows, scores=np.asarray(scores, dtype=float), roles=roles, records=find_records(page))


def texts(reading, marks):
    return [text for text, kept in zip(reading.rows.texts, marks, strict=True) if kept]


def offered(reading):
    return [texts(reading, one) for one in reading.sets()]


def test_an_article_ends_at_the_label_of_its_comments():
    # Headline, paragraph, label, and name and text of two comments, which alone are as likely as the paragraph.
    reading = reading_of(ARTICLE, [-0.5, 0.4, -1, -1, 0.4, -1, 0.4])
    assert ["The kettle whistles before the water is hot enough for tea."] in offered(reading)
    paragraph, *comments = [text for text in reading.rows.texts if text.endswith(".")]
    assert [paragraph, *comments] in offered(reading)


def test_cards_are_offered_as_a_whole_without_what_is_unlikely_in_all():
    scores = [-2, 0.1, 0.2, *([0.3, -0.9, -2] * 3)]
    reading = reading_of(CARDS, scores)
    (series,) = reading.series
    assert series.records == 3
    assert series.rows.tolist() == [False] * 3 + [True] * 9
    # The mean of the second column is below the floor, too.
    assert texts(reading, series.likely) == [f"Story {n}" for n in range(3)]
    found = offered(reading)
    assert [
        text for n in range(3) for text in (f"Story {n}", f"What happened on day {n} of the fair.", "More")
    ] in found
    assert ["News", "What is new about tea.", *(f"Story {n}" for n in range(3))] in found


def test_a_series_is_completed_or_left_out():
    likely = [-2, 0.1, 0.2, *([0.3, 0.3, -2] * 2), *[0.3, -0.6, -2]]
    completed = [f"{text}" for n in range(3) for text in (f"Story {n}", f"What happened on day {n} of the fair.")]
    assert ["News", "What is new about tea.", *completed] in offered(reading_of(CARDS, likely))
    alone = [-2, 0.1, 0.2, *([-0.3, -0.4, -2] * 2), *[0.3, -0.4, -2]]
    assert ["News", "What is new about tea."] in offered(reading_of(CARDS, alone))


def test_sets_are_distinct_and_not_empty():
    reading = reading_of(CARDS, [-2, 0.1, 0.2, *([0.3, 0.3, -2] * 3)])
    found = [one.tobytes() for one in reading.sets()]
    assert len(found) == len(set(found))
    assert all(one.any() for one in reading.sets())
    assert not len(reading_of("<p>", []).sets())


def column(reading, marks, name, calibration=SURE):
    marks = np.asarray([marks], dtype=bool)
    return reading_columns(reading, marks, calibration)[0, COLUMNS.index(name)]


def test_columns_by_hand():
    roles = np.zeros((7, len(ROLES)))
    roles[:, ROLE["comment"]] = [0, 0, 0, 0, 1, 0, 1]
    roles[0, ROLE["title"]] = 1
    reading = reading_of(ARTICLE, [-0.5, 0.4, -1, -1, 0.4, -1, 0.4], roles)
    # Words: 1, 11, 2, 1, 5, 1, 7.
    assert reading.weight.tolist() == [1, 11, 2, 1, 5, 1, 7]
    everything = [0, 1, 0, 0, 1, 0, 1]
    assert column(reading, everything, "comment_share") == pytest.approx(12 / 23)
    assert column(reading, everything, "comment_held") == 1.0
    assert column(reading, everything, "below_comment") == pytest.approx(12 / 23)
    assert column(reading, everything, "words_log") == pytest.approx(np.log1p(23))
    assert column(reading, everything, "share") == pytest.approx(23 / 28)
    assert column(reading, everything, "runs_log") == pytest.approx(np.log1p(3))
    # Of 23 words between the first and the last row, 4 are left out.
    assert column(reading, everything, "gaps_share") == pytest.approx(4 / 28)
    assert column(reading, [0, 1, 0, 0, 0, 0, 0], "title_gap_log") == 0.0
    assert column(reading, [1, 1, 0, 0, 0, 0, 0], "before_title") == 0.0
    likely = 1 / (1 + np.exp(-1.2))
    assert column(reading, [0, 1, 0, 0, 0, 0, 0], "highest_outside") == pytest.approx(likely)
    assert column(reading, [0, 1, 0, 0, 0, 0, 0], "mean") == pytest.approx(likely)


def test_a_broken_series():
    reading = reading_of(CARDS, [-2, 0.1, 0.2, *([0.3, 0.3, -2] * 3)])
    whole, half = [0, 0, 0, *[1, 1, 0] * 3], [0, 0, 0, *[1, 1, 0], *[0, 0, 0] * 2]
    assert column(reading, whole, "broken") == 0.0
    # Of the thirty words of the series, ten are in the reading.
    assert column(reading, half, "broken") == pytest.approx(1.0)
    assert column(reading, whole, "largest_share") == 1.0
    assert column(reading, [0, 0, 1, *[0] * 9], "series_share") == 0.0


def model_of(**weights):
    weight = np.zeros(len(COLUMNS))
    for name, value in weights.items():
        weight[COLUMNS.index(name)] = value
    return ReadingModel(mean=np.zeros(len(COLUMNS)), deviation=np.ones(len(COLUMNS)), weight=weight)


def test_probabilities_by_hand():
    columns = np.zeros((2, len(COLUMNS)))
    columns[0, COLUMNS.index("share")] = np.log(3)
    assert model_of(share=1).probability(columns).tolist() == pytest.approx([0.75, 0.25])


def test_overlaps_by_hand():
    # Three words and four, of which two are common: 2 · 2 / 7.
    sets, weight = np.array([[1.0, 1, 0], [0, 1, 1]]), np.array([1.0, 2, 2])
    np.testing.assert_allclose(overlaps_of(sets, weight), [[1, 4 / 7], [4 / 7, 1]])


@pytest.mark.parametrize(("by_blocks", "best"), [((0.9, 0.89, 0.2), 0), ((0.5, 0.45, 0.2), 2)])
def test_the_less_sure_the_blocks_the_more_the_readings_decide(by_blocks, best):
    columns = np.zeros((3, len(COLUMNS)))
    columns[:, COLUMNS.index("expected_f1")] = by_blocks
    columns[2, COLUMNS.index("share")] = 9
    # At .9 the readings count .06: .846 against .188 + .06; at .5 they count .3: .35 against .14 + .3.
    assert model_of(share=1).best(columns, np.eye(3)) == best


def test_a_reading_between_the_likely_ones_may_be_best():
    columns = np.zeros((3, len(COLUMNS)))
    overlaps = np.array([[1, 0.7, 0.1], [0.7, 1, 0.7], [0.1, 0.7, 1]])
    columns[[0, 2], COLUMNS.index("share")] = 1.0
    # exp(1) / (2 exp(1) + 1) = .42 each, .16 for the one between: .58, .75, .58.
    assert model_of(share=1).best(columns, overlaps) == 1


def test_the_choice_on_a_page():
    reading = reading_of(ARTICLE, [-0.5, 0.4, -1, -1, 0.4, -1, 0.4])
    for weight, comments in ((0, True), (-50, False)):
        model = model_of(expected_f1=1, below_comment=weight)
        chosen = choose_reading(model, reading, Calibration(slope=0.5, offset=-1.0))
        assert ("Mine never whistles at all." in texts(reading, chosen.rows)) == comments
        assert 0 < chosen.expected_f1 <= 1


def test_invisible_rows_are_in_no_reading():
    reading = reading_of(ARTICLE, [-0.5, INVISIBLE_SCORE, -1, -1, 0.4, -1, 0.4])
    for name in COLUMNS:
        chosen = choose_reading(model_of(**{name: 1}), reading, SURE)
        assert not chosen.rows[1]


def test_the_inner_of_two_series_decides_about_their_common_rows():
    dice = np.random.default_rng(3)
    rows = rows_of(page := bs.parse("".join(f"<p>word {n}</p>" for n in range(12))), bs.text_blocks(page))
    for _ in range(50):
        reading = PageReadings(rows=rows, scores=dice.normal(size=12), roles=None, records=find_records(page))
        inside = dice.random((4, 12)) < 0.4
        vars(reading)["series"] = tuple(
            Series(group=None, number=0, rows=some, likely=some & (dice.random(12) < 0.7), records=2) for some in inside
        )
        selected = dice.random((3, 12)) < 0.5
        wanted = selected.copy()
        for completed, chosen in zip(wanted, selected, strict=True):
            for one in reading.series:
                held = reading.weight[one.rows & chosen].sum() > 0.5 * reading.weight[one.likely].sum()
                completed[one.rows] = one.likely[one.rows] & held
        assert reading._completed(selected, ~inside.any(axis=0)).tolist() == wanted.tolist()


def test_sums_over_sets_do_not_depend_on_their_parts():
    dice = np.random.default_rng(1)
    for count, rows, columns in ((1, 1, 1), (3, 7, 2), (90, 900, 60)):
        sets, values = (dice.random((count, rows)) < 0.5).astype(float), dice.normal(size=(rows, columns))
        np.testing.assert_allclose(_sums(sets, values), sets @ values, rtol=0, atol=1e-10)
