"""The interface of a system: a card, and marks on a page's text leaves; optionally probabilities and roles."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, Marks
from ..page.lazy import Lazy, Readable
from ..page.page import Page
from .roles import LeafRoles

if TYPE_CHECKING:
    from ..records.decided_records import DecidedRecords
    from .model.reasons import LeafReasons


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The description of a system.

    Attributes
    ----------
    name : str
        Its identifier.
    title : str
        A short description.
    paper : str
        Its source, "" if it has none.
    year : int or None
    visual : bool
        Whether it needs geometry; other systems get pages without it.
    trained : bool
        Whether it was trained on labelled pages.
    """

    name: str
    title: str = ""
    paper: str = ""
    year: int | None = None
    visual: bool = False
    trained: bool = False


@cache
def system_tables() -> dict[str, dict[str, Any]]:
    """Return ``systems/systems.toml``: by name the fields of cards, and the module and class of each system."""
    path = Path(__file__).parent / "systems" / "systems.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def card_of(name: str) -> Card:
    """Return the card of a system of this package."""
    table = system_tables()[name]
    return Card(name=name, **{field: value for field, value in table.items() if field in Card.__slots__})


class System(Protocol):
    """Anything that marks the content of a page."""

    @property
    def card(self) -> Card:
        """The description of the system."""
        ...

    def mark(self, page: Page) -> Marks:
        """Mark the content among a page's text leaves."""
        ...


# Without slots: the expected F1 is computed on first access.
@dataclass(frozen=True, kw_only=True, eq=False)
class Judgement:
    """A system's result for a page.

    Attributes
    ----------
    marks : bool (leaves,)
    probability : float64 (leaves,)
        Of content; NaN for leaves that are hidden.
    expected_f1 : float
        Expected F1 of the marks, 0 to 1; low values are a warning. It may be assigned as a :class:`Lazy`.
    by : str
        The name of the model that was used, if it is not the system's name: on a page without geometry the visual
        system uses another model.
    roles : LeafRoles or None
        The role of each leaf (title, caption, ...); None if the system has no roles.
    against : Lazy of LeafReasons, or None
        The feature that speaks most against each leaf, computed on first access to its ``value``.
    records : Lazy of DecidedRecords or None
        The main records, the type of the page and all other records, as the content allows.
    """

    marks: Marks
    probability: FloatArray
    expected_f1: Readable[float] = Readable()  # noqa: RUF009 (it is a descriptor, no value)
    by: str = ""
    roles: LeafRoles | None = None
    against: Lazy[LeafReasons] | None = None
    records: Lazy[DecidedRecords] | None = None


@runtime_checkable
class Judge(System, Protocol):
    """A system with probabilities, which the document has as scores and confidence."""

    def judge(self, page: Page) -> Judgement:
        """Mark the content, with probabilities and the expected F1."""
        ...


def is_judge(system: System) -> TypeGuard[Judge]:
    """Return whether a system also judges, without the slow ``isinstance`` of protocols."""
    return callable(getattr(system, "judge", None))


@runtime_checkable
class RoleSystem(System, Protocol):
    """A system that also predicts the role of each text leaf."""

    def roles(self, page: Page) -> NDArray[np.int8]:
        """Return the roles, int8 (leaves,): an index into :data:`~blocksight.page.role_names.ROLES`, -1 for none."""
        ...


def page_for(system: System, page: Page) -> Page:
    """Return the page as a system gets it: without geometry unless the system is visual."""
    return page if system.card.visual else page.without_geometry()


def marks_of(system: System, page: Page) -> Marks:
    """Return a system's marks of a page; ValueError unless they are one boolean for each text leaf."""
    return checked_marks(system, system.mark(page_for(system, page)), page)


def checked_marks(system: System, result: object, page: Page) -> Marks:
    """Return a system's result as marks; ValueError unless it is one boolean for each text leaf."""
    marks, name = np.asarray(result), system.card.name
    expected = f"it must return one True or False for each of the {len(page.leaves)} text leaves (page.leaves)"
    if marks.shape != page.leaves.shape:
        given = "None" if result is None else f"an array of shape {marks.shape}"
        raise ValueError(f"the system {name!r} returned {given}: {expected}")
    if marks.dtype != np.bool_ and not np.isin(marks, (0, 1)).all():
        raise ValueError(f"the system {name!r} returned other values ({marks.dtype}): {expected}")
    return marks.astype(bool)


# -- metadata of a system's own -------------------------------------------------------------------------------------


class SystemMetadata(NamedTuple):
    """Metadata of a page: title without the site's name, authors, ISO 8601 day; "" and () if unknown."""

    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""


@runtime_checkable
class MetadataSystem(System, Protocol):
    """A system that finds title, authors and date itself."""

    def metadata(self, page: Page) -> SystemMetadata | None:
        """Return the metadata; None if the system does not extract any."""
        ...
