"""Which picture of several was shown, and how large it is."""

import pytest
from blocksight.page.to_html import to_html
from blocksight.render.chromium.snapshot.live import set_images

RED = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}'>"
    "<rect width='9' height='9' fill='red'/></svg>"
)


def test_attributes_of_a_snapshot():
    nodes = {"attributes": [[], [0, 1]], "currentSourceURL": {"index": [1], "value": [2]}}
    reply = {"strings": ["src", "a.png", "http://x/b.png"], "documents": [{"nodes": nodes}]}
    set_images(reply, {"http://x/b.png": (30, 20)})
    given = [reply["strings"][code] for code in nodes["attributes"][1]]
    assert given == ["src", "a.png", "::src", "http://x/b.png", "::width", "30", "::height", "20"]
    assert nodes["attributes"][0] == []


@pytest.mark.browser
def test_the_image_that_was_chosen(browser):
    small, large = RED.format(30, 20), RED.format(60, 40)
    html = f'<p>text</p><img src="{small}" srcset="{small} 1x, {large} 9x" width=90><img alt=none>'
    page = browser.open(html.encode())
    images = page.has_tag("img").nonzero()[0].tolist()
    given = page.attributes_of(images[0])
    assert (given["::width"], given["::height"], given["::src"][:10]) == ("30", "20", "data:image")
    assert "::src" not in page.attributes_of(images[1])
    assert "::" not in to_html(page)
