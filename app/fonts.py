"""Scripts without a font on this computer: pages in them show boxes, and their lines have another size."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from functools import lru_cache

#: A language of each script, as fontconfig names it.
SCRIPTS = {
    "Latin": "en", "Cyrillic": "ru", "Greek": "el", "Arabic": "ar", "Hebrew": "he", "Chinese": "zh-cn",
    "Japanese": "ja", "Korean": "ko", "Devanagari": "hi", "Thai": "th", "Bengali": "bn", "Tamil": "ta",
    "emoji": "und-zsye",
}  # fmt: skip
#: Scripts by the first word of the names of their characters, where it is another.
_WORDS = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
_LIST_SECONDS = 10.0


def scripts_of(text: str) -> tuple[str, ...]:
    """Return the scripts of a text, without Latin, in the order of :data:`SCRIPTS`."""
    words = {unicodedata.name(character, "").partition(" ")[0] for character in set(text)}
    names = {_WORDS.get(word, word.capitalize()) for word in words}
    return tuple(name for name in SCRIPTS if name in names and name != "Latin")


@lru_cache
def missing_fonts(scripts: tuple[str, ...]) -> str | None:
    """Return which scripts have no font, and what to do; "" if all have one, None if that cannot be checked."""
    program, missing = shutil.which("fc-list"), []
    for script in scripts if program else ():
        command = [str(program), f":lang={SCRIPTS[script]}", "family"]
        try:
            listed = subprocess.run(command, capture_output=True, check=True, timeout=_LIST_SECONDS).stdout
        except (OSError, subprocess.SubprocessError):
            return None
        missing += [] if listed.strip() else [script]
    if program is None or not missing:
        return None if program is None else ""
    remedy = "pages in them show boxes; install fonts, such as fonts-noto-core and fonts-noto-cjk of Debian"
    return f"none for {', '.join(missing)}: {remedy}"
