"""Paragraphs of the marked leaves, with white space as rendered and the emphasis of each run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...lexicon.words import count_unspaced
from ...page.arrays import HALF, HARDLY_ANY, MOSTLY, BoolColumn, Marks, numbered
from ...page.invisible_characters import strip_invisible
from ...page.page import Page
from .keep_elements import KeptElements
from .parts.all_parts import ContentParts
from .parts.inline import Path, Step

_SPACE = re.compile(r"[ \t\n\r\f]+")
#: Characters that no HTML may hold.
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BLANK_START = re.compile(r"\A(?:[ \t]*\n)+")

_LEAF, _SKIPPED, _WHITE, _BREAK, _RULE, _CELL, _INSET = range(1, 8)


@dataclass(slots=True, kw_only=True)
class Paragraph:
    """A paragraph of the content; a rule or an empty cell has no text."""

    row: int  # the kept element of structure around it, -1 for none
    leaves: list[int] = field(default_factory=list)
    runs: list[tuple[Path, str]] = field(default_factory=list)  # a line break is a newline, an inset its own run
    rule: bool = False
    caption: bool = False  # of a picture that it comes along with: plain text shows neither

    @property
    def text(self) -> str:
        """The text alone."""
        return self.runs[0][1] if len(self.runs) == 1 else "".join([text for _, text in self.runs])


def paragraphs_of(page: Page, parts: ContentParts, kept: KeptElements) -> list[Paragraph]:
    """Cut the marked leaves into paragraphs, in document order, with rules and empty cells of kept tables."""
    event = _events(page, parts.marks, kept)
    event[parts.omitted] = 0
    event[list(parts.insets)] = _INSET
    # A line of code that is empty.
    event[parts.code.lines & page.block_level & (page.end == np.arange(1, len(page) + 1))] = _BREAK
    reader = _ParagraphReader(page, kept, parts)
    place = np.arange(len(page))
    for note in parts.margin:  # behind its sentence, which goes on
        place[note : page.end[note]] = page.end[page.owner[page.parent[note]]]
        reader.apart[page.leaf_range[note, 1] : page.leaf_range[note, 1] + 1] = [False]
    rows = event.nonzero()[0]
    rows = rows[place[rows].argsort(kind="stable")] if parts.margin else rows
    if reader.verse is None and "pre" not in kept.tags.values():
        rows = _telling(rows, event)
    # Only of these rows: a page has many times as many.
    columns = (rows, event[rows], kept.block[rows], kept.inline[rows], kept.paragraph[rows], page.leaf_range[rows, 0])
    for node in zip(*(column.tolist() for column in columns), strict=True):
        reader.read(*node)
    return reader.finish()


def _telling(rows: NDArray[np.intp], event: NDArray[np.int8]) -> NDArray[np.intp]:
    """Drop white space and unmarked texts that directly follow such nodes.

    In prose they are a space and end a potential rule; the first of each has that effect.
    """
    kind = event[rows]
    skipped = kind == _SKIPPED
    passive = skipped | (kind == _WHITE)
    follows = np.zeros(len(rows), dtype=bool)
    follows[1:] = passive[:-1]
    # The first skipped one of each stretch of passive nodes.
    stretch, begins = (~passive).cumsum()[skipped], np.ones(int(skipped.sum()), dtype=bool)
    np.not_equal(stretch[1:], stretch[:-1], out=begins[1:])
    first = np.zeros(len(rows), dtype=bool)
    first[skipped] = begins
    telling: NDArray[np.intp] = rows[~(passive & follows) | first]
    return telling


def _events(page: Page, marks: Marks, kept: KeptElements) -> NDArray[np.int8]:
    """Return the kind of each node for the reader, int8 (nodes,), 0 for none."""
    event = np.zeros(len(page), dtype=np.int8)
    event[page.leaves] = _LEAF
    texts, strings = ((page.text >= 0) & (event == 0)).nonzero()[0], page.strings
    # Few texts differ in their white space.
    distinct, number = numbered(page.text[texts])
    white = np.asarray([strings[text].isspace() for text in distinct.tolist()], dtype=bool)
    event[texts[white[number]]] = _WHITE
    event[page.has_tag("br")] = _BREAK
    event[page.has_tag("hr")] = _RULE
    event[kept.empty_cells] = _CELL
    event[page.leaves] = np.where(marks, _LEAF, _SKIPPED)
    return event


def _custom_in_code(page: Page) -> BoolColumn:
    """Mark custom elements in code, which markers of code use within lines."""
    custom = np.zeros(len(page), dtype=bool)
    if page.geometry is None:
        code = (page.below(page.has_tag("pre", "listing")) & page.block_level).nonzero()[0]
        custom[[row for row in code.tolist() if "-" in page.tag_of(row)]] = True
    return custom


class _ParagraphReader:
    """Reads the nodes in order; the gap between two leaves is written with the second one."""

    def __init__(self, page: Page, kept: KeptElements, parts: ContentParts) -> None:
        self.page, self.kept, self.insets, self.formulas = page, kept, parts.insets, parts.formulas
        #: Elements that hold a line of code although they do not break it.
        self.named = parts.code.lines & ~page.block_level
        self.owner = page.nearest((page.block_level & ~_custom_in_code(page)) | self.named)
        self.paths = _paths(page, kept)
        self.lines = set(kept.line.nonzero()[0].tolist())
        self.apart = word_gaps(page, parts.marks).tolist()
        self.verse = parts.verse if parts.verse.any() else None
        self.done: list[Paragraph] = []
        self.key: tuple[int, int] = (-1, -1)
        self.paragraph = self.last_owner = -1
        self.leaves: list[int] = []
        self.pieces: list[tuple[Path, list[str]]] = []
        self.gap = ""
        self.rule: Paragraph | None = None

    def read(self, row: int, event: int, block: int, inline: int, paragraph: int, leaf: int) -> None:
        """Read a node with its values in the columns of the kept elements; ``leaf`` is that of a text."""
        if event == _LEAF:
            self._begin(block, paragraph)
            self._leaf(row, leaf, self.paths.get(inline, ()), self.kept.tags.get(block, ""))
        elif event == _INSET:
            self._begin(block, paragraph, -3 - row if self.insets[row].alone else None)
            self._inset(row, block)
        elif event == _CELL:
            self._flush()
            self._add_rule()
            self.done.append(Paragraph(row=block))
        elif event == _RULE:
            self._hold_rule(block)
        elif self.kept.tags.get(block) == "pre" and self.pieces and self.key[0] == block:
            self._gap_in_code(row, event)
        else:
            self._white_space(row, event)

    def _hold_rule(self, block: int) -> None:
        # A rule inside an item or a cell is decoration.
        if self.kept.tags.get(block, "blockquote") == "blockquote" and (self.done or self.pieces):
            self.rule = Paragraph(row=block, rule=True)

    def _white_space(self, row: int, event: int) -> None:
        breaks = event == _BREAK or (self.verse is not None and self.verse[row] and "\n" in self.page.text_of(row))
        self.gap = "\n" if breaks or self.gap == "\n" else " "
        if event == _SKIPPED:
            self.rule = None

    def finish(self) -> list[Paragraph]:
        self._flush()
        return self.done

    def _begin(self, block: int, paragraph: int, own: int | None = None) -> None:
        """Continue the paragraph of a node, or start it; ``own`` is that of a node that is one alone."""
        key = (block, -1 if block in self.lines else paragraph if own is None else own)
        if block == self.key[0] and (
            len(self.pieces) == 1 and bool(self.pieces[0][0]) and self.pieces[0][0][-1].tag == "input"
        ):
            self.gap = " "  # its label
        elif key != self.key or self.rule:
            self._flush()
            self._add_rule()
        elif paragraph != self.paragraph and self.kept.tags.get(block) != "pre":
            self.gap = "\n"
        self.key, self.paragraph = key, paragraph

    def _inset(self, row: int, block: int) -> None:
        inset, above = self.insets[row], int(self.page.parent[row])
        around = self.paths.get(int(self.kept.inline[above]), ()) if above >= 0 else ()
        if any(step.tag == "img" for step in inset.path):  # code holds no pictures
            around = tuple(step for step in around if step.tag != "code")
        path = (*around, *map(_written, inset.path))
        self._end_gap(path, heading=self.kept.tags.get(block, "")[:1] == "h")
        self.pieces.append((path, [writable(inset.text)]))
        self.leaves += inset.leaves

    def _leaf(self, row: int, leaf: int, path: Path, tag: str) -> None:
        if tag == "pre":
            self._code(row, path)
        else:
            text, heading = self.page.leaf_texts[leaf], tag[:1] == "h"
            if self.apart[leaf] and not self.gap:
                self.gap = " "
            if self.verse is None and not self.formulas:
                self._prose(text, path, heading=heading)
            else:
                verse = self.verse is not None and bool(self.verse[row])
                for number, line in enumerate(text.split("\n") if verse else [text]):
                    self.gap = "\n" if number else self.gap
                    self._with_formulas(line, path, row, heading=heading)
        self.leaves.append(leaf)

    def _with_formulas(self, text: str, path: Path, row: int, *, heading: bool) -> None:
        end = 0
        for number, found in enumerate(self.formulas.get(row, ())):
            start = text.find(found.written, end)
            if start < 0:
                continue
            self._prose(text[end:start], path, heading=heading)
            kind = "math display" if found.display else "math inline"
            step = Step("span", (("class", kind),), row + number * len(self.page))
            self._end_gap(path, heading=heading)
            self.pieces.append(((*path, step), [writable(found.latex)]))
            end = start + len(found.written)
        self._prose(text[end:], path, heading=heading)

    def _prose(self, text: str, path: Path, *, heading: bool) -> None:
        if not text.isprintable() or "  " in text:
            text = writable(_SPACE.sub(" ", text))
        text = strip_invisible(text)
        inner = text.strip(" ")
        if text[:1] == " " and not self.gap:
            self.gap = " "
        if inner:
            self._end_gap(path, heading=heading)
            self._say(inner, path)
            self.gap = " " if text[-1] == " " else ""

    # -- preformatted text: white space stays, a block-level element begins a line -------------------------------

    def _code(self, row: int, path: Path) -> None:
        text = _plain(self.page.text_of(row))
        self._new_line(row, text)
        self._say(text, path)
        self.gap = ""

    def _gap_in_code(self, row: int, event: int) -> None:
        text = "\n" if event == _BREAK else _plain(self.page.text_of(row))
        self._new_line(row, text)
        if event == _SKIPPED:
            self.gap = "\n" if "\n" in text else self.gap
        else:
            self._say(text, self.pieces[-1][0])

    def _new_line(self, row: int, text: str) -> None:
        """Append a newline at the end of a line element, unless the line has ended or the text starts with its end."""
        owner = int(self.owner[self.page.parent[row]])
        if self.pieces and (owner != self.last_owner or self.gap) and not self.pieces[-1][1][-1].endswith("\n"):
            named = any(one >= 0 and self.named[one] for one in (owner, self.last_owner))
            if not (named and text.lstrip(" ").startswith("\n")):
                self._say("\n", self.pieces[-1][0])
        self.last_owner, self.gap = owner, ""

    # -- writing --------------------------------------------------------------------------------------------------

    def _end_gap(self, path: Path, *, heading: bool) -> None:
        """Write the gap before a text with the elements that it shares with the one before."""
        if self.pieces and self.gap:
            self._say(" " if heading else self.gap, _shared(self.pieces[-1][0], path))
        self.gap = ""

    def _say(self, text: str, path: Path) -> None:
        if self.pieces and self.pieces[-1][0] == path:
            self.pieces[-1][1].append(text)
        elif text:
            self.pieces.append((path, [text]))

    def _flush(self) -> None:
        runs = [(path, "".join(texts)) for path, texts in self.pieces]
        if any(text.strip() or (path and path[-1].own >= 0) for path, text in runs):
            code = self.kept.tags.get(self.key[0]) == "pre"
            runs[0] = runs[0][0], _BLANK_START.sub("", runs[0][1]) if code else runs[0][1].lstrip()
            runs[-1] = runs[-1][0], runs[-1][1].rstrip()
            self.done.append(Paragraph(row=self.key[0], leaves=self.leaves, runs=runs))
        self.pieces, self.leaves, self.gap, self.key = [], [], "", (-1, -2)

    def _add_rule(self) -> None:
        if self.rule and self.done:
            self.done.append(self.rule)
        self.rule = None


def _paths(page: Page, kept: KeptElements) -> dict[int, Path]:
    """Return the path of each kept element of emphasis, without repeated tags."""
    paths: dict[int, Path] = {}
    for row, tag in kept.emphasis.items():
        above = paths.get(int(kept.inline[page.parent[row]]), ()) if page.parent[row] >= 0 else ()
        held = {step.tag for step in above}
        given = (("href", kept.links[row]),) if tag == "a" else ()
        paths[row] = above if tag in held else (*above, Step(tag, given))
    return paths


def _shared(one: Path, other: Path) -> Path:
    length = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]


def _plain(text: str) -> str:
    return strip_invisible(writable(text.replace("\r\n", "\n").replace("\r", "\n")))


def writable(text: str) -> str:
    """Return a text without the characters that HTML does not allow."""
    return _FORBIDDEN.sub("", text)


def _written(step: Step) -> Step:
    return replace(step, given=tuple((name, writable(value)) for name, value in step.given)) if step.given else step


def word_gaps(page: Page, some: Marks | None = None) -> Marks:
    """Mark the leaves that do not continue the word before them, bool (leaves,); ``some`` are those asked about.

    Two links are two words, and so are two elements that a rendered page shows with a gap in between. The padding of
    one element within a text is no gap: "run()" as code, followed by a comma.
    """
    apart = np.zeros(len(page.leaves), dtype=bool)
    link = page.nearest(page.has_tag("a"))[page.leaves]
    apart[1:] = (link[1:] >= 0) & (link[:-1] >= 0) & (link[1:] != link[:-1])
    for leaf in (apart if some is None else apart & some).nonzero()[0].tolist():
        apart[leaf] = _are_words(page.leaf_texts[leaf - 1], page.leaf_texts[leaf])
    if page.geometry is None or not len(page.geometry.line_node):
        return apart
    nodes, boxes = page.geometry.line_node, page.geometry.line_box.astype(np.float64)
    first, end = (np.searchsorted(nodes, page.leaves, side) for side in ("left", "right"))
    drawn = end > first
    # Where a leaf is not drawn, any line will do: it is not compared.
    one, other = boxes[np.maximum(end - 1, 0)][:-1], boxes[np.minimum(first, len(boxes) - 1)][1:]
    low, high = np.maximum(one[:, :2], other[:, :2]), np.minimum(one[:, :2] + one[:, 2:], other[:, :2] + other[:, 2:])
    height = np.minimum(one[:, -1], other[:, -1])
    # A large initial belongs to its word.
    alike = height >= MOSTLY * np.maximum(one[:, -1], other[:, -1])
    same_line = high[:, 1] - low[:, 1] >= HALF * height
    shown = (low[:, 0] - high[:, 0] >= HARDLY_ANY * height) & same_line & alike
    apart[1:] |= shown & drawn[1:] & drawn[:-1] & _in_separate_elements(page)
    return apart


def _are_words(before: str, behind: str) -> bool:
    """Return whether two texts meet in letters or digits of scripts that separate words by spaces."""
    signs = before.strip()[-1:] + behind.strip()[:1]
    return all(map(str.isalnum, signs)) and not count_unspaced(signs)


def _in_separate_elements(page: Page) -> BoolColumn:
    """Return whether a leaf and the one before are in two elements of which neither contains the other leaf."""
    one, other = page.parent[page.leaves[:-1]], page.parent[page.leaves[1:]]
    separate: BoolColumn = (page.end[one] <= page.leaves[1:]) & (other > page.leaves[:-1])
    return separate
