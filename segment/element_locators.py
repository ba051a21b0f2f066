"""Locators of elements: a CSS selector and an XPath that match one element and no other.

Both are lists of steps. The first step is evaluated in the page's document; each further step in the content of the
element that the step before matched: the document of a frame, or a shadow root.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..page.arrays import IntColumn
from ..page.html import SHADOW_ROOT, SLOTTED, TEXT, UNKNOWN_ROOT
from ..page.page import Page

#: Separator of the steps of a locator in one string.
STEP_SEPARATOR = " >> "

#: Names that need no escaping in CSS and XPath.
_PLAIN = re.compile(r"[a-z][a-z0-9-]*")
#: Elements with names outside of HTML: XPath needs their namespaces, CSS their upper-case letters.
_FOREIGN = ("svg", "math")
_FRAMES = frozenset(["iframe", "frame", "object", "embed"])
_LONGEST_ID = 200
#: Position of a slotted element as the browser recorded it; a saved page may hold any text.
_SLOTTED_AT = re.compile(r"([0-9]{1,9}) ([0-9]{1,9}) ([0-9]{1,9})")
#: Steps after which an ambiguous selector is written from the root or from an ``id``.
_MOST_STEPS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementLocator:
    """Locator of an element."""

    tag: str  # tag name in lower case
    selector: tuple[str, ...]  # one step for the document, each frame and each shadow root on the way
    xpath: tuple[str, ...]  # empty if the browser did not report how the shadow roots are nested


@dataclass(slots=True, kw_only=True)
class _Element:
    """An element in its tree: the page's document, the document of a frame, or a shadow root.

    ``tree`` is the row of the frame or host that contains the tree, -1 for the page's document; ``above`` the row of
    the parent in that tree, -1 for the root. ``nth`` is the position among the ``of`` siblings of the same tag,
    ``child`` among all siblings. ``known`` is False if the position in the page is unknown.
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
        """CSS step that selects the element among its siblings."""
        if self.foreign or not _PLAIN.fullmatch(self.tag):
            return f"*:nth-child({self.child})"
        return self.tag if self.of == 1 else f"{self.tag}:nth-of-type({self.nth})"

    @property
    def step_xpath(self) -> str:
        """XPath step that selects the element among its siblings."""
        if self.foreign or self.tag in _FOREIGN or not _PLAIN.fullmatch(self.tag):
            return f"*[{self.child}]"
        return self.tag if self.of == 1 else f"{self.tag}[{self.nth}]"


class ElementLocators:
    """Locators of the elements of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._elements = _elements(page)
        self._ids = Counter(
            (element.tree, element.identity.lower()) for element in self._elements.values() if element.identity
        )
        #: Matches of the last steps of a selector: number of elements, and number by parent of the first step.
        self._matches: list[tuple[int, Counter[int]]] = []
        self._longer: dict[tuple[int, int, str], int] = {}
        #: Rows of a tree that a step matches, for the steps that were needed.
        self._matching_rows: dict[tuple[int, str], set[int]] = {}
        #: Rows of a tree with a tag, with their number among the siblings of that tag, and among all siblings.
        self._tagged: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        self._numbered: defaultdict[tuple[int, str, int], list[int]] = defaultdict(list)
        self._children: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for element in self._elements.values():
            self._tagged[element.tree, element.tag].append(element.row)
            self._numbered[element.tree, element.tag, element.nth].append(element.row)
            self._children[element.tree, element.child].append(element.row)

    def element(self, row: int) -> int:
        """Return the row of the element that a node is or is in; -1 if none."""
        while row >= 0 and row not in self._elements:
            row = int(self._page.parent[row])
        return row

    def of(self, row: int) -> ElementLocator:
        """Return the locator of a node's element; raise ValueError for a node in no element."""
        row = self.element(row)
        if row < 0:
            raise ValueError("a node outside of all elements has no locator")
        holders = [self._elements[row]]  # the element, and the frames and hosts around it, the outermost first
        while (holder := self._elements.get(holders[0].tree)) is not None:
            holders.insert(0, holder)
        if not all(holder.known for holder in holders):
            holders = []
        return ElementLocator(
            tag=self._elements[row].tag,
            selector=tuple(map(self._selector, holders)),
            xpath=tuple(map(self._xpath, holders)),
        )

    def for_playwright(self, row: int) -> str:
        """Return a selector for Playwright that matches a node's element only; "" if no selector can reach it.

        Playwright's selectors look into open shadow roots unless they are ``css:light``; closed ones are out of reach.
        """
        element: _Element | None = self._elements.get(self.element(row))
        parts: list[str] = []
        while element is not None:
            if not element.known or (element.shadow and self._root_mode(element) == "closed"):
                return ""
            if element.shadow:
                steps = (above.step for above in self._path(element))
                parts.insert(0, f"css=:scope > {' > '.join(steps)}")
            else:
                selector = self._selector(element)
                parts.insert(0, f"css:light={selector}" if self._has_shadow else selector)
            holder = self._elements.get(element.tree)
            if holder is not None and not element.shadow:
                parts.insert(0, "internal:control=enter-frame")
            element = holder
        return STEP_SEPARATOR.join(parts)

    @cached_property
    def _has_shadow(self) -> bool:
        return any(element.shadow for element in self._elements.values())

    def _root_mode(self, element: _Element) -> str:
        """Return the mode of the shadow root around an element."""
        root = self._path(element)[0]
        mode = int(self._page.attribute(SHADOW_ROOT)[root.row])
        return self._page.strings[mode] if mode >= 0 else ""

    def _path(self, element: _Element) -> list[_Element]:
        """Return the elements from the root of its tree to an element."""
        path = [element]
        while (above := self._elements.get(path[-1].above)) is not None:
            path.append(above)
        return path[::-1]

    def _selector(self, target: _Element) -> str:
        """Add steps upwards until they match no other element of the tree."""
        steps: list[str] = []
        match = -1
        for element in reversed(self._path(target)):
            if element.identity and self._ids[element.tree, element.identity.lower()] == 1:
                return " > ".join([f"#{escape_identifier(element.identity)}", *steps])
            steps.insert(0, element.step)
            if len(steps) <= _MOST_STEPS:
                match = self._with_step(match, element)
                if self._matches[match][0] == 1:
                    return " > ".join(steps)
        return " > ".join([":host", *steps] if target.shadow else [":root", *steps[1:]])

    def _with_step(self, match: int, element: _Element) -> int:
        """Return the index in ``_matches`` of some steps with one more before them; -1 is the index of no steps."""
        key = match, element.tree, element.step
        if key not in self._longer:
            matching, parents = self._matching(element), Counter[int]()
            before = self._matches[match][1] if match >= 0 else dict.fromkeys(matching, 1)
            small, large = (matching, before) if len(matching) < len(before) else (before, matching)
            for row in small:
                if row in large:
                    parents[self._elements[row].above] += before[row]
            self._longer[key] = len(self._matches)
            self._matches.append((parents.total(), parents))
        return self._longer[key]

    def _matching(self, element: _Element) -> set[int]:
        key = element.tree, element.step
        if key not in self._matching_rows:
            if element.step.startswith("*"):
                rows = self._children[element.tree, element.child]
            elif element.of == 1:
                rows = self._tagged[element.tree, element.tag]
            else:
                rows = self._numbered[element.tree, element.tag, element.nth]
            self._matching_rows[key] = set(rows)
        return self._matching_rows[key]

    def _xpath(self, target: _Element) -> str:
        return "".join(f"/{element.step_xpath}" for element in self._path(target))


def escape_identifier(name: str) -> str:
    """Return a name as a CSS identifier (CSSOM, serialize an identifier)."""
    written = []
    for index, character in enumerate(name):
        digit = character.isascii() and character.isdigit()
        if character == "\0":
            written.append("\ufffd")
        elif ord(character) < 0x20 or ord(character) == 0x7F or (digit and name[:index] in ("", "-")):
            written.append(f"\\{ord(character):x} ")
        elif name == "-" or not (digit or character in "-_" or character.isalpha() or ord(character) >= 0x80):
            written.append(f"\\{character}")
        else:
            written.append(character)
    return "".join(written)


def join_steps(steps: Sequence[str]) -> str:
    """Return the steps of a locator as one string."""
    return STEP_SEPARATOR.join(steps)


def locator_columns(page: Page, nodes: IntColumn) -> dict[str, list[str | None]]:
    """Return ``selector`` and ``xpath`` of the element of each node as strings; None for a node without one."""
    locators = ElementLocators(page)
    located = [locators.of(node) if locators.element(node) >= 0 else None for node in nodes.tolist()]
    return {
        "selector": [join_steps(locator.selector) or None if locator else None for locator in located],
        "xpath": [join_steps(locator.xpath) or None if locator else None for locator in located],
    }


def _elements(page: Page) -> dict[int, _Element]:
    elements = _in_trees(page)
    of_tag_count = Counter((element.tree, element.above, element.tag) for element in elements.values())
    before: Counter[tuple[int, int, str]] = Counter()
    identity, slotted = page.attribute("id").tolist(), page.attribute(SLOTTED).tolist()
    for row, element in elements.items():
        of_tag, of_all = (element.tree, element.above, element.tag), (element.tree, element.above, "")
        before[of_tag] += 1
        before[of_all] += 1
        element.nth, element.of, element.child = before[of_tag], of_tag_count[of_tag], before[of_all]
        if slotted[row] >= 0 and (position := _SLOTTED_AT.fullmatch(page.strings[slotted[row]])):
            element.nth, element.of, element.child = map(int, position.groups())
        name = page.strings[identity[row]] if identity[row] >= 0 else ""
        element.identity = name if len(name) <= _LONGEST_ID and "\ufffd" not in name else ""
    return elements


def _in_trees(page: Page) -> dict[int, _Element]:
    tags = [page.names[tag] for tag in page.tag.tolist()]
    root = [page.strings[mode] if mode >= 0 else "" for mode in page.attribute(SHADOW_ROOT).tolist()]
    slotted = (page.attribute(SLOTTED) >= 0).tolist()
    opened = _declarative_hosts(page)
    elements: dict[int, _Element] = {}
    for row, flat in enumerate(page.parent.tolist()):
        tag, holder = tags[row], elements.get(flat)
        if row in opened or tag == TEXT or tag.startswith("::"):
            continue
        if flat in opened:
            elements[row] = _Element(row=row, tag=tag, tree=opened[flat], shadow=True)
        elif flat < 0:
            elements[row] = _Element(row=row, tag=tag)
        elif holder is not None and holder.tag != "use":
            # The content of <use> is a copy: the original element is elsewhere.
            host = elements[holder.tree] if slotted[row] and holder.tree >= 0 else None
            elements[row] = _below(row, tag, holder, host, root[row])
    return elements


def _declarative_hosts(page: Page) -> dict[int, int]:
    """Return the hosts of declarative shadow trees, by the row of the template that browsers replace."""
    declared = page.has_tag("template") & (page.attribute("shadowrootmode") >= 0)
    rows = np.flatnonzero(declared & (page.end > np.arange(len(page)) + 1))
    return dict(zip(rows.tolist(), page.parent[rows].tolist(), strict=True))


def _below(row: int, tag: str, holder: _Element, host: _Element | None, root: str) -> _Element:
    """Return an element from the element around it in the flat tree and from the host of the slot that shows it."""
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
