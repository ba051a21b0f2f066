"""Where an element stands in its document: a CSS selector and an XPath that find it and nothing else.

Both are lists of steps. The first is looked for in the page's document; each further one in what the element of the
step before holds: the document of a frame, or a shadow root.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ..page.page import SHADOW_ROOT, SLOTTED, TEXT, UNKNOWN_ROOT, Page

#: Parts the steps of a place where it is written as one string.
BETWEEN = " >> "

#: Names that CSS and XPath both take as they are.
_PLAIN = re.compile(r"[a-z][a-z0-9-]*")
#: What other names than those of HTML live in: XPath asks for their namespaces, CSS for their capitals.
_FOREIGN = ("svg", "math")
_FRAMES = frozenset(["iframe", "frame", "object", "embed"])
_LONGEST_ID = 200
#: What a browser notes of what is slotted; a saved page could say anything.
_SLOTTED_AT = re.compile(r"([0-9]{1,9}) ([0-9]{1,9}) ([0-9]{1,9})")
#: Steps after which a selector that still finds others begins at the root, or at an ``id``.
_MOST_STEPS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementLocator:
    """Where an element stands.

    Attributes
    ----------
    tag : str
        Its name in lower case.
    selector, xpath : tuple of str
        One step for the document, each frame and each shadow root on the way; empty where the browser did not tell how
        its shadow roots are nested.
    """

    tag: str
    selector: tuple[str, ...]
    xpath: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Element:
    """An element in its tree: the document, a frame's, or a shadow root's.

    ``tree`` is the row of the frame or host that holds the tree, -1 for the page's document; ``above`` the row of the
    parent in it, -1 for its root. ``nth`` counts among the siblings of one tag, of which there are ``of``, ``child``
    among all. ``known`` is whether it is known where it stands.
    """

    row: int
    tag: str
    tree: int = -1
    above: int = -1
    shadow: bool = False
    foreign: bool = False
    known: bool = True
    identity: str = ""
    nth: int = 0
    of: int = 0
    child: int = 0

    @property
    def step(self) -> str:
        """The element among its siblings, in CSS."""
        if self.foreign or not _PLAIN.fullmatch(self.tag):
            return f"*:nth-child({self.child})"
        return self.tag if self.of == 1 else f"{self.tag}:nth-of-type({self.nth})"

    @property
    def step_xpath(self) -> str:
        """The element among its siblings, in XPath."""
        if self.foreign or self.tag in _FOREIGN or not _PLAIN.fullmatch(self.tag):
            return f"*[{self.child}]"
        return self.tag if self.of == 1 else f"{self.tag}[{self.nth}]"


class ElementLocators:
    """The places of a page's elements."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._elements = _elements(page)
        self._ids = Counter((one.tree, one.identity.lower()) for one in self._elements.values() if one.identity)
        #: What the last steps of a selector find: how many elements, and by the parent of the one where they begin.
        self._found: list[tuple[int, Counter[int]]] = []
        self._longer: dict[tuple[int, int, str], int] = {}
        #: The rows of a tree that a step matches, of the steps that were asked for.
        self._known: dict[tuple[int, str], set[int]] = {}
        self._tagged: defaultdict[tuple[int, str], list[_Element]] = defaultdict(list)
        for one in self._elements.values():
            self._tagged[one.tree, one.tag].append(one)

    def element(self, row: int) -> int:
        """Return the element that a node is, or stands in; -1 if none."""
        while row >= 0 and row not in self._elements:
            row = int(self._page.parent[row])
        return row

    def of(self, row: int) -> ElementLocator:
        """Return the place of a node's element.

        Raises
        ------
        ValueError
            When the node stands in no element.
        """
        row = self.element(row)
        if row < 0:
            raise ValueError("only what stands in an element has a place")
        selector: list[str] = []
        xpath: list[str] = []
        one: _Element | None = self._elements[row]
        while one is not None:
            if not one.known:
                return ElementLocator(tag=self._elements[row].tag, selector=(), xpath=())
            selector.insert(0, self._selector(one))
            xpath.insert(0, self._xpath(one))
            one = self._elements.get(one.tree)
        return ElementLocator(tag=self._elements[row].tag, selector=tuple(selector), xpath=tuple(xpath))

    def _selector(self, one: _Element) -> str:
        """Climb until nothing else in the tree is found by the steps."""
        steps: list[str] = []
        found = -1
        at: _Element | None = one
        while at is not None:
            if at.identity and self._ids[at.tree, at.identity.lower()] == 1:
                return " > ".join([f"#{escaped(at.identity)}", *steps])
            steps.insert(0, at.step)
            if len(steps) <= _MOST_STEPS:
                found = self._with_step(found, at)
                if self._found[found][0] == 1:
                    return " > ".join(steps)
            at = self._elements.get(at.above)
        return " > ".join([":host", *steps] if one.shadow else [":root", *steps[1:]])

    def _with_step(self, found: int, at: _Element) -> int:
        """Return the place in ``_found`` of some steps with one more before them; -1 are none."""
        key = found, at.tree, at.step
        if key not in self._longer:
            matching, parents = self._matching(at), Counter[int]()
            before = self._found[found][1] if found >= 0 else dict.fromkeys(matching, 1)
            small, large = (matching, before) if len(matching) < len(before) else (before, matching)
            for row in small:
                if row in large:
                    parents[self._elements[row].above] += before[row]
            self._longer[key] = len(self._found)
            self._found.append((parents.total(), parents))
        return self._longer[key]

    def _matching(self, at: _Element) -> set[int]:
        """Return the rows of its tree that an element's step matches."""
        key = at.tree, at.step
        if key not in self._known:
            if at.step.startswith("*"):
                some = [one for one in self._elements.values() if one.tree == at.tree and one.child == at.child]
            else:
                some = [one for one in self._tagged[at.tree, at.tag] if at.of == 1 or one.nth == at.nth]
            self._known[key] = {one.row for one in some}
        return self._known[key]

    def _xpath(self, one: _Element) -> str:
        steps: list[str] = []
        at: _Element | None = one
        while at is not None:
            steps.insert(0, at.step_xpath)
            at = self._elements.get(at.above)
        return f"/{'/'.join(steps)}"


def escaped(name: str) -> str:
    """Write a name as CSS does (CSSOM, serialize an identifier)."""
    written = []
    for place, character in enumerate(name):
        digit = character.isascii() and character.isdigit()
        if character == "\0":
            written.append("\ufffd")
        elif ord(character) < 0x20 or ord(character) == 0x7F or (digit and name[:place] in ("", "-")):
            written.append(f"\\{ord(character):x} ")
        elif name == "-" or not (digit or character in "-_" or character.isalpha() or ord(character) >= 0x80):
            written.append(f"\\{character}")
        else:
            written.append(character)
    return "".join(written)


def joined(steps: Sequence[str]) -> str:
    """Write the steps of a place as one string."""
    return BETWEEN.join(steps)


def _elements(page: Page) -> dict[int, _Element]:
    """Find the tree that each element stands in, and its place there."""
    elements = _in_trees(page)
    kin = Counter((one.tree, one.above, one.tag) for one in elements.values())
    before: Counter[tuple[int, int, str]] = Counter()
    identity, slotted = page.attribute("id").tolist(), page.attribute(SLOTTED).tolist()
    for row, one in elements.items():
        of_tag, of_all = (one.tree, one.above, one.tag), (one.tree, one.above, "")
        before[of_tag] += 1
        before[of_all] += 1
        one.nth, one.of, one.child = before[of_tag], kin[of_tag], before[of_all]
        if slotted[row] >= 0 and (told := _SLOTTED_AT.fullmatch(page.strings[slotted[row]])):
            one.nth, one.of, one.child = map(int, told.groups())
        name = page.strings[identity[row]] if identity[row] >= 0 else ""
        one.identity = name if len(name) <= _LONGEST_ID and "\ufffd" not in name else ""
    return elements


def _in_trees(page: Page) -> dict[int, _Element]:
    tags = [page.names[tag] for tag in page.tag.tolist()]
    root = [page.strings[mode] if mode >= 0 else "" for mode in page.attribute(SHADOW_ROOT).tolist()]
    slotted, declared = (page.attribute(SLOTTED) >= 0).tolist(), (page.attribute("shadowrootmode") >= 0).tolist()
    elements: dict[int, _Element] = {}
    #: The hosts of declared shadow trees, which browsers take out of their templates.
    opened: dict[int, int] = {}
    for row, flat in enumerate(page.parent.tolist()):
        tag, holder = tags[row], elements.get(flat)
        if tag == "template" and declared[row] and page.end[row] > row + 1:
            opened[row] = flat
        elif tag == TEXT or tag.startswith("::") or (flat >= 0 and flat not in opened and holder is None):
            continue
        elif flat in opened:
            elements[row] = _Element(row=row, tag=tag, tree=opened[flat], shadow=True)
        elif holder is None:
            elements[row] = _Element(row=row, tag=tag)
        elif holder.tag != "use":
            # What is used is drawn there, and stands elsewhere.
            host = elements[holder.tree] if slotted[row] and holder.tree >= 0 else None
            elements[row] = _below(row, tag, holder, host, root[row])
    return elements


def _below(row: int, tag: str, holder: _Element, host: _Element | None, root: str) -> _Element:
    """Describe an element by the one that it stands in on the screen, and the host of the slot that shows it."""
    known = holder.known and root != UNKNOWN_ROOT
    if root:
        return _Element(row=row, tag=tag, tree=holder.row, shadow=True, known=known)
    if host is not None:
        return _Element(row=row, tag=tag, tree=host.tree, above=host.row, shadow=host.shadow, known=known)
    if holder.tag in ("iframe", "frame") or (holder.tag in _FRAMES and tag == "html"):
        return _Element(row=row, tag=tag, tree=holder.row, known=known)
    foreign = holder.foreign or holder.tag in _FOREIGN
    return _Element(
        row=row, tag=tag, tree=holder.tree, above=holder.row, shadow=holder.shadow, foreign=foreign, known=known
    )
