"""Headings are written without the signs by which they link to themselves."""


def test_heading_signs_are_left_out(markdown_of):
    html = "<p>One two three.</p><h2><a href='#deep'>Deep</a> <a href='#deep'>¶</a></h2><p>Four five.</p>"
    assert markdown_of(html).startswith("One two three.\n\n## Deep\n")


def test_heading_signs_of_a_language_stay(markdown_of):
    assert markdown_of("<h2>C #</h2><p>a</p>").startswith("## C \\#")
