"""Invisible characters: they may carry a hidden message and are no part of a page's text.

Those that shape adjacent characters are kept: joiners in words and emoji, variation selectors after pictographs, tags
of flags (UTS #51, sections 1.4.2 to 1.4.9; Unicode 16, sections 9.2, 12.1, 23.2 to 23.4).
"""

from __future__ import annotations

import re
import unicodedata

#: Default ignorable code points, fillers, blanks and controls, without white space.
_INVISIBLE = (
    "\u0080-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_ANY = re.compile(f"[{_INVISIBLE}]")
_RUN = re.compile(f"[{_INVISIBLE}]+")
_BLANK = re.compile(rf"[{_INVISIBLE}\s]*")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
#: Letters that change their form next to a joiner: Arabic and related scripts, the scripts of South Asia, Mongolian.
_JOINING = re.compile(
    "[\u0600-\u08ff\u0900-\u109f\u1780-\u18af\u1a20-\u1bff\ua840-\ua8ff\ua980-\ua9df\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
_BRAILLE = re.compile("[\u2801-\u28ff]")
#: The flags of England, Scotland and Wales: tags after any other black flag draw nothing.
_FLAG = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_KEYCAP = frozenset("0123456789#*")


def is_blank(text: str) -> bool:
    """Return whether a text has no visible character."""
    # Nearly all texts start with a visible character.
    return not "!" <= text[:1] <= "~" and _BLANK.fullmatch(text) is not None


def strip_invisible(text: str) -> str:
    r"""Return a text without invisible characters.

    >>> strip_invisible("plain\u200b\U000e0041 text, \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u2764\ufe0f")
    'plain text, \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u2764\ufe0f'
    """
    if text.isascii() or not _ANY.search(text):
        return text
    flags = {match.start() + 1: match.end() for match in _FLAG.finditer(text)}
    return _RUN.sub(lambda run: _shaping(text, run.start(), run.end(), flags), text)


def _shaping(text: str, start: int, end: int, flags: dict[int, int]) -> str:
    """Return the characters of an invisible run that shape their neighbors."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if start in flags and flags[start] <= end:
        return text[start : flags[start]]
    run, kept = text[start:end], ""
    if _selects(before, run[0]):
        kept, run = run[0], run[1:]
    if (
        (run in (_ZWJ, _ZWNJ) and after and (_joins(before) or _joins(after)))
        or (run == _ZWJ and _is_pictograph(before) and _is_pictograph(after))
        or (run == "\u2800" and _BRAILLE.match(before) and _BRAILLE.match(after))
    ):
        kept += run
    return kept


def _selects(before: str, selector: str) -> bool:
    """Return whether a variation selector applies to the character before it."""
    if "\ufe0e" <= selector <= "\ufe0f":
        return before in _KEYCAP or _is_pictograph(before)
    if "\U000e0100" <= selector <= "\U000e01ef" or "\ufe00" <= selector <= "\ufe02":
        return bool(before) and _IDEOGRAPH.match(before) is not None
    return "\u180b" <= selector <= "\u180f" and "\u1820" <= before <= "\u18aa"


def _joins(character: str) -> bool:
    return bool(character) and _JOINING.match(character) is not None


def _is_pictograph(character: str) -> bool:
    """Return whether a character is a symbol (emoji) or a modifier (their skin tones)."""
    return (
        bool(character) and unicodedata.category(character) in ("So", "Sk", "Sm", "Po", "Me") and character > "\u00a8"
    )
