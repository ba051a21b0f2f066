"""Pages with less markup: words and appearance are left.

Only such pages show whether a model recognises blocks by appearance; a share of the training pages should be of this
kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np

from ..page.html import NOT_TEXT
from ..page.page import Page
from ..page.tree import unique_names

#: Semantic elements that are replaced by ``div``, and those replaced by ``span``.
BOXES = frozenset(
    "article section main nav aside header footer figure figcaption address hgroup details summary search dialog "
    "blockquote menu".split()
)
INLINE = frozenset("time cite dfn abbr mark".split())
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
#: Attributes that style sheets and scripts refer to: their words are replaced by pseudonyms.
SCRAMBLED = frozenset({"class", "id"})
#: Semantic attributes; all that start with "data-" and "aria-" are dropped, too.
DROPPED = frozenset(
    "itemprop itemscope itemtype itemid itemref property typeof vocab resource about prefix rel rev role name content "
    "datetime pubdate cite for headers scope summary accesskey title".split()
)
#: Elements and attributes that :func:`strip_markup` keeps.
_KEPT_TAGS = frozenset({"html", "head", "body", "title", "a", "img", "br", "svg", "noscript", "frameset"}) | NOT_TEXT
_KEPT_ATTRIBUTES = frozenset({"href", "src", "srcset", "width", "height", "lang", "shadowrootmode"})


class Markup(StrEnum):
    """Kinds of pages with less markup."""

    ORIGINAL = "original"
    NO_NAMES = "no names"  # words of class and id are pseudonyms, semantic attributes are removed
    PLAIN_TAGS = "plain tags"  # semantic elements are div and span
    PLAIN = "plain"  # both: :func:`strip_semantics`
    NONE = "none"  # :func:`strip_markup`
    REBUILT = "rebuilt"  # a page that was rebuilt as plain boxes; it is used as it is


def with_markup(page: Page, markup: Markup) -> Page:
    """Return a page with less markup."""
    return _REDUCED[markup](page)


def scramble_names(page: Page, *, seed: int = 0) -> Page:
    """Return the page with pseudonyms for the words of ``class`` and ``id``, without semantic attributes."""
    return replace(page, mhtml=None, warc=None, **_attributes(page, seed))


def plain_tags(page: Page, *, headings: bool = True) -> Page:
    """Return the page with ``div`` and ``span`` for semantic elements (with ``headings``, ``h1`` to ``h6`` too)."""
    return replace(page, mhtml=None, warc=None, **_tags(page, headings=headings))


def strip_semantics(page: Page, *, seed: int = 0, headings: bool = True) -> Page:
    """Return the page without its semantic markup, with the same blocks.

    Semantic elements become ``div`` and ``span`` (with ``headings``, ``h1`` to ``h6`` too), words of ``class`` and
    ``id`` become pseudonyms that depend on ``seed``, and semantic attributes are removed, with them data scripts and
    ``meta`` contents. Tree, texts, title, addresses and geometry stay.
    """
    return replace(page, mhtml=None, warc=None, **_tags(page, headings=headings), **_attributes(page, seed))


def strip_markup(page: Page) -> Page:
    """Return the page with ``div`` in the place of elements, and without their attributes.

    Links, pictures and line breaks stay, with their addresses, and elements whose kind decides what is text. Tree,
    texts, title and geometry stay: what a rendered page shows is the same, and its markup says nothing.
    """
    replaced = [name if name in _KEPT_TAGS or name.startswith(("#", "::")) else "div" for name in page.names]
    names, index = unique_names([*page.names, "div"])
    tag = np.asarray([index[name] for name in replaced], dtype=np.int32)[page.tag]
    if page.geometry is not None:
        # Of an element without layout only the tag decides where its text ends.
        tag = np.where(page.geometry.display < 0, np.asarray([index[name] for name in page.names])[page.tag], tag)
    attributes = np.asarray([name in _KEPT_ATTRIBUTES for name in page.names], dtype=bool)[page.attribute_name]
    return replace(
        page,
        mhtml=None,
        warc=None,
        names=names,
        tag=tag.astype(np.int32),
        attribute_node=page.attribute_node[attributes],
        attribute_name=page.attribute_name[attributes],
        attribute_value=page.attribute_value[attributes],
    )


def _tags(page: Page, *, headings: bool) -> dict[str, Any]:
    boxes = BOXES | HEADINGS if headings else BOXES
    replaced = ["div" if name in boxes else "span" if name in INLINE else name for name in page.names]
    names, index = unique_names([*page.names, "div", "span"])
    codes = np.asarray([index[name] for name in replaced], dtype=np.int32)
    return {"names": names, "tag": codes[page.tag]}


def _attributes(page: Page, seed: int) -> dict[str, Any]:
    named = [page.names[code] for code in page.attribute_name.tolist()]
    scripts = page.has_tag("script")[page.attribute_node]
    retained = np.asarray([not _is_dropped(name) for name in named], dtype=bool)
    retained &= ~(scripts & np.asarray([name == "type" for name in named], dtype=bool))
    scrambled = np.asarray([name in SCRAMBLED for name in named], dtype=bool)
    strings, codes = list(page.strings), page.attribute_value.copy()
    for code in np.unique(codes[scrambled]).tolist():
        strings.append(" ".join(_pseudonym(word, seed) for word in page.strings[code].split()))
        codes[scrambled & (page.attribute_value == code)] = len(strings) - 1
    return {
        "strings": tuple(strings),
        "attribute_node": page.attribute_node[retained],
        "attribute_name": page.attribute_name[retained],
        "attribute_value": codes[retained],
    }


def _is_dropped(name: str) -> bool:
    return name in DROPPED or name.startswith(("data-", "aria-"))


def _pseudonym(word: str, seed: int) -> str:
    digest = hashlib.blake2b(f"{seed} {word}".encode(), digest_size=5).digest()
    return f"x{int.from_bytes(digest):d}"


_REDUCED: Mapping[Markup, Callable[[Page], Page]] = {
    Markup.ORIGINAL: lambda page: page,
    Markup.NO_NAMES: scramble_names,
    Markup.PLAIN_TAGS: plain_tags,
    Markup.PLAIN: strip_semantics,
    Markup.NONE: strip_markup,
    Markup.REBUILT: lambda page: page,
}
