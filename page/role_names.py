"""What a block can be to a reader: the names of the roles, stable in JSON and in models.

======================= ===============================================================================================
``title``               The headline of the page's text.
``standfirst``          The sentence or two between headline and text that sum it up (deck, lead, teaser of its own).
``author``              By-line: who wrote the text, the post or the comment; with the date where both share a block.
``date``                When it was published or changed.
``body``                The text itself: paragraphs, headings inside of it, lists, tables, code, quotes.
``caption``             What is said of a picture or a video, and its credit.
``note``                Footnote, correction, note of an agency or of copyright that belongs to the text.
``post``                Text of a post in a forum or thread.
``comment``             Text of a reader's comment below something else.
``related``             Teaser of, or link to, other texts.
``navigation``          Menu, bread crumbs, pager, table of contents, tags.
``promotion``           Advertisement, newsletter call, buttons for sharing.
``notice``              Consent to cookies, paywall.
``form``                Labels, hints and buttons of forms.
``footer``              What stands at the foot of all pages of a site.
``other``               Nothing of these: logos, counters, buttons.
======================= ===============================================================================================
"""

from __future__ import annotations

ROLES = (
    "other",
    "title",
    "standfirst",
    "author",
    "date",
    "body",
    "caption",
    "note",
    "post",
    "comment",
    "related",
    "navigation",
    "promotion",
    "notice",
    "form",
    "footer",
)
#: Index of each role in :data:`ROLES`.
ROLE = {name: index for index, name in enumerate(ROLES)}
#: Roles that are content unless somebody asks for others.
CONTENT_ROLES = ("body", "post", "standfirst", "note")
