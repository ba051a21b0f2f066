"""The command line: ``blocksight COMMAND``; what each does is its own help."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import orjson
import pandas as pd

from ..classify.corpora import read_sites
from ..classify.document import Document
from ..classify.extract import HiddenText
from ..classify.extract import extract as extract_document
from ..classify.learned import Learned
from ..classify.model import load_model
from ..classify.system import System
from ..classify.systems import PEERS, SYSTEMS, system_named
from ..classify.systems.blocksight import Blocksight, BlocksightDom
from ..compare.agreement import Agreement, compare_systems
from ..compare.report import comparison_html
from ..features.table import table
from ..render.errors import BlocksightError, BrowserMissing, PageFailed
from ..render.loopback import serve_folder
from ..render.options import Screenshot
from ..render.page import Page
from ..render.store import save
from ..render.version import VERSION
from ..segment.blocks import Blocks
from ..segment.export import to_json, to_xml
from ..segment.methods import METHODS
from ..segment.vips import vips
from . import doctor as doctoring
from . import picturing
from .agreements import print_agreement, print_summary
from .dataset import dataset, read_groups
from .evaluating import chosen_systems, evaluate_command
from .failure import Failed, complain
from .opening import Opener
from .rendering import render_options, rendering
from .training import train

#: A page made by JavaScript, to show the job on.
DEMO = Path(__file__).with_name("demo")

FORMATS = ("markdown", "text", "html", "json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The pages of one call; counts what failed."""

    opener: Opener
    sources: tuple[str, ...]
    failures: list[str]

    def pages(self) -> Iterator[tuple[str, Page]]:
        """Yield the pages that could be opened, and complain of the others."""
        for opened in self.opener.open_all(self.sources):
            source = str(opened.source)
            if opened.page is None:
                self.fail(source, opened.error.why if isinstance(opened.error, PageFailed) else str(opened.error))
            else:
                if opened.page.partial:
                    click.echo(f"{source}: still loading when it was taken (partial)", err=True)
                yield source, opened.page

    def fail(self, source: str, why: str) -> None:
        """Note that a page failed."""
        self.failures.append(source)
        complain(source, why)

    @contextmanager
    def run(self) -> Iterator[None]:
        """Turn what went wrong into the exit code."""
        try:
            yield
        except BlocksightError as error:
            complain("blocksight", str(error))
            raise Failed("") from error
        if self.failures:
            raise Failed("")


def _job(
    sources: tuple[str, ...],
    rendering: dict[str, Any],
    *,
    static: bool = False,
    screenshot: Screenshot = "",
    mhtml: bool = False,
) -> Job:
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read once only")
    options = render_options(rendering, screenshot=screenshot, mhtml=mhtml)
    opener = Opener(
        options=options,
        executable=rendering["browser"],
        static=static,
        url=rendering["url"],
        encoding=rendering["encoding"],
    )
    return Job(opener=opener, sources=sources, failures=[])


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="blocksight")
def main() -> None:
    r"""The content of web pages by what a person sees.

    \b
    Example:
      blocksight extract https://example.org/app
    """


@main.command(epilog="Example: blocksight extract https://example.org/app --format json")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--format", "form", type=click.Choice(FORMATS), default="markdown", show_default=True)
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
    help="Text that a person does not see; mark tells why in the JSON.",
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
    job = _job(sources, rendering, static=static)
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
    if form == "json":
        click.echo(orjson.dumps(found.to_json()).decode())
        return
    if several:
        click.echo(f"=== {source}" if form == "text" else f"<!-- {source.replace('--', '- -')} -->")
    content: str = getattr(found, form)
    click.echo(content.rstrip("\n"))


@main.command(epilog="Example: blocksight render https://example.org/app -o app.page --png app.png")
@click.argument("source")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The page, for all commands here."
)
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="A picture of it.")
@click.option("--mhtml", type=click.Path(dir_okay=False, path_type=Path), help="An archive of it, for browsers.")
@click.option(
    "--screenshot",
    type=click.Choice(("full", "viewport", "none")),
    default="full",
    show_default=True,
    help="What of the page is pictured; the picture is also kept in -o.",
)
@rendering
def render(
    source: str, output: Path | None, png: Path | None, mhtml: Path | None, screenshot: str, **rendering: Any
) -> None:
    """Render a page once and keep it: it loads back with no browser on the machine."""
    if output is None and png is None and mhtml is None:
        raise click.UsageError("say what to write: -o PAGE, --png PICTURE or --mhtml ARCHIVE")
    if png is not None and screenshot == "none":
        raise click.UsageError("--png needs a picture: --screenshot full or viewport")
    pictured: Screenshot = "viewport" if screenshot == "viewport" else "full" if screenshot == "full" else ""
    job = _job((source,), rendering, screenshot=pictured, mhtml=mhtml is not None)
    with job.run():
        for name, page in job.pages():
            for path, data, what in ((png, page.screenshot, "picture"), (mhtml, page.mhtml, "archive")):
                if path is None:
                    continue
                if data is None:
                    job.fail(name, f"this page was saved without a {what}; render it again")
                else:
                    _written(path, job, partial(_write_bytes, data))
            if output is not None:
                _written(output, job, partial(save, page))
            if not job.failures:
                click.echo(f"{output or png or mhtml}: {len(page)} nodes, {len(page.leaves)} text leaves", err=True)


@main.command(epilog="Example: blocksight segment https://example.org/app --overlay blocks.png")
@click.argument("source")
@click.option("--method", type=click.Choice(tuple(METHODS)), default="vips", show_default=True)
@click.option("--pdoc", type=click.IntRange(1, 10), default=8, show_default=True, help="Permitted degree of coherence.")
@click.option(
    "--overlay",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the blocks over the screenshot: .png, or .html to slide through all degrees of coherence.",
)
@click.option("--content", is_flag=True, help="In the picture: green what is content, red what is not.")
@click.option("--json", "as_json", is_flag=True, help="Print the tree as JSON.")
@click.option("--xml", "as_xml", is_flag=True, help="Print the tree as XML.")
@rendering
def segment(
    source: str,
    method: str,
    pdoc: int,
    overlay: Path | None,
    *,
    content: bool,
    as_json: bool,
    as_xml: bool,
    **rendering: Any,
) -> None:
    """Cut a page into blocks; print the tree, or draw it."""
    if as_json and as_xml:
        raise click.UsageError("--json or --xml, not both")
    job = _job((source,), rendering, screenshot="full" if overlay is not None else "")
    with job.run():
        for _, page in job.pages():
            if page.geometry is None:
                job.fail(source, "this page was saved without geometry; render it again")
                continue
            blocks = _cut(method, page, pdoc)
            if overlay is not None:
                _written(overlay, job, partial(_write_bytes, _picture(page, blocks, overlay, method, pdoc, content)))
            if as_xml:
                click.echo(to_xml(page, blocks))
            elif as_json:
                click.echo(orjson.dumps(to_json(page, blocks)).decode())
            elif overlay is None:
                _print_tree(page, blocks)


def _picture(page: Page, blocks: Blocks, path: Path, method: str, pdoc: int, content: bool) -> bytes:
    if not picturing.is_html(path):
        return picturing.draw(page, blocks, content=content)
    steps = range(1, 11) if method == "vips" else (pdoc,)
    return picturing.draw_html(page, partial(_cut, method), steps, pdoc, content=content).encode()


def _cut(method: str, page: Page, pdoc: int) -> Blocks:
    return vips(page, pdoc=pdoc) if method == "vips" else METHODS[method](page)


def _print_tree(page: Page, blocks: Blocks) -> None:
    depth: list[int] = []
    for row, parent in enumerate(blocks.parent.tolist()):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in blocks.leaves_of(row).tolist()).split())
        box = " ".join(f"{value:.0f}" for value in blocks.box[row].tolist())
        click.echo(f"{'  ' * depth[row]}[{box}] doc {blocks.doc[row]}  {text[:60]}")


@main.command(epilog="Example: blocksight features https://example.org/app -o blocks.parquet")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help=".csv or .parquet")
@click.option("--method", type=click.Choice(tuple(METHODS)), default="paragraphs", show_default=True)
@click.option(
    "--groups", callback=read_groups, default="all", show_default=True, help="Feature groups, parted by commas."
)
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: visual columns stay empty.")
@rendering
def features(
    sources: tuple[str, ...], output: Path, method: str, groups: tuple[str, ...], *, no_browser: bool, **rendering: Any
) -> None:
    """Write the block table of pages: one row a block, one column a feature."""
    if output.suffix not in {".csv", ".parquet"}:
        raise click.UsageError(f"-o {output}: the name must end in .csv or .parquet")
    if no_browser and method == "vips":
        raise click.UsageError("vips needs geometry: leave out --no-browser or take --method targets")
    job = _job(sources, rendering, static=no_browser)
    with job.run():
        frames = []
        for source, page in job.pages():
            frame = table(page, METHODS[method](page), groups=groups)
            frame.insert(0, "source", source)
            frames.append(frame)
        if frames:
            whole = pd.concat(frames, ignore_index=True)
            write = whole.to_parquet if output.suffix == ".parquet" else whole.to_csv
            _written(output, job, lambda path: write(path, index=False))
            click.echo(f"{output}: {len(whole)} blocks, {whole.shape[1]} columns", err=True)


@main.command(epilog="Example: blocksight compare https://example.org/app --systems blocksight,blocksight-dom,bte")
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
    job = _job(sources, rendering, static=no_browser, screenshot="full" if output else "")
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
            _written(output, job, partial(_write_bytes, comparison_html(found).encode()))


def _write_bytes(data: bytes, path: Path) -> None:
    path.write_bytes(data)


def _written(path: Path, job: Job, write: Callable[[Path], Any]) -> None:
    """Write a result by way of a neighbouring file, so that a failure leaves what was there."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        write(unfinished)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        job.fail(str(path), f"cannot be written: {error.strerror or error}")


main.add_command(dataset)
main.add_command(train)


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


@main.command("train-system", epilog="Example: blocksight train-system mss corpora/news -o mss.npz")
@click.argument("name")
@click.argument("corpora", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="An .npz file.")
@click.option("--rendered", type=click.Path(file_okay=False, path_type=Path), help="Keeps rendered pages (visual).")
@click.option("--sites", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="site<TAB>split a line.")
@click.option("--limit", type=click.IntRange(1), help="At most so many pages, always the same ones.")
def train_system(
    name: str, corpora: tuple[Path, ...], output: Path, rendered: Path | None, sites: Path | None, limit: int | None
) -> None:
    """Train a system of the literature anew.

    NAME is one of the trained ones of `blocksight systems`. A corpus is a folder with gold.jsonl (a JSON object a line:
    id, gold_text, split) and pages/ID.html; only pages of the split train are used.
    """
    # scikit-learn is for training alone.
    from ..classify.train_system import train_system as train_system_on  # noqa: PLC0415
    from ..classify.train_system import trainable_named  # noqa: PLC0415

    split = read_sites(sites) if sites else None
    try:
        system = trainable_named(name)
        fitted = train_system_on(system, corpora, rendered=rendered, sites=split, limit=limit, say=_progress)
    except (ValueError, FileNotFoundError) as error:
        raise click.UsageError(str(error)) from error
    if fitted.model is not None:
        _save_model(fitted.model, output)


def _progress(line: str) -> None:
    click.echo(line, err=True)


def _save_model(model: Learned, output: Path) -> None:
    try:
        model.save(output)
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror or error}") from error
    pages = sum(model.about["corpora"].values())
    click.echo(f"{output}: {output.stat().st_size} bytes, learned from {pages} pages", err=True)


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


main.add_command(evaluate_command)
