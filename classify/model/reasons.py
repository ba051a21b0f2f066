"""Reasons why a block is not content, for readers of a report: sums of a linear model's contributions.

A single column explains little: "links per word" and "links among the neighbours" are one reason. So contributions are
summed over the columns of each reason, and only where the block's value agrees with the words: "mostly links" counts
columns of links that are above the mean of the training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ...features.rows import Rows
from ...page.arrays import FloatArray, product
from ..verdict.dropped import LeafReasons
from .model import Model, Prediction
from .svm import LinearSvm


@dataclass(frozen=True, slots=True)
class _Reason:
    """Words for a reader, and the columns that mean them where they are above, or below, their mean.

    What is ``general`` is true of most of what surrounds a text, and explains less than what is special to a block.
    """

    words: str
    high: str = ""
    low: str = ""
    general: bool = False


def _named(*families: str) -> str:
    return rf"(?:own|near|any)_(?:{'|'.join(families)})"


def _labelled(family: str) -> str:
    return rf"(?:says|below|under)_{family}"


_REASONS = (
    _Reason("in a menu", high="in_nav"),
    _Reason("in a side column or box", high="in_aside"),
    _Reason("in a footer", high="in_footer|tag_footer"),
    _Reason("in a header", high="in_header|tag_header"),
    _Reason("in a form or a button", high="in_form|in_button|tag_button|tag_label|.*has_form"),
    _Reason("inside a link", high="in_a|tag_a|in_link"),
    _Reason("named like a menu (class, id)", high=_named("nav", "breadcrumb", "pager")),
    _Reason("named like the head of a page (class, id)", high=_named("header")),
    _Reason("named like the foot of a page (class, id)", high=_named("footer", "legal")),
    _Reason("named like a side column (class, id)", high=_named("sidebar")),
    _Reason("named like comments (class, id)", high=_named("comment", "message")),
    _Reason("named like links to share (class, id)", high=_named("share")),
    _Reason("named like teasers (class, id)", high=_named("related", "teaser")),
    _Reason("named like an advertisement (class, id)", high=_named("advert")),
    _Reason("named like metadata (class, id)", high=_named("byline", "meta", "tags", "caption", "title")),
    _Reason("named like an overlay (class, id)", high=_named("overlay", "hidden")),
    _Reason("named like a login (class, id)", high=_named("account")),
    _Reason("named like a list (class, id)", high=_named("list", "product")),
    _Reason("comments, by a label", high=f"{_labelled('comment')}|begins_reply"),
    _Reason("teasers of other pages, by a label", high=f"{_labelled('related')}|begins_more"),
    _Reason("links to share, by a label", high=_labelled("share")),
    _Reason("a newsletter, by a label", high=f"{_labelled('letter')}|begins_letter"),
    _Reason("about the author, by a label", high=_labelled("author")),
    _Reason("tags, by a label", high=f"{_labelled('tags')}|begins_tag"),
    _Reason("an advertisement, by a label", high=_labelled("advert")),
    _Reason("asks to log in or subscribe, by a label", high=_labelled("access")),
    _Reason(
        "begins like a by-line or a credit", high="begins_byline|begins_credit|names_agency|like_author|person_link"
    ),
    _Reason("begins like a notice", high="begins_note|begins_notice|copyright"),
    _Reason("has a date", high="date_like|date_share"),
    _Reason("more than once on the page", high="duplicates_log|victor_duplicate_count"),
    _Reason("mostly links", high="link_density|links_a_word|links_log|.*_link_text", low="free_words_log"),
    _Reason(
        "among links",
        high=r"up\d_link_density|make\d_link_density|around\d_link_density|at[+-]\d_link_density|card_link_density"
        r"|frame_links",
    ),
    _Reason(
        "short, or no sentence",
        high="short|separators",
        low="words_log|characters_log|sentences_log|sentence_length_log|comma_density|ends_sentence|types_log"
        "|mean_sentence|text_density",
    ),
    _Reason(
        "among short texts",
        low=r"up\d_(?:words_log|long_log|long_share|block_words_log|comma_log)|around\d_(?:words_log|long_share)"
        r"|at[+-]\d_(?:words_log|ends_sentence)|(?:before|after)\d_long_share|make\d_(?:words_log|long_share)"
        r"|around\d_content_share|card_words_log",
        general=True,
    ),
    _Reason("one of many alike", high=r"make\d_count_log|at[+-]\d_make0_count_log|cards_log|records_log|rank_log"),
    _Reason(
        "outside of the largest text",
        high="(?:scored|dense|main|article|named|scored_tree)_distance",
        low="(?:scored|dense|main|article|named|stretch)_(?:in|share)|in_article|in_main|up._page_share",
        general=True,
    ),
    _Reason(
        "at the start of the page",
        high="first_blocks|before_title|rows_before_title_log|rows_until_long_log|main_above",
        low="order|words_before|words_since_title_log|long_before_log|first_line_y|y|after_title",
        general=True,
    ),
    _Reason(
        "at the end of the page",
        high="order|words_before|last_blocks|rows_since_long_log|main_below|first_line_y|y|long_before_log",
        general=True,
    ),
    _Reason(
        "in other letters than the main text",
        high="font_smaller|small_share|paler|italic_share|strong_share|capital_share|prominence|font_larger",
        low="font_size|main_style|contrast|style_share|same_color|font_ink|color_ink|type_rank",
    ),
    _Reason(
        "apart from the main column",
        high="main_x|center_offset|box_x|beside",
        low="in_main_column|main_column_overlap|column_share|width_share|main_width|width_of_main|column_ink"
        "|width_ink|title_column|width|element_width|box_width",
    ),
    _Reason("in a frame of its own", high="framed|same_background", low="frame_main|frame_words|frame_width"),
    _Reason("fixed above the page", high="fixed|lifted"),
    _Reason("hidden or covered", high="hidden|covered_or_clipped"),
    _Reason("at a picture", high="under_picture|on_picture|beside_picture|picture_(?:before|after|edge)"),
)


_GENERAL = np.asarray([reason.general for reason in _REASONS])
#: How many times more a general reason must contribute to be named.
_MORE = 4.0


def reasons_against(model: Model, prediction: Prediction, rows: Rows) -> LeafReasons | None:
    """Return the reason that contributes most against each leaf's block in the first stage; None if it is not linear.

    The second stage has the same features, and columns about other blocks that explain nothing to a reader.
    """
    first = model.first
    if not isinstance(first, LinearSvm):
        return None
    high, low = _members(first.columns)

    def strongest(inputs: FloatArray) -> FloatArray:
        standardised = first.standardise(inputs[:, : len(first.columns)])
        against = np.minimum(standardised * first.weight, 0.0)
        above = against * (standardised > 0)
        against -= above
        sums = product(above, high) + product(against, low)
        sums[:, _GENERAL] /= _MORE
        most = sums.argmin(axis=1)
        return np.where(sums[np.arange(len(sums)), most] < 0, most, -1)[:, None].astype(np.float64)

    of_rows = np.append(prediction.inputs.apply(strongest), [[-1.0]], axis=0)
    return LeafReasons(
        words=tuple(reason.words for reason in _REASONS), number=of_rows[rows.leaf_row, 0].astype(np.int32)
    )


@cache
def _members(columns: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """Return float64 (columns, reasons) twice: 1 where a column belongs to a reason above, and below, its mean."""
    high, low = (np.zeros((len(columns), len(_REASONS))) for _ in range(2))
    for number, reason in enumerate(_REASONS):
        for pattern, of in ((reason.high, high), (reason.low, low)):
            if pattern:
                matches = re.compile(pattern).fullmatch
                of[:, number] = [matches(name) is not None for name in columns]
    return high, low
