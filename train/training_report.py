"""Reports of training: one HTML file with charts, its numbers as JSON, and the model card."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import numpy as np
from sklearn.metrics import precision_recall_curve

from ..files.atomic import write_text
from .custom import CustomModel
from .grid_search import RowScore

_LABELS = ("content", "boilerplate")
#: Points of a curve that are drawn.
_POINTS = 200


#: How the scores were computed.
MEASURED = (
    "Every block was classified by a support vector machine that was not trained on its site. "
    "Blocks are weighted by their words, and all pages alike."
)


def model_card(made: CustomModel, name: str) -> str:
    """Return the model card: data, scores and limits of the model."""
    about = "\n".join(f"| {fact} | {value} |" for fact, value in _facts(made))
    scores = "\n".join(
        f"| {what} | {getattr(made.best.score, what):.4f} |" for what in made.best.score.__dataclass_fields__
    )
    held_out = f"\nOn held-out rows: F1 {made.held_out.f1:.4f}.\n" if made.held_out else ""
    needs = "rendered pages" if made.model.visual else "raw HTML or rendered pages"
    return f"""# {name}

A support vector machine that separates the content of a web page from its boilerplate, block by block; trained with
`blocksight train`, used with `blocksight extract --model {name}`. The file has plain numbers; it is read without
scikit-learn, and rejected by versions of the program with other features.

## Training data

| | |
|---|---|
{about}

## Scores on unseen sites

| | |
|---|---|
{scores}

{MEASURED}
{held_out}
## Intended use and limits

It needs {needs}, segmented into {made.model.method}. It is made for pages like its training data: check its output on
others. The training pages belong to their authors; none of their text is in the file.
"""


def _facts(made: CustomModel) -> list[tuple[str, str]]:
    return [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in made.model.about.items()
        if not isinstance(value, dict)
    ]


def report(made: CustomModel, title: str) -> str:
    """Return the report as self-contained HTML."""
    names = ("", "precision", "recall", "F1", "accuracy", "average precision")
    scores = [("unseen sites", *_row(made.best.score))]
    if made.held_out is not None:
        scores.append(("held out", *_row(made.held_out)))
    trials = [(str(trial.setting), *_row(trial.score)) for trial in made.trials]
    sections = [
        ("Data", _table(("", ""), _facts(made))),
        ("Scores on unseen sites", _table(names, scores) + f"<p>{MEASURED}</p>"),
        ("Confusion matrix", confusion(_confused(made), _LABELS) + "<p>Rows: labels; columns: predictions.</p>"),
        ("Precision over recall", curve(_precision_recall(made), across="recall", up="precision")),
        (
            "Calibration",
            curve(
                [(mean, share) for mean, share, _ in made.reliability],
                across="probability", up="share of content", dots=True, diagonal=True,
            ),
        ),
        ("Settings tried", _table(("setting", *names[1:]), trials)),
        ("Groups of features", _groups(made)),
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


def _row(score: RowScore) -> tuple[str, ...]:
    values = (score.precision, score.recall, score.f1, score.accuracy, score.average_precision)
    return tuple(f"{value:.4f}" for value in values)


def _confused(made: CustomModel) -> list[list[float]]:
    weight, label, prediction = made.examples.weights(), made.examples.label, made.best.decisions > 0
    shares = []
    for truth in (True, False):
        total = max(float(weight[label == truth].sum()), 1e-12)
        shares.append(
            [float(weight[(label == truth) & (prediction == value)].sum()) / total for value in (True, False)]
        )
    return shares


def _precision_recall(made: CustomModel) -> list[tuple[float, float]]:
    precision, recall, _ = precision_recall_curve(
        made.examples.label, made.best.decisions, sample_weight=made.examples.weights()
    )
    some = np.unique(np.linspace(0, len(recall) - 1, _POINTS).astype(int))
    return list(zip(recall[some].tolist(), precision[some].tolist(), strict=True))


def _groups(made: CustomModel) -> str:
    if not made.groups:
        return ""
    whole = next(trial for trial in made.trials if trial.setting == made.best.setting).score.f1
    lost = sorted(((name, whole - without.f1) for name, (without, _) in made.groups.items()), key=lambda row: -row[1])
    rows = [(name, f"{without.f1:.4f}", f"{alone.f1:.4f}") for name, (without, alone) in made.groups.items()]
    return bars(lost, what="F1 lost without the group") + _table(("group", "F1 without it", "F1 of it alone"), rows)


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def write_reports(made: CustomModel, model: Path) -> None:
    """Write the model card (``.md``), the report (``.html``) and its numbers (``.json``) next to a model's file."""
    write_text(model.with_suffix(".md"), model_card(made, model.name))
    write_text(model.with_suffix(".html"), report(made, f"Training of {model.name}"))
    write_text(model.with_suffix(".json"), numbers_json(made) + "\n")


def numbers_json(made: CustomModel) -> str:
    """Return all numbers of the report as JSON."""
    return json.dumps(
        {
            "about": made.model.about,
            "settings": [{"setting": str(trial.setting)} | _scores(trial.score) for trial in made.trials],
            "chosen": {"setting": str(made.best.setting)} | _scores(made.best.score),
            "held out": None if made.held_out is None else _scores(made.held_out),
            "confusion": _confused(made),
            "calibration": made.reliability,
            "groups": {
                name: {"without": _scores(without), "alone": _scores(alone)}
                for name, (without, alone) in made.groups.items()
            },
        },
        indent=1,
    )


def _scores(score: RowScore) -> dict[str, float]:
    return {name: getattr(score, name) for name in score.__dataclass_fields__}


# -- charts, as SVG ---------------------------------------------------------------------------------------------------

#: Side of a square chart, and the margin for its labels, in pixels.
SIDE, MARGIN = 260, 40
_INK, _GRID, _LINE = "#333", "#ddd", "#0072b2"
_RIGHT, _WRONG = "0,114,178", "213,94,0"


def curve(
    points: Sequence[tuple[float, float]], *, across: str, up: str, dots: bool = False, diagonal: bool = False
) -> str:
    """Draw a line through points between 0 and 1."""
    places = [(MARGIN + x * SIDE, 10 + (1 - y) * SIDE) for x, y in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [_frame(across, up)]
    if diagonal:
        parts.append(f'<line x1="{MARGIN}" y1="{10 + SIDE}" x2="{MARGIN + SIDE}" y2="10" stroke="{_GRID}"/>')
    parts.append(f'<polyline points="{path}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    if dots:
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_LINE}"/>' for x, y in places]
    return _svg(SIDE + MARGIN + 20, SIDE + MARGIN + 10, parts)


def _frame(across: str, up: str) -> str:
    lines = []
    for step in range(6):
        at = step / 5
        x, y = MARGIN + at * SIDE, 10 + (1 - at) * SIDE
        lines.append(f'<line x1="{MARGIN}" y1="{y}" x2="{MARGIN + SIDE}" y2="{y}" stroke="{_GRID}"/>')
        lines.append(f'<text x="{MARGIN - 5}" y="{y + 4}" text-anchor="end">{at:.1f}</text>')
        lines.append(f'<text x="{x}" y="{SIDE + 24}" text-anchor="middle">{at:.1f}</text>')
    middle = MARGIN + SIDE / 2
    lines.append(f'<text x="{middle}" y="{SIDE + 42}" text-anchor="middle">{escape(across)}</text>')
    lines.append(
        f'<text transform="translate(10 {10 + SIDE / 2}) rotate(-90)" text-anchor="middle">{escape(up)}</text>'
    )
    return "".join(lines)


def bars(values: Sequence[tuple[str, float]], *, what: str) -> str:
    """Draw a horizontal bar for each value, negative ones to the left in another colour."""
    most = max((abs(value) for _, value in values), default=0.0) or 1.0
    width, zero, height = 240, 240, 22
    parts = [f'<text x="{zero}" y="14" text-anchor="middle">{escape(what)}</text>']
    for number, (name, value) in enumerate(values):
        top, long = 24 + number * height, abs(value) / most * width / 2
        color = _LINE if value >= 0 else f"rgb({_WRONG})"
        left = zero if value >= 0 else zero - long
        parts.append(f'<text x="110" y="{top + 13}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="{left:.1f}" y="{top}" width="{max(long, 1):.1f}" height="16" fill="{color}"/>')
        parts.append(f'<text x="{zero + width / 2 + 8}" y="{top + 13}">{value:+.4f}</text>')
    return _svg(zero + width // 2 + 70, 34 + len(values) * height, parts)


def confusion(shares: Sequence[Sequence[float]], names: Sequence[str]) -> str:
    """Draw a square for each pair of reference (rows) and prediction (columns), darker for larger shares."""
    cell, left = 110, 110
    parts = []
    for row, values in enumerate(shares):
        parts.append(f'<text x="{left - 8}" y="{90 + row * cell}" text-anchor="end">{escape(names[row])}</text>')
        parts.append(f'<text x="{left + (row + 0.5) * cell}" y="24" text-anchor="middle">{escape(names[row])}</text>')
        for column, share in enumerate(values):
            x, y = left + column * cell, 34 + row * cell
            color = f"rgba({_RIGHT if row == column else _WRONG},{0.08 + 0.92 * min(share * 1.2, 1):.2f})"
            ink = "#fff" if share > 0.5 else _INK
            parts.append(f'<rect x="{x}" y="{y}" width="{cell - 4}" height="{cell - 4}" fill="{color}"/>')
            middle = f'x="{x + cell / 2 - 2}" y="{y + cell / 2 + 4}" text-anchor="middle"'
            parts.append(f'<text {middle} fill="{ink}">{share:.1%}</text>')
    return _svg(left + cell * len(shares), 40 + cell * len(shares), parts)


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    style = f'font-family="sans-serif" font-size="12" fill="{_INK}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {style}>{"".join(parts)}</svg>'
