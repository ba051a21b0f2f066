"""Phrases of pages that are not what a reader asked for, as regular expressions (``page_states.toml``)."""

from __future__ import annotations

import re

from .word_lists import entries

_STATES = entries("page_states")
CHALLENGE, CHALLENGE_NAMES, ENABLE_SCRIPTS, WAITING, NOT_FOUND, PAYWALL = (
    _STATES[name] for name in "CHALLENGE CHALLENGE_NAMES ENABLE_SCRIPTS WAITING NOT_FOUND PAYWALL".split()
)
#: Words of consent notices, in any case.
CONSENT_WORDS = re.compile("|".join(_STATES["CONSENT"]), re.IGNORECASE)
