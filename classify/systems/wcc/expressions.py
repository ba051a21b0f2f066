"""The grammar of the regular expressions in WCC's genetic programming.

An expression matches a tag or a name before the text, a pattern in the text, or both in this order. There are no nested
repetitions, so that matching is at most quadratic in the length of a line.
"""

from __future__ import annotations

import re
from random import Random

_TAGS = "p div td li a h[1-6] span article section body blockquote dd table ul ol nav footer aside header form".split()
_NAMES = (
    "content article text body post entry story main nav menu foot head side comment relat share ad widget link list "
    "title date author copy meta tag promo social login search breadcrumb"
).split()
_ENDINGS = (r'[.!?。！？]["\'”’)]*$', r"[^.!?。！？\"'”’)]$", r":$")
_SIGNS = (r"[.!?] [^<>]", r", ", r"[,，、;]", r"©", r"\|", r"\d{4}", r"[»›>]$", r"@", r"\b[A-Z]{3,}\b", r"。")
_LENGTHS = (10, 20, 40, 60, 80, 120, 160, 240, 320)
_NUMBER = re.compile(r"\{(\d+),")


def expression(random: Random) -> str:
    """Return a random expression."""
    kind = random.random()
    if kind < 0.35:
        return _markup(random)
    if kind < 0.75:
        return _text(random)
    return f"{_markup(random)}.*{_text(random)}"


def mutated(pattern: str, random: Random) -> str:
    """Return an expression with a changed length, or a new random one."""
    if _NUMBER.search(pattern) and random.random() < 0.6:
        return _NUMBER.sub(lambda match: f"{{{max(1, round(int(match[1]) * random.uniform(0.5, 2)))},", pattern)
    return expression(random)


def _markup(random: Random) -> str:
    if random.random() < 0.5:
        # The tag directly before the text, or any tag before it.
        return f'<{random.choice(_TAGS)} "[^"]*">{random.choice(("[^<]", ""))}'
    return f'"[^"]*{random.choice(_NAMES)}[^"]*">'


def _text(random: Random) -> str:
    kind = random.random()
    if kind < 0.5:
        return f">[^<>]{{{random.choice(_LENGTHS)},}}$"
    return random.choice(_ENDINGS if kind < 0.75 else _SIGNS)
