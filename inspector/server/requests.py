"""Request bodies within limits of size and time, and answers in JSON."""

from __future__ import annotations

from typing import Any

import anyio
import orjson
from starlette.requests import Request
from starlette.responses import Response

JSON = "application/json"
#: Time limit of a request's body, in seconds.
BODY_SECONDS = 30.0


class Refusal(Exception):
    """A refused request, with the HTTP status and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


async def read_body(request: Request, most: int, *, remedy: str = "") -> bytes:
    """Return the body of a request of at most ``most`` bytes, else raise a Refusal with a remedy."""
    body = bytearray()
    try:
        with anyio.fail_after(BODY_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > most:
                    raise Refusal(413, f"the body has more than {most} bytes{remedy}")
    except TimeoutError as error:
        raise Refusal(408, f"the body did not arrive within {BODY_SECONDS:g} s") from error
    return bytes(body)


def refused(refusal: Refusal) -> Response:
    """Return the answer to a refused request."""
    return json_answer({"error": {"kind": "request", "message": str(refusal)}}, refusal.status)


def json_answer(values: dict[str, Any] | list[Any], status: int = 200) -> Response:
    """Return an answer in JSON."""
    return Response(orjson.dumps(values), status_code=status, media_type=JSON)
