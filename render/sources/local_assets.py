"""The files beside a page's file: which of them the page may use, and as what.

A page that was saved shows its pictures and styles from there. But it is a stranger's page with scripts: what a script
can use it can read, in part or whole (errors of a script, rules of a style sheet, pixels of a picture). So a file is
had only as what it is, and nothing hidden, nothing above the page and nothing that a link leads out to is had at all.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

from ..archives.archives import PARTS_PER_PAGE

#: What browsers ask for, by the names of DevTools, and the endings of such files. Not what scripts fetch, no frames.
_BY_ENDING = {
    "Stylesheet": {".css": "text/css"},
    "Script": {".js": "text/javascript", ".mjs": "text/javascript"},
    "Image": {".svg": "image/svg+xml", ".bmp": "image/bmp"},
    "Font": {},
}
#: Pictures and fonts are known by their first bytes, as browsers know them; the bytes stand at this place.
_BY_CONTENT = {
    "Image": (
        (0, b"\x89PNG\r\n\x1a\n", "image/png"),
        (0, b"\xff\xd8\xff", "image/jpeg"),
        (0, b"GIF87a", "image/gif"),
        (0, b"GIF89a", "image/gif"),
        (8, b"WEBPVP8", "image/webp"),
        (4, b"ftypavif", "image/avif"),
        (4, b"ftypavis", "image/avif"),
        (0, b"\x00\x00\x01\x00", "image/x-icon"),
    ),
    "Font": (
        (0, b"wOFF", "font/woff"),
        (0, b"wOF2", "font/woff2"),
        (0, b"\x00\x01\x00\x00", "font/ttf"),
        (0, b"true", "font/ttf"),
        (0, b"OTTO", "font/otf"),
        (0, b"ttcf", "font/collection"),
    ),
}
_SAVED_SUFFIX = ".download"


class LocalAssets:
    """The files that one page may use.

    Parameters
    ----------
    folder : Path
        In which the page's file lies.
    max_bytes : int
        Largest file; all together may have :data:`~blocksight.render.archives.archives.PARTS_PER_PAGE` times as many.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        self._folder = folder.resolve()
        self._max_bytes = max_bytes
        self._left = PARTS_PER_PAGE * max_bytes

    def find(self, path: str, kind: str) -> tuple[bytes, str] | None:
        """Read a file, if the page may have it.

        Parameters
        ----------
        path : str
            Of its address, as the browser writes it.
        kind : str
            What the browser wants it for: DevTools' name of a resource type.

        Returns
        -------
        tuple of (bytes, str) or None
            The content and its media type.
        """
        if kind not in _BY_ENDING:
            return None
        try:
            file = self._place(unquote(path))
            if file is None or file.stat().st_size > min(self._max_bytes, self._left):
                return None
            data = file.read_bytes()
        except (OSError, ValueError, RuntimeError):
            # No such file; or no name for one: with a zero byte, too long, a link that leads back to itself.
            return None
        media_type = _media_type(file.name, data, kind)
        if media_type is None:
            return None
        self._left -= len(data)
        return data, media_type

    def _place(self, name: str) -> Path | None:
        """Find a file in the folder or below it."""
        if "\\" in name or (os.name == "nt" and ":" in name):
            return None
        file = self._folder.joinpath(*_parts(name)).resolve()
        if not file.is_relative_to(self._folder) or not file.is_file():
            return None
        hidden = [part for part in (*_parts(name), *file.relative_to(self._folder).parts) if part.startswith(".")]
        return None if hidden else file


def _parts(name: str) -> list[str]:
    return [part for part in name.split("/") if part]


def _media_type(name: str, data: bytes, kind: str) -> str | None:
    """Return what a file is, if it is what is wanted."""
    for start, magic, media_type in _BY_CONTENT.get(kind, ()):
        if data.startswith(magic, start):
            return media_type
    # Browsers that save a page write "name.js.download", programs that copy a site "name.css?version".
    ending = Path(name.partition("?")[0].removesuffix(_SAVED_SUFFIX)).suffix.lower()
    return _BY_ENDING[kind].get(ending)
