"""Settings of a batch: rendering, extraction, output and rate limits."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from ..classify.system import System
from ..classify.systems import as_system
from ..page.metadata.usage import USES
from ..render.render_options import RenderOptions
from .output.output import FORMATS

_IMAGES = ("keep", "none")

#: Fields of RenderOptions that are not part of a run's settings: secrets, which are never written, and the timeout.
_NOT_WRITTEN = frozenset(
    "conditions credentials fetch_only follow headers proxy proxy_resolves storage_state timeout".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """Rate limits of each host. A host is a scheme, a name and a port.

    Attributes
    ----------
    per_host : int
        Concurrent pages of one host; one if its ``robots.txt`` states a ``Crawl-delay``.
    delay : float
        Seconds from the start of one page of a host to the start of the next.
    robots : bool
        Obey ``robots.txt`` (RFC 9309), including its ``Crawl-delay``.
    user_agent : str
        The product token for which ``robots.txt`` is read, else its rules for ``*`` apply.
    max_attempts : int
        Requests for a page whose failure may pass: its host is busy (429, 503), has a fault (500, 502, 504), cannot be
        reached, or is late.
    max_backoff : float
        Longest pause in seconds, whatever the host requests.
    retry_wait : float
        Seconds before the second request for a page that could not be reached; 2.5 times as long after a fault of the
        server, five times after a timeout. Each further wait is four times as long.
    """

    per_host: int = 2
    delay: float = 0.5
    robots: bool = True
    user_agent: str = "blocksight"
    max_attempts: int = 3
    max_backoff: float = 300.0
    retry_wait: float = 2.0

    def __post_init__(self) -> None:
        if min(self.per_host, self.max_attempts) < 1:
            raise ValueError("per_host and max_attempts must be 1 or more")
        if not (self.delay >= 0 and self.max_backoff >= 0 and self.retry_wait >= 0):
            raise ValueError("delay, max_backoff and retry_wait must not be negative")
        if not self.user_agent.strip():
            raise ValueError("user_agent must be a name, such as blocksight")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """Settings of one run.

    Attributes
    ----------
    render : RenderOptions
        How pages are rendered.
    browser : bool or "auto"
        False reads raw HTML and saved pages without a browser; addresses then fail. "auto" reads the raw HTML of each
        page first, and renders those for which the verdict or the confidence asks for it.
    executable : str, optional
        The browser's program.
    system : System, str or callable
        As for :func:`~blocksight.document.extract.extract`. It must be picklable, for worker processes.
    systems : tuple of System or str
        More systems, each with a column for its text; its page is the same.
    hidden : str
        Invisible text: "drop" or "keep".
    images : str
        Images in Markdown: "keep" or "none".
    workers : int
        Concurrent pages, each with a worker process.
    format : str
        "parquet" or "jsonl".
    shard_rows : int
        Rows of one output file.
    save_pages : bool
        Save each rendered page as a file, too.
    column : str, optional
        The column of lists that names the sources.
    addresses_only : bool
        Accept http(s) addresses only, for lists by others: files, folders and other schemes are rows with a reason.
    shard : tuple of int
        Process part ``i`` of ``n`` of the inputs, (i, n) with i from 1: the same in each run; each host is in one part.
    retry : tuple of str
        Repeat inputs that failed in an earlier run with one of these kinds of failure; "failed" repeats all that
        failed.
    since : float or path, optional
        Repeat inputs that were last done before this time, in seconds since 1970; or the folder of an earlier run. A
        page whose raw answer has not changed since its earlier row is not rendered: the row is carried over.
    archives : str
        Folder or bucket to which the names of archives in an index are relative; by default the folder of the index.
    respect_usage : tuple of str
        Leave out pages that reserve one of these uses: search, ai-input, ai-train, ai-image, tdm. Each site's
        tdmrep.json is read, too.
    limits : RateLimits
    """

    render: RenderOptions = field(default_factory=RenderOptions)
    browser: bool | Literal["auto"] = True
    executable: str | None = None
    system: System | str | Callable[[str], str | None] = "blocksight"
    systems: tuple[System | str, ...] = ()
    hidden: Literal["drop", "keep"] = "drop"
    images: Literal["keep", "none"] = "keep"
    workers: int = 2
    format: str = FORMATS[0]
    shard_rows: int = 1000
    save_pages: bool = False
    column: str | None = None
    addresses_only: bool = False
    shard: tuple[int, int] = (1, 1)
    retry: tuple[str, ...] = ()
    since: float | str | os.PathLike[str] | None = None
    archives: str = ""
    respect_usage: tuple[str, ...] = ()
    limits: RateLimits = field(default_factory=RateLimits)

    def __post_init__(self) -> None:
        if min(self.workers, self.shard_rows) < 1:
            raise ValueError("workers and shard_rows must be 1 or more")
        if not 1 <= self.shard[0] <= self.shard[1]:
            raise ValueError(f"shard must be (i, n) with i from 1 to n, not {self.shard}")
        if self.save_pages and self.browser is not True:
            raise ValueError("save_pages needs every page rendered: leave browser at its default")
        if unknown := [use for use in self.respect_usage if use not in USES]:
            raise ValueError(f"respect_usage takes {', '.join(USES)}, not {unknown[0]!r}")
        if self.respect_usage and not self.limits.robots:
            raise ValueError("respect_usage needs robots.txt, which limits.robots switches off")
        self.other_systems()
        choices = {"format": FORMATS, "browser": (True, False, "auto"), "hidden": ("drop", "keep"), "images": _IMAGES}
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {allowed}, not {getattr(self, name)!r}")

    def other_systems(self) -> dict[str, System]:
        """Return the systems besides that of ``text``, by the columns of their texts; ValueError for unknown ones."""
        own = as_system(self.system).card.name
        systems = map(as_system, self.systems)
        return {"text_" + re.sub(r"\W", "_", one.card.name): one for one in systems if one.card.name != own}

    def settings(self) -> dict[str, Any]:
        """Return the settings that the rows depend on, for JSON; a folder continues with the same ones only."""
        render = {f"render.{name}": value for name, value in asdict(self.render).items() if name not in _NOT_WRITTEN}
        same = ("browser", "hidden", "images", "format", "addresses_only")
        other = {"system": self.system_name, "save_pages": self.save_pages, "respect_usage": [*self.respect_usage]}
        other["systems"] = [*self.other_systems()]
        return render | {name: getattr(self, name) for name in same} | other

    @property
    def digest(self) -> str:
        """16 hexadecimal digits over the settings of rendering and extraction, including the timeout."""
        values = self.settings() | {"timeout": self.render.timeout}
        values |= {"headers": sorted(name for name, _ in self.render.headers)}
        for name in ("format", "save_pages", "addresses_only"):
            values.pop(name, None)
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def system_name(self) -> str:
        """Name of the system, with the digest of its model if that is not the shipped one."""
        if isinstance(self.system, str):
            return self.system
        card = getattr(self.system, "card", None)
        name = card.name if card is not None else getattr(self.system, "__qualname__", type(self.system).__name__)
        model = getattr(self.system, "model", None)
        return f"{name} {model.name}" if model is not None else str(name)
