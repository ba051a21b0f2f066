"""Columns of a page, computed in a worker process that can be killed."""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ..classify.systems import as_system
from ..document.alternate import with_markdown
from ..document.extract import extract
from ..document.route import render_reason
from ..errors import PageEmpty, PageFailed, UseReserved
from ..files.atomic import write_bytes
from ..lexicon.words import words
from ..page.metadata.metadata import metadata
from ..page.metadata.usage import USES, Usage, attribute_of
from ..page.page import Page
from ..page.parse import parse
from ..page.store import dumps
from ..page.visibility import invisible_leaves
from ..render.sources.sources import RawPage, as_page
from .minhash import minhash
from .output.output import disk_errors

if TYPE_CHECKING:
    from ..classify.model.model import Model
    from ..classify.system import System

#: A valid status: a saved page can hold any text.
_STATUS = re.compile(r"[1-9][0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractSettings:
    """Arguments of :func:`~blocksight.document.extract.extract` for every page."""

    system: System
    hidden: Literal["drop", "keep"]
    images: Literal["keep", "none"]
    respect_usage: tuple[str, ...] = ()  # Uses for which pages that reserve them are left out
    others: dict[str, System] = field(default_factory=dict)  # More systems, by the columns of their texts
    may_ask: bool = False  # Whether a page of raw HTML may ask for the browser


def warm_up(settings: ExtractSettings) -> None:
    """Import the libraries of extraction, and load the models."""
    html = "<title>Tea</title><p>Boil fresh water, warm the pot, and let the leaves draw for three minutes."
    extract_row(parse(html), settings)


def extract_row(source: Page | RawPage, settings: ExtractSettings, path: Path | None = None) -> dict[str, Any] | None:
    """Return the columns of a page, None if it should be rendered; it is first saved to a path, if one is given.

    Raises PageFailed or PageUnreadable if there is no page, PageEmpty if it has no text, UseReserved if it must not be
    used, RunStopped if it cannot be saved.
    """
    start, cpu_start = time.perf_counter(), time.process_time()
    page = as_page(source)
    check_use(page, settings.respect_usage)
    if path is not None:
        with disk_errors(path):
            write_bytes(path, dumps(page))
    may_ask = settings.may_ask and page.geometry is None
    if not len(page.leaves) and not may_ask:
        raise PageEmpty(page.url, "there is no text on this page")
    if page.geometry is not None and settings.hidden == "drop" and invisible_leaves(page).all():
        raise PageEmpty(page.url, "no text on this page is visible")
    document = extract(page, system=settings.system, hidden=settings.hidden, images=settings.images)
    if may_ask and render_reason(page, document):
        return None
    document, alternate = with_markdown(page, document)
    usage = document.metadata.usage
    columns = page_columns(page) | {
        "title": document.title,
        "language": document.language,
        "text": document.text,
        "markdown": document.markdown,
        "alternate": alternate or None,
        "content_hash": content_hash(document.text),
        "minhash": minhash(document.text),
        "metadata": orjson.dumps(document.metadata.to_dict()).decode(),
        **{f"allows_{use}": getattr(usage, use) for use in map(attribute_of, USES)},
        "confidence": document.confidence,
        "verdict": document.verdict,
        "rendered": page.geometry is not None,
        "system": document.system,
        "model": _model_of(as_system(settings.system), page),
    }
    if settings.others:
        texts: dict[str, str | None] = dict.fromkeys(settings.others)
        for column, system in settings.others.items():
            with suppress(PageFailed):  # the page has a row without it
                texts[column] = extract(page, system=system, hidden=settings.hidden).text
        columns |= texts | {"agreement": word_agreement([document.text, *texts.values()])}
    times = {"seconds_analyse": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu_start}
    return columns | {name: round(seconds, 4) for name, seconds in times.items()}


def check_use(page: Page, uses: tuple[str, ...]) -> None:
    """Raise UseReserved if a page reserves one of some uses."""
    usage = metadata(page).usage if uses else Usage()
    for use in uses:
        if statement := usage.reserved(use):
            raise UseReserved(page.url, f"it reserves {use} ({statement})")


def page_columns(page: Page) -> dict[str, Any]:
    """Return the columns that need no extraction."""
    status = page.environment.get("status", "")
    return {
        "url": page.environment.get("requested", page.url),
        "final_address": page.environment.get("address") or None,
        "status": int(status) if _STATUS.fullmatch(status) else None,
        "etag": page.environment.get("etag"),
        "last_modified": page.environment.get("last_modified"),
        "answer_hash": page.environment.get("answer"),
        "partial": page.partial,
        "nodes": len(page),
    }


def word_agreement(texts: Sequence[str | None]) -> float | None:
    """Return the mean F1 of the words of each pair of texts, as multisets; None unless there are two.

    >>> word_agreement(["green tea", "Tea", None])
    0.6666666666666666
    """
    bags = [Counter(words(text)) for text in texts if text is not None]
    pairs = [(2 * (one & other).total(), one.total() + other.total()) for one, other in combinations(bags, 2)]
    return fmean(equal / total if total else 1.0 for equal, total in pairs) if pairs else None


def content_hash(text: str) -> str | None:
    """Return the digest of the words of a text, None if there are none.

    >>> content_hash("Green  tea ") == content_hash("green tea"), content_hash(" ")
    (True, None)
    """
    words = " ".join(text.lower().split())
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:32] if words else None


def _model_of(system: System, page: Page) -> str | None:
    model_for = getattr(system, "model_for", None)
    return None if model_for is None else _name_and_digest(model_for(page))


@lru_cache(4)
def _name_and_digest(model: Model) -> str:
    digest = hashlib.sha256(repr(sorted(model.about.items())).encode())
    for svm in filter(None, (model.first, model.second)):
        for column in (svm.mean, svm.deviation, svm.weight):
            digest.update(column.tobytes())
    return f"{model.name} {digest.hexdigest()[:16]}".strip()
