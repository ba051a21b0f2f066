"""TeX within sentences: formulas come out once, prices and code as they are."""

import pytest


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (r"<p>Then \(a \le b\) holds.</p>", r"Then $a \le b$ holds."),
        (r"<p>Let $x_1$ and $\alpha$ be.</p>", r"Let $x_1$ and $\alpha$ be."),
        (r"<p>So $$\sum_i x_i$$ it is.</p>", r"So $$\sum_i x_i$$ it is."),
        (r"<p>It costs $5 and $x_1$ is free.</p>", r"It costs \$5 and $x_1$ is free."),
        ("<p>It costs $5 to print and $6 to post.</p>", "It costs $5 to print and $6 to post."),
        ("<p>Set <code>$a_{b}$</code> and echo $HOME or $PATH$.</p>", "Set `$a_{b}$` and echo $HOME or $PATH$."),
        (r"<p>Open \( and \(a_1\) shut.</p>", r"Open \\( and $a_1$ shut."),
        (r"<p>Two lines \[a_1 \\[2pt] b_1\] here.</p>", r"Two lines $$a_1 \\[2pt] b_1$$ here."),
        (r"<p>A pattern \(foo bar baz qux\) in brackets.</p>", r"A pattern \\(foo bar baz qux\\) in brackets."),
    ],
)
def test_formulas_in_sentences(markdown_of, html, markdown):
    assert markdown_of(html).strip() == markdown


def test_a_script_for_formulas_speaks_for_short_ones(markdown_of, written):
    html = "<p>The set $S$ has $n + 1$ members, said $ 5 people $ here.</p>"
    assert written(html).html.count("math inline") == 0
    found = written(f"<script src=/MathJax.js></script>{html}")
    assert found.html.count("math inline") == 2
    assert found.text == "The set $S$ has $n + 1$ members, said $ 5 people $ here."
