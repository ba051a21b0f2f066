"""The model card of a custom model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .custom import CustomModel, RowScore

_SCORES = tuple(RowScore.__dataclass_fields__)


def model_card(trained: CustomModel, name: str) -> str:
    """Return the model card in Markdown: data, scores, values of C, and limits of the model."""
    facts = [
        (fact, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for fact, value in trained.model.about.items()
        if not isinstance(value, dict)
    ]
    scores = [("unseen sites", *_row(trained.best.score))]
    if trained.held_out is not None:
        scores.append(("held out", *_row(trained.held_out)))
    trials = [(f"{trial.c:g}", *_row(trial.score)) for trial in trained.trials]
    needs = "rendered pages" if trained.model.visual else "raw HTML or rendered pages"
    return f"""# {name}

A linear support vector machine that separates the content of a web page from its boilerplate, block by block; trained
with `blocksight train`, used with `blocksight extract --model {name}`. The file has plain numbers; it is read without
scikit-learn, and rejected by versions of the program with other features.

## Training data

{_table(("", ""), facts)}
## Scores

{_table(("rows of", *_SCORES), scores)}
Every block was classified by a support vector machine that was not trained on its site. Blocks are weighted by their
words, and all pages alike.

## Values of C

{_table(("C", *_SCORES), trials)}
## Intended use and limits

It needs {needs}, segmented into {trained.model.method}. It is made for pages like its training data:
check its output on others. The training pages belong to their authors; none of their text is in the file.
"""


def _row(score: RowScore) -> tuple[str, ...]:
    return tuple(f"{getattr(score, name):.4f}" for name in _SCORES)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *rows))
