"""The command ``blocksight compare``: text that systems keep, their agreement, and disputed paragraphs."""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..command_options import OneOf, PageCommand, chosen_systems, no_browser, rendering
from ..console import stdout_console
from ..job import start_job

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from ...classify.system import System
    from ...compare.agreement import Agreement

#: Column names of systems.
_KEYS = string.ascii_letters + string.digits
KEPT, PARTLY, DROPPED = "●", "◐", "·"


@click.command(
    cls=PageCommand,
    epilog="Example: blocksight compare https://example.org/app --systems blocksight,blocksight-dom,bte",
)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--systems", callback=chosen_systems, metavar="NAME,...", help="Names from `blocksight systems`; all by default."
)
@no_browser
@click.option("--format", "form", type=OneOf(("text", "json")), default="text", help="Text, or one object a line.")
@rendering
def compare(
    sources: tuple[str, ...],
    systems: tuple[System, ...] | None,
    *,
    no_browser: bool,
    form: str,
    **rendering: Any,
) -> None:
    """Compare the text that systems keep, and where they disagree."""
    import orjson

    from ...compare.agreement import compare_systems

    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        pages = []
        for source, agreement in job.results(partial(compare_systems, systems=systems)):
            if form == "json":
                click.echo(orjson.dumps({"source": source, **agreement.to_dict()}).decode())
            else:
                _print_agreement(source, agreement)
                pages.append(agreement)
        if len(pages) > 1:
            _print_summary(pages)


def _print_agreement(source: str, agreement: Agreement) -> None:
    """Print a list of systems with their agreement, and the paragraphs with a mark per system."""
    from rich.text import Text

    console = stdout_console()
    words = int(agreement.words.sum())
    console.print(Text(f"{source}: {words} words, {agreement.disputed:.0%} of them disputed"))
    console.print(_kept([agreement]))
    console.print(_side_by_side(agreement, console.width))


def _print_summary(pages: Sequence[Agreement]) -> None:
    """Print the mean over several pages, if the same systems have run on all of them."""
    from rich.text import Text

    if len({page.names for page in pages}) == 1:
        console = stdout_console()
        disputed = float(np.mean([page.disputed for page in pages]))
        console.print(Text(f"mean of {len(pages)} pages: {disputed:.0%} of a page's words are disputed"))
        console.print(_kept(pages))


def _kept(pages: Sequence[Agreement]) -> Table:
    """Return a table of the words that systems keep, and of their mean agreement with the others."""
    from rich.table import Table
    from rich.text import Text

    names = pages[0].names
    agreement = np.mean([page.agreement for page in pages], axis=0)
    kept_words = np.mean([page.kept_words for page in pages], axis=0)
    share = np.mean([page.kept_words / max(float(page.words.sum()), 1.0) for page in pages], axis=0)
    errors = {name: why for page in pages for name, why in page.errors.items()}
    table = Table(title="words kept, and agreement in % of a page's words", title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column("system", no_wrap=True)
    table.add_column("words", justify="right")
    table.add_column("share", justify="right")
    table.add_column("agrees", justify="right", no_wrap=True)
    for row, (key, name) in enumerate(zip(_keys(names), names, strict=True)):
        label = Text(f"{name} (failed: {errors[name]})" if name in errors else name)
        others = np.delete(agreement[row], row)
        agrees = f"{others.mean():.0%}" if len(others) else ""
        table.add_row(key, label, f"{kept_words[row]:.0f}", f"{share[row]:.0%}", agrees)
    return table


def _keys(names: Sequence[str]) -> list[str]:
    return [_KEYS[row] if row < len(_KEYS) else "-" for row in range(len(names))]


def _side_by_side(agreement: Agreement, width: int) -> Text:
    """Return one line per paragraph: a mark per system, then the text; runs that no system keeps are counted."""
    from rich.text import Text

    shares, texts = agreement.block_shares(), agreement.block_texts()
    lines = [f"{''.join(_keys(agreement.names))}  paragraph"]
    skipped = 0
    for row in np.flatnonzero(~np.isnan(shares[0])).tolist():
        if not shares[:, row].any():
            skipped += 1
            continue
        lines += _none_keeps(skipped, len(agreement.names))
        skipped = 0
        marks = "".join(_mark(share) for share in shares[:, row].tolist())
        lines.append(f"{marks}  {texts[row]}"[: max(width - 1, 40)])
    return Text("\n".join(lines + _none_keeps(skipped, len(agreement.names))), no_wrap=True)


def _none_keeps(count: int, systems: int) -> list[str]:
    return [f"{DROPPED * systems}  ({count} paragraphs that none keeps)"] if count else []


def _mark(share: float) -> str:
    if share in (0.0, 1.0):
        return KEPT if share else DROPPED
    return PARTLY
