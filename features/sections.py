"""Section features: short labels and the text below them, and whether the page is a forum.

"Comments (5)" above a list and "Related stories" above teasers announce the content below. Class names often do too,
but not if a program generates them. A label is a short block; its section is the text after it in the smallest element
that contains clearly more than the label.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ..lexicon.phrases import FURTHER_READING, SHARE, SUBSCRIBE, TAGS
from ..lexicon.word_lists import alternatives, entries
from ..page.arrays import FloatArray, cached_by_owner, prefix_sums
from ..page.name_flags import cache_words
from .class_names import node_kinds
from .columns import ColumnGroup, flag, flags, log_count, share
from .rows import Rows

_SHARED = {"related": FURTHER_READING, "share": SHARE, "letter": SUBSCRIBE, "tags": TAGS}
_WORDS = entries("sections")
#: Labels in the most common languages of the web, at the start of a block.
FAMILIES = {
    family: alternatives(_SHARED.get(family, ()), words) for family, words in _WORDS.items() if family != "post"
}
#: Texts next to the posts of a forum.
_POST = re.compile("|".join(_WORDS["post"]), re.IGNORECASE)
_FORUM_URL = re.compile("|".join(entries("markup")["FORUM_ADDRESS"]), re.IGNORECASE)
_LABELS = {family: re.compile(rf"(?:{pattern})", re.IGNORECASE) for family, pattern in FAMILIES.items()}
_ANY = re.compile(f"(?:{'|'.join(FAMILIES.values())})", re.IGNORECASE)
#: Most words of a label; characters before the words that are ignored.
MOST_WORDS = 8
_LEAD = re.compile(r"^[\W\d_]+")
#: An element with more words than the label times this, and this many more, contains its section.
_MORE_TIMES, _MORE_WORDS = 2.0, 8.0
#: Least share of words in elements with names of forums, and least number of post labels, of a forum page.
_NAMED, _MANY_POSTS = 0.3, 3

COLUMNS = (
    *(flag(f"says_{family}", f"1 if the block is a label of the family {family}") for family in FAMILIES),
    *(
        flag(f"below_{family}", f"1 if the block follows a label of the family {family} in the same section")
        for family in FAMILIES
    ),
    flag("says_post", "1 if the block is a label of forum posts (reply, quote, joined)"),
    log_count("since_label_log", "ln(1 + words since the last label of any kind), 0 before the first"),
    flag("below_any", "1 if the block follows any such label in the same section"),
    flag("forum_address", "1 if the page's address is typical of a forum or of questions and answers"),
    share("forum_names", "share of the page's words in elements with class names of forums"),
    log_count("forum_posts_log", "ln(1 + post labels on the page)"),
    share("forum", "share of three indicators of a forum (address, class names, post labels)"),
    share("forum_long", "share of forum indicators if the block is a long paragraph, else 0"),
    share("forum_free", "share of forum indicators if the block has no links, else 0"),
    share("forum_below_comment", "share of forum indicators if the block is below a comment label, else 0"),
    share("forum_in_names", "share of forum indicators if an element around has a class name of forums, else 0"),
)


@cached_by_owner
def section_columns(rows: Rows) -> dict[str, FloatArray]:
    """Return :data:`COLUMNS`, float64 (rows,) each, computed once for the rows: readings of a page need them again."""
    short = (rows.words <= MOST_WORDS).tolist()
    texts = zip(rows.texts, short, strict=True)
    bits = np.asarray([_families_of(text) if is_short else 0 for text, is_short in texts], dtype=np.uint64)
    says = flags(bits, [*FAMILIES, "post"])
    columns = {f"says_{family}": says[family] for family in FAMILIES}
    below = {f"below_{family}": _below(rows, columns[f"says_{family}"].nonzero()[0]) for family in FAMILIES}
    any_label = np.sum(list(columns.values()), axis=0) > 0
    columns |= below
    columns["says_post"] = says["post"]
    columns["since_label_log"] = _since(rows, any_label)
    columns["below_any"] = np.max(list(below.values()), axis=0) if len(rows) else np.zeros(0)
    return columns | _forum(rows, columns["says_post"], below["below_comment"])


@cache_words
def _families_of(text: str) -> int:
    """Return a bit for each of the families of a label, and the next one for a label of posts."""
    label = _LEAD.sub("", text)
    patterns = _LABELS.values() if _ANY.match(label) else ()
    families = sum(1 << number for number, pattern in enumerate(patterns) if pattern.match(label))
    return families | (1 << len(FAMILIES) if _POST.search(text) else 0)


def _below(rows: Rows, labels: NDArray[np.intp]) -> FloatArray:
    """Mark the rows after a label inside the smallest element that contains clearly more than the label."""
    below = np.zeros(len(rows))
    total, parent = prefix_sums(rows.words) if len(labels) else below, rows.page.parent
    for row in labels.tolist():
        node, own = int(rows.node[row]), float(rows.words[row])
        while node >= 0:
            first, last = rows.node_rows[node].tolist()
            if total[last] - total[max(first, row)] > max(_MORE_TIMES * own, own + _MORE_WORDS):
                below[row + 1 : last] = 1.0
                break
            node = int(parent[node])
    return below


def _since(rows: Rows, labels: NDArray[np.bool_]) -> FloatArray:
    before = np.cumsum(rows.words) - rows.words
    last = np.maximum.accumulate(np.where(labels, before + rows.words, -1.0)) if len(rows) else before
    return np.where(last >= 0, np.log1p(np.maximum(before - last, 0.0)), 0.0)


def _forum(rows: Rows, posts: FloatArray, comments: FloatArray) -> dict[str, FloatArray]:
    ones = np.ones(len(rows))
    named = node_kinds(rows.page) & np.uint64(1) > 0
    has_name = rows.page.below(named)[rows.node].astype(np.float64)
    name_share = float((rows.words * has_name).sum() / max(rows.words.sum(), 1e-9))
    address = float(_FORUM_URL.search(rows.page.url) is not None)
    labels = float(posts.sum())
    forum = (address + float(name_share > _NAMED) + float(labels >= _MANY_POSTS)) / 3 * ones
    return {
        "forum_address": address * ones,
        "forum_names": name_share * ones,
        "forum_posts_log": np.log1p(labels) * ones,
        "forum": forum,
        "forum_long": forum * rows.long,
        "forum_free": forum * (rows.link_words == 0),
        "forum_below_comment": forum * comments,
        "forum_in_names": forum * has_name,
    }


GROUP = ColumnGroup(name="section", columns=COLUMNS, measure=lambda rows, _: section_columns(rows))
