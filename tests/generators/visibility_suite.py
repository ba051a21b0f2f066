"""The visibility suite of ``fixtures/seen.toml``: pages with visible and with hidden sentences."""

from __future__ import annotations

import html
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures" / "seen.toml"
_MARK = re.compile(r"\[([+-])(.*?)\1\]", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A page with its sentences: ``seen`` are visible to a person, ``unseen`` are not."""

    family: str
    name: str
    html: str
    seen: tuple[str, ...]
    unseen: tuple[str, ...]


def cases(path: Path = FIXTURES) -> list[Case]:
    families = tomllib.loads(path.read_text(encoding="utf-8"))
    parts = families.pop("parts")
    return [_case(family, name, text, parts) for family, members in families.items() for name, text in members.items()]


def _case(family: str, name: str, text: str, parts: dict[str, str]) -> Case:
    text = text if text.startswith("<!doctype") else f"{parts['start']}{text}{parts['end']}"
    for part, value in parts.items():
        text = text.replace(f"@{part}@", value)
    found = [(sign, html.unescape(sentence)) for sign, sentence in _MARK.findall(text)]
    return Case(
        family=family,
        name=name,
        html=_MARK.sub(r"\2", text),
        seen=tuple(sentence for sign, sentence in found if sign == "+"),
        unseen=tuple(sentence for sign, sentence in found if sign == "-"),
    )


def flat(text: str) -> str:
    """Return a text in one case and without white space, which style sheets change."""
    return "".join(text.split()).casefold()


def errors(case: Case, text: str) -> tuple[list[str], list[str]]:
    """Return the sentences that leaked and those that were dropped."""
    out = flat(text)
    leaked = [sentence for sentence in case.unseen if flat(sentence) in out]
    dropped = [sentence for sentence in case.seen if flat(sentence) not in out]
    return leaked, dropped
