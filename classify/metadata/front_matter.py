"""What is known of a page as YAML above its Markdown: names with a text or a list of texts, and nothing else.

Texts are written as plain as YAML lets them be, so that they are read as texts again and by every version of it.
Source: YAML 1.1 and 1.2, sections 5.1 (characters), 7.3 (styles of scalars), 10 (what plain ones are taken for).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

#: What no reader would take for the beginning of something else, to the end without a comment or another name.
_PLAIN = re.compile(r"[^\s#,\[\]{}&*!|>'\"%@`?:=<~.+-](?:(?!:(?:\s|$)|\s#).)*(?<!\s)")
#: Numbers, times, yes and no: texts that look like these are quoted.
_OTHER = re.compile(r"\d[\d_.,:+\sa-fxotz-]*|y|n|yes|no|true|false|on|off|null", re.IGNORECASE)
#: Characters that YAML has no room for, or takes for the end of a line.
_ESCAPED = re.compile(r"[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def front_matter(known: Mapping[str, str | list[str]]) -> str:
    """Return YAML between two lines of hyphens.

    Parameters
    ----------
    known : mapping of str to str or list of str
        The names are words.

    Examples
    --------
    >>> print(front_matter({"title": "Tides: a log", "authors": ["Ada Leaf"], "published": "2024-05-20"}), end="")
    ---
    title: 'Tides: a log'
    authors:
    - Ada Leaf
    published: '2024-05-20'
    ---
    """
    lines = ["---"]
    for name, value in known.items():
        if isinstance(value, str):
            lines.append(f"{name}: {_scalar(value)}")
        else:
            lines += [f"{name}:" if value else f"{name}: []", *(f"- {_scalar(text)}" for text in value)]
    return "\n".join([*lines, "---", ""])


def _scalar(text: str) -> str:
    if _ESCAPED.search(text):
        return _ESCAPED.sub(_escape, json.dumps(text, ensure_ascii=False))
    if _PLAIN.fullmatch(text) and not _OTHER.fullmatch(text):
        return text
    return "'" + text.replace("'", "''") + "'"


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
