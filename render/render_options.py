"""Options of rendering: one value, with the same names in Python and on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, available_timezones

#: Area of a screenshot.
Screenshot = Literal["", "viewport", "full"]
#: Which texts are checked by pictures of the window.
Look = Literal["never", "doubt", "always"]
#: Types of resources that can be blocked, those that are visible, and the outputs that need the visible ones.
BLOCKABLE = ("font", "image", "media", "ping")
_VISIBLE, _WITH_IMAGES = frozenset({"image", "media"}), ("screenshot", "mhtml")
#: Without quotes, parentheses and semicolons, which end it in a user agent.
_CONTACT = re.compile(r"(?:https?://|mailto:)[\x21\x23-\x27\x2a-\x3a\x3c-\x7e]{1,500}")
#: Beginning of the reason of a page that is partial since nothing matched ``wait_for``.
UNMATCHED = "nothing matched"
#: The browser knows no language codes of more letters.
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, kw_only=True)
class RenderOptions:
    """Settings of one rendering: limits of time and size, access to the network, and what the page sees.

    Attributes
    ----------
    timeout : float
        Seconds for one page in total, without starting its processes. While other programs use all processors, they
        are extended to at most twice as many. A page that is not finished by then is captured and marked ``partial``;
        ``environment["partial"]`` says why. An address that has not responded by then is a :class:`PageFailed`.
    settle : float
        Seconds of the page's virtual time after the document was loaded, for scripts, frames, workers and animations;
        pending requests stop that clock. Visibility is judged after them.
    settle_cap : float
        Seconds of real time after which a page that never settles is captured, without those in which requests are
        open (at most ten), extended as ``timeout`` is.
    scroll : int
        Maximum number of times that the page is scrolled down, so that it loads lazy content; 0 for never.
    max_bytes : int
        Maximum size of a document in bytes; all resources of a page may have twenty times as many.
    max_nodes : int
        Maximum number of nodes (elements, texts, comments; in frames and script objects as well) of the final page.
    max_requests : int
        Maximum number of requests of one page; further requests are refused, and the page is marked ``partial``.
    offline : bool
        Load only the given bytes and, for an address, resources of its own origin; all other requests get no response.
    allow_private : bool
        Let the page connect to all addresses, not only public ones: needed for servers on this machine and in one's
        own network, and unsafe with untrusted pages.
    headers : dict, or tuple of (str, str)
        Sent with the page's requests to its own origin (scheme, host and port of its address).
    credentials : tuple of (str, str), optional
        Name and password for HTTP authentication by the page's own origin.
    storage_state : str, optional
        A file of cookies and local storage in the format of Playwright: a session that is logged in.
    proxy : str
        An upstream proxy, ``http://[NAME:PASSWORD@]HOST:PORT``; "" for none. Names are resolved here, and the proxy is
        asked to connect (also for plain http) to the addresses that were checked to be public.
    any_certificate : bool
        Accept certificates that are self-signed, expired or of another host: whoever is between can then read along.
    proxy_resolves : bool
        Have that proxy resolve names: needed if this machine cannot, or if the proxy connects to no port 80. The
        addresses in its network are then not checked, so that pages may reach private addresses there.
    viewport : tuple of int
        Width and height of the viewport in CSS pixels.
    device_scale : float
        Device pixels per CSS pixel: pages select images by it, and it scales screenshots.
    javascript : bool
        Whether the page's scripts run.
    block : tuple of str
        Types of resources not to load: "font" (web fonts), "media" (video and audio), "image" (images whose markup
        declares width and height; gray ones of that size replace them). Without "font", the layout is the same. "image"
        and "media" exclude screenshots and archives. Beacons and pings of links ("ping") are never sent.
    look : str
        Which texts are checked by pictures of the window, with and without them: "doubt" for those whose visibility the
        layout does not decide, "never" for none (each is decided by what the layout makes probable), "always" for all
        that count as visible. ``environment["pictures"]`` says how many were taken, and in how many seconds.
    screenshot : str
        Take a PNG: "full" for the whole document, "viewport" for the visible part; "" for none.
    mhtml : bool
        Save an MHTML archive of the page, which browsers open.
    any_status : bool
        Capture the body of an HTTP error (404 and the like) as a page instead of failing.
    reveal : bool
        Open what one click shows without leaving the page: closed details, accordions, tabs, "show more". Its blocks
        and records say so (``revealed``).
    wait_for : str
        A CSS selector that must match an element before the page counts as loaded; "" for none.
    locale, timezone : str
        Locale and time zone that the page sees.
    user_agent : str
        Overrides the user agent; "" for that of the browser in a window.
    identify : bool
        Tell sites that this is a robot: its name and version are in user agent and client hints, and
        ``navigator.webdriver`` is true. By default pages get what the same browser shows to a person.
    contact : str
        An address of a page about your robot, or ``mailto:`` one, that is sent with its name.
    fetch_only : bool
        Fetch the HTML of an address through the same browser, with its session and limits, and parse it: no scripts,
        resources, layout or pictures. Other documents than HTML are rendered.
    alternate : bool
        With ``fetch_only``, ask for Markdown first, and fetch the Markdown that a page links to as its alternate, from
        its own origin.
    conditions : tuple of (str, str)
        With ``fetch_only``, headers of a conditional request (``If-None-Match``, ``If-Modified-Since``). An unchanged
        page fails with status 304.
    follow : callable, optional
        Called with the address of each redirect or navigation of the page itself (not of its frames) and of its
        alternate, in the browser's thread; returns why it must not be requested, "" if it may be. The page then fails
        as :class:`Refused`.
    deterministic : bool
        Give the page a clock that does not advance and fixed random numbers, so that rendering it again gives the same
        columns.
    """

    timeout: float = 30.0
    settle: float = 10.0
    settle_cap: float = 5.0
    scroll: int = 5
    max_bytes: int = 10_000_000
    max_nodes: int = 250_000
    max_requests: int = 2_000
    offline: bool = False
    allow_private: bool = False
    headers: tuple[tuple[str, str], ...] = ()
    credentials: tuple[str, str] | None = None
    storage_state: str | None = None
    any_certificate: bool = False
    proxy: str = ""
    proxy_resolves: bool = False
    viewport: tuple[int, int] = (1280, 800)
    device_scale: float = 1.0
    javascript: bool = True
    block: tuple[str, ...] = ()
    look: Look = "doubt"
    screenshot: Screenshot = ""
    mhtml: bool = False
    any_status: bool = False
    reveal: bool = False
    locale: str = "en-US"
    timezone: str = "UTC"
    wait_for: str = ""
    user_agent: str = ""
    identify: bool = False
    contact: str = ""
    fetch_only: bool = False
    alternate: bool = True
    conditions: tuple[tuple[str, str], ...] = ()
    follow: Callable[[str], str] | None = None
    deterministic: bool = False

    def __post_init__(self) -> None:
        _check_types(self)
        for name in ("timeout", "settle_cap", "max_bytes", "max_nodes", "max_requests", "device_scale"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)}")
        for name in ("settle", "scroll"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} must not be negative, not {getattr(self, name)}")
        if self.storage_state is not None:
            read_storage_state(self.storage_state)
        if self.screenshot not in get_args(Screenshot):
            raise ValueError(f'screenshot must be "", "viewport" or "full", not {self.screenshot!r}')
        if self.look not in get_args(Look):
            raise ValueError(f"look must be {', '.join(get_args(Look))}, not {self.look!r}")
        if unknown := set(self.block) - set(BLOCKABLE):
            raise ValueError(f"block accepts {', '.join(BLOCKABLE)}, not {', '.join(sorted(unknown))}")
        if _VISIBLE & set(self.block) and (outputs := [name for name in _WITH_IMAGES if getattr(self, name)]):
            raise ValueError(f"block excludes images, which {outputs[0]} would show: choose one of them")
        self._check_identity()
        if self.proxy:
            parse_proxy(self.proxy)
        elif self.proxy_resolves:
            raise ValueError("proxy_resolves needs a proxy that does")
        if min(self.viewport) < 1:
            raise ValueError(f"viewport must be at least 1 × 1, not {self.viewport}")

    def _check_identity(self) -> None:
        if not _LOCALE.fullmatch(self.locale):
            raise ValueError(f"locale must be a language code like en-US or de, not {self.locale!r}")
        if not _is_zone(self.timezone):
            raise ValueError(f"timezone must be a name like Europe/Berlin or UTC, not {self.timezone!r}")
        if self.identify and self.user_agent:
            raise ValueError("identify sends a user agent with the robot's name: give that or user_agent")
        if self.contact and not self.identify:
            raise ValueError("contact is sent with the robot's name only: it needs identify")
        if self.contact and not _CONTACT.fullmatch(self.contact):
            raise ValueError(f"contact must be an http, https or mailto address, not {self.contact!r}")


#: What to pass for a field, by the type of its default.
_EXPECTED: dict[type, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "True or False"),
    int: ((int,), "a whole number such as {default}"),
    float: ((int, float), "a number such as {default}"),
    str: ((str,), "a text"),
    tuple: ((tuple,), "a tuple"),
}


def _is_zone(name: str) -> bool:
    """Return whether a time zone exists; on a machine without a list of them, only the browser knows."""
    try:
        return bool(ZoneInfo(name))
    except (LookupError, ValueError, OSError):  # no such file, no name, a folder of names
        return not available_timezones()


def _check_types(options: RenderOptions) -> None:
    """Raise TypeError with what to pass for the first value of a wrong type; headers may be a dict."""
    if isinstance(options.headers, Mapping):
        object.__setattr__(options, "headers", tuple(options.headers.items()))
    size = options.viewport
    if not (isinstance(size, tuple) and len(size) == 2 and all(isinstance(side, int) for side in size)):
        raise TypeError(f"viewport must be (width, height) in pixels such as (1280, 800), not {size!r}")
    for field in fields(options):
        value = getattr(options, field.name)
        if type(field.default) not in _EXPECTED:
            continue
        types, expected = _EXPECTED[type(field.default)]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            wanted = expected.format(default=field.default)
            raise TypeError(f"{field.name} must be {wanted}, not {value!r}")


def read_storage_state(path: str) -> dict[str, Any]:
    """Read cookies and local storage from a file in the format of Playwright, else raise ValueError."""
    try:
        state = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"storage_state must be a file, and {path} cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise ValueError(f"storage_state: {path} is no JSON ({error})") from error
    if not isinstance(state, dict) or not all(isinstance(state.get(name, []), list) for name in ("cookies", "origins")):
        raise ValueError(f"storage_state: {path} does not look like Playwright's, with lists of cookies and origins")
    return state


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamProxy:
    """Address and credentials (name and password) of an upstream proxy."""

    host: str
    port: int
    credentials: tuple[str, str] | None


def parse_proxy(address: str) -> UpstreamProxy:
    """Parse the address of a proxy, else raise ValueError.

    >>> parse_proxy("http://me:secret@proxy.example:3128")
    UpstreamProxy(host='proxy.example', port=3128, credentials=('me', 'secret'))
    """
    expected = "proxy must look like http://HOST:PORT or http://NAME:PASSWORD@HOST:PORT"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{expected}: {error}") from error
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"{expected}, not {address!r}")
    credentials = None if parts.username is None else (unquote(parts.username), unquote(parts.password or ""))
    return UpstreamProxy(host=parts.hostname, port=port or 80, credentials=credentials)
