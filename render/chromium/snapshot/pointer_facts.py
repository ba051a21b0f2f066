"""Add to the elements of a snapshot how they react to the pointer, as an attribute with a reserved name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....page.arrays import IntColumn
from ....page.html import BELOW, HAND, IGNORES_POINTER, LISTENS, POINTER
from ...devtools.messages import SharedStyles
from ...devtools.styles import STYLES

_POINTER_EVENTS, _CURSOR, _LEVEL = (STYLES.index(name) for name in ("pointer-events", "cursor", "z-index"))
_POSITION = STYLES.index("position")
_ELEMENT = 1
#: Elements that are controls by their tag: that they react to clicks says nothing more.
_NATURAL = frozenset("A BUTTON INPUT SELECT TEXTAREA OPTION OPTGROUP LABEL SUMMARY AREA HTML BODY".split())


def add_pointer_facts(reply: Mapping[str, Any], styles: SharedStyles) -> None:
    """Add the attribute :data:`~blocksight.page.html.POINTER` to elements that need it, in place.

    Both properties are inherited. Each element that ignores the pointer has the word; of the elements with the cursor
    of links only the outermost.
    """
    strings: list[str] = reply["strings"]
    natural = _codes(strings, _NATURAL.__contains__)
    has = {
        IGNORES_POINTER: np.isin(styles.rows[:, _POINTER_EVENTS], _codes(strings, "none".__eq__)),
        HAND: np.isin(styles.rows[:, _CURSOR], _codes(strings, "pointer".__eq__)),
        BELOW: np.isin(styles.rows[:, _LEVEL], _codes(strings, _is_negative))
        & ~np.isin(styles.rows[:, _POSITION], _codes(strings, "static".__eq__)),
    }
    names: dict[str, int] = {}

    def code_of(string: str) -> int:
        if string not in names:
            names[string] = len(strings)
            strings.append(string)
        return names[string]

    for document, index in zip(reply["documents"], styles.index, strict=True):
        nodes, layout = document["nodes"], np.asarray(document["layout"]["nodeIndex"], dtype=np.int32)
        tags, kinds = nodes["nodeName"], nodes["nodeType"]
        for node, words in _words(nodes, {word: layout[rows[index]] for word, rows in has.items()}).items():
            if tags[node] in natural:
                words -= {HAND, LISTENS}
            if words and kinds[node] == _ELEMENT:
                nodes["attributes"][node] += [code_of(POINTER), code_of(" ".join(sorted(words)))]


def _codes(strings: list[str], holds: Callable[[str], bool]) -> list[int]:
    return [code for code, string in enumerate(strings) if holds(string)]


def _is_negative(value: str) -> bool:
    return value.startswith("-") and value[1:].isdigit()


def _words(nodes: Mapping[str, Any], having: Mapping[str, IntColumn]) -> dict[int, set[str]]:
    """Return the words of the elements that have any, by the index of the element."""
    words: dict[int, set[str]] = {}
    hands = set(having[HAND].tolist())
    for word, members in having.items():
        for node in members.tolist():
            if word != HAND or nodes["parentIndex"][node] not in hands:
                words.setdefault(node, set()).add(word)
    for node in nodes.get("isClickable", {}).get("index", []):
        words.setdefault(node, set()).add(LISTENS)
    return words
