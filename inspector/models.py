"""The model of an inspection: the shipped one or a given one, then the newest trained on labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..classify.model.model import Model, load_model, shipped_model
from ..files.atomic import write_atomic, write_text

SHIPPED = "shipped"


class SessionModels:
    """Models in a folder, ``NUMBER.npz`` with its scores in ``NUMBER.json``.

    In use is at first the given one, by default the newest in the folder, else the shipped one.
    """

    def __init__(self, folder: Path, given: Path | None = None) -> None:
        self._folder = folder
        self._given = load_model(given) if given is not None else None
        #: The name of the model in use, and the model; None is the shipped one.
        self.name, self.model = given.name if given else SHIPPED, self._given
        if given is None and (trained := self._trained()):
            self.name, self.model = trained[-1], load_model(folder / f"{trained[-1]}.npz")

    def _trained(self) -> list[str]:
        return sorted(path.stem for path in self._folder.glob("[0-9]*.npz"))

    def base(self) -> Model:
        """Return the model that training starts from: the given one, else the shipped one."""
        return self._given or shipped_model(visual=True)

    def add(self, model: Model, result: Mapping[str, Any]) -> str:
        """Save a model with its scores and use it; return its name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{max(map(int, self._trained()), default=0) + 1:04d}"
        write_text(self._folder / f"{name}.json", json.dumps(dict(result), ensure_ascii=False, indent=1) + "\n")
        write_atomic(self._folder / f"{name}.npz", model.save)
        self.name, self.model = name, model
        return name

    def result(self) -> dict[str, Any] | None:
        """Return the scores of the model in use, None if it was not trained here."""
        path = self._folder / f"{self.name}.json"
        result: dict[str, Any] | None = json.loads(path.read_bytes()) if path.is_file() else None
        return result
