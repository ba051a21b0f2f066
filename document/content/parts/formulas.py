"""The formulas of a page as LaTeX, each once, whatever tool rendered it.

Sources, the best first: LaTeX that KaTeX, MathJax, Wikipedia and others keep next to the rendering (``annotation``,
``alttext``, a ``script`` of type ``math/tex``, the ``alt`` of a picture); else MathML, converted to LaTeX.

Such sources are invisible and could contain anything, so they must match the rendering: nearly all their letters must
be in the visible text or, if glyphs are drawn without text, something must be visible and the source no prose.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ....page.arrays import HARDLY_ANY, BoolColumn
from ....page.clean_text import clean
from ....page.hidden import Hidden
from ....page.page import Page
from ....page.surroundings import Surroundings
from .inline import Inset, Step
from .mathml import latex_of

#: Class names of wrappers of formulas; the outermost is replaced.
_WRAPPERS = re.compile(r"(?:^|\s)(?:katex|MathJax|MJX|mjx|mwe-math|ltx_Math|math-tex|arithmatex)", re.IGNORECASE)
_DISPLAY = re.compile(
    r"katex-display|MathJax_(?:\w+_)?Display|MJXc-display|math(?:ml)?-display|math display|ltx_equation"
)
_DRAWN = re.compile(r"(?:^|\s)(?:MathJax|MJXc|mjx-chtml)")
_IMAGE_CLASS = re.compile(r"(?:^|\s)(?:latex|tex|math|mathimg|mwe-math-\S+)(?:\s|$)", re.IGNORECASE)
_IMAGE_SOURCE = re.compile(r"latex\.php|latex\.codecogs\.com|/(?:mimetex|mathtex)\b|/math/render/|chart\?cht=tx", re.I)
#: Words of which each of these classes and addresses has one.
_IMAGE_WORDS = ("tex", "math", "cht=tx")
#: TeX as authors write it for a script to find.
_DELIMITED = re.compile(r"\A\s*(?:\\\((?P<a>.+?)\\\)|\\\[(?P<b>.+?)\\\]|\$\$(?P<c>.+?)\$\$)\s*\Z", re.DOTALL)
_STYLE = re.compile(r"\A\{\\(?:display|text|script)style\b\s*(.*)\}\Z", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n|\Z)")
_DOLLAR = re.compile(r"(?<!\\)\$")
#: Commands and names of environments, which are no letters of the formula.
_COMMANDS = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\{[lcr|@{}\s]*\})?|\\[A-Za-z]+\*?")
#: Words in a row are a sentence.
_PROSE = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]{2,}[\s,.;:!?]+){3,}[^\W\d_]{2,}")
#: Levels above a formula that are searched for its wrapper.
_FAR = 8
#: A formula of more characters is none.
LONGEST = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFormulas:
    """The formulas in the content: insets, rows of duplicates (``omitted``), and rows of pictures of formulas."""

    insets: dict[int, Inset]
    omitted: frozenset[int]
    pictures: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Formula:
    row: int
    latex: str
    display: bool
    copies: tuple[int, ...] = ()


def find_formulas(page: Page, around: Surroundings) -> FoundFormulas:
    """Find the formulas of a page's content."""
    insets: dict[int, Inset] = {}
    # Browsers do not show them; a page that was rendered knows.
    notes = page.has_tag("annotation", "annotation-xml") & (page.geometry is None)
    omitted: set[int] = set(notes.nonzero()[0].tolist())
    covered = np.zeros(len(page), dtype=bool)
    read = around.seen & ~page.below(page.has_tag("annotation"))[page.leaves]
    drawn = _drawn(page)
    for formula in _formulas(page):
        if covered[formula.row] or not formula.latex or not _says_what_is_seen(page, formula, read, drawn):
            continue
        covered[formula.row : page.end[formula.row]] = True
        omitted |= set(formula.copies)
        leaves = tuple(leaf for leaf in range(*page.leaf_range[formula.row].tolist()) if around.marks[leaf])
        if leaves or around.holds(formula.row):
            step = Step("span", (("class", "math display" if formula.display else "math inline"),), formula.row)
            insets[formula.row] = Inset(path=(step,), text=formula.latex, alone=formula.display, leaves=leaves)
    pictures = (page.has_tag("img") & covered).nonzero()[0].tolist() if insets else []
    return FoundFormulas(insets=insets, omitted=frozenset(omitted), pictures=frozenset(pictures))


def _says_what_is_seen(page: Page, formula: _Formula, read: BoolColumn, drawn: BoolColumn) -> bool:
    """Return whether a formula is visible and its source matches the visible text."""
    first, last = page.leaf_range[formula.row].tolist()
    leaves = first + read[first:last].nonzero()[0]
    plain_latex = _COMMANDS.sub(" ", formula.latex)
    if len(leaves):
        letters = _letters(plain_latex)
        missing = letters - _letters("".join(page.leaf_texts[leaf] for leaf in leaves.tolist()))
        # Some letters may not be rendered.
        return missing.total() <= max(10, HARDLY_ANY * letters.total())
    # Without geometry, it may be rendered unless markup hides it.
    rendered = drawn[formula.row : page.end[formula.row]] if page.geometry is not None else drawn[formula.row]
    return bool(rendered.any()) and not _PROSE.search(plain_latex)


def _letters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def _drawn(page: Page) -> BoolColumn:
    """Mark elements that draw glyphs without text; without geometry, all that markup does not hide."""
    geometry = page.geometry
    if geometry is None:
        declared: BoolColumn = page.declared_hidden == Hidden.VISIBLE
        return declared
    large = (geometry.box[:, 2:] > 1).all(axis=1)
    drawn: BoolColumn = page.has_tag("img", "svg", "mjx-c", "mjx-math") & large & ~geometry.invisible
    return drawn


def _formulas(page: Page) -> Iterator[_Formula]:
    """Yield the formulas of a page, the best sources first."""
    yield from _scripted(page)
    math, notes = page.has_tag("math"), page.has_tag("annotation")
    several = page.count_within(math) > 1 if math.any() else math
    for row in page.has_tag("math", "m:math", "mml:math").nonzero()[0].tolist():
        outer = _wrapper(page, row, several)
        yield _Formula(row=outer, latex=_tidy(_source(page, row, notes)), display=_is_display(page, row, outer))
    for row in _pictures(page):
        attributes = page.attributes_of(row)
        if attributes["alt"]:
            yield _Formula(row=row, latex=_tidy(attributes["alt"]), display="display" in attributes.get("class", ""))
    yield from _delimited(page)


def _pictures(page: Page) -> list[int]:
    """Return the rows of the pictures of formulas, by class or address."""
    named = page.attribute_matches("class", lambda name: bool(_IMAGE_CLASS.search(name)), needs=_IMAGE_WORDS)
    named |= page.attribute_matches("src", lambda address: bool(_IMAGE_SOURCE.search(address)), needs=_IMAGE_WORDS)
    rows: list[int] = (page.has_tag("img") & named & (page.attribute("alt") >= 0)).nonzero()[0].tolist()
    return rows


def _scripted(page: Page) -> Iterator[_Formula]:
    """Yield MathJax 2's formulas: scripts with the source behind the rendered elements."""
    tex = page.attribute_matches("type", lambda kind: kind.strip().lower().startswith("math/tex"), needs=("math/tex",))
    scripts = (page.has_tag("script") & tex).nonzero()[0].tolist()
    if not scripts:
        return
    drawn = page.attribute_matches("class", lambda name: bool(_DRAWN.search(name))).nonzero()[0].tolist()
    for number, row in enumerate(scripts):
        above, before = int(page.parent[row]), scripts[number - 1] if number else -1
        siblings = [one for one in drawn if page.parent[one] == above and before < one < row]
        rendered = [one for one in siblings if "Preview" not in page.attributes_of(one).get("class", "")]
        chosen = rendered[-1] if rendered else row
        display = "mode=display" in page.attributes_of(row)["type"]
        copies = tuple(one for one in (*siblings, row) if one != chosen)
        yield _Formula(row=chosen, latex=_tidy(_inner(page, row)), display=display, copies=copies)


def _wrapper(page: Page, row: int, several: BoolColumn) -> int:
    """Return the outermost element that a tool added around a formula, and around no other."""
    outer, above = row, int(page.parent[row])
    for _ in range(_FAR):
        if above < 0 or several[above]:
            break
        if page.tag_of(above).startswith("mjx-") or _WRAPPERS.search(page.attributes_of(above).get("class", "")):
            outer = above
        above = int(page.parent[above])
    return outer


def _is_display(page: Page, row: int, outer: int) -> bool:
    while True:
        attributes = page.attributes_of(row)
        if attributes.get("display", "").lower() in {"block", "true"} or _DISPLAY.search(attributes.get("class", "")):
            return True
        if row <= outer:
            return False
        row = int(page.parent[row])


def _source(page: Page, row: int, notes: BoolColumn) -> str:
    """Return the LaTeX of a ``math`` element, or its conversion to LaTeX."""
    for note in (row + notes[row : page.end[row]].nonzero()[0]).tolist():
        if "tex" in page.attributes_of(note).get("encoding", "").lower():
            return _inner(page, note)
    attributes = page.attributes_of(row)
    return attributes.get("alttext") or attributes.get("data-latex") or latex_of(page, row)


def _delimited(page: Page) -> Iterator[_Formula]:
    """Yield delimited TeX that fills an element of its own, for a script to render."""
    for leaf, text in enumerate(page.leaf_texts):
        if "\\" not in text and "$$" not in text:
            continue
        row = int(page.leaves[leaf])
        above = int(page.parent[row])
        match = _DELIMITED.match(text[:LONGEST])
        first, last = page.leaf_range[above]
        if match and last - first == 1 and not match[0].count(r"\)") > 1:
            yield _Formula(row=row, latex=_tidy(match["a"] or match["b"] or match["c"]), display=not match["a"])


def _is_closed(latex: str) -> bool:
    """Return whether no closing brace precedes its opening one."""
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", latex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return True


def _inner(page: Page, row: int) -> str:
    rows = np.arange(row, page.end[row])
    return "".join(page.strings[text] for text in page.text[rows[page.text[rows] >= 0]].tolist())


def _tidy(latex: str) -> str:
    """Return a formula on one line, without layout commands and without characters that would end it."""
    if len(latex) > LONGEST:
        return ""
    latex = latex.strip().removeprefix("<![CDATA[").removesuffix("]]>").removeprefix("% <![CDATA[")
    delimited = _DELIMITED.match(latex)
    latex = (delimited["a"] or delimited["b"] or delimited["c"]) if delimited else latex
    latex = clean(_COMMENT.sub(" ", latex)).strip("$ ")
    while (found := _STYLE.match(latex)) and _is_closed(found[1]):
        latex = found[1].strip()
    if latex.endswith("\\") and not latex.endswith("\\\\"):
        latex += " "
    sides = iter([r"\(", r"\)"] * len(latex))
    return _DOLLAR.sub(lambda _: next(sides), latex)
