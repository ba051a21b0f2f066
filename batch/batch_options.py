"""How a batch is run: what is made of each page, what is kept, and how hosts are spared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from ..classify.system import System
from ..render.render_options import RenderOptions
from .output.shards import FORMS, Form

Keep = Literal["pages", "warc"]

#: What of rendering is no part of a run's settings: secrets, which are written nowhere, and the time for a page.
_NOT_WRITTEN = ("credentials", "headers", "proxy", "proxy_resolves", "storage_state", "timeout")


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """How hosts are spared. A host is a scheme, a name and a port.

    Attributes
    ----------
    per_host : int
        Pages of one host at once.
    delay : float
        Seconds from the end of one page of a host to the beginning of the next.
    robots : bool
        Obey ``robots.txt`` (RFC 9309), its ``Crawl-delay`` as well.
    agent : str
        The name by which ``robots.txt`` is read; rules for every robot count where there are none for it.
    tries : int
        How often a page is asked for where the server says that it is busy (429, 503).
    longest_wait : float
        Most seconds that a host is waited for, whatever it asks for.
    """

    per_host: int = 2
    delay: float = 0.5
    robots: bool = True
    agent: str = "blocksight"
    tries: int = 3
    longest_wait: float = 300.0

    def __post_init__(self) -> None:
        if min(self.per_host, self.tries) < 1:
            raise ValueError("per_host and tries must be 1 or more")
        if not (self.delay >= 0 and self.longest_wait >= 0):
            raise ValueError("delay and longest_wait must not be negative")
        if not self.agent.strip():
            raise ValueError("agent must be a name, such as blocksight")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """Settings of one run.

    Attributes
    ----------
    render : RenderOptions
        How pages are rendered.
    browser : bool
        False reads raw HTML and saved pages without a browser; addresses then fail.
    executable : str, optional
        The browser's program.
    system : System, str or callable
        As for :func:`~blocksight.classify.extract.extract`. Other processes use it, so it must be picklable.
    hidden : str
        What to do with text that a person does not see: "drop" or "keep".
    images : str
        What to do with pictures in Markdown: "keep" or "none".
    workers : int
        Pages at once, each with a process of its own for judging it.
    form : str
        "parquet", "jsonl" or "jsonl.zst".
    part_rows : int
        Rows of one file.
    keep : tuple of str
        "pages" keeps each rendered page (a saved page), "warc" what the browser loaded, with what came of it.
    markdown : bool
        Also write the Markdown of each page into a file of its own.
    column : str, optional
        Of lists with columns: the one that names sources.
    retry_failed : bool
        Do inputs again that have failed in an earlier run.
    since : float, optional
        Do inputs again that were last done before this time, in seconds since 1970.
    polite : RateLimits
    """

    render: RenderOptions = field(default_factory=RenderOptions)
    browser: bool = True
    executable: str | None = None
    system: System | str | Callable[[str], str | None] = "blocksight"
    hidden: Literal["drop", "keep"] = "drop"
    images: Literal["keep", "none"] = "keep"
    workers: int = 2
    form: Form = "parquet"
    part_rows: int = 1000
    keep: tuple[Keep, ...] = ()
    markdown: bool = False
    column: str | None = None
    retry_failed: bool = False
    since: float | None = None
    polite: RateLimits = field(default_factory=RateLimits)

    def __post_init__(self) -> None:
        if min(self.workers, self.part_rows) < 1:
            raise ValueError("workers and part_rows must be 1 or more")
        if self.form not in FORMS:
            raise ValueError(f"form must be one of {', '.join(FORMS)}, not {self.form!r}")
        if unknown := set(self.keep) - set(get_args(Keep)):
            raise ValueError(f"keep knows {', '.join(get_args(Keep))}, not {', '.join(sorted(unknown))}")
        if self.keep and not self.browser:
            raise ValueError("keep needs the browser: without it nothing is rendered")
        if self.hidden not in ("drop", "keep") or self.images not in ("keep", "none"):
            raise ValueError("hidden must be drop or keep, images keep or none")

    def settings(self) -> dict[str, Any]:
        """Return what the rows depend on, as JSON knows it; a folder goes on with the same only."""
        rendered = {name: value for name, value in asdict(self.render).items() if name not in _NOT_WRITTEN}
        read = {"browser": self.browser, "system": self.system_name, "hidden": self.hidden, "images": self.images}
        written = {"form": self.form, "keep": sorted(self.keep), "markdown": self.markdown}
        flat = {f"render.{name}": value for name, value in rendered.items()}
        settings: dict[str, Any] = json.loads(json.dumps(flat | read | written))
        return settings

    @property
    def digest(self) -> str:
        """16 hexadecimal digits of how pages are rendered and read; the time for a page is part of it."""
        told = self.settings() | {"timeout": self.render.timeout}
        told |= {"headers": sorted(name for name, _ in self.render.headers)}
        for name in ("form", "keep", "markdown"):
            del told[name]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def system_name(self) -> str:
        """Name of the system, with the digest of a model that was brought along."""
        if isinstance(self.system, str):
            return self.system
        card = getattr(self.system, "card", None)
        name = card.name if card is not None else getattr(self.system, "__qualname__", type(self.system).__name__)
        model = getattr(self.system, "model", None)
        return f"{name} {model.name}" if model is not None else str(name)
