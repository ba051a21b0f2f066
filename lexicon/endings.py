"""Words of what ends a page or repeats its text: headings, counts, "read more", by language; entries are patterns."""

from __future__ import annotations

#: Headings of comments.
COMMENTS = {
    "en": ("comments?", "leave a reply"), "de": ("kommentare?",), "fr": ("commentaires?",), "es": ("comentarios?",),
    "pt": ("comentários?",), "it": ("commenti",), "nl": ("reacties",), "zh": ("评论",),
}  # fmt: skip
#: Headings of other parts behind the content.
ENDINGS = {
    "en": ("latest (?:posts|videos|news)", "about the author", "more from", "about us"),
    "de": ("über den autor",),
}
#: Headings of boxes behind the content, with their text.
BOXES = {
    "en": ("about the (?:author|writer)s?", r"latest (?:videos|posts|articles|news) from\b", r"more (?:from|by)\b"),
    "de": ("über (?:den autor|die autorin)",),
    "fr": ("à propos de l['’]auteur",),
    "es, pt": ("sobre (?:el autor|la autora|o autor)",),
}
#: Headings of links to other pages of a site. "See also" and "References" are headings of an article's own lists.
OTHER_PAGES = {
    "en": (
        r"(?:related|similar|recommended|recent|latest|popular|trending|previous|other|more|further)\s+"
        r"(?:posts?|articles?|stories|videos?|news|entries|content|recipes|from|on|in|by)\b",
        "you (?:may|might) (?:also )?(?:like|enjoy|be interested)", "most (?:read|popular|viewed)",
        r"read (?:more|next)\b",
    ),
    "de": (
        r"(?:weitere|ähnliche|neueste|aktuelle|mehr|verwandte|beliebte)\s+"
        r"(?:beiträge|artikel|themen|meldungen|nachrichten|aus|von|zum)\b",
        "auch interessant", "das könnte (?:sie|dich|euch) (?:auch )?interessieren", "meistgelesen", "lesen sie auch",
    ),
    "fr": ("(?:articles?|billets?) (?:similaires|liés|récents)", "à lire aussi"),
    "es": ("(?:artículos|entradas|noticias) relacionad[ao]s", "te puede interesar"),
    "pt": ("(?:artigos|posts|notícias) relacionad[ao]s", "leia também"),
    "nl": ("lees ook", "gerelateerde"),
    "it": ("articoli correlati",),
    "zh": ("相关(?:文章|阅读)", "推荐阅读"),
    "ja": ("関連記事",),
}  # fmt: skip
#: What pages count of a text.
COUNTED = {
    "en": (
        "repl(?:y|ies)", "views?", "likes?", "votes?", "voices?", "followers?", "shares?", "comments?", "upvotes?",
        "downvotes?", "reads?", "claps?",
    ),
    "de": ("antworten", "aufrufe", "kommentare?", "gefällt mir"),
    "fr": ("réponses?", "vues?", "j['’]aime"),
    "es": ("respuestas", "visitas", "vistas", "me gusta"),
}  # fmt: skip
#: Labels of the last activity in a thread, and the time since then.
ACTIVITY = {"en": ("freshness", "last (?:post|reply|activity)"), "de": ("letzter beitrag",)}
AGE = r"(?:\d+|an?|ein(?:em|er)?|vor \d+)\s+\w+(?:\s+ago)?"
#: Words and signs, no patterns, in which the short form of a text ends (en).
MORE = ("…", "...", "read more", "show more", "see more", "more", "less", "show less", "»", "[", "]", "(", ")", "→")
