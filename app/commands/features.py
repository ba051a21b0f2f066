"""The command ``blocksight features``: pages to a table of blocks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...segment.methods import METHODS
from ..command_options import FILE, OneOf, PageCommand, ends_in, read_groups, rendering
from ..console import say
from ..job import start_job

if TYPE_CHECKING:
    from pandas import DataFrame

    from ...page.page import Page

_ENDS = partial(ends_in, ".csv .parquet")


@click.command(cls=PageCommand, epilog="Example: blocksight features https://example.org/app -o blocks.parquet")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", type=FILE, required=True, callback=_ENDS, help="The table: .csv or .parquet")
@click.option("--method", type=OneOf(tuple(METHODS)), default="paragraphs", help="How pages are cut into blocks.")
@click.option(
    "--groups",
    callback=read_groups,
    default="all",
    metavar="NAME,...",
    help="Groups of features, with commas between them.",
)
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: visual columns stay empty.")
@rendering
def features(
    sources: tuple[str, ...], output: Path, method: str, groups: tuple[str, ...], *, no_browser: bool, **rendering: Any
) -> None:
    """Write the block table of pages: one row per block, one column per feature."""
    if no_browser and method == "vips":
        raise click.UsageError("vips needs geometry: leave out --no-browser or take --method targets")
    import pandas as pd

    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        frames = []
        for source, frame in job.results(partial(_table, method, groups)):
            frame.insert(0, "source", source)
            frames.append(frame)
        if frames:
            whole: pd.DataFrame = pd.concat(frames, ignore_index=True)
            write = whole.to_parquet if output.suffix == ".parquet" else whole.to_csv
            if job.write(output, lambda path: write(path, index=False)):
                say(f"{output}: {len(whole)} blocks, {whole.shape[1]} columns")


def _table(method: str, groups: tuple[str, ...], page: Page) -> DataFrame:
    from ...features.block_table import block_features
    from ...features.rows import rows_of
    from ...segment.element_locators import locator_columns

    blocks = METHODS[method](page)
    table = block_features(page, blocks, groups=groups)
    for index, (name, column) in enumerate(locator_columns(page, rows_of(page, blocks).node).items(), 2):
        table.insert(index, name, column)
    return table
