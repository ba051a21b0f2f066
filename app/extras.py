"""Which extra installs a library that is not there: the groups of ``pyproject.toml``, from the other side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import ExtraMissing

#: The extra of each library that the base does without, by the name it is imported by.
EXTRAS = {
    "PIL": "browser",
    "playwright": "browser",
    "psutil": "browser",
    "jinja2": "data",
    "markdown_it": "data",
    "pandas": "data",
    "pyarrow": "data",
    "rapidfuzz": "data",
    "rich": "data",
    "scipy": "data",
    "sklearn": "train",
    "pycrfsuite": "literature",
    "snowballstemmer": "literature",
    "skimage": "compare",
    "trafilatura": "compare",
    "textblob": "speech",
    "protego": "batch",
    "warcio": "batch",
    "ray": "ray",
    "starlette": "serve",
    "uvicorn": "serve",
}


@contextmanager
def extras_named(what: str) -> Iterator[None]:
    """Say which extra to install where a library is missing.

    Parameters
    ----------
    what : str
        What needs it.

    Raises
    ------
    ExtraMissing
        Instead of the error of a library that an extra installs; others are left alone.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise ExtraMissing(what, extra) from error
