"""The command ``blocksight extract``: pages to their content."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...document.formats import FORMATS, chunk_lines, format_named
from ...errors import ModelMismatch, PageFailed
from ..command_options import FILE, FOLDER, OneOf, no_browser, rendering
from ..console import say
from ..job import Job, expand_lists, start_job
from ..system_options import chosen_system, images, judged_by

if TYPE_CHECKING:
    from ...classify.extract import HiddenText, Images, Shown
    from ...classify.system import System
    from ...classify.systems.memory.site_memory import SiteMemory
    from ...document.document import Document
    from ...page.page import Page

#: A page made by JavaScript, to show the job on.
DEMO = Path(__file__).with_name("demo")
NAMES = tuple(one.name for one in FORMATS)


@click.command(epilog="Example: blocksight extract https://example.org/app --format json")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--format", "form", type=OneOf(NAMES), default=NAMES[0], show_default=True, help="What to print.")
@judged_by
@click.option(
    "--hidden",
    type=OneOf(("drop", "keep", "mark")),
    default="drop",
    show_default=True,
    help="What to do with text that a person does not see. With mark, the JSON says why it is not seen.",
)
@images
@click.option(
    "--save-images",
    type=FOLDER,
    metavar="DIR",
    help="Write the pictures of the content into DIR, as the browser loaded them, and refer to these files.",
)
@click.option(
    "--remember",
    type=FILE,
    metavar="FILE",
    help="Leave out lines that recur on pages of one site, as far as they have been read; FILE keeps what was learned.",
)
@click.option(
    "--blocks",
    type=OneOf(("content", "all")),
    default="content",
    show_default=True,
    help="With all, the JSON has every block of the page: kept or not, how likely, and why.",
)
@click.option(
    "--keep",
    metavar="ROLE,...",
    help="Roles of blocks that come out beside the body: title, standfirst, author, date, caption, note, comment, "
    "related, all ... By default standfirst and note.",
)
@click.option("--chunk-tokens", type=click.IntRange(min=1), help="With --format chunks: most tokens of one (256).")
@click.option("--chunk-characters", type=click.IntRange(min=1), help="With --format chunks: most characters of one.")
@click.option("--no-headline", is_flag=True, help="Do not write the title above Markdown and HTML.")
@click.option("--front-matter", is_flag=True, help="Begin Markdown with title, authors, dates and the like as YAML.")
@no_browser
@click.option("--demo", is_flag=True, help="Extract a page made by JavaScript that comes with blocksight.")
@rendering
def extract(
    sources: tuple[str, ...],
    form: str,
    system: str,
    model: Path | None,
    hidden: HiddenText,
    images: Images,
    save_images: Path | None,
    remember: Path | None,
    blocks: Shown,
    keep: str | None,
    chunk_tokens: int | None,
    chunk_characters: int | None,
    *,
    no_headline: bool,
    front_matter: bool,
    no_browser: bool,
    demo: bool,
    **rendering: Any,
) -> None:
    """Print the content of pages.

    SOURCE is an address, an HTML file, a saved page, an archive, - for a page by standard input, or @FILE (@-) for a
    list of these, one a line. Several pages are printed one after the
    other, each under a line with its name; as JSON, one object a line.
    """
    if demo and (sources or no_browser):
        raise click.UsageError("--demo brings its own page and needs the browser")
    if not demo and not sources:
        raise click.UsageError("name a SOURCE: an address, an HTML file, a saved page or - (or try --demo)")
    if front_matter and form != "markdown":
        raise click.UsageError("--front-matter is for --format markdown")
    if save_images and (no_browser or images == "none"):
        raise click.UsageError("--save-images needs the browser, and --images keep")
    if blocks == "all" and form != "json":
        raise click.UsageError("--blocks all is for --format json")
    if (chunk_tokens or chunk_characters) and form != "chunks":
        raise click.UsageError("--chunk-tokens and --chunk-characters are for --format chunks")
    if chunk_tokens and chunk_characters:
        raise click.UsageError("--chunk-tokens or --chunk-characters, not both")
    chosen = chosen_system(system, model)
    wanted = _Wanted(
        form=form,
        hidden=hidden,
        images=images,
        folder=save_images,
        headline=not no_headline,
        front_matter=front_matter,
        blocks=blocks,
        keep=_kept(keep, chosen),
        tokens=chunk_tokens,
        characters=chunk_characters,
    )
    with _demo() if demo else _given(expand_lists(sources)) as pages:
        job = start_job(
            pages,
            rendering | {"allow_private": True} if demo else rendering,
            static=no_browser,
            mhtml=bool(save_images),
        )
        with job.run(), _remembering(chosen, remember, job) as judging:
            _extract(job, judging, wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is to be made of each page."""

    form: str
    hidden: HiddenText
    images: Images
    folder: Path | None
    headline: bool
    front_matter: bool
    blocks: Shown
    keep: str | None
    tokens: int | None
    characters: int | None

    def written(self, found: Document) -> str:
        """Return a document as it is printed."""
        if self.form == "chunks":
            return chunk_lines(found.chunks(tokens=self.tokens, characters=self.characters)).rstrip("\n")
        above = found.metadata.to_yaml() + "\n" if self.front_matter else ""
        return above + found.written(self.form).rstrip("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extracted:
    """What came of a page; ``memory`` is what is known of its site now, where that is kept."""

    written: str
    found: bool
    memory: SiteMemory | None


def _extract(job: Job, system: System, wanted: _Wanted) -> None:
    from ...classify.systems.memory.site_memory import MemorySystem

    for source, one in job.results(partial(_extracted, system, wanted), warm_up=partial(_warm_up, system)):
        if one.memory is not None and isinstance(system, MemorySystem):
            system.memory.copy_from(one.memory)
        if not one.found:
            say(f"{source}: no main text found")
        heading = format_named(wanted.form).heading(source)
        if len(job.sources) > 1 and heading:
            click.echo(heading)
        click.echo(one.written)


def _warm_up(system: System) -> None:
    """Import what extracting takes, and load the model."""
    from ...classify.extract import extract as extract_document
    from ...page.parse import parse

    page = parse("<title>A</title><h1>A</h1><p>Some words of a page.")
    extract_document(page, system="everything").written("markdown")
    extract_document(page, system=system)


def _extracted(system: System, wanted: _Wanted, page: Page) -> _Extracted:
    from ...classify.extract import extract as extract_document
    from ...classify.systems.memory.site_memory import MemorySystem

    if not len(page.leaves):
        raise PageFailed(page.url, "there is no text on this page")
    found = extract_document(
        page,
        system=system,
        hidden=wanted.hidden,
        images=wanted.images,
        headline=wanted.headline,
        blocks=wanted.blocks,
        keep=wanted.keep,
    )
    found = _with_files(found, page, wanted.folder) if wanted.folder else found
    memory = system.memory if isinstance(system, MemorySystem) else None
    return _Extracted(written=wanted.written(found), found=bool(found.text), memory=memory)


def _kept(keep: str | None, system: System) -> str | None:
    """Check the names of roles before any page is read."""
    if keep is None:
        return None
    from ...classify.system import RoleSystem
    from ...classify.systems.blocksight import Blocksight, BlocksightDom
    from ...document.roles import roles_to_keep

    if not isinstance(system, RoleSystem):
        raise click.UsageError(
            f"--keep is for systems that tell the roles of blocks, which {system.card.name} does not"
        )
    if isinstance(system, Blocksight | BlocksightDom) and system.model is not None and system.model.roles is None:
        raise click.UsageError(
            f"--keep is for models that tell the roles of blocks, which {system.model.name} does not"
        )
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
        raise PageFailed(page.url, f"its pictures cannot be saved: {error}") from error
    except OSError as error:
        raise PageFailed(page.url, f"{folder} cannot be written: {error.strerror or error}") from error


@contextmanager
def _remembering(system: System, path: Path | None, job: Job) -> Iterator[System]:
    """Yield the system with the memory that a file keeps, and keep there what it has learned since."""
    if path is None:
        yield system
        return
    from ...classify.systems.memory.site_memory import MemorySystem, SiteMemory

    try:
        memory = SiteMemory.load(path) if path.exists() else SiteMemory()
    except (ValueError, ModelMismatch) as error:
        raise click.BadParameter(str(error), param_hint="--remember") from error
    try:
        yield MemorySystem(system=system, memory=memory)
    finally:
        job.write(path, memory.save)


@contextmanager
def _given(sources: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield sources


@contextmanager
def _demo() -> Iterator[tuple[str, ...]]:
    from ...render.network.local_server import serve_folder

    with serve_folder(DEMO) as address:
        yield (f"{address}/index.html",)
