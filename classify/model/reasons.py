"""Reasons against a block in words, for readers of a report: the contributions of columns to the decision on it.

A linear support vector machine is explained exactly: its decision is the sum of the columns' standardised values times
their weights, and a constant. A contribution of 0 is that of a block with the training mean. These are also the Shapley
values against such a block.

A single column explains little: "links per word" and "links among the neighbours" are one reason. So contributions are
summed over the columns of each reason, and only where the block's value agrees with the words: "mostly links" counts
columns of links that are above the mean of the training.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...features.rows import Rows
from ...page.arrays import FloatArray, product
from .model import Model, Prediction


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafReasons:
    """Reasons against text leaves: ``number``, int32 (leaves,), is the index of each in ``words``, -1 for none."""

    words: tuple[str, ...]
    number: NDArray[np.int32]

    def of(self, leaf: int) -> str:
        """Return the reason of a leaf in words, "" for none."""
        number = int(self.number[leaf])
        return self.words[number] if number >= 0 else ""


class _Reason(NamedTuple):
    """The columns that mean a reason where they are above, or below, their mean.

    What is ``general`` is true of most of what surrounds a text, and explains less than what is special to a block.
    """

    high: str = ""
    low: str = ""
    general: bool = False


def _named(families: str) -> _Reason:
    return _Reason(high=rf"(?:own|near|any)_(?:{families})")


def _labelled(family: str, begins: str = "") -> _Reason:
    return _Reason(high=rf"(?:says|below|under)_{family}|{begins}")


_REASONS = {
    "in a menu": _Reason("in_nav"),
    "in a side column or box": _Reason("in_aside"),
    "in a footer": _Reason("in_footer|tag_footer"),
    "in a header": _Reason("in_header|tag_header"),
    "in a form or a button": _Reason("in_form|in_button|tag_button|tag_label|.*has_form"),
    "inside a link": _Reason("in_a|tag_a|in_link"),
    "named like a menu (class, id)": _named("nav|breadcrumb|pager"),
    "named like the head of a page (class, id)": _named("header"),
    "named like the foot of a page (class, id)": _named("footer|legal"),
    "named like a side column (class, id)": _named("sidebar"),
    "named like comments (class, id)": _named("comment|message"),
    "named like links to share (class, id)": _named("share"),
    "named like teasers (class, id)": _named("related|teaser"),
    "named like an advertisement (class, id)": _named("advert"),
    "named like metadata (class, id)": _named("byline|meta|tags|caption|title"),
    "named like an overlay (class, id)": _named("overlay|hidden"),
    "named like a login (class, id)": _named("account"),
    "named like a list (class, id)": _named("list|product"),
    "comments, by a label": _labelled("comment", "begins_reply"),
    "teasers of other pages, by a label": _labelled("related", "begins_more"),
    "links to share, by a label": _labelled("share"),
    "a newsletter, by a label": _labelled("letter", "begins_letter"),
    "about the author, by a label": _labelled("author"),
    "tags, by a label": _labelled("tags", "begins_tag"),
    "an advertisement, by a label": _labelled("advert"),
    "asks to log in or subscribe, by a label": _labelled("access"),
    "begins like a by-line or a credit": _Reason("begins_byline|begins_credit|names_agency|like_author|person_link"),
    "begins like a notice": _Reason("begins_note|begins_notice|copyright"),
    "has a date": _Reason("date_like|date_share"),
    "more than once on the page": _Reason("duplicates_log|victor_duplicate_count"),
    "mostly links": _Reason("link_density|links_a_word|links_log|.*_link_text", "free_words_log"),
    "among links": _Reason(r"(?:up\d|make\d|around\d|at[+-]\d|card)_link_density|frame_links"),
    "short, or no sentence": _Reason(
        "short|separators",
        "words_log|characters_log|sentences_log|sentence_length_log|comma_density|ends_sentence|types_log"
        "|mean_sentence|text_density",
    ),
    "among short texts": _Reason(
        low=r"up\d_(?:words_log|long_log|long_share|block_words_log|comma_log)|around\d_(?:words_log|long_share)"
        r"|at[+-]\d_(?:words_log|ends_sentence)|(?:before|after)\d_long_share|make\d_(?:words_log|long_share)"
        r"|around\d_content_share|card_words_log",
        general=True,
    ),
    "one of many alike": _Reason(r"make\d_count_log|at[+-]\d_make0_count_log|cards_log|records_log|rank_log"),
    "outside of the largest text": _Reason(
        "(?:scored|dense|main|article|named|scored_tree)_distance",
        "(?:scored|dense|main|article|named|stretch)_(?:in|share)|in_article|in_main|up._page_share",
        general=True,
    ),
    "at the start of the page": _Reason(
        "first_blocks|before_title|rows_before_title_log|rows_until_long_log|main_above",
        "order|words_before|words_since_title_log|long_before_log|first_line_y|y|after_title",
        general=True,
    ),
    "at the end of the page": _Reason(
        "order|words_before|last_blocks|rows_since_long_log|main_below|first_line_y|y|long_before_log", general=True
    ),
    "in other letters than the main text": _Reason(
        "font_smaller|small_share|paler|italic_share|strong_share|capital_share|prominence|font_larger",
        "font_size|main_style|contrast|style_share|same_color|font_ink|color_ink|type_rank",
    ),
    "apart from the main column": _Reason(
        "main_x|center_offset|box_x|beside",
        "in_main_column|main_column_overlap|column_share|width_share|main_width|width_of_main|column_ink"
        "|width_ink|title_column|width|element_width|box_width",
    ),
    "in a frame of its own": _Reason("framed|same_background", "frame_main|frame_words|frame_width"),
    "fixed above the page": _Reason("fixed|lifted"),
    "hidden or covered": _Reason("hidden|covered_or_clipped"),
    "at a picture": _Reason("under_picture|on_picture|beside_picture|picture_(?:before|after|edge)"),
}
_GENERAL = np.asarray([reason.general for reason in _REASONS.values()])
#: How many times more a general reason must contribute to be named.
_MORE = 4.0


def reasons_against(model: Model, prediction: Prediction, rows: Rows) -> LeafReasons:
    """Return the reason that contributes most against each leaf's block in the first stage.

    The second stage has the same features, and columns about other blocks that explain nothing to a reader.
    """
    first = model.first
    high, low = _members(first.columns)

    def strongest(inputs: FloatArray) -> FloatArray:
        standardised = first.standardise(inputs[:, : len(first.columns)])
        against = np.minimum(standardised * first.weight, 0.0)
        above = against * (standardised > 0)
        sums = product(above, high) + product(against - above, low)
        sums[:, _GENERAL] /= _MORE
        most = sums.argmin(axis=1)
        return np.where(sums[np.arange(len(sums)), most] < 0, most, -1)[:, None].astype(np.float64)

    of_rows = np.append(prediction.inputs.apply(strongest), [[-1.0]], axis=0)
    return LeafReasons(words=tuple(_REASONS), number=of_rows[rows.leaf_row, 0].astype(np.int32))


@cache
def _members(columns: tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
    """Return float64 (columns, reasons) twice: 1 where a column belongs to a reason above, and below, its mean."""
    high, low = (
        np.asarray([[bool(re.fullmatch(pattern, name)) for pattern in patterns] for name in columns], dtype=np.float64)
        for patterns in zip(*(reason[:2] for reason in _REASONS.values()), strict=True)
    )
    return high, low
