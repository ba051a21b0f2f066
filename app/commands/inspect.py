"""The command ``blocksight inspect``: view, label and train in a browser."""

from __future__ import annotations

import html
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import ExtraMissing
from ..command_options import FILE_THERE, FOLDER, PageCommand, refuse_page_options, render_options, rendering
from ..console import listen, report_errors, say
from ..job import expand_lists

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_HOST = "127.0.0.1"
#: The file that redirects to the inspector, in its folder.
_REDIRECT = "open.html"
#: The default annotator.
_ANNOTATOR = "me"


@click.command(cls=PageCommand, epilog="Example: blocksight inspect --demo")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--demo", is_flag=True, help="Inspect the pages of the demo.")
@click.option("--model", type=FILE_THERE, help="Start with this model instead of the shipped one.")
@click.option(
    "-o",
    "--output",
    "folder",
    type=FOLDER,
    default="inspection",
    help="Folder of rendered pages, labels and models; the next call continues with them.",
)
@click.option("--who", default=_ANNOTATOR, help="The annotator; each has a file of labels.")
@click.option("--port", type=click.IntRange(0, 65535), default=8710, help="0 takes a free one.")
@click.option("--token", envvar="BLOCKSIGHT_TOKEN", help="First part of the address; random by default.")
@click.option("--open/--no-open", "opened", default=True, help="Open the page in your browser.")
@rendering
def inspect(
    sources: tuple[str, ...],
    model: Path | None,
    folder: Path,
    who: str,
    port: int,
    token: str | None,
    *,
    demo: bool,
    opened: bool,
    **rendering: Any,
) -> None:
    """View pages with their predictions, correct them with one keystroke, and train on the labels.

    SOURCE is an address, an HTML file, an archive, a saved page, a folder of these, or a corpus (a folder with
    gold.jsonl), which is shown with its gold. Only this machine can open the inspector; from another one, forward the
    port by SSH.
    """
    refuse_page_options(rendering, "save it by `blocksight render`, and inspect that")
    if demo and sources:
        raise click.UsageError("--demo brings its own pages")
    with report_errors():
        try:
            import uvicorn

            from ...inspector.server.app import inspector_app
        except ImportError as error:
            raise ExtraMissing("the inspector", "inspect") from error
        from ...inspector.items import demo_items, items_of
        from ...inspector.session import InspectorSession

        items = demo_items() if demo else items_of(expand_lists(sources))
        token = token or secrets.token_urlsafe(24)
        listening = listen(_HOST, port)
        session = InspectorSession(
            items, folder, who=who, options=render_options(rendering), executable=rendering["browser"], model=model
        )
        with listening, session:
            address = f"http://{_HOST}:{listening.getsockname()[1]}/{token}/"
            if _announce(address, len(items), folder) and opened:
                session.callback(_open(address, folder / _REDIRECT).unlink, missing_ok=True)
            _serve(uvicorn, inspector_app(session, token), listening)


def _serve(uvicorn: Any, app: ASGIApp, listening: socket.socket) -> None:
    # Access logs would hold the token.
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=2, ws="none")
    uvicorn.Server(config).run(sockets=[listening])


def _announce(address: str, pages: int, folder: Path) -> bool:
    """Print the address; return whether a browser can be opened here."""
    say(f"{pages} page{'s' if pages != 1 else ''}; labels and models are kept in {folder}")
    say(f"open {address}")
    say("Ctrl-C ends the inspector")
    return _has_desktop() and not os.environ.get("SSH_CONNECTION")


def _open(address: str, path: Path) -> Path:
    """Open the inspector by a file that redirects to it, and return the file.

    The arguments of programs are visible to all users of the machine, the file is not.
    """
    import webbrowser

    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={html.escape(address)}">\n')
    webbrowser.open(path.resolve().as_uri())
    return path


def _has_desktop() -> bool:
    """Return whether a graphical browser can be opened: others would use the terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
