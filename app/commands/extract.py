"""The command ``blocksight extract``: the content of pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...classify.route import RENDERED, raw_route, render_reason
from ...document.formats import FORMATS, chunk_lines, format_named
from ...document.records.record_formats import without_header
from ...errors import PageFailed
from ...render.sources.sources import is_address
from ..command_options import FOLDER, OneOf, no_browser, rendering
from ..console import say
from ..job import Job, expand_lists, start_job
from ..system_options import chosen_system, images, system_options

if TYPE_CHECKING:
    from ...classify.extract import HiddenText, Images, Shown
    from ...classify.system import System
    from ...document.content.markdown_elements import Spans
    from ...document.document import Document
    from ...document.hidden_report import HiddenReport
    from ...page.page import Page

#: A page made by JavaScript.
DEMO = Path(__file__).with_name("demo")
NAMES = tuple(form.name for form in FORMATS)
#: Not a format of documents: regions and controls of the page, as ``blocksight map`` prints them.
MAP = "map"
#: Most passages of hidden text that are printed, and most characters of one.
_MOST_PASSAGES, _PASSAGE = 20, 160


@click.command(epilog="Example: blocksight extract https://example.org/app --format json")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--format", type=OneOf((*NAMES, MAP)), default=NAMES[0], help="Output format.")
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
    "--save-images",
    type=FOLDER,
    metavar="DIR",
    help="Write the images of the content into DIR, as the browser loaded them, and refer to these files.",
)
@click.option(
    "--blocks",
    type=OneOf(("content", "all")),
    default="content",
    help="With all, the JSON has every block of the page: kept or not, its probability, and why.",
)
@click.option(
    "--keep",
    metavar="ROLE,...",
    help="Roles of blocks to keep with the body: title, standfirst, author, date, caption, note, comment, related, "
    "all ... By default standfirst and note.",
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
@click.option("--chunk-characters", type=click.IntRange(min=1), help="With --format chunks: most characters of one.")
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
    if demo and (sources or no_browser):
        raise click.UsageError("--demo brings its own page and needs the browser")
    if not demo and not sources:
        raise click.UsageError("name a SOURCE: an address, an HTML file, a saved page or - (or try --demo)")
    chosen = chosen_system(system, model)
    settings = _settings(options, chosen, browser=not no_browser)
    with _demo() if demo else _given(expand_lists(sources)) as pages:
        rendering = options | {"allow_private": True} if demo else options
        job = start_job(pages, rendering, static=no_browser, mhtml=settings.folder is not None, chooses=True)
        if job.auto and settings.format == MAP:
            raise click.UsageError("--format map shows a rendered page, which --browser auto may not have")
        if job.auto and settings.folder is not None:
            raise click.UsageError("--save-images needs every page rendered, which --browser auto does not do")
        with job.run():
            _extract(job, chosen, settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settings:
    format: str
    hidden: HiddenText
    images: Images
    folder: Path | None
    headline: bool
    front_matter: bool
    blocks: Shown
    keep: str | None
    spans: Spans
    report: tuple[str, ...]
    tokens: int | None
    characters: int | None
    max_tokens: int | None

    def text(self, document: Document) -> str:
        if self.format == "chunks":
            return chunk_lines(document.chunks(tokens=self.tokens, characters=self.characters)).rstrip("\n")
        if self.format == "json" and self.hidden == "report":
            import orjson

            return orjson.dumps(document.to_dict() | {"hidden": document.hidden.to_dict()}).decode()
        front_matter = document.front_matter() + "\n" if self.front_matter else ""
        written = (
            document.written(self.format) if self.max_tokens is None else document.within(self.max_tokens).markdown
        )
        return front_matter + written.rstrip("\n")


def _settings(options: dict[str, Any], system: System, *, browser: bool) -> _Settings:
    """Return the settings of some options, or raise UsageError for a combination without meaning."""
    tokens, characters = options["chunk_tokens"], options["chunk_characters"]
    if options["front_matter"] and options["format"] != "markdown":
        raise click.UsageError("--front-matter is for --format markdown")
    if options["format"] == MAP and not browser:
        raise click.UsageError("--format map needs the browser")
    if options["save_images"] and (not browser or options["images"] == "none"):
        raise click.UsageError("--save-images needs the browser, and --images keep")
    if options["blocks"] == "all" and options["format"] != "json":
        raise click.UsageError("--blocks all is for --format json")
    if (tokens or characters) and options["format"] != "chunks":
        raise click.UsageError("--chunk-tokens and --chunk-characters are for --format chunks")
    if options["max_tokens"] and options["format"] != "markdown":
        raise click.UsageError("--max-tokens is for --format markdown; --chunk-tokens for --format chunks")
    if tokens and characters:
        raise click.UsageError("--chunk-tokens or --chunk-characters, not both")
    return _Settings(
        folder=options["save_images"],
        headline=not options["no_headline"],
        keep=_checked_roles(options["keep"], system),
        tokens=tokens,
        characters=characters,
        max_tokens=options["max_tokens"],
        **{name: options[name] for name in ("format", "hidden", "images", "front_matter", "blocks", "spans", "report")},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extracted:
    """The output of a page with the lines of its report.

    ``empty`` is the verdict on a page without text; ``base`` the URL that its links are relative to, unless it is that
    of the page; ``hidden`` the lines of the report of hidden text, if it was requested; ``route`` how the page was
    opened, and ``reason`` why it should be rendered, if its raw HTML was read first.
    """

    output: str
    base: str
    empty: str = ""
    report: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    route: str = ""
    reason: str = ""


def _extract(job: Job, system: System, settings: _Settings) -> None:
    work = partial(_extracted, system, settings, job.auto)
    results = job.results(work, partial(_warm_up, system), ask=lambda result: result.reason)
    for number, (source, page) in enumerate(results):
        if job.auto and page.route != RENDERED:
            say(f"{source}: {page.route}")
        if page.empty:
            say(f"{source}: no main text found ({page.empty})")
        for line in page.hidden:
            say(f"{source}: {line}")
        if page.base:
            say(f"{source}: links are relative to its canonical URL {page.base} (--url gives another)")
        form = None if settings.format == MAP else format_named(settings.format)
        if form is not None and len(job.sources) > 1 and (heading := form.heading(source)):
            click.echo(heading)
        if form is None or not form.header or not number:
            click.echo(page.output)
        elif rows := without_header(page.output):
            click.echo(rows)
        for line in page.report:
            say(line)


def _warm_up(system: System) -> None:
    from ...classify.extract import extract as extract_document
    from ...page.parse import parse

    page = parse("<title>A</title><h1>A</h1><p>Some words of a page.")
    extract_document(page, system="everything").written("markdown")
    extract_document(page, system=system)


def _extracted(system: System, settings: _Settings, auto: bool, page: Page) -> _Extracted:
    from ...classify.extract import extract as extract_document

    if not len(page.leaves) and not (auto and page.geometry is None):
        raise PageFailed(page.url, "there is no text on this page")
    if settings.format == MAP:
        from ...classify.map_page import page_map

        return _Extracted(output=page_map(page, system=system).text.rstrip("\n"), base="", route=RENDERED)
    document = extract_document(
        page,
        system=system,
        hidden=settings.hidden,
        images=settings.images,
        headline=settings.headline,
        blocks=settings.blocks,
        keep=settings.keep,
        spans=settings.spans,
    )
    reason = render_reason(page, document) if auto else ""
    document = replace(document, route=raw_route(page, document)) if auto and not reason else document
    document = _with_files(document, page, settings.folder) if settings.folder else document
    if reason:
        return _Extracted(output="", base="", reason=reason)
    return _Extracted(
        output=settings.text(document),
        base=_other_base(document),
        empty="" if document.text else str(document.judged.value if document.judged else document.verdict),
        report=tuple(_report(document, page, settings.report)),
        hidden=_hidden_lines(document.hidden) if settings.hidden == "report" else (),
        route=document.route,
    )


def _report(document: Document, page: Page, parts: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of the parts of a report, in the order in which they were asked for."""
    from ...document.verdict.dropped import report_lines

    for part in parts:
        if part == "verdict":
            yield f"verdict: {document.verdict}"
            yield from (f"  {fact}" for fact in document.evidence)
        elif part == "pictures":
            yield f"pictures: {page.environment.get('pictures', 'none')}"
        elif document.rest is not None:
            yield from report_lines(document.rest.value)


def _hidden_lines(report: HiddenReport) -> tuple[str, ...]:
    """Return the summary of the hidden text, and a line for each of the first passages."""
    lines = [report.summary()]
    for passage in report.passages[:_MOST_PASSAGES]:
        warning = "INSTRUCTION " if passage.is_instruction else ""
        start = passage.text if len(passage.text) <= _PASSAGE else f"{passage.text[:_PASSAGE]}…"
        lines.append(f"  {warning}{passage.reason}, {passage.words} words: {start}")
    more = len(report.passages) - _MOST_PASSAGES
    return (*lines, f"  … {more} more (--format json has all)") if more > 0 else tuple(lines)


def _other_base(document: Document) -> str:
    """Return the URL that links are relative to if it is the canonical one of a saved file, else ""."""
    address = document.base.startswith(("http://", "https://")) and not is_address(document.url)
    return document.base if address and document.links else ""


def _checked_roles(keep: str | None, system: System) -> str | None:
    if keep is None:
        return None
    from ...classify.system import RoleSystem
    from ...classify.systems.blocksight import Blocksight, BlocksightDom
    from ...document.roles import roles_to_keep

    if not isinstance(system, RoleSystem):
        raise click.UsageError(f"--keep is for systems that predict roles of blocks, which {system.card.name} does not")
    if isinstance(system, Blocksight | BlocksightDom) and system.model is not None and system.model.roles is None:
        raise click.UsageError(f"--keep is for models that predict roles of blocks, which {system.model.name} does not")
    try:
        roles_to_keep(keep)
    except ValueError as error:
        raise click.UsageError(f"--keep: {error}") from error
    return keep


def _with_files(document: Document, page: Page, folder: Path) -> Document:
    from ...document.image_files import save_images

    try:
        return save_images(document, page, folder)
    except ValueError as error:
        raise PageFailed(page.url, f"its images cannot be saved: {error}") from error
    except OSError as error:
        raise PageFailed(page.url, f"{folder} cannot be written: {error.strerror or error}") from error


@contextmanager
def _given(sources: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield sources


@contextmanager
def _demo() -> Iterator[tuple[str, ...]]:
    from ...render.network.local_server import serve_folder

    with serve_folder(DEMO) as address:
        yield (f"{address}/index.html",)
