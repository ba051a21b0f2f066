"""Values that are computed on first access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """A value that is computed on first access; the function that computes it is released then.

    Copies and pickles contain the value.

    >>> word = Lazy(lambda: "tide".title())
    >>> word.value
    'Tide'
    """

    __slots__ = ("_make", "_value")

    def __init__(self, make: Callable[[], T]) -> None:
        self._make: Callable[[], T] | None = make
        self._value: T | None = None

    @property
    def value(self) -> T:
        """The value."""
        make = self._make
        if make is not None:
            self._value, self._make = make(), None
        return self._value  # type: ignore[return-value]

    def __reduce__(self) -> tuple[Any, ...]:
        return known, (self.value,)


class Readable(Generic[T]):
    """A dataclass field (without slots) that is assigned a value or a :class:`Lazy`, and read as the value.

    >>> from dataclasses import dataclass, replace
    >>> @dataclass(frozen=True)
    ... class Sea:
    ...     state: Readable[str] = Readable()
    >>> sea = Sea(Lazy(lambda: "tide".title()))
    >>> sea.state, replace(sea, state="Ebb").state
    ('Tide', 'Ebb')
    """

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, holder: object, _owner: type | None = None) -> T:
        if holder is None:  # the field has no default
            raise AttributeError(self._name)
        value: T | Lazy[T] = holder.__dict__[self._name]
        return value.value if isinstance(value, Lazy) else value

    def __set__(self, holder: object, value: T | Lazy[T]) -> None:
        holder.__dict__[self._name] = value


def known(value: T) -> Lazy[T]:
    """Return a :class:`Lazy` of a value that is computed already."""
    lazy = Lazy[T](lambda: value)
    assert lazy.value is value
    return lazy
