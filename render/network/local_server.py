"""Pages served on 127.0.0.1: those that load things are opened over HTTP, never by file://."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(BaseHTTPRequestHandler):
    """Answers without a word on standard error for each request."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        """Say nothing: standard error is for what matters."""


class _Files(QuietHandler, SimpleHTTPRequestHandler):
    """Answers with the files of a folder."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    #: Browsers open many connections at once; one that is not taken in is tried again a second later.
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a browser that has seen enough hangs up."""


@contextmanager
def serve(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """Answer requests on the loopback interface for as long as the context lasts.

    Parameters
    ----------
    handler : callable
        Makes the answer of one request, as :mod:`http.server` wants it.

    Yields
    ------
    str
        The address, ``http://127.0.0.1:PORT``, without a slash at the end.
    """
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, name="blocksight-loopback", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def serve_folder(folder: str | os.PathLike[str]) -> Iterator[str]:
    """Serve the files of a folder in the same way; yields its address."""
    with serve(partial(_Files, directory=os.fspath(folder))) as address:
        yield address
