"""A system's output in the forms that are measured: marks, plain text and metadata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ..classify.system import System, SystemMetadata, marks_of
from ..document.content.content import content_of
from ..document.content.plain_text import plain_text
from ..document.system_outputs import metadata_of
from ..page.arrays import Marks
from ..page.page import Page

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemOutput:
    """A system's output on a page."""

    page: Page
    marks: Marks  # bool (leaves,)
    #: As :attr:`~blocksight.document.document.Document.text` without list markers, which no gold has; the same
    #: serialisation for all systems.
    text: str
    metadata: SystemMetadata | None = None  # Title, authors and date; None if not computed or not supported


def system_output(page: Page, marks: Marks) -> SystemOutput:
    """Serialise the marked text of a page; ValueError if the marks have not one entry for each text leaf."""
    if marks.shape != page.leaves.shape:
        raise ValueError(f"{marks.shape[0]} marks, but the page has {len(page.leaves)} text leaves")
    return SystemOutput(page=page, marks=marks, text=plain_text(content_of(page, marks).root, marks=False))


def with_metadata(system: System, output: SystemOutput) -> tuple[SystemOutput, str]:
    """Return an output with the system's metadata, and the reason of a failure or ""; what fails is empty."""
    none: SystemMetadata | None = SystemMetadata()
    metadata, error = _attempt(lambda: metadata_of(system, output.page), none)
    return replace(output, metadata=metadata), error


def _attempt(run: Callable[[], T], fallback: T) -> tuple[T, str]:
    """Run a system; return its result and "", or the fallback and the reason of its failure."""
    try:
        return run(), ""
    except Exception as error:  # a failure of one system is its own result and must not stop the others
        return fallback, f"{type(error).__name__}: {error}"


def try_marks(system: System, page: Page) -> tuple[Marks, str]:
    """Return a system's marks of a page and ""; no marks and the reason if it fails."""
    return _attempt(lambda: marks_of(system, page), np.zeros(len(page.leaves), dtype=bool))
