"""The command line: ``blocksight COMMAND``; what each does is its own help."""

from __future__ import annotations

import os
import sys
from typing import Any

import click
import orjson

from ..classify.systems import PEERS, SYSTEMS
from ..render.errors import BrowserMissing
from ..render.version import VERSION
from .commands import doctor as doctoring
from .commands.compare import compare
from .commands.dataset import dataset
from .commands.evaluate import evaluate_command
from .commands.extract import extract
from .commands.features import features
from .commands.render import render
from .commands.segment import segment
from .commands.train import train, train_system
from .failure import Failed, complain

#: What shells say of a program that Ctrl-C has ended; 1 says that some page failed.
INTERRUPTED = 130


class _Commands(click.Group):
    """Ends every command with a word and a code, whatever went wrong outside of its pages."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("blocksight", "interrupted")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            raise  # click knows what to do: nobody reads on
        except OSError as error:
            named = isinstance(error.filename, (str, bytes))
            complain(os.fsdecode(error.filename) if named else "blocksight", error.strerror or str(error))
            raise Failed("") from error


@click.group(
    cls=_Commands,
    commands=(extract, render, segment, features, compare, dataset, train, train_system, evaluate_command),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, prog_name="blocksight")
def main() -> None:
    r"""The content of web pages by what a person sees.

    \b
    Example:
      blocksight extract https://example.org/app
    """


@main.command(epilog="Example: blocksight systems")
@click.option("--json", "as_json", is_flag=True)
def systems(*, as_json: bool) -> None:
    """List every system by name: visual or DOM, trained or not, its source; last other programs, if installed."""
    cards = [(system.card, True) for system in SYSTEMS] + [(peer.card, peer.installed) for peer in PEERS]
    if as_json:
        fields = ("name", "title", "paper", "year", "visual", "trained")
        rows = [{name: getattr(card, name) for name in fields} | {"installed": here} for card, here in cards]
        click.echo(orjson.dumps(rows).decode())
        return
    for card, here in cards:
        sight, learned = "visual" if card.visual else "DOM", "trained" if card.trained else "rules"
        missing = "" if here else ", not installed"
        click.echo(f"{card.name:22} {sight:7} {learned:8} {card.title} ({card.paper}, {card.year}){missing}")


@main.command(epilog="Example: blocksight setup")
@click.option("--browser", metavar="PROGRAM", help="Check this program instead of looking for one.")
def setup(browser: str | None) -> None:
    """Find a browser, or install one; say which one and how."""
    try:
        click.echo(doctoring.setup(browser, lambda line: click.echo(line, err=True)))
    except BrowserMissing as error:
        complain("blocksight setup", str(error))
        raise Failed("") from error


@main.command(epilog="Example: blocksight doctor")
@click.option("--browser", metavar="PROGRAM", help="Check this program instead of looking for one.")
def doctor(browser: str | None) -> None:
    """Check what is there, and render one page as a test; exit 1 with the cure where something lacks."""
    findings = doctoring.examine(browser)
    for finding in findings:
        click.echo(f"{'ok ' if finding.good else 'BAD'} {finding.what}: {finding.found}")
    if not all(finding.good for finding in findings):
        sys.exit(1)
