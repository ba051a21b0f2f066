"""The extra that installs a missing library, as in ``pyproject.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import ExtraMissing

#: The extra of each optional library, by its import name.
EXTRAS = {
    "PIL": "browser",
    "mcp": "mcp",
    "playwright": "browser",
    "psutil": "browser",
    "jinja2": "research",
    "pandas": "research",
    "pyarrow": "research",
    "rapidfuzz": "research",
    "rich": "research",
    "scipy": "research",
    "sklearn": "research",
    "pycrfsuite": "research",
    "snowballstemmer": "research",
    "trafilatura": "research",
    "protego": "scale",
    "starlette": "scale",
    "uvicorn": "scale",
}


@contextmanager
def name_extras(what: str) -> Iterator[None]:
    """Turn the error of a library that is missing for ``what`` into ExtraMissing; leave other errors alone."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise ExtraMissing(what, extra) from error
