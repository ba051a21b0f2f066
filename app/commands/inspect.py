"""The command ``blocksight inspect``: pages in a person's browser, to be seen, corrected and learned from."""

from __future__ import annotations

import getpass
import html
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import ExtraMissing
from ..command_options import FILE_THERE, FOLDER, render_options, rendering
from ..console import report_errors, say
from ..job import expand_lists

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_HOST = "127.0.0.1"
#: The file that leads to the inspector, in its folder.
_WAY = "open.html"
#: What the labels are called by where nobody says who gives them.
_ANYBODY = "me"


@click.command(epilog="Example: blocksight inspect --demo")
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--demo", is_flag=True, help="Pages that come with blocksight: a first look.")
@click.option("--gold", type=FILE_THERE, help="gold.jsonl of a corpus: shown beside the model's answer.")
@click.option("--model", type=FILE_THERE, help="Begin with this model instead of the shipped one.")
@click.option(
    "-o",
    "--keep",
    "folder",
    type=FOLDER,
    default="inspection",
    help="Keeps rendered pages, labels and models; the next call goes on from there.",
)
@click.option("--who", default=_ANYBODY, help="Whose labels are written: one file a person.")
@click.option("--port", type=click.IntRange(0, 65535), default=8710, help="0 takes a free one.")
@click.option("--token", envvar="BLOCKSIGHT_TOKEN", help="First part of the address; made up where none is given.")
@click.option("--open/--no-open", "opened", default=True, help="Open the page in your browser.")
@rendering
def inspect(
    sources: tuple[str, ...],
    gold: Path | None,
    model: Path | None,
    folder: Path,
    who: str,
    port: int,
    token: str | None,
    *,
    demo: bool,
    opened: bool,
    **given: Any,
) -> None:
    """See pages as blocksight sees them, correct it by a key, and let it learn from that.

    SOURCE is an address, an HTML file, an archive, a saved page, a folder of these, or a corpus (a folder with
    gold.jsonl). Only this machine can open the page; on another one, forward the port by SSH.
    """
    if given["url"] or given["encoding"]:
        raise click.UsageError("--url and --encoding are for one page: keep it by `blocksight render`, inspect that")
    if demo and (sources or gold):
        raise click.UsageError("--demo brings its own pages")
    with report_errors():
        try:
            import uvicorn

            from ...inspector.server.app import inspector_app
        except ImportError as error:
            raise ExtraMissing("the inspector", "inspect") from error
        from ...inspector.items import demo_items, items_of
        from ...inspector.session import InspectorSession

        items = demo_items() if demo else items_of(expand_lists(sources), gold)
        told = token or secrets.token_urlsafe(24)
        listening = _listening(port)
        session = InspectorSession(
            items, folder, who=who, options=render_options(given), executable=given["browser"], model=model
        )
        with listening, session:
            address = f"http://{_HOST}:{listening.getsockname()[1]}/{told}/"
            if _announce(address, len(items), folder) and opened:
                session.callback(_open(address, folder / _WAY).unlink, missing_ok=True)
            session.ranking.start()
            _serve(uvicorn, inspector_app(session, told), listening)


def _listening(port: int) -> socket.socket:
    """Take the port before anything is said of it."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((_HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise click.ClickException(f"port {port} is taken ({error.strerror}); --port 0 takes a free one") from error
    return listening


def _serve(uvicorn: Any, app: ASGIApp, listening: socket.socket) -> None:
    # Access logs would hold the token.
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=2, ws="none")
    uvicorn.Server(config).run(sockets=[listening])


def _announce(address: str, pages: int, folder: Path) -> bool:
    """Say where the inspector is; return whether a browser can be opened here."""
    say(f"{pages} page{'s' if pages != 1 else ''}; labels and models are kept in {folder}")
    say(f"open {address}")
    if os.environ.get("SSH_CONNECTION"):
        port = address.split(":")[2].partition("/")[0]
        there = f"{getpass.getuser()}@{socket.gethostname()}"
        say(f"this is another machine: on yours, run  ssh -L {port}:{_HOST}:{port} {there}")
        say("and open that address there; Ctrl-C ends the inspector")
        return False
    say("Ctrl-C ends the inspector")
    return _has_desktop()


def _open(address: str, way: Path) -> Path:
    """Open the inspector by way of a file that leads to it; return that.

    All users of the machine see what programs are called with, and only its owner can read the file.
    """
    import webbrowser

    way.parent.mkdir(parents=True, exist_ok=True)
    way.unlink(missing_ok=True)
    with os.fdopen(os.open(way, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={html.escape(address)}">\n')
    webbrowser.open(way.resolve().as_uri())
    return way


def _has_desktop() -> bool:
    """Return whether a browser with windows can be opened: others would take the terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
