"""The verdict: the state of a page for a reader who asked for its content, by general evidence and no list of sites."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...lexicon.word_lists import entries
from ...page.arrays import BoolColumn, Marks
from ...page.html import NOT_TEXT
from ...page.page import Page
from ...page.visibility import awaiting_leaves
from .shown_page import FEW_WORDS, LABEL_WORDS, PROSE_WORDS, SHOWN, ShownPage, shortened

if TYPE_CHECKING:
    from ...records.decided_records import DecidedRecords

#: Names of verdicts, in the order in which the others are tested; "content" is the rest.
VERDICTS = ("challenge", "error", "paywall", "shell", "index", "thin", "content")
#: What a browser may turn into content: scripts were not run, or asked for a moment.
ASK_THE_BROWSER = ("shell", "challenge", "thin")
#: Name of the fact that asks for it with any verdict.
AWAITING = "words that wait for a script"

#: Most visible words of a challenge; most links of one without another sign, and most fields.
_CHALLENGE_WORDS, _FEW = 250.0, 3
#: Content of fewer words is thin.
THIN_WORDS = 20.0
#: Seconds after which a refresh is no redirect; how many times the characters that are shown data are.
_SOON, _DATA_SHARE = 15.0, 8
#: Most characters of a script that only moves on, or of a note that is read; data are longer.
_SHORT_SCRIPT = 2000
#: Names of elements that scripts write the page into.
_ROOT_NAME = re.compile(
    r"^[_-]*(?:root|app|main|page|content|wrapper|container|mount|outlet|spa|view|site|next|nuxt)\b"
    r"|[_-](?:root|app|outlet|mount)$",
    re.IGNORECASE,
)
_DRAWS = ("img", "picture", "video", "audio", "canvas", "svg", "iframe", "object", "embed", "input", "select", "button")
_MOVES = re.compile(r"(?:window\.|document\.|top\.|self\.)?location(?:\.href)?\s*=(?!=)|location\.(?:replace|assign)\(")


def _any_of(state: str) -> re.Pattern[str]:
    """Return a pattern for any of the phrases of a state, at the start of a word."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(entries('page_states')[state])})", re.IGNORECASE)


_CHALLENGE, _CHALLENGE_NAME, _ASKS = map(_any_of, ("CHALLENGE", "CHALLENGE_NAMES", "ENABLE_SCRIPTS"))
_WAITS, _NOT_FOUND, _PAYWALL = map(_any_of, ("WAITING", "NOT_FOUND", "PAYWALL"))
#: Data that declare a text not to be free, and names of elements around what is left of it.
_NOT_FREE = re.compile(r'"isAccessibleForFree"\s*:\s*"?false', re.IGNORECASE)
_PAYWALL_NAME = re.compile(r"(?:^|[\s_-])(?:pay-?wall|reg-?wall|metered|piano-?(?:offer|inline))", re.IGNORECASE)
#: Ends of a text that was cut.
_CUT = ("…", "...", "[…]", "[...]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact of the evidence of a verdict.

    Attributes
    ----------
    name : str
        What was found, such as "words of content".
    value : str, int or float
    where : str
        A CSS selector, "title", "response", "address" or "page".
    """

    name: str
    value: str | int | float
    where: str = "page"

    def __str__(self) -> str:
        return f"{self.name}: {self.value} ({self.where})"

    def to_dict(self) -> dict[str, str | int | float]:
        """Return the fact as plain values."""
        return {"fact": self.name, "value": self.value, "where": self.where}


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
    tests = {"challenge": _challenge, "error": _missing, "paywall": _paywall, "shell": _shell}
    for name, evidence in tests.items():
        if facts := evidence(shown):
            return Verdict(name=name, evidence=tuple(facts))
    size = [Fact(name="words of content", value=round(shown.content_words)), *_awaiting(shown)]
    if facts := _index(groups()):
        return Verdict(name="index", evidence=(*facts, *size))
    name = "thin" if shown.content_words < THIN_WORDS else "content"
    return Verdict(name=name, evidence=(*size, _visible_words(shown)))


def _visible_words(shown: ShownPage) -> Fact:
    return Fact(name="visible words", value=round(shown.words))


def _awaiting(shown: ShownPage) -> list[Fact]:
    """Return the words of the content that a script would show, such as those that fade in."""
    words = round(float(shown.leaf_words[shown.marks & awaiting_leaves(shown.page)].sum()))
    return [Fact(name=AWAITING, value=words)] if words else []


def _error(shown: ShownPage) -> list[Fact]:
    """Return the status of an error."""
    status = shown.page.environment.get("status", "")
    return [Fact(name="status", value=int(status), where="response")] if re.fullmatch(r"[4-9]\d\d", status) else []


def _missing(shown: ShownPage) -> list[Fact]:
    """Return the status of an error, or the title or heading of a page of few words that it is not there."""
    if (facts := _error(shown)) or shown.main_words > LABEL_WORDS:
        return facts
    found = shown.title_or_heading(_NOT_FOUND)
    return [Fact(name="not found", value=found.text, where=shown.where(found.row))] if found else []


def _paywall(shown: ShownPage) -> list[Fact]:
    """Return the words that ask for a subscription below a text that was cut, and is declared not to be free."""
    shut = (
        row for row in np.flatnonzero(shown.page.has_tag("script")).tolist() if _NOT_FREE.search(shown.script_text(row))
    )
    named = np.flatnonzero(shown.page.attribute_matches("class", lambda name: _PAYWALL_NAME.search(name) is not None))
    row = next(shut, next(iter(named), None))
    if row is None or not (found := shown.phrase(_PAYWALL)):
        return []
    last = next((line for line in reversed(shown.prose) if shown.leaf_marked(line.row)), None)
    if last is None or not last.text.endswith(_CUT):
        return []
    words = Fact(name="words of a paywall", value=found.text, where=shown.where(found.row))
    return [words, Fact(name="cut text", value=shortened(last.text[-SHOWN:]), where=shown.where(last.row))]


def _index(groups: DecidedRecords) -> list[Fact]:
    """Return the main records if they are links: the page lists others."""
    group, found = groups.main_group, groups.page_type
    if group is None or not groups.is_index:
        return []
    return [
        Fact(name=f"type {found.name}", value=found.probability),
        Fact(name="records with links", value=len(group.outer)),
    ]


# -- challenge --------------------------------------------------------------------------------------------------------


def _challenge(shown: ShownPage) -> list[Fact]:
    """Return a phrase that asks for proof of a person, on a page of few words, with a sign of its structure."""
    if shown.words > _CHALLENGE_WORDS or shown.fields > _FEW:
        return []
    found = shown.title_or_heading(_CHALLENGE) or shown.phrase(_CHALLENGE)
    if found is None:
        return []
    signs = [*_error(shown), *_challenge_element(shown), *_refresh(shown)]
    links = int(shown.page.has_tag("a").sum())
    if not signs and links <= _FEW and shown.words <= FEW_WORDS and shown.scripts and not shown.fields:
        signs = [Fact(name="links", value=links)]
    if not signs:
        return []
    words = Fact(name="words of a challenge", value=found.text, where=shown.where(found.row))
    return [words, *signs, _visible_words(shown)]


def _challenge_element(shown: ShownPage) -> list[Fact]:
    """Return the first element that is named like a challenge."""
    page, names = shown.page, ("id", "class", "src", "action", "name")
    matching = np.zeros(len(page), dtype=bool)
    for name in names:
        matching |= page.attribute_matches(name, lambda value: _CHALLENGE_NAME.search(value) is not None)
    for row in np.flatnonzero(matching & ~page.has_tag("html", "body", "a", "link", "meta"))[:1].tolist():
        attributes = page.attributes_of(row)
        value = next(filter(_CHALLENGE_NAME.search, (attributes.get(name, "") for name in names)), "")
        return [Fact(name="element of a challenge", value=shortened(value), where=shown.where(row))]
    return []


def _refresh(shown: ShownPage) -> list[Fact]:
    return [Fact(name="refresh", value=shown.refresh[1], where=shown.where(shown.refresh[0]))] if shown.refresh else []


# -- shell ------------------------------------------------------------------------------------------------------------


def _shell(shown: ShownPage) -> list[Fact]:
    """Return the signs that scripts would write what the page shows; none if they ran, or it has a text."""
    if shown.page.environment.get("scripts", "off") == "ran":
        return []
    words = Fact(name="words outside of menus", value=round(shown.main_words))
    if elsewhere := _elsewhere(shown):
        return [*elsewhere, words]
    if not shown.scripts or shown.prose_words >= 2 * PROSE_WORDS:
        return []
    count = Fact(name="scripts not run", value=len(shown.scripts), where=shown.where(shown.scripts[0]))
    root = _fact_of(shown, "empty root", ((row, shown.page.tag_of(row)) for row in _empty_roots(shown)))
    if root and shown.main_words < FEW_WORDS:
        return [*root, count, words]
    found: dict[str, Iterable[tuple[int, str | int]]] = {
        "asks for scripts": _asked(shown),
        "waits": (
            (line.row, line.text) for line in shown.lines if line.words < PROSE_WORDS and _WAITS.match(line.text)
        ),
        "characters of data": _data(shown),
        "moves on": _moving(shown),
    }
    is_thin = shown.main_words < LABEL_WORDS
    signs = [fact for name, pairs in found.items() for fact in _fact_of(shown, name, pairs)] if is_thin else []
    return [*signs, count, words] if signs else []


def _elsewhere(shown: ShownPage) -> list[Fact]:
    """Return the sign that the text is at another address: the page moves on at once, or has it in a frame."""
    if shown.refresh is not None and shown.refresh[1] <= _SOON and shown.main_words < FEW_WORDS:
        return _refresh(shown)
    frames = ((row, shown.page.attributes_of(row).get("src", "")) for row in np.flatnonzero(_frames(shown)).tolist())
    return _fact_of(shown, "text in a frame", frames) if shown.main_words < LABEL_WORDS else []


def _frames(shown: ShownPage) -> BoolColumn:
    """Return the frames of other documents, whose text raw HTML does not have."""
    page = shown.page
    frames: BoolColumn = page.has_tag("frame", "iframe") & (page.attribute("src") >= 0)
    frames &= page.count_below(page.has_tag("html")) == 0
    return frames


def _fact_of(shown: ShownPage, name: str, found: Iterable[tuple[int, str | int]]) -> list[Fact]:
    """Return the first of some rows with a value as a fact."""
    for row, value in found:
        return [Fact(name=name, value=shortened(value) if isinstance(value, str) else value, where=shown.where(row))]
    return []


def _empty_roots(shown: ShownPage) -> list[int]:
    """Return the elements that scripts write the page into: empty, and the main one, the only one, or named so."""
    page = shown.page
    element = (page.text < 0) & ~page.below(page.has_tag(*NOT_TEXT, "link", "base", "svg"))
    empty = element & (page.sum_leaves(shown.leaf_words) == 0) & (page.count_within(page.has_tag(*_DRAWS)) == 0)
    bodies = np.flatnonzero(page.has_tag("body"))
    if not len(bodies):
        return []
    children = element & (page.parent == bodies[0])
    if children.any() and (empty | shown.framing)[children].all():
        roots = children
    else:
        roots = page.has_tag("main") | page.attribute_matches("role", "main".__eq__)
        roots |= page.attribute_matches("id", lambda name: _ROOT_NAME.search(name) is not None)
        roots |= np.asarray(["-" in page.names[tag] for tag in page.tag.tolist()])  # elements of the page's own
    rows: list[int] = np.flatnonzero(roots & empty & ~shown.framing).tolist()
    return rows


def _asked(shown: ShownPage) -> Iterable[tuple[int, str]]:
    for row in np.flatnonzero(shown.page.has_tag("noscript")).tolist():
        if match := _ASKS.search(text := shown.script_text(row)[:_SHORT_SCRIPT]):
            yield row, text[match.start() :]
    if found := shown.phrase(_ASKS):
        yield found.row, found.text


def _data(shown: ShownPage) -> Iterable[tuple[int, int]]:
    """Yield the scripts whose data are much more than what the page shows."""
    page = shown.page
    least = max(_SHORT_SCRIPT, _DATA_SHARE * int(page.leaf_lengths[shown.seen].sum()))
    for row in np.flatnonzero(page.has_tag("script")).tolist():
        kind = page.attributes_of(row).get("type", "").lower()
        if "json" in kind and "ld+json" not in kind and (size := len(shown.script_text(row))) > least:
            yield row, size


def _moving(shown: ShownPage) -> Iterable[tuple[int, str]]:
    for row in shown.scripts:
        if len(text := shown.script_text(row)) < _SHORT_SCRIPT and (match := _MOVES.search(text)):
            yield row, match[0]
