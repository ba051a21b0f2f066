"""The groups of a page and their columns, counted by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.records.body import is_prose, prose_marks
from blocksight.records.candidates import SET_COLUMNS, RecordCandidates, find_records
from blocksight.records.page_features import PAGE_COLUMNS, page_measures
from blocksight.segment.record_groups import RecordGroup, visible_or_covered

from .conftest import TEXTS


def facts(page, number=0):
    return dict(zip(SET_COLUMNS, find_records(page).matrix[number].tolist(), strict=True))


def test_links_in_a_menu():
    found = facts(bs.parse("<nav class=menu><ul><li><a href=/a>Aaaa</a></li><li><a href=/b>Bbbb</a></li></ul></nav>"))
    assert (found["linked"], found["in_nav"], found["around_nav"], found["prose"]) == (1, 1, 1, 0)
    assert found["records"] == np.log1p(2)


def test_posts():
    posts = "".join(f"<div class=post><time>{n} May 2024</time><p>{text}</p></div>" for n, text in enumerate(TEXTS, 1))
    found = facts(bs.parse(f"<h1>T</h1><main>{posts}</main>"))
    assert (found["dates"], found["prices"], found["after_heading"], found["in_main"], found["own_article"]) == (
        1,
        0,
        1,
        1,
        1,
    )
    assert found["linked"] == 0


def test_a_page_has_all_measures(thread, shop):
    for page in (thread, shop, bs.parse("")):
        measures = find_records(page)
        measured = page_measures(measures, np.full(len(measures.groups), 0.7))
        assert measured.shape == (len(PAGE_COLUMNS),)
        assert np.isfinite(measured).all()


def group_of(page, tag):
    """The elements with a tag as a group."""
    rows = np.flatnonzero(page.has_tag(tag)).tolist()
    spans = tuple((row, int(page.end[row])) for row in rows)
    return RecordGroup(node=int(page.parent[rows[0]]), spans=spans, tag=tag, names=frozenset())


def measured(html, *tags):
    """What is counted of groups of elements with a tag."""
    page = bs.parse(html)
    measures = RecordCandidates(
        page=page, shown=visible_or_covered(page), given=tuple(group_of(page, tag) for tag in tags)
    )
    return measures, [dict(zip(SET_COLUMNS, row.tolist(), strict=True)) for row in measures.matrix]


def test_what_is_counted_in_a_group():
    _, (other, found) = measured(
        "<h1>Head</h1><div>"
        "<li><a href=/a>abcdef</a></li>"  # 6 characters, all in a link
        "<li>xyxy<b>zw</b><img><button>no</button></li>"  # 4 + 2 + 2
        f"<li><h2>3 May 2024</h2><p>$5</p><p>{'x' * 28}</p></li>"  # 10 + 2 + 28, the last of them prose
        "</div><dd>tail tail</dd><dd>end</dd>",  # 9 + 3
        "dd",
        "li",
    )
    # In all 4 + 54 + 12 = 70 characters, 64 of them in no link.
    expected = {
        "records": np.log1p(3), "characters": np.log1p(54 / 3), "free": np.log1p(48 / 3), "prose": np.log1p(28 / 3),
        "linked": 1 - 48 / 54, "share": 54 / 70, "free_share": 48 / 64, "first": 4 / 70, "last": 58 / 70, "rank": 0,
        "dates": 1 / 3, "prices": 1 / 3, "pictures": 1 / 3, "headings": 1 / 3, "nested": 0, "even": 8 / 18,
        "after_heading": 1, "links_each": np.log1p(1 / 3), "texts_each": np.log1p(7 / 3), "buttons": 1 / 3,
        "largest": 40 / 54,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    expected = {
        "records": np.log1p(2), "characters": np.log1p(6), "free": np.log1p(6), "prose": 0, "linked": 0,
        "share": 12 / 70, "free_share": 12 / 64, "first": 58 / 70, "last": 1, "rank": 1, "even": 1, "largest": 9 / 12,
        "texts_each": np.log1p(1), "links_each": 0,
    }  # fmt: skip
    assert {name: other[name] for name in expected} == pytest.approx(expected)


def test_records_in_records_are_counted_with_those_around_them():
    _, (found,) = measured("<li>aa<ul><li>bb</li><li>cc</li></ul></li><li>dd</li>", "li")
    assert (found["records"], found["nested"]) == (np.log1p(2), np.log1p(2))
    assert found["characters"] == np.log1p(8 / 2)


def test_a_group_without_text_has_no_shares():
    _, (found,) = measured("<h1>x</h1><li><img></li><li><img></li>", "li")
    assert (found["share"], found["even"], found["largest"], found["linked"]) == (0, 0, 0, 1)
    assert (found["pictures"], found["texts_each"]) == (1, 0)
    _, (found,) = measured("<li><img></li><li><img></li><h1></h1>", "li")
    assert (found["share"], found["free_share"], found["first"], found["after_heading"]) == (0, 0, 0, 0)


def test_of_one_character_all_shares_are_of_one():
    _, (found,) = measured("<li>x</li>", "li")
    assert (found["share"], found["free_share"], found["last"], found["largest"]) == (1, 1, 1, 1)
    assert (found["linked"], found["even"]) == (0, 1)


def test_text_that_is_not_seen_is_not_counted():
    _, (found,) = measured("<li>a<b hidden>b</b></li>", "li")
    assert (found["texts_each"], found["characters"]) == (np.log1p(1), np.log1p(1))


def test_a_record_reaches_to_its_last_text():
    _, (found,) = measured("<li><b>x</b>yy</li>", "li")
    assert found["characters"] == np.log1p(3)


def test_a_heading_in_the_first_record_does_not_precede_it():
    for tag in ("h1", "li"):
        _, (found,) = measured("<li><h1>x</h1></li>", tag)
        assert found["after_heading"] == 0


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("3 May 2024", True),
        ("3 May 2024 ".ljust(60, "x"), True),
        ("3 May 2024 ".ljust(61, "x"), False),
        ("yesterday", False),
        ("17", False),
    ],
)
def test_dates_are_short_and_have_a_digit(text, date):
    measures, _ = measured(f"<li>{text}</li>", "li")
    assert measures.dates.tolist() == [date]
    assert measures.prices.tolist() == [False]


@pytest.mark.parametrize(
    ("around", "name"),
    [
        ("nav", "in_nav"),
        ("div role=navigation", "in_nav"),
        ("div role=' Banner'", "in_header"),
        ("div role=contentinfo", "in_footer"),
        ("div role=complementary", "in_aside"),
        ("div role=main", "in_main"),
        ("form", "in_form"),
    ],
)
def test_what_frames_a_group(around, name):
    _, (found,) = measured(f"<{around}><li>a</li></{around.split()[0]}>", "li")
    assert [frame for frame in SET_COLUMNS if frame.startswith("in_") and found[frame]] == [name]
    _, (list_row,) = measured(f"<{around}>x</{around.split()[0]}><li>a</li>", "li")
    assert not any(list_row[frame] for frame in SET_COLUMNS if frame.startswith("in_"))


def test_a_role_of_no_frame_frames_nothing():
    _, (found,) = measured("<div role=search><li>a</li></div>", "li")
    assert not any(found[frame] for frame in SET_COLUMNS if frame.startswith("in_"))


def test_what_records_and_those_around_them_are_called():
    _, (found,) = measured("<body class=footer><div class=comments><li class=product>a</li></div>", "li")
    called = [name for name in SET_COLUMNS if name.startswith(("own_", "around_")) and found[name]]
    assert "own_product" in called
    assert "around_comment" in called
    assert "own_comment" not in called
    assert "around_product" not in called
    # The whole page is no frame.
    assert "around_footer" not in called


def test_texts_as_long_as_sentences_are_marked_together():
    texts = [
        "",
        "a" * 9,
        "a" * 10,
        "a" * 27,
        "a" * 28,
        "\u8336" * 9,
        "\u8336" * 10,
        "\u00e9" * 27,
        "\u00e9" * 28,
        "a" * 10 + "\u8336",
    ]
    lengths = np.asarray([*map(len, texts)], dtype=np.float64)
    assert prose_marks(texts, lengths).tolist() == [*map(is_prose, texts)]
    assert 0 < prose_marks(texts, lengths).sum() < len(texts)


def test_declared_types_and_programs_are_features():
    def declared(html):
        measures = find_records(bs.parse(f"<title>Tea</title>{html}<p>{TEXTS[0]}"))
        values = dict(zip(PAGE_COLUMNS, page_measures(measures, np.zeros(len(measures.groups))).tolist(), strict=True))
        return {name for name, value in values.items() if name.startswith(("ld_", "og_", "by_")) and value}

    script = "<script type=application/ld+json>{}</script>".format
    assert declared(script('{"@type": "NewsArticle"}')) == {"ld_article"}
    assert declared(script('{"@type" : ["TechPosting", "Product"]}')) == {"ld_article"}  # the first of several
    assert declared(script('{"a": {"@type":"Question"}, "@type":"FAQPage"}')) == {"ld_thread", "ld_faq"}
    assert declared(script('{"@type":"@type":"ProductGroup"')) == {"ld_product"}  # damaged
    assert declared(script('{"@type":"Articles", "type":"Article"}')) == set()
    assert declared("<meta property=og:type content=Article>") == {"og_article"}
    assert declared("<meta property=og:type content=og:product>") == {"og_product"}
    assert declared("<meta name=generator content='Discourse 3'><meta name=shopify-y content=1>") == {
        "by_forum",
        "by_shop",
    }
    assert declared("<meta name=generator content='my wordpress'>") == set()
