"""Roles of blocks: their names in JSON and in models, which are stable.

======================= ===============================================================================================
``title``               The headline of the page's text.
``standfirst``          The one or two sentences between headline and text that summarize it (deck, lead).
``author``              By-line: the author of the text, the post or the comment; with the date if both share a block.
``date``                The date of publication or modification.
``body``                The text itself: paragraphs, its headings, lists, tables, code, quotes.
``caption``             The description of an image or a video, and its credit.
``note``                Footnote, correction, note of an agency or of copyright that belongs to the text.
``post``                Text of a post in a forum or thread.
``comment``             Text of a reader's comment on something else.
``related``             Teaser of, or link to, other texts.
``navigation``          Menu, breadcrumbs, pagination, table of contents, tags.
``promotion``           Advertisement, newsletter call, buttons for sharing.
``notice``              Consent to cookies, paywall.
``form``                Labels, hints and buttons of forms.
``footer``              The footer that all pages of a site share.
``other``               None of these: logos, counters, buttons.
======================= ===============================================================================================
"""

from __future__ import annotations

ROLES = tuple(
    "other title standfirst author date body caption note post comment related navigation promotion notice form "
    "footer".split()
)
#: Index of each role in :data:`ROLES`.
ROLE = {name: index for index, name in enumerate(ROLES)}
#: Roles that are content by default.
CONTENT_ROLES = ("body", "post", "standfirst", "note")
