"""The language of a page: declared, or detected by script and words where markup is clearly wrong."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

_LANGUAGE_TAG = re.compile(r"^([a-z]{2,3})(?:[-_]([a-z0-9]{2,8}(?:[-_][a-z0-9]{1,8})*))?$", re.IGNORECASE)
#: Languages that a detector mixes up: among these, markup is believed.
_CONFUSED = (
    {"no", "nb", "nn", "da", "sv"}, {"hr", "sr", "bs", "sl", "mk", "bg"}, {"id", "ms", "jv"},
    {"gl", "pt", "es", "ca", "an", "oc"}, {"cs", "sk"}, {"zh", "yue", "wuu"}, {"hi", "mr", "ne"}, {"ru", "uk", "be"},
    {"fa", "ps", "ur", "ar"}, {"af", "nl", "li"},
    {"fil", "tl"}, {"he", "iw"}, {"en", "sco"}, {"lb", "de"}, {"it", "la"}, {"kk", "ky"}, {"az", "tr"},
)  # fmt: skip
#: Least characters and probability to overrule the declared language, and least characters to detect one.
SURE_CHARACTERS, SURE, LEAST_CHARACTERS = 300, 0.999, 40
#: Characters of a longer text that are enough to confirm the declared language.
START_CHARACTERS = 1000


def language_of(declared: tuple[tuple[str, str], ...], text: str) -> tuple[str, str]:
    """Return the language of a page (BCP 47, ``en-US``) and its source; ("", "") if unknown.

    ``declared`` has source and value of markup, the best first; invalid values are skipped. ``text`` is the visible
    text.

    >>> language_of((("markup", "en_US"),), "")
    ('en-US', 'markup')
    """
    tagged = next(((tag, source) for source, value in declared if (tag := _language_tag(value))), ("", ""))
    short = tagged[0].partition("-")[0]
    script = script_of_text(text)
    if script and short not in script.languages and (script.name != "LATIN" or short in _NOT_LATIN):
        return _by_script(script, text), "text"
    if len(text) < LEAST_CHARACTERS or (tagged[0] and len(text) < SURE_CHARACTERS):
        return tagged
    if not tagged[0]:
        return _detected(text)[0], "text"
    # Nearly always the start of the text confirms the declared language, and detection takes time for each character.
    if len(text) > START_CHARACTERS and _alike(_detected(text[:START_CHARACTERS])[0], short):
        return tagged
    detected, probability = _detected(text)
    return tagged if _alike(detected, short) or probability < SURE else (detected, "text")


def _alike(detected: str, declared: str) -> bool:
    """Return whether a detected language is the declared one, or one that detectors mix up with it."""
    return detected == declared or any({detected, declared} <= group for group in _CONFUSED)


@dataclass(frozen=True, slots=True)
class WrittenIn:
    """A script, by the start of the names of its letters in Unicode, and the languages that are written in it."""

    name: str
    languages: tuple[str, ...]


#: The first language is the one of a text in this script that no detector knows.
_SCRIPTS = (
    WrittenIn("LATIN", ()),
    WrittenIn("GREEK", ("el", "grc", "cop")),
    WrittenIn(
        "CYRILLIC", tuple("ru uk be bg mk sr kk ky mn tg tt ba os ce cv sah kv udm ab av uz az tk sh bs rue".split())
    ),
    WrittenIn(
        "ARABIC",
        ("ar", "fa", "ur", "ps", "ckb", "ku", "sd", "ug", "arz", "ary", "ks", "pa", "az", "ms", "dv", "ha", "kk"),
    ),
    WrittenIn("HEBREW", ("he", "iw", "yi", "lad")),
    WrittenIn("CJK", ("zh", "yue", "wuu", "ja", "ko", "lzh", "gan", "hak", "nan", "cmn", "vi")),
    WrittenIn("HIRAGANA", ("ja",)),
    WrittenIn("HANGUL", ("ko",)),
    WrittenIn("DEVANAGARI", ("hi", "mr", "ne", "sa", "bho", "mai", "kok", "new", "ks", "sd")),
    WrittenIn("THAI", ("th",)),
    WrittenIn("GEORGIAN", ("ka", "xmf")),
    WrittenIn("ARMENIAN", ("hy", "hyw")),
    WrittenIn("BENGALI", ("bn", "as", "mni")),
    WrittenIn("GUJARATI", ("gu",)),
    WrittenIn("GURMUKHI", ("pa",)),
    WrittenIn("TAMIL", ("ta",)),
    WrittenIn("TELUGU", ("te",)),
    WrittenIn("KANNADA", ("kn",)),
    WrittenIn("MALAYALAM", ("ml",)),
    WrittenIn("SINHALA", ("si",)),
    WrittenIn("KHMER", ("km",)),
    WrittenIn("LAO", ("lo",)),
    WrittenIn("MYANMAR", ("my",)),
    WrittenIn("ETHIOPIC", ("am", "ti")),
    WrittenIn("TIBETAN", ("bo", "dz")),
)
#: Languages that are hardly ever written in Latin letters on the web.
_NOT_LATIN = frozenset(
    "el ru uk be bg mk ar fa ur he iw zh yue ja ko hi mr ne th ka hy bn gu ta te kn ml si km lo my am".split()
)
#: Least letters and share of one script to contradict the declared language.
SCRIPT_LETTERS, SCRIPT_SHARE = 20, 0.6
#: Least share of Hiragana and Katakana of the East Asian letters of Japanese text.
KANA_SHARE = 0.1


def script_of_text(text: str) -> WrittenIn | None:
    """Return the script of most letters of a text; None for few letters, or several scripts."""
    count = Counter[str]()
    for letter, times in Counter(text).items():
        if letter.isalpha() and (name := _script_name(letter)):
            count[name] += times
    kana = count.pop("KATAKANA", 0) + count.get("HIRAGANA", 0)
    east = count.pop("CJK", 0)
    count["HIRAGANA"] = 0
    count["HIRAGANA" if kana >= KANA_SHARE * max(kana + east, 1) else "CJK"] += east + kana
    name, most = count.most_common(1)[0]
    if count.total() < SCRIPT_LETTERS or most < SCRIPT_SHARE * count.total():
        return None
    return next((script for script in _SCRIPTS if script.name == name), None)


@lru_cache(maxsize=1 << 14)
def _script_name(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _by_script(script: WrittenIn, text: str) -> str:
    """Return the detected language if it is written in the script, else the script's first."""
    if len(script.languages) == 1:
        return script.languages[0]
    detected = _detected(text)[0]
    return detected if not script.languages or detected in script.languages else script.languages[0]


def _language_tag(value: str) -> str:
    """Return a language tag with a hyphen; "" if it is invalid."""
    found = _LANGUAGE_TAG.match(value.strip())
    if not found:
        return ""
    # Conventional case (RFC 5646, section 2.1.1): zh-Hant-TW.
    parts = (found[2] or "").replace("_", "-").split("-") if found[2] else []
    cased = {2: str.upper, 4: str.title}
    return "-".join([found[1].lower(), *(cased.get(len(part), str.lower)(part) for part in parts)])


def _detected(text: str) -> tuple[str, float]:
    """Return the language of a text and its probability."""
    language, probability = _detector().classify(text)
    return str(language), float(probability)


@cache
def _detector() -> Any:
    # Its numbers take a second to load.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
