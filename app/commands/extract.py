"""The command ``blocksight extract``: pages to their content."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...classify.document.document import Document
from ...classify.document.formats import FORMATS, format_named
from ...classify.extract import HiddenText
from ...classify.extract import extract as extract_document
from ...classify.model.model import load_model
from ...classify.system import System
from ...classify.systems import system_named
from ...classify.systems.blocksight import Blocksight, BlocksightDom
from ...render.errors import BlocksightError, PageFailed
from ...render.network.loopback import serve_folder
from ..failure import Failed, complain
from ..job import start_job
from ..options import rendering

#: A page made by JavaScript, to show the job on.
DEMO = Path(__file__).with_name("demo")
NAMES = [one.name for one in FORMATS]


@click.command(epilog="Example: blocksight extract https://example.org/app --format json")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--format", "form", type=click.Choice(NAMES), default=NAMES[0], show_default=True)
@click.option("--system", default="blocksight", show_default=True, help="One of `blocksight systems`.")
@click.option(
    "--model",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A model of `blocksight train` instead of the one that comes along.",
)
@click.option(
    "--hidden",
    type=click.Choice(("drop", "keep", "mark")),
    default="drop",
    show_default=True,
    help="Text that a person does not see; mark says why in the JSON.",
)
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: no scripts, no geometry.")
@click.option("--demo", is_flag=True, help="Show it on a page made by JavaScript, served on 127.0.0.1.")
@rendering
def extract(
    sources: tuple[str, ...],
    form: str,
    system: str,
    model: Path | None,
    hidden: HiddenText,
    *,
    no_browser: bool,
    demo: bool,
    **rendering: Any,
) -> None:
    """Print the content of pages.

    SOURCE is an address, an HTML file, a saved page, or - for standard input. Several pages are printed one after the
    other, each under a line with its name; as JSON, one object a line.
    """
    chosen = _named(system) if model is None else _with_model(system, model)
    if demo:
        if sources or no_browser:
            raise click.UsageError("--demo brings its own page and needs the browser")
        with serve_folder(DEMO) as address:
            here = rendering | {"allow_private": True}
            _extract((f"{address}/index.html",), form, chosen, hidden, here, static=False)
        return
    if not sources:
        raise click.UsageError("name a SOURCE: an address, an HTML file, a saved page or - (or try --demo)")
    _extract(sources, form, chosen, hidden, rendering, static=no_browser)


def _named(system: str) -> System:
    try:
        return system_named(system)
    except ValueError as error:
        raise click.UsageError(f"no system is called {system!r}; see `blocksight systems`") from error


def _with_model(system: str, path: Path) -> System:
    kinds: dict[str, type[Blocksight | BlocksightDom]] = {"blocksight": Blocksight, "blocksight-dom": BlocksightDom}
    if system not in kinds:
        raise click.UsageError(f"--model is for blocksight and blocksight-dom, not for {system}")
    try:
        return kinds[system](model=load_model(path))
    except BlocksightError as error:
        complain("blocksight", str(error))
        raise Failed("") from error


def _extract(
    sources: tuple[str, ...], form: str, system: System, hidden: HiddenText, rendering: dict[str, Any], *, static: bool
) -> None:
    job = start_job(sources, rendering, static=static)
    with job.run():
        for source, page in job.pages():
            if not len(page.leaves):
                job.fail(source, "there is no text on this page")
                continue
            try:
                found = extract_document(page, system=system, hidden=hidden)
            except PageFailed as error:  # from a peer, or in a language that the system does not know
                job.fail(source, error.why)
                continue
            if not found.text:
                click.echo(f"{source}: no main text found", err=True)
            _print_document(source, found, form, several=len(sources) > 1)


def _print_document(source: str, found: Document, form: str, *, several: bool) -> None:
    heading = format_named(form).heading(source)
    if several and heading:
        click.echo(heading)
    click.echo(found.written(form).rstrip("\n"))
