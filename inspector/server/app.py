"""The inspector as an ASGI application: static files, screenshots, and JSON."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ...batch.row_schema import error_kind
from ...errors import BlocksightError
from ...page.role_names import CONTENT_ROLES, ROLES
from ...segment.blocks import Pdoc
from ...segment.methods import METHODS
from ..learning import mean_scores
from ..session import InspectorSession, OtherText
from .auth import Auth
from .requests import JSON, Refusal, json_answer, read_body, refused

STATIC = Path(__file__).parent.parent / "static"
#: Most bytes of a change: labels of a hundred thousand leaves.
_MAX_BODY = 10_000_000


def inspector_app(session: InspectorSession, token: str) -> ASGIApp:
    """Return the application of a session, behind authentication by a token, the first part of every path."""
    return Auth(_Inspector(session).app, token)


class _Inspector:
    def __init__(self, session: InspectorSession) -> None:
        self._session = session
        page, start = "/api/pages/{page}", session.learning.start
        failures = (Refusal, KeyError, ValueError, BlocksightError, TimeoutError, OSError)
        self.app = Starlette(
            routes=[
                Route("/", lambda _: FileResponse(STATIC / "index.html")),
                Mount("/static", StaticFiles(directory=STATIC)),
                Route("/api/session", self._about),
                Route("/api/queue", lambda _: json_answer(session.queue())),
                Route(page, lambda request: _json(session.view(_page(request)))),
                Route(page + "/tiles/{number:int}.png", self._tile),
                Route(page + "/blocks", lambda request: _json(session.segmentation(*_segmentation(request)))),
                Route(page + "/labels", lambda request: json_answer(session.labels(_page(request))), methods=["GET"]),
                Route(page + "/labels", self._add, methods=["POST"]),
                Route("/api/learning", self._learning, methods=["GET"]),
                Route("/api/learning", lambda _: json_answer({"started": start()}, 202), methods=["POST"]),
            ],
            exception_handlers=dict.fromkeys(failures, _failure),
        )

    def _about(self, _: Request) -> Response:
        session = self._session
        return json_answer(
            {
                "who": session.label_store.who,
                "roles": ROLES,
                "content_roles": CONTENT_ROLES,
                "methods": list(METHODS),
                "model": session.models.name,
                "pages": len(session.items),
            }
        )

    def _tile(self, request: Request) -> Response:
        data = self._session.tile(_page(request), request.path_params["number"])
        if data is None:
            raise Refusal(404, "there is no such tile")
        return Response(data, media_type="image/png", headers={"cache-control": "private, max-age=3600"})

    async def _add(self, request: Request) -> Response:
        body = await _json_body(request)
        leaves = body.get("leaves")
        if not isinstance(leaves, list) or not all(isinstance(leaf, list) and len(leaf) == 4 for leaf in leaves):
            raise Refusal(400, "leaves is a list of [place, digest, role, content]")
        kind, shown = str(body.get("change")), str(body.get("fingerprint"))
        await run_in_threadpool(self._session.add, _page(request), kind, shown, leaves)
        return json_answer({"kept": len(leaves)})

    def _learning(self, _: Request) -> Response:
        session = self._session
        result = session.models.result() or {}
        status = asdict(session.learning.progress) | {"model": session.models.name, "scores": result}
        return json_answer(status | {"means": mean_scores(result.get("held_out", ()))})


def _json(data: bytes) -> Response:
    return Response(data, media_type=JSON, headers={"cache-control": "no-store"})


def _failure(_: Request, error: Exception) -> Response:
    """Return the answer for an error that a request may have."""
    if isinstance(error, Refusal):
        return refused(error)
    if isinstance(error, KeyError):
        return refused(Refusal(404, f"there is no {str(error)[:80]} here"))
    if isinstance(error, ValueError):
        return refused(Refusal(409 if isinstance(error, OtherText) else 400, str(error)))
    why = str(error) or "not done in time"
    return json_answer({"error": {"kind": error_kind(error), "message": why}}, 422)


async def _json_body(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Refusal(415, f"send {JSON}")
    try:
        body = orjson.loads(await read_body(request, _MAX_BODY))
    except orjson.JSONDecodeError as error:
        raise Refusal(400, f"the body is not JSON ({error})") from error
    if not isinstance(body, dict):
        raise Refusal(400, "the body is not an object")
    return body


def _page(request: Request) -> str:
    return str(request.path_params["page"])


def _segmentation(request: Request) -> tuple[str, str, Pdoc]:
    page, method = _page(request), request.query_params.get("method", "paragraphs")
    pdoc = request.query_params.get("pdoc", "auto")
    if method not in METHODS:
        raise Refusal(400, f"unknown segmentation; there are {', '.join(METHODS)}")
    if pdoc == "auto":
        return page, method, "auto"
    if not (pdoc.isascii() and pdoc.isdigit() and 1 <= int(pdoc) <= 10):
        raise Refusal(400, "pdoc is auto or 1 to 10")
    return page, method, int(pdoc)
