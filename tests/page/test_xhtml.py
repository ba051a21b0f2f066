"""Documents in the form of XML keep the text behind elements that are closed in themselves."""

import blocksight as bs
import pytest

XML = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>{0}</head><body><p>Eels<br/>swim.</p></body></html>'


@pytest.mark.parametrize("head", ["<script src='a.js'/>", "<title/>", "<style/>", "<title>x</title><iframe src='a'/>"])
def test_parse_xml_form(head):
    page = bs.parse(XML.format(head))
    assert [text for text, hidden in zip(page.leaf_texts, page.hidden, strict=True) if not hidden] == ["Eels", "swim."]


def test_parse_namespace_of_html():
    html = "<html xmlns='http://www.w3.org/1999/xhtml'><p>Eels<br><br><span/>swim."
    assert bs.parse(html).has_tag("span").sum() == 1
    assert bs.parse(html).leaf_texts == ("Eels", "swim.")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("磨坊上方的堰在春天重建，因为前一年的洪水冲走了两扇闸门和大部分人行桥。", "gb18030"),
        ("Плотина построена весной, и угри вернулись.", "cp1251"),
    ],
)
def test_parse_undeclared_encoding(text, encoding):
    assert bs.parse(f"<script>{'x = 1;' * 20}</script>\n<p>{text}</p>".encode(encoding)).leaf_texts[-1] == text
