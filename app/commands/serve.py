"""The command ``blocksight serve``: pages over HTTP."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path
from typing import Any

import click

from ...errors import ExtraMissing
from ..command_options import (
    PageCommand,
    browser_mode,
    chosen_system,
    program,
    refuse_page_options,
    render_options,
    rendering,
    system_options,
)
from ..console import listen, report_errors, say
from ..page_runner import PageRunner, warm_up


@click.command(cls=PageCommand, epilog="Example: blocksight serve --port 8700")
@click.option("--host", default="127.0.0.1", help="Address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8700, help="0 takes a free one.")
@click.option("--token", envvar="BLOCKSIGHT_TOKEN", help="Token that clients must send; random and printed by default.")
@click.option("--workers", type=click.IntRange(min=1), default=2, help="Concurrent pages.")
@click.option("--queue", type=click.IntRange(min=0), default=8, help="Maximum number of waiting requests.")
@click.option("--max-body", type=click.IntRange(min=1), default=20_000_000, help="Largest body, in bytes.")
@system_options
@click.option("--no-browser", is_flag=True, help="Read raw HTML and saved pages only.")
@rendering
def serve(
    host: str,
    port: int,
    token: str | None,
    workers: int,
    queue: int,
    max_body: int,
    system: str,
    model: Path | None,
    *,
    no_browser: bool,
    **rendering: Any,
) -> None:
    """Serve pages over HTTP: POST /extract and /render, GET /health.

    A request has JSON with "url" or "html", or the document itself, and the header "Authorization: Bearer TOKEN".
    """
    refuse_page_options(rendering, "send them with the request")
    mode = browser_mode(rendering, static=no_browser)
    with report_errors():
        try:
            from ..service.service import Service, server
        except ImportError as error:
            raise ExtraMissing("the service", "scale") from error
        used = chosen_system(system, model)
        runner = PageRunner(
            render_options(rendering),
            browser=mode,
            executable=program(rendering["browser"]),
            workers=workers,
            warm_up=partial(warm_up, used),
        )
        secret = token or secrets.token_urlsafe(24)
        with runner:
            runner.warm_up()
            service = Service(runner, used, token=secret, most_body=max_body, workers=workers, queue=queue)
            with listen(host, port) as listening:
                if not token:
                    say(f"token: {secret}")
                say(f"listening at port {listening.getsockname()[1]} of {host}")
                server(service).run(sockets=[listening])
