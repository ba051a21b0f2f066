"""The command ``blocksight compare``: systems side by side on pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import orjson

from ...classify.system import System
from ...compare.agreement import Agreement, compare_systems
from ...compare.report.report import comparison_html
from ..job import start_job
from ..options import rendering
from .agreement import print_agreement, print_summary
from .evaluate import chosen_systems


@click.command(epilog="Example: blocksight compare https://example.org/app --systems blocksight,blocksight-dom,bte")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--systems", callback=chosen_systems, metavar="NAME,...", help="Of `blocksight systems`, or all (the default)."
)
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: no scripts, no geometry.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, one object a page.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write an HTML page, with pictures."
)
@rendering
def compare(
    sources: tuple[str, ...],
    systems: tuple[System, ...] | None,
    *,
    no_browser: bool,
    as_json: bool,
    output: Path | None,
    **rendering: Any,
) -> None:
    """Put systems side by side on pages: what each keeps, and where they disagree."""
    job = start_job(sources, rendering, static=no_browser, screenshot="full" if output else "")
    with job.run():
        found: list[tuple[str, Agreement]] = []
        for source, page in job.pages():
            one = compare_systems(page, systems)
            if output is not None or not as_json:
                found.append((source, one))
            if as_json:
                click.echo(orjson.dumps({"source": source, **one.to_json()}).decode())
            elif output is None:
                print_agreement(source, one)
        if not as_json and output is None and len(found) > 1:
            print_summary([one for _, one in found])
        if output is not None and found:
            job.write_bytes(output, comparison_html(found).encode())
