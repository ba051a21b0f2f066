"""Evaluate systems on a corpus: open the pages, run and measure the systems, and write a table of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..classify.system import System
from ..classify.systems import SYSTEMS, system_named
from ..errors import CorpusUnreadable
from ..files.atomic import open_run_folder, write_atomic
from ..gold.corpora import read_corpus
from ..gold.pages import GoldPage, sample
from ..gold.rendered import missing_pages, render_missing
from ..processes.workers import Progress, run_parallel
from .measures.measures import MEASURES, Measure
from .scoring import BASELINE, RAW, RENDERED, Row, Task, failed_rows, measure_page, warm_up

if TYPE_CHECKING:
    import pandas as pd

INPUTS = (RAW, RENDERED)
SPLITS = ("dev", "train", "all")
#: Columns of the table before those of the measures.
ABOUT = (
    "corpus page site system input visual kind language reference_words page_words prediction_words cpu_seconds "
    "open_seconds error"
).split()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationConfig:
    """The configuration of an evaluation.

    Attributes
    ----------
    corpus : Path
        In one of the forms of :mod:`~blocksight.gold.corpora`.
    out : Path
        Folder for the rendered pages and the tables.
    systems : tuple of System
        The text of the whole page is always included.
    measures : tuple of Measure
    inputs : tuple of str
        "raw", "rendered" or both. Visual systems need geometry and are skipped on raw HTML.
    limit : int or None
        Maximum number of pages; the sample is reproducible and stratified by the kind of page.
    split : str
        "dev" selects pages that are not for training, "train" those that are, "all" both.
    sites : mapping, optional
        The split of each site (:func:`~blocksight.gold.split.read_sites`), which overrides that of the corpus.
    workers : int
        Number of parallel processes.
    seconds : float
        Time limit of a system for one page.
    executable : str, optional
        Path of the browser.

    Raises
    ------
    ValueError
        If a name is unknown or a number is out of range.
    """

    corpus: Path
    out: Path
    systems: tuple[System, ...] = SYSTEMS
    measures: tuple[Measure, ...] = MEASURES
    inputs: tuple[str, ...] = (RAW,)
    limit: int | None = None
    split: str = "dev"
    sites: Mapping[str, str] | None = None
    workers: int = 1
    seconds: float = 60.0
    executable: str | None = None

    def __post_init__(self) -> None:
        if not self.inputs or not set(self.inputs) <= set(INPUTS):
            raise ValueError(f"inputs must be some of {', '.join(INPUTS)}, not {self.inputs!r}")
        if self.split not in SPLITS:
            raise ValueError(f"split must be one of {', '.join(SPLITS)}, not {self.split!r}")
        if self.workers < 1 or self.seconds <= 0 or not self.measures or (self.limit is not None and self.limit < 1):
            raise ValueError("workers, seconds, limit and the number of measures must be above 0")
        names = [system.card.name for system in self.systems]
        if len(set(names)) < len(names):
            raise ValueError(f"two systems have the same name: {', '.join(names)}")

    @property
    def rendered(self) -> Path:
        """The folder of rendered pages."""
        return self.out / "pages"

    def systems_for(self, source: str) -> tuple[System, ...]:
        """Return the systems that run on an input."""
        chosen = self.systems
        if BASELINE not in {system.card.name for system in chosen}:
            chosen = (*chosen, system_named(BASELINE))
        return tuple(system for system in chosen if source == RENDERED or not system.card.visual)

    def pages(self) -> list[GoldPage]:
        """Read the pages to be evaluated; CorpusUnreadable if the folder has no page of the split with whole gold."""
        chosen = [
            gold
            for gold in read_corpus(self.corpus, self.sites)
            if self.split == "all" or (gold.split == "train") == (self.split == "train")
        ]
        if not chosen:
            raise CorpusUnreadable(f"{self.corpus} has no page of the split {self.split}")
        # What is not in the pieces of a page is unknown: an answer with more is not wrong.
        whole = [gold for gold in chosen if not gold.is_partial]
        if not whole:
            raise CorpusUnreadable(
                f"{self.corpus} has only gold of pieces, which says nothing of the rest of a page: it is for training, "
                "and answers cannot be measured by it"
            )
        return sample(whole, self.limit)


def evaluate(config: EvaluationConfig, progress: Progress = lambda *_: None) -> pd.DataFrame:
    """Evaluate systems on a corpus; pages that are rendered already are not rendered again.

    Parameters
    ----------
    config : EvaluationConfig
    progress : callable
        Called with the name of the step, the number of items done, and their total.

    Returns
    -------
    DataFrame
        One row for each page, system and input; also written to ``scores.parquet`` and ``scores.csv`` in the folder.

    Raises
    ------
    CorpusUnreadable
        If the corpus cannot be read.
    BrowserMissing
        If rendered pages are requested and no browser is installed.
    ImportError
        If a system needs a package that is not installed.
    SettingsMismatch
        If the folder has the pages of another corpus.
    """
    golds = config.pages()
    warm_up(config.systems, config.seconds)
    open_run_folder(config.out, {"corpus": str(config.corpus.resolve())})
    opened = _render(config, golds, progress) if RENDERED in config.inputs else {}
    tasks = list(_tasks(config, golds, opened))
    progress("pages", 0, len(tasks))
    rows: list[Row] = []
    prepare = partial(warm_up, config.systems, config.seconds)
    died = partial(failed_rows, reason="the process died on this page")
    measured = run_parallel(measure_page, tasks, config.workers, died=died, warm_up=prepare)
    for done, (_, measured_rows) in enumerate(measured, 1):
        rows += measured_rows
        progress("pages", done, len(tasks))
    table = _table(rows, config, golds)
    write_atomic(config.out / "scores.parquet", lambda path: table.to_parquet(path, index=False))
    write_atomic(config.out / "scores.csv", lambda path: table.to_csv(path, index=False))
    return table


def _render(config: EvaluationConfig, golds: Sequence[GoldPage], progress: Progress) -> dict[str, tuple[str, float]]:
    """Render the pages that are missing; return the reason of each failure or "", and the seconds taken, by page."""
    opened: dict[str, tuple[str, float]] = {}
    missing = missing_pages(golds, config.rendered)
    progress("rendering", 0, len(missing))

    def record(gold: GoldPage, error: str, seconds: float) -> None:
        opened[gold.id] = error, seconds
        progress("rendering", len(opened), len(missing))

    render_missing(missing, config.rendered, executable=config.executable, at_once=config.workers, done=record)
    return opened


def _tasks(
    config: EvaluationConfig, golds: Sequence[GoldPage], opened: Mapping[str, tuple[str, float]]
) -> Iterator[Task]:
    for gold in golds:
        for source in config.inputs:
            error, seconds = opened.get(gold.id, ("", None)) if source == RENDERED else ("", None)
            yield Task(
                gold=gold,
                input=source,
                systems=config.systems_for(source),
                measures=config.measures,
                rendered=config.rendered if source == RENDERED else None,
                error=error,
                open_seconds=seconds,
                limit=config.seconds,
            )


def _table(rows: Sequence[Row], config: EvaluationConfig, golds: Sequence[GoldPage]) -> pd.DataFrame:
    """Return the rows sorted by corpus order, input and system."""
    import pandas as pd

    columns = [*ABOUT, *(column for measure in config.measures for column in measure.columns)]
    positions = {gold.id: position for position, gold in enumerate(golds)}
    order = {
        (source, system.card.name): position
        for source in config.inputs
        for position, system in enumerate(config.systems_for(source))
    }
    ordered = sorted(rows, key=lambda row: (positions[row["page"]], row["input"], order[row["input"], row["system"]]))
    table = pd.DataFrame(ordered, columns=columns)
    texts = {"corpus", "page", "site", "system", "input", "kind", "language", "error"}
    numbers = [column for column in columns if column not in texts and column != "visual"]
    table[numbers] = table[numbers].astype("float64")
    return table
