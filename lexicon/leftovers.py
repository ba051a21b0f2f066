"""Words by which a short form of a text leads to the long one, by language (ISO 639-1)."""

from __future__ import annotations

#: The end of a teaser.
MORE_WORDS = {
    "": ("…", "...", "»", "[", "]", "(", ")", "→"),
    "en": ("read more", "show more", "see more", "show less", "more", "less"),
}
MORE = tuple(word for words in MORE_WORDS.values() for word in words)
