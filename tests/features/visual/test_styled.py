"""The share of a rendered page's text that is styled by its author."""

import blocksight as bs
import pytest
from blocksight.features.visual.styled import is_styled, styled_share

#: Everything that the browser's own style sheet sets apart: headings, links, code, quotes, lists, tables, small print.
UNSTYLED = (
    "<h1>Title</h1><p>Text with a <a href=/a>link</a>, <b>bold</b>, <code>code</code> and <sub>sub</sub>.</p>"
    "<h4>More</h4><pre>code</pre><blockquote>quote</blockquote><ul><li>item<ul><li>inner</ul></ul><table><tr><td>cell</table>"
    "<small>small print</small>"
)


def test_a_page_without_geometry_is_not_styled():
    assert styled_share(bs.parse("<p style='color:red'>Red")) == 0
    assert not is_styled(bs.parse("<p style='color:red'>Red"))


@pytest.mark.browser
def test_the_default_sheet_is_no_style(browser):
    assert styled_share(browser.open(UNSTYLED.encode())) == 0


@pytest.mark.browser
@pytest.mark.parametrize(
    "style",
    [
        "color:#333",
        "font-size:17px",
        "background:#fff",
        "position:relative",
        "display:flex",
        "display:grid",
    ],
)
def test_what_is_styled(browser, style):
    # 30 characters below the styled element, 10 outside of it.
    page = browser.open(f"<div style='{style}'><p>{'a' * 30}</p></div><p>{'b' * 10}</p>".encode())
    assert styled_share(page) == pytest.approx(0.75)
    assert is_styled(page)


@pytest.mark.browser
def test_hidden_text_does_not_count(browser):
    page = browser.open(f"<p style='color:#333;display:none'>{'a' * 90}</p><p>{'b' * 10}</p>".encode())
    assert styled_share(page) == 0


@pytest.mark.browser
@pytest.mark.parametrize(("styled", "expected"), [(50, True), (49, False)])
def test_half_of_the_text_decides(browser, styled, expected):
    page = browser.open(f"<p style='color:#333'>{'a' * styled}</p><p>{'b' * (100 - styled)}</p>".encode())
    assert is_styled(page) is expected
