"""What is known of a page as YAML above its Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

#: Characters that YAML has no room for (1.2, section 5.1), or takes for the end of a line where JSON does not.
_NO_ROOM = re.compile(r"[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def front_matter(known: Mapping[str, str | list[str]]) -> str:
    """Return YAML between two lines of hyphens; values are JSON, which YAML reads.

    Parameters
    ----------
    known : mapping of str to str or list of str
        The names are words. What YAML cannot hold, such as control characters, becomes a space.

    Examples
    --------
    >>> print(front_matter({"title": "Tides: a log", "authors": ["Ada Leaf"], "published": "2024-05-20"}), end="")
    ---
    title: "Tides: a log"
    authors: ["Ada Leaf"]
    published: "2024-05-20"
    ---
    """
    lines = [f"{name}: {json.dumps(_fitting(value), ensure_ascii=False)}" for name, value in known.items()]
    return "\n".join(["---", *lines, "---", ""])


def _fitting(value: str | list[str]) -> str | list[str]:
    if isinstance(value, str):
        return _NO_ROOM.sub(" ", value)
    return [_NO_ROOM.sub(" ", text) for text in value]
