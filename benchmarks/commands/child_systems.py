"""Programs in processes of their own that have metadata and structure: as functions, and as systems."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import blocksight as bs
import click
from blocksight.classify.system import SystemMetadata
from blocksight.classify.systems import PEERS
from blocksight.classify.systems.peers import Peer, html_text
from blocksight.document.metadata.authors import names_in
from blocksight.document.metadata.dates import iso_date
from common import FOLDER
from peer_programs import ProgramMissing, child_program, program_command

Fields = dict[str, str]
#: Programs in processes of their own, the fields that they have, and the seconds for a page.
CHILDREN = {"defuddle": ("title", "author", "date"), "magic-html": ("title",)}
CHILD_SECONDS = 30.0


def by_child(command: tuple[str, ...], fields: tuple[str, ...], html: str, url: str) -> Fields:
    """Return the fields that a program in a process of its own has."""
    answer = child_program(command).answer(html, url, CHILD_SECONDS)
    values = {name: str(answer.get(name) or "") for name in fields}
    return values | ({"date": iso_date(values["date"])[:10]} if "date" in values else {})


def child_readers(names: list[str], python: str | None, peers: Path | None) -> dict[str, Callable[[str, str], Fields]]:
    """Return programs by name; those that are not installed are named on standard error and skipped."""
    found: dict[str, Callable[[str, str], Fields]] = {}
    for name in filter(CHILDREN.get, names):
        try:
            found[name] = partial(by_child, tuple(program_command(name, python, peers)), CHILDREN[name])
        except ProgramMissing as error:
            print(f"{name} is skipped: {error}", file=sys.stderr)
    return found


def child_system(name: str, python: str | None, peers: Path | None) -> Peer:
    """Return a program in a process of its own as a system with Markdown and metadata."""
    command = tuple(program_command(name, python, peers))
    known = next(peer for peer in PEERS if peer.card.name == "readability-lxml")
    return replace(
        known,
        card=replace(known.card, name=name),
        module="json",
        package=name,
        read_text=partial(_child_text, command),
        read_markdown=partial(_child_markdown, command),
        read_metadata=partial(_child_metadata, command),
    )


def _child_html(command: tuple[str, ...], html: str, page: bs.Page) -> dict[str, Any]:
    return child_program(command).answer(html, page.url if page.url.startswith("http") else None, CHILD_SECONDS)


def _child_text(command: tuple[str, ...], _: Any, html: str, page: bs.Page) -> str:
    return html_text(str(_child_html(command, html, page)["html"]))


def _child_markdown(command: tuple[str, ...], _: Any, html: str, page: bs.Page) -> str:
    from markdownify import markdownify

    return str(markdownify(str(_child_html(command, html, page)["html"])))


def _child_metadata(command: tuple[str, ...], _: Any, html: str, page: bs.Page) -> SystemMetadata:
    answer = _child_html(command, html, page)
    authors = tuple(names_in(str(answer.get("author") or "")))
    date = iso_date(str(answer.get("date") or ""))[:10]
    return SystemMetadata(title=str(answer.get("title") or ""), authors=authors, date=date)


def child_options(command: Any) -> Any:
    """Add the options that find programs in processes of their own."""
    command = click.option("--python", help="A Python that has magic-html.")(command)
    return click.option("--peers", type=FOLDER, help="Folder with node_modules of Defuddle.")(command)
