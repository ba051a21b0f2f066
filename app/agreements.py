"""An agreement of systems as text: who keeps how much, who agrees with whom, and which paragraphs they dispute."""

from __future__ import annotations

import string

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..compare.agreement import Agreement

#: One a system, as heads of narrow columns.
_KEYS = string.ascii_letters + string.digits
KEPT, PARTLY, DROPPED = "●", "◐", "·"
#: A pipe has no width to fit; lines are not cut there before this.
PIPE_WIDTH = 200
#: What the list of systems takes, and each column of the matrix.
_LIST_WIDTH, _COLUMN_WIDTH = 50, 6


def print_agreement(source: str, found: Agreement) -> None:
    """Print what systems keep of a page: a list, a matrix of agreement, and the paragraphs side by side."""
    console = Console(width=None if Console().is_terminal else PIPE_WIDTH)
    words = int(found.words.sum())
    console.print(Text(f"{source}: {words} words, {found.disputed:.0%} of them disputed"))
    console.print(_kept(found, console.width))
    console.print(_side_by_side(found, console.width))


def _kept(found: Agreement, width: int) -> Table:
    """List what systems keep and how far they agree: with each other one where there is room, else on average."""
    matrix = width >= _LIST_WIDTH + _COLUMN_WIDTH * len(found.names) and len(found.names) <= len(_KEYS)
    table = Table(title="words kept, and agreement in % of the page's words", title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column("system", no_wrap=True)
    table.add_column("words", justify="right")
    table.add_column("share", justify="right")
    for head in _keys(found) if matrix else ["agrees"]:
        table.add_column(head, justify="right", no_wrap=True)
    whole = max(float(found.words.sum()), 1.0)
    for row, (key, name) in enumerate(zip(_keys(found), found.names, strict=True)):
        kept = int(found.kept_words[row])
        named = Text(name) if name not in found.errors else Text(f"{name} (failed: {found.errors[name]})")
        table.add_row(key, named, str(kept), f"{kept / whole:.0%}", *_agreement(found, row, matrix=matrix))
    return table


def _agreement(found: Agreement, row: int, *, matrix: bool) -> list[str]:
    others = np.delete(found.agreement[row], row)
    if not matrix:
        return [f"{others.mean():.0%}" if len(others) else ""]
    alike = [f"{100 * value:.0f}" for value in found.agreement[row].tolist()]
    alike[row] = ""
    return alike


def _keys(found: Agreement) -> list[str]:
    return [_KEYS[row] if row < len(_KEYS) else "-" for row in range(len(found.names))]


def _side_by_side(found: Agreement, width: int) -> Text:
    """One line a paragraph: a mark for each system, then the text; runs that no system keeps are counted only."""
    shares, texts = found.block_shares(), found.block_texts()
    lines = [f"{''.join(_keys(found))}  paragraph"]
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
