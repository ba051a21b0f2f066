"""Datatrove: an extractor of HTML."""

from __future__ import annotations

from typing import Literal

from datatrove.pipeline.extractors.base import BaseExtractor

from ..document.extract import extract
from ..page.parse import parse


class BlocksightExtractor(BaseExtractor):  # type: ignore[misc, unused-ignore]
    """Extract the content of HTML as text or Markdown; no browser is used."""

    name = "blocksight"

    def __init__(
        self, form: Literal["text", "markdown"] = "text", system: str = "blocksight", timeout: float = 5
    ) -> None:
        super().__init__(timeout)
        self._form, self._system = form, system

    def extract(self, text: str) -> str:
        """Return the content of a page."""
        return extract(parse(text), system=self._system).written(self._form)
