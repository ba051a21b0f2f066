"""The models of an inspection: the shipped one, one that was named, and those that were learned from labels."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..classify.model.model import Model, load_model, shipped_model
from ..files.atomic import write_atomic, write_text

#: The name of the model that comes with the program.
SHIPPED = "shipped"
_IN_USE = "in-use.json"


class SessionModels:
    """Models in a folder, ``NUMBER.npz`` with ``NUMBER.json`` beside it: how it did before and after.

    Parameters
    ----------
    folder : Path
    named : Path, optional
        A model to begin with; by default the one that was in use last.
    """

    def __init__(self, folder: Path, named: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self.name = SHIPPED
        self.model: Model | None = None
        self._named = (named.name, load_model(named)) if named is not None else None
        if named is not None:
            self.use(named.name)
        elif (last := self._last()) is not None:
            self.use(last)

    @property
    def working(self) -> Model:
        """The model in use, the shipped one where no other is."""
        return self.model or shipped_model(visual=True)

    def names(self) -> list[str]:
        """Return the models that can be used, the oldest first."""
        own = sorted(path.stem for path in self._folder.glob("[0-9]*.npz")) if self._folder.is_dir() else []
        return [SHIPPED, *([self._named[0]] if self._named else []), *own]

    def use(self, name: str) -> None:
        """Take a model; KeyError where there is none of that name."""
        if name not in self.names():
            raise KeyError(name)
        if self._named is not None and name == self._named[0]:
            model: Model | None = self._named[1]
        else:
            model = None if name == SHIPPED else load_model(self._folder / f"{name}.npz")
        with self._lock:
            self.name, self.model = name, model
        if self._folder.is_dir():
            write_text(self._folder / _IN_USE, json.dumps({"model": name}) + "\n")

    def base(self) -> Model:
        """Return what learning starts from: the model that was named, else the shipped one."""
        return self._named[1] if self._named else shipped_model(visual=True)

    def add(self, model: Model, result: Mapping[str, Any]) -> str:
        """Put a model into the folder; return its name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        numbers = [int(name) for name in self.names() if name.isdigit()]
        name = f"{max(numbers, default=0) + 1:04d}"
        write_text(self._folder / f"{name}.json", json.dumps(dict(result), ensure_ascii=False, indent=1) + "\n")
        write_atomic(self._folder / f"{name}.npz", model.save)
        return name

    def result(self, name: str) -> dict[str, Any] | None:
        """Return how a model that was learned did before and after; None where nothing is known."""
        path = self._folder / f"{name}.json"
        if not name.isdigit() or not path.is_file():
            return None
        found: dict[str, Any] = json.loads(path.read_bytes())
        return found

    def _last(self) -> str | None:
        try:
            name = json.loads((self._folder / _IN_USE).read_bytes())["model"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return name if name in self.names() else None
