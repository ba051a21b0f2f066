"""The title is above Markdown and HTML, once, and not in plain text."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.document import document


def made(html, **given):
    page = bs.parse(html)
    return document(page, np.ones(len(page.leaves), dtype=bool), **given)


def test_above_markdown_and_html():
    doc = made("<title>Eels &amp; <b></title><p>They are back.</p>")
    assert doc.markdown == "# Eels & \\<b>\n\nThey are back.\n"
    assert doc.html == "<h1>Eels &amp; &lt;b&gt;</h1>\n<p>They are back.</p>"
    assert doc.text == "They are back."


@pytest.mark.parametrize(
    "content", ["<h2>eels</h2><p>They are back.</p>", "<p>River</p><h1>Eels</h1><p>Back.</p>", "<p>Eels!</p>"]
)
def test_not_twice(content):
    assert made(f"<title>Eels</title>{content}").markdown == made(content, title="", headline=False).markdown


def test_a_text_that_starts_with_the_words_of_the_title():
    assert made("<title>Tea</title><p>Tea is a drink.</p>").markdown == "# Tea\n\nTea is a drink.\n"
    page = bs.parse("<title>Tea</title><h1>Tea</h1><p>Tea is a drink.</p>")
    doc = document(page, np.array([text != "Tea" for text in page.leaf_texts]))
    assert doc.markdown == "# Tea\n\nTea is a drink.\n"
    assert doc.html == "<h1>Tea</h1>\n<p>Tea is a drink.</p>"
    # 10 letters of the title, 12 and 13 of the text.
    assert made("<title>Ten eels in</title><p>Ten eels in it, 1</p>").markdown.startswith("# Ten eels in\n")
    assert made("<title>Twenty eels</title><p>Twenty eels in</p>").markdown == "Twenty eels in\n"


def test_a_headline_of_the_content_precedes_the_title_of_the_head():
    assert made("<title>River</title><h1>Eels</h1><p>They are back.</p>").markdown == "# Eels\n\nThey are back.\n"
    assert made("<title>River</title><h2>Eels</h2><p>They.</p>").markdown == "# River\n\n## Eels\n\nThey.\n"


def test_a_heading_with_few_words_of_the_title_is_another():
    # 4 of 13 letters, then 8 of 13.
    assert made("<title>Eels are back now</title><h2>Eels</h2><p>Now.</p>").markdown.startswith("# Eels are back now")
    assert made("<title>Eels are back now</title><h2>Eels are</h2><p>Now.</p>").markdown.startswith("## Eels are\n")


def test_a_table_of_contents_is_no_heading():
    doc = made("<title>Eels</title><ul><li><a href=#e>Eels</a><li>More</ul><h2>More</h2><p>They are back.</p>")
    assert doc.markdown.startswith("# Eels\n\n- ")


def test_left_out():
    assert made("<title>Eels</title><p>They are back.</p>", headline=False).markdown == "They are back.\n"


def test_an_empty_document_has_no_headline():
    assert made("<title>Eels</title>").markdown == ""


def test_a_page_that_does_not_name_itself():
    assert made("<p>They are back.</p><h3>Eels</h3>").title == "Eels"
    assert made("<p>They are back.</p>").title == "They are back."
    assert made("<p>They are back.</p>").markdown == "They are back.\n"
    long = made(f"<p>{'word ' * 40}</p>")
    assert (long.title, long.markdown) == ("word " * 14 + "word…", "word " * 39 + "word\n")


def test_a_part_with_the_words_of_the_title_is_not_the_headline():
    parts = "<h2>Why</h2><p>They are tasty.</p><h2>How</h2><p>Smoked.</p><h2>Eels</h2><p>Two eels, salt.</p>"
    assert made(f"<title>Eels</title><p>They are back.</p>{parts}").markdown.startswith("# Eels\n\nThey are back.")
