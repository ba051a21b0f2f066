"""Text that a person does not see: dropped, kept, or kept and marked."""

import blocksight as bs
import pytest

PARAGRAPH = "The {what} paragraph of the page has a good number of words in it, so that nobody takes it for a label. "
HTML = (
    "<title>T</title><body><h1>Questions</h1><p>" + PARAGRAPH.format(what="first") * 2 + "</p><div {style}><p>"
    + PARAGRAPH.format(what="collapsed") * 2 + "</p></div><p>" + PARAGRAPH.format(what="last") * 2 + "</p>"
)  # fmt: skip


def check(page, reason):
    dropped, kept, marked = (bs.extract(page, hidden=hidden) for hidden in ("drop", "keep", "mark"))
    assert "collapsed" not in dropped.text
    assert kept.text.index("first") < kept.text.index("collapsed") < kept.text.index("last")
    assert kept.text == marked.text
    reasons = {block.text.split()[1]: block.hidden for block in marked.blocks if "paragraph" in block.text}
    assert reasons == {"first": "", "collapsed": reason, "last": ""}
    assert "hidden" in marked.to_dict()["blocks"][0]
    assert "hidden" not in kept.to_dict()["blocks"][0]


@pytest.mark.parametrize("style", ["hidden", "style='display:none'"])
def test_by_markup_alone(style):
    check(bs.parse(HTML.replace("{style}", style)), "display")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("style", "reason"),
    [
        ("style='display:none'", "display"),
        ("style='max-height:0;overflow:hidden'", "clip"),
        ("style='visibility:hidden'", "visibility"),
    ],
)
def test_rendered(browser, style, reason):
    check(browser.open(HTML.replace("{style}", style).encode()), reason)


@pytest.mark.parametrize("script", ["<script src=show.js></script>", ""], ids=["with its script", "without"])
def test_a_page_that_hides_all_until_a_script_runs_is_read(script):
    html = "<body style='visibility:hidden'><p>" + PARAGRAPH.format(what="only") * 3 + script
    assert "only" in bs.extract(bs.parse(html)).text
    seen = "<p style='visibility:visible'>" + PARAGRAPH.format(what="visible") * 3
    assert "only" not in bs.extract(bs.parse(html + seen)).text


def test_other_words_are_refused():
    with pytest.raises(ValueError, match="drop, keep, mark or report"):
        bs.extract(bs.parse("<p>a"), hidden="show")
