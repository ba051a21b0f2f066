"""A system's output in the forms that are measured: marks, plain text, metadata and roles."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..classify.system import (
    RoleSystem,
    System,
    SystemMetadata,
    marks_of,
    page_for,
)
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
    #: int8 (leaves,) or None: The role of each leaf; None if not computed or not supported.
    roles: NDArray[np.int8] | None = None


def system_output(page: Page, marks: Marks) -> SystemOutput:
    """Serialise the marked text of a page; ValueError if the marks have not one entry for each text leaf."""
    if marks.shape != page.leaves.shape:
        raise ValueError(f"{marks.shape[0]} marks, but the page has {len(page.leaves)} text leaves")
    return SystemOutput(page=page, marks=marks, text=plain_text(content_of(page, marks).root, marks=False))


def with_details(system: System, output: SystemOutput, needs: Collection[str]) -> tuple[SystemOutput, str]:
    """Return an output with what some measures need of the system: "fields", "roles".

    The second result is the reason of the first failure, "" if there is none; what fails is empty.
    """
    page, failure = output.page, ""
    details: dict[str, tuple[str, Callable[[], object], object]] = {
        "fields": ("metadata", lambda: metadata_of(system, page), SystemMetadata()),
        "roles": ("roles", lambda: _roles(system, page), np.full(len(page.leaves), -1, dtype=np.int8)),
    }
    for need, (name, run, empty) in details.items():
        if need in needs:
            value, error = _attempt(run, empty)
            changed: dict[str, Any] = {name: value}
            output, failure = replace(output, **changed), failure or error
    return output, failure


def _roles(system: System, page: Page) -> NDArray[np.int8] | None:
    return system.roles(page_for(system, page)) if isinstance(system, RoleSystem) else None


def _attempt(run: Callable[[], T], fallback: T) -> tuple[T, str]:
    """Run a system; return its result and "", or the fallback and the reason of its failure."""
    try:
        return run(), ""
    except Exception as error:  # a failure of one system is its own result and must not stop the others
        return fallback, f"{type(error).__name__}: {error}"


def try_marks(system: System, page: Page) -> tuple[Marks, str]:
    """Return a system's marks of a page and ""; no marks and the reason if it fails."""
    return _attempt(lambda: marks_of(system, page), np.zeros(len(page.leaves), dtype=bool))
