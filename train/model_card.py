"""The card of a model of one's own, as Markdown: what it learned from, how well it does, what it is not for."""

from __future__ import annotations

from .custom import CustomModel

#: What the scores are of.
MEASURED = (
    "Every block was judged by a support vector machine that had not seen its site. "
    "Blocks are weighed by their words, and all pages alike."
)


def model_card(made: CustomModel, name: str) -> str:
    """Return the model card: data, scores and limits of the model."""
    about = "\n".join(f"| {fact} | {value} |" for fact, value in facts(made))
    scores = "\n".join(
        f"| {what} | {getattr(made.best.score, what):.4f} |" for what in made.best.score.__dataclass_fields__
    )
    held_out = f"\nOn rows held out from everything: F1 {made.held_out.f1:.4f}.\n" if made.held_out else ""
    needs = "rendered pages" if made.model.visual else "raw HTML or rendered pages"
    return f"""# {name}

A support vector machine that tells the content of a web page from its boilerplate, block by block; made by
`blocksight train`, used by `blocksight extract --model {name}`. The file holds plain numbers; it is read without
scikit-learn, and refused where the program measures other features.

## What it was trained on

| | |
|---|---|
{about}

## On sites that it had not seen

| | |
|---|---|
{scores}

{MEASURED}
{held_out}
## What it is for, and what not

It needs {needs}, cut into {made.model.method}. It knows pages like those it was trained on: look at its answers
before you trust them on others. The pages it learned from belong to their authors; none of their text is in the file.
"""


def facts(made: CustomModel) -> list[tuple[str, str]]:
    """Return name and value of the model's metadata."""
    return [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in made.model.about.items()
        if not isinstance(value, dict)
    ]
