"""Attributes of a page that are called as only a browser's own notes are: markup can name them, and must not."""

from __future__ import annotations

from itertools import chain
from typing import Any

from ....page.html import ADDED_PREFIX


def drop_spoofed_attributes(reply: dict[str, Any]) -> None:
    """Take them out of a snapshot, before anything is noted in it.

    Parameters
    ----------
    reply : dict
        The result of ``DOMSnapshot.captureSnapshot``; its attribute lists are changed in place.
    """
    strings = reply["strings"]
    for document in reply["documents"]:
        attributes = document["nodes"]["attributes"]
        # The few names that occur, instead of all strings: pages have thousands, and the browser's own "::before" too.
        names = set(list(chain.from_iterable(attributes))[::2])
        forged = {code for code in names if strings[code].startswith(ADDED_PREFIX)}
        for node, flat in enumerate(attributes) if forged else ():
            if not forged.isdisjoint(flat[::2]):
                pairs = zip(flat[::2], flat[1::2], strict=True)
                attributes[node] = [code for pair in pairs if pair[0] not in forged for code in pair]
