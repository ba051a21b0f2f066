"""The pictures of the content: address, alternative text, caption, and whether they are decoration."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from ....page.arrays import BoolColumn
from ....page.hidden import Hidden
from ....page.html import SHOWN_HEIGHT, SHOWN_SOURCE, SHOWN_WIDTH
from ....page.page import Page
from ....render.sources.sources import without_local_origin
from ...metadata.clean_text import clean
from ...metadata.urls import Addresses
from .inline import Inset, Step, Surroundings

#: Attributes with the URL of a lazily loaded picture, the most probable first.
_LATER = tuple(
    "data-src data-original data-lazy-src data-lazy data-original-src data-actualsrc data-full-src data-url "
    "data-image data-echo data-hi-res-src".split()
)
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_CANDIDATE = re.compile(r"\s*(\S*[^\s,])(?:\s+([\d.]+)[wx])?[^,]*(?:,|$)")
_PICTURE_FILE = re.compile(r"^(?!data:)[^\s{}\"<>]+\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]\S*)?$", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
#: File names of placeholders.
_STAND_IN = re.compile(
    r"(?:^|[-_.])(?:blank|spacer|placeholder|loading|loader|lazy(?:load)?|transparent|gr[ea]y|pixel|1x1|empty|clear)"
    r"(?=[-_.]|$)",
    re.IGNORECASE,
)


class _Names(NamedTuple):
    """A pattern of names, and words of which each ASCII text that it matches has one: they are found faster."""

    pattern: re.Pattern[str]
    words: tuple[str, ...]

    def are_in(self, text: str) -> bool:
        lowered = text.lower()
        for word in self.words:
            if word in lowered:
                return self.pattern.search(text) is not None
        return not text.isascii() and self.pattern.search(text) is not None


def _tokens(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[^a-z])(?:{words})(?![a-z])", re.IGNORECASE)


_ICON = _tokens(r"icons?|ico|emoji|smil(?:ey|ies)|smileys?|sprite|bullet|arrow|button|btn|badge|logo")
#: Names of icons of unknown size: a picture of the content may be called a logo or an arrow.
_SURE_ICON = _Names(
    re.compile(r"(?:^|[^A-Za-z]|[a-z])Icons?(?![a-z])|(?:^|[^A-Za-z])(?:icons?|ico|sprite|btn)(?![a-z])"),
    ("ico", "sprite", "btn"),
)
_SHARED = _Names(
    re.compile(
        r"\A(?:(?:facebook|twitter|whatsapp|linkedin|pinterest|instagram|youtube|rss|email|print)\.\w+\Z"
        r"|(?:[\w.-]*[-_])?(?:share|sns)[-_])",
        re.IGNORECASE,
    ),
    tuple("facebook twitter whatsapp linkedin pinterest instagram youtube rss email print share sns".split()),
)
_SITE_LOGO = re.compile(r"(?:.*[-_])?(?:site|header)?[-_]?logo(?:[-_.@].*)?\Z", re.IGNORECASE)
_HOME = re.compile(r"(?:/|\.{1,2}(?:/\.\.)*/?|(?:[^?#]*/)?(?:index|default|home)(?:\.\w+)+)?\Z", re.IGNORECASE)
_AVATAR = _Names(
    _tokens(r"avatars?|gravatar|userpic|author|byline|profile(?:[-_]?(?:pic|photo|image|picture))?"),
    ("avatar", "userpic", "author", "byline", "profile"),
)
_ADVERTISEMENT = _Names(
    _tokens(r"ads?|advert(?:s|isement|isements|ising)?|sponsor(?:ed|s)?|promo"), ("ad", "sponsor", "promo")
)
_TRACKER = _Names(
    re.compile(
        r"doubleclick|googlesyndication|scorecardresearch|quantserve|facebook\.com/tr|stats\.wp\.com|google-analytics"
        r"|/(?:pixel|beacon|track(?:er|ing)?|count(?:er)?)(?:[./?]|$)",
        re.IGNORECASE,
    ),
    tuple(
        "doubleclick googlesyndication scorecardresearch quantserve facebook.com/tr stats.wp.com google-analytics"
        " /pixel /beacon /track /count".split()
    ),
)
#: Parts of a page whose pictures belong to the page, not to its text.
_FURNITURE = ("nav", "aside", "footer", "button", "select", "form")
#: Most CSS pixels of a tracker, an icon, an element named icon, and one named avatar.
TRACKER, ICON, NAMED_ICON, AVATAR = 2, 48, 100, 160
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

    An alternative text that the caption repeats is left out if ``captions`` are written.
    """
    rows = [row for row in page.has_tag("img", "amp-img").nonzero()[0][:MOST].tolist() if row not in taken]
    return (
        _ImageFinder(page, around, rows).found(captions=captions)
        if rows
        else FoundImages(images=(), insets={}, captions=[])
    )


class _ImageFinder:
    def __init__(self, page: Page, around: Surroundings, rows: list[int]) -> None:
        self.page, self.around, self.rows = page, around, rows
        self.addresses = Addresses(page)
        #: The attributes of those in the content.
        self.given: dict[int, dict[str, str]] = {}
        source = page.attribute("src")[rows]
        self.shown = Counter(source[source >= 0].tolist())
        self.source = dict(zip(rows, source.tolist(), strict=True))
        self.furniture = page.below(page.has_tag(*_FURNITURE))
        self.unscripted = page.below(page.has_tag("noscript"))
        self.unseen = self._unseen()
        self.classes, self.ids = page.attribute("class"), page.attribute("id")

    def found(self, *, captions: bool) -> FoundImages:
        pictures: list[Image] = []
        insets: dict[int, Inset] = {}
        below: list[int] = []
        seen: set[str] = set()
        for row, address in self._addressed().items():
            picture, caption_leaves = self._picture(row, address, seen)
            pictures.append(picture)
            if not picture.left_out:
                seen.add(picture.address)
                repeated = captions and picture.alt.casefold() in picture.caption.casefold()
                alt = "" if repeated else picture.alt
                insets[row] = Inset(path=(Step("img", (("src", picture.address), ("alt", alt)), row),))
                below += caption_leaves
        return FoundImages(images=tuple(pictures), insets=insets, captions=below if captions else [])

    def _addressed(self) -> dict[int, str]:
        """Return the pictures in the content with their addresses; a lazy one or its noscript copy, not both."""
        addresses: dict[int, str] = {}
        last = -1
        held = self.around.holding(self.rows).tolist()
        for row in (row for row, is_held in zip(self.rows, held, strict=True) if is_held):
            self.given[row] = self.page.attributes_of(row)
            address = _address(self.page, row, self.given[row], self.addresses)
            if self.unscripted[row] and last >= 0 and self._neighbours(last, row):
                if addresses[last]:
                    continue
                del addresses[last]
            addresses[row], last = address, row
        return addresses

    def _neighbours(self, row: int, other: int) -> bool:
        """Return whether no text separates two pictures, of which only the second is in a noscript."""
        between = self.page.leaf_range[[row, other], 0]
        return bool(between[0] == between[1]) and not self.unscripted[row]

    def _picture(self, row: int, address: str, seen: set[str]) -> tuple[Image, list[int]]:
        caption_leaves = self.around.captions_of(row).tolist()
        caption = clean(" ".join(self.page.leaf_texts[leaf] for leaf in caption_leaves))
        attributes = self.given[row]
        picture = Image(
            address=address,
            alt=_alternative(attributes.get("alt", "")),
            caption=caption,
            size=_size(attributes),
            box=self._box(row),
            left_out=self._reason(row, address, seen),
        )
        return picture, caption_leaves

    def _reason(self, row: int, address: str, seen: set[str]) -> str:
        """Return why a picture is left out, "" if it is not."""
        if self.unseen[row] and not self.unscripted[row]:
            return "hidden"
        if not address:
            return "no address"
        width, height = self._extent(row)
        if min(width, height) <= TRACKER or _TRACKER.are_in(address):
            return "tracker"
        longer, words = _longer(width, height), self._words(row)
        return _named_reason(longer, words, address) or self._placed_reason(row, words, address, seen)

    def _placed_reason(self, row: int, words: str, address: str, seen: set[str]) -> str:
        """Return the reason by what the picture leads to, where it is, and the other pictures of the page."""
        if _SITE_LOGO.match(_file(address)) and self._leads_home(row):
            return "logo"
        if _ADVERTISEMENT.are_in(words):
            return "advertisement"
        if self.furniture[row]:
            return "place"
        # Placeholders of lazily loaded pictures repeat as well.
        if address in seen:
            return "repeated"
        often = self.shown[self.source[row]] >= REPEATED
        return "repeated" if often and address == self.addresses.absolute(row, self.given[row].get("src", "")) else ""

    def _leads_home(self, row: int) -> bool:
        """Return whether a picture is a link to the home page of its site."""
        above = int(self.page.parent[row])
        if above < 0 or self.page.tag_of(above) != "a":
            return False
        host, path = _host_and_path(self.page.attributes_of(above).get("href", "x"))
        return host in ("", _host_and_path(self.page.url)[0]) and bool(_HOME.match(path))

    def _words(self, row: int) -> str:
        """Return the classes and ids of a picture and the two elements around it."""
        page, names = self.page, list[str]()
        for _ in range(3):
            names += [page.strings[code] if code >= 0 else "" for code in (self.classes[row], self.ids[row])]
            row = int(page.parent[row])
            if row < 0:
                break
        return " ".join(names)

    def _extent(self, row: int) -> tuple[float, float]:
        """Return width and height as displayed or declared; infinite if unknown."""
        box = self._box(row)
        # In place of a picture that was not loaded a browser shows a sign, or nothing.
        if box is not None and (SHOWN_WIDTH in self.given[row] or min(box[2:]) > ICON):
            return box[2], box[3]
        width, height = (_number(self.given[row].get(name, "")) for name in ("width", "height"))
        return width or math.inf, height or math.inf

    def _box(self, row: int) -> tuple[float, float, float, float] | None:
        if self.page.geometry is None:
            return None
        x, y, width, height = self.page.geometry.box[row].round(2).tolist()
        return None if math.isnan(x) else (x, y, width, height)

    def _unseen(self) -> BoolColumn:
        """Return the nodes that are not laid out or not visible, bool (nodes,); without geometry by markup."""
        geometry = self.page.geometry
        if geometry is None:
            declared: BoolColumn = self.page.declared_hidden != Hidden.VISIBLE
            return declared
        unseen: BoolColumn = np.isnan(geometry.box[:, 0]) | geometry.invisible
        return unseen


def _named_reason(longer: float, words: str, address: str) -> str:
    """Return whether a picture is an icon or an avatar by its size and its names, "" if it is neither."""
    file, unknown = _file(address), math.isinf(longer)
    if longer <= ICON:
        return "icon"
    called = f"{words} {file}"
    if longer <= NAMED_ICON and _ICON.search(called):
        return "icon"
    if unknown and (_SURE_ICON.are_in(called) or _SHARED.are_in(file)):
        return "icon"
    if longer <= AVATAR or unknown:
        parts = urlsplit(address)
        if _AVATAR.are_in(f"{words} {parts.netloc} {parts.query}"):
            return "avatar"
    return ""


def _address(page: Page, row: int, attributes: dict[str, str], addresses: Addresses) -> str:
    """Return the address of a picture: the displayed one, or the best in its markup."""
    for written in _named(page, row, attributes):
        address = addresses.absolute(row, written) if written.strip() else ""
        if address:
            return address
    return ""


def _named(page: Page, row: int, attributes: dict[str, str]) -> list[str]:
    """Return the candidates for the source of a picture in markup, the best first."""
    shown = attributes.get(SHOWN_SOURCE, "")
    if shown and not shown.startswith("data:"):
        # Pictures of a local file keep their relative path, not the URL that the browser used.
        return [without_local_origin(shown)]
    source = attributes.get("src", "").strip()
    later, sets = list[str](), list[str]()
    if any(name[:5] == "data-" for name in attributes):
        later += [attributes[name] for name in _LATER if name in attributes and _is_address(attributes[name])]
        later += [value for name, value in attributes.items() if name[:5] == "data-" and _PICTURE_FILE.match(value)]
    sets += [_largest(attributes[name]) for name in _SETS if attributes.get(name)]
    sources = page.attributes_of(row - 1) if row and page.tag_of(row - 1) == "source" else {}
    sets += [_largest(sources[name]) for name in _SETS if sources.get(name)]
    stands_in = not source or source.startswith("data:") or bool(_STAND_IN.search(_file(source)))
    return [*later, *sets, source] if stands_in else [*later, source]


def _is_address(value: str) -> bool:
    value = value.strip()
    return bool(value) and not value.startswith(("data:", "{", "[")) and not re.search(r"\s", value)


def _largest(candidates: str) -> str:
    sizes = [(float(size or 1), url) for url, size in _sized(candidates) if not url.startswith("data:")]
    return max(sizes, key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _sized(candidates: str) -> list[tuple[str, str]]:
    sizes = [(match[1], match[2] or "1") for match in _CANDIDATE.finditer(candidates[:10_000])]
    return [(url, size if size.replace(".", "", 1).isdecimal() else "1") for url, size in sizes]


def _alternative(written: str) -> str:
    """Return an alternative text; some programs write the address of the picture for it."""
    text = clean(written)
    return "" if _ADDRESS.fullmatch(text) else text


def _size(attributes: dict[str, str]) -> tuple[int, int] | None:
    """Return the intrinsic size of a picture as displayed, else as declared."""
    for names in ((SHOWN_WIDTH, SHOWN_HEIGHT), ("width", "height")):
        width, height = (_number(attributes.get(name, "")) for name in names)
        if width and height:
            return int(width), int(height)
    return None


def _number(written: str) -> float:
    """Parse a length in pixels; 0 if it is invalid."""
    if not written:
        return 0.0
    digits = written.strip().lower().removesuffix("px")
    return float(digits[:6]) if digits.replace(".", "", 1).isdecimal() and digits.isascii() else 0.0


def _host_and_path(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address.strip())
    except ValueError:  # an address that is none
        return "", address
    return parts.netloc, parts.path


def _longer(width: float, height: float) -> float:
    """Return the longer known side, infinite if both are unknown."""
    known = [side for side in (width, height) if not math.isinf(side)]
    return max(known, default=math.inf)


def _file(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[2]
