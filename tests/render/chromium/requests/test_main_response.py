"""Which images came, by the browser's events, and when a busy server wants to be asked again."""

import pytest
from blocksight.render.chromium.requests.main_response import ImageRequests, _seconds

A, B = "http://x/a.png", "http://x/b.png"


def asked(number, url, kind="Image"):
    return ("requested", {"requestId": number, "type": kind, "request": {"url": url}})


def came(number):
    return ("responded", {"requestId": number})


def failed(number):
    return ("fail", {"requestId": number})


@pytest.mark.parametrize(
    ("events", "missing"),
    [
        ([asked("1", A)], set()),
        ([asked("1", A), failed("1")], {A}),
        ([asked("1", A + "#part"), failed("1")], {A}),
        ([asked("1", A, "Script"), failed("1")], set()),
        ([asked("1", A), came("1")], set()),
        ([asked("1", A), came("1"), failed("1")], set()),
        ([asked("1", A), asked("1", B), failed("1")], {A, B}),
        ([asked("1", A), failed("1"), asked("2", A), came("2")], set()),
        ([asked("1", A), came("1"), asked("2", A), failed("2")], set()),
        ([asked("1", A), failed("1"), asked("2", B), came("2")], {A}),
    ],
)
def test_failed_images(events, missing):
    images = ImageRequests()
    for name, event in events:
        getattr(images, name)(event)
    assert images.failed == missing


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("120", 120.0), (" 7 ", 7.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None), ("", None), ("\u00b2", None),
     ("9" * 5000, None), ("-1", None), ("Mon, 01 Jan 99999 00:00:00 GMT", None)],
)  # fmt: skip
def test_retry_after(written, wanted):
    assert _seconds(written) == wanted
