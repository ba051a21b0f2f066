"""Lists."""


def test_nested_lists(written):
    found = written("<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>")
    assert found.html == "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"
    assert found.text == "a\nb\nc\nd"
    assert found.markdown == "- a\n- b\n  - c\n- d\n"


def test_text_and_lists_directly_in_a_list(html_of):
    assert html_of("<ul>x<li>a</li>y</ul>") == "<ul><li>x</li><li>a</li><li>y</li></ul>"
    assert html_of("<ul><li>a</li><ul><li>b</li></ul></ul>") == "<ul><li>a<ul><li>b</li></ul></li></ul>"


def test_items_without_a_list(html_of):
    assert html_of("<div><li>a</li><li>b</li></div>") == "<ul><li>a</li><li>b</li></ul>"


def test_a_list_is_numbered_on_from_its_first_kept_item(written):
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
