"""The command ``blocksight dataset``: a data set of blocks from corpora."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ...errors import CorpusUnreadable
from ...features.dataset_files import FORMATS
from ...gold.corpora import read_corpus
from ...gold.pages import GoldPage, sample
from ...gold.rendered import OFFLINE
from ...gold.split import split_by_site, states_splits
from ...segment.methods import METHODS
from ...train.build_dataset import PageRowStore, Plan, build_dataset, count_labels
from ..command_options import CORPUS_THERE, FOLDER, OneOf, read_groups, setting, viewport
from ..command_options import browser as browser_option
from ..command_options import sites as sites_option
from ..console import Failed, ProgressBar, complain, report_errors, say


@click.command(epilog="Example: blocksight dataset corpora/mine -o mine-blocks --format parquet --format csv")
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS...", type=CORPUS_THERE)
@click.option(
    "-o", "--output", type=FOLDER, required=True, help="Folder of the data set; an interrupted run continues in it."
)
@click.option(
    "--format",
    "formats",
    type=OneOf(tuple(FORMATS)),
    multiple=True,
    default=("parquet",),
    help="May be given several times.",
)
@click.option(
    "--groups",
    callback=read_groups,
    default="all",
    metavar="NAME,...",
    help="Groups of features, with commas between them.",
)
@click.option("--method", type=OneOf(tuple(METHODS)), default="paragraphs", help="How pages are cut into blocks.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.5,
    help="Smallest share of a block's words in the gold for it to be content.",
)
@click.option("--split", help="Only pages of this split.")
@sites_option
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of pages per corpus (a fixed sample).")
@click.option("--workers", type=click.IntRange(min=1), default=2, help="Concurrent pages.")
@click.option("--rendered", type=FOLDER, help="Folder of the rendered pages; by default OUTPUT/pages.")
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: visual columns stay empty.")
@browser_option
@setting("timeout", "Seconds for one page.", of=OFFLINE, type=click.FloatRange(min=0, min_open=True))
@setting("viewport", "Size of the window.", of=OFFLINE, callback=viewport)
@click.option("--online", is_flag=True, help="Let pages load missing resources from the network.")
def dataset(
    corpora: tuple[Path, ...], output: Path, formats: tuple[str, ...], split: str | None, **options: Any
) -> None:
    """Make a data set of blocks out of corpora.

    CORPUS is a folder in one of the usual forms, for example gold.jsonl (one line per page: id, gold_text or must_have
    and must_not or labels; optionally split, url, domain, encoding) and pages/ID.html. Each page is rendered and
    measured once. Called again, it continues an interrupted run, and writes other formats without measuring again.
    """
    if len({corpus.name for corpus in corpora}) < len(corpora):
        raise click.UsageError("two corpora have the same name, which is part of the names of pages: rename a folder")
    try:
        names = ("groups", "method", "threshold", "viewport")
        plan = Plan(static=options["no_browser"], **{name: options[name] for name in names})
        pages = [gold for corpus in corpora for gold in _pages(corpus, options["sites"], split, options["limit"])]
    except (ValueError, CorpusUnreadable) as error:
        raise click.UsageError(str(error)) from error
    if not pages:
        raise click.UsageError(f"there are no pages with gold{f' of the split {split}' if split else ''}")
    work = PageRowStore(pages=pages, folder=output, rendered=options["rendered"] or output / "pages", plan=plan)
    render = replace(
        OFFLINE,
        offline=not options["online"],
        timeout=options["timeout"],
        viewport=options["viewport"],
        allow_private=any(gold.url_path for gold in pages),
    )
    with ProgressBar("pages", len(pages)) as bar, report_errors():
        failures = build_dataset(
            work,
            formats,
            options=render,
            executable=options["browser"],
            workers=options["workers"],
            progress=bar,
            failed=complain,
        )
    _report(work, formats)
    if failures:
        raise Failed


def _pages(corpus: Path, sites: dict[str, str] | None, split: str | None, limit: int | None) -> list[GoldPage]:
    pages = read_corpus(corpus, sites)
    if pages and not sites and not states_splits(corpus):
        pages = split_by_site(pages)
        of = {name: len({gold.site for gold in pages if gold.split == name}) for name in ("train", "dev")}
        say(f"{corpus}: no splits are given: {of['train']} sites are train, {of['dev']} are dev (--sites says others)")
    pages = [gold for gold in pages if split in (None, gold.split)]
    if limit is None:
        return pages
    chosen = {gold.id for gold in sample(pages, limit)}
    return [gold for gold in pages if gold.id in chosen]


def _report(work: PageRowStore, formats: tuple[str, ...]) -> None:
    dataset = work.dataset()
    counts = count_labels(dataset)
    rows = ", ".join(f"{number} {name}" for name, number in counts.items())
    say(
        f"{work.folder}: {sum(counts.values())} blocks ({rows}), {len(dataset.features)} features, {', '.join(formats)}"
    )
