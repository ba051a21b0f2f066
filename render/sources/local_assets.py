"""Access of a page from a file to the files in its folder.

A saved page loads its images and styles from there. But the page is untrusted and has scripts, and a script can read
what it can use, in part or whole (errors of a script, rules of a style sheet, pixels of an image). So a file is served
only as what it is; hidden files, files outside of the folder and links to such files are never served.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

from ..archives.archives import PARTS_PER_PAGE

#: Resource types of DevTools that are served, and file suffixes of each; not XHR, fetch or frames.
_BY_SUFFIX = {
    "Stylesheet": {".css": "text/css"},
    "Script": {".js": "text/javascript", ".mjs": "text/javascript"},
    "Image": {".svg": "image/svg+xml", ".bmp": "image/bmp"},
    "Font": {},
}
#: Offset and magic number of images and fonts, as browsers recognize them.
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
    """The files in its folder that one page may use, each up to ``max_bytes``, ``PARTS_PER_PAGE`` times that in all."""

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        self._folder = folder.resolve()
        self._max_bytes = max_bytes
        self._remaining = PARTS_PER_PAGE * max_bytes

    def find(self, path: str, kind: str) -> tuple[bytes, str] | None:
        """Return content and media type of a file that the page may use as a resource type of DevTools, else None."""
        if kind not in _BY_SUFFIX:
            return None
        try:
            file = self._resolve(unquote(path))
            if file is None or file.stat().st_size > min(self._max_bytes, self._remaining):
                return None
            data = file.read_bytes()
        except (OSError, ValueError, RuntimeError):
            # There is no such file; or the name is invalid: a null byte, too long, a cyclic link.
            return None
        media_type = _media_type(file.name, data, kind)
        if media_type is None:
            return None
        self._remaining -= len(data)
        return data, media_type

    def _resolve(self, name: str) -> Path | None:
        """Return the path of a file in the folder or below it."""
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
    """Return the media type of a file, None if it is not of the requested type."""
    for start, magic, media_type in _BY_CONTENT.get(kind, ()):
        if data.startswith(magic, start):
            return media_type
    # Browsers save scripts as "name.js.download", site copiers write "name.css?version".
    suffix = Path(name.partition("?")[0].removesuffix(_SAVED_SUFFIX)).suffix.lower()
    return _BY_SUFFIX[kind].get(suffix)
