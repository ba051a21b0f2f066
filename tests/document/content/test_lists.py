"""Lists."""

import pytest


def test_nested_lists(written):
    found = written("<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>")
    assert found.html == "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"
    assert found.text == "- a\n- b\n  - c\n- d"
    assert found.markdown == "- a\n- b\n  - c\n- d\n"


def test_text_and_lists_directly_in_a_list(html_of):
    assert html_of("<ul>x<li>a</li>y</ul>") == "<ul><li>x</li><li>a</li><li>y</li></ul>"
    assert html_of("<ul><li>a</li><ul><li>b</li></ul></ul>") == "<ul><li>a<ul><li>b</li></ul></li></ul>"


def test_items_without_a_list(html_of):
    assert html_of("<div><li>a</li><li>b</li></div>") == "<ul><li>a</li><li>b</li></ul>"


def test_list_start(written):
    found = written("<ol><li>a</li><li>b</li><li>c <i>d</i></li></ol>", lambda t: t in "bd")
    assert found.html == '<ol start="2"><li>b</li><li><i>d</i></li></ol>'
    assert found.markdown == "2. b\n3. *d*\n"


def test_items_of_several_paragraphs(written):
    found = written("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>")
    assert found.html == "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>"
    assert found.markdown == "- a\n\n  b\n- c\n"


def test_a_list_of_articles_is_a_layout(html_of):
    assert html_of("<ul><li><h2>A</h2><p>a</p></li><li><h2>B</h2></li></ul>") == "<h2>A</h2>\n<p>a</p>\n<h2>B</h2>"


def test_definition_lists_also_in_wrappers(written):
    html = "<dl><div><dt>T</dt><dd>a</dd></div><div><dt>U</dt><dd>b<p>c</p></dd></div></dl>"
    found = written(html)
    assert found.html == "<dl><dt>T</dt><dd>a</dd><dt>U</dt><dd><p>b</p><p>c</p></dd></dl>"
    assert [block.kind for block in found.blocks] == ["term", "definition", "term", "definition", "definition"]


def test_plain_text_has_numbers_and_nesting(written):
    html = "<ol start=9><li>a</li><li>b<p>c<br>d</p><ul><li>e</li></ul></li></ol><p>f</p>"
    assert written(html).text == "9. a\n\n10. b\n\n    c\n    d\n\n    - e\n\nf"


def test_item_value(written):
    assert written("<ol><li value=4>a</li><li>b</li></ol>").text == "4. a\n5. b"


def test_task_lists(written):
    html = "<ul><li><input type=checkbox checked> done</li><li><label><input type=checkbox>open</label></li></ul>"
    found = written(html)
    assert found.markdown == "- [x] done\n- [ ] open\n"
    assert found.text == "- [x] done\n- [ ] open"


def test_checkbox_outside_of_items(markdown_of):
    assert markdown_of("<p><input type=checkbox> I agree</p><ul><li>a <input type=checkbox></li></ul>") == (
        "I agree\n\n- a\n"
    )


def test_details_with_summary(written):
    found = written("<details><summary>More <b>here</b></summary><p>inner</p></details>")
    assert found.html == "<details><summary>More here</summary><p>inner</p></details>"
    assert found.markdown == "**More here**\n\ninner\n"


def test_lists_of_which_only_the_innermost_was_chosen(markdown_of):
    html = "<p>Text</p><ul class=toc><li>A<ul><li>B<ul><li>C</ul></ul></ul>"
    assert markdown_of(html, lambda text: text in "TextC") == "Text\n\n- C\n"
    assert markdown_of(html, lambda text: text in "TextAC") == "Text\n\n- A\n  - C\n"
    assert markdown_of(html) == "Text\n\n- A\n  - B\n    - C\n"


def test_the_label_of_a_checkbox_is_on_its_line(markdown_of):
    box = "<input type=checkbox>"
    html = f"<p>Text</p><ul><li>{box}<div>One</div><li>{box.replace('>', ' checked>')}<p>Two</p><p>Three</p></ul>"
    assert markdown_of(html) == "Text\n\n- [ ] One\n- [x] Two\n\n  Three\n"


@pytest.mark.parametrize(
    ("html", "markdown", "text"),
    [
        ("<ol><li value=2>b<li>c<li value=9>i</ol>", "2. b\n3. c\n9) i\n", "2. b\n3. c\n9. i"),
        ("<ol reversed><li>c<li>b</ol>", "2) c\n1. b\n", "2. c\n1. b"),
        ("<ol type=a start=26><li>z<li>aa<p>more</ol>", "- z. z\n- aa. aa\n\n  more\n", "z. z\n\naa. aa\n\n    more"),
        ("<ol type=I><li>one<li>two<li>three<li>four</ol>", "- I. one\n- II. two\n- III. three\n- IV. four\n",
         "I. one\nII. two\nIII. three\nIV. four"),
        ("<ol><li>a<li hidden>x<li>b</ol>", "1. a\n2. b\n", "1. a\n2. b"),
        ("<ol type=i start=0><li>a<li value=5000>b</ol>", "0. a\n5000) b\n", "0. a\n5000. b"),
    ],
)  # fmt: skip
def test_list_numbers_as_drawn(html, markdown, text, written):
    found = written(html, lambda text: text != "x")
    assert (found.markdown, found.text) == (markdown, text)


def test_list_numbers_html(written):
    assert written("<ol reversed type=A><li>b<li value=7>a</ol>").html == (
        '<ol type="A" reversed="reversed" start="2"><li>b</li><li value="7">a</li></ol>'
    )
