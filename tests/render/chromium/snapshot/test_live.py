"""A page does not speak in the browser's name."""

import blocksight as bs
import pytest
from blocksight.render.chromium.snapshot.live import drop_spoofed_attributes
from blocksight.segment.element_locators import ElementLocators

FORGED = '<div><p ::slotted="x" ::root=open id=a><img ::src="https://a.org/forged.png" alt=tea></p></div>'


def test_of_a_snapshot():
    reply = {
        "strings": ["id", "a", "::slotted", "::before"],
        "documents": [{"nodes": {"attributes": [[0, 1, 2, 1], [], [0, 3], [2, 3]]}}],
    }
    drop_spoofed_attributes(reply)
    assert reply["documents"][0]["nodes"]["attributes"] == [[0, 1], [], [0, 3], []]


def test_of_raw_html():
    page = bs.parse(FORGED)
    assert not [name for name in page.names if name.startswith("::")]
    assert all(ElementLocators(page).of(row).selector for row in range(1, len(page)))


@pytest.mark.browser
def test_of_a_rendered_page(browser):
    page = browser.open(FORGED.encode())
    assert "https://a.org/forged.png" not in page.strings
    assert "::slotted" not in page.names
    assert "::root" not in page.names
