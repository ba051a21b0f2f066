"""Code blocks of common highlighters: the code alone between the fences, with its language."""

import pytest

TEXT = "<p>Some words that are the content of the page.</p>"

VITEPRESS = """<div class="language-ts vp-adaptive-theme line-numbers-mode"><button title="Copy Code"></button>
<span class=lang>ts</span><pre class="shiki vp-code"><code><span class=line><span>const</span> a = 1</span>
<span class=line>b()</span></code></pre><div class=line-numbers-wrapper aria-hidden=true>
<span class=line-number>1</span><br>
<span class=line-number>2</span></div></div>"""
TWOSLASH = """<pre class="shiki light-plus twoslash lsp"><div class=language-id>ts</div><div class=code-container><code>
<div class=line>const a = 1</div><div class=line><data-lsp lsp="const b">b</data-lsp>()</div></code>
<a class=playground-link href=/play>Try</a></div></pre>"""
POPUP = """<pre class="shiki twoslash"><code class=language-ts><span class=line>const <span class=twoslash-hover><span
class=twoslash-popup-container><code class=twoslash-popup-code>const a: 1</code></span>a</span> = 1</span>
<span class=line>b()</span></code></pre>"""
DOCUSAURUS = """<div class="language-ts codeBlockContainer_C theme-code-block"><div class=codeBlockContent_b>
<pre class="prism-code language-ts"><code><span class=token-line><span class=token>const</span> a = 1<br></span><span
class=token-line>b()<br></span></code></pre><div class=buttonGroup_a>
<button aria-label="Copy code"><span>Copy</span></button>
</div></div></div>"""
PRISM = """<div class=code-toolbar><pre class="line-numbers language-ts"><code class=language-ts>const a = 1
b()<span aria-hidden=true class=line-numbers-rows><span></span></span></code></pre><div class=toolbar>
<div class=toolbar-item><span>TypeScript</span></div>
<div class=toolbar-item><button><span>Copy</span></button></div></div></div>"""
HEADER = """<div class=codeHeader><span>TS</span><button>Copy</button><button>Try It</button></div><pre><code
class=lang-ts>const a = 1
b()</code></pre>"""
INSIDE = """<pre><code class=language-ts>const a = 1
b()</code><a class=copy-btn href=#>Copy</a><span class=copied>Copied!</span></pre>"""


@pytest.mark.parametrize("html", [VITEPRESS, TWOSLASH, POPUP, DOCUSAURUS, PRISM, HEADER, INSIDE])
def test_the_code_alone(html, markdown_of):
    assert markdown_of(f"{TEXT}{html}{TEXT}").split("\n\n")[1] == "```ts\nconst a = 1\nb()\n```"


def test_words_of_buttons_are_text_elsewhere(markdown_of):
    html = f"{TEXT}<p>Copy</p><p>Run</p>{TEXT}<pre><code>a\nb</code></pre><p>Try</p>"
    assert [word in markdown_of(html).split() for word in ("Copy", "Run", "Try")] == [True, True, True]


def test_a_heading_with_the_name_of_a_language_stays(markdown_of):
    assert "## Go" in markdown_of(f"{TEXT}<h2>Go</h2><button>Copy</button><pre><code>a\nb</code></pre>{TEXT}")
