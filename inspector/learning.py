"""Learning in the background: from labels to a model, judged on pages of sites that it did not learn from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np

from ..classify.model.model import Model
from ..classify.systems.blocksight import classify_page
from ..errors import BlocksightError
from ..gold.annotations import Annotation, LabelledLeaves, match_leaves
from ..gold.leaf_labels import Labels
from ..gold.pages import CONTENT, UNCERTAIN
from ..lexicon.words import count_words
from ..page.arrays import FloatArray, Marks
from ..page.page import Page
from ..page.visibility import invisible_leaves
from ..train.examples import NoExamples
from ..train.fine_tune import LabelledRows, fine_tune, labelled_rows
from .items import Item
from .label_store import LabelStore
from .models import SessionModels

T = TypeVar("T")

#: Parts into which sites are put to be judged by what has not seen them.
FOLDS = 5


@dataclass(kw_only=True)
class Progress:
    """How far learning is, to be read while it goes on."""

    running: bool = False
    step: str = ""
    done: int = 0
    total: int = 0
    error: str = ""
    result: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnnotatedPage:
    """A page of which something was said by hand."""

    sheet: Item
    page: Page
    laid: LabelledLeaves
    rows: LabelledRows
    done: bool = field(default=False)


class Workplace(Protocol):
    """What learning takes from a desk (:class:`~blocksight.inspector.session.InspectorSession`)."""

    sheets: dict[str, Item]
    notebook: LabelStore
    shelf: SessionModels

    def page(self, identity: str) -> Page:
        """Return a page by its id."""
        ...

    def run(self, work: Callable[..., T], page: Page, *given: Any) -> T:
        """Do some work on a page in a process of its own."""
        ...

    def use(self, name: str) -> None:
        """Judge by another model from now on."""
        ...


class Learning:
    """Learns from the labels of a desk, one run at a time."""

    def __init__(self, desk: Workplace) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[Annotation, AnnotatedPage]] = {}
        self.progress = Progress()

    def start(self) -> bool:
        """Begin in the background; False where a run is under way."""
        with self._lock:
            if self.progress.running:
                return False
            self.progress = Progress(running=True, step="reading labels")
        threading.Thread(target=self._go, name="blocksight-learning", daemon=True).start()
        return True

    def _go(self) -> None:
        try:
            self.progress.result = self.learn()
        except (BlocksightError, TimeoutError, OSError, ValueError) as error:
            self.progress.error = str(error) or type(error).__name__
        except Exception as error:  # whoever waits is told of faults of the program, too
            self.progress.error = f"a fault of the program: {error!r}"
            raise
        finally:
            self.progress.running = False

    def learn(self) -> dict[str, Any]:
        """Learn from all labels, and use the model from then on; return how it did before and after.

        Raises
        ------
        NoExamples
            When nothing is labelled.
        """
        base = self._desk.shelf.base()
        pages = self._measured(base, self._desk.notebook.pages())
        if not pages:
            raise NoExamples("no block of these pages is labelled yet: label some, then train")
        judged = self._judged_on_other_sites(base, pages)
        self._step("fitting the model on all labels", 0, 1)
        model = fine_tune(base, [one.rows for one in pages])
        result = {
            "pages": len(pages),
            "sites": len({one.sheet.site for one in pages}),
            "blocks": int(sum(len(one.rows.content) for one in pages)),
            "before": self._desk.shelf.name,
            "held_out": judged,
        }
        name = self._desk.shelf.add(model, result)
        self._desk.use(name)
        self._step("done", 1, 1)
        return {"model": name, **result}

    def _measured(self, base: Model, said: Mapping[str, Annotation]) -> list[AnnotatedPage]:
        found = []
        some = [one for one in said.values() if one.page in self._desk.sheets and one.leaves]
        for number, one in enumerate(some):
            self._step("measuring labelled pages", number, len(some))
            if self._seen.get(one.page, (None,))[0] != one:  # learning starts from the same model each time
                self._seen[one.page] = one, self._labelled(base, one)
            found.append(self._seen[one.page][1])
        return [one for one in found if len(one.rows.content)]

    def _labelled(self, base: Model, said: Annotation) -> AnnotatedPage:
        page = self._desk.page(said.page)
        laid = match_leaves(page, said)
        rows = self._desk.run(_rows, page, base, laid)
        page = page.replace(screenshot=None, mhtml=None, warc=None)
        return AnnotatedPage(sheet=self._desk.sheets[said.page], page=page, laid=laid, rows=rows, done=said.done)

    def _judged_on_other_sites(self, base: Model, pages: Sequence[AnnotatedPage]) -> list[dict[str, Any]]:
        """Return the F1 of each confirmed page before, and after learning from the pages of other sites alone."""
        sites = sorted({one.sheet.site for one in pages})
        if len(sites) < 2:
            return []
        fold = {site: number % FOLDS for number, site in enumerate(sites)}
        tested = [one for one in pages if one.done]
        in_use = self._desk.shelf.working
        found = []
        for number, (part, one) in enumerate(sorted(((fold[o.sheet.site], o) for o in tested), key=lambda p: p[0])):
            self._step("judging pages of sites that were held out", number, len(tested))
            others = [other.rows for other in pages if fold[other.sheet.site] != part]
            after = fine_tune(base, others) if others else base
            scores = [self._desk.run(page_scores, one.page, model, one.laid) for model in (in_use, base, after)]
            found.append(
                {
                    "page": one.sheet.id,
                    "name": one.sheet.name,
                    "site": one.sheet.site,
                    "learned_from": len(others),
                    **dict(zip(("in_use", "before", "after"), [f1 for f1, _ in scores], strict=True)),
                    **dict(zip(("roles_before", "roles_after"), [roles for _, roles in scores[1:]], strict=True)),
                }
            )
        return found

    def _step(self, what: str, done: int, total: int) -> None:
        self.progress.step, self.progress.done, self.progress.total = what, done, total


def mean_scores(held_out: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the means of what was scored over pages: ``before`` and ``after``, of roles, too, where some were said."""
    rows = list(held_out)
    names = ("before", "after", "roles_before", "roles_after")
    known = {name: [row[name] for row in rows if row.get(name) is not None] for name in names}
    return {name: sum(scores) / len(scores) for name, scores in known.items() if scores}


def page_scores(page: Page, model: Model, laid: LabelledLeaves) -> tuple[float, float | None]:
    """Score a model's answer against labels, on text that is seen and labelled.

    Returns
    -------
    (float, float or None)
        F1 of content in words, and the share of words whose role is right; None where no role was said.
    """
    judgement = classify_page(page, model)
    words = _seen_words(page)
    words[laid.role < 0] = 0.0
    f1 = round(marks_f1(page, judgement.marks, laid.content), 4)
    if judgement.roles is None or not words.any():
        return f1, None
    return f1, round(float(words[judgement.roles.role == laid.role].sum() / words.sum()), 4)


def marks_f1(page: Page, marks: Marks, labels: Labels) -> float:
    """Return the F1 of marks against labels, in words, of text that is seen and labelled; 1 where both are empty."""
    words = _seen_words(page)
    words[labels == UNCERTAIN] = 0.0
    gold = labels == CONTENT
    sizes = float(words[marks].sum() + words[gold].sum())
    return 2 * float(words[marks & gold].sum()) / sizes if sizes else 1.0


def _seen_words(page: Page) -> FloatArray:
    words = np.asarray([count_words(text) for text in page.leaf_texts], dtype=np.float64)
    words[invisible_leaves(page)] = 0.0
    return words


def _rows(page: Page, model: Model, laid: LabelledLeaves) -> LabelledRows:
    return labelled_rows(model, page, laid.content, laid.role)
