"""What became of an input: its row, and the error that it stands for."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import BlocksightError, PageFailed
from ..processes.pool import TRIES
from ..processes.time_limited import Died
from ..render.sources.sources import is_address
from ..version import VERSION
from .extract_row import NoText
from .row_schema import DIED, EMPTY, FAULT, Row, error_kind, whole_row
from .sources.inputs import Input


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an input.

    Attributes
    ----------
    row : dict
        With every column but ``tries``.
    error : Exception or None
        Why there is no text.
    """

    row: Row
    error: Exception | None = None


def outcome(found: Input, known: Mapping[str, Any], digest: str, *, error: Exception | None = None) -> Outcome:
    """Make the row of an input.

    Parameters
    ----------
    found : Input
    known : dict
        Columns that are known, those of the error among them.
    digest : str
        Of the options.
    error : Exception, optional
    """
    own: dict[str, Any] = {"id": found.id, "source": found.source, "url": found.url or None}
    if is_address(found.source):
        own["url"] = found.source
    told = {"finished": time.time(), "blocksight": VERSION, "options": digest}
    return Outcome(row=whole_row(own | told | dict(known)), error=error)


def refused(found: Input, kind: str, why: str, digest: str) -> Outcome:
    """Return what becomes of an input for a reason that no error of a page stands for."""
    return outcome(found, {"error_kind": kind, "error": why}, digest, error=PageFailed(found.source, why))


def failed(found: Input, known: Mapping[str, Any], digest: str, error: Exception) -> Outcome:
    """Return what becomes of an input by an error."""
    return outcome(found, dict(known) | _failure(found, error), digest, error=error)


def _failure(found: Input, error: Exception) -> dict[str, Any]:
    """Return the columns that say what went wrong."""
    status = getattr(error, "status", 0) or None
    why = error.why if isinstance(error, PageFailed) else str(error)
    if isinstance(error, NoText):
        kind = EMPTY
    elif isinstance(error, Died):
        kind, why = DIED, f"the process that read it died {TRIES} times, perhaps of its size"
    else:
        kind = error_kind(error)
    if kind == FAULT and not isinstance(error, BlocksightError):
        why = f"{type(error).__name__}: {error}"
    told = {"error_kind": kind, "error": why.removeprefix(f"{found.source}: ")}
    return told | ({"status": status} if status else {})
