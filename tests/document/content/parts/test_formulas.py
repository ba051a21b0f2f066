"""Formulas: each once, in line, as LaTeX."""

import time

import blocksight as bs
import pytest
from blocksight.document.content.parts.mathml import latex_of
from blocksight.page.parse import parse
from hypothesis import given, settings
from hypothesis import strategies as st

HALF = "<mi>a</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>"
TEX = "<annotation encoding='application/x-tex'>a=\\tfrac12</annotation>"
MATHML = f"<math><semantics><mrow>{HALF}</mrow>{TEX}</semantics></math>"


SECRET = "this sentence is nowhere on the page and must not come out"


@pytest.mark.parametrize(
    "markup",
    [
        f"<math style='display:none'><mtext>{SECRET}</mtext></math>",
        f"<math alttext='{SECRET}'><mi>x</mi></math>",
        f"<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>{SECRET}</annotation></semantics></math>",
        f"<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\text{{{SECRET}}}</annotation>"
        "</semantics></math>",
        f"<img class=latex alt='{SECRET}' src=/a.png>",
        f"<mjx-container data-latex='{SECRET}'><svg></svg></mjx-container>",
        f"<span class=MathJax><span>x</span></span><script type='math/tex'>{SECRET}</script>",
    ],
)
def test_find_formulas_hidden_source(markup):
    found = bs.extract(parse(f"<p>We have {markup}, and so on.</p>"), system="everything")
    assert "and so on" in found.text
    assert SECRET not in found.text


@pytest.mark.browser
def test_find_formulas_invisible(browser):
    hidden = ("style='display:none'", "style='color:#fff'", "style='font-size:0'", "style='opacity:0'")
    formulas = "".join(f"<p>Here is {number}: <math {how}>{HALF}</math></p>" for number, how in enumerate(hidden))
    page = browser.open(f"<!DOCTYPE html><body>{formulas}<p>seen: <math>{HALF}</math></p>".encode())
    found = bs.extract(page, system="everything")
    assert found.markdown.count("$") == 2
    assert r"seen: $a = \frac{1}{2}$" in found.text


@pytest.mark.parametrize(
    ("markup", "latex"),
    [
        (f"<math>{HALF}</math>", r"a = \frac{1}{2}"),
        (MATHML, r"a=\tfrac12"),
        (f"<math alttext='{{\\displaystyle a}}'>{HALF}</math>", "a"),
        (f"<span class=katex><span class=katex-mathml>{MATHML}</span><span class=katex-html aria-hidden=true>a=½</span>"
         "</span>", r"a=\tfrac12"),
        (f"<mjx-container><mjx-math>a</mjx-math><mjx-assistive-mml><math>{HALF}</math></mjx-assistive-mml>"
         "</mjx-container>", r"a = \frac{1}{2}"),
        ("<span class=MathJax_Preview>a</span><span class=MathJax><span>a=½</span></span>"
         "<script type='math/tex'>a=b</script>", "a=b"),
        ("<script type='math/tex'>a=b</script>", "a=b"),
        ("<span class=mwe-math-element><span style='display:none'><math alttext='{\\displaystyle x}'><mi>x</mi></math>"
         "</span><img class=mwe-math-fallback-image-inline alt='{\\displaystyle x}' src=/x.svg></span>", "x"),
        ("<img class=latex alt='x^2' src='/latex.php?latex=x'>", "x^2"),
        ("<span class='math inline'>\\(x_1\\)</span>", "x_1"),
    ],
)  # fmt: skip
def test_find_formulas_inline(markup, latex, written):
    found = written(f"<p>We have {markup}, and so on.</p>")
    assert found.markdown == f"We have ${latex}$, and so on.\n"
    assert found.text == f"We have ${latex}$, and so on."
    assert found.html == f'<p>We have <span class="math inline">{latex}</span>, and so on.</p>'
    assert found.images == ()


@pytest.mark.parametrize(
    "markup",
    [
        "<math display=block><mi>x</mi></math>",
        "<span class=katex-display><span class=katex><math><mi>x</mi></math></span></span>",
        "<mjx-container display=true><math><mi>x</mi></math></mjx-container>",
        "<div class=MathJax_Display><span class=MathJax>x</span></div><script type='math/tex; mode=display'>x</script>",
        "<div>\\[x\\]</div>",
    ],
)
def test_find_formulas_display(markup, markdown_of):
    assert markdown_of(f"<p>One</p>{markup}<p>two.</p>") == "One\n\n$$x$$\n\ntwo.\n"


def test_find_formulas_escapes(markdown_of):
    html = "<p>a <script type='math/tex'>a<b \\text{if $y$} % so\n+ c</script> costs $5 &amp; is written</p>"
    assert markdown_of(html) == "a $a< b \\text{if \\(y\\)} + c$ costs \\$5 & is written\n"


def test_a_formula_of_a_text_has_no_control_characters(markdown_of):
    html = "<script src=/MathJax.js></script><p>Let \\(x\x01_1\\) be one</p>"
    assert markdown_of(html) == "Let $x_1$ be one\n"


def test_find_formulas_outside_of_content(written):
    html = "<p>One long text</p><nav><a href=/x>x</a> <math><mi>n</mi></math> <a href=/y>x</a></nav>"
    assert written(html, lambda text: "long" in text).markdown == "One long text\n"


@pytest.mark.parametrize(
    ("mathml", "latex"),
    [
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>θ</mi>", r"\sin \theta"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub>", "x^{2} + y_{i}"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "{(a)}^{2}"),
        ("<msqrt><mi>x</mi><mo>-</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>",
         r"\sqrt{x - 1}\sqrt[3]{x}"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
         r"\sum_{i = 1}^{n}i"),
        ("<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder>", r"\lim_{n \to \infty}"),
        ("<mover accent=true><mi>x</mi><mo>^</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", r"\hat{x}\vec{v}"),
        ("<mtext>if 50%</mtext><mi mathvariant=double-struck>R</mi>",
         r"\text{if 50\%}\mathbb{R}"),
        ("<mi>α</mi><mi>b</mi><mo>≤</mo><mi>Γ</mi>", r"\alpha b \leq \Gamma"),
        ("<msup><mi>f</mi><mo>′</mo></msup><mo>{</mo><mo>}</mo><mi>%</mi>", r"f'\{\}\%"),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mi>max</mi><mo>mod</mo>",
         r"\binom{n}{k}\max \operatorname{mod}"),
        ("<msub></msub><mfrac><mn>1</mn></mfrac><foo>z</foo>", r"{}\frac{1}{}z"),
    ],
)  # fmt: skip
def test_latex_of(mathml, latex):
    page = parse(f"<math>{mathml}</math>")
    assert latex_of(page, int(page.has_tag("math").argmax())) == latex.strip()


def test_latex_of_long_formula_is_linear():
    page = parse(f"<math><mi>\\alpha x{'x+' * 50_000}</mi></math>")
    began = time.process_time()
    assert latex_of(page, int(page.has_tag("math").argmax())).endswith("x+" * 50)
    assert time.process_time() - began < 2


TAGS = (
    "mrow mi mn mo mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mtable mtr mtd mtext"
).split()


@settings(deadline=None, max_examples=100)
@given(st.recursive(st.sampled_from(["x", "{", "∑", "<none/>", "<mprescripts/>", "\\", "$", ""]),
                    lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)).map(
                        lambda one: f"<{one[0]}>{''.join(one[1])}</{one[0]}>"), max_leaves=12))  # fmt: skip
def test_latex_of_balanced_braces(mathml):
    page = parse(f"<math>{mathml}</math>")
    latex = latex_of(page, int(page.has_tag("math").argmax()))
    depth = 0
    for place, sign in enumerate(latex):
        if sign in "{}" and (len(latex[:place]) - len(latex[:place].rstrip("\\"))) % 2 == 0:
            depth += 1 if sign == "{" else -1
            assert depth >= 0
    assert depth == 0


def test_find_formulas_with_assistive_mathml(markdown_of):
    drawn = "<span class=mjx-math aria-hidden=true><span>h</span><span>=</span><span>a</span></span>"
    spoken = "<span class=MJX_Assistive_MathML><math><mi>h</mi><mo>=</mo><mi>a</mi></math></span>"
    html = f"<p>So <span class=mjx-chtml>{drawn}{spoken}</span><script type='math/tex'>h = a</script> holds.</p>"
    assert markdown_of(html) == "So $h = a$ holds.\n"
