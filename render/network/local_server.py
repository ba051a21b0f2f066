"""HTTP servers on 127.0.0.1, for pages that load files: they are opened over HTTP, never by file://."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(BaseHTTPRequestHandler):
    """A request handler that logs nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        """Ignore the message."""


class _Files(QuietHandler, SimpleHTTPRequestHandler):
    """Serves the files of a folder."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    #: Browsers open many connections at once, and retry a connection that was not accepted after a second.
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore the error: browsers close connections early."""


@contextmanager
def serve(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve requests by a handler of :mod:`http.server`; yield the address ``http://127.0.0.1:PORT``."""
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
    """Serve the files of a folder; yield the address."""
    with serve(partial(_Files, directory=os.fspath(folder))) as address:
        yield address
