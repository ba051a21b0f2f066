"""Paragraphs and white space."""


def test_what_is_not_marked_is_gone(written):
    found = written("<h1>Tea</h1><p>Boil <b>fresh</b> water.</p><nav><ul><li>Home</ul></nav>", lambda t: t != "Home")
    assert found.html == "<h1>Tea</h1>\n<p>Boil <b>fresh</b> water.</p>"
    assert found.text == "Tea\n\nBoil fresh water."
    assert found.markdown == "# Tea\n\nBoil **fresh** water.\n"


def test_no_marks_make_an_empty_document(written):
    found = written("<p>a</p><hr><p>b</p>", lambda t: False)
    assert (found.text, found.markdown, found.html, found.blocks) == ("", "", "", ())


def test_white_space_is_collapsed_as_rendered(written):
    assert written("<p> a\n  b<span> </span>c<i>d</i> <b> e </b> </p>").text == "a b cd e"


def test_white_space_stays_outside_of_emphasis(html_of):
    assert html_of("<p>a<b> b </b>c</p>") == "<p>a <b>b</b> c</p>"


def test_a_gap_in_a_paragraph_leaves_a_space(written):
    assert written("<p>a<span>AD</span>b</p>", lambda t: t != "AD").text == "a b"


def test_dissolved_elements_part_paragraphs_or_vanish(html_of):
    assert html_of("<div>a<span>b</span><section>c</section>d</div>") == "<p>ab</p>\n<p>c</p>\n<p>d</p>"


def test_one_break_is_a_line_and_two_are_a_paragraph(written):
    found = written("a<br>b<br><br>c<br>")
    assert found.html == "<p>a<br>b</p>\n<p>c</p>"
    assert found.text == "a\nb\n\nc"
    assert found.markdown == "a\\\nb\n\nc\n"


def test_a_rule_comes_only_between_kept_neighbours(html_of):
    assert html_of("<hr><p>a</p><hr><p>b</p><hr>") == "<p>a</p>\n<hr>\n<p>b</p>"
    assert html_of("<p>a</p><hr><p>AD</p><p>b</p>", lambda t: t != "AD") == "<p>a</p>\n<p>b</p>"


def test_markup_characters_are_escaped(html_of):
    assert html_of("<p>1 &lt; 2 &amp; <a href='/x?a=1&amp;b=%222%22'>3</a>") == (
        '<p>1 &lt; 2 &amp; <a href="https://example.org/x?a=1&amp;b=%222%22">3</a></p>'
    )
