"""The command ``blocksight dataset``: corpora to a data set of blocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ...errors import CorpusUnreadable
from ...features.block_table import TAGGED
from ...features.export.dataset_files import TextColumn
from ...features.papers.speech import tagger_is_installed
from ...gold.corpora import read_corpus
from ...gold.leaf_labels import ALIGNMENTS
from ...gold.pages import GoldPage, sample
from ...gold.rendered import OFFLINE
from ...gold.split import read_sites
from ...segment.methods import METHODS
from ...train.build_dataset import DATASET_FORMATS, build_dataset, count_labels
from ...train.dataset_parts import PageRowStore, Plan
from ..command_options import CORPUS_THERE, FILE_THERE, FOLDER, OneOf, read_groups, setting, viewport
from ..command_options import browser as browser_option
from ..console import Failed, ProgressBar, complain, report_errors, say


@click.command(epilog="Example: blocksight dataset corpora/mine -o mine-blocks --format parquet --format huggingface")
@click.argument("corpora", nargs=-1, required=True, metavar="CORPUS...", type=CORPUS_THERE)
@click.option(
    "-o", "--output", type=FOLDER, required=True, help="Folder of the data set; an interrupted run goes on in it."
)
@click.option(
    "--format", "formats", type=OneOf(DATASET_FORMATS), multiple=True, default=("parquet",), show_default=True,
    help="May be given several times.",
)  # fmt: skip
@click.option(
    "--groups", callback=read_groups, default="all", show_default=True, metavar="NAME,...",
    help="Groups of features, with commas between them.",
)  # fmt: skip
@click.option(
    "--method", type=OneOf(tuple(METHODS)), default="paragraphs", show_default=True,
    help="How pages are cut into blocks.",
)  # fmt: skip
@click.option(
    "--text", type=OneOf(("text", "hash", "none")), default="text", show_default=True,
    help="What is written of a block's text.",
)  # fmt: skip
@click.option(
    "--align", type=OneOf(tuple(ALIGNMENTS)), default="words", show_default=True,
    help="How the gold text is found again on the page.",
)  # fmt: skip
@click.option(
    "--threshold", type=click.FloatRange(0, 1, min_open=True), default=0.5, show_default=True,
    help="Least share of a block's words that the gold must hold for it to be content.",
)  # fmt: skip
@click.option("--split", help="Only pages of this split.")
@click.option("--sites", type=FILE_THERE, help="Split of each site: site<TAB>split a line.")
@click.option(
    "--limit", type=click.IntRange(min=1), help="At most this number of pages a corpus, the same ones every time."
)
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Pages worked on at once.")
@click.option("--rendered", type=FOLDER, help="Keeps the rendered pages; by default OUTPUT/pages.")
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: visual columns stay empty.")
@browser_option
@setting("timeout", "Seconds for one page.", of=OFFLINE, type=click.FloatRange(min=0, min_open=True))
@setting("viewport", "Size of the window.", of=OFFLINE, callback=viewport)
@click.option("--online", is_flag=True, help="Let the pages load from the network what was not saved with them.")
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

    CORPUS is a folder in one of the usual forms, for example gold.jsonl (a line a page: id, gold_text or must_have and
    must_not or labels; split, url, domain, encoding where known) and pages/ID.html. Each page is rendered and measured
    once. An interrupted run goes on where it was, and another format is written without measuring again.
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
    except (ValueError, CorpusUnreadable) as error:
        raise click.UsageError(str(error)) from error
    if not pages:
        raise click.UsageError(f"no pages with gold{f' of the split {split}' if split else ''} in there")
    if set(TAGGED) & set(groups) and not tagger_is_installed():
        say("parts of speech stay empty: for these, pip install 'blocksight[research]'")
    work = PageRowStore(pages=pages, folder=output, rendered=rendered or output / "pages", plan=plan)
    options = replace(
        OFFLINE, offline=not online, timeout=timeout, viewport=viewport, screenshot="full" if "coco" in formats else "",
        allow_private=any(gold.url_path for gold in pages),
    )  # fmt: skip
    with ProgressBar("pages", len(pages)) as bar, report_errors():
        failures = build_dataset(
            work, formats, options=options, executable=browser, workers=workers, progress=bar, failed=complain
        )
    _report(work, formats)
    if failures:
        raise Failed


def _pages(corpus: Path, sites: Path | None, split: str | None, limit: int | None) -> list[GoldPage]:
    pages = read_corpus(corpus, read_sites(sites) if sites else None)
    pages = [gold for gold in pages if split in (None, gold.split)]
    if limit is None:
        return pages
    chosen = {gold.id for gold in sample(pages, limit)}
    return [gold for gold in pages if gold.id in chosen]


def _report(work: PageRowStore, formats: tuple[str, ...]) -> None:
    made = work.dataset()
    counts = count_labels(made)
    rows = ", ".join(f"{number} {name}" for name, number in counts.items())
    say(f"{work.folder}: {sum(counts.values())} blocks ({rows}), {len(made.features)} features, {', '.join(formats)}")
