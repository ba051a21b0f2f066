"""The commands ``blocksight train``, a data set to a model, and ``train-system``, a corpus to one of the literature."""

from __future__ import annotations

from pathlib import Path

import click

from ...classify.systems.learning.trainable import Learned
from ...gold.split import read_sites
from ...render.errors import BlocksightError, CorpusUnreadable
from ...train.examples import read_examples
from ...train.settings import KERNELS, LINEAR_C, RBF_C, RBF_GAMMA, Fitting, grid
from ..failure import Failed, complain
from .dataset import read_groups


def _numbers(_: click.Context, __: click.Parameter, value: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in value.split(","))
    except ValueError as error:
        raise click.BadParameter("should be numbers parted by commas") from error
    if min(numbers) <= 0:
        raise click.BadParameter("should be above 0")
    return numbers


def _listed(numbers: tuple[float, ...]) -> str:
    return ",".join(f"{number:g}" for number in numbers)


@click.command(epilog="Example: blocksight train mine-blocks -o mine.npz --kernel linear")
@click.argument("dataset", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="NAME.npz")
@click.option("--kernel", "kernels", type=click.Choice(KERNELS), multiple=True, default=KERNELS, show_default=True)
@click.option(
    "--groups", callback=read_groups, help="Feature groups, parted by commas; by default all that the data set has."
)
@click.option(
    "--c",
    "linear_c",
    callback=_numbers,
    default=_listed(LINEAR_C),
    show_default=True,
    help="Linear C, for 1,000 blocks.",
)
@click.option(
    "--rbf-c", callback=_numbers, default=_listed(RBF_C), show_default=True, help="C of the RBF kernel, likewise."
)
@click.option(
    "--gamma",
    callback=_numbers,
    default=_listed(RBF_GAMMA),
    show_default=True,
    help="Gamma of the RBF kernel, in parts of 1 / number of features.",
)
@click.option("--split", default="train", show_default=True, help="Learn from this split only; all for all.")
@click.option("--test", metavar="SPLIT", help="Score the finished model on this split, too.")
@click.option("--folds", type=click.IntRange(min=2), default=4, show_default=True, help="Folds of sites.")
@click.option("--blocks", type=click.IntRange(min=10), default=20_000, show_default=True, help="To learn from at most.")
@click.option(
    "--search-blocks", type=click.IntRange(min=10), default=5_000, show_default=True, help="The same in the grid."
)
@click.option("--balanced", is_flag=True, help="Let content and boilerplate weigh the same.")
@click.option("--ablation/--no-ablation", default=True, show_default=True, help="Score each group of features.")
@click.option("--seed", type=int, default=0, show_default=True)
def train(
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
    """Train a support vector machine on the Parquet file of a data set.

    DATASET is a folder that `blocksight dataset` has made, or its blocks.parquet. The setting is chosen on sites
    that were not seen. Beside NAME.npz are written NAME.md (the model card), NAME.html (a report) and NAME.json (its
    numbers).
    """
    if output.suffix != ".npz":
        raise click.UsageError(f"-o {output}: the name must end in .npz")
    if test is not None and split in (test, "all"):
        raise click.UsageError(f"--test {test}: the model learns from that split")
    # Other commands do without scikit-learn, which takes a second to import.
    from ...train.own import train_own
    from ...train.report import write_reports

    search_blocks = min(search_blocks, blocks)
    fitting = Fitting(folds=folds, blocks=blocks, search_blocks=search_blocks, balanced=balanced, seed=seed)
    try:
        examples = read_examples(dataset, groups=groups, split=None if split == "all" else split)
        made = train_own(
            examples,
            grid(kernels, linear_c, rbf_c, gamma),
            fitting,
            held_out=read_examples(dataset, groups=groups, split=test) if test else None,
            ablate=ablation,
            say=lambda line: click.echo(line, err=True),
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except BlocksightError as error:
        complain("blocksight", str(error))
        raise Failed("") from error
    output.parent.mkdir(parents=True, exist_ok=True)
    made.model.save(output)
    write_reports(made, output)
    if made.held_out is not None:
        click.echo(f"{output}: F1 {made.held_out.f1:.4f} on the split {test}", err=True)
    click.echo(f"{output}: {made.best.setting}, F1 {made.best.score.f1:.4f} on unseen sites", err=True)


@click.command("train-system", epilog="Example: blocksight train-system mss corpora/news -o mss.npz")
@click.argument("name")
@click.argument("corpora", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="An .npz file.")
@click.option("--rendered", type=click.Path(file_okay=False, path_type=Path), help="Keeps rendered pages (visual).")
@click.option("--sites", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="site<TAB>split a line.")
@click.option("--limit", type=click.IntRange(1), help="At most so many pages, always the same ones.")
def train_system(
    name: str, corpora: tuple[Path, ...], output: Path, rendered: Path | None, sites: Path | None, limit: int | None
) -> None:
    """Train a system of the literature anew.

    NAME is one of the trained ones of `blocksight systems`. A corpus is a folder in one of the usual forms, for example
    gold.jsonl (a JSON object a line: id, gold_text, split) and pages/ID.html; only pages of the split train are used.
    """
    # scikit-learn is for training alone.
    from ...train.systems import train_system as train_system_on
    from ...train.systems import trainable_named

    split = read_sites(sites) if sites else None
    try:
        system = trainable_named(name)
        fitted = train_system_on(system, corpora, rendered=rendered, sites=split, limit=limit, say=_progress)
    except (ValueError, CorpusUnreadable) as error:
        raise click.UsageError(str(error)) from error
    if fitted.model is not None:
        _save_model(fitted.model, output)


def _progress(line: str) -> None:
    click.echo(line, err=True)


def _save_model(model: Learned, output: Path) -> None:
    try:
        model.save(output)
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror or error}") from error
    pages = sum(model.about["corpora"].values())
    click.echo(f"{output}: {output.stat().st_size} bytes, learned from {pages} pages", err=True)
