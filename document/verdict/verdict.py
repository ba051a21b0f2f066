"""The verdict: the state of a page for a reader who asked for its content, by general evidence and no list of sites."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...lexicon.page_states import (
    AGREE,
    CHALLENGE,
    CHALLENGE_NAMES,
    CONSENT_WORDS,
    ERROR,
    LOGIN,
    NEXT_STEPS,
    PAYWALL,
)
from ...page.arrays import Marks
from ...page.geometry import Position
from ...page.page import Page
from .elements import ShownPage
from .shell import shell_evidence
from .shown import PROSE_WORDS, Fact, Line, any_of, shortened

if TYPE_CHECKING:
    from ..records.record_sets import DecidedRecords

#: Names of verdicts, in the order in which the others are tested; "content" is the rest.
VERDICTS = ("challenge", "error", "login", "consent", "paywall", "shell", "index", "thin", "content")
#: What a browser may turn into content: scripts were not run, or asked for a moment.
ASK_THE_BROWSER = ("shell", "challenge", "thin", "consent")

#: Most visible words of a challenge; most words of prose of an error; most words besides a form to sign in, with and
#: without a heading that names it; most words besides a request for consent.
_CHALLENGE_WORDS, _ERROR_PROSE, _LOGIN_WORDS, _NAMED_LOGIN_WORDS, _CONSENT_WORDS = 250.0, 90.0, 40.0, 160.0, 60.0
#: Most words of a page that only asks for consent; of the start of a text behind a paywall; of what follows the wall.
_CONSENT_PAGE, _TEASER_WORDS, _BEHIND_WALL = 400.0, 260.0, 60.0
#: Most words of such a page whose title and headings name no consent, and of its prose about other things.
_SHORT_REQUEST, _OTHER_PROSE = 200.0, 30.0
#: Content of fewer words is thin; least probability of a page that lists others, share of its words in links, and
#: share of its content in one set of records.
THIN_WORDS, _INDEX, _INDEX_LINKS = 20.0, 0.5, 0.1
#: Most links of a challenge without another sign.
_FEW_LINKS, _FEW_WORDS = 4, 90.0
#: Least share of content in one set of records; least share, and number, of these with a link. Where the type is sure
#: and many words are links, what was chosen as content does not matter (docs/results/models.md).
_INDEX_RECORDS, _LINKED_RECORDS, _LEAST_LINKED = 0.3, 0.5, 3
_SURE_INDEX, _MANY_LINKS = 0.8, 0.3
_INDEX_TYPES = ("listing", "collection", "home")

_CHALLENGE, _LOGIN, _PAYWALL, _ERROR = any_of(CHALLENGE), any_of(LOGIN), any_of(PAYWALL), any_of(ERROR)
_AGREE = any_of(AGREE, whole=True)
#: Buttons of a form for a name alone: what follows is a password, or a message with a link or a code.
_NEXT = any_of((*LOGIN, *NEXT_STEPS))
_CHALLENGE_NAME = any_of(CHALLENGE_NAMES)
#: The declaration of schema.org, of the page or a part of it, in JSON-LD; most characters that are searched for it.
_NOT_FREE = re.compile(r"\"isAccessibleForFree\"\s*:\s*\"?\s*(?:https?://schema\.org/)?(?:false|no|0)\b", re.IGNORECASE)
_MOST = 400_000
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
    return Verdict(name="content", evidence=(size, visible, *_declared_not_free(shown)))


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
    """Return the status of an error, or a title or heading that names one above little prose."""
    if (status := _status(shown)) >= 400 and status not in (401, 402):
        return _status_fact(shown)
    found = shown.title_or_heading(_ERROR, 10)
    if found is None and shown.words <= _FEW_WORDS and not shown.fields:
        found = next(((shortened(line.text), line.row) for line in shown.lines[:3] if _names(line)), None)
    if found is None or shown.prose_words > _ERROR_PROSE:
        return []
    prose = Fact(name="words of prose", value=round(shown.prose_words), where="page")
    return [Fact(name="words of an error", value=found[0], where=shown.where(found[1])), prose]


def _names(line: Line) -> bool:
    return line.words <= 10 and _ERROR.match(line.text) is not None


# -- login ------------------------------------------------------------------------------------------------------------


def _login(shown: ShownPage) -> list[Fact]:
    """Return a form to sign in that is the main thing of the page."""
    passwords = [row for row, kind in shown.fields.items() if kind == "password"]
    others = [row for row in shown.fields if not shown.framing[row]]
    refused = _status(shown) == 401
    if not (passwords or refused or 1 <= len(others) <= 2):
        return []
    named = shown.title_or_heading(_LOGIN, 10)

    def facts() -> list[Fact]:
        said = [] if named is None else [Fact(name="words of a login", value=named[0], where=shown.where(named[1]))]
        return [*_status_fact(shown), *said] if refused else said

    for row in passwords:
        besides = _besides(shown, shown.form_of(row))
        limit = _NAMED_LOGIN_WORDS if refused or named is not None else _LOGIN_WORDS
        if besides < limit and (not shown.framing[row] or shown.main_words < _LOGIN_WORDS):
            field = Fact(name="password field", value=len(passwords), where=shown.where(row))
            return [field, *facts(), Fact(name="words besides the form", value=round(besides), where="page")]
    if passwords or named is None or not 1 <= len(others) <= 2:
        return facts() if refused else []
    # The name first, the password on the next page.
    besides = _besides(shown, shown.form_of(others[0]))
    button = next(shown.buttons(_NEXT), -1)
    if besides >= _LOGIN_WORDS or button < 0:
        return []
    field = Fact(name="field for a name", value=shown.fields[others[0]] or "text", where=shown.where(others[0]))
    return [field, *facts(), Fact(name="words besides the form", value=round(besides), where="page")]


def _besides(shown: ShownPage, form: int) -> float:
    """Return the visible words that are neither in a form nor in the frame of the page."""
    return shown.words_outside(shown.inside(form) | shown.framing) if form > 0 else shown.main_words


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


# -- paywall ----------------------------------------------------------------------------------------------------------


def _paywall(shown: ShownPage) -> list[Fact]:
    """Return that a text is declared not to be free, and cut, or words of a wall after its start."""
    if _status(shown) == 402:
        return _status_fact(shown)
    declared = _declared_not_free(shown)
    if not declared and shown.content_words >= _TEASER_WORDS:
        return []  # whatever the page says
    size = Fact(name="words of content", value=round(shown.content_words), where="page")
    wall = shown.phrase(_PAYWALL)
    if wall is None:
        return [*declared, size] if declared and shown.content_words < _TEASER_WORDS / 2 else []
    line, words = wall
    after = sum(
        other.words
        for other in shown.lines
        if other.row > line.row and other.words >= 25 and not shown.framing[other.row]
    )
    if after >= _BEHIND_WALL:
        return []
    return [*declared, Fact(name="words of a paywall", value=words, where=shown.where(line.row)), size]


def _declared_not_free(shown: ShownPage) -> list[Fact]:
    """Return the declaration by schema.org, or a meta element, that a text is not free."""
    page = shown.page
    for row in np.flatnonzero(page.has_tag("script")).tolist():
        if "ld+json" in page.attributes_of(row).get("type", "") and _NOT_FREE.search(shown.script_text(row)[:_MOST]):
            return [Fact(name="isAccessibleForFree", value="false", where=shown.where(row))]
    for row in np.flatnonzero(page.has_tag("meta")).tolist():
        attributes = {name: value.strip().lower() for name, value in page.attributes_of(row).items()}
        name = attributes.get("itemprop") or attributes.get("property") or attributes.get("name", "")
        locked = name == "isaccessibleforfree" and attributes.get("content") in ("false", "no", "0")
        if locked or (name.endswith("content_tier") and attributes.get("content") in ("locked", "metered", "paid")):
            return [Fact(name=name, value=attributes["content"], where=shown.where(row))]
    return []


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
    ("login", _login),
    ("error", _error),
    ("consent", _consent),
    ("paywall", _paywall),
    ("shell", shell_evidence),
)
