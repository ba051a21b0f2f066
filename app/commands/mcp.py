"""The command ``blocksight mcp``: pages for programs with a language model."""

from __future__ import annotations

import secrets
from typing import Any

import click

from ...errors import ExtraMissing
from ..command_options import OneOf, PageCommand, refuse_page_options, render_options, rendering
from ..console import report_errors, say
from ..page_runner import PageRunner, warm_up


@click.command(cls=PageCommand, epilog="Example: blocksight mcp --transport http --port 8800")
@click.option(
    "--transport", type=OneOf(("stdio", "http")), default="stdio", help="Standard input and output, or streamable HTTP."
)
@click.option("--host", default="127.0.0.1", help="With --transport http: address to listen at.")
@click.option("--port", type=click.IntRange(1, 65535), default=8800, help="With --transport http: its port.")
@click.option(
    "--token", envvar="BLOCKSIGHT_TOKEN", help="With --transport http: token of clients; random and printed by default."
)
@click.option("--workers", type=click.IntRange(min=1), default=2, help="Concurrent pages.")
@rendering
def mcp(transport: str, host: str, port: int, token: str | None, workers: int, **rendering: Any) -> None:
    """Serve the Model Context Protocol: extract, map, records, metadata, hidden, screenshot, locate, segment.

    With open, show, click, fill, select, back and scroll a model acts on a page by the numbers of its map.

    Pages reach public addresses only, unless it is started with --allow-private. No file of the machine can be opened.
    """
    refuse_page_options(rendering, "the server opens addresses only")
    with report_errors():
        try:
            from ..mcp.live_page import LivePage
            from ..mcp.mcp_server import BearerToken, mcp_server
            from ..mcp.page_tools import PageTools
        except ImportError as error:
            raise ExtraMissing("the MCP server", "mcp") from error
        options = render_options(rendering, screenshot="full")
        runner = PageRunner(options, executable=rendering["browser"], workers=workers, warm_up=warm_up)
        with runner, LivePage(options, rendering["browser"]) as live:
            server = mcp_server(PageTools(runner), live)
            if transport == "stdio":
                server.run("stdio")
                return
            import uvicorn

            secret = token or secrets.token_urlsafe(24)
            if not token:
                say(f"token: {secret}")
            say(f"listening at http://{host}:{port}/mcp")
            uvicorn.run(
                BearerToken(server.streamable_http_app(host=host), secret), host=host, port=port, log_level="warning"
            )
