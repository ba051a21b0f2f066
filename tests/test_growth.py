"""Raw pages whose cost once was quadratic: it is linear in their size."""

import time

import blocksight as bs
import pytest

#: Seconds of this process, many times what they take; each took over ten.
MOST = 4.0
PARAGRAPH = "<p>Some words that stand in a row and say that this here is the text of a page, not a menu.</p>" * 4
KINDS = {
    "a title of parts": "<title>" + "word | " * 10_000 + "</title>" + PARAGRAPH,
    "marks at the end of bold text": PARAGRAPH + "<p>a<b>" + "." * 100_000 + "x</b>a</p>",
    "marks at the start of bold text": PARAGRAPH + "<p>a<b>x" + "." * 100_000 + "</b>a</p>",
    "blanks in code": PARAGRAPH + "<p><code>a" + " " * 100_000 + "b</code></p>",
    "blanks and a line in code": PARAGRAPH + "<pre>a\n" + " " * 100_000 + "b</pre>",
    "short paragraphs": "<p>One line of some words.</p>" * 3_000,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_costs_what_its_size_says(kind):
    page = bs.parse(KINDS[kind], url="http://a.example/page")
    bs.extract(bs.parse(PARAGRAPH), system="everything")  # imports
    began = time.process_time()
    found = bs.extract(page, system="everything")
    assert found.markdown
    assert found.title == page.title or not page.title
    assert time.process_time() - began < MOST


def test_bold_text_with_marks_at_both_ends_is_a_tag():
    html = "<p>a<b>«.x[!]»</b>b</p><p>a<b>x.»</b>b</p>"
    assert bs.extract(bs.parse(html), system="everything").markdown == (
        "a<strong>«.x[!]»</strong>b\n\na<strong>x.»</strong>b\n"
    )
