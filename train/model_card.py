"""Model cards of custom models, as Markdown."""

from __future__ import annotations

from .custom import CustomModel

#: How the scores were computed.
MEASURED = (
    "Every block was classified by a support vector machine that was not trained on its site. "
    "Blocks are weighted by their words, and all pages alike."
)


def model_card(made: CustomModel, name: str) -> str:
    """Return the model card: data, scores and limits of the model."""
    about = "\n".join(f"| {fact} | {value} |" for fact, value in facts(made))
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


def facts(made: CustomModel) -> list[tuple[str, str]]:
    """Return name and value of the model's metadata."""
    return [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in made.model.about.items()
        if not isinstance(value, dict)
    ]
