"""What a request may bring: a body of so many bytes, in so many seconds; and how it is told why it is not answered."""

from __future__ import annotations

from typing import Any

import anyio
import orjson
from starlette.requests import Request
from starlette.responses import Response

JSON = "application/json"
#: Seconds for a request's body.
BODY_SECONDS = 30.0


class Refusal(Exception):
    """A request that is not answered as it wishes; with its status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


async def read_body(request: Request, most: int, *, remedy: str = "") -> bytes:
    """Read the body of a request.

    Parameters
    ----------
    request : Request
    most : int
        Bytes.
    remedy : str
        What to do where it has more.

    Raises
    ------
    Refusal
        When it is larger, or does not come in time.
    """
    body = bytearray()
    try:
        with anyio.fail_after(BODY_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > most:
                    raise Refusal(413, f"the body has more than {most} bytes{remedy}")
    except TimeoutError as error:
        raise Refusal(408, f"the body did not come within {BODY_SECONDS:g} s") from error
    return bytes(body)


def refused(refusal: Refusal) -> Response:
    """Answer with the reason."""
    return json_answer({"error": {"kind": "request", "message": str(refusal)}}, refusal.status)


def json_answer(told: dict[str, Any] | list[Any], status: int = 200) -> Response:
    """Answer with JSON."""
    return Response(orjson.dumps(told), status_code=status, media_type=JSON)
