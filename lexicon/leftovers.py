"""Words around an article that are no part of it, by language (ISO 639-1): counts, endings, buttons for more."""

from __future__ import annotations

import re

from .phrases import FURTHER_READING, SHARE, SUBSCRIBE, TAGS, alternatives


def _any(by_language: dict[str, tuple[str, ...]]) -> str:
    return "|".join(pattern for patterns in by_language.values() for pattern in patterns)


#: The end of a teaser.
MORE_WORDS = {
    "": ("…", "...", "»", "[", "]", "(", ")", "→"),
    "en": ("read more", "show more", "see more", "show less", "more", "less"),
}
MORE = tuple(word for words in MORE_WORDS.values() for word in words)
_COMMENTS = {
    "en": ("comments?", "leave a reply"), "de": ("kommentare?",), "fr": ("commentaires?",), "es": ("comentarios?",),
    "pt": ("comentários?",), "it": ("commenti",), "nl": ("reacties",), "zh": ("评论",),
}  # fmt: skip
_PARTS_BEHIND = {
    "en": (r"latest (?:posts|videos|news)", "about the author", "more from", "about us"), "de": ("über den autor",),
}  # fmt: skip
#: Headings of parts behind the content, at its end.
ENDING = re.compile(
    rf"(?:(?:\d+\s+)?(?:{_any(_COMMENTS)})|{alternatives(FURTHER_READING, SHARE, SUBSCRIBE, TAGS)}"
    rf"|{_any(_PARTS_BEHIND)})\b",
    re.IGNORECASE,
)
_BOXES = {
    "en": (
        r"about the (?:author|writer)s?", r"latest (?:videos|posts|articles|news) from\b", r"more (?:from|by)\b",
    ),
    "de": (r"über (?:den autor|die autorin)",),
    "fr": (r"à propos de l['’]auteur",),
    "es": (r"sobre (?:el autor|la autora)",),
    "pt": ("sobre o autor",),
}  # fmt: skip
#: Headings of boxes behind the content, with their text.
BOX = re.compile(rf"(?:{_any(_BOXES)})", re.IGNORECASE)
_OTHERS = {
    "en": (
        r"(?:related|similar|recommended|recent|latest|popular|trending|previous|other|more|further)\s+"
        r"(?:posts?|articles?|stories|videos?|news|entries|content|recipes|from|on|in|by)\b",
        r"you (?:may|might) (?:also )?(?:like|enjoy|be interested)", r"most (?:read|popular|viewed)",
        r"read (?:more|next)\b",
    ),
    "de": (
        r"(?:weitere|ähnliche|neueste|aktuelle|mehr|verwandte|beliebte)\s+"
        r"(?:beiträge|artikel|themen|meldungen|nachrichten|aus|von|zum)\b",
        "auch interessant", r"das könnte (?:sie|dich|euch) (?:auch )?interessieren", "meistgelesen", "lesen sie auch",
    ),
    "fr": (r"(?:articles?|billets?) (?:similaires|liés|récents)", "à lire aussi"),
    "es": (r"(?:artículos|entradas|noticias) relacionad[ao]s", "te puede interesar"),
    "pt": (r"(?:artigos|posts|notícias) relacionad[ao]s", "leia também"),
    "nl": ("lees ook", "gerelateerde"), "it": ("articoli correlati",), "zh": (r"相关(?:文章|阅读)", "推荐阅读"),
    "ja": ("関連記事",),
}  # fmt: skip
#: Headings of links to other pages of a site. "See also" and "References" are headings of an article's own lists.
OTHER_PAGES = re.compile(_any(_OTHERS), re.IGNORECASE)
#: Addresses of lists of texts with one tag.
TAG_ADDRESS = re.compile(r"/(?:tags?|categor(?:y|ies)|kategorien?|schlagwort|etiquetas?|topics?)/", re.IGNORECASE)
#: Numbers of comments, likes and views: "6 / 3".
_NUMBER = r"\d[\d.,]*\s*k?"
COUNT = re.compile(rf"{_NUMBER}(?:\s*[/|·•]\s*{_NUMBER})*")
_COUNTED = {
    "en": (
        "repl(?:y|ies)", "views?", "likes?", "votes?", "voices?", "followers?", "shares?", "comments?", "upvotes?",
        "downvotes?", "reads?", "claps?",
    ),
    "de": ("antworten", "aufrufe", "kommentare?", "gefällt mir"), "fr": ("réponses?", "vues?", "j['’]aime"),
    "es": ("respuestas", "visitas", "vistas", "me gusta"),
}  # fmt: skip
#: What pages count of a text: its label, and the label with its number.
COUNT_LABEL = re.compile(rf"(?:{_any(_COUNTED)})\s*:?", re.IGNORECASE)
COUNTED = re.compile(
    rf"(?:{_NUMBER}\s+(?:{_any(_COUNTED)})|(?:{_any(_COUNTED)})\s*[:(]?\s*{_NUMBER}\)?)", re.IGNORECASE
)
_ACTIVITIES = {"en": ("freshness", r"last (?:post|reply|activity)"), "de": ("letzter beitrag",)}
_AGES = {"en": (r"(?:\d+|an?)\s+\w+(?:\s+ago)?",), "de": (r"(?:\d+|ein(?:em|er)?|vor \d+)\s+\w+",)}
#: Labels of the last activity in a thread, which count no number, and their values.
ACTIVITY, AGE = re.compile(_any(_ACTIVITIES), re.IGNORECASE), re.compile(_any(_AGES), re.IGNORECASE)
