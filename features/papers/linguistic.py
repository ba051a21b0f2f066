"""Linguistic features: words and their variety, sentences, keywords."""

from __future__ import annotations

import numpy as np

from ...lexicon.words import words
from ...page.arrays import FloatArray
from ..columns import ColumnGroup, Columns, log_count, numeric, share
from ..rows import Rows

#: Words that are frequent in boilerplate and rare in content; by difference of the number of sites, and by log-odds for
#: languages with fewer sites, on 1317 labelled pages of 953 sites.
BOILERPLATE_WORDS = frozenset(
    """privacy contact policy email rights facebook terms reserved blog home search news twitter subscribe copyright
    sign rss comments newsletter skip careers share comment advertise menu login posts youtube linkedin instagram press
    reply log tweet cookie cookies archives faq categories feed tags print sitemap accessibility register advertising
    pinterest navigation shop newsletters account affiliate cart disqus editorials obituaries classifieds uncategorized
    blogroll trackback unsubscribe logout epaper impressum datenschutz startseite abo agb anzeige anzeigen kommentare
    datenschutzerklärung komentarz dodaj komentarze reklama najnowsze подписка реклама комментарии комментарий фото
    версия печати спорт культура экономика 登录 注册 首页""".split()
)
#: The reverse: words of running text.
CLEAN_WORDS = frozenset(
    """they but when there which than that while even so as into them many have well has these both if over such
    between because much two only each just were an was its those same before including make after then different any
    who few like however often most whether through though without might still would been at could not instead down
    need better being had used three around said another every especially during once example together along although
    allerdings einige gleichzeitig während dürfte daran hatten waren viele obwohl allem zuvor jedoch sowie
    кроме который также przez jednak również cependant aussi était avaient embargo también había però ancora
    """.split()
)
SOURCE = "blocksight; after FIASCO (Bauer et al., WAC3 2007); word lists ours"
COLUMNS = (
    log_count("types_log", "ln(1 + distinct words)", SOURCE),
    share("type_share", "number of distinct words over number of words", SOURCE),
    numeric("mean_sentence", "words per sentence", "words per sentence", source=SOURCE),
    share("clean_word_share", "share of the block's words that are typical of running text", SOURCE),
    share("boilerplate_word_share", "share of the block's words that are typical of menus and notices", SOURCE),
)


def word_features(rows: Rows, _: Columns) -> Columns:
    """Return the columns of words and sentences."""
    words_of_rows = [words(text) for text in rows.texts]
    amount = np.maximum([len(row) for row in words_of_rows], 1).astype(np.float64)
    types = np.asarray([len(set(row)) for row in words_of_rows], dtype=np.float64)
    return {
        "types_log": np.log1p(types),
        "type_share": types / amount,
        "mean_sentence": rows.words / np.maximum(rows.character_counts.sentences, 1.0),
        "clean_word_share": _count_members(words_of_rows, CLEAN_WORDS) / amount,
        "boilerplate_word_share": _count_members(words_of_rows, BOILERPLATE_WORDS) / amount,
    }


def _count_members(words_of_rows: list[list[str]], vocabulary: frozenset[str]) -> FloatArray:
    return np.asarray([sum(word in vocabulary for word in row) for row in words_of_rows], dtype=np.float64)


GROUP = ColumnGroup(name="linguistic", columns=COLUMNS, measure=word_features)
