"""The language of a page: as declared, verified against its text."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_TAG = re.compile(r"^([a-z]{2,3})(?:[-_]([a-z0-9]{2,8}(?:[-_][a-z0-9]{1,8})*))?$", re.IGNORECASE)
#: Languages that a detector mixes up: among these, markup is believed.
_ALIKE = (
    {"no", "nb", "nn", "da", "sv"}, {"hr", "sr", "bs", "sl", "mk", "bg"}, {"id", "ms", "jv"},
    {"gl", "pt", "es", "ca", "an", "oc"}, {"cs", "sk"}, {"zh", "yue", "wuu"}, {"hi", "mr", "ne"}, {"ru", "uk", "be"},
    {"fa", "ps", "ur", "ar"}, {"af", "nl", "li"},
    {"fil", "tl"}, {"he", "iw"}, {"en", "sco"}, {"lb", "de"}, {"it", "la"}, {"kk", "ky"}, {"az", "tr"},
)  # fmt: skip
#: Least characters and probability to overrule the declared language, and least characters to detect one.
SURE_CHARACTERS, SURE, LEAST_CHARACTERS = 300, 0.999, 40


def language_of(declared: tuple[tuple[str, str], ...], text: str) -> tuple[str, str]:
    """Return the language of a page (BCP 47) and its source; ("", "") if unknown.

    ``declared`` has source and value of markup, the best first; invalid values are skipped. ``text`` is the visible
    text.

    >>> language_of((("markup", "en_US"),), "")
    ('en-US', 'markup')
    """
    tagged = next(((tag, source) for source, value in declared if (tag := _tag(value))), ("", ""))
    if len(text) < LEAST_CHARACTERS or (tagged[0] and len(text) < SURE_CHARACTERS):
        return tagged
    detected, probability = _detector().classify(text)
    if not tagged[0]:
        return detected, "text"
    short = tagged[0].split("-")[0].lower()
    alike = detected == short or any({detected, short} <= group for group in _ALIKE)
    return tagged if alike or probability < SURE else (detected, "text")


def _tag(value: str) -> str:
    """Return a language tag with a hyphen; "" if it is invalid."""
    detected = _TAG.match(value.strip())
    if not detected:
        return ""
    return detected[1].lower() + (f"-{detected[2].replace('_', '-')}" if detected[2] else "")


@cache
def _detector() -> Any:
    # Its numbers take a second to load.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
