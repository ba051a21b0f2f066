"""Training on labels in the background, evaluated on pages of held-out sites."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..classify.model.model import Model, load_model, shipped_model
from ..classify.systems.blocksight import Blocksight
from ..errors import BlocksightError
from ..files.atomic import write_atomic, write_text
from ..gold.annotations import Annotation, LabelledLeaves, match_leaves
from ..gold.leaf_labels import Labels
from ..gold.pages import CONTENT, UNCERTAIN
from ..lexicon.words import count_words
from ..page.arrays import FloatArray, Marks
from ..page.page import Page
from ..page.visibility import invisible_leaves
from ..train.examples import NoExamples
from ..train.fine_tune import LabelledRows, fine_tune, labelled_rows
from .items import InspectorItem
from .label_store import LabelStore

#: Folds of sites for the evaluation.
FOLDS = 5


@dataclass(kw_only=True)
class TrainingProgress:
    """Progress of a training run."""

    running: bool = False
    step: str = ""
    done: int = 0
    total: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnnotatedPage:
    """A page with labels."""

    item: InspectorItem
    page: Page
    labels: LabelledLeaves
    rows: LabelledRows
    done: bool = field(default=False)


class Learning:
    """Trains on the labels of a session, one run at a time.

    ``page`` returns a page by its id, ``run`` runs a task on a page in a worker process.
    """

    def __init__(
        self,
        items: Mapping[str, InspectorItem],
        labels: LabelStore,
        models: SessionModels,
        *,
        page: Callable[[str], Page],
        run: Callable[..., Any],
    ) -> None:
        self._items, self._labels, self._models = items, labels, models
        self._page, self._run_task = page, run
        self._lock = threading.Lock()
        self._measured: dict[str, tuple[Annotation, AnnotatedPage]] = {}
        self.progress = TrainingProgress()

    def start(self) -> bool:
        """Start a run in the background; False if one is running."""
        with self._lock:
            if self.progress.running:
                return False
            self.progress = TrainingProgress(running=True, step="reading labels")
        threading.Thread(target=self._run, name="blocksight-learning", daemon=True).start()
        return True

    def _run(self) -> None:
        try:
            self.learn()
        except (BlocksightError, TimeoutError, OSError, ValueError) as error:
            self.progress.error = str(error) or type(error).__name__
        except Exception as error:  # also shown in the browser
            self.progress.error = f"a fault of the program: {error!r}"
            raise
        finally:
            self.progress.running = False

    def learn(self) -> dict[str, Any]:
        """Train on all labels, use the new model, and return its scores; NoExamples if there are no labels."""
        base = self._models.base()
        pages = self._annotated(base, self._labels.pages())
        if not pages:
            raise NoExamples("no block of these pages is labelled yet: label some, then train")
        held_out = self._held_out_scores(base, pages)
        self._step("fitting the model on all labels", 0, 1)
        model = fine_tune(base, [page.rows for page in pages])
        result = {
            "pages": len(pages),
            "sites": len({page.item.site for page in pages}),
            "blocks": int(sum(len(page.rows.content) for page in pages)),
            "before": self._models.name,
            "held_out": held_out,
        }
        name = self._models.add(model, result)
        self._step("done", 1, 1)
        return {"model": name, **result}

    def _annotated(self, base: Model, annotations: Mapping[str, Annotation]) -> list[AnnotatedPage]:
        known = [labels for labels in annotations.values() if labels.page in self._items and labels.leaves]
        for number, labels in enumerate(known):
            self._step("measuring labelled pages", number, len(known))
            if self._measured.get(labels.page, (None,))[0] != labels:  # all runs start from one model
                self._measured[labels.page] = labels, self._measure(base, labels)
        pages = [self._measured[labels.page][1] for labels in known]
        return [page for page in pages if len(page.rows.content)]

    def _measure(self, base: Model, annotation: Annotation) -> AnnotatedPage:
        page = self._page(annotation.page)
        labels = match_leaves(page, annotation)
        rows = self._run_task(_rows, page, base, labels)
        page = page.replace(screenshot=None, mhtml=None)
        item = self._items[annotation.page]
        return AnnotatedPage(item=item, page=page, labels=labels, rows=rows, done=annotation.done)

    def _held_out_scores(self, base: Model, pages: Sequence[AnnotatedPage]) -> list[dict[str, Any]]:
        """Return the F1 of each confirmed page before training, and after training on pages of other sites only."""
        sites = sorted({page.item.site for page in pages})
        if len(sites) < 2:
            return []
        fold = {site: number % FOLDS for number, site in enumerate(sites)}
        tested = sorted((page for page in pages if page.done), key=lambda page: fold[page.item.site])
        rows = []
        for number, page in enumerate(tested):
            self._step("evaluating pages of held-out sites", number, len(tested))
            others = [other.rows for other in pages if fold[other.item.site] != fold[page.item.site]]
            after = fine_tune(base, others) if others else base
            scores = [self._run_task(page_scores, page.page, model, page.labels) for model in (base, after)]
            rows.append(
                {
                    "page": page.item.id,
                    "name": page.item.name,
                    "site": page.item.site,
                    "learned_from": len(others),
                    **dict(zip(("before", "after"), [f1 for f1, _ in scores], strict=True)),
                    **dict(zip(("roles_before", "roles_after"), [roles for _, roles in scores], strict=True)),
                }
            )
        return rows

    def _step(self, what: str, done: int, total: int) -> None:
        self.progress.step, self.progress.done, self.progress.total = what, done, total


def mean_scores(held_out: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the mean scores over pages: ``before`` and ``after``, also of roles if there are role labels."""
    rows = list(held_out)
    names = ("before", "after", "roles_before", "roles_after")
    values = {name: [row[name] for row in rows if row.get(name) is not None] for name in names}
    return {name: sum(scores) / len(scores) for name, scores in values.items() if scores}


def page_scores(page: Page, model: Model, labels: LabelledLeaves) -> tuple[float, float | None]:
    """Return a model's F1 in words on visible labelled text, and its share of right roles, None without role labels."""
    judgement = Blocksight(model=model).judge(page)
    words = _visible_words(page)
    words[labels.role < 0] = 0.0
    f1 = round(marks_f1(page, judgement.marks, labels.content), 4)
    if judgement.roles is None or not words.any():
        return f1, None
    return f1, round(float(words[judgement.roles.role == labels.role].sum() / words.sum()), 4)


def marks_f1(page: Page, marks: Marks, labels: Labels) -> float:
    """Return the F1 of marks in words on visible labelled text; 1 if both are empty."""
    words = _visible_words(page)
    words[labels == UNCERTAIN] = 0.0
    gold = labels == CONTENT
    sizes = float(words[marks].sum() + words[gold].sum())
    return 2 * float(words[marks & gold].sum()) / sizes if sizes else 1.0


def _visible_words(page: Page) -> FloatArray:
    words = np.asarray([count_words(text) for text in page.leaf_texts], dtype=np.float64)
    words[invisible_leaves(page)] = 0.0
    return words


def _rows(page: Page, model: Model, labels: LabelledLeaves) -> LabelledRows:
    return labelled_rows(model, page, labels.content, labels.role)


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
