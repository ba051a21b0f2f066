"""Write the current state of form controls into the attributes of a snapshot: it may differ from the markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_control_values(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Set ``value`` of inputs and text areas, ``checked`` of boxes and ``selected`` of options, in place.

    What is typed into a password field is not written.
    """
    strings: list[str] = reply["strings"]
    codes: dict[str, int] = {}

    def code_of(string: str) -> int:
        """Find one of the few names needed here; a table of all strings would cost more than all the rest."""
        if string not in codes:
            if string not in strings:
                strings.append(string)
            codes[string] = strings.index(string)
        return codes[string]

    for document in reply["documents"]:
        nodes = document["nodes"]
        attributes: list[list[int]] = nodes["attributes"]
        checked = set(nodes.get("inputChecked", {}).get("index", []))
        for node, value in _sparse(nodes, "inputValue"):
            if _value(attributes[node], code_of("type"), strings).lower() != "password":
                _set_value(attributes[node], code_of("value"), value)
            _set_flag(attributes[node], code_of("checked"), code_of(""), on=node in checked)
        for node, value in _sparse(nodes, "textValue"):
            _set_value(attributes[node], code_of("value"), value)
        for node in nodes.get("optionSelected", {}).get("index", []):
            _set_flag(attributes[node], code_of("selected"), code_of(""), on=True)
    return reply


def _sparse(nodes: Mapping[str, Any], name: str) -> list[tuple[int, int]]:
    sparse = nodes.get(name, {})
    return list(zip(sparse.get("index", []), sparse.get("value", []), strict=True))


def _index(pairs: list[int], name: int) -> int:
    """Return the index of a name in a flat list of names and values; -1 for none."""
    return next((index for index in range(0, len(pairs), 2) if pairs[index] == name), -1)


def _value(pairs: list[int], name: int, strings: list[str]) -> str:
    index = _index(pairs, name)
    return strings[pairs[index + 1]] if index >= 0 else ""


def _set_value(pairs: list[int], name: int, value: int) -> None:
    index = _index(pairs, name)
    if index >= 0:
        pairs[index + 1] = value
    elif value >= 0:
        pairs.extend((name, value))


def _set_flag(pairs: list[int], name: int, empty: int, *, on: bool) -> None:
    index = _index(pairs, name)
    if on and index < 0:
        pairs.extend((name, empty))
    elif not on and index >= 0:
        del pairs[index : index + 2]
