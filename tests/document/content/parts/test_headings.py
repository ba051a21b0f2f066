"""Headings come along with their sections, without the signs by which they link to themselves."""

HTML = "<p>One two three.</p><h2><a href='#deep'>Deep</a> <a href='#deep'>¶</a></h2><p>Four five.</p><h2>Related</h2>"


def test_a_heading_between_two_chosen_texts(markdown_of):
    found = markdown_of(f"{HTML}<p>Six.</p>", lambda text: text in {"One two three.", "Four five."})
    assert found == "One two three.\n\n## Deep\n\nFour five.\n"


def test_furniture_and_files_stay_out(markdown_of):
    html = "<p>One two three.</p><nav><h2>Menu</h2></nav><h2>eel.jpg</h2><p>Four five.</p>"
    assert markdown_of(html, lambda text: text[0] in "OF") == "One two three.\n\nFour five.\n"


def test_signs_of_a_language_stay(markdown_of):
    assert markdown_of("<h2>C #</h2><p>a</p>").startswith("## C \\#")
