"""Files of numbers: named arrays and a head that says what they are, in one ``.npz`` file without pickle.

Models, what the systems of the literature have learned, and memories of sites are all written and read here.
"""

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

#: What an ``.npz`` file begins with: it is a ZIP archive.
_MAGIC = b"PK\x03\x04"
#: Bytes that a file of numbers may unpack to, all in all; the largest that comes along has 20 million.
MAX_BYTES = 500_000_000

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file.

    Attributes
    ----------
    format : str
        By which its head names it.
    version : int
        Of its layout; files of another one are refused.
    title : str
        What it is to a person: "model".
    remedy : str
        What to do for want of one, as the end of a message.
    """

    format: str
    version: int
    title: str
    remedy: str


def write_npz(path: str | os.PathLike[str], kind: FileKind, head: Mapping[str, Any], arrays: Arrays) -> None:
    """Write arrays with a head; the same numbers give the same bytes.

    Parameters
    ----------
    path : path
    kind : FileKind
    head : mapping
        JSON values, with names other than "format" and "version".
    arrays : mapping of str to array
        With names other than "head".
    """
    told = {"format": kind.format, "version": kind.version, **head}
    text = json.dumps(told, sort_keys=True, ensure_ascii=False).encode()
    named: dict[str, Any] = {name: arrays[name] for name in sorted(arrays)}
    packed = io.BytesIO()
    np.savez_compressed(packed, head=np.frombuffer(text, dtype=np.uint8), **named)
    write_bytes(path, packed.getvalue())


def read_npz(path: str | os.PathLike[str], kind: FileKind) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what :func:`write_npz` has written.

    Returns
    -------
    dict
        The head.
    dict of str to array

    Raises
    ------
    ModelMissing
        When there is no such file.
    ModelMismatch
        When it is anything but a file of this kind; the message says what it is and what to do.
    TypeError
        When ``path`` is no path.
    """
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
        given = type(path).__name__
        raise TypeError(f"a {kind.title} is read from a file: pass its path, not a value of type {given}") from error


def _read(file: BinaryIO, name: str, kind: FileKind) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ModelMismatch(f"{name}: this is no {kind.title} of blocksight, nor any .npz file; {kind.remedy}")
    try:
        arrays = {
            entry.removesuffix(".npy"): read_npy(data)
            for entry, data in read_zip(_MAGIC + file.read(), most=MAX_BYTES).items()
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
    found = head.get("format") if isinstance(head, dict) else None
    if not isinstance(head, dict) or found != kind.format:
        what = found if isinstance(found, str) and re.fullmatch(r"[\w-]{1,40}", found) else "something else"
        raise ModelMismatch(f"{name}: this is no {kind.title} ({kind.format}) but {what}")
    if head.get("version") != kind.version:
        raise ModelMismatch(f"{name}: this {kind.title} was made for another version of blocksight; {kind.remedy}")
