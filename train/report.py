"""What training found, for people: a report as one HTML file, and a model card as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import numpy as np
from sklearn.metrics import precision_recall_curve

from ..render.files import write_text
from .charts import bars, confusion, curve
from .fitting import Score
from .learn import Learned

_LABELS = ("content", "boilerplate")
#: Points of a curve that are drawn.
_POINTS = 200


def report(learned: Learned, title: str) -> str:
    """Write the report: self-contained HTML, nothing is loaded."""
    names = ("", "precision", "recall", "F1", "accuracy", "average precision")
    scores = [("sites not seen", *_row(learned.best.score))]
    if learned.held_out is not None:
        scores.append(("held out", *_row(learned.held_out)))
    trials = [(str(trial.setting), *_row(trial.score)) for trial in learned.trials]
    sections = [
        ("Data", _table(("", ""), _facts(learned))),
        ("On sites that it had not seen", _table(names, scores) + f"<p>{_MEASURED}</p>"),
        ("Right and wrong", confusion(_confused(learned), _LABELS) + "<p>Rows: as labelled; columns: as found.</p>"),
        ("Precision over recall", curve(_precision_recall(learned), across="recall", up="precision")),
        (
            "Calibration",
            curve(
                [(mean, share) for mean, share, _ in learned.reliability],
                across="probability", up="share of content", dots=True, diagonal=True,
            ),
        ),
        ("Settings tried", _table(("setting", *names[1:]), trials)),
        ("Groups of features", _groups(learned)),
    ]  # fmt: skip
    body = "\n".join(f"<h2>{escape(name)}</h2>\n{content}" for name, content in sections if content)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(title)}</title>
<style>
body {{ font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }}
table {{ border-collapse: collapse; }}
td, th {{ padding: .2em .8em .2em 0; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }}
</style>
</head>
<body>
<h1>{escape(title)}</h1>
{body}
</body>
</html>
"""


_MEASURED = (
    "Every block was judged by a machine that had not seen its site. "
    "Blocks are weighed by their words, and all pages alike."
)


def card(learned: Learned, name: str) -> str:
    """Write the model card: what the model is, what it learned from, how well it does, what it is not for."""
    facts = "\n".join(f"| {fact} | {value} |" for fact, value in _facts(learned))
    scores = "\n".join(
        f"| {what} | {getattr(learned.best.score, what):.4f} |" for what in learned.best.score.__dataclass_fields__
    )
    held_out = f"\nOn rows held out from everything: F1 {learned.held_out.f1:.4f}.\n" if learned.held_out else ""
    needs = "rendered pages" if learned.model.visual else "raw HTML or rendered pages"
    return f"""# {name}

A support vector machine that tells the content of a web page from its boilerplate, block by block; made by
`blocksight train`, used by `blocksight extract --model {name}`. The file holds plain numbers; it is read without
scikit-learn, and refused where the program measures other features.

## What it was trained on

| | |
|---|---|
{facts}

## On sites that it had not seen

| | |
|---|---|
{scores}

{_MEASURED}
{held_out}
## What it is for, and what not

It needs {needs}, cut into {learned.model.method}. It knows pages like those it was trained on: look at its answers
before you trust them on others. The pages it learned from belong to their authors; none of their text is in the file.
"""


def _facts(learned: Learned) -> list[tuple[str, str]]:
    return [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in learned.model.about.items()
        if not isinstance(value, dict)
    ]


def _row(score: Score) -> tuple[str, ...]:
    values = (score.precision, score.recall, score.f1, score.accuracy, score.average_precision)
    return tuple(f"{value:.4f}" for value in values)


def _confused(learned: Learned) -> list[list[float]]:
    weight, label, found = learned.examples.weights(), learned.examples.label, learned.best.decisions > 0
    shares = []
    for truth in (True, False):
        total = max(float(weight[label == truth].sum()), 1e-12)
        shares.append([float(weight[(label == truth) & (found == guess)].sum()) / total for guess in (True, False)])
    return shares


def _precision_recall(learned: Learned) -> list[tuple[float, float]]:
    precision, recall, _ = precision_recall_curve(
        learned.examples.label, learned.best.decisions, sample_weight=learned.examples.weights()
    )
    some = np.unique(np.linspace(0, len(recall) - 1, _POINTS).astype(int))
    return list(zip(recall[some].tolist(), precision[some].tolist(), strict=True))


def _groups(learned: Learned) -> str:
    if not learned.groups:
        return ""
    whole = next(trial for trial in learned.trials if trial.setting == learned.best.setting).score.f1
    lost = sorted(
        ((name, whole - without.f1) for name, (without, _) in learned.groups.items()), key=lambda one: -one[1]
    )
    rows = [(name, f"{without.f1:.4f}", f"{alone.f1:.4f}") for name, (without, alone) in learned.groups.items()]
    return bars(lost, what="F1 lost without the group") + _table(("group", "F1 without it", "F1 of it alone"), rows)


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def write_reports(learned: Learned, model: Path) -> None:
    """Write the model card (``.md``), the report (``.html``) and its numbers (``.json``) beside a model's file."""
    write_text(model.with_suffix(".md"), card(learned, model.name))
    write_text(model.with_suffix(".html"), report(learned, f"Training of {model.name}"))
    write_text(model.with_suffix(".json"), machine_readable(learned) + "\n")


def machine_readable(learned: Learned) -> str:
    """Return every number of the report as JSON."""
    return json.dumps(
        {
            "about": learned.model.about,
            "settings": [{"setting": str(trial.setting)} | _scores(trial.score) for trial in learned.trials],
            "chosen": {"setting": str(learned.best.setting)} | _scores(learned.best.score),
            "held out": None if learned.held_out is None else _scores(learned.held_out),
            "confusion": _confused(learned),
            "calibration": learned.reliability,
            "groups": {
                name: {"without": _scores(without), "alone": _scores(alone)}
                for name, (without, alone) in learned.groups.items()
            },
        },
        indent=1,
    )


def _scores(score: Score) -> dict[str, float]:
    return {name: getattr(score, name) for name in score.__dataclass_fields__}
