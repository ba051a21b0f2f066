"""The verdict: the state of a page for a reader who asked for its content, by general evidence and no list of sites."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...lexicon.page_states import AGREE, CHALLENGE, CHALLENGE_NAMES, CONSENT_WORDS
from ...page.arrays import Marks
from ...page.geometry import Position
from ...page.page import Page
from .elements import ShownPage
from .shell import shell_evidence
from .shown import PROSE_WORDS, Fact, any_of, shortened

if TYPE_CHECKING:
    from ...records.decided_records import DecidedRecords

#: Names of verdicts, in the order in which the others are tested; "content" is the rest.
VERDICTS = ("challenge", "error", "consent", "shell", "index", "thin", "content")
#: What a browser may turn into content: scripts were not run, or asked for a moment.
ASK_THE_BROWSER = ("shell", "challenge", "thin", "consent")

#: Most visible words of a challenge; most words besides a request for consent.
_CHALLENGE_WORDS, _CONSENT_WORDS = 250.0, 60.0
#: Most words of a page that only asks for consent.
_CONSENT_PAGE = 400.0
#: Most words of such a page whose title and headings name no consent, and of its prose about other things.
_SHORT_REQUEST, _OTHER_PROSE = 200.0, 30.0
#: Content of fewer words is thin.
THIN_WORDS = 20.0
#: Most links, and most words, of a challenge without another sign.
_FEW_LINKS, _FEW_WORDS = 4, 90.0

_CHALLENGE = any_of(CHALLENGE)
_AGREE = any_of(AGREE, whole=True)
_CHALLENGE_NAME = any_of(CHALLENGE_NAMES)
_CONSENT_NAME = re.compile(r"consent|cookie|gdpr|ccpa|privacy|cmp\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One of :data:`VERDICTS`, and the facts that it follows from."""

    name: str
    evidence: tuple[Fact, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain values."""
        return {"verdict": self.name, "evidence": [fact.to_dict() for fact in self.evidence]}

    def __str__(self) -> str:
        return f"{self.name}: {'; '.join(map(str, self.evidence))}" if self.evidence else self.name


def decide(page: Page, marks: Marks, groups: Callable[[], DecidedRecords]) -> Verdict:
    """Decide the verdict on a page with its content, bool (leaves,).

    ``groups`` returns the records of the page with its type; it is called only if nothing else decides.
    """
    shown = ShownPage(page=page, marks=marks)
    for name, evidence in _TESTS:
        if facts := evidence(shown):
            return Verdict(name=name, evidence=tuple(facts))
    size = Fact(name="words of content", value=round(shown.content_words), where="page")
    if facts := _index(groups()):
        return Verdict(name="index", evidence=(*facts, size))
    visible = Fact(name="visible words", value=round(shown.words), where="page")
    if shown.content_words < THIN_WORDS:
        return Verdict(name="thin", evidence=(size, visible))
    return Verdict(name="content", evidence=(size, visible))


def _status(shown: ShownPage) -> int:
    status = shown.page.environment.get("status", "")
    return int(status) if re.fullmatch(r"[1-9]\d\d", status) else 0


def _status_fact(shown: ShownPage) -> list[Fact]:
    return [Fact(name="status", value=_status(shown), where="response")] if _status(shown) >= 400 else []


# -- challenge --------------------------------------------------------------------------------------------------------


def _challenge(shown: ShownPage) -> list[Fact]:
    """Return a phrase that asks for proof of a person, on a page of few words, with a sign of its structure."""
    if shown.words > _CHALLENGE_WORDS or len(shown.fields) > 2:
        return []
    found = shown.title_or_heading(_CHALLENGE) or _phrase(shown, _CHALLENGE)
    if found is None:
        return []
    signs = [*_status_fact(shown), *_challenge_element(shown)]
    if shown.refresh is not None:
        signs.append(Fact(name="refresh", value=shown.refresh[1], where=shown.where(shown.refresh[0])))
    links = int(shown.page.has_tag("a").sum())
    if not signs and links <= _FEW_LINKS and shown.words <= _FEW_WORDS and shown.scripts and not shown.fields:
        signs.append(Fact(name="links", value=links, where="page"))
    if not signs:
        return []
    return [Fact(name="words of a challenge", value=found[0], where=shown.where(found[1])), *signs, _words_fact(shown)]


def _challenge_element(shown: ShownPage) -> list[Fact]:
    row = shown.named(_CHALLENGE_NAME, "id", "class", "src", "action", "name")
    if row < 0:
        return []
    attributes = shown.page.attributes_of(row)
    names = (attributes.get(name, "") for name in ("id", "class", "src", "action", "name"))
    value = next((name for name in names if _CHALLENGE_NAME.search(name)), "")
    return [Fact(name="element of a challenge", value=shortened(value), where=shown.where(row))]


def _phrase(shown: ShownPage, pattern: re.Pattern[str]) -> tuple[str, int] | None:
    found = shown.phrase(pattern)
    return None if found is None else (found[1], found[0].row)


def _words_fact(shown: ShownPage) -> Fact:
    return Fact(name="visible words", value=round(shown.words), where="page")


# -- error ------------------------------------------------------------------------------------------------------------


def _error(shown: ShownPage) -> list[Fact]:
    """Return the status of an error."""
    return _status_fact(shown)


# -- consent ----------------------------------------------------------------------------------------------------------


def _consent(shown: ShownPage) -> list[Fact]:
    """Return a request for consent with next to nothing besides it."""
    # The words first: most pages have none, and many buttons.
    words = CONSENT_WORDS.search(" ".join(line.text for line in shown.lines[:60]))
    buttons = list(shown.buttons(_AGREE)) if words else []
    if not buttons:
        return []
    region = _consent_region(shown, buttons[0])
    besides = shown.words_outside(shown.inside(region))

    def button() -> Fact:
        value = shortened(shown.text_in(buttons[0]))
        return Fact(name="button of consent", value=value, where=shown.where(buttons[0]))

    if region > 0 and besides < _CONSENT_WORDS and besides < shown.words / 2:
        return [
            Fact(name="request for consent", value=shortened(shown.text_in(region)), where=shown.where(region)),
            button(),
            Fact(name="words besides the request", value=round(besides), where="page"),
        ]
    lines = [line for line in shown.lines if CONSENT_WORDS.search(line.text)]
    about = sum(line.words for line in lines)
    named = shown.title_or_heading(CONSENT_WORDS)
    if shown.framing[buttons[0]]:
        return []
    if named is None:
        # "Before you continue to Example": to accept or to refuse, and no other prose to speak of.
        other = sum(line.words for line in shown.lines if line.words >= PROSE_WORDS) - about
        if len(buttons) < 2 or not lines or shown.words > _SHORT_REQUEST or other >= _OTHER_PROSE:
            return []
        named = shortened(lines[0].text), lines[0].row
    elif shown.words > _CONSENT_PAGE or about < shown.main_words / 3:
        return []
    return [Fact(name="request for consent", value=named[0], where=shown.where(named[1])), button()]


def _consent_region(shown: ShownPage, button: int) -> int:
    """Return the outermost element around a button that is a dialog, fixed, or named after consent; 0 for none."""
    page = shown.page
    marked = page.has_tag("dialog") | page.attribute_matches("role", lambda role: role in ("dialog", "alertdialog"))
    marked |= page.attribute_matches("aria-modal", "true".__eq__)
    for name in ("id", "class"):
        marked |= page.attribute_matches(name, lambda value: _CONSENT_NAME.search(value[:200]) is not None)
    if page.geometry is not None:
        marked |= np.isin(page.geometry.position, (Position.FIXED, Position.STICKY))
    marked &= ~page.has_tag("html", "body")
    region, row = 0, button
    while row > 0:
        if marked[row] and CONSENT_WORDS.search(shown.text_in(row)):
            region = row
        row = int(page.parent[row])
    return region


# -- index ------------------------------------------------------------------------------------------------------------


def _index(groups: DecidedRecords) -> list[Fact]:
    """Return the main records if they are links: the page lists others."""
    if not groups.is_index:
        return []
    group, name = groups.main_group, groups.page_type.name
    assert group is not None
    return [
        Fact(name=f"type {name}", value=groups.page_type.probability, where="page"),
        Fact(name="records with links", value=len(group.outer), where="page"),
    ]


_TESTS: tuple[tuple[str, Callable[[ShownPage], list[Fact]]], ...] = (
    ("challenge", _challenge),
    ("error", _error),
    ("consent", _consent),
    ("shell", shell_evidence),
)
