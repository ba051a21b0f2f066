"""TeX within sentences, as authors write it for a script that renders it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ....page.arrays import Marks
from ....page.clean_text import clean
from ....page.page import Page

#: Text between TeX's own delimiters: anything but another formula, which ``\\[2pt]`` does not start.
_INSIDE = r"(?:(?!(?<!\\)\\[(\[])[^$])+?"
#: In TeX's own delimiters, and between dollars as Pandoc and MathJax read them.
_FORMULA = re.compile(
    rf"\\\((?P<a>{_INSIDE})\\\)|\\\[(?P<b>{_INSIDE})\\\]"
    r"|\$\$(?P<c>[^$]+?)\$\$"
    r"|(?<![\\$\w])\$(?P<d>[^\s$](?:[^$\n]{0,300}?[^\s\\$])?)\$(?![\w$])",
    re.DOTALL,
)
#: TeX commands between single dollars: prices have none.
_TEX = re.compile(r"\\[A-Za-z]+|[\^_]\{|[A-Za-z)\]}][\^_][\w\\]|\\[{}|,;! ]")
_PLAIN = re.compile(r"\A[A-Za-z](?:\s?['′])?\Z|\A[\w\s+\-*/=<>≤≥(),.|'′]+\Z")
_PROSE = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]{2,}[\s,.;:!?]+){2,}[^\W\d_]{2,}")
#: Words of scripts that set formulas.
_SETTERS = ("mathjax", "katex", "inlinemath", "tex-mml")
#: A page with this number of formulas with TeX commands has others, too.
SURE = 2
#: A formula of more characters is none.
LONGEST = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaSpan:
    """A formula within a text, as ``written`` with its delimiters; ``display`` if on a line of its own."""

    written: str
    latex: str
    display: bool


def tex_in_text(page: Page, marks: Marks) -> dict[int, tuple[FormulaSpan, ...]]:
    """Find the formulas within marked texts outside code, by row.

    Text between single dollars is a formula if it contains TeX commands, or is short and without words on a page with a
    script for formulas.
    """
    likely = [leaf for leaf in marks.nonzero()[0].tolist() if _may_hold(page.leaf_texts[leaf])]
    if not likely:
        return {}
    code = page.below(page.has_tag("pre", "code", "kbd", "samp", "tt", "listing", "textarea"))
    texts = [page.leaf_texts[leaf] for leaf in likely if not code[page.leaves[leaf]]]
    known = sum(len(_formulas(text, known=False)) for text in texts) >= SURE or _brings_setter(page)
    return {
        int(page.leaves[leaf]): formulas
        for leaf in likely
        if not code[page.leaves[leaf]] and (formulas := _formulas(page.leaf_texts[leaf], known=known))
    }


def _may_hold(text: str) -> bool:
    return text.count("$") > 1 or "\\(" in text or "\\[" in text


def _formulas(text: str, *, known: bool) -> tuple[FormulaSpan, ...]:
    spans = []
    for formula in _FORMULA.finditer(text):
        latex = clean(formula["a"] or formula["b"] or formula["c"] or formula["d"])
        if len(latex) <= LONGEST and _is_formula(latex, dollars=bool(formula["d"]), known=known):
            spans.append(FormulaSpan(written=formula[0], latex=latex, display=bool(formula["b"] or formula["c"])))
    return tuple(spans)


def _is_formula(latex: str, *, dollars: bool, known: bool) -> bool:
    if _PROSE.search(latex):
        return False
    if dollars and not _TEX.search(latex):
        return known and bool(_PLAIN.match(latex))
    # A pattern of a shell or a regular expression may be in brackets, too.
    return known or bool(_TEX.search(latex))


def _brings_setter(page: Page) -> bool:
    """Return whether a page has a script that renders formulas, or the configuration of one."""
    for row in page.has_tag("script", "link").nonzero()[0].tolist():
        attributes = page.attributes_of(row)
        inside = (page.strings[int(text)][:2_000] for text in page.text[row : page.end[row]] if text >= 0)
        named = "\n".join((attributes.get("src", ""), attributes.get("href", ""), *inside)).lower()
        if any(word in named for word in _SETTERS):
            return True
    return False
