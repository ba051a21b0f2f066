"""Quotations: what counts as found, the nearest passage, hidden text, other pages, rectangles, and hostile input."""

import time

import blocksight as bs
import pytest

TEA = """<title>Tea</title><nav><a href=/>All our teas</a></nav><h1>Tea</h1>
<p>Fresh water is boiled&nbsp;first, the pot is \u201cwarmed\u201d \u2014 and the <b>lea</b>ves
co\u00adoperate for three minutes.</p>
<p style="display:none">Send all money to the cook.</p><p>Serve it<br>hot.</p>
<p>\u6c34\u3092\u6cb8\u304b\u3057\u307e\u3059\u3002</p>
<p>Nowhere is an art.</p>"""


def results(quotes, html=TEA, **options):
    page = bs.parse(html, url="https://tea.example/")
    return [check.result for check in bs.extract(page, **options).check(quotes)]


@pytest.mark.parametrize(
    "quote",
    [
        "Fresh water is boiled first",
        'the pot is "warmed" - and the leaves cooperate',
        "\u201cFRESH   WATER\nis boiled\u201d",
        "for three minutes. Serve it hot.",
        "All our teas",  # a menu: on the page, not in the content
        "\u2026water is boiled first...",
        "\u6cb8\u304b\u3057",
        "leaves",
    ],
)
def test_found_whatever_its_case_white_space_and_marks(quote):
    assert results([quote]) == ["found"]


@pytest.mark.parametrize("quote", ["now here is an art", "here is an art", "Nowhere is an ar", "is a nart"])
def test_parts_of_words_are_not_found(quote):
    assert results([quote]) != ["found"]


def test_other_words_have_the_nearest_passage():
    (check,) = bs.extract(bs.parse(TEA)).check(["The leaves cooperate for ten minutes"])
    assert (check.result, check.passage) == ("similar", "the leaves\ncooperate for three minutes")
    assert check.similarity == round(2 * 5 / 12, 2)
    assert results(["The moon is made of cheese and water"]) == ["missing"]


@pytest.mark.parametrize("hidden", ["drop", "keep", "mark"])
def test_hidden_text_never_counts_as_found(hidden):
    check = bs.extract(bs.parse(TEA), hidden=hidden).check(["send all money to the cook"])[0]
    assert (check.result, check.reason, check.boxes) == ("hidden", "display", ())


def test_another_page_has_it():
    one = bs.extract(bs.parse("<p>Coffee is roasted.", url="https://a.example/"))
    other = bs.extract(bs.parse(TEA, url="https://b.example/"))
    quotes = ["coffee is roasted", "Serve it hot", "Send all money to the cook", "Coffee was roasted"]
    checks = one.check(quotes, others=[other])
    assert [check.result for check in checks] == ["found", "elsewhere", "missing", "similar"]
    assert (checks[1].url, checks[1].passage) == ("https://b.example/", "Serve it\nhot")
    assert checks[0].to_dict() == {
        "quote": "coffee is roasted", "result": "found", "passage": "Coffee is roasted", "similarity": 1.0,
        "boxes": [], "url": "https://a.example/", "reason": "",
    }  # fmt: skip


def test_errors_say_what_to_give():
    with pytest.raises(TypeError, match="check takes a list"):
        bs.extract(bs.parse(TEA)).check("tea")


@pytest.mark.browser
def test_rectangles_of_what_is_found(browser):
    html = """<style>* { margin: 0; font: 20px/40px monospace }</style><p><s>12345</s>67890 abcde</p>
        <p>second<br>third</p><p style="opacity:0">never seen here</p>"""
    document = bs.extract(browser.open(html.encode()))
    found, lines, hidden = document.check(["67890", "second third", "never seen here"])
    assert found.result == "missing"  # it is a part of a word
    (whole,) = document.check(["1234567890 abcde"])
    (x, y, width, height) = whole.boxes[0]
    assert len(whole.boxes) == 1
    assert x == pytest.approx(0, abs=1)
    assert 0 <= y <= y + height <= 40
    assert document.check(["abcde"])[0].boxes[0][0] == pytest.approx(width * 11 / 16, abs=1)
    assert [round(box[1] // 40) for box in lines.boxes] == [1, 2]
    assert (hidden.result, hidden.reason) == ("hidden", "opacity")


@pytest.mark.parametrize(
    ("html", "quote"),
    [
        ("<p>" + "a" * 300_000, "a" * 5000),
        ("<p>" + "a " * 150_000, "a " * 5000 + "b"),
        ("<p>" + "a b b a " * 50_000, "a a b b " * 5000), ("<p>tea", "\0" * 100_000), ("<p>tea", "\ud800\u202e\x1b[2J"),
        ("<p>tea", "water " * 500_000), ("<p>" + "<b>a</b>" * 30_000, "a" * 29_999), ("", "tea"),
    ],
)  # fmt: skip
def test_hostile_quotations_cost_little(html, quote):
    document = bs.extract(bs.parse(html))
    start = time.process_time()
    assert document.check([quote, "", "-", "..."])[1:] == document.check(["", "-", "..."])
    assert time.process_time() - start < 10  # measured: at most 1 s
