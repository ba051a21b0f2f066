"""What stands in form controls when a page is captured, as attributes: it may differ from what the author wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_control_values(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Write the present state of form controls into the attributes of a snapshot.

    ``value`` of inputs and text areas, ``checked`` of boxes and ``selected`` of options. What has been typed into a
    password field stays there.

    Parameters
    ----------
    reply : mapping
        The result of ``DOMSnapshot.captureSnapshot``; its attribute lists are changed in place, strings are added.
    """
    strings: list[str] = reply["strings"]
    code: dict[str, int] = {}

    def coded(string: str) -> int:
        """Find one of the few names needed here; a table of all strings would cost more than all the rest."""
        if string not in code:
            if string not in strings:
                strings.append(string)
            code[string] = strings.index(string)
        return code[string]

    for document in reply["documents"]:
        nodes = document["nodes"]
        attributes: list[list[int]] = nodes["attributes"]
        inputs = _rows(nodes, "inputValue")
        checked = set(nodes.get("inputChecked", {}).get("index", []))
        for node, value in inputs:
            if _value(attributes[node], coded("type"), strings).lower() != "password":
                _set(attributes[node], coded("value"), value)
            _mark(attributes[node], coded("checked"), coded(""), on=node in checked)
        for node, value in _rows(nodes, "textValue"):
            _set(attributes[node], coded("value"), value)
        for node in nodes.get("optionSelected", {}).get("index", []):
            _mark(attributes[node], coded("selected"), coded(""), on=True)
    return reply


def _rows(nodes: Mapping[str, Any], name: str) -> list[tuple[int, int]]:
    sparse = nodes.get(name, {})
    return list(zip(sparse.get("index", []), sparse.get("value", []), strict=True))


def _place(pairs: list[int], name: int) -> int:
    """Index of an attribute's name in the flat list of names and values; -1 where there is none."""
    return next((place for place in range(0, len(pairs), 2) if pairs[place] == name), -1)


def _value(pairs: list[int], name: int, strings: list[str]) -> str:
    place = _place(pairs, name)
    return strings[pairs[place + 1]] if place >= 0 else ""


def _set(pairs: list[int], name: int, value: int) -> None:
    place = _place(pairs, name)
    if place >= 0:
        pairs[place + 1] = value
    elif value >= 0:
        pairs.extend((name, value))


def _mark(pairs: list[int], name: int, empty: int, *, on: bool) -> None:
    place = _place(pairs, name)
    if on and place < 0:
        pairs.extend((name, empty))
    elif not on and place >= 0:
        del pairs[place : place + 2]
