"""MathML to LaTeX.

Libraries fail on real pages (an empty ``msup``, a bare ``mtable``), write functions as products of letters, or need
Java; the part of MathML that pages use is small.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from ....page.clean_text import clean
from ....page.html import TEXT
from ....page.page import Page

#: Symbols with a name in LaTeX. Others are written as they are: current engines read Unicode.
_NAMES = dict(
    re.findall(
        r"(\S) (\S+)",
        r"""
    − -  ∗ *  × \times  ÷ \div  · \cdot  ⋅ \cdot  ± \pm  ∓ \mp  ∘ \circ  ∙ \bullet  ≤ \leq  ⩽ \leqslant  ≥ \geq
    ⩾ \geqslant  ≠ \neq  ≈ \approx  ≡ \equiv  ≅ \cong  ∼ \sim  ≃ \simeq  ∝ \propto  ≪ \ll  ≫ \gg  ∈ \in  ∉ \notin
    ∋ \ni  ⊂ \subset  ⊆ \subseteq  ⊃ \supset  ⊇ \supseteq  ∪ \cup  ∩ \cap  ∖ \setminus  ∅ \emptyset  ∧ \wedge
    ∨ \vee  ¬ \neg  ∀ \forall  ∃ \exists  ⇒ \Rightarrow  ⇐ \Leftarrow  ⇔ \Leftrightarrow  ⟹ \implies  ⟺ \iff
    → \to  ← \leftarrow  ↔ \leftrightarrow  ↦ \mapsto  ⟶ \longrightarrow  ↑ \uparrow  ↓ \downarrow  ∂ \partial
    ∇ \nabla  ∞ \infty  ∑ \sum  ∏ \prod  ∐ \coprod  ∫ \int  ∬ \iint  ∭ \iiint  ∮ \oint  √ \surd  ⋃ \bigcup
    ⋂ \bigcap  ⨁ \bigoplus  ⨂ \bigotimes  ⊕ \oplus  ⊗ \otimes  ⊥ \perp  ∥ \parallel  ∣ \mid  ∤ \nmid  ‖ \|
    ⟨ \langle  ⟩ \rangle  ⌈ \lceil  ⌉ \rceil  ⌊ \lfloor  ⌋ \rfloor  … \ldots  ⋯ \cdots  ⋮ \vdots  ⋱ \ddots  ′ '
    ″ ''  ‴ '''  ℏ \hbar  ℓ \ell  ℜ \Re  ℑ \Im  ℵ \aleph  ° ^{\circ}  ∠ \angle  △ \triangle  ⊢ \vdash  ⊨ \models
    ⊤ \top  ≺ \prec  ≻ \succ  ⋆ \star  † \dagger  \ \backslash  { \{  } \}  % \%  # \#  & \&  $ \$  _ \_  ~ \sim
    ^ \hat{}  < \lt  > \gt
""",
    )
)
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
).split()
_VARIANTS = {
    "ε": r"\varepsilon", "ϵ": r"\epsilon", "ϑ": r"\vartheta", "ϕ": r"\phi", "φ": r"\varphi", "ς": r"\varsigma",
    "ϱ": r"\varrho", "ϖ": r"\varpi", "µ": r"\mu", "ο": "o",
}  # fmt: skip
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh".split()
)
#: Accents above and below their base.
_OVER = {"^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "¯": "overline", "‾": "overline", "_": "overline"}
_OVER |= {"→": "vec", "⃗": "vec", "˙": "dot", ".": "dot", "¨": "ddot", "⏞": "overbrace", "ˇ": "check", "˘": "breve"}
_UNDER = {"_": "underline", "̲": "underline", "⏟": "underbrace"}
_LETTERS = {"bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak"}
_LETTERS |= {"normal": "mathrm", "sans-serif": "mathsf", "monospace": "mathtt", "bold-italic": "boldsymbol"}
#: Invisible operators and separators.
_UNSEEN = re.compile("[\u2061-\u2064\u200b-\u200f\ufe00-\ufe0f]")
_NOT_SHOWN = frozenset("annotation annotation-xml mphantom maligngroup malignmark none mprescripts".split())
#: Elements that are written from their text; text in others is malformed.
_TOKENS = frozenset({"mi", "mn", "mo", "ms", "mtext"})
_ONE = re.compile(r"\A(?:.|\\[A-Za-z]+|\\.)\Z", re.DOTALL)


def latex_of(page: Page, row: int) -> str:
    """Return a ``math`` element as LaTeX, "" if it is empty; malformed elements are converted as far as possible."""
    written: dict[int, list[str]] = {}
    # Backwards each element comes after all that is in it: depth is no matter.
    for inner in range(int(page.end[row]) - 1, row - 1, -1):
        text = _node(page, inner, written.pop(inner, [])[::-1])
        if text is not None:
            written.setdefault(int(page.parent[inner]) if inner > row else -1, []).append(text)
    return re.sub(r" +", " ", "".join(written.get(-1, []))).strip()


def _node(page: Page, row: int, inside: list[str]) -> str | None:
    """Return the LaTeX of a node, given that of its children; None if it is not part of a term."""
    tag = page.tag_of(row).rpartition(":")[2]
    if tag == TEXT:
        text = clean(_UNSEEN.sub("", page.text_of(row)))
        held = page.tag_of(int(page.parent[row])).rpartition(":")[2] in _TOKENS
        return (text if held else _signs(text)) or None
    if tag in _NOT_SHOWN:
        return "" if tag == "mphantom" else None
    attributes = page.attributes_of(row)
    write = _WRITERS.get(tag)
    return write(inside, attributes) if write else _joined(inside)


Writer = Callable[[list[str], Mapping[str, str]], str]


#: Most characters of a command; only these are searched, or the time would be quadratic.
_LONGEST_COMMAND = 40


def _joined(terms: list[str]) -> str:
    """Concatenate terms; a command must not run into a letter."""
    pieces: list[str] = []
    end = ""
    for term in terms:
        if end and term[:1].isalpha() and re.search(r"\\[A-Za-z]+\Z", end):
            pieces.append(" ")
            end += " "
        pieces.append(term)
        end = (end + term)[-_LONGEST_COMMAND:]
    return "".join(pieces)


def _identifier(inside: list[str], attributes: Mapping[str, str]) -> str:
    text = "".join(inside)
    if text in _FUNCTIONS:
        return rf"\{text} "
    letters = _LETTERS.get(attributes.get("mathvariant", ""))
    if letters and (len(text) > 1 or letters != "mathrm"):
        return rf"\{letters}{{{_signs(text)}}}"
    plain = text.replace(" ", "")
    if len(plain) > 1 and plain.isalpha() and plain.isascii():
        return rf"\mathrm{{{plain}}}"
    return _signs(text)


def _operator(inside: list[str], attributes: Mapping[str, str]) -> str:
    text = "".join(inside)
    if text in _FUNCTIONS:
        return rf"\{text} "
    if len(text) > 1 and text.isalpha() and text.isascii():
        return rf"\operatorname{{{text}}} "
    name = _signs(text)
    if attributes.get("stretchy") == "true" and text in "()[]|" and text:
        return name
    spaced = text in "=<>≤≥≠≈≡∼∈⊂⊆→⇒⇔↦:∝∧∨+−-±×" and bool(text)
    return f" {name.strip()} " if spaced else name


def _text(inside: list[str], _: Mapping[str, str]) -> str:
    text = re.sub(r"([\\{}%#&$_^~])", lambda found: _IN_TEXT.get(found[1], "\\" + found[1]), " ".join(inside))
    return rf"\text{{{text}}}" if text else ""


_IN_TEXT = {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}


def _signs(text: str) -> str:
    return _joined([_sign(sign) for sign in text])


def _sign(sign: str) -> str:
    if named := _NAMES.get(sign) or _VARIANTS.get(sign):
        return named
    if "Α" <= sign <= "ω":
        name = unicodedata.name(sign, "").rpartition(" ")[2].lower().replace("lamda", "lambda")
        name = name.capitalize() if sign.isupper() else name
        return rf"\{name}" if name in _GREEK else sign
    return sign


def _braced(term: str) -> str:
    return f"{{{term.strip()}}}"


def _base(term: str) -> str:
    """Return a base for an index, in braces unless it is a single symbol."""
    term = term.strip()
    return term if _ONE.match(term) or re.fullmatch(r"\\[A-Za-z]+\{[^{}]*\}", term) else f"{{{term}}}"


def _at(inside: list[str], number: int) -> str:
    return inside[number] if number < len(inside) else ""


def _fraction(inside: list[str], attributes: Mapping[str, str]) -> str:
    bare = re.fullmatch(r"0(?:\.0*)?(?:px|pt|em|ex)?", attributes.get("linethickness", "").strip())
    return (r"\binom" if bare else r"\frac") + _braced(_at(inside, 0)) + _braced(_joined(inside[1:]))


def _scripts(*signs: str) -> Writer:
    return lambda inside, _: _base(_at(inside, 0)) + "".join(map(_index, signs, inside[1:]))


def _index(sign: str, term: str) -> str:
    term = term.strip()
    primes = sign == "^" and set(term) == {"'"}
    return term if not term or primes else f"{sign}{{{term}}}"


def _limits(*signs: str) -> Writer:
    """Return a writer of what is under and over a term: an accent, limits of a sum, or anything."""

    def write(inside: list[str], _: Mapping[str, str]) -> str:
        base = _at(inside, 0).strip()
        for sign, term in zip(signs, inside[1:], strict=False):
            base = _limit(base, sign, term.strip())
        return base

    return write


#: What has limits, not something over or under it.
_LARGE = re.compile(
    r"\A\\(?:(?:sum|prod|coprod|i*int|oint|big[a-z]+|lim[a-z]*|max|min|sup|inf|det|gcd|Pr|operatorname)(?![A-Za-z])"
    r"|underbrace|overbrace)"
)


def _limit(base: str, sign: str, term: str) -> str:
    names = _OVER if sign == "^" else _UNDER
    named = next((names[mark] for mark in names if term in (mark, _sign(mark))), "")
    if named:
        return rf"\{named}{{{base}}}"
    if not term or _LARGE.match(base):
        return base + _index(sign, term)
    return rf"\{'over' if sign == '^' else 'under'}set{{{term}}}{{{base}}}"


_WRITERS: dict[str, Writer] = {
    "mi": _identifier, "mo": _operator, "ms": _text, "mtext": _text, "mfrac": _fraction,
    "msub": _scripts("_"), "msup": _scripts("^"), "msubsup": _scripts("_", "^"),
    "munder": _limits("_"), "mover": _limits("^"), "munderover": _limits("_", "^"),
    "mn": lambda inside, _: _signs("".join(inside)),
    "mspace": lambda _, __: " ",
    "msqrt": lambda inside, _: rf"\sqrt{_braced(_joined(inside))}",
    "mroot": lambda inside, _: rf"\sqrt[{_at(inside, 1).strip()}]{_braced(_at(inside, 0))}",
    "mtable": lambda inside, _: r"\begin{matrix} " + r" \\ ".join(map(str.strip, inside)) + r" \end{matrix}",
    "mtr": lambda inside, _: " & ".join(cell.strip() for cell in inside),
    "semantics": lambda inside, _: _at(inside, 0),
}  # fmt: skip
