"""The command ``blocksight dataset``: a corpus to a data set of blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ...classify.corpora import GoldPage, read_corpus, read_sites, sample
from ...features.export.dataset import TextColumn
from ...features.papers.speech import tagger_is_installed
from ...features.table import BUNDLES, GROUP_NAMES, TAGGED
from ...gold.labels import ALIGNMENTS
from ...gold.rendered import OFFLINE
from ...render.errors import BlocksightError
from ...segment.methods import METHODS
from ...train.dataset import DATASET_FORMATS, Step, balance, build
from ...train.dataset_parts import Plan, Work
from ..failure import Failed, complain
from ..options import viewport
from ..sources import progress

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


def read_groups(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Read names of feature groups, or of families of groups, parted by commas; without the option, none."""
    if value is None:
        return ()
    names = [name.strip() for name in value.split(",") if name.strip()]
    unknown = [name for name in names if name not in GROUP_NAMES and name not in BUNDLES]
    if unknown or not names:
        known = ", ".join((*GROUP_NAMES, *BUNDLES))
        raise click.BadParameter(f"no such group: {', '.join(unknown)}; there are {known}")
    wanted = {group for name in names for group in BUNDLES.get(name, (name,))}
    return tuple(group for group in GROUP_NAMES if group in wanted)


@click.command(epilog="Example: blocksight dataset corpora/mine -o mine-blocks --format parquet --format huggingface")
@click.argument(
    "corpora",
    nargs=-1,
    required=True,
    metavar="CORPUS...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("-o", "--output", type=_FOLDER, required=True, help="Folder of the data set; an ended run goes on in it.")
@click.option(
    "--format", "formats", type=click.Choice(DATASET_FORMATS), multiple=True, default=("parquet",), show_default=True
)
@click.option(
    "--groups", callback=read_groups, default="all", show_default=True, help="Feature groups, parted by commas."
)
@click.option(
    "--method",
    type=click.Choice(tuple(METHODS)),
    default="paragraphs",
    show_default=True,
    help="How pages are cut into blocks.",
)
@click.option(
    "--text",
    type=click.Choice(("text", "hash", "none")),
    default="text",
    show_default=True,
    help="What is told of a block's text.",
)
@click.option(
    "--align",
    type=click.Choice(tuple(ALIGNMENTS)),
    default="words",
    show_default=True,
    help="How a gold text is laid along the page.",
)
@click.option(
    "--threshold", type=click.FloatRange(0, 1, min_open=True), default=0.5, show_default=True,
    help="Least share of a block that the gold must hold.",
)  # fmt: skip
@click.option("--split", help="Only pages of this split.")
@click.option(
    "--sites", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Splits: site<TAB>split a line."
)
@click.option("--limit", type=click.IntRange(min=1), help="So many pages a corpus, the same ones every time.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Pages worked on at once.")
@click.option("--rendered", type=_FOLDER, help="Keeps the rendered pages; by default OUTPUT/pages.")
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: visual columns stay empty.")
@click.option("--browser", metavar="PROGRAM", help="Use this browser instead of looking for one.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=20.0, show_default=True, help="Seconds a page."
)
@click.option("--viewport", callback=viewport, default="1280x800", show_default=True, help="Size of the window.")
@click.option("--online", is_flag=True, help="Let the saved pages load from the network what they lack.")
def dataset(
    corpora: tuple[Path, ...],
    output: Path,
    formats: tuple[str, ...],
    groups: tuple[str, ...],
    method: str,
    text: TextColumn,
    align: str,
    threshold: float,
    split: str | None,
    sites: Path | None,
    limit: int | None,
    workers: int,
    rendered: Path | None,
    *,
    no_browser: bool,
    browser: str | None,
    timeout: float,
    viewport: tuple[int, int],
    online: bool,
) -> None:
    """Make a data set of blocks out of corpora.

    CORPUS is a folder with gold.jsonl (a line a page: id, gold_text or must_have and must_not or labels; split, url,
    domain, encoding where known) and pages/ID.html. Each page is rendered and measured once; a run that was ended goes
    on where it was, and another format is written without measuring again.
    """
    if len({corpus.name for corpus in corpora}) < len(corpora):
        raise click.UsageError("two corpora have the same name: pages are called after it; rename a folder")
    try:
        plan = Plan(
            groups=groups,
            method=method,
            text=text,
            align=align,
            threshold=threshold,
            static=no_browser,
            viewport=viewport,
        )
        pages = [gold for corpus in corpora for gold in _pages(corpus, sites, split, limit)]
    except (ValueError, FileNotFoundError) as error:
        raise click.UsageError(str(error)) from error
    if not pages:
        raise click.UsageError(f"no pages with gold{f' of the split {split}' if split else ''} in there")
    if set(TAGGED) & set(groups) and not tagger_is_installed():
        click.echo("parts of speech stay empty: for these, pip install 'blocksight[speech]'", err=True)
    work = Work(pages=pages, folder=output, rendered=rendered or output / "pages", plan=plan)
    options = replace(
        OFFLINE, offline=not online, timeout=timeout, viewport=viewport, screenshot="full" if "coco" in formats else "",
        allow_private=any(gold.url_path for gold in pages),
    )  # fmt: skip
    failures: dict[str, str] = {}
    with progress(len(pages)) as bar:

        def show(step: Step) -> None:
            bar.update(bar.task_ids[0], description=step.what, completed=step.done, total=step.total)
            if step.why:
                complain(step.page, step.why)

        try:
            failures = build(
                work,
                formats,
                options=options,
                executable=browser,
                workers=workers,
                progress=show,
            )
        except BlocksightError as error:
            complain("blocksight", str(error))
            raise Failed("") from error
        except ValueError as error:
            raise click.UsageError(str(error)) from error
    _report(work, formats)
    if failures:
        raise Failed("")


def _pages(corpus: Path, sites: Path | None, split: str | None, limit: int | None) -> list[GoldPage]:
    pages = list(read_corpus(corpus, read_sites(sites) if sites else None, any_gold=True))
    pages = [gold for gold in pages if split in (None, gold.split)]
    if limit is None:
        return pages
    chosen = {gold.id for gold in sample(pages, limit)}
    return [gold for gold in pages if gold.id in chosen]


def _report(work: Work, formats: tuple[str, ...]) -> None:
    made = work.dataset()
    counts = balance(made)
    rows = ", ".join(f"{number} {name}" for name, number in counts.items())
    click.echo(
        f"{work.folder}: {sum(counts.values())} blocks ({rows}), {len(made.features)} features, {', '.join(formats)}",
        err=True,
    )
