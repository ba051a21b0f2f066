"""What the tests of documents share: a document of markup, all of it marked or some."""

import numpy as np
import pytest
from blocksight.document.document import document
from blocksight.page.parse import parse

URL = "https://example.org/a/page.html"


def _written(html, keep=lambda text: True):
    page = parse(html, url=URL)
    return document(page, np.array([keep(text) for text in page.leaf_texts], dtype=bool), headline=False)


@pytest.fixture(scope="session")
def written():
    """Write the document of the texts of some markup that are kept, by default all."""
    return _written


@pytest.fixture(scope="session")
def html_of():
    """The same as clean markup."""
    return lambda html, keep=lambda text: True: _written(html, keep).html


@pytest.fixture(scope="session")
def markdown_of():
    """The same as Markdown."""
    return lambda html, keep=lambda text: True: _written(html, keep).markdown
