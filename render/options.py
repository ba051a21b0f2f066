"""How a page is to be rendered: one value object, the same names in Python and on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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
    allow_private : bool
        Let the page reach every address, not only public ones: needed for servers on this machine and in one's own
        network, and unsafe with pages of strangers.
    screenshot : bool
        Take a PNG of the whole document along.
    any_status : bool
        Take the body of an HTTP error (404 and the like) for a page instead of failing.
    max_bytes : int
        Largest document, in bytes.
    wait_for : str
        A CSS selector that must match something before the page counts as loaded; "" for none.
    locale, timezone : str
        What the page is told about the reader.
    user_agent : str
        Instead of the browser's own; "" for that.
    headers : tuple of (str, str)
        Sent with every request of the page.
    credentials : tuple of (str, str), optional
        Name and password for sites that ask for HTTP authentication.
    storage_state : str, optional
        A file of cookies and local storage, as Playwright writes them: a session that has logged in.
    """

    timeout: float = 30.0
    settle: float = 2.0
    settle_cap: float = 5.0
    scroll: int = 5
    viewport: tuple[int, int] = (1280, 800)
    device_scale: float = 1.0
    javascript: bool = True
    offline: bool = False
    allow_private: bool = False
    screenshot: bool = False
    any_status: bool = False
    max_bytes: int = 10_000_000
    locale: str = "en-US"
    timezone: str = "UTC"
    wait_for: str = ""
    user_agent: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    credentials: tuple[str, str] | None = None
    storage_state: str | None = None

    def __post_init__(self) -> None:
        for name in ("timeout", "settle_cap", "max_bytes", "device_scale"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)}")
        if not self.settle >= 0:
            raise ValueError(f"settle must not be negative, not {self.settle}")
        if self.scroll < 0:
            raise ValueError(f"scroll must not be negative, not {self.scroll}")
        if self.storage_state is not None and not Path(self.storage_state).is_file():
            raise ValueError(f"storage_state must be a file, and {self.storage_state} is none")
        if min(self.viewport) < 1:
            raise ValueError(f"viewport must be at least 1 × 1, not {self.viewport}")
