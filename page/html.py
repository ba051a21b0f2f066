"""Names of HTML: sets of tags, and the attributes that a browser adds to a page."""

from __future__ import annotations

import re

from .invisible_characters import strip_invisible

#: The tag name of a text node.
TEXT = "#text"

#: Prefix of the attributes that a browser adds; attributes of a page that have this prefix are dropped.
ADDED_PREFIX = "::"
#: Attributes that a browser adds to images: the address of the selected source, and the
#: natural width and height of the image in pixels.
SHOWN_SOURCE, SHOWN_WIDTH, SHOWN_HEIGHT = "::src", "::width", "::height"
#: Attributes that a browser adds if the composed tree differs from the document: on a child of a shadow root, the mode
#: of the root; on a slotted element, its index among its siblings with the same tag, their number, and its index
#: among all siblings.
SHADOW_ROOT, SLOTTED = "::root", "::slotted"
#: An attribute that a browser adds to elements, with some of the words below: it ignores the pointer (pointer-events),
#: it sets the cursor of things to click, a script listens to its clicks, it lies below its surroundings (z-index), it
#: is a modal dialog.
POINTER = "::pointer"
IGNORES_POINTER, HAND, LISTENS, BELOW, MODAL = "ignored", "hand", "listener", "below", "modal"
#: An attribute that a browser adds to elements that take clicks: the widths of its left and upper border in CSS pixels.
BORDER = "::border"
#: An attribute that a browser adds to ordered lists whose style has letters or Roman numbers: the value of ``type``.
LIST_MARKS = "::marks"
#: An attribute that a browser adds to parts of a page that a click has shown: the name of what was clicked.
REVEALED = "::revealed"
#: The mode of a shadow root if the browser did not report it.
UNKNOWN_ROOT = "unknown"

#: Elements whose text is no page text: programs, metadata, values of form controls, and fallback content.
NOT_TEXT = frozenset(
    "script style template noscript head title textarea select option datalist embed applet canvas "
    "audio video iframe frame noframes noembed".split()
)

#: Inline elements by their tag (HTML 4 inline elements and their successors).
INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rb rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr br slot math mi mo mn mrow msup msub mfrac".split()
)

#: Void elements: they have no content and no end tag.
VOID_TAGS = frozenset("area base br col hr img input link meta param source track wbr".split())

#: Maximum number of characters of a title.
MAX_TITLE = 10_000


def as_title(text: str) -> str:
    """Return the visible text of a title element, white space collapsed, at most :data:`MAX_TITLE` characters."""
    return " ".join(strip_invisible(text[:MAX_TITLE]).split())


#: The comment with which Chrome, Edge and Internet Explorer start a page that they save; the number counts characters.
_SAVED_FROM = re.compile(r"\s*saved from url=\(\d{1,6}\)(https?://\S{1,4000})\s*")


def noted_address(comment: str) -> str:
    """Return the address from which a browser saved a page, noted in a comment; "" for any other comment.

    >>> noted_address(" saved from url=(0028)https://example.org/thread/1 ")
    'https://example.org/thread/1'
    >>> noted_address(" saved from url=(0014)about:internet ")
    ''
    """
    found = _SAVED_FROM.fullmatch(comment)
    return found[1] if found else ""
