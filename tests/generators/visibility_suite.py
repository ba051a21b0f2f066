"""The visibility suite of ``fixtures/seen.toml``: pages with visible and with hidden sentences."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures" / "seen.toml"
_MARK = re.compile(r"\[([+-])(.*?)\1\]", re.DOTALL)
#: What concerns a whole page: its own document, names and scripts, the window, time, many screens of height, what is
#: painted behind the page or over its edge, filters of all that is behind, and what turns or casts shadows far away.
_WHOLE_PAGE = re.compile(
    r"<(?:!doctype|html|body|style|script|iframe|frame|link|meta|base|title|dialog)|\bid=|\bon\w+=|@pad@"
    r"|position: ?(?:fixed|sticky)|\dv[hw]\b|animation|transition|popover|shadowrootmode|\d{4,}px"
    r"|backdrop-filter|z-index: ?-|inset: ?-|offset-path|rotate3d|box-shadow:[^;]*\d{3}px",
    re.IGNORECASE,
)
#: Sections of a joined page: about a window of text.
_SECTIONS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A page with its sentences: ``seen`` are visible to a person, ``unseen`` are not.

    ``section`` is the same as a section of a page with others; it is "" where the case concerns a whole page.
    """

    family: str
    name: str
    html: str
    section: str
    seen: tuple[str, ...]
    unseen: tuple[str, ...]


def cases(path: Path = FIXTURES) -> list[Case]:
    families = tomllib.loads(path.read_text(encoding="utf-8"))
    parts = families.pop("parts")
    return [_case(family, name, text, parts) for family, members in families.items() for name, text in members.items()]


def _case(family: str, name: str, text: str, parts: dict[str, str]) -> Case:
    whole = bool(_WHOLE_PAGE.search(text))
    text = text if text.startswith("<!doctype") else f"{parts['start']}{text}{parts['end']}"
    for part, value in parts.items():
        text = text.replace(f"@{part}@", value)
    found = [(sign, html.unescape(sentence)) for sign, sentence in _MARK.findall(text)]
    page = _MARK.sub(r"\2", text)
    return Case(
        family=family,
        name=name,
        html=page,
        section="" if whole else page.removeprefix(parts["start"]),
        seen=tuple(sentence for sign, sentence in found if sign == "+"),
        unseen=tuple(sentence for sign, sentence in found if sign == "-"),
    )


def joined(cases: list[Case]) -> dict[str, list[Case]]:
    """Return fewer pages with the same sentences, each with its cases.

    Cases of a family that concern no whole page are sections of one, with the origin and the margins that they have
    alone; all others have their own page.
    """
    pages: dict[str, list[Case]] = {}
    sections: dict[str, list[Case]] = {}
    for case in cases:
        if case.section:
            sections.setdefault(case.family, []).append(case)
        else:
            pages[case.html] = [case]
    for members in sections.values():
        for some in _batched(members):
            start = some[0].html.removesuffix(some[0].section)
            body = "".join(f'<div style="position:relative;padding:8px">{case.section}</div>' for case in some)
            pages[f"{start}<style>body{{margin:0}}</style>{body}"] = some
    return pages


def _batched(members: list[Case]) -> Iterator[list[Case]]:
    for first in range(0, len(members), _SECTIONS):
        yield members[first : first + _SECTIONS]


def flat(text: str) -> str:
    """Return a text in one case and without white space, which style sheets change."""
    return "".join(text.split()).casefold()


def errors(case: Case, text: str) -> tuple[list[str], list[str]]:
    """Return the sentences that leaked and those that were dropped."""
    out = flat(text)
    leaked = [sentence for sentence in case.unseen if flat(sentence) in out]
    dropped = [sentence for sentence in case.seen if flat(sentence) not in out]
    return leaked, dropped
