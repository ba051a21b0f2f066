"""The commands ``blocksight train``: a data set to a model, a system of the literature, the shipped models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import CorpusUnreadable
from ...train.settings import KERNELS, LINEAR_C, RBF_C, RBF_GAMMA, Fitting, grid
from ..command_options import FILE, FILE_THERE, FOLDER, FOLDER_THERE, CommandGroup, OneOf, read_groups
from ..console import report_errors, say

if TYPE_CHECKING:
    from ...classify.systems.learning.trainable import Learned


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


def _listed(numbers: tuple[float, ...]) -> str:
    return ",".join(f"{number:g}" for number in numbers)


@train.command("dataset", epilog="Example: blocksight train dataset mine-blocks -o mine.npz --kernel linear")
@click.argument("dataset", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", type=FILE, required=True, help="The model: NAME.npz")
@click.option(
    "--kernel",
    "kernels",
    type=OneOf(KERNELS),
    multiple=True,
    default=KERNELS,
    help="Kernels to try; may be given twice.",
)
@click.option(
    "--groups",
    callback=read_groups,
    metavar="NAME,...",
    help="Groups of features, with commas between them; by default all that the data set has.",
)
@click.option(
    "--c",
    "linear_c",
    callback=_numbers,
    default=_listed(LINEAR_C),
    help="C of the linear kernel, for 1,000 blocks: the values to try.",
)
@click.option("--rbf-c", callback=_numbers, default=_listed(RBF_C), help="The same for the RBF kernel.")
@click.option(
    "--gamma",
    callback=_numbers,
    default=_listed(RBF_GAMMA),
    help="Gamma of the RBF kernel, in parts of 1 / number of features.",
)
@click.option("--split", default="train", help="Learn from this split only; all for all.")
@click.option("--test", metavar="SPLIT", help="Score the finished model on this split, too.")
@click.option("--folds", type=click.IntRange(min=2), default=4, help="Folds of sites.")
@click.option("--blocks", type=click.IntRange(min=10), default=20_000, help="Most blocks to learn from.")
@click.option(
    "--search-blocks",
    type=click.IntRange(min=10),
    default=5_000,
    help="Most blocks to learn from while settings are compared.",
)
@click.option("--balanced", is_flag=True, help="Let content and boilerplate weigh the same.")
@click.option("--ablation/--no-ablation", default=True, help="Score each group of features.")
@click.option("--seed", type=int, default=0, help="Seed of all random choices.")
def train_dataset(
    dataset: Path,
    output: Path,
    kernels: tuple[str, ...],
    groups: tuple[str, ...],
    linear_c: tuple[float, ...],
    rbf_c: tuple[float, ...],
    gamma: tuple[float, ...],
    split: str,
    test: str | None,
    folds: int,
    blocks: int,
    search_blocks: int,
    seed: int,
    *,
    balanced: bool,
    ablation: bool,
) -> None:
    """Train a support vector machine (SVM) of your own on a data set.

    DATASET is a folder that `blocksight dataset` has made, or its blocks.parquet. The setting is chosen by its score on
    sites that were not learned from. Beside NAME.npz are written NAME.md (the model card), NAME.html (a report) and
    NAME.json (its numbers).
    """
    if output.suffix != ".npz":
        raise click.UsageError(f"-o {output}: the name must end in .npz")
    if test is not None and split in (test, "all"):
        raise click.UsageError(f"--test {test}: the model learns from that split")
    from ...train.custom import train_custom
    from ...train.examples import read_examples
    from ...train.training_report import write_reports

    search_blocks = min(search_blocks, blocks)
    fitting = Fitting(folds=folds, blocks=blocks, search_blocks=search_blocks, balanced=balanced, seed=seed)
    with report_errors():
        made = train_custom(
            read_examples(dataset, groups=groups, split=None if split == "all" else split),
            grid(kernels, linear_c, rbf_c, gamma),
            fitting,
            held_out=read_examples(dataset, groups=groups, split=test) if test else None,
            ablate=ablation,
            say=say,
        )
    output.parent.mkdir(parents=True, exist_ok=True)
    made.model.save(output)
    write_reports(made, output)
    if made.held_out is not None:
        say(f"{output}: F1 {made.held_out.f1:.4f} on the split {test}")
    say(f"{output}: {made.best.setting}, F1 {made.best.score.f1:.4f} on unseen sites")


@train.command("system", epilog="Example: blocksight train system mss corpora/news -o mss.npz")
@click.argument("name")
@click.argument("corpora", nargs=-1, required=True, type=FOLDER_THERE, metavar="CORPUS...")
@click.option("-o", "--output", type=FILE, required=True, help="The model: NAME.npz")
@click.option("--rendered", type=FOLDER, help="Keeps the rendered pages; visual systems need it.")
@click.option("--sites", type=FILE_THERE, help="Split of each site: site<TAB>split a line.")
@click.option("--limit", type=click.IntRange(1), help="At most this number of pages, the same ones every time.")
def train_system(
    name: str, corpora: tuple[Path, ...], output: Path, rendered: Path | None, sites: Path | None, limit: int | None
) -> None:
    """Train a system of the literature.

    NAME is one of the trained ones of `blocksight systems`. A corpus is a folder with gold.jsonl (a JSON object a line:
    id, gold_text, split) and pages/ID.html; only pages of the split train are used.
    """
    from ...gold.split import read_sites
    from ...train.train_system import train_system as train_on
    from ...train.train_system import trainable_named

    split = read_sites(sites) if sites else None
    try:
        system = trainable_named(name)
        fitted = train_on(system, corpora, rendered=rendered, sites=split, limit=limit, say=say)
    except (ValueError, CorpusUnreadable) as error:
        raise click.UsageError(str(error)) from error
    if fitted.model is not None:
        _save_model(fitted.model, output)


def _save_model(model: Learned, output: Path) -> None:
    try:
        model.save(output)
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror or error}") from error
    pages = sum(model.about["corpora"].values())
    say(f"{output}: {output.stat().st_size} bytes, learned from {pages} pages")


@train.command("shipped", epilog="Example: blocksight train shipped corpora --rendered pages -o classify/model")
@click.argument("corpora", type=FOLDER_THERE)
@click.option("--rendered", type=FOLDER, required=True, help="Keeps the rendered pages.")
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for blocksight.npz and blocksight-dom.npz.")
@click.option("--sites", type=FILE_THERE, help="Split of each site: site<TAB>split a line.")
@click.option("--only", type=OneOf(("visual", "dom")), help="Train one of the two models.")
@click.option("--workers", type=click.IntRange(min=1), default=2, help="Pages measured at once.")
def train_shipped(
    corpora: Path, rendered: Path, output: Path, sites: Path | None, only: str | None, workers: int
) -> None:
    """Train the two models that blocksight ships.

    CORPORA is a folder with one folder a corpus. Only pages of the split train are used. They are rendered once,
    offline, and kept in the folder given by --rendered; a second run starts from there. The same pages give the same
    numbers.
    """
    from ...gold.split import read_sites
    from ...train.shipped import train_shipped as train_both

    with report_errors():
        split = read_sites(sites) if sites else None
        train_both(corpora, rendered=rendered, out=output, sites=split, only=only, processes=workers)


@train.command(
    "page-types", epilog="Example: blocksight train page-types corpora/types -o document/records/page-types.npz"
)
@click.argument("corpora", nargs=-1, required=True, type=FOLDER_THERE, metavar="CORPUS...")
@click.option("-o", "--output", type=FILE, required=True, help="The model: NAME.npz")
@click.option("--workers", type=click.IntRange(min=1), default=2, help="Pages measured at once.")
def train_page_types(corpora: tuple[Path, ...], output: Path, workers: int) -> None:
    """Train what tells types of pages (article, thread, listing ...) and sets of records.

    Pages of the split train whose entries in gold.jsonl state a page_type are learned from, as raw HTML.
    """
    from ...train.page_types import train_page_types as train_on

    with report_errors():
        model = train_on(corpora, processes=workers, say=say)
    try:
        model.save(output)
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror or error}") from error
    say(f"{output}: {output.stat().st_size} bytes, {model.about}")
