"""Evidence that a page is a shell: its scripts did not run here, and would write what it shows."""

from __future__ import annotations

import re

import numpy as np

from ...lexicon.page_states import ENABLE_SCRIPTS, WAITING
from ...page.html import NOT_TEXT
from .elements import ShownPage
from .shown import PROSE_WORDS, Fact, any_of, shortened

#: Most words outside of menus: of a page with an empty root, of one with another sign, of one that moves on.
_ROOT_WORDS, _SIGN_WORDS, _REFRESH_WORDS = 90.0, 40.0, 60.0
#: Seconds after which a refresh is no redirect; characters of data, and how many times those that are shown.
_SOON, _DATA, _DATA_SHARE = 15.0, 2000, 8
#: Names of elements that scripts write the page into.
_ROOT_NAME = re.compile(
    r"^[_-]*(?:root|app|main|page|content|wrapper|container|mount|outlet|spa|view|site|next|nuxt)\b"
    r"|[_-](?:root|app|outlet|mount)$",
    re.IGNORECASE,
)
_DRAWS = ("img", "picture", "video", "audio", "canvas", "svg", "iframe", "object", "embed", "input", "select", "button")
_MOVES = re.compile(r"(?:window\.|document\.|top\.|self\.)?location(?:\.href)?\s*=(?!=)|location\.(?:replace|assign)\(")
_ASKS, _WAITS = any_of(ENABLE_SCRIPTS), any_of(WAITING, whole=False)


def shell_evidence(shown: ShownPage) -> list[Fact]:
    """Return the signs of a shell; none if the scripts of the page ran, or it has a text."""
    page = shown.page
    if page.environment.get("scripts", "off") == "ran":
        return []
    words = Fact(name="words outside of menus", value=round(shown.main_words), where="page")
    if shown.refresh is not None and shown.refresh[1] <= _SOON and shown.main_words < _REFRESH_WORDS:
        return [Fact(name="refresh", value=shown.refresh[1], where=shown.where(shown.refresh[0])), words]
    scripts = shown.scripts
    if not scripts or shown.prose_words >= 2 * PROSE_WORDS:
        return []
    count = Fact(name="scripts not run", value=len(scripts), where=shown.where(scripts[0]))
    root = _empty_root(shown)
    if root and shown.main_words < _ROOT_WORDS:
        return [*root, count, words]
    signs = [*_asked(shown), *_waiting(shown), *_data(shown), *_moving(shown)]
    return [*signs, count, words] if signs and shown.main_words < _SIGN_WORDS else []


def _empty_root(shown: ShownPage) -> list[Fact]:
    """Return the element that scripts write the page into: empty, and the main one, the only one, or named so."""
    page = shown.page
    element = (page.text < 0) & ~page.below(page.has_tag(*NOT_TEXT, "link", "base", "svg"))
    empty = element & (page.sum_leaves(shown.leaf_words) == 0) & (page.count_within(page.has_tag(*_DRAWS)) == 0)
    bodies = np.flatnonzero(page.has_tag("body"))
    if not len(bodies):
        return []
    children = np.flatnonzero(element & (page.parent == bodies[0])).tolist()
    if children and all(empty[row] or shown.framing[row] for row in children):
        candidates = [row for row in children if empty[row] and not shown.framing[row]]
    else:
        main = page.has_tag("main") | page.attribute_matches("role", "main".__eq__)
        named = page.attribute_matches("id", lambda name: _ROOT_NAME.search(name) is not None)
        named |= np.asarray(["-" in page.names[tag] for tag in page.tag.tolist()])  # elements of the page's own
        candidates = np.flatnonzero(empty & (main | named) & ~shown.framing).tolist()
    if not candidates:
        return []
    return [Fact(name="empty root", value=page.tag_of(candidates[0]), where=shown.where(candidates[0]))]


def _asked(shown: ShownPage) -> list[Fact]:
    page = shown.page
    for row in np.flatnonzero(page.has_tag("noscript")).tolist():
        if match := _ASKS.search(text := shown.script_text(row)[:2000]):
            return [Fact(name="asks for scripts", value=shortened(text[match.start() :]), where=shown.where(row))]
    found = shown.phrase(_ASKS)
    return [] if found is None else [Fact(name="asks for scripts", value=found[1], where=shown.where(found[0].row))]


def _waiting(shown: ShownPage) -> list[Fact]:
    found = next((line for line in shown.lines[:40] if line.words <= 8 and _WAITS.match(line.text)), None)
    return [] if found is None else [Fact(name="waits", value=shortened(found.text), where=shown.where(found.row))]


def _data(shown: ShownPage) -> list[Fact]:
    """Return the script whose data are much more than what the page shows."""
    page = shown.page
    shown_characters = int(page.leaf_lengths[shown.seen].sum())
    for row in np.flatnonzero(page.has_tag("script")).tolist():
        kind = page.attributes_of(row).get("type", "").lower()
        size = len(shown.script_text(row)) if "json" in kind and "ld+json" not in kind else 0
        if size > max(_DATA, _DATA_SHARE * shown_characters):
            return [Fact(name="characters of data", value=size, where=shown.where(row))]
    return []


def _moving(shown: ShownPage) -> list[Fact]:
    for row in shown.scripts:
        if len(text := shown.script_text(row)) < 2000 and (match := _MOVES.search(text)):
            return [Fact(name="moves on", value=shortened(match[0]), where=shown.where(row))]
    return []
