"""Files of named arrays with a JSON head, in one ``.npz`` file without pickle: models, site memories."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelMismatch, ModelMissing
from .atomic import write_bytes
from .bounded_reader import DAMAGED_ZIP, SizeLimitExceeded, read_npy, read_zip

#: First bytes of an ``.npz`` file, which is a ZIP archive.
_MAGIC = b"PK\x03\x04"
#: Maximum size of all arrays of a file; the largest file of the package has 20 million bytes.
MAX_BYTES = 500_000_000

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file; ``format`` is its name in the head."""

    format: str
    #: Version of its layout; files of another one are refused.
    version: int
    #: Its name in messages: "model".
    title: str
    #: What to do if there is none, as the end of a message.
    remedy: str


def write_npz(path: str | os.PathLike[str], kind: FileKind, head: Mapping[str, Any], arrays: Arrays) -> None:
    """Write arrays with a head of JSON values; equal values give equal bytes.

    The names "format" and "version" of the head and the name "head" of the arrays are reserved.
    """
    complete = {"format": kind.format, "version": kind.version, **head}
    text = json.dumps(complete, sort_keys=True, ensure_ascii=False).encode()
    ordered: dict[str, Any] = {name: arrays[name] for name in sorted(arrays)}
    packed = io.BytesIO()
    np.savez_compressed(packed, head=np.frombuffer(text, dtype=np.uint8), **ordered)
    write_bytes(path, packed.getvalue())


def read_npz(path: str | os.PathLike[str], kind: FileKind) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read head and arrays written by :func:`write_npz`; raise ModelMissing, or ModelMismatch for any other file."""
    name = _name(path, kind)
    try:
        with open(path, "rb") as file:
            return _read(file, name, kind)
    except FileNotFoundError as error:
        raise ModelMissing(f"{name}: there is no such file; {kind.remedy}") from error
    except IsADirectoryError as error:
        raise ModelMismatch(f"{name}: this is a folder; name the {kind.title} in it (an .npz file)") from error
    except OSError as error:
        raise ModelMismatch(f"{name}: this {kind.title} cannot be read: {error.strerror or error}") from error


def _name(path: str | os.PathLike[str], kind: FileKind) -> str:
    try:
        return os.fsdecode(path)
    except TypeError as error:
        actual = type(path).__name__
        raise TypeError(f"a {kind.title} is read from a file: pass its path, not a value of type {actual}") from error


def _read(file: BinaryIO, name: str, kind: FileKind) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ModelMismatch(f"{name}: this is no {kind.title} of blocksight, nor any .npz file; {kind.remedy}")
    try:
        arrays = {
            entry.removesuffix(".npy"): read_npy(data)
            for entry, data in read_zip(_MAGIC + file.read(), max_bytes=MAX_BYTES).items()
        }
        head = json.loads(arrays.pop("head").tobytes())
    except SizeLimitExceeded as error:
        raise ModelMismatch(f"{name}: {error}: this is no {kind.title} of blocksight; {kind.remedy}") from error
    except (*DAMAGED_ZIP, TypeError) as error:
        raise ModelMismatch(
            f"{name}: this is no {kind.title} of blocksight: it is damaged, or an archive of something else; "
            f"{kind.remedy}"
        ) from error
    _check(head, name, kind)
    return head, arrays


def _check(head: object, name: str, kind: FileKind) -> None:
    form = head.get("format") if isinstance(head, dict) else None
    if not isinstance(head, dict) or form != kind.format:
        what = form if isinstance(form, str) and re.fullmatch(r"[\w-]{1,40}", form) else "something else"
        raise ModelMismatch(f"{name}: this is no {kind.title} ({kind.format}) but {what}")
    if head.get("version") != kind.version:
        raise ModelMismatch(f"{name}: this {kind.title} was made for another version of blocksight; {kind.remedy}")
