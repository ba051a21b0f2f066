"""Words of by-lines, months, and labels in many languages, as alternatives of regular expressions.

Rules compose the alternatives that they need from these tuples and add their own. Only words are shared: the labeling
functions of gold keep rules of their own, so that labels are independent of the features trained on them.
"""

from __future__ import annotations

from itertools import chain

#: Prepositions before the name of an author: en, de, fr, es and pt, it, nl, sv and no, da.
BY = ("by", "von", "par", "por", "di", "door", "av", "af")
#: Abbreviations, or the first letters, of the months by language.
MONTHS = {
    "en": ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    "de": ("jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"),
    "fr": ("janv", "fév", "mars", "avr", "mai", "juin", "juil", "août", "sep", "oct", "nov", "déc"),
    "es": ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    "it": ("gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"),
    "ru": ("янв", "фев", "мар", "апр", "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"),
}
FURTHER_READING = (
    "related", "recommended", r"read (?:also|more)", "see also", "lesen sie", "auch interessant", r"(?:à|a) lire",
    "voir aussi", "te puede", r"leia (?:também|mais)", "lees ook", "czytaj", "zobacz", "читайте", "διαβάστε", "δείτε",
    "相关", "相關", "更多", "推荐", "推薦", "関連", "관련",
)  # fmt: skip
SUBSCRIBE = ("subscri", "sign up", "newsletter", "abonn", "suscr", "inscr", "zapisz", "подпис", "订阅", "訂閱", "구독")
SHARE = ("share", "tweet", "分享", "シェア")
TAGS = (
    r"tags?\b", "filed under", "categor", "posted in", r"topics?\b", r"keywords?\b", r"labels?\b", "schlagw",
    "mots.clés", "etiquetas", "теги", "метки", "标签", "標籤", "关键词", "關鍵字", "タグ",
)  # fmt: skip
#: Labels and buttons of the posts of a forum.
POST_LABELS = (
    "reply", "quote", "permalink", r"posts?:", "antworten", "répondre", "responder", "ответить", "回复", "回覆", "引用",
    "发表于", "發表於",
)  # fmt: skip


def alternatives(*words: tuple[str, ...], end: str = "") -> str:
    """Return words as alternatives of a regular expression, each followed by ``end``.

    >>> alternatives(("by", "von"), ("par",), end="!")
    'by!|von!|par!'
    """
    return "|".join(f"{word}{end}" for word in dict.fromkeys(chain(*words)))
