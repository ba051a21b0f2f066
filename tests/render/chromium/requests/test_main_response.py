"""When a busy server wants to be asked again."""

import pytest
from blocksight.render.chromium.requests.main_response import _seconds


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("120", 120.0), (" 7 ", 7.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None), ("", None), ("\u00b2", None),
     ("9" * 5000, None), ("-1", None), ("Mon, 01 Jan 99999 00:00:00 GMT", None)],
)  # fmt: skip
def test_retry_after(written, wanted):
    assert _seconds(written) == wanted
