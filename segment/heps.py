"""HEPS: segmentation by headings (Manabe & Tajima, PVLDB 8(12), 2015).

Headings are at the start of their blocks, more prominent than the text below, of the same style on one level, and more
prominent the higher their level. Candidates are texts and pictures; candidates of one style are a list. Lists are
processed in the order of the depth of their blocks, font size, font weight and position. A list creates blocks, each
from one heading to the next, if its members pass as headings by the text that follows them. Section numbers are those
of the paper, "Extracting Logical Hierarchical Structure of HTML Documents Based on Headings"; the shares are those of
its authors' program.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ..page.arrays import IntColumn
from ..page.page import Page
from ..page.visibility import invisible_leaves
from .blocks import Blocks, leaf_boxes

#: Shares of a list's members (section 4.4) from which it is no list of headings: blocks that contain headings of
#: earlier lists; empty blocks; headings alone in their block; headings with the same text; headings as long as
#: their blocks.
_UPPER, _EMPTY, _ALONE, _SAME, _TOO_MUCH = 0.1, 0.5, 0.9, 0.4, 0.3
#: A block shorter than this many times its heading is mostly heading.
_CONTENT = 1.5


@dataclass(slots=True, eq=False)
class _HepsNode:
    """Node of the copy of the page that HEPS modifies; it contains the characters ``[first, last)``."""

    row: int
    style: Hashable
    parent: _HepsNode | None
    depth: int
    content: str | None = None
    first: int = 0
    last: int = 0
    font: tuple[float, int] = (0.0, 0)
    children: list[_HepsNode] = field(default_factory=list)
    place: int = 0
    holds_heading: bool = False
    block: _Block | None = None


@dataclass(slots=True, eq=False)
class _Block:
    parent: _Block | None
    nodes: list[_HepsNode]


def heps(page: Page) -> Blocks:
    """Segment a page by its headings.

    With geometry a style is tag path, font size, font weight and colour; without, only the tag path. The result is a
    tree: blocks are inside the blocks of headings of higher levels. Text before, between and after the blocks inside a
    block forms blocks of its own, so that each visible text is in a leaf block (ours).
    """
    root = _copy_visible(page)
    _join_sentences(root)
    candidates = [node for node in _preorder(root) if node.content]
    made = _build_blocks(root, candidates)
    return _preorder_blocks(page, made, candidates)


def _copy_visible(page: Page) -> _HepsNode:
    shown = np.zeros(len(page), dtype=bool)
    shown[page.leaves[~invisible_leaves(page)]] = True
    pictures = page.has_tag("img")
    if page.geometry is not None:
        pictures = pictures & (page.geometry.box[:, 2:] > 0).all(axis=1)
    needed = page.count_within(shown | pictures) > 0
    source, paths = page.attribute("src"), dict[tuple[Hashable, int], int]()
    nodes: dict[int, _HepsNode] = {}
    for row in np.flatnonzero(needed).tolist():
        above = nodes.get(int(page.parent[row]))
        path = paths.setdefault((above.style if above else None, int(page.tag[row])), len(paths))
        node = _HepsNode(row=row, style=path, parent=above, depth=above.depth + 1 if above else 0)
        if shown[row]:
            node.content = " ".join(page.text_of(row).split())
        elif pictures[row]:
            node.content = f"<{page.strings[source[row]] if source[row] >= 0 else ''}>"
        nodes[row] = node
        if above is not None:
            above.children.append(node)
    root = nodes.get(0) or _HepsNode(row=0, style=0, parent=None, depth=0)
    _add_styles(page, root)
    return root


def _add_styles(page: Page, root: _HepsNode) -> None:
    """Add fonts and colours to the nodes' styles, and count the characters up to each node."""
    geometry, position = page.geometry, 0
    for node in _preorder(root):
        if geometry is not None:
            row = node.row
            node.font = (round(float(geometry.font_size[row]), 2), int(geometry.font_weight[row]))
            height = round(float(geometry.box[row, 3])) if node.content and page.text[row] < 0 else 0
            node.style = (node.style, node.font, int(geometry.color[row]), height)
        node.first = position
        position += len(node.content) + 1 if node.content else 0
        node.last = position
    for node in reversed(_preorder(root)):
        if node.children:
            node.last = node.children[-1].last


def _join_sentences(root: _HepsNode) -> None:
    """Join inline elements with the text around them (4.1): a style that once has text on both sides is inline."""
    inline: dict[Hashable, _HepsNode] = {}
    for node in _preorder(root):
        for before, middle, after in zip(node.children, node.children[1:], node.children[2:], strict=False):
            if _is_text(before) and _is_text(after) and not _is_text(middle):
                inline[middle.style] = after
    for node in _preorder(root) if inline else ():
        if any(child.style in inline for child in node.children):
            node.children = _join_runs(node.children, inline)


def _join_runs(children: Sequence[_HepsNode], inline: dict[Hashable, _HepsNode]) -> list[_HepsNode]:
    joined: list[_HepsNode] = []
    after_inline = False
    for child in children:
        following = inline.get(child.style)
        if following is not None:
            child.content = " ".join(node.content for node in _preorder(child) if node.content)
            child.children, child.style, child.font = [], following.style, following.font
        if (
            joined
            and (following is not None or after_inline)
            and _is_text(joined[-1])
            and (following is not None or _is_text(child))
        ):
            joined[-1].content = f"{joined[-1].content} {child.content}"
            joined[-1].last = child.last
        else:
            joined.append(child)
        after_inline = following is not None
    return joined


def _is_text(node: _HepsNode) -> bool:
    return node.content is not None and not node.content.startswith("<")


def _preorder(root: _HepsNode) -> list[_HepsNode]:
    nodes, pending = [], [root]
    while pending:
        node = pending.pop()
        nodes.append(node)
        pending += reversed(node.children)
    return nodes


def _build_blocks(root: _HepsNode, candidates: Sequence[_HepsNode]) -> list[_Block]:
    """Return the blocks, created list by list (4.4); the first is the page's."""
    for node in _preorder(root):
        for place, child in enumerate(node.children):
            child.place = place
    root.block = _Block(parent=None, nodes=[root])
    blocks = [root.block]
    lists: dict[Hashable, list[_HepsNode]] = defaultdict(list)
    for node in candidates:
        lists[node.style].append(node)
    ordered = sorted(
        ((members, _fronts(root, members)) for members in lists.values()),
        key=lambda item: (item[1][0].depth, -item[0][0].font[0], -item[0][0].font[1], item[0][0].first),
    )
    for members, fronts in ordered:
        blocks += _blocks_of_list(members, fronts)
    return blocks


def _fronts(root: _HepsNode, members: Sequence[_HepsNode]) -> list[_HepsNode]:
    """Return the largest elements that contain one heading of a list each (4.3.1)."""
    if len(members) == 1:
        return [root]
    fronts: list[_HepsNode] = list(members)
    while all(front.parent is not None for front in fronts):
        above = [front.parent for front in fronts if front.parent is not None]
        if any(one is other for one, other in pairwise(above)):
            break
        fronts = above
    return fronts


def _innermost_block(node: _HepsNode) -> _Block | None:
    node_or_parent: _HepsNode | None = node
    while node_or_parent is not None and node_or_parent.block is None:
        node_or_parent = node_or_parent.parent
    return node_or_parent.block if node_or_parent is not None else None


def _blocks_of_list(members: Sequence[_HepsNode], fronts: Sequence[_HepsNode]) -> list[_Block]:
    """Return the blocks of one list of candidates; none if they are no headings."""
    parts = [_section(front, after) for front, after in zip(fronts, [*fronts[1:], None], strict=True)]
    pairs = list(zip(members, fronts, parts, strict=True))
    empty = [part[0].first >= head.first and part[-1].last <= head.last for head, _, part in pairs]
    long = [part[-1].last - part[0].first < _CONTENT * (head.last - head.first) for head, _, part in pairs]
    contexts = [id(_innermost_block(head)) for head in members]
    context_counts = Counter(contexts)
    text_counts = Counter(zip(contexts, (head.content for head in members), strict=True))
    same = [text_counts[context, head.content] > 1 for context, head in zip(contexts, members, strict=True)]
    filters = (
        (_UPPER, [front.holds_heading for front in fronts]),
        (_EMPTY, empty),
        (_ALONE, [context_counts[context] == 1 for context in contexts]),
        (_SAME, same),
        (_TOO_MUCH, long),
    )
    if any(sum(holds) >= share * len(holds) for share, holds in filters):
        return []
    blocks = []
    for (head, front, part), is_empty in zip(pairs, empty, strict=True):
        if not front.holds_heading and not is_empty:
            blocks.append(_new_block(head, part))
    return blocks


def _section(front: _HepsNode, after: _HepsNode | None) -> list[_HepsNode]:
    """Return a front node and its later siblings, up to the next front node or one that contains a heading (4.4.1)."""
    siblings = front.parent.children if front.parent is not None else [front]
    context = _innermost_block(front)
    section = [front]
    for place in range(front.place + 1, len(siblings)) if front.parent is not None else ():
        node = siblings[place]
        inside = context is None or any(outer.first <= node.first < outer.last for outer in context.nodes)
        if node is after or node.holds_heading or not inside:
            break
        section.append(node)
    return section


def _new_block(head: _HepsNode, part: list[_HepsNode]) -> _Block:
    block = _Block(parent=_innermost_block(part[0]), nodes=part)
    for node in part:
        node.block = block
    above: _HepsNode | None = head
    while above is not None and not above.holds_heading:
        above.holds_heading = True
        above = above.parent
    return block


def _preorder_blocks(page: Page, blocks: Sequence[_Block], candidates: Sequence[_HepsNode]) -> Blocks:
    """Return the blocks in preorder, with one more for each run of texts between the blocks inside one."""
    inner = {id(block.parent) for block in blocks if block.parent is not None}
    parent, node, block_of = list[int](), list[int](), list[int]()
    row_of: dict[int, int] = {}
    previous: _Block | None = None
    for candidate in candidates:
        block = _innermost_block(candidate) or blocks[0]
        for ancestor in _ancestors(block):
            if id(ancestor) not in row_of:
                row_of[id(ancestor)] = len(parent)
                parent.append(row_of[id(ancestor.parent)] if ancestor.parent is not None else -1)
                node.append(ancestor.nodes[0].row)
        if id(block) in inner and block is not previous:
            parent.append(row_of[id(block)])
            node.append(candidate.row)
        block_of.append(
            (block_of[-1] if block is previous else len(parent) - 1) if id(block) in inner else row_of[id(block)]
        )
        previous = block
    return _to_blocks(page, parent, node, _leaf_blocks(page, candidates, block_of))


def _leaf_blocks(page: Page, candidates: Sequence[_HepsNode], block_of: Sequence[int]) -> IntColumn:
    """Return the block of each visible text leaf: that of the last candidate at or before it."""
    if not candidates:
        return np.full(len(page.leaves), -1, dtype=np.int32)
    first = np.asarray([candidate.row for candidate in candidates])
    index = np.maximum(np.searchsorted(first, page.leaves, side="right") - 1, 0)
    return np.where(invisible_leaves(page), -1, np.asarray(block_of)[index]).astype(np.int32)


def _ancestors(block: _Block) -> list[_Block]:
    line, ancestor = [], block
    while True:
        line.append(ancestor)
        if ancestor.parent is None:
            return line[::-1]
        ancestor = ancestor.parent


def _to_blocks(page: Page, parent: list[int], node: list[int], leaf_block: IntColumn) -> Blocks:
    box = leaf_boxes(page, leaf_block, len(parent))
    corners = np.concatenate([box[:, :2], box[:, :2] + box[:, 2:]], axis=1)
    for row in range(len(parent) - 1, 0, -1):
        around = corners[parent[row]]
        around[:2] = np.fmin(around[:2], corners[row, :2])
        around[2:] = np.fmax(around[2:], corners[row, 2:])
    corners[:, 2:] -= corners[:, :2]
    texts = page.text >= 0
    return Blocks(
        parent=np.asarray(parent, dtype=np.int32),
        node=np.asarray([page.parent[row] if texts[row] else row for row in node], dtype=np.int32),
        doc=np.zeros(len(parent), dtype=np.int16),
        leaf_block=leaf_block,
        box=corners.astype(np.float32).reshape(-1, 4),
    )
