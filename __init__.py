"""blocksight: the content of a web page by what a person sees.

A page goes one straight way::

    import blocksight as bs

    with bs.Browser() as browser:
        page = browser.open("https://example.org/app")   # rendered by Chromium, kept as columns
    doc = bs.extract(page)                               # doc.title, doc.markdown, doc.text, doc.html, doc.blocks
    frame = bs.block_features(page)                      # pandas: one row a block, one column a feature

Without a browser, :func:`parse` reads raw HTML, :func:`load` a saved page.
"""

import lazy_loader

from .version import VERSION as __version__  # noqa: F401, N811 (public)

# The names and their modules are listed once, in __init__.pyi. A module is imported when its name is first used.
_lazy_name, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """Return a public name; raise ``ExtraMissing`` if its module needs a library of an extra."""
    try:
        return _lazy_name(name)
    except ModuleNotFoundError as error:
        from .app.console import name_extras

        with name_extras(f"blocksight.{name}"):
            raise error
