"""The command ``blocksight compare``: systems side by side on pages.

Who keeps how much, who agrees with whom, and which paragraphs they dispute.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..command_options import FILE, chosen_systems, no_browser, rendering
from ..compare_blocks import compare_segmentations
from ..job import start_job

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ...classify.system import System
    from ...compare.agreement import Agreement
    from ...page.arrays import FloatArray

#: One a system, as heads of narrow columns.
_KEYS = string.ascii_letters + string.digits
KEPT, PARTLY, DROPPED = "●", "◐", "·"
#: A pipe has no width to fit; lines are not cut there before this.
PIPE_WIDTH = 200
#: What the list of systems takes, and each column of the matrix.
_LIST_WIDTH, _COLUMN_WIDTH = 50, 6


def _split(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """Read the names of segmentations: two or more."""
    names = tuple(dict.fromkeys(filter(None, (name.strip() for name in (value or "").split(",")))))
    if value is not None and not names:
        raise click.BadParameter("name two segmentations or more, or one file of Webis that holds several")
    return names


@click.command(epilog="Example: blocksight compare https://example.org/app --systems blocksight,blocksight-dom,bte")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--systems", callback=chosen_systems, metavar="NAME,...", help="Names from `blocksight systems`; all by default."
)
@click.option(
    "--blocks",
    callback=_split,
    metavar="NAME,...",
    help="Put segmentations side by side instead: vips, vips:6, targets ..., a file of Webis (FILE or FILE#NAME) or of "
    "FitLayout.",
)
@no_browser
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, one object a page.")
@click.option("-o", "--output", type=FILE, help="Write an HTML page, with pictures.")
@rendering
def compare(
    sources: tuple[str, ...],
    systems: tuple[System, ...] | None,
    blocks: tuple[str, ...],
    *,
    no_browser: bool,
    as_json: bool,
    output: Path | None,
    **rendering: Any,
) -> None:
    """Put systems side by side: what each keeps, where they disagree; or segmentations, with --blocks."""
    if blocks:
        if systems is not None or no_browser or output is not None:
            raise click.UsageError("--blocks goes with --json only, and needs a page's geometry")
        compare_segmentations(sources, blocks, rendering, as_json=as_json)
        return
    import orjson

    from ...compare.agreement import compare_systems

    job = start_job(sources, rendering, static=no_browser, screenshot="full" if output else "")
    with job.run():
        found: list[tuple[str, Agreement]] = []
        for source, one in job.results(partial(compare_systems, systems=systems)):
            if output is not None or not as_json:
                found.append((source, one))
            if as_json:
                click.echo(orjson.dumps({"source": source, **one.to_dict()}).decode())
            elif output is None:
                _print_agreement(source, one)
        if not as_json and output is None and len(found) > 1:
            _print_summary([one for _, one in found])
        if output is not None and found:
            job.write_bytes(output, _html(found))


def _html(found: list[tuple[str, Agreement]]) -> bytes:
    from ...compare.report.report import comparison_html

    return comparison_html(found).encode()


def _print_agreement(source: str, found: Agreement) -> None:
    """Print what systems keep of a page: a list, a matrix of agreement, and the paragraphs side by side."""
    from rich.text import Text

    console = _console()
    words = int(found.words.sum())
    console.print(Text(f"{source}: {words} words, {found.disputed:.0%} of them disputed"))
    console.print(_kept([found], console.width))
    console.print(_side_by_side(found, console.width))


def _print_summary(pages: Sequence[Agreement]) -> None:
    """Print the mean over several pages, where the same systems have run on all of them."""
    from rich.text import Text

    if len({found.names for found in pages}) == 1:
        console = _console()
        disputed = float(np.mean([found.disputed for found in pages]))
        console.print(Text(f"mean of {len(pages)} pages: {disputed:.0%} of a page's words are disputed"))
        console.print(_kept(pages, console.width))


def _console() -> Console:
    from rich.console import Console

    return Console(width=None if Console().is_terminal else PIPE_WIDTH)


def _kept(pages: Sequence[Agreement], width: int) -> Table:
    """List what systems keep and how far they agree: with each other one where there is room, else on average."""
    from rich.table import Table
    from rich.text import Text

    names = pages[0].names
    matrix = width >= _LIST_WIDTH + _COLUMN_WIDTH * len(names) and len(names) <= len(_KEYS)
    alike = np.mean([found.agreement for found in pages], axis=0)
    kept = np.mean([found.kept_words for found in pages], axis=0)
    share = np.mean([found.kept_words / max(float(found.words.sum()), 1.0) for found in pages], axis=0)
    errors = {name: why for found in pages for name, why in found.errors.items()}
    table = Table(title="words kept, and agreement in % of a page's words", title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column("system", no_wrap=True)
    table.add_column("words", justify="right")
    table.add_column("share", justify="right")
    for head in _keys(names) if matrix else ["agrees"]:
        table.add_column(head, justify="right", no_wrap=True)
    for row, (key, name) in enumerate(zip(_keys(names), names, strict=True)):
        named = Text(f"{name} (failed: {errors[name]})" if name in errors else name)
        table.add_row(key, named, f"{kept[row]:.0f}", f"{share[row]:.0%}", *_alike(alike[row], row, matrix=matrix))
    return table


def _alike(shares: FloatArray, row: int, *, matrix: bool) -> list[str]:
    others = np.delete(shares, row)
    if not matrix:
        return [f"{others.mean():.0%}" if len(others) else ""]
    return ["" if column == row else f"{100 * share:.0f}" for column, share in enumerate(shares.tolist())]


def _keys(names: Sequence[str]) -> list[str]:
    return [_KEYS[row] if row < len(_KEYS) else "-" for row in range(len(names))]


def _side_by_side(found: Agreement, width: int) -> Text:
    """One line a paragraph: a mark for each system, then the text; runs that no system keeps are counted only."""
    from rich.text import Text

    shares, texts = found.block_shares(), found.block_texts()
    lines = [f"{''.join(_keys(found.names))}  paragraph"]
    left_out = 0
    for row in np.flatnonzero(~np.isnan(shares[0])).tolist():
        if not shares[:, row].any():
            left_out += 1
            continue
        lines += _none_keeps(left_out, len(found.names))
        left_out = 0
        marks = "".join(_mark(share) for share in shares[:, row].tolist())
        lines.append(f"{marks}  {texts[row]}"[: max(width - 1, 40)])
    return Text("\n".join(lines + _none_keeps(left_out, len(found.names))), no_wrap=True)


def _none_keeps(count: int, systems: int) -> list[str]:
    return [f"{DROPPED * systems}  ({count} paragraphs that none keeps)"] if count else []


def _mark(share: float) -> str:
    if share in (0.0, 1.0):
        return KEPT if share else DROPPED
    return PARTLY
