"""The command ``blocksight extract``: the content of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ...document.formats import FORMATS, Format, chunk_lines, format_named, format_of_file
from ...document.route import RENDERED, routed
from ...errors import PageFailed
from ...render.sources.sources import is_address
from ..command_options import FILE, OneOf, PageCommand, chosen_system, images, no_browser, rendering, system_options
from ..console import say
from ..job import start_job
from ..page_runner import warm_up

if TYPE_CHECKING:
    from ...classify.system import System
    from ...document.document import Document
    from ...document.hidden_report import HiddenReport
    from ...page.page import Page

#: A page made by JavaScript.
DEMO = Path(__file__).with_name("demo")
NAMES = tuple(form.name for form in FORMATS)
#: Most passages of hidden text that are printed, and most characters of one.
_MOST_PASSAGES, _PASSAGE = 20, 160


@click.command(cls=PageCommand, epilog="Example: blocksight extract https://example.org/app --format json")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option(
    "-o", "--output", type=FILE, default="-", show_default=False, help="File to write, in the format of its suffix."
)
@click.option("--format", type=OneOf(NAMES), help=f"Output format; by default that of -o FILE, or {NAMES[0]}.")
@system_options
@click.option(
    "--hidden",
    type=OneOf(("drop", "keep", "mark", "report")),
    default="drop",
    help="Invisible text. With mark, the JSON has the reason why it is invisible. With report, it is dropped, and "
    "listed with its reasons on standard error, in JSON as hidden.",
)
@images
@click.option(
    "--blocks",
    type=OneOf(("content", "all")),
    default="content",
    help="With all, the JSON has every block of the page: kept or not, its probability, and why.",
)
@click.option(
    "--keep",
    metavar="ROLE,...",
    help="Roles of blocks to keep with body and posts: title, standfirst, author, date, caption, note, comment, "
    "related, all ... By default the standfirst and notes that belong to the text.",
)
@click.option(
    "--spans",
    type=OneOf(("repeat", "blank", "html")),
    default="blank",
    help="Table cells that span columns or rows in Markdown: repeat their text, leave the others blank, or write the "
    "table as HTML.",
)
@click.option(
    "--report",
    type=OneOf(("verdict", "dropped", "pictures")),
    multiple=True,
    help="Print on standard error: the verdict on the page with its evidence, the regions that were left out with "
    "the reason of each, or the pictures that were taken of texts (--look); may be repeated.",
)
@click.option("--chunk-tokens", type=click.IntRange(min=1), help="With --format chunks: most tokens of one (256).")
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    help="Cut Markdown at a block so that it has at most so many tokens of a model, and say what was left out.",
)
@click.option("--no-headline", is_flag=True, help="Do not write the title above Markdown and HTML.")
@click.option("--front-matter", is_flag=True, help="Start Markdown with title, authors, dates and the like as YAML.")
@no_browser
@click.option("--demo", is_flag=True, help="Extract a page made by JavaScript that is part of blocksight.")
@rendering
def extract(
    sources: tuple[str, ...], system: str, model: Path | None, *, no_browser: bool, demo: bool, **options: Any
) -> None:
    """Print the content of pages.

    SOURCE is an address, an HTML file, a saved page, an archive, - for a page from standard input, or @FILE (@-) for a
    list of these, one per line. Several pages are printed one after the other, each below a line with its name; as
    JSON, one object per line.
    """
    output = options.pop("output")
    form = _format_of(output, options["format"])
    options["format"] = form.name
    if demo and (sources or no_browser):
        raise click.UsageError("--demo brings its own page and needs the browser")
    if not demo and not sources:
        raise click.UsageError("name a SOURCE: an address, an HTML file, a saved page or - (or try --demo)")
    for is_wrong, why in _CONFLICTS:
        if is_wrong(options):
            raise click.UsageError(why)
    chosen = chosen_system(system, model)
    _check_roles(options["keep"], chosen)
    with _demo() if demo else nullcontext(sources) as pages:
        rendering = options | {"allow_private": True} if demo else options
        job = start_job(pages, rendering, static=no_browser, chooses=True)
        with job.run(), click.open_file(str(output), "w", "utf-8", lazy=True) as file:
            results = job.results_by_route(partial(_extracted, chosen, options), partial(warm_up, chosen))
            for source, extracted in results:
                _print(source, extracted, form, file, several=len(job.sources) > 1)


def _format_of(output: Path, name: str | None) -> Format:
    """Return the format that is written; UsageError for a file that cannot be, before a page is opened."""
    if not output.parent.is_dir():
        raise click.UsageError(f"-o {output}: there is no folder {output.parent}")
    if not output.suffix:
        return format_named(name or NAMES[0])
    try:
        return format_of_file(output, name)
    except ValueError as error:
        raise click.UsageError(f"-o {error}; --format names one for any other suffix") from error


_Options = dict[str, Any]
#: Combinations of options without meaning, each with the message.
_CONFLICTS: tuple[tuple[Callable[[_Options], object], str], ...] = (
    (lambda o: o["front_matter"] and o["format"] != "markdown", "--front-matter is for --format markdown"),
    (lambda o: o["blocks"] == "all" and o["format"] != "json", "--blocks all is for --format json"),
    (lambda o: o["chunk_tokens"] and o["format"] != "chunks", "--chunk-tokens is for --format chunks"),
    (
        lambda o: o["max_tokens"] and o["format"] != "markdown",
        "--max-tokens is for --format markdown; --chunk-tokens for --format chunks",
    ),
)


def _check_roles(keep: str | None, system: System) -> None:
    if keep is None:
        return
    from ...classify.roles import roles_to_keep
    from ...classify.system import RoleSystem
    from ...classify.systems.blocksight import Blocksight, BlocksightDom

    if not isinstance(system, RoleSystem):
        raise click.UsageError(f"--keep is for systems that predict roles of blocks, which {system.card.name} does not")
    if isinstance(system, Blocksight | BlocksightDom) and system.model is not None and system.model.roles is None:
        raise click.UsageError(f"--keep is for models that predict roles of blocks, which {system.model.name} does not")
    try:
        roles_to_keep(keep)
    except ValueError as error:
        raise click.UsageError(f"--keep: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extracted:
    """The output of a page, and lines about it that are printed before and after it, on standard error."""

    output: str = ""
    notes: tuple[str, ...] = ()
    report: tuple[str, ...] = ()


def _print(source: str, page: _Extracted, form: Format, file: IO[str], *, several: bool) -> None:
    for note in page.notes:
        say(f"{source}: {note}")
    if several and (heading := form.heading(source)):
        click.echo(heading, file)
    click.echo(page.output, file)
    if several and page.report:
        say(f"{source}:")
    for line in page.report:
        say(line)


def _extracted(system: System, options: _Options, page: Page, reason: str | None) -> tuple[_Extracted, str]:
    """Return the output of a page, and why it should be rendered (:func:`~blocksight.document.route.routed`)."""
    from ...document.extract import extract as extract_document

    if not len(page.leaves) and not (reason == "" and page.geometry is None):
        raise PageFailed(page.url, "there is no text on this page")
    extraction = {name: options[name] for name in ("hidden", "images", "blocks", "keep", "spans")}
    document = extract_document(page, system=system, headline=not options["no_headline"], **extraction)
    document, wanted = routed(page, document, reason)
    if wanted:
        return _Extracted(), wanted
    return _Extracted(
        output=_written(document, options),
        notes=tuple(_notes(document, hidden=options["hidden"] == "report")),
        report=tuple(_report(document, page, options["report"])),
    ), ""


def _written(document: Document, options: _Options) -> str:
    if options["format"] == "chunks":
        return chunk_lines(document.chunks(tokens=options["chunk_tokens"])).rstrip("\n")
    if options["format"] == "json" and options["hidden"] == "report":
        import orjson

        return orjson.dumps(document.to_dict() | {"hidden": document.hidden.to_dict()}).decode()
    most = options["max_tokens"]
    written = document.written(options["format"]) if most is None else document.within(most).markdown
    return (document.front_matter() + "\n" if options["front_matter"] else "") + written.rstrip("\n")


def _notes(document: Document, *, hidden: bool) -> Iterator[str]:
    """Yield how a page was opened, that it has no text, its hidden text, and what its links are relative to."""
    if document.route and document.route != RENDERED:
        yield document.route
    if not document.text:
        verdict = document.judged.value if document.judged else document.verdict
        yield f"no main text found ({verdict})"
    if hidden:
        yield from _hidden_lines(document.hidden)
    if document.links and document.base.startswith(("http://", "https://")) and not is_address(document.url):
        # The canonical URL of a saved file.
        yield f"links are relative to its canonical URL {document.base} (--url gives another)"


def _hidden_lines(report: HiddenReport) -> Iterator[str]:
    """Yield the summary of the hidden text, and a line for each of the first passages."""
    yield report.summary()
    for passage in report.passages[:_MOST_PASSAGES]:
        warning = "INSTRUCTION " if passage.is_instruction else ""
        start = passage.text if len(passage.text) <= _PASSAGE else f"{passage.text[:_PASSAGE]}…"
        yield f"  {warning}{passage.reason}, {passage.words} words: {start}"
    if (more := len(report.passages) - _MOST_PASSAGES) > 0:
        yield f"  … {more} more (--format json has all)"


def _report(document: Document, page: Page, parts: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of the parts of a report, in the order in which they were asked for."""
    from ...document.explain import report_lines

    for part in parts:
        if part == "verdict":
            yield f"verdict: {document.verdict}"
            yield from (f"  {fact}" for fact in document.evidence)
        elif part == "pictures":
            yield f"pictures: {page.environment.get('pictures', 'none')}"
        elif document.rest is not None:
            yield from report_lines(document.rest.value)


@contextmanager
def _demo() -> Iterator[tuple[str, ...]]:
    from ...render.network.local_server import serve_folder

    with serve_folder(DEMO) as address:
        yield (f"{address}/index.html",)
