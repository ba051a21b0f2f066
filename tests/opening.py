"""Many pages opened by one browser, for tests that want the failures as well, and what serves pages to it."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import blocksight as bs
from blocksight.errors import BlocksightError
from blocksight.render.network.local_server import QuietHandler


class Opened(NamedTuple):
    """A source with its page, or the error."""

    source: object
    page: bs.Page | None = None
    error: BlocksightError | None = None


def open_many(browser, sources, *, options=None):
    """Open sources, as many at once as the browser does; return the results in their order."""

    def opened(source):
        try:
            return Opened(source, browser.open(source, options=options))
        except BlocksightError as error:
            return Opened(source, error=error)

    with ThreadPoolExecutor(2 * browser.pages) as threads:
        return list(threads.map(opened, sources))


class Answering(QuietHandler):
    """Answers requests with whole documents."""

    def answer(self, body, *more, status=200, kind="text/html"):
        """Send a document; ``more`` are headers with their values."""
        data = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(data))), *more):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
