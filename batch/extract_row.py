"""A page to the columns that it fills; done by a process of its own, which is ended where it takes too long."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..classify.extract import extract
from ..classify.systems import as_system
from ..errors import PageFailed
from ..files.atomic import write_bytes
from ..page.page import Page
from ..page.store import dumps
from ..render.sources.raw import Raw
from .output.shards import disk_named

if TYPE_CHECKING:
    from ..classify.model.model import Model
    from ..classify.system import System


#: What is taken for one: a saved page could say anything.
_STATUS = re.compile(r"[1-9][0-9]{2}")


class NoText(PageFailed):
    """There is nothing to be read on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What is made of each page.

    Attributes
    ----------
    system : System
    hidden, images : str
        As for :func:`~blocksight.classify.extract.extract`.
    """

    system: System
    hidden: Literal["drop", "keep"]
    images: Literal["keep", "none"]


def warm(analysis: Analysis) -> None:
    """Import what judging needs, and read the models."""
    from ..page.parse import parse

    analyse(
        parse("<title>Tea</title><p>Boil fresh water, warm the pot, and let the leaves draw for three minutes."),
        analysis,
    )


def analyse(found: Page | Raw, analysis: Analysis, keep: Path | None = None) -> dict[str, Any]:
    """Return the columns of a page.

    Parameters
    ----------
    found : Page or Raw
    analysis : Analysis
    keep : Path, optional
        Where to write the page to; that is done first, whatever comes of the rest.

    Raises
    ------
    PageFailed, PageUnreadable
        When there is no page, or nothing on it (NoText).
    RunStopped
        When it cannot be kept.
    """
    began, cpu = time.perf_counter(), time.process_time()
    page = found.page() if isinstance(found, Raw) else found
    if keep is not None:
        with disk_named(keep):
            write_bytes(keep, dumps(page))
    if not len(page.leaves):
        raise NoText(page.url, "there is no text on this page")
    document = extract(page, system=analysis.system, hidden=analysis.hidden, images=analysis.images)
    columns = about(page) | {
        "title": document.title,
        "language": document.metadata.language or document.language,
        "text": document.text,
        "markdown": document.markdown,
        "metadata": _json(document.metadata.to_json()),
        "confidence": document.confidence,
        "system": document.system,
        "model": _model_of(as_system(analysis.system), page),
    }
    spent = {"seconds_analyse": time.perf_counter() - began, "cpu_seconds": time.process_time() - cpu}
    return columns | {name: round(seconds, 4) for name, seconds in spent.items()}


def about(page: Page) -> dict[str, Any]:
    """Return the columns that need no judging."""
    status = page.environment.get("status", "")
    return {
        "url": page.url,
        "final_address": page.environment.get("address") or None,
        "status": int(status) if _STATUS.fullmatch(status) else None,
        "partial": page.partial,
        "nodes": len(page),
    }


def _json(values: dict[str, Any]) -> str:
    import orjson

    return orjson.dumps(values).decode()


def _model_of(system: System, page: Page) -> str | None:
    model_for = getattr(system, "model_for", None)
    return None if model_for is None else _named(model_for(page))


@lru_cache(4)
def _named(model: Model) -> str:
    """Return name and digest of a model; models are compared by identity."""
    digest = hashlib.sha256(repr(sorted(model.about.items())).encode())
    for svm in (model.first, model.second):
        for part in ("mean", "deviation", "weight", "vectors", "dual"):
            column = getattr(svm, part, None)
            if column is not None:
                digest.update(column.tobytes())
    return f"{model.name} {digest.hexdigest()[:16]}".strip()
