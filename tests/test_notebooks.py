"""What notebooks show, and short forms for everything else."""

import blocksight as bs

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
