"""Boxes with a note, a tip or a warning."""

import pytest

TEXT = "<p>Some words that are the content, and more of them.</p>" * 3
BOX = "<p>Only the lid is hot.</p>"


@pytest.mark.parametrize(
    ("box", "kind"),
    [
        (f"<div class=adm><p><b>Warning</b></p>{BOX}</div>", "WARNING"),
        (f"<aside><strong><span>Tipp:</span></strong><div>{BOX}</div></aside>", None),  # no line of its own
        (f"<div class='admonition note'><p class=admonition-title>Note</p>{BOX}</div>", "NOTE"),
        (f"<div class='markdown-alert markdown-alert-caution'><p>Caution</p>{BOX}</div>", "CAUTION"),
        (f"<div class='alert alert-danger'>{BOX}</div>", "CAUTION"),
        (f"<div class=alert>{BOX}</div>", None),
        (f"<div class=warning>{BOX}</div>", "WARNING"),
        (f"<section role=note>{BOX}</section>", "NOTE"),
        (f"<div><p>警告：</p>{BOX}</div>", "WARNING"),
        (f"<div><h2>Note</h2>{BOX}</div>", None),
        (f"<p><b>Warning:</b> Some words</p>{BOX}", None),
        (f"<div role=note>{TEXT * 9}</div>", None),
    ],
)
def test_a_callout_is_a_quote_with_its_kind(box, kind, written):
    found = written(TEXT + box + TEXT)
    assert (f"\n\n> [!{kind}]\n> Only the lid is hot.\n\n" in found.markdown) is (kind is not None)
    assert ("[!" in found.markdown) is (kind is not None)
    assert (f'<blockquote class="callout {str(kind).lower()}">' in found.html) is (kind is not None)


def test_a_title_that_says_more_is_text(written):
    box = f"<div class='admonition tip'><p class=admonition-title>For the cook</p>{BOX}</div>"
    found = written(TEXT + box + TEXT)
    assert "> [!TIP]\n> For the cook\n>\n> Only the lid is hot." in found.markdown
    assert "For the cook\n\nOnly the lid is hot." in found.text
