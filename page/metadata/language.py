"""The language of a page: declared, or detected by script and words where markup is clearly wrong."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from typing import Any

from ..arrays import HARDLY_ANY, MOSTLY

_LANGUAGE_TAG = re.compile(r"^([a-z]{2,3})(?:[-_]([a-z0-9]{2,8}(?:[-_][a-z0-9]{1,8})*))?$", re.IGNORECASE)
#: Languages that a detector mixes up: among these, markup is believed.
_CONFUSED = (
    {"no", "nb", "nn", "da", "sv"}, {"hr", "sr", "bs", "sl", "mk", "bg"}, {"id", "ms", "jv"},
    {"gl", "pt", "es", "ca", "an", "oc"}, {"cs", "sk"}, {"zh", "yue", "wuu"}, {"hi", "mr", "ne"}, {"ru", "uk", "be"},
    {"fa", "ps", "ur", "ar"}, {"af", "nl", "li"},
    {"fil", "tl"}, {"he", "iw"}, {"en", "sco", "pcm"}, {"lb", "de"}, {"it", "la"}, {"kk", "ky"}, {"az", "tr"},
)  # fmt: skip
#: Least characters and probability to overrule the declared language, and least characters to detect one. The start of
#: a longer text is enough to confirm the declared language.
SURE_CHARACTERS, SURE, LEAST_CHARACTERS = 300, 0.96, 40
#: Languages of China that are hardly ever written: texts in its characters are Chinese.
_WRITTEN = {"yue": "zh", "wuu": "zh"}
#: The languages written in each script, which is named as the Unicode names of its letters start; the first is that of
#: a text that no detector knows.
_SCRIPTS = {
    "LATIN": "",
    "GREEK": "el grc cop",
    "CYRILLIC": "ru uk be bg mk sr kk ky mn tg tt ba os ce cv sah kv udm ab av uz az tk sh bs rue",
    "ARABIC": "ar fa ur ps ckb ku sd ug arz ary ks pa az ms dv ha kk",
    "HEBREW": "he iw yi lad",
    "CJK": "zh yue wuu ja ko lzh gan hak nan cmn vi",
    "HIRAGANA": "ja",
    "HANGUL": "ko",
    "DEVANAGARI": "hi mr ne sa bho mai kok new ks sd",
    "THAI": "th",
    "GEORGIAN": "ka xmf",
    "ARMENIAN": "hy hyw",
    "BENGALI": "bn as mni",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "SINHALA": "si",
    "KHMER": "km",
    "LAO": "lo",
    "MYANMAR": "my",
    "ETHIOPIC": "am ti",
    "TIBETAN": "bo dz",
}
#: Least letters of one script to contradict the declared language.
SCRIPT_LETTERS = 20
#: Languages that are hardly ever written in Latin letters on the web.
_NOT_LATIN = "el ru uk be bg mk ar fa ur he iw zh yue ja ko hi mr ne th ka hy bn gu ta te kn ml si km lo my am".split()


def language_of(declared: tuple[tuple[str, str], ...], text: str) -> tuple[str, str]:
    """Return the language of a page (BCP 47, ``en-US``) and its source; ("", "") if unknown.

    ``declared`` has source and value of markup, the best first; invalid values are skipped. ``text`` is the visible
    text.

    >>> language_of((("markup", "en_US"),), "")
    ('en-US', 'markup')
    """
    tagged = next(((tag, source) for source, value in declared if (tag := _language_tag(value))), ("", ""))
    short, script = tagged[0].partition("-")[0], _script_of(text)
    if script and short not in _SCRIPTS[script].split() and (script != "LATIN" or short in _NOT_LATIN):
        return _by_script(script, text), "text"
    if len(text) < LEAST_CHARACTERS or (short and len(text) < SURE_CHARACTERS):
        return tagged
    if not short:
        return _detected(text)[0], "text"
    # Nearly always the start of the text confirms the declared language, and detection takes time for each character.
    if _alike(_detected(text[:SURE_CHARACTERS])[0], short):
        return tagged
    detected, probability = _detected(text)
    return tagged if _alike(detected, short) or probability < SURE else (detected, "text")


def _by_script(script: str, text: str) -> str:
    """Return the detected language if it is written in the script, else the script's first."""
    languages = _SCRIPTS[script].split()
    detected = languages[0] if len(languages) == 1 else _detected(text)[0]
    return detected if not languages or detected in languages else languages[0]


def _alike(detected: str, declared: str) -> bool:
    """Return whether a detected language is the declared one, or one that detectors mix up with it."""
    return detected == declared or any({detected, declared} <= group for group in _CONFUSED)


def _script_of(text: str) -> str:
    """Return the script of most letters of a text; "" for few letters, several scripts, or an unknown one."""
    count = Counter[str]()
    for letter, times in Counter(text).items():
        if letter.isalpha() and (name := _script_name(letter)):
            count[name] += times
    # Japanese mixes kana and Chinese characters.
    kana, east = count.pop("KATAKANA", 0) + count.pop("HIRAGANA", 0), count.pop("CJK", 0)
    count["HIRAGANA" if kana >= HARDLY_ANY * max(kana + east, 1) else "CJK"] += east + kana
    name, most = count.most_common(1)[0]
    if count.total() < SCRIPT_LETTERS or most < MOSTLY * count.total():
        return ""
    return name if name in _SCRIPTS else ""


@cache
def _script_name(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _language_tag(value: str) -> str:
    """Return a language tag with a hyphen and the case of RFC 5646 (2.1.1: zh-Hant-TW); "" if it is invalid."""
    found = _LANGUAGE_TAG.match(value.strip())
    if not found:
        return ""
    parts = found[2].replace("_", "-").split("-") if found[2] else []
    cased = {2: str.upper, 4: str.title}
    return "-".join([found[1].lower(), *(cased.get(len(part), str.lower)(part) for part in parts)])


def _detected(text: str) -> tuple[str, float]:
    """Return the language of a text and its probability."""
    language, probability = _detector().classify(text)
    return _WRITTEN.get(language, str(language)), float(probability)


@cache
def _detector() -> Any:
    # Its numbers take a second to load.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
