"""What the browser loaded for a page, kept as it came: for archives that can be played back."""

from __future__ import annotations

import asyncio
import base64
from contextlib import suppress
from typing import Any

from ...archives.warc_writer import gzip_records, http_response, make_record
from ...devtools.channel import Channel, ChannelClosed, CommandFailed
from ...network.proxy import DOCUMENTS_PER_PAGE

_BODY_SECONDS = 5.0
_KIND = "application/http; msgtype=response"


class RecordedResponses:
    """Keeps the answers that a page gets, with their bodies.

    Parameters
    ----------
    channel : Channel
    largest : int
        Bytes of the largest document; all together may have as many times as many as a page may load.
    """

    def __init__(self, channel: Channel, *, largest: int) -> None:
        self._channel = channel
        self._left = DOCUMENTS_PER_PAGE * largest
        self._open: dict[str, dict[str, Any]] = {}
        self._answers: list[tuple[dict[str, Any], bytes]] = []
        self._under_way = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        channel.on("Network.loadingFinished", self._finished)

    def requested(self, event: dict[str, Any]) -> None:
        """Note a request: one that is sent on by an answer brings that along."""
        if "redirectResponse" in event:
            self._answers.append((event["redirectResponse"], b""))

    def responded(self, event: dict[str, Any]) -> None:
        """Note the head of an answer."""
        self._open[event["requestId"]] = event["response"]

    async def _finished(self, event: dict[str, Any]) -> None:
        """Fetch a body at once: the browser forgets those of frames that go."""
        response = self._open.pop(event["requestId"], None)
        if response is None or not response["url"].startswith(("http://", "https://")):
            return
        self._under_way += 1
        self._quiet.clear()
        try:
            with suppress(TimeoutError, ChannelClosed, CommandFailed):
                asked = {"requestId": event["requestId"]}
                found = await self._channel.send("Network.getResponseBody", asked, timeout=_BODY_SECONDS)
                body = base64.b64decode(found["body"]) if found["base64Encoded"] else found["body"].encode()
                self._left -= len(body)
                if self._left >= 0:
                    self._answers.append((_as_text(response, found), body))
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._quiet.set()

    async def records(self, seconds: float) -> bytes:
        """Return the answers as records of a WARC file, those that are there after so many seconds at most."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._quiet.wait(), max(seconds, 0.001))
        return await asyncio.to_thread(_records, tuple(self._answers))


def _as_text(response: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Tell the encoding of what the browser has decoded: it hands texts out as UTF-8, whatever they were."""
    if found["base64Encoded"]:
        return response
    headers = {name: value for name, value in response["headers"].items() if name.lower() != "content-type"}
    return response | {"headers": headers | {"Content-Type": f"{response['mimeType']}; charset=utf-8"}}


def _records(answers: tuple[tuple[dict[str, Any], bytes], ...]) -> bytes:
    return gzip_records(
        make_record(
            "response",
            http_response(int(response["status"]), response["headers"].items(), body),
            _KIND,
            address=response["url"].partition("#")[0],
        )[1]
        for response, body in answers
    )
