"""Embedded media (video, audio, frames of other sites) as links with their titles; check boxes of task lists."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from ....lexicon.instructions import without_instruction
from ....page.clean_text import clean
from ....page.page import Page
from ....page.surroundings import Surroundings
from .inline import Inset, Step

#: Sites whose frames show something to see, hear or read.
_PROVIDERS = re.compile(
    r"(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|ted\.com|bilibili\.com"
    r"|(?:platform\.)?twitter\.com|x\.com|instagram\.com|facebook\.com|tiktok\.com|reddit(?:media)?\.com|soundcloud\.com"
    r"|spotify\.com|bandcamp\.com|mixcloud\.com|codepen\.io|codesandbox\.io|jsfiddle\.net|stackblitz\.com|slideshare\.net"
    r"|speakerdeck\.com|archive\.org|datawrapper\.de|dwcdn\.net|flourish\.studio|documentcloud\.org|scribd\.com"
    r"|streamable\.com|wistia\.(?:com|net)|brightcove\.net|jwplayer\.com|jwplatform\.com|kaltura\.com|player\.bbc\.com"
    r"|giphy\.com|rutube\.ru|vk\.com|youku\.com|qq\.com|openstreetmap\.org|peertube\.\w+)$"
)
#: Buttons and boxes of such sites, which are no content.
_BUTTONS = re.compile(
    r"facebook\.com/(?:plugins/(?:like|share|page)|tr)|twitter\.com/widgets/(?:tweet|follow)_button"
    r"|vk\.com/widget_(?!video)\w+\.php",
    re.IGNORECASE,
)
_TITLES = ("title", "aria-label", "data-title")
_SOURCES = ("src", "data-src", "data-lazy-src", "data-litespeed-src", "data-url")
#: Sides of a frame that shows nothing, CSS pixels.
_SMALLEST = 10
_VIDEO_ID = re.compile(r"^/(?:embed|v|shorts|live)/([\w-]{6,})")


def find_embeds(page: Page, around: Surroundings) -> dict[int, Inset]:
    """Find the embedded media within the content, as links."""
    rows = page.has_tag("iframe", "video", "audio", "lite-youtube", "amp-youtube", "embed", "object").nonzero()[0]
    if not len(rows):
        return {}
    embeds: dict[int, Inset] = {}
    end = -1
    for row in rows.tolist():
        if row < end or around.marks[slice(*page.leaf_range[row])].any() or not around.holds(row):
            continue
        address = _address(around, row)
        if address:
            embeds[row] = _link(page, row, address)
            end = int(page.end[row])
    return embeds


def _link(page: Page, row: int, address: str) -> Inset:
    attributes = page.attributes_of(row)
    titles = (without_instruction(clean(attributes.get(name, ""))) for name in _TITLES)
    title = next(filter(None, titles), address)
    step = Step("a", (("class", "embed"), ("href", address)), row)
    return Inset(path=(step,), text=title, alone=True)


def _address(around: Surroundings, row: int) -> str:
    """Return the URL of a medium for readers, "" if it is invisible or no content."""
    page = around.page
    attributes, tag = page.attributes_of(row), page.tag_of(row)
    if tag in {"lite-youtube", "amp-youtube"}:
        name = attributes.get("videoid") or attributes.get("data-videoid", "")
        return f"https://www.youtube.com/watch?v={name}" if re.fullmatch(r"[\w-]{6,20}", name) else ""
    named = [attributes[name] for name in (*_SOURCES, "data") if attributes.get(name, "").strip()]
    if tag in {"video", "audio"}:
        sources = page.has_tag("source")[row : page.end[row]].nonzero()[0] + row
        named += [page.attributes_of(inner).get("src", "") for inner in sources.tolist()]
    embeds = next((one for one in (around.addresses.absolute(row, name) for name in named if name.strip()) if one), "")
    if not embeds or (tag not in {"video", "audio"} and not _is_shown(page, row, embeds, attributes)):
        return ""
    return _canonical(embeds)


def _is_shown(page: Page, row: int, address: str, attributes: dict[str, str]) -> bool:
    parts = urlsplit(address)
    if _BUTTONS.search(parts.netloc + parts.path):
        return False
    if page.geometry is not None:
        width, height = page.geometry.box[row, 2:].tolist()
        if not min(width, height) >= _SMALLEST:
            return False
    elif any(attributes.get(side, "").strip() in {"0", "1"} for side in ("width", "height")):
        return False
    return bool(_PROVIDERS.search(parts.hostname or ""))


def _canonical(address: str) -> str:
    """Return the URL of the page of a video, if it follows from that of its player."""
    parts = urlsplit(address)
    host, video = parts.hostname or "", _VIDEO_ID.match(parts.path)
    if host.endswith(("youtube.com", "youtube-nocookie.com")) and video and video[1] != "videoseries":
        return f"https://www.youtube.com/watch?v={video[1]}"
    if host == "player.vimeo.com" and parts.path.startswith("/video/"):
        return f"https://vimeo.com/{parts.path[7:].strip('/')}"
    return address


def find_boxes(page: Page, around: Surroundings) -> dict[int, Inset]:
    """Find the check boxes at the start of items."""
    rows = page.has_tag("input").nonzero()[0]
    item = page.nearest(page.has_tag("li")) if len(rows) else rows
    embeds = {}
    for row in rows.tolist():
        attributes = page.attributes_of(row)
        if attributes.get("type", "").lower() != "checkbox" or item[row] < 0:
            continue
        first, last = page.leaf_range[item[row]]
        heads = page.leaf_range[row][0] == first
        if heads and around.marks[first:last].any():
            checked = (("checked", "checked"),) if "checked" in attributes else ()
            step = Step("input", (("type", "checkbox"), ("disabled", "disabled"), *checked), row)
            embeds[row] = Inset(path=(step,))
    return embeds
