"""Many pages opened by one browser, for tests that want the failures as well."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import blocksight as bs
from blocksight.errors import BlocksightError


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
