"""A corpus through many systems: pages opened, systems run and measured, scores kept as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ..classify.system import System
from ..classify.systems import SYSTEMS, system_named
from ..errors import CorpusUnreadable
from ..files.atomic import write_whole
from ..gold.corpora import read_corpus
from ..gold.pages import GoldPage, sample
from ..gold.rendered import missing_pages, render_missing
from ..processes.progress import Progress
from ..processes.workers import run_parallel
from ..version import VERSION
from .checkpoint import Checkpoint
from .measures.measures import MEASURES, Measure
from .scoring import BASELINE, CONVENTIONS, CORPUS, RAW, RENDERED, Row, Task, failed, measure_page, require, warm_up

if TYPE_CHECKING:
    import pandas as pd

INPUTS = (RAW, RENDERED)
SPLITS = ("dev", "train", "all")
#: Columns of the table before those of the measures.
ABOUT = (
    "corpus page system input visual kind language script gold_words gold_bytes page_words complexity styled "
    "found_words cpu_seconds open_seconds error"
).split()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationConfig:
    """What is to be evaluated, and how.

    Attributes
    ----------
    corpus : Path
        In one of the forms of :mod:`~blocksight.gold.corpora`.
    out : Path
        Folder for the journal, the rendered pages and the tables.
    systems : tuple of System
        The whole page's text is always among them.
    measures : tuple of Measure
    inputs : tuple of str
        "raw", "rendered" or both. Visual systems have nothing to look at in raw HTML and are left out there.
    limit : int or None
        So many pages, always the same, spread over the kinds of pages.
    split : str
        "dev" takes pages that are not for training, "train" those that are, "all" both.
    sites : mapping, optional
        The split of each site (:func:`~blocksight.gold.split.read_sites`), which holds whatever the corpus says.
    workers : int
        Pages at once.
    seconds : float
        What a system may take for one page.
    executable : str, optional
        The browser's program.
    convention : str
        "corpus" scores by the gold as it is, "default" by that about which it agrees with the default profile
        (:func:`~blocksight.gold.convention.agreed`).

    Raises
    ------
    ValueError
        When a name is not known or a number makes no sense.
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
    convention: str = CORPUS

    def __post_init__(self) -> None:
        if not self.inputs or not set(self.inputs) <= set(INPUTS):
            raise ValueError(f"inputs must be some of {', '.join(INPUTS)}, not {self.inputs!r}")
        if self.split not in SPLITS:
            raise ValueError(f"split must be one of {', '.join(SPLITS)}, not {self.split!r}")
        if self.convention not in CONVENTIONS:
            raise ValueError(f"convention must be one of {', '.join(CONVENTIONS)}, not {self.convention!r}")
        if self.workers < 1 or self.seconds <= 0 or not self.measures or (self.limit is not None and self.limit < 1):
            raise ValueError("workers, seconds, limit and the number of measures must be above 0")
        names = [system.card.name for system in self.systems]
        if len(set(names)) < len(names):
            raise ValueError(f"two systems have the same name: {', '.join(names)}")

    @property
    def rendered(self) -> Path:
        """The folder that keeps rendered pages."""
        return self.out / "pages"

    def systems_for(self, source: str) -> tuple[System, ...]:
        """Return the systems that run on an input."""
        chosen = self.systems
        if BASELINE not in {system.card.name for system in chosen}:
            chosen = (*chosen, system_named(BASELINE))
        return tuple(system for system in chosen if source == RENDERED or not system.card.visual)

    def pages(self) -> list[GoldPage]:
        """Read the pages that are to be evaluated.

        Raises
        ------
        CorpusUnreadable
            When the folder is no corpus, or has no page of the split.
        """
        chosen = [
            gold
            for gold in read_corpus(self.corpus, self.sites)
            if self.split == "all" or (gold.split == "train") == (self.split == "train")
        ]
        if not chosen:
            raise CorpusUnreadable(f"{self.corpus} has no page of the split {self.split}")
        return sample(chosen, self.limit)


def evaluate(wanted: EvaluationConfig, progress: Progress = lambda *_: None) -> pd.DataFrame:
    """Evaluate systems on a corpus; a run that was interrupted goes on where it stopped.

    Parameters
    ----------
    wanted : EvaluationConfig
    progress : callable
        Told what is being done, how much of it is done, and of how much.

    Returns
    -------
    DataFrame
        One row a page, system and input; ``scores.parquet`` and ``scores.csv`` in the folder hold the same.

    Raises
    ------
    CorpusUnreadable
        When the corpus is none.
    BrowserMissing
        When rendered pages are wanted and there is no browser.
    ImportError
        When a system needs something that is not installed.
    OtherSettings
        When the folder holds another evaluation.
    """
    golds = wanted.pages()
    require(wanted.systems, wanted.seconds)
    settings = {
        "corpus": str(wanted.corpus.resolve()),
        "measures": [measure.name for measure in wanted.measures],
        "blocksight": VERSION,
        # Results of earlier versions are of this kind, and name none.
        **({} if wanted.convention == CORPUS else {"convention": wanted.convention}),
    }
    journal = Checkpoint(wanted.out, settings)
    if RENDERED in wanted.inputs:
        _render(wanted, golds, journal, progress)
    tasks = list(_tasks(wanted, golds, journal))
    progress("pages", 0, len(tasks))
    prepare = partial(warm_up, wanted.systems, wanted.seconds)
    measured = run_parallel(measure_page, tasks, wanted.workers, died=_died, warm_up=prepare)
    for done, (_, rows) in enumerate(measured, 1):
        journal.add_rows(rows)
        progress("pages", done, len(tasks))
    table = _table(journal.rows, wanted, golds)
    write_whole(wanted.out / "scores.parquet", lambda path: table.to_parquet(path, index=False))
    write_whole(wanted.out / "scores.csv", lambda path: table.to_csv(path, index=False))
    return table


def _render(wanted: EvaluationConfig, golds: Sequence[GoldPage], journal: Checkpoint, progress: Progress) -> None:
    """Render the pages that are not there yet and have not failed before, and note how long each took."""
    failed_before = {page for page, line in journal.opened.items() if line["error"]}
    missing = [gold for gold in missing_pages(golds, wanted.rendered) if gold.id not in failed_before]
    progress("rendering", 0, len(missing))
    done = count(1)

    def note(gold: GoldPage, why: str, seconds: float) -> None:
        journal.add_opened(gold.id, None if why else seconds, why)
        progress("rendering", next(done), len(missing))

    render_missing(missing, wanted.rendered, executable=wanted.executable, at_once=wanted.workers, done=note)


def _died(task: Task) -> list[Row]:
    return failed(task, "the process died on this page")


def _tasks(wanted: EvaluationConfig, golds: Sequence[GoldPage], journal: Checkpoint) -> Iterator[Task]:
    done = journal.done()
    for gold in golds:
        for source in wanted.inputs:
            systems = wanted.systems_for(source)
            missing = tuple(one for one in systems if (gold.id, source, one.card.name) not in done)
            if not missing:
                continue
            opened = journal.opened.get(gold.id, {}) if source == RENDERED else {}
            yield Task(
                gold=gold,
                input=source,
                systems=missing,
                measures=wanted.measures,
                rendered=wanted.rendered if source == RENDERED else None,
                error=opened.get("error", ""),
                open_seconds=opened.get("seconds"),
                limit=wanted.seconds,
                convention=wanted.convention,
            )


def _table(rows: Sequence[Row], wanted: EvaluationConfig, golds: Sequence[GoldPage]) -> pd.DataFrame:
    """Put the rows of the wanted pages, inputs and systems in the order of corpus, input and system."""
    import pandas as pd

    columns = [*ABOUT, *(column for measure in wanted.measures for column in measure.columns)]
    places = {gold.id: place for place, gold in enumerate(golds)}
    order = {
        (source, system.card.name): place
        for source in wanted.inputs
        for place, system in enumerate(wanted.systems_for(source))
    }
    chosen = [row for row in rows if row["page"] in places and (row["input"], row["system"]) in order]
    chosen.sort(key=lambda row: (places[row["page"]], row["input"], order[row["input"], row["system"]]))
    table = pd.DataFrame(chosen, columns=columns)
    words = {"corpus", "page", "system", "input", "kind", "language", "script", "error", "grade"}
    numbers = [column for column in columns if column not in words and column not in {"visual", "styled"}]
    table[numbers] = table[numbers].astype("float64")
    table["styled"] = table["styled"].astype("boolean")
    return table
