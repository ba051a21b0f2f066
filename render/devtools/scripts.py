"""The JavaScript that runs in pages: the files of ``render/scripts``."""

from __future__ import annotations

import json
import secrets
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "scripts"
#: The names of our own events, and of our messages to workers; no page can guess them.
_KEY, _END = secrets.token_hex(16), secrets.token_hex(16)


@cache
def script(name: str) -> str:
    """Return the source of ``render/scripts/NAME.js``."""
    source = (_FOLDER / f"{name}.js").read_text(encoding="utf-8")
    return source.replace('"KEY', f'"{_KEY}').replace('"END"', f'"{_END}"')


def call(name: str, *arguments: object) -> str:
    """Return an expression that calls the function of a script with JSON arguments."""
    return f"{script(name)}({', '.join(map(json.dumps, arguments))})"


def joined(*parts: str) -> str:
    """Return one script of parts that share a scope."""
    return "\n".join(["(() => {", *parts, "})()"])
