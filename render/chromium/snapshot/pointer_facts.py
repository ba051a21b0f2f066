"""Add to the elements of a snapshot how they react to the pointer, as an attribute with a reserved name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ....page.arrays import BoolColumn, IntColumn
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

    def having(column: int, holds: Callable[[str], bool]) -> BoolColumn:
        """Return the distinct styles of which a property meets a condition."""
        values = styles.rows[:, column]
        return np.isin(values, [code for code in np.unique(values).tolist() if code >= 0 and holds(strings[code])])

    has = {
        IGNORES_POINTER: having(_POINTER_EVENTS, "none".__eq__),
        HAND: having(_CURSOR, "pointer".__eq__),
        BELOW: having(_LEVEL, _is_negative) & ~having(_POSITION, "static".__eq__),
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
            if strings[tags[node]] in _NATURAL:
                words -= {HAND, LISTENS}
            if words and kinds[node] == _ELEMENT:
                nodes["attributes"][node] += [code_of(POINTER), code_of(" ".join(sorted(words)))]


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
