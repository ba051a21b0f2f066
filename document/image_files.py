"""The pictures of a document as files, from the page's archive, without any request."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

from ..files.atomic import write_bytes
from ..page.page import Page
from ..render.archives.mhtml import read_mhtml
from ..render.sources.sources import LOCAL_ORIGIN, SECURE_LOCAL_ORIGIN
from .document import Document

#: Pictures of a document that are saved, and the bytes of all of them.
MOST_IMAGES, MOST_BYTES = 500, 200_000_000
#: Endings of files by their media types.
_ENDINGS = {"jpeg": ".jpg", "jpg": ".jpg", "png": ".png", "gif": ".gif", "webp": ".webp", "avif": ".avif"}
_ENDINGS |= {"svg+xml": ".svg", "bmp": ".bmp", "x-icon": ".ico", "tiff": ".tif"}
_LONGEST_NAME = 60


def save_images(document: Document, page: Page, folder: Path) -> Document:
    """Write the pictures of a document to a folder, and replace their addresses by the paths of these files.

    ``page`` needs its archive (``RenderOptions(mhtml=True)``), else ValueError. Pictures that the browser did not load,
    or beyond :data:`MOST_IMAGES` and :data:`MOST_BYTES`, keep their addresses. File names start with a free number.
    """
    if page.mhtml is None:
        raise ValueError("the page has no archive: render it with RenderOptions(mhtml=True)")
    addresses = dict.fromkeys(image.address for image in document.images if not image.left_out)
    loaded = _loaded(page.mhtml, list(addresses)[:MOST_IMAGES])
    folder.mkdir(parents=True, exist_ok=True)
    number = sum(1 for _ in folder.iterdir())
    paths: dict[str, str] = {}
    for address, (kind, data) in loaded.items():
        path, number = _free(folder, number, address, kind)
        write_bytes(path, data)
        paths[address] = quote(path.as_posix())
    return _renamed(document, paths)


def _loaded(mhtml: bytes, addresses: list[str]) -> dict[str, tuple[str, bytes]]:
    """Return media type and bytes of the pictures in an archive."""
    named = {
        urldefrag(urljoin(f"{origin}/", address)).url: address
        for origin in (LOCAL_ORIGIN, SECURE_LOCAL_ORIGIN)
        for address in addresses
    }
    files: dict[str, tuple[str, bytes]] = {}
    size = 0
    for (_, address), resource in read_mhtml(mhtml):
        kind = resource.kind.partition(";")[0].strip().lower()
        size += len(resource.body) if address in named else 0
        if address in named and kind.startswith("image/") and resource.body and size <= MOST_BYTES:
            files[named[address]] = kind, resource.body
    return {address: files[address] for address in addresses if address in files}


def _free(folder: Path, number: int, address: str, kind: str) -> tuple[Path, int]:
    """Return an unused path with the picture's own name in it."""
    stem = re.sub(r"[^\w-]+", "-", Path(unquote(urlsplit(address).path)).stem).strip("-")[:_LONGEST_NAME]
    ending = _ENDINGS.get(kind.removeprefix("image/"), ".img")
    while True:
        number += 1
        path = folder / f"{number:03d}{'-' * bool(stem)}{stem}{ending}"
        if not path.exists():
            return path, number


def _renamed(document: Document, paths: Mapping[str, str]) -> Document:
    root = copy.deepcopy(document.content.root)
    for element in root.iter("img"):
        element.set("src", paths.get(element.get("src", ""), element.get("src", "")))
    images = tuple(replace(image, address=paths.get(image.address, image.address)) for image in document.images)
    return replace(document, content=replace(document.content, root=root, images=images))
