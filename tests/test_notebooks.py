"""What notebooks show, and short forms for everything else."""

from dataclasses import replace

import blocksight as bs
import numpy as np
from lxml import etree

PAGE = bs.parse("<title>Eels &amp; co</title><p>They are back in the river this spring, and many came to see.</p>")


def test_a_document_shows_its_html():
    doc = bs.extract(PAGE)
    assert doc.html in doc._repr_html_()
    assert repr(doc).startswith("<Document 'Eels & co' about:blank ")
    assert "&lt;Document" in doc._repr_html_()
    assert len(repr(doc)) < 200


def test_a_page_shows_its_picture():
    assert "Eels &amp; co" in PAGE._repr_html_()
    assert "<img" not in PAGE._repr_html_()
    assert "data:image/png;base64,cG5n" in PAGE.replace(screenshot=b"png")._repr_html_()


def test_blocks_draw_their_boxes():
    blocks = bs.text_blocks(PAGE)
    assert repr(blocks) == f"<Blocks {len(blocks)} blocks, 0 with boxes>"
    assert "<svg" not in blocks._repr_html_()
    box = np.full(blocks.box.shape, np.nan, dtype=np.float32)
    box[0] = 10, 20, 300, 40
    drawn = etree.fromstring(replace(blocks, box=box)._repr_html_(), etree.HTMLParser())
    assert drawn.find(".//svg").get("viewbox") == "0 0 310 60"
    assert [rect.get("y") for rect in drawn.iter("rect")] == ["20"]
