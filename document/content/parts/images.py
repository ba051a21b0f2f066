"""The pictures of the content: address, alternative text, caption, and whether they are decoration."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from ....lexicon.instructions import without_instruction
from ....lexicon.word_lists import alternatives, entries
from ....page.arrays import BoolColumn
from ....page.clean_text import clean
from ....page.hidden import Hidden
from ....page.html import SHOWN_HEIGHT, SHOWN_SOURCE, SHOWN_WIDTH
from ....page.page import Page
from ....page.surroundings import Surroundings
from .inline import Inset, Step

#: Attributes with the URL of a lazily loaded picture, the most probable first.
_LATER = tuple(
    "data-src data-original data-lazy-src data-lazy data-original-src data-actualsrc data-full-src data-url "
    "data-image data-echo data-hi-res-src".split()
)
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_CANDIDATE = re.compile(r"\s*(\S*[^\s,])(?:\s+([\d.]+)[wx])?[^,]*(?:,|$)")
_PICTURE_FILE = re.compile(r"^(?!data:)[^\s{}\"<>]+\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]\S*)?$", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-image)?\s*:[^;]*?url\(\s*[\"']?([^\"')]+)", re.IGNORECASE)
_NO_ADDRESS = re.compile(r"\A\s*(?:data:|[{\[])|\S\s+\S|\A\s*\Z")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d+(?:\.\d*)?)(?:px)?\s*", re.IGNORECASE | re.ASCII)

_WORDS = {name: alternatives(words) for name, words in entries("pictures").items()}
_ICON, _AVATAR, _ADVERTISEMENT, _PREVIEW = (
    re.compile(rf"(?:^|[^a-z])(?:{_WORDS[name]})(?![a-z])", re.IGNORECASE)
    for name in ("ICON", "AVATAR", "ADVERTISEMENT", "PREVIEW")
)
_SURE_ICON = re.compile(_WORDS["SURE_ICON"])
_SHARE, _TRACKER, _LOGO, _HOME = (
    re.compile(_WORDS[name], re.IGNORECASE) for name in ("SHARE_FILES", "TRACKER", "LOGO_FILES", "HOME_PATHS")
)
#: Parts of a page whose pictures belong to the page, not to its text.
_FURNITURE = ("nav", "aside", "footer", "button", "select", "form")
#: Most CSS pixels of a tracker, an icon, and a picture that is named icon or avatar.
TRACKER, ICON, NAMED_ICON = 2, 48, 160
#: A picture that a page shows so often, or twice in its content, is decoration.
REPEATED = 3
#: Reasons for which a picture is left out that apply to pictures without anything to see.
UNSEEN = ("hidden", "no address", "tracker")
#: Most pictures of a page that are read.
MOST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture in the content."""

    address: str  # on rendered pages that of the picture that was displayed
    alt: str
    caption: str
    size: tuple[int, int] | None  # intrinsic width and height, as rendered or declared, in pixels
    box: tuple[float, float, float, float] | None  # (x, y, width, height) in CSS pixels of the document
    #: hidden, no address, tracker, icon, avatar, logo, advertisement, place, repeated; "" if it is in the document.
    left_out: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the picture as plain values."""
        return asdict(self) | {"size": self.size and list(self.size), "box": self.box and list(self.box)}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundImages:
    """The pictures in the content in document order; insets of the kept ones, by row; leaves of their captions."""

    images: tuple[Image, ...]
    insets: dict[int, Inset]
    captions: list[int]


def find_images(
    page: Page, around: Surroundings, *, taken: frozenset[int] = frozenset(), captions: bool = True
) -> FoundImages:
    """Find the pictures of a page's content, except ``taken`` rows such as pictures of formulas.

    An alternative text that is the caption is left out if ``captions`` are written.
    """
    painted = page.attribute_matches("style", lambda style: _BACKGROUND.search(style) is not None, needs=("url(",))
    drawn = painted & page.attribute_matches("role", lambda role: role.strip().lower() == "img")
    rows = [row for row in (page.has_tag("img", "amp-img") | drawn).nonzero()[0][:MOST].tolist() if row not in taken]
    figure = page.nearest(page.has_tag("figure"))
    # No address shows a drawing, but a figure of one has a caption.
    drawings = (
        page.has_tag("svg") & (figure >= 0) & ~np.isin(figure, figure[rows]) & ~page.below(page.has_tag(*_FURNITURE))
    )
    along = [around.captions_of(row).tolist() for row in drawings.nonzero()[0].tolist() if around.holds(row)]
    found = FoundImages(images=(), insets={}, captions=[])
    found = _ImageFinder(page, around, rows).found(captions=captions) if rows else found
    return replace(found, captions=[*found.captions, *chain(*along)] if captions else [])


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The facts that decide whether a picture is decoration; width and height are infinite if unknown."""

    address: str
    file: str
    names: str  # classes and ids of the picture and two elements around it
    width: float
    height: float
    is_unseen: bool
    leads_home: bool
    in_furniture: bool
    is_repeated: bool

    @property
    def longer(self) -> float:
        """The longer known side."""
        return max((side for side in (self.width, self.height) if not math.isinf(side)), default=math.inf)

    def is_called(self, pattern: re.Pattern[str], *more: str) -> bool:
        return pattern.search(" ".join((self.names, *more))) is not None


def _is_avatar(one: _Candidate) -> bool:
    parts = urlsplit(one.address)
    small = one.longer <= NAMED_ICON or math.isinf(one.longer)
    return small and one.is_called(_AVATAR, parts.netloc, parts.query)


#: Why a picture is left out: the first that applies.
_REASONS: tuple[tuple[str, Callable[[_Candidate], bool]], ...] = (
    ("hidden", lambda one: one.is_unseen),
    ("no address", lambda one: not one.address),
    ("tracker", lambda one: min(one.width, one.height) <= TRACKER or bool(_TRACKER.search(one.address))),
    ("icon", lambda one: one.longer <= ICON or (one.longer <= NAMED_ICON and one.is_called(_ICON, one.file))),
    ("icon", lambda one: math.isinf(one.longer) and one.is_called(_SURE_ICON, one.file)),
    ("icon", lambda one: math.isinf(one.longer) and bool(_SHARE.search(one.file))),
    ("avatar", _is_avatar),
    ("logo", lambda one: one.leads_home and bool(_LOGO.match(one.file))),
    ("advertisement", lambda one: one.is_called(_ADVERTISEMENT)),
    ("place", lambda one: one.in_furniture),
    ("repeated", lambda one: one.is_repeated),
)  # fmt: skip


class _ImageFinder:
    def __init__(self, page: Page, around: Surroundings, rows: list[int]) -> None:
        self.page, self.around, self.rows = page, around, rows
        self.source = page.attribute("src")
        self.shown = Counter(self.source[rows].tolist())
        self.furniture = page.below(page.has_tag(*_FURNITURE))
        self.unscripted = page.below(page.has_tag("noscript"))
        self.unseen = self._unseen() & ~self.unscripted

    def found(self, *, captions: bool) -> FoundImages:
        pictures: list[Image] = []
        insets: dict[int, Inset] = {}
        below: list[int] = []
        seen: set[str] = set()
        for row, address in self._addressed().items():
            leaves = self.around.captions_of(row).tolist()
            picture = self._picture(row, address, leaves, seen)
            pictures.append(picture)
            if not picture.left_out:
                seen.add(picture.address)
                repeated = captions and picture.alt.casefold() == picture.caption.casefold()
                alt = "" if repeated else picture.alt
                insets[row] = Inset(path=(Step("img", (("src", picture.address), ("alt", alt)), row),))
                below += leaves
        return FoundImages(images=tuple(pictures), insets=insets, captions=below if captions else [])

    def _addressed(self) -> dict[int, str]:
        """Return the pictures in the content with their addresses; a lazy one or its noscript copy, not both."""
        addresses: dict[int, str] = {}
        last, leaf = -1, self.page.leaf_range[:, 0]
        held = self.around.holding(self.rows).tolist()
        for row in (row for row, is_held in zip(self.rows, held, strict=True) if is_held):
            candidates = (
                self.around.addresses.absolute(row, source) for source in _sources(self.page, row) if source.strip()
            )
            address = next(filter(None, candidates), "")
            # No text separates them.
            beside = last >= 0 and leaf[last] == leaf[row]
            copy = beside and self.unscripted[row] and not self.unscripted[last]
            if copy and addresses[last]:
                continue
            if copy or (beside and self._is_preview(last, addresses[last], address)):
                del addresses[last]
            addresses[row], last = address, row
        return addresses

    def _is_preview(self, row: int, address: str, behind: str) -> bool:
        """Return whether a picture is a small copy of the one behind it."""
        return _file(address) == _file(behind) and _PREVIEW.search(self._names(row)) is not None

    def _picture(self, row: int, address: str, captions: list[int], seen: set[str]) -> Image:
        attributes, box = self.page.attributes_of(row), self._box(row)
        alt = without_instruction(clean(attributes.get("alt") or attributes.get("aria-label", "")))
        width, height = _extent(attributes, box)
        # Placeholders of lazily loaded pictures repeat as well.
        often = self.shown[int(self.source[row])] >= REPEATED
        often = often and address == self.around.addresses.absolute(row, attributes.get("src", ""))
        candidate = _Candidate(
            address=address,
            file=_file(address),
            names=self._names(row),
            width=width,
            height=height,
            is_unseen=bool(self.unseen[row]),
            leads_home=self._leads_home(row),
            in_furniture=bool(self.furniture[row]),
            is_repeated=often or address in seen,
        )
        return Image(
            address=address,
            alt="" if _ADDRESS.fullmatch(alt) else alt,  # some programs write the address for it
            caption=clean(" ".join(self.page.leaf_texts[leaf] for leaf in captions)),
            size=_size(attributes),
            box=box,
            left_out=next((reason for reason, applies in _REASONS if applies(candidate)), ""),
        )

    def _leads_home(self, row: int) -> bool:
        """Return whether a picture is a link to the home page of its site."""
        above = int(self.page.parent[row])
        if above < 0 or self.page.tag_of(above) != "a":
            return False
        host, path = _host_and_path(self.page.attributes_of(above).get("href", "x"))
        return host in ("", _host_and_path(self.page.url)[0]) and bool(_HOME.match(path))

    def _names(self, row: int) -> str:
        names: list[str] = []
        for _ in range(3):
            attributes = self.page.attributes_of(row)
            names += [attributes.get("class", ""), attributes.get("id", "")]
            row = int(self.page.parent[row])
            if row < 0:
                break
        return " ".join(names)

    def _box(self, row: int) -> tuple[float, float, float, float] | None:
        if self.page.geometry is None:
            return None
        x, y, width, height = self.page.geometry.box[row].round(2).tolist()
        return None if math.isnan(x) else (x, y, width, height)

    def _unseen(self) -> BoolColumn:
        """Return the nodes that are not laid out or not visible, bool (nodes,); without geometry by markup."""
        geometry = self.page.geometry
        if geometry is None:
            return np.asarray(self.page.declared_hidden != Hidden.VISIBLE)
        unseen: BoolColumn = np.isnan(geometry.box[:, 0]) | geometry.invisible
        return unseen


def _sources(page: Page, row: int) -> Iterator[str]:
    """Yield the candidates for the source of a picture: what was displayed, or those in markup, the best first."""
    attributes = page.attributes_of(row)
    shown = attributes.get(SHOWN_SOURCE, "")
    if shown and not shown.startswith("data:"):
        # Pictures of a local file keep their relative path, not the URL that the browser used. Raw HTML has none.
        from ....render.sources.sources import without_local_origin

        yield without_local_origin(shown)
        return
    source = attributes.get("src", "").strip()
    yield from (attributes[name] for name in _LATER if name in attributes and not _NO_ADDRESS.search(attributes[name]))
    yield from (value for name, value in attributes.items() if name.startswith("data-") and _PICTURE_FILE.match(value))
    before = row
    while before and page.tag_of(before - 1) == "source" and page.parent[before - 1] == page.parent[row]:
        before -= 1
    sets = (attributes, *map(page.attributes_of, range(before, row)))
    yield from (_largest(some[name]) for some in sets for name in _SETS if some.get(name))
    yield source
    yield from _BACKGROUND.findall(attributes.get("style", ""))


def _largest(candidates: str) -> str:
    """Return the URL of the largest picture of a ``srcset``."""
    found = [(url, _number(size or "1") or 1.0) for url, size in _CANDIDATE.findall(candidates)]
    sizes = [(url, size) for url, size in found if not url.startswith("data:")]
    return max(sizes, key=lambda candidate: candidate[1], default=("", 0.0))[0]


def _extent(attributes: dict[str, str], box: tuple[float, float, float, float] | None) -> tuple[float, float]:
    """Return width and height as displayed or declared; infinite if unknown."""
    # In place of a picture that was not loaded a browser shows a sign, or nothing.
    if box is not None and (SHOWN_WIDTH in attributes or min(box[2:]) > ICON):
        return box[2:]
    width, height = (_number(attributes.get(name, "")) for name in ("width", "height"))
    return width or math.inf, height or math.inf


def _size(attributes: dict[str, str]) -> tuple[int, int] | None:
    """Return the intrinsic size of a picture as displayed, else as declared."""
    for names in ((SHOWN_WIDTH, SHOWN_HEIGHT), ("width", "height")):
        width, height = (_number(attributes.get(name, "")) for name in names)
        if width and height:
            return int(width), int(height)
    return None


def _number(written: str) -> float:
    """Parse a length in pixels; 0 if it is invalid."""
    found = _NUMBER.fullmatch(written)
    return float(found[1][:6]) if found else 0.0


def _host_and_path(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address.strip())
    except ValueError:  # an address that is none
        return "", address
    return parts.netloc, parts.path


def _file(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[2]
