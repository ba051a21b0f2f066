"""Training of a system of the literature on labelled pages: ``blocksight train system``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import sklearn

from ..classify.systems import SYSTEMS
from ..classify.systems.learning.trainable import LabelledPage, TrainedSystem
from ..errors import BlocksightError, unknown_name
from ..gold.pages import GoldPage, shuffled
from ..gold.rendered import read_page, render_missing
from ..gold.split import training_pages
from ..version import VERSION

#: Called with progress messages.
Say = Callable[[str], None]


def trainable() -> dict[str, TrainedSystem]:
    """Return all systems that learn, by name."""
    return {system.card.name: system for system in SYSTEMS if isinstance(system, TrainedSystem)}


def trainable_named(name: str) -> TrainedSystem:
    """Return a system that learns by name; raises ValueError with similar names."""
    systems = trainable()
    if name not in systems:
        raise unknown_name("system that learns", name, systems)
    return systems[name]


def train_system(
    system: TrainedSystem,
    folders: Sequence[Path],
    *,
    rendered: Path | None = None,
    sites: Mapping[str, str] | None = None,
    limit: int | None = None,
    say: Say = lambda _: None,
) -> TrainedSystem:
    """Train a system on the training pages of some corpora; return it with its model.

    ``rendered`` keeps the rendered pages, which visual systems need. ``sites`` overrides the splits of the corpora.
    ``limit`` is the largest number of pages, chosen reproducibly. ``say`` is called with progress messages. Raises
    CorpusUnreadable if a folder is no corpus, and ValueError if there is nothing to train on, or a visual system has no
    folder of rendered pages.
    """
    if system.card.visual and rendered is None:
        raise ValueError(f"{system.card.name} needs rendered pages: name a folder for them (rendered)")
    # Not in turn from each type of page: corpora that state types would crowd out those that do not.
    pages = training_pages(folders, sites, left_out=lambda gold: _report_skipped(gold, gold.error, say))
    # These systems learn from whole texts.
    golds = shuffled(gold for gold in pages if not gold.is_partial)[:limit]
    if not golds:
        partial = " has a gold text, only pieces" if pages else ""
        raise ValueError(f"no page of the split train in {', '.join(map(str, folders))}{partial}")
    if system.card.visual and rendered is not None:
        render_missing(golds, rendered, done=lambda gold, why, _: say(f"{gold.name}: {why or 'rendered'}"))
    used: list[GoldPage] = []
    fitted = system.learn(labelled_pages(golds, rendered if system.card.visual else None, used, say))
    model = fitted.model
    if model is None or not used:
        raise ValueError(f"none of the {len(golds)} pages could be read and shares text with its gold")
    return replace(fitted, model=model.with_about(_about(used)))


def labelled_pages(
    golds: Sequence[GoldPage], rendered: Path | None, used: list[GoldPage], say: Say
) -> Iterator[LabelledPage]:
    """Yield the readable pages that share text with their gold, and append them to ``used``."""
    for number, gold in enumerate(golds, 1):
        if number % 100 == 0:
            say(f"page {number} of {len(golds)}")
        try:
            page = read_page(gold, rendered)
        except BlocksightError as error:
            _report_skipped(gold, str(error), say)
            continue
        labelled = LabelledPage(page=page, gold=gold.text, site=gold.site, language=gold.language)
        if labelled.marks.any():
            used.append(gold)
            yield labelled


def _report_skipped(gold: GoldPage, why: str, say: Say) -> None:
    say(f"{gold.name} is left out: {why}")


def _about(used: Sequence[GoldPage]) -> dict[str, Any]:
    corpora = Counter(gold.corpus for gold in used)
    return {
        "corpora": {name: corpora[name] for name in sorted(corpora)},
        "split": "train",
        "sites": len({gold.site for gold in used}),
        "blocksight": VERSION,
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
    }
