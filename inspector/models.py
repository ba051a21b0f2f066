"""The models of an inspection: the shipped one, a given one, and those trained on labels."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..classify.model.model import Model, load_model, shipped_model
from ..files.atomic import write_atomic, write_text

SHIPPED = "shipped"
_IN_USE = "in-use.json"


class SessionModels:
    """Models in a folder, ``NUMBER.npz`` with its scores in ``NUMBER.json``.

    The model in use is at first the given one, else the one that was used last.
    """

    def __init__(self, folder: Path, given: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self.name = SHIPPED
        self.model: Model | None = None
        self._given = (given.name, load_model(given)) if given is not None else None
        if given is not None:
            self.use(given.name)
        elif (last := self._last()) is not None:
            self.use(last)

    @property
    def current(self) -> Model:
        """The model in use."""
        return self.model or shipped_model(visual=True)

    def names(self) -> list[str]:
        """Return the names of all models, the oldest first."""
        trained = sorted(path.stem for path in self._folder.glob("[0-9]*.npz")) if self._folder.is_dir() else []
        return [SHIPPED, *([self._given[0]] if self._given else []), *trained]

    def use(self, name: str) -> None:
        """Use a model; KeyError for an unknown name."""
        if name not in self.names():
            raise KeyError(name)
        if self._given is not None and name == self._given[0]:
            model: Model | None = self._given[1]
        else:
            model = None if name == SHIPPED else load_model(self._folder / f"{name}.npz")
        with self._lock:
            self.name, self.model = name, model
        if self._folder.is_dir():
            write_text(self._folder / _IN_USE, json.dumps({"model": name}) + "\n")

    def base(self) -> Model:
        """Return the model that training starts from: the given one, else the shipped one."""
        return self._given[1] if self._given else shipped_model(visual=True)

    def add(self, model: Model, result: Mapping[str, Any]) -> str:
        """Save a model with its scores; return its name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        numbers = [int(name) for name in self.names() if name.isdigit()]
        name = f"{max(numbers, default=0) + 1:04d}"
        write_text(self._folder / f"{name}.json", json.dumps(dict(result), ensure_ascii=False, indent=1) + "\n")
        write_atomic(self._folder / f"{name}.npz", model.save)
        return name

    def result(self, name: str) -> dict[str, Any] | None:
        """Return the scores of a trained model, None for others."""
        path = self._folder / f"{name}.json"
        if not name.isdigit() or not path.is_file():
            return None
        result: dict[str, Any] = json.loads(path.read_bytes())
        return result

    def _last(self) -> str | None:
        try:
            name = json.loads((self._folder / _IN_USE).read_bytes())["model"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return name if name in self.names() else None
