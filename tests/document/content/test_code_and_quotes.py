"""Code, quotes and figures."""

import re

import pytest


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
    picture = '<img src="https://example.org/a/x" alt="y">'
    assert found.html == f"<figure>{picture}<figcaption>cap</figcaption></figure>"
    assert found.blocks[0].kind == "caption"


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<pre class='brush: js'>a</pre>", "js"),
        ("<pre class='sourceCode python'><code>a</code></pre>", "python"),
        ("<pre><code class='rust hljs'>a</code></pre>", "rust"),
        ("<pre data-language=go><code>a</code></pre>", "go"),
        ("<figure class='highlight yaml'><pre>a</pre></figure>", "yaml"),
        ("<pre class='src src-lisp'>a</pre>", "lisp"),
        ("<pre class='language-none'><code>a</code></pre>", ""),
        ("<div class='post tag-python'><pre><code>a</code></pre></div>", ""),
    ],
)
def test_languages(markup, language, markdown_of):
    assert f"```{language}\na\n```" in markdown_of(f"{markup}<p>text</p>")


def test_labels_and_buttons_around_code_are_not_code(written):
    html = "<div><div><span>ts</span><button>Copy</button></div><pre><code>let a</code></pre></div><p>text</p>"
    assert written(html).markdown == "```ts\nlet a\n```\n\ntext\n"
    assert written("<div><span>src/a.ts</span><pre>let a</pre></div><p>b</p>").text == "src/a.ts\n\nlet a\n\nb"
    assert written("<pre><button>Copy</button>a\nb</pre>").text == "a\nb"


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><pre>1\n2</pre></td><td><pre><code>a\nb</code></pre></td></tr></table>",
        "<pre><span class=lineno>7 </span>a\n<span class=lineno>9 </span>b</pre>",
        "<pre><table><tr><td data-line-number=1>1</td><td>a</td></tr><tr><td data-line-number=2>2</td><td>b</td></tr>"
        "</table></pre>",
    ],
)
def test_line_numbers_are_not_code(html, written):
    assert written(html).text == "a\nb"


@pytest.mark.parametrize("code", ["1\n2\n3", "<b>1</b>\n<b>2</b>", "[\n<i>1</i>,\n<i>2</i>,\n]"])
def test_numbers_that_are_code_stay(code, written):
    assert written(f"<pre>{code}</pre>").text == re.sub(r"<.*?>", "", code)


def test_lines_that_only_a_style_sheet_parts(written):
    html = "<pre><code><span class=line>a</span><span class='line highlighted'>b</span></code></pre>"
    assert written(html).text == "a\nb"
    assert written("<pre><span class=line>a\n</span><span class=line>b</span></pre>").text == "a\nb"
