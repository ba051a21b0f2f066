"""The JavaScript that runs in pages: the files of ``render/scripts``."""

from __future__ import annotations

import json
import secrets
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "scripts"
#: By which our scripts in a page find what they share (``replace_functions.js``); no page can guess it.
_KEY = secrets.token_hex(16)


@cache
def script(name: str) -> str:
    """Return the source of ``render/scripts/NAME.js``."""
    return (_FOLDER / f"{name}.js").read_text(encoding="utf-8").replace('"KEY"', json.dumps(_KEY))


def call(name: str, *arguments: object) -> str:
    """Return an expression that calls the function of a script with JSON arguments."""
    return f"{script(name)}({', '.join(map(json.dumps, arguments))})"
