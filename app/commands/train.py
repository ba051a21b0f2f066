"""The commands ``blocksight train``: a model from a data set, a system of the literature, the shipped models."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ...errors import CorpusUnreadable
from ..command_options import FILE, FOLDER, FOLDER_THERE, CommandGroup, OneOf, ends_in, read_groups
from ..command_options import sites as sites_option
from ..console import report_errors, say

_ENDS = partial(ends_in, ".npz")
_MODEL = click.option("-o", "--output", type=FILE, required=True, callback=_ENDS, help="The model: NAME.npz")


@click.group(cls=CommandGroup)
def train() -> None:
    """Train a model: your own, a system of the literature, or the shipped ones."""


def _numbers(_: click.Context, __: click.Parameter, value: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in value.split(","))
    except ValueError as error:
        raise click.BadParameter("should be numbers with commas between them") from error
    if min(numbers) <= 0:
        raise click.BadParameter("should be above 0")
    return numbers


@train.command("dataset", epilog="Example: blocksight train dataset mine-blocks -o mine.npz")
@click.argument("dataset", type=click.Path(exists=True, path_type=Path))
@_MODEL
@click.option(
    "--groups",
    callback=read_groups,
    metavar="NAME,...",
    help="Groups of features, separated by commas; by default all of the data set.",
)
@click.option("--c", callback=_numbers, default="0.0003,0.001,0.01,0.1", help="Values of C to try, for 1,000 blocks.")
@click.option("--split", default="train", help="Train on this split only; all for all.")
@click.option("--test", metavar="SPLIT", help="Also score the model on this split.")
@click.option("--folds", type=click.IntRange(min=2), default=4, help="Folds of sites.")
@click.option("--seed", type=int, default=0, help="Seed of all random choices.")
def train_dataset(
    dataset: Path,
    output: Path,
    groups: tuple[str, ...],
    c: tuple[float, ...],
    split: str,
    test: str | None,
    **options: Any,
) -> None:
    """Train a support vector machine (SVM) of your own on a data set.

    DATASET is a folder of `blocksight dataset`, or its blocks.parquet. C is chosen by its score on held-out sites.
    The model has what it learned from, the scores of each C, and those on the split of --test, as `about`.
    """
    if test is not None and split in (test, "all"):
        raise click.UsageError(f"--test {test}: the model is trained on that split")
    from ...train.custom import train_custom
    from ...train.examples import read_examples

    with report_errors():
        model = train_custom(
            read_examples(dataset, groups=groups, split=None if split == "all" else split),
            c,
            **options,
            held_out=read_examples(dataset, groups=groups, split=test) if test else None,
            say=say,
        )
    output.parent.mkdir(parents=True, exist_ok=True)
    model.save(output)
    about = model.about
    if test:
        say(f"{output}: F1 {about['held out']['f1']:.4f} on the split {test}")
    say(f"{output}: C = {about['C']:g}, F1 {about['on unseen sites']['f1']:.4f} on held-out sites")


@train.command("system", epilog="Example: blocksight train system mss corpora/news -o mss.npz")
@click.argument("name")
@click.argument("corpora", nargs=-1, required=True, type=FOLDER_THERE, metavar="CORPUS...")
@_MODEL
@click.option("--rendered", type=FOLDER, help="Folder of the rendered pages; visual systems need it.")
@sites_option
@click.option("--limit", type=click.IntRange(1), help="Maximum number of pages (always the same sample).")
def train_system(name: str, corpora: tuple[Path, ...], output: Path, **options: Any) -> None:
    """Train a system of the literature.

    NAME is a trained system of `blocksight systems`. A corpus is a folder with gold.jsonl (one JSON object per line:
    id, gold_text, split) and pages/ID.html; only pages of the split train are used.
    """
    from ...train.train_system import train_system as train_on
    from ...train.train_system import trainable_named

    try:
        fitted = train_on(trainable_named(name), corpora, **options, say=say)
    except (ValueError, CorpusUnreadable) as error:
        raise click.UsageError(str(error)) from error
    if fitted.model is not None:
        try:
            fitted.model.save(output)
        except OSError as error:
            raise click.ClickException(f"{output}: cannot be written: {error.strerror or error}") from error
        pages = sum(fitted.model.about["corpora"].values())
        say(f"{output}: {output.stat().st_size} bytes, trained on {pages} pages")


@train.command("shipped", epilog="Example: blocksight train shipped corpora --rendered pages -o classify/model")
@click.argument("corpora", type=FOLDER_THERE)
@click.option("--rendered", type=FOLDER, required=True, help="Folder of the rendered pages.")
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for the models.")
@sites_option
@click.option("--only", type=OneOf(("visual", "dom", "page-types", "threads")), help="Train these models only.")
@click.option("--articles", multiple=True, metavar="NAME", help="A corpus of articles alone; may be repeated.")
@click.option("--workers", type=click.IntRange(min=1), default=2, help="Concurrent pages.")
def train_shipped(corpora: Path, output: Path, workers: int, **options: Any) -> None:
    """Train the models that blocksight ships.

    CORPORA is a folder with one folder per corpus. Only pages of the split train are used. They are rendered once,
    offline, and kept in the folder of --rendered for later runs. The same pages give the same models.

    The model of rendered pages is visual. In the training of that for raw HTML (dom), articles weigh less, by their
    page_type and by --articles. The models of page-types learn from pages with a page_type, and the choice of posts as
    content (threads) from pages that have posts.
    """
    from ...train.shipped import train_shipped as train_all

    with report_errors():
        train_all(corpora, out=output, processes=workers, **options)
