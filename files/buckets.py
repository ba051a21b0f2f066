"""Files in buckets and other stores: ``s3://``, ``gs://``, ``abfs://`` by pyarrow, ``hf://`` by huggingface_hub.

Credentials, region and server are taken from the environment, as each store's own tools do (``AWS_ENDPOINT_URL`` names
another server for S3).
"""

from __future__ import annotations

import atexit
import hashlib
import io
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

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
#: Copies of remote files that are kept.
_MAX_COPIES = 4


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
    with _reasons(url):
        files, base = _file_system(f"{scheme.lower()}://{bucket}")
        path = (base + path[len(bucket) :]).rstrip("/")
        return files, path if scheme.lower() == "hdfs" else path.lstrip("/")


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


def _reason(url: str, error: Exception) -> str:
    """Return why a store cannot be used, in words; the library's own are of its requests."""
    text, scheme = " ".join(str(error).split()), url.partition("://")[0].lower()
    if any(sign in text.upper() for sign in _NO_ACCESS) or isinstance(error, PermissionError):
        return f"access is denied: check the credentials ({_CREDENTIALS.get(scheme, 'of this store')})"
    if "NO_SUCH_BUCKET" in text:
        return "there is no such bucket"
    if "NETWORK_CONNECTION" in text or "resolve host" in text:
        return "its server cannot be reached: check the network, and AWS_ENDPOINT_URL if it is set"
    return "no such file or folder" if isinstance(error, FileNotFoundError) else text


@contextmanager
def _reasons(url: str) -> Iterator[None]:
    """Turn the errors of a store into an OSError, or a FileNotFoundError, with a reason in words."""
    try:
        yield
    except (OSError, ValueError) as error:
        kind = FileNotFoundError if isinstance(error, FileNotFoundError) else OSError
        raise kind(f"{url}: {_reason(url, error)}") from error


def is_bucket_file(url: str) -> bool:
    """Return whether there is such a file; OSError if the store cannot be asked."""
    from pyarrow import fs

    files, path = opened_bucket(url)
    with _reasons(url):
        return bool(files.get_file_info(path).type == fs.FileType.File)


def open_bucket_file(url: str) -> IO[bytes]:
    """Open a file for reading; OSError with a reason."""
    files, path = opened_bucket(url)
    with _reasons(url):
        # The files of pyarrow have no lines.
        return io.BufferedReader(files.open_input_file(path))


def read_bucket_file(url: str, most: int) -> bytes:
    """Return at most ``most`` bytes of a file; OSError with a reason."""
    with open_bucket_file(url) as file, _reasons(url):
        return file.read(most)


def bucket_files(url: str) -> list[str]:
    """Return the addresses of the files of a folder and of its folders, in order; OSError with a reason."""
    from pyarrow import fs

    files, path = opened_bucket(url)
    with _reasons(url):
        found = files.get_file_info(fs.FileSelector(path, recursive=True))
    paths = sorted(info.path.lstrip("/") for info in found if info.type == fs.FileType.File)
    return [f"{url.rstrip('/')}/{name[len(path.lstrip('/')) :].lstrip('/')}" for name in paths]


#: Copies of files of stores in a temporary folder, the most recently used one last.
_copies: dict[str, Path] = {}
_LOCK = threading.Lock()


def open_local(source: str) -> IO[bytes]:
    """Open a file of this computer; one of a store is copied to this computer. OSError with a reason."""
    if not is_bucket(source):
        return open(source, "rb")
    with _LOCK:
        path = _copies.pop(source, None) or _copied(source)
        _copies[source] = path
        while len(_copies) > _MAX_COPIES:  # one that another thread has opened can still be read
            _copies.pop(next(iter(_copies))).unlink(missing_ok=True)
        return path.open("rb")


def _copied(source: str) -> Path:
    path = _copy_folder() / hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:32]
    with open_bucket_file(source) as remote, path.open("wb") as local, _reasons(source):
        shutil.copyfileobj(remote, local, 1 << 22)
    return path


@lru_cache(1)
def _copy_folder() -> Path:
    folder = Path(mkdtemp(prefix="blocksight-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
