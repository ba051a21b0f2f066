"""Which documents came, by the browser's events, why a page did not, and when a server is asked again."""

from types import SimpleNamespace

import pytest
from blocksight.errors import HttpFailed
from blocksight.render.chromium.requests.main_response import MainResponse, _seconds
from blocksight.render.render_options import RenderOptions


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("120", 120.0), (" 7 ", 7.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None), ("", None), ("\u00b2", None),
     ("9" * 5000, None), ("-1", None), ("Mon, 01 Jan 99999 00:00:00 GMT", None)],
)  # fmt: skip
def test_retry_after(written, wanted):
    assert _seconds(written) == wanted


@pytest.fixture
def response():
    """A main response that has heard of nothing yet."""
    channel = SimpleNamespace(on=lambda *_: None)
    proxy = SimpleNamespace(failure=lambda _: None)
    requests = SimpleNamespace(requested=lambda _: None, touch_socket=None, end=None)
    return MainResponse(channel, "main", RenderOptions(), "https://x/", proxy, requests)


@pytest.mark.parametrize(
    ("status", "error", "why"),
    [
        (204, "net::ERR_ABORTED", "HTTP 204 No Content: there is no page"),
        (200, "net::ERR_ABORTED", "the browser took it for a download, not a page"),
        (0, "net::ERR_CERT_DATE_INVALID", "its certificate is not valid (any_certificate accepts it)"),
        (0, "net::ERR_SSL_PROTOCOL_ERROR", "it does not speak https: try its http address"),
        (0, "net::ERR_NEW", "could not be loaded (net::ERR_NEW)"),
    ],
)
def test_failures_say_why_and_what_to_do(response, status, error, why):
    response.status = status
    assert response.failure(error).reason.startswith(why)


@pytest.mark.parametrize(("status", "remedy"), [(401, "credentials gives"), (404, "any_status takes")])
def test_http_errors_say_what_to_do(response, status, remedy):
    response.status = status
    with pytest.raises(HttpFailed, match=remedy):
        response.check()


def test_documents_are_counted_one_after_another(response):
    # Two documents, of which the second was redirected, and a frame.
    for number, frame in (("1", "main"), ("2", "main"), ("2", "main"), ("3", "other")):
        request = {"requestId": number, "type": "Document", "frameId": frame, "request": {"url": "https://x/"}}
        response._requested(request)
    assert response.documents == 2
