"""Code blocks as written by their author: without labels, line numbers and buttons."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import numpy as np

from ....page.arrays import BoolColumn
from ....page.page import Page

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|highlight-source-|highlight-|brush:\s*|src-|sourceCode\s+)([\w+#.]+)", re.IGNORECASE
)
_SHORT_LANGUAGE = re.compile(r"(?:^|\s)lang-([\w+#.]+)", re.IGNORECASE)
#: Highlighters whose class is followed by that of the language.
_BESIDE = re.compile(
    r"(?:^|\s)(?:hljs|highlight|prettyprint|syntaxhighlighter|codehilite|shiki)(?=\s|$)", re.IGNORECASE
)
_ATTRIBUTES = ("data-lang", "data-language", "data-code-lang", "data-enlighter-language", "lang")
_NO_LANGUAGE = frozenset({"default", "none", "plain", "plaintext", "text", "txt", "wrapper", "auto", "nohighlight"})
#: Names of languages in labels, and in classes next to that of a highlighter.
KNOWN = frozenset(
    "bash c c# c++ clojure cmake cpp cs csharp css dart diff docker dockerfile elixir elm erlang fish fortran "
    "fsharp go golang graphql groovy haskell hcl html http ini java javascript js json json5 jsonc jsx julia "
    "kotlin latex less lisp lua makefile markdown matlab md mermaid nginx nim nix objc objective-c ocaml perl php "
    "powershell proto protobuf python py python3 r rb rst ruby rust rs sass scala scheme scss sh shell shell- "
    "session solidity sql svelte swift terraform tex toml ts tsx typescript vb vim vue wasm xml yaml yml zig zsh "
    "console text".split()
)
_FAR = 2  # levels above a code block at which its language is still looked for
#: Levels above a code block at which its label and its button are, and their most characters.
_LABEL_LEVELS, LABEL_CHARACTERS = 3, 40
_COPY = re.compile(
    r"\A(?:copy|copied|copy code|copy to clipboard|copied to clipboard|click to copy|wrap|expand|collapse|raw|view raw"
    r"|copier|kopieren|copiar|copia|копировать|复制|复制代码|複製|コピー|복사)\s*[!✓✔]?\Z",
    re.IGNORECASE,
)
#: Buttons of code blocks besides those that copy.
_BUTTON = re.compile(
    r"\A(?:try(?: it(?: yourself)?)?|run|open|edit|download|playground|open in playground|open cloud ?shell|explain"
    r"|toggle word wrap|toggle wrap|show more|show less|open in [\w ]{2,20})\Z",
    re.IGNORECASE,
)
#: Classes of elements in a code block that are not code: labels, popups of types, buttons.
_NOT_CODE = re.compile(
    r"(?:^|\s)(?:language-id|code-title|code-?block-?title|playground-link|twoslash-popup[\w-]*|twoslash-error[\w-]*"
    r"|twoslash-completion[\w-]*|twoslash-meta[\w-]*|copy-?(?:btn|button|code[\w-]*|to-clipboard[\w-]*)|btn-?copy"
    r"|clipboard[\w-]*|zeroclipboard[\w-]*|copied)(?=\s|$)",
    re.IGNORECASE,
)
#: Most buttons and labels in a row before or after a code block.
MOST_BUTTONS = 6
_NUMBERS_CLASS = re.compile(
    r"(?:^|[\s_-])(?:line-?(?:nos?|numbers?)|lnt?|gutter|rouge-gutter|hljs-ln-n(?:umbers)?|blob-num|lnum)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_LINE_CLASS = re.compile(r"(?:^|[\s_-])line(?=\s|$)", re.IGNORECASE)
#: Words of which each of these names has one.
_NOT_CODE_WORDS = ("language-id", "title", "playground-link", "twoslash", "copy", "clipboard", "copied")
_NUMBERS_WORDS, _LINE_WORDS = ("line", "ln", "gutter", "num"), ("line",)
_BREAKS = frozenset({"br", "tr", "div", "li", "p"})
_DIGITS = re.compile(r"\A[\s\d.:|]*\d[\s\d.:|]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCode:
    """The code blocks of a page.

    ``labels`` are languages named only by a label, by row; ``omitted`` the leaves that are not code (labels, line
    numbers, buttons); ``lines``, bool (nodes,), marks elements with one line of code each.
    """

    labels: dict[int, str]
    omitted: list[int]
    lines: BoolColumn


def find_code(page: Page) -> FoundCode:
    """Find the languages, line numbers and labels of the code blocks of a page."""
    blocks = page.has_tag("pre", "listing").nonzero()[0]
    lines = np.zeros(len(page), dtype=bool)
    if not len(blocks):
        return FoundCode(labels={}, omitted=[], lines=lines)
    labels: dict[int, str] = {}
    omitted = _numbers(page, blocks.tolist())
    inside = page.below(page.has_tag("pre", "listing"))
    omitted += (page.below(page.has_tag("button")) & inside)[page.leaves].nonzero()[0].tolist()
    omitted += _not_code(page, inside, labels)
    numbers, buttons = _numbers_by_class(page), page.below(page.has_tag("button"))
    prose = page.below(page.has_tag("h1", "h2", "h3", "h4", "h5", "h6", "p", "li"))
    for row in blocks.tolist():
        omitted += _around(page, row, labels, numbers)
        omitted += _buttons(page, row, labels, buttons, prose)
    named = page.attribute_matches("class", lambda name: _LINE_CLASS.search(name) is not None, needs=_LINE_WORDS)
    return FoundCode(labels=labels, omitted=omitted, lines=inside & named & ~page.has_tag("pre", "code"))


def language_of(page: Page, row: int, inner: int) -> str:
    """Return the declared language of a code block, "" if none; ``inner`` is its ``code`` element, -1 for none."""
    own, around = [row] if inner < 0 else [inner, row], row
    for candidate in own:
        name = _named(page.attributes_of(candidate), own=True)
        if name:
            return name
    for _ in range(_FAR):
        around = int(page.parent[around])
        if around < 0:
            return ""
        name = _named(page.attributes_of(around), own=False)
        if name:
            return name
    return ""


def _named(attributes: dict[str, str], *, own: bool) -> str:
    classes = attributes.get("class", "")
    leaves_found = _LANGUAGE.search(classes) or (_SHORT_LANGUAGE.search(classes) if own else None)
    names = [leaves_found[1]] if leaves_found else []
    declared = {name: attributes[name] for name in _ATTRIBUTES if attributes.get(name)}
    names += [value for name, value in declared.items() if name != "lang" or _known(value)]
    if _BESIDE.search(classes):
        names += [name for name in classes.split() if _known(name)]
    return next((name for name in map(_plain, names) if name and name not in _NO_LANGUAGE), "")


def _known(name: str) -> bool:
    return name.strip().lower() in KNOWN


def _plain(name: str) -> str:
    name = name.strip().lower()
    return name if re.fullmatch(r"[\w+#.-]+", name) else ""


def _not_code(page: Page, inside: BoolColumn, labels: dict[int, str]) -> list[int]:
    """Return the leaves of labels, buttons and popups in code blocks."""
    named = page.attribute_matches("class", lambda name: _NOT_CODE.search(name) is not None, needs=_NOT_CODE_WORDS)
    around = page.below(named & inside & ~page.has_tag("pre", "code", "listing"))
    leaves = (around & inside)[page.leaves].nonzero()[0]
    popups = (page.below(named & page.has_tag("code")) & inside)[page.leaves].nonzero()[0]
    blocks = page.nearest(page.has_tag("pre", "listing"))
    for leaf in leaves.tolist():
        text = page.leaf_texts[leaf].strip().lower()
        if text in KNOWN and _plain(text) not in _NO_LANGUAGE:
            labels.setdefault(int(blocks[page.leaves[leaf]]), _plain(text))
    links = page.below(page.has_tag("a", "clipboard-copy"))[page.leaves] & inside[page.leaves]
    copies = [leaf for leaf in links.nonzero()[0].tolist() if _COPY.match(page.leaf_texts[leaf].strip())]
    return [*leaves.tolist(), *popups.tolist(), *copies]


def _buttons(page: Page, row: int, labels: dict[int, str], buttons: BoolColumn, prose: BoolColumn) -> list[int]:
    """Return the leaves in a row before and after a code block that are buttons, and its label among them."""
    first, last = page.leaf_range[row].tolist()
    omitted: list[int] = []
    for stretch in (range(first - 1, max(first - 1 - MOST_BUTTONS, -1), -1), range(last, last + MOST_BUTTONS)):
        found, copies, language = [], False, ""
        for leaf in stretch:
            text = page.leaf_texts[leaf].strip() if leaf < len(page.leaves) else ""
            in_button = bool(text) and bool(buttons[page.leaves[leaf]])
            if _COPY.match(text) or (in_button and _BUTTON.match(text)):
                copies = True
            elif copies and stretch.step < 0 and _known(text) and not language and not prose[page.leaves[leaf]]:
                language = _plain(text)
            else:
                break
            found.append(leaf)
        if copies:
            omitted += found
            if language and language not in _NO_LANGUAGE:
                labels.setdefault(row, language)
    return omitted


def _around(page: Page, row: int, labels: dict[int, str], numbers: BoolColumn) -> list[int]:
    """Return the leaves of the label and the buttons right before and after a code block, in its wrapper."""
    first, last = page.leaf_range[row].tolist()
    if first == last:
        return []
    outer = row
    for _ in range(_LABEL_LEVELS):
        outer = int(page.parent[outer])
        if outer < 0:
            return []
        start, end = page.leaf_range[outer].tolist()
        neighbours = [*range(start, first), *range(last, end)]
        counted = [leaf for leaf in neighbours if numbers[page.leaves[leaf]] and _DIGITS.match(page.leaf_texts[leaf])]
        if neighbours:
            return counted + _labelling(page, row, [leaf for leaf in neighbours if leaf not in set(counted)], labels)
    return []


def _labelling(page: Page, row: int, neighbours: list[int], labels: dict[int, str]) -> list[int]:
    if len(neighbours) > 8 or sum(len(page.leaf_texts[leaf].strip()) for leaf in neighbours) > LABEL_CHARACTERS:
        return []
    leaves_found = []
    inner = page.has_tag("code")[row : page.end[row]].nonzero()[0]
    named = language_of(page, row, row + int(inner[0]) if len(inner) else -1)
    for leaf in neighbours:
        text = page.leaf_texts[leaf].strip()
        if _COPY.match(text):
            leaves_found.append(leaf)
        elif text.lower() in KNOWN or (named and text.lower() == named):
            labels.setdefault(row, _plain(text) if _plain(text) not in _NO_LANGUAGE else "")
            leaves_found.append(leaf)
    return leaves_found


def _numbers(page: Page, blocks: list[int]) -> list[int]:
    """Return the leaves of line numbers: by class, in a column of their own, or one at the start of every line."""
    leaves_found: list[int] = []
    named = _numbers_by_class(page)
    rows = page.nearest(page.has_tag("tr"))
    crowd = np.bincount(rows[blocks] + 1, minlength=len(page) + 1)
    for row in blocks:
        first, last = page.leaf_range[row].tolist()
        leaves = [leaf for leaf in range(first, last) if _DIGITS.match(page.leaf_texts[leaf])]
        neighbours = rows[row] >= 0 and crowd[rows[row] + 1] > 1
        if len(leaves) == last - first:
            leaves_found += leaves if (neighbours and _counts(page, leaves)) or named[row] else []
        elif leaves and _counts(page, leaves) and _head_lines(page, leaves, first, last):
            leaves_found += leaves
        else:
            leaves_found += [leaf for leaf in leaves if named[page.leaves[leaf]]]
    return leaves_found


def _numbers_by_class(page: Page) -> BoolColumn:
    named = page.attribute_matches("class", lambda name: _NUMBERS_CLASS.search(name) is not None, needs=_NUMBERS_WORDS)
    # Some name the cells of the code by its line as well.
    return page.below(named | (page.attribute("data-line-number") >= 0) & page.has_tag("td"))


def _counts(page: Page, leaves: list[int]) -> bool:
    """Return whether the numbers in leaves increase by one."""
    numbers = [int(number) for leaf in leaves for number in re.findall(r"\d{1,9}", page.leaf_texts[leaf])]
    return len(numbers) > 1 and all(later - sooner == 1 for sooner, later in itertools.pairwise(numbers))


def _head_lines(page: Page, leaves: list[int], first: int, last: int) -> bool:
    """Return whether every line of a block starts with one of the leaves."""
    lines = "".join(page.leaf_texts[first:last]).rstrip().count("\n") + 1
    return leaves[0] == first and len(leaves) >= lines and all(_heads_a_line(page, leaf) for leaf in leaves[1:])


def _heads_a_line(page: Page, leaf: int) -> bool:
    """Return whether the line before a leaf has ended."""
    between = range(int(page.leaves[leaf - 1]) + 1, int(page.leaves[leaf]))
    ended = any(page.text_of(one).endswith("\n") or page.tag_of(one) in _BREAKS for one in between)
    return ended or page.leaf_texts[leaf - 1].endswith("\n")
