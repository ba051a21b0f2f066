"""The command line: ``blocksight COMMAND``."""

from __future__ import annotations

import logging
import os
from importlib import import_module
from typing import Any

import click

from ..errors import ExtraMissing
from ..version import VERSION
from .command_options import CommandGroup
from .console import Failed, Terminated, complain, name_extras

#: Every command with its help line. It is the function of that name in ``commands/NAME.py``.
COMMANDS = {
    "extract": "Print the content of pages.",
    "batch": "Extract many pages into a folder: one row per page, also for failures.",
    "serve": "Serve pages over HTTP: POST /extract and /render, GET /health.",
    "mcp": "Serve the Model Context Protocol: extract, map, records, metadata, hidden, screenshot, locate, segment.",
    "records": "Print posts, comments, products, cards and rows of pages with their fields.",
    "check": "Check quotations against what a page shows.",
    "diff": "Print what changed in the content of a page, block by block.",
    "map": "Print the regions and controls of pages: what is where, what is covered, what can be clicked.",
    "metadata": "Print title, authors, dates and more of pages, one JSON object a line.",
    "render": "Render a page once and keep it.",
    "segment": "Cut a page into blocks; print the tree, or draw it.",
    "features": "Write the block table of pages: one row per block, one column per feature.",
    "compare": "Compare the text that systems keep, and where they disagree.",
    "evaluate": "Measure systems on a corpus of pages with gold.",
    "inspect": "View pages with their predictions, correct them with one keystroke, and train on the labels.",
    "dataset": "Make a data set of blocks out of corpora.",
    "train": "Train a model: your own, a system of the literature, or the shipped ones.",
    "systems": "List all systems by name.",
    "setup": "Find a browser or install one, and print which one and how.",
    "doctor": "Check the installation, and render one page as a test.",
}

#: Exit codes after Ctrl-C and SIGTERM, as shells define them; 1 is the exit code if any page failed.
INTERRUPTED, TERMINATED = 130, 143


class Commands(CommandGroup):
    """Commands that are imported when they are called; every error ends with a message and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            with name_extras("this command"):
                return super().invoke(ctx)
        except ExtraMissing as error:
            complain("blocksight", str(error))
            raise Failed from error
        except Terminated:
            complain("blocksight", "terminated")
            ctx.exit(TERMINATED)
        except KeyboardInterrupt:
            complain("blocksight", "interrupted")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            raise  # handled by click
        except OSError as error:
            has_name = isinstance(error.filename, (str, bytes))
            complain(os.fsdecode(error.filename) if has_name else "blocksight", error.strerror or str(error))
            raise Failed from error

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that is called; of one without its libraries, the help is its line."""
        try:
            return super().resolve_command(ctx, args)
        except ModuleNotFoundError:
            if not {"-h", "--help"}.isdisjoint(args):
                click.echo(COMMANDS[args[0]])
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, the most common first."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, None if there is none of that name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f".commands.{cmd_name}", __package__), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
    epilog="Example: blocksight extract https://example.org/app",
)
@click.version_option(VERSION, prog_name="blocksight")
@click.option("-v", "--verbose", is_flag=True, help="Log retries, partial pages, refused addresses, errors of pages.")
def main(*, verbose: bool) -> None:
    """Extract the content of web pages by their visual layout."""
    if verbose:
        logging.basicConfig(format="%(asctime)s %(message)s")
        logging.getLogger("blocksight").setLevel(logging.INFO)
