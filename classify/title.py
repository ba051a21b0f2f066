"""The title of a page, by the rule of NewsFeed (Trampuš & Novak 2012, section 2.4.4), with the site's name stripped."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import numpy as np

from ..features.words import words
from ..render.page import Page

#: What sets a site's name off from a title. Those without white space around them occur between CJK words.
_SEPARATOR = re.compile(
    r"\s+[|\-–—»«›·•:/~]+\s+|\s*[|｜»«]\s*|(?<=[\u3000-\uffef])[_\-–—－]+|[_\-–—－]+(?=[\u3000-\uffef])|\s*::\s*"
)
#: A part that is this much shorter than the longest is taken for a site's name, where nothing better tells.
_SHORT = 0.4
_LONGEST_NAME = 6


def title_of(page: Page) -> str:
    """Give the title of a page: title element, else a title in the metadata, else the first heading; "" if none.

    The site's name goes where it stands at an end behind a separator and is known (``og:site_name``, the domain), or
    where a heading of the page is the title without it, or where the rest is much longer.
    """
    candidates = (page.title, _meta(page, "title", "og:title", "twitter:title"), *_headings(page))
    chosen = next((candidate for candidate in candidates if candidate), "")
    return _stripped(chosen, page) if chosen else ""


def _meta(page: Page, *names: str) -> str:
    content = page.attribute("content")
    for name in names:
        for key in ("name", "property"):
            column = page.attribute(key)
            for row in np.flatnonzero(page.has_tag("meta") & (column >= 0) & (content >= 0)).tolist():
                if page.strings[int(column[row])].lower() == name:
                    return " ".join(page.strings[int(content[row])].split())
    return ""


def _headings(page: Page) -> list[str]:
    texts = []
    for tag in ("h1", "h2"):
        for row in np.flatnonzero(page.has_tag(tag)).tolist():
            first, last = page.leaf_range[row]
            text = " ".join(" ".join(page.leaf_texts[first:last]).split())
            if text:
                texts.append(text)
    return texts


def _stripped(title: str, page: Page) -> str:
    cuts = list(_SEPARATOR.finditer(title))
    if not cuts:
        return title
    headings = {_key(heading) for heading in _headings(page)}
    # The longest run of parts that a heading repeats is the title as the author wrote it.
    starts, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(title)]
    runs = [(start, end) for start in starts for end in ends if start < end and (start, end) != (0, len(title))]
    for start, end in sorted(runs, key=lambda run: run[0] - run[1]):
        if _key(title[start:end]) in headings:
            return title[start:end]
    names = {_key(_meta(page, "og:site_name", "application-name")), *_domain_names(page.url)} - {""}
    first, last = (starts[0], ends[0]), (starts[-1], ends[-1])
    for start, end in (last, first):
        key = _key(title[start:end])
        if key in names or any(key.startswith(name) and len(name) > 3 for name in names):
            return title[ends[0] :].lstrip(_EDGE) if start == 0 else title[: ends[-2]]
    rest = title[: ends[-2]]
    name = words(title[last[0] : last[1]])
    if len(name) <= _LONGEST_NAME and len(name) <= _SHORT * len(words(rest)):
        return rest
    return title


_EDGE = " |-–—»«›·•:/~_｜－\t"


def _key(text: str) -> str:
    return "".join(words(text))


def _domain_names(url: str) -> set[str]:
    host = urlsplit(url).hostname or ""
    parts = host.removeprefix("www.").split(".")
    return {_key(host), _key(host.removeprefix("www.")), *(_key(part) for part in parts[:-1] if len(part) > 2)}
