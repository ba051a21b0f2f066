"""The opening post of a thread, whose markup differs from that of the others."""

from __future__ import annotations

import re

import numpy as np

from ...page.arrays import prefix_sums
from ...segment.record_groups import RecordGroup
from ...segment.shape import class_names
from .field_names import PROFILE_PARTS, is_profile_url
from .group_features import GroupMeasures
from .page_features import is_post_id

#: Class names of the element around a whole post, digits written "#".
_POST = re.compile(
    r"(?:js-|ips|c)?_?(?:crawler-?|forum-?|topic-?|thread-?|first-?|original-?|opening-?|user-?)?_?"
    r"(?:post|message|comment|question|discussion|postbit|node)"
    r"(?:[-_]*(?:container|wrap(?:per)?|item|row|box|bit|block|entry|post|outer|forum|topic|type|first|bg#?|#))*"
)
_POST_TYPES = re.compile(r"(?:DiscussionForumPosting|SocialMediaPosting|Comment|Question|Message)\b", re.IGNORECASE)
#: Share of the page's prose that the only post of a thread holds.
_POST_SHARE = 0.4


def opening_post(measures: GroupMeasures, main: int = -1) -> RecordGroup | None:
    """Return the element of the opening post of a likely thread as a group of one record, if any.

    It is a question above answers or the only post: its class or id is that of a post, and it has a date or an author.
    ``main`` is the group of the other posts, -1 if there are none.
    """
    page = measures.page
    prose, dates = page.sum_leaves(measures.prose), page.sum_leaves(measures.dates.astype(np.float64))
    named = prefix_sums(page.has_tag("time") | page.attribute_matches("href", is_profile_url, needs=PROFILE_PARTS))
    before = measures.groups[main].spans[0][0] if main >= 0 else len(page)
    least = _POST_SHARE * prose[0] if main < 0 else 1.0
    fitting = [
        row
        for row in _post_elements(measures)
        if page.end[row] <= before and prose[row] >= max(least, 1.0)
        and (dates[row] > 0 or named[page.end[row]] > named[row])
    ]  # fmt: skip
    if not fitting:
        return None
    # The innermost element with all of the text: its ancestors are the list of posts.
    row = max(fitting, key=lambda row: (float(prose[row]), row))
    return RecordGroup(
        node=int(page.parent[row]),
        spans=((row, int(page.end[row])),),
        tag=page.tag_of(row),
        names=class_names(page.attributes_of(row).get("class", "")),
    )


def _post_elements(measures: GroupMeasures) -> list[int]:
    """Return the rows of elements with the class or id of a post."""
    page = measures.page
    called = page.attribute_matches("class", lambda names: any(map(_POST.fullmatch, class_names(names))))
    called |= page.attribute_matches("id", is_post_id) | page.attribute_matches(
        "itemtype", lambda text: _POST_TYPES.search(text) is not None
    )
    rows: list[int] = np.flatnonzero(called).tolist()
    return rows
