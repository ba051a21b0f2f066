"""Code, quotes and figures."""


def test_code_keeps_its_white_space_and_language(written):
    found = written("<pre><code class='hl language-python'>\ndef f():\n    return 1\n</code></pre>")
    assert found.html == '<pre><code class="language-python">def f():\n    return 1</code></pre>'
    assert found.text == "def f():\n    return 1"
    assert found.markdown == "```python\ndef f():\n    return 1\n```\n"


def test_code_with_one_element_a_line(written):
    lines = "<pre><div>a</div><div><br></div><div>  b</div><div>c\n</div><div>d</div></pre>"
    assert written(lines).text == "a\n\n  b\nc\nd"
    assert written("<pre>a<br>b<br><br>c</pre>").text == "a\nb\n\nc"


def test_line_numbers_that_are_not_marked_leave_no_trace(written):
    lines = "<pre><span>1</span>a\n<span>2</span>  b\n</pre>"
    assert written(lines, lambda t: not t.isdigit()).text == "a\n  b"


def test_backticks_in_code(markdown_of):
    assert markdown_of("<pre>```\nx</pre><p><code>a`b</code></p>") == "````\n```\nx\n````\n\n`` a`b ``\n"


def test_code_in_an_item(markdown_of):
    assert markdown_of("<ul><li>do<pre>a\n  b</pre></li></ul>") == "- do\n\n  ```\n  a\n    b\n  ```\n"


def test_quotes(written):
    found = written("<blockquote>a<p>b</p></blockquote><p>c d e f g h i j k l m n o</p>")
    assert found.html.startswith("<blockquote><p>a</p><p>b</p></blockquote>")
    assert found.markdown.startswith("> a\n>\n> b\n\nc")
    assert found.blocks[0].kind == "quote"


def test_a_quote_around_everything_is_an_indentation(html_of):
    assert html_of("<blockquote><p>a<p>b<p>c<p>d</blockquote>").startswith("<p>a</p>")


def test_figures_keep_their_caption(written):
    found = written("<figure><img src=x alt=y><figcaption>cap</figcaption></figure>")
    assert found.html == "<figure><figcaption>cap</figcaption></figure>"
    assert found.blocks[0].kind == "caption"
