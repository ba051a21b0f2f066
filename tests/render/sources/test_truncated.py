"""The beginning of a document: whole as far as it goes, with all that hides something, and without what takes long."""

import blocksight as bs
import pytest
from blocksight.page.parse import parse
from blocksight.render.sources.truncated import (
    MAX_ATTRIBUTES,
    MAX_DEPTH,
    MAX_FONTS,
    MAX_MARQUEES,
    MAX_NESTING,
    MAX_STYLE,
    MAX_TEXT,
    MAX_VALUE,
    truncate_html,
)


def texts(html, seconds=8.0):
    return [text for text in bs.parse(truncate_html(html, "a page", seconds)).leaf_texts if text.strip()]


def test_a_small_document_stays_what_it_says():
    html = "<!doctype html><title>T</title><p class='a b' hidden>One &amp; <b>two</b><br>three<p style=color:red>four"
    page = bs.parse(truncate_html(html, "a page", 8.0))
    assert page.title == "T"
    assert page.leaf_texts == ("One & ", "two", "three", "four")
    (row,) = [row for row in range(len(page)) if page.attributes_of(row).get("class")]
    assert page.attributes_of(row) == {"class": "a b", "hidden": ""}


@pytest.mark.parametrize(
    "inner",
    [
        "<script>x</script>", "<iframe src=a>x</iframe>", "<object data=a>x</object>", "<embed src=a>",
        "<meta http-equiv=refresh content=0>", "<canvas>x</canvas>", "<noframes>x</noframes>",
    ],
)  # fmt: skip
def test_what_runs_or_leads_elsewhere_is_left_out(inner):
    written = truncate_html(f"<p>before{inner}</p><p>after", "a page", 8.0)
    assert texts(written) == ["before", "after"]
    assert not any(name in written for name in ("script", "frame", "object", "embed", "http-equiv", "canvas"))


def test_nothing_that_runs_is_kept_of_an_attribute():
    assert "alert" not in truncate_html("<p onclick=alert(1) ONFOCUS=alert(2)>a", "a page", 8.0)


def test_how_many_nodes_there_are_hangs_on_the_time():
    html = "<p>word</p>" * 100_000
    few, many = texts(html, 1.0), texts(html, 4.0)
    assert 500 < len(few) < 700
    assert 4 * len(few) < len(many) + 10 < 4 * len(few) + 20
    assert len(texts(html, 1e6)) < 13_000


def test_long_texts_are_cut_and_a_long_title_hides_nothing():
    found = texts(f"<title>{'t' * 10**6}</title><p>{'x' * 10**6}</p><p>end")
    assert [len(text) for text in found] == [MAX_TEXT, 3]


@pytest.mark.parametrize(
    "given",
    [
        " ".join(f"a{number}=x" for number in range(MAX_ATTRIBUTES)) + " hidden",
        f"style='{'color:red;' * MAX_VALUE}display:none'",
        f"class='{'x ' * MAX_VALUE}hidden'",
    ],
    ids=["attributes", "style", "class"],
)
def test_what_may_hide_a_text_and_cannot_be_kept_takes_the_text_along(given):
    assert texts(f"<p>before<div {given}><p>hidden</p>in it</div><p>after") == ["before", "after"]


def test_a_long_address_hides_nothing():
    assert texts(f"<a href='/{'x' * 10**5}'>link</a>") == ["link"]


def test_deep_elements_are_left_out_whole():
    assert texts("<div>" * 5_000 + "<p hidden>deep") == []
    assert texts("<p>before</p>" + "<div>" * 5_000 + "deep") == ["before"]
    assert texts("<div>" * (MAX_DEPTH - 5) + "text") == ["text"]


def test_style_sheets_are_kept_whole_or_the_page_is_refused():
    sheet = "<style>p > b::after { content: '</p>' }" + " " * (MAX_STYLE // 2) + "</style>"
    assert "p > b::after { content: '</p>' }" in truncate_html(sheet + "<p>a", "a page", 8.0)
    with pytest.raises(bs.Refused, match="style sheets are too large"):
        truncate_html(sheet * 3 + "<p>a", "a page", 8.0)


@pytest.mark.parametrize(
    ("sheet", "fine", "too_much"),
    [
        ("@font-face { font-family: f } ", MAX_FONTS, MAX_FONTS + 1),
        ("& + &, & ~ & { ", MAX_NESTING, MAX_NESTING + 1),
    ],
    ids=["fonts", "rules in rules"],
)
def test_style_sheets_that_take_long_are_refused(sheet, fine, too_much):
    assert "<p>a" in truncate_html(f"<style>{sheet * fine}</style><p>a", "a page", 8.0)
    with pytest.raises(bs.Refused, match="style sheets are too large"):
        truncate_html(f"<style>{sheet * too_much}</style><p>a", "a page", 8.0)


def test_of_what_moves_by_itself_only_some_is_kept():
    found = texts("<marquee>in</marquee>" * (MAX_MARQUEES + 9) + "<marquee><marquee>deep</marquee></marquee><p>after")
    assert found == ["in"] * MAX_MARQUEES + ["after"]


def test_signs_of_verbatim_text_stay_signs():
    assert texts("<xmp><p hidden>a</p></xmp>") == ["<p hidden>a</p>"]
    assert texts("<plaintext><b>a") == ["<b>a"]
    assert texts("<textarea><b>a</textarea><p>b")[-1] == "b"


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        ("<svg><style>&lt;/style>&lt;/svg>&lt;p>nobody sees it</style><text>drawn</text></svg>", "&lt;p&gt;nobody"),
        ("<svg><foreignObject><style>a > b {}</style></foreignObject></svg>", "a > b {}"),
        ("<style>a > b {}</style>", "a > b {}"),
    ],
)
def test_style_sheets_stay_style_sheets(html, rule):
    found = truncate_html(f"<body>{html}<p>seen", "x", 5.0)
    assert rule in found
    assert "nobody sees it" not in parse(found).leaf_texts
    assert "seen" in parse(found).leaf_texts
