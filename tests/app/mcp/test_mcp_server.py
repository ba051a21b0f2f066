"""The MCP server, called by the client of the official SDK."""

import asyncio
import base64
import io
import os
import sys

import blocksight as bs
import pytest
from blocksight.app.page_runner import PageRunner
from blocksight.errors import TimedOut
from blocksight.render.network.local_server import serve
from opening import Answering
from PIL import Image

mcp = pytest.importorskip("mcp", reason="needs the extra mcp: pip install 'blocksight[mcp]'")

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tools():
    from blocksight.app.mcp.page_tools import PageTools

    with PageRunner(bs.RenderOptions(timeout=120.0, allow_private=True), workers=1) as runner:
        yield PageTools(runner)


@pytest.fixture(scope="module")
def live():
    from blocksight.app.mcp.live_page import LivePage

    with LivePage(bs.RenderOptions(timeout=20.0, allow_private=True)) as opened:
        yield opened


@pytest.fixture(scope="module")
def call(tools, live):
    from blocksight.app.mcp.mcp_server import mcp_server

    def calling(name, **arguments):
        async def run():
            async with mcp.Client(mcp_server(tools, live)) as client:
                return await client.call_tool(name, arguments)

        return asyncio.run(run())

    return calling


def text(result):
    assert not result.is_error, result.content
    return result.content[0].text


def test_the_tools(tools, live):
    from blocksight.app.mcp.mcp_server import mcp_server

    async def names():
        async with mcp.Client(mcp_server(tools, live)) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    reading = "extract map records metadata hidden screenshot locate segment"
    expected = f"{reading} open show click fill select back scroll".split()
    assert asyncio.run(names()) == expected


def test_extract_within_a_budget(call, address):
    whole = text(call("extract", url=f"{address}/magazine/page.html"))
    assert "The last ferry" in whole
    short = text(call("extract", url=f"{address}/magazine/page.html", tokens=120))
    assert len(short) < len(whole) / 2


def test_map_and_screenshot_of_a_region(call, address):
    outline = text(call("map", url=f"{address}/magazine/page.html"))
    assert "[14] button Send it to me" in outline
    result = call("screenshot", url=f"{address}/magazine/page.html", region="B", marks=True)
    picture = Image.open(io.BytesIO(base64.b64decode(result.content[0].data)))
    assert picture.format == "PNG"
    assert picture.height < 300
    result = call("screenshot", url=f"{address}/magazine/page.html", region="10,20 30x40")
    assert Image.open(io.BytesIO(base64.b64decode(result.content[0].data))).size == (30, 40)
    assert call("screenshot", url=f"{address}/magazine/page.html", region="XYZ").is_error


def test_records_metadata_hidden_locate_and_segment(call, address):
    page = f"{address}/magazine/page.html"
    assert "The last ferry that runs by sail" in text(call("metadata", url=page))
    assert call("records", url=page, kind="all").structured_content
    assert "words" in text(call("hidden", url=page))
    assert len(call("locate", url=page, quote="Jonas Hale unties two").structured_content["result"]) in (1, 2)  # lines
    assert "box" in text(call("segment", url=page))


def test_files_and_broken_pages_are_refused(call, address):
    for tool, url in (("extract", "/etc/passwd"), ("open", "file:///etc/passwd")):
        result = call(tool, url=url)
        assert result.is_error
        assert "not an address" in result.content[0].text
    assert call("extract", url=f"{address}/nothing-is-here").is_error


def test_private_addresses_are_refused_by_default(address):
    from blocksight.app.mcp.live_page import LivePage
    from blocksight.app.mcp.mcp_server import mcp_server
    from blocksight.app.mcp.page_tools import PageTools

    async def run(server, tool):
        async with mcp.Client(server) as client:
            return await client.call_tool(tool, {"url": address})

    options = bs.RenderOptions(timeout=20.0)
    with PageRunner(options, workers=1) as runner, LivePage(options) as live:
        for tool in ("extract", "open"):
            result = asyncio.run(run(mcp_server(PageTools(runner), live), tool))
            assert result.is_error
            assert "(--allow-private of `blocksight mcp`" in result.content[0].text


def test_act_on_a_page(call, address):
    outline = text(call("open", url=f"{address}/magazine/page.html"))
    assert "[13] textbox" in outline
    assert text(call("fill", number=13, text="a@b.example")).startswith("~ [13] textbox")
    assert call("click", number=999).is_error
    assert "[14]" not in text(call("show", within="C"))
    assert "window 1280×800 at 1200" in text(call("scroll", screens=1.5))
    assert call("open", url="/etc/passwd").is_error


class _Endless(Answering):
    def do_GET(self):
        """Answer a request."""
        self.answer("<p>Here<script>for (;;);</script>")


def test_a_script_that_does_not_end():
    from blocksight.app.mcp.live_page import LivePage

    with serve(_Endless) as address, LivePage(bs.RenderOptions(timeout=8.0, allow_private=True)) as live:
        with pytest.raises(TimedOut, match="a script that did not end was stopped"):
            live.open(f"{address}/first")
        assert "Here" in live.act("show")


def test_requests_over_http_need_the_token():
    from blocksight.app.mcp.mcp_server import BearerToken

    async def inner(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def status(headers):
        sent = []

        async def send(message):
            sent.append(message)

        asyncio.run(BearerToken(inner, "word")({"type": "http", "headers": headers}, None, send))
        return sent[0]["status"]

    assert status([(b"authorization", b"Bearer word")]) == 200
    assert status([(b"authorization", b"Bearer other")]) == 401
    assert status([]) == 401


def test_the_command_over_standard_input_and_output(address):
    async def run():
        arguments = ["-m", "blocksight", "mcp", "--allow-private", "--workers", "1"]
        parameters = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        async with mcp.Client(parameters, read_timeout_seconds=60) as client:
            return await client.call_tool("metadata", {"url": f"{address}/magazine/page.html"})

    assert "The last ferry that runs by sail" in text(asyncio.run(run()))


def test_streamable_http(tools, live, address):
    import threading

    import httpx2
    import uvicorn
    from blocksight.app.mcp.mcp_server import BearerToken, mcp_server
    from mcp.client.streamable_http import streamable_http_client

    app = BearerToken(mcp_server(tools, live).streamable_http_app(), "word")
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]

    async def run():
        async with httpx2.AsyncClient(headers={"Authorization": "Bearer word"}, timeout=60) as http:
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
            async with mcp.Client(transport) as client:
                return await client.call_tool("metadata", {"url": f"{address}/magazine/page.html"})

    try:
        assert "The last ferry that runs by sail" in text(asyncio.run(run()))
    finally:
        server.should_exit = True
        thread.join(10)
