"""Segmentations for other programs: JSON and XML."""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import etree

from ..page.page import Page
from .blocks import PARTS, Blocks, Separators
from .places import BETWEEN, ElementLocator, ElementLocators
from .records import DIRECTIONS, Records, records
from .semantic import relations
from .vips.rules import RULE_NAMES

#: Of a block that stands on no element.
NOWHERE = ElementLocator(tag="", selector=(), xpath=())


def to_dict(page: Page, blocks: Blocks) -> dict[str, Any]:
    """Return a segmentation as plain values.

    Returns
    -------
    dict
        ``url``, ``size`` (width and height of the page), ``groups`` (:func:`record_groups`), and ``blocks``: a list of
        trees of what :func:`described` says (without the parent) and ``"leaves"``, ``"children"``, ``"separators"``.
        Leaves are ``{"text", "box"}`` of the text leaves right in the block, separators ``{"box", "direction",
        "weight", "parts"}``.
    """
    places, repeated = ElementLocators(page), found_records(page, blocks)
    nodes = [
        {"box": facts.pop("box"), **facts, "leaves": [], "children": [], "separators": []}
        for facts in described(page, blocks, places=places, repeated=repeated)
    ]
    for leaf, row in enumerate(blocks.leaf_block.tolist()):
        if row >= 0:
            nodes[row]["leaves"].append({"text": page.leaf_texts[leaf], "box": _leaf_box(page, leaf)})
    separators = blocks.separators
    for place, row in enumerate(separators.block.tolist()):
        nodes[row]["separators"].append(separator_facts(separators, place))
    for row, parent in enumerate(blocks.parent.tolist()):
        del nodes[row]["parent"]
        if parent >= 0:
            nodes[parent]["children"].append(nodes[row])
    roots = [nodes[row] for row, parent in enumerate(blocks.parent.tolist()) if parent < 0]
    size = list(page.geometry.size) if page.geometry else None
    groups = [] if repeated is None else record_groups(repeated, places)
    return {"url": page.url, "size": size, "blocks": roots, "groups": groups}


def found_records(page: Page, blocks: Blocks) -> Records | None:
    """Return the repeated records of a page; None for one without geometry."""
    return None if page.geometry is None else records(page, blocks)


def record_groups(repeated: Records, places: ElementLocators) -> list[dict[str, Any]]:
    """Say of each group of records where it is and how its records follow one another, as plain values.

    Returns
    -------
    list of dict
        ``group``, ``direction`` ("column", "row" or "grid"), ``pitch`` (across and down, CSS pixels), ``record`` (the
        one that the group lies in, null for none), ``tag``, ``selector`` and ``xpath`` of the element around, and
        ``records``: a list of ``{"record", "box", "tag", "selector", "xpath"}``.
    """
    found = []
    for group, node in enumerate(repeated.group_node.tolist()):
        around = int(repeated.group_record[group])
        members = [
            {"record": row, "box": _box(repeated.box[row])} | _placed(places, int(repeated.node[row]))
            for row in repeated.of_group(group).tolist()
        ]
        found.append(
            {
                "group": group,
                "direction": DIRECTIONS[int(repeated.group_direction[group])],
                "pitch": [round(float(value), 2) for value in repeated.group_pitch[group]],
                "record": around if around >= 0 else None,
                **_placed(places, node),
                "records": members,
            }
        )
    return found


def _placed(places: ElementLocators, node: int) -> dict[str, Any]:
    place = places.of(node) if places.element(node) >= 0 else NOWHERE
    return {"tag": place.tag, "selector": list(place.selector), "xpath": list(place.xpath)}


def described(
    page: Page, blocks: Blocks, *, places: ElementLocators | None = None, repeated: Records | None = None
) -> list[dict[str, Any]]:
    """Say of each block where it is and what made it, as plain values.

    Parameters
    ----------
    page : Page
    blocks : Blocks
    places : ElementLocators, optional
        Of the page, where they are known already.
    repeated : Records, optional
        The same.

    Returns
    -------
    list of dict
        ``id`` (its row), ``parent`` (that of the block around it, null for none), ``box`` (``[x, y, width, height]``
        in CSS pixels of the document, null where nothing was rendered), ``doc``, ``rule`` (the name of the one that
        decided it, null for none), ``record`` and ``group`` (of the innermost of the page's
        :func:`~blocksight.segment.records.records` that it lies in, null for none), ``tag``, ``selector`` and
        ``xpath`` of its element (lists of steps, see :mod:`~blocksight.segment.places`; empty where it has none), and
        ``whole``: whether it is all that can be read in that element.
    """
    places = places or ElementLocators(page)
    whole = _whole(page, blocks)
    repeated = repeated or found_records(page, blocks)
    held = [-1] * len(blocks) if repeated is None else repeated.block_record.tolist()
    groups = [] if repeated is None else repeated.group.tolist()
    rules = [-1] * len(blocks) if blocks.rule is None else blocks.rule.tolist()
    found = []
    for row, node in enumerate(blocks.node.tolist()):
        parent = int(blocks.parent[row])
        found.append(
            {
                "id": row,
                "parent": parent if parent >= 0 else None,
                "box": _box(blocks.box[row]),
                "doc": int(blocks.doc[row]),
                "rule": RULE_NAMES.get(rules[row]),
                "record": held[row] if held[row] >= 0 else None,
                "group": groups[held[row]] if held[row] >= 0 else None,
                **_placed(places, node),
                "whole": whole[row],
            }
        )
    return found


def separator_facts(separators: Separators, place: int) -> dict[str, Any]:
    """Say of one separator where it is and what its weight is made of, as plain values."""
    parts = zip(PARTS, separators.parts[place].tolist(), strict=True) if len(separators.parts) else ()
    return {
        "box": _box(separators.box[place]),
        "direction": "horizontal" if separators.horizontal[place] else "vertical",
        "weight": round(float(separators.weight[place]), 3),
        "parts": {name: round(part, 3) for name, part in parts if part},
    }


def _whole(page: Page, blocks: Blocks) -> list[bool]:
    """Return of each block whether all the seen text of its element lies in it."""
    first, last = subtree_rows(blocks)
    inside = np.flatnonzero(blocks.leaf_block >= 0)
    owner = blocks.leaf_block[inside]
    whole = []
    for row, node in enumerate(blocks.node.tolist()):
        element = page.parent[node] if node >= 0 and page.text[node] >= 0 else node
        if element < 0:
            whole.append(False)
            continue
        start, end = np.searchsorted(inside, page.leaf_range[element])
        held = owner[start:end]
        whole.append(bool(((held >= first[row]) & (held < last[row])).all()))
    return whole


def subtree_rows(blocks: Blocks) -> tuple[list[int], list[int]]:
    """Return the rows ``[first, last)`` of each block with all that lie in it: they stand in preorder."""
    last = list(range(1, len(blocks) + 1))
    for row in range(len(blocks) - 1, 0, -1):
        above = int(blocks.parent[row])
        if above >= 0:
            last[above] = max(last[above], last[row])
    return list(range(len(blocks))), last


def related(blocks: Blocks) -> list[dict[str, Any]]:
    """Return how each block of a flat segmentation stands to the next one, as plain values.

    Returns
    -------
    list of dict
        ``{"one", "other", "distance", "offset", "same_width"}``: rows of the two blocks, and their
        :class:`~blocksight.segment.semantic.Relations` in CSS pixels (null where nothing was rendered).
    """
    one = np.arange(max(len(blocks) - 1, 0), dtype=np.int32)
    found = relations(blocks, one, one + 1)
    return [
        {
            "one": row,
            "other": row + 1,
            "distance": _rounded(found.distance[row]),
            "offset": _rounded(found.offset[row]),
            "same_width": bool(found.same_width[row]),
        }
        for row in one.tolist()
    ]


def to_xml(page: Page, blocks: Blocks) -> str:
    """Return the same as XML: nested ``<block>`` with ``<leaf>`` and ``<separator>`` inside.

    What the JSON says of a block stands in attributes, the steps of a place with `` >> `` between them; the parts of a
    separator's weight are attributes, too.
    """
    root = etree.Element("page", url=page.url)
    pending = [(root, tree) for tree in reversed(to_dict(page, blocks)["blocks"])]
    while pending:
        parent, tree = pending.pop()
        element = etree.SubElement(parent, "block", {name: clean(value) for name, value in _attributes(tree).items()})
        _place(element, tree["box"])
        for leaf in tree["leaves"]:
            child = etree.SubElement(element, "leaf")
            _place(child, leaf["box"])
            child.text = clean(leaf["text"])
        for separator in tree["separators"]:
            facts = {"direction": separator["direction"], "weight": separator["weight"]} | separator["parts"]
            child = etree.SubElement(element, "separator", {name: str(value) for name, value in facts.items()})
            _place(child, separator["box"])
        pending += [(element, below) for below in reversed(tree["children"])]
    written: str = etree.tostring(root, encoding="unicode", pretty_print=True)
    return written


def _attributes(tree: dict[str, Any]) -> dict[str, str]:
    """Write what is known of a block; what is not has no attribute."""
    place = {name: BETWEEN.join(tree[name]) for name in ("selector", "xpath")}
    repeated = {name: str(tree[name]) for name in ("record", "group") if tree[name] is not None}
    facts = {"id": str(tree["id"]), "doc": str(tree["doc"]), "rule": tree["rule"] or "", **repeated, "tag": tree["tag"]}
    facts |= place
    return {name: value for name, value in facts.items() if value} | {"whole": str(tree["whole"]).lower()}


def clean(text: str) -> str:
    """Leave out what XML cannot hold."""
    return "".join(character for character in text if character.isprintable() or character in "\n\t")


def _place(element: Any, box: list[float] | None) -> None:
    for name, value in zip(("x", "y", "width", "height"), box or (), strict=False):
        element.set(name, f"{value:g}")


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 2)


def _box(box: Any) -> list[float] | None:
    return None if np.isnan(box[0]) else [round(float(value), 2) for value in box]


def _leaf_box(page: Page, leaf: int) -> list[float] | None:
    return None if page.geometry is None else _box(page.geometry.box[page.leaves[leaf]])
