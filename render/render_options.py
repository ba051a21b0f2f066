"""How a page is to be rendered: one value object, the same names in Python and on the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import unquote, urlsplit

#: What of a page is pictured.
Screenshot = Literal["", "viewport", "full"]
#: Options that show what a page has loaded.
_SHOWING = ("screenshot", "mhtml", "warc")
#: Types of resources that can be blocked, and those that `_SHOWING` would show.
BLOCKABLE, _SHOWN = ("font", "image", "media", "ping"), frozenset({"image", "media"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """Settings of one rendering.

    Attributes
    ----------
    timeout : float
        Seconds for one page, all in all. What is there by then comes out, marked ``partial``; an address that has
        not even answered by then is a :class:`PageFailed`.
    settle : float
        Seconds of the page's own (virtual) time that its scripts may run on after the document has arrived; requests
        under way stop that clock.
    settle_cap : float
        Seconds of real time after which a page that never settles is taken as it is.
    scroll : int
        How often, at most, the page is shown further down, so that it loads what it keeps back until then; 0 for never.
    viewport : tuple of int
        Width and height of the window in CSS pixels.
    device_scale : float
        Device pixels a CSS pixel: pages choose pictures by it, and screenshots have so many times the pixels.
    javascript : bool
        Whether the page's scripts run.
    offline : bool
        Load nothing but the given bytes and, for an address, what its own origin serves; everything else that a page
        asks for is answered with nothing.
    trust_file : bool
        Let a page from a file use the files beside it and the network, both; otherwise it has these files only (or,
        with an address to be taken for, the network only), as a stranger's page could send the files out.
    allow_private : bool
        Let the page reach every address, not only public ones: needed for servers on this machine and in one's own
        network, and unsafe with pages of strangers.
    block : tuple of str
        Types of resources not to load: "font" (web fonts), "media" (films and sounds), "ping" (beacons and pings of
        links), "image" (images whose markup declares width and height; gray ones of that size replace them). Without
        "font", the layout is the same. "image" and "media" exclude screenshots and archives.
    screenshot : str
        A PNG to take along: "full" for the whole document, "viewport" for what the window shows; "" for none.
    mhtml : bool
        Take an MHTML archive of the page along, which browsers open.
    warc : bool
        Take along what the browser loaded, as records of a WARC file.
    any_status : bool
        Take the body of an HTTP error (404 and the like) for a page instead of failing.
    max_bytes : int
        Largest document, in bytes; all that a page loads may have twenty times as many.
    max_nodes : int
        Most nodes (elements, texts, comments; frames and what scripts hold included) that a page may have at the end.
    max_requests : int
        Most requests of one page; what it asks for beyond is refused, and it comes out marked ``partial``.
    wait_for : str
        A CSS selector that must match something before the page counts as loaded; "" for none.
    locale, timezone : str
        What the page is told about the reader.
    user_agent : str
        Instead of the browser's own; "" for that.
    headers : tuple of (str, str)
        Sent with the page's requests to its own origin (scheme, host and port of its address).
    credentials : tuple of (str, str), optional
        Name and password, where the page's own origin asks for HTTP authentication.
    send_everywhere : bool
        Send headers, name and password to every origin: to wherever the page redirects, and to all that it uses.
    storage_state : str, optional
        A file of cookies and local storage, as Playwright writes them: a session that has logged in.
    proxy : str
        Another proxy to go out by, ``http://[NAME:PASSWORD@]HOST:PORT``; "" for none. Names are looked up here, and it
        is asked to connect (also for plain http) to the addresses that were found public.
    proxy_resolves : bool
        Have that proxy look names up: needed where this machine cannot, or where it connects to no port 80. What a name
        means in its network is then not checked, so pages may reach private addresses there.
    deterministic : bool
        Give the page a clock that stands still and random numbers that are always the same, so that rendering it
        again gives the same columns.
    """

    timeout: float = 30.0
    settle: float = 2.0
    settle_cap: float = 5.0
    scroll: int = 5
    viewport: tuple[int, int] = (1280, 800)
    device_scale: float = 1.0
    javascript: bool = True
    offline: bool = False
    trust_file: bool = False
    allow_private: bool = False
    block: tuple[str, ...] = ()
    screenshot: Screenshot = ""
    mhtml: bool = False
    warc: bool = False
    any_status: bool = False
    max_bytes: int = 10_000_000
    max_nodes: int = 250_000
    max_requests: int = 2_000
    locale: str = "en-US"
    timezone: str = "UTC"
    wait_for: str = ""
    user_agent: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    credentials: tuple[str, str] | None = None
    send_everywhere: bool = False
    storage_state: str | None = None
    proxy: str = ""
    proxy_resolves: bool = False
    deterministic: bool = False

    def __post_init__(self) -> None:
        for name in ("timeout", "settle_cap", "max_bytes", "max_nodes", "max_requests", "device_scale"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)}")
        if not self.settle >= 0:
            raise ValueError(f"settle must not be negative, not {self.settle}")
        if self.scroll < 0:
            raise ValueError(f"scroll must not be negative, not {self.scroll}")
        if self.storage_state is not None:
            read_storage_state(self.storage_state)
        if self.screenshot not in get_args(Screenshot):
            raise ValueError(f'screenshot must be "", "viewport" or "full", not {self.screenshot!r}')
        if unknown := set(self.block) - set(BLOCKABLE):
            raise ValueError(f"block accepts {', '.join(BLOCKABLE)}, not {', '.join(sorted(unknown))}")
        if _SHOWN & set(self.block) and (shown := [name for name in _SHOWING if getattr(self, name)]):
            raise ValueError(f"block excludes images, which {shown[0]} would show: choose one of them")
        if self.proxy:
            parse_proxy(self.proxy)
        elif self.proxy_resolves:
            raise ValueError("proxy_resolves needs a proxy that does")
        if min(self.viewport) < 1:
            raise ValueError(f"viewport must be at least 1 × 1, not {self.viewport}")


def read_storage_state(path: str) -> dict[str, Any]:
    """Read cookies and local storage from a file as Playwright writes it.

    Raises
    ------
    ValueError
        When it is none.
    """
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
    """Another proxy behind ours.

    Attributes
    ----------
    host : str
    port : int
    credentials : tuple of (str, str) or None
        Name and password.
    """

    host: str
    port: int
    credentials: tuple[str, str] | None


def parse_proxy(address: str) -> UpstreamProxy:
    """Read the address of a proxy.

    Raises
    ------
    ValueError
        When it is none that can be used.

    Examples
    --------
    >>> parse_proxy("http://me:secret@proxy.example:3128")
    UpstreamProxy(host='proxy.example', port=3128, credentials=('me', 'secret'))
    """
    wanted = "proxy must look like http://HOST:PORT or http://NAME:PASSWORD@HOST:PORT"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{wanted}: {error}") from error
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError(f"{wanted}, not {address!r}")
    credentials = None if parts.username is None else (unquote(parts.username), unquote(parts.password or ""))
    return UpstreamProxy(host=parts.hostname, port=port or 80, credentials=credentials)
