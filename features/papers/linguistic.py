"""Linguistic features: words and their variety, sentences, keywords, parts of speech."""

from __future__ import annotations

import numpy as np

from ...render.arrays import FloatArray
from ..rows import Rows
from ..words import count_sentences, words
from .speech import PARTS, parts_of_speech

#: Words that many sites have in their boilerplate and few in their content; by difference of the number of sites, and
#: by log-odds for languages with fewer sites, on 1317 labelled pages of 953 sites.
BOILERPLATE_WORDS = frozenset(
    """privacy contact policy email rights facebook terms reserved blog home search news twitter subscribe copyright
    sign rss comments newsletter skip careers share comment advertise menu login posts youtube linkedin instagram press
    reply log tweet cookie cookies archives faq categories feed tags print sitemap accessibility register advertising
    pinterest navigation shop newsletters account affiliate cart disqus editorials obituaries classifieds uncategorized
    blogroll trackback unsubscribe logout epaper impressum datenschutz startseite abo agb anzeige anzeigen kommentare
    datenschutzerklärung komentarz dodaj komentarze reklama najnowsze подписка реклама комментарии комментарий фото
    версия печати спорт культура экономика 登录 注册 首页""".split()
)
#: The same the other way round: words of running text.
CLEAN_WORDS = frozenset(
    """they but when there which than that while even so as into them many have well has these both if over such
    between because much two only each just were an was its those same before including make after then different any
    who few like however often most whether through though without might still would been at could not instead down
    need better being had used three around said another every especially during once example together along although
    allerdings einige gleichzeitig während dürfte daran hatten waren viele obwohl allem zuvor jedoch sowie
    кроме который также przez jednak również cependant aussi était avaient embargo también había però ancora
    """.split()
)
DOCS = {
    "types_log": "ln(1 + different words)",
    "type_share": "share of the block's words that are different ones",
    "mean_sentence": "number of words a sentence",
    "clean_word_share": "share of the block's words that are typical of running text",
    "boilerplate_word_share": "share of the block's words that are typical of menus and notices",
} | {f"pos_{part}": f"share of the block's words that are {what} (English only)" for part, what in PARTS.items()}


def linguistic_features(counts: Rows) -> dict[str, FloatArray]:
    """Return the linguistic columns, float64 (rows,) each; :data:`DOCS` says what they are.

    Parts of speech need the extra ``blocksight[speech]``; without it, and for other languages, they are NaN.
    """
    found = [words(text) for text in counts.texts]
    amount = np.maximum([len(row) for row in found], 1).astype(np.float64)
    types = np.asarray([len(set(row)) for row in found], dtype=np.float64)
    sentences = np.asarray([count_sentences(text) for text in counts.texts], dtype=np.float64)
    return {
        "types_log": np.log1p(types),
        "type_share": types / amount,
        "mean_sentence": counts.words / np.maximum(sentences, 1.0),
        "clean_word_share": _members(found, CLEAN_WORDS) / amount,
        "boilerplate_word_share": _members(found, BOILERPLATE_WORDS) / amount,
    } | {f"pos_{part}": column for part, column in parts_of_speech(counts, found).items()}


def _members(found: list[list[str]], known: frozenset[str]) -> FloatArray:
    return np.asarray([sum(word in known for word in row) for row in found], dtype=np.float64)
