"""Files in buckets and other stores: ``s3://``, ``gs://``, ``abfs://`` by pyarrow, ``hf://`` by huggingface_hub.

Credentials, region and server are taken from the environment, as each store's own tools do (``AWS_ENDPOINT_URL`` names
another server for S3).
"""

from __future__ import annotations

import atexit
import hashlib
import io
import os
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

T = TypeVar("T")

#: Schemes of stores. Others are addresses of pages, or refused.
SCHEMES = ("s3", "gs", "gcs", "abfs", "abfss", "hf", "hdfs", "memory")
#: Schemes that pyarrow opens itself.
_NATIVE = ("s3", "gs", "gcs", "abfs", "abfss", "hdfs")
_NO_ACCESS = ("ACCESS_DENIED", "INVALID_ACCESS_KEY", "SIGNATURE_DOES_NOT_MATCH", "INVALID_CLIENT_TOKEN", "FORBIDDEN")
_CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or the role of this computer",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS, or the service account of this computer",
    "hf": "HF_TOKEN",
}
_DENIED, _NO_BUCKET = "access is denied", "there is no such bucket"
#: Seconds until a file is read or written again, after the attempts of the library itself.
_PAUSES = (1.0, 4.0, 16.0)
#: Copies of remote files that are kept.
_COPIES = 4


def is_bucket(source: str) -> bool:
    """Return whether a source is a file or a folder of a store.

    >>> is_bucket("s3://crawl/urls.txt"), is_bucket("https://example.org/"), is_bucket("s3/urls.txt")
    (True, False, False)
    """
    scheme, separator, _ = source.partition("://")
    return bool(separator) and scheme.lower() in SCHEMES


def check_bucket(url: str) -> None:
    """Raise ValueError for the address of a store with credentials in it, which would be written into files."""
    scheme, _, path = url.partition("://")
    user, separator, _ = path.partition("/")[0].rpartition("@")
    # An address of Azure is abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH.
    if separator and (":" in user or not scheme.lower().startswith("abfs")):
        raise ValueError(f"{scheme}://: put the credentials into the environment, not into an address")


def opened_bucket(url: str) -> tuple[FileSystem, str]:
    """Return the file system of a store and the path in it.

    Raises OSError with a reason if it cannot be used, ValueError for an address with credentials in it.
    """
    scheme, _, path = url.partition("://")
    bucket = path.partition("/")[0]
    check_bucket(url)
    try:
        files, base = _file_system(f"{scheme.lower()}://{bucket}")
        path = (base + path[len(bucket) :]).rstrip("/")
        return files, path if scheme.lower() == "hdfs" else path.lstrip("/")
    except (OSError, ValueError) as error:
        raise OSError(f"{url}: {bucket_error(url, error)}") from error


@lru_cache(32)
def _file_system(root: str) -> tuple[FileSystem, str]:
    """Return the file system of a store, and the path of the root in it, which may not be its name."""
    from pyarrow import fs

    scheme, _, name = root.partition("://")
    if scheme in _NATIVE:
        files, base = fs.FileSystem.from_uri(root)
        return files, base.rstrip("/")
    try:
        import fsspec

        return fs.PyFileSystem(fs.FSSpecHandler(fsspec.filesystem(scheme))), name
    except (ImportError, ValueError) as error:
        package = "huggingface_hub" if scheme == "hf" else "fsspec"
        raise OSError(f"{scheme}:// needs another library: pip install {package}") from error


def bucket_error(url: str, error: Exception) -> str:
    """Return why a store cannot be used, in words; the library's own are of its requests."""
    text, scheme = " ".join(str(error).split()), url.partition("://")[0].lower()
    if any(sign in text.upper() for sign in _NO_ACCESS) or isinstance(error, PermissionError):
        return f"{_DENIED}: check the credentials ({_CREDENTIALS.get(scheme, 'of this store')})"
    if "NO_SUCH_BUCKET" in text:
        return _NO_BUCKET
    if "NETWORK_CONNECTION" in text or "resolve host" in text:
        return "its server cannot be reached: check the network, and AWS_ENDPOINT_URL if it is set"
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return text


def is_bucket_file(url: str) -> bool:
    """Return whether there is such a file; OSError if the store cannot be asked."""
    from pyarrow import fs

    files, path = opened_bucket(url)
    return bool(_with_reason(url, lambda: files.get_file_info(path)).type == fs.FileType.File)


def open_bucket_file(url: str) -> IO[bytes]:
    """Open a file for reading; OSError with a reason."""
    files, path = opened_bucket(url)
    # The files of pyarrow have no lines.
    return io.BufferedReader(_with_reason(url, lambda: files.open_input_file(path)))


def read_bucket_file(url: str, most: int) -> bytes:
    """Return at most ``most`` bytes of a file; OSError with a reason, if that remains after some attempts."""

    def read() -> bytes:
        with open_bucket_file(url) as file:
            return _with_reason(url, lambda: bytes(file.read(most)))  # type: ignore[no-any-return]

    return _repeated(read)


def write_bucket_file(url: str, data: bytes) -> None:
    """Write a file, which is there whole or not at all; OSError with a reason, if that remains after some attempts."""
    files, path = opened_bucket(url)

    def write() -> None:
        with files.open_output_stream(path, compression=None) as stream:
            stream.write(data)

    _repeated(lambda: _with_reason(url, write))


def _repeated(work: Callable[[], T]) -> T:
    """Do some work of a store, again after a failure that may pass."""
    for pause in _PAUSES:
        try:
            return work()
        except OSError as error:
            if not _may_pass(error):
                raise
        time.sleep(pause)
    return work()


def _may_pass(error: OSError) -> bool:
    """Decide whether the failure of a store may pass: not one that its own answer explains."""
    return not isinstance(error, FileNotFoundError) and not any(why in str(error) for why in (_DENIED, _NO_BUCKET))


def delete_bucket_file(url: str) -> None:
    """Delete a file; OSError with a reason."""
    files, path = opened_bucket(url)
    _with_reason(url, lambda: files.delete_file(path))


def bucket_files(url: str, *, below: bool = True, is_optional: bool = False) -> Iterator[str]:
    """Yield the addresses of the files of a folder in order, those ``below`` in other folders as well.

    Raises OSError with a reason; a folder that is missing has no files if it ``is_optional``.
    """
    from pyarrow import fs

    files, path = opened_bucket(url)
    selector = fs.FileSelector(path, recursive=below, allow_not_found=is_optional)
    found = _with_reason(url, lambda: files.get_file_info(selector))
    for info in sorted((each for each in found if each.type == fs.FileType.File), key=lambda each: str(each.path)):
        yield f"{url.rstrip('/')}/{info.path.lstrip('/')[len(path.lstrip('/')) :].lstrip('/')}"


def _with_reason(url: str, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (OSError, ValueError) as error:
        kind = FileNotFoundError if isinstance(error, FileNotFoundError) else OSError
        raise kind(f"{url}: {bucket_error(url, error)}") from error


class Copies:
    """Copies of files in a temporary folder, the least recently used of which are deleted."""

    def __init__(self, most: int = _COPIES) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._paths: OrderedDict[str, Path] = OrderedDict()

    def opened(self, key: str, make: Callable[[Path], object]) -> IO[bytes]:
        """Open the copy with a key, which ``make`` writes if there is none; other threads may delete it then."""
        with self._lock:
            if key in self._paths and self._paths[key].exists():
                self._paths.move_to_end(key)
                return self._paths[key].open("rb")
            if self._folder is None or not self._folder.is_dir():
                self._paths.clear()
                self._folder = Path(mkdtemp(prefix="blocksight-"))
                # Workers that are forked must not delete it.
                atexit.register(_delete, self._folder, os.getpid())
            path = self._folder / hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
            try:
                make(path)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            self._paths[key] = path
            while len(self._paths) > self._most:
                self._paths.popitem(last=False)[1].unlink(missing_ok=True)
            return path.open("rb")


def _delete(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


_DOWNLOADS = Copies()


def open_local(source: str) -> IO[bytes]:
    """Open a file of this computer; one of a store is copied to this computer. OSError with a reason."""
    if not is_bucket(source):
        return open(source, "rb")

    def download(path: Path) -> None:
        with open_bucket_file(source) as remote, path.open("wb") as local:
            _with_reason(source, lambda: shutil.copyfileobj(remote, local, 1 << 22))

    return _DOWNLOADS.opened(source, download)
