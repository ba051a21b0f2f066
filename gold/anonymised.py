"""Pages with less markup: words and appearance are left.

Only such pages show whether a model recognises blocks by appearance; a share of the training pages should be of this
kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum

import numpy as np

from ..page.arrays import Marks
from ..page.html import NOT_TEXT
from ..page.page import Page
from ..page.tree import unique_names

#: Semantic elements that are replaced by ``div``, and those replaced by ``span``.
BOXES = frozenset(
    "article section main nav aside header footer figure figcaption address hgroup details summary search dialog "
    "blockquote menu h1 h2 h3 h4 h5 h6".split()
)
INLINE = frozenset("time cite dfn abbr mark".split())
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
    HASHED = "hashed names"  # :func:`hash_names`
    NO_NAMES = "no names"  # :func:`scramble_names`
    PLAIN_TAGS = "plain tags"  # :func:`plain_tags`
    PLAIN = "plain"  # both
    NONE = "none"  # :func:`strip_markup`
    REBUILT = "rebuilt"  # a page that was rebuilt as plain boxes; it is used as it is


def with_markup(page: Page, markup: Markup) -> Page:
    """Return a page with less markup: tree, texts, title, addresses and geometry stay."""
    return _REDUCED[markup](page)


def hash_names(page: Page) -> Page:
    """Return the page with pseudonyms for the words of ``class`` and ``id``, as CSS modules leave them."""
    named = np.asarray([name in SCRAMBLED for name in page.names], dtype=bool)[page.attribute_name]
    strings, codes = list(page.strings), page.attribute_value.copy()
    old, index = np.unique(codes[named], return_inverse=True)
    codes[named] = len(strings) + index
    strings += [" ".join(map(_pseudonym, page.strings[code].split())) for code in old.tolist()]
    return replace(page, mhtml=None, strings=tuple(strings), attribute_value=codes)


def scramble_names(page: Page) -> Page:
    """Return the page with pseudonyms for the words of ``class`` and ``id``, without semantic attributes.

    With these, data scripts and the contents of ``meta`` go.
    """
    named = [page.names[code] for code in page.attribute_name.tolist()]
    of_scripts = page.has_tag("script")[page.attribute_node].tolist()
    kept = np.asarray(
        [
            name not in DROPPED and not name.startswith(("data-", "aria-")) and not (of_script and name == "type")
            for name, of_script in zip(named, of_scripts, strict=True)
        ],
        dtype=bool,
    )
    return _with_attributes(hash_names(page), kept)


def _pseudonym(word: str) -> str:
    digest = hashlib.blake2b(f"0 {word}".encode(), digest_size=5).digest()
    return f"x{int.from_bytes(digest):d}"


def _with_attributes(page: Page, kept: Marks) -> Page:
    return replace(
        page,
        attribute_node=page.attribute_node[kept],
        attribute_name=page.attribute_name[kept],
        attribute_value=page.attribute_value[kept],
    )


def plain_tags(page: Page) -> Page:
    """Return the page with ``div`` and ``span`` for semantic elements."""
    replaced = ["div" if name in BOXES else "span" if name in INLINE else name for name in page.names]
    names, index = unique_names([*page.names, "div", "span"])
    codes = np.asarray([index[name] for name in replaced], dtype=np.int32)
    return replace(page, mhtml=None, names=names, tag=codes[page.tag])


def strip_markup(page: Page) -> Page:
    """Return the page with ``div`` in the place of elements, and without their attributes.

    Links, pictures and line breaks stay, with their addresses, and elements whose kind decides what is text: what a
    rendered page shows is the same, and its markup says nothing.
    """
    replaced = [name if name in _KEPT_TAGS or name.startswith(("#", "::")) else "div" for name in page.names]
    names, index = unique_names([*page.names, "div"])
    tag = np.asarray([index[name] for name in replaced], dtype=np.int32)[page.tag]
    if page.geometry is not None:
        # Of an element without layout only the tag decides where its text ends.
        tag = np.where(page.geometry.display < 0, np.asarray([index[name] for name in page.names])[page.tag], tag)
    kept = np.asarray([name in _KEPT_ATTRIBUTES for name in page.names], dtype=bool)[page.attribute_name]
    return _with_attributes(replace(page, mhtml=None, names=names, tag=tag.astype(np.int32)), kept)


_REDUCED: Mapping[Markup, Callable[[Page], Page]] = {
    Markup.ORIGINAL: lambda page: page,
    Markup.HASHED: hash_names,
    Markup.NO_NAMES: scramble_names,
    Markup.PLAIN_TAGS: plain_tags,
    Markup.PLAIN: lambda page: plain_tags(scramble_names(page)),
    Markup.NONE: strip_markup,
    Markup.REBUILT: lambda page: page,
}
