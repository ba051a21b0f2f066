"""A Ray cluster: the library, a connection, and checks of each node."""

from __future__ import annotations

import logging
import os
import platform
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import BrowserMissing, PeerMissing, RunStopped
from ...version import VERSION

#: Not part of an extra, as it has no wheels for some supported platforms.
REQUIREMENT = "ray[data]>=2.60,<2.64"


def library(*, data: bool = False) -> Any:
    """Return Ray, with Ray Data if that is needed; PeerMissing if it is not installed."""
    # No usage statistics.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray

        if data:
            import ray.data
    except ImportError as error:
        raise PeerMissing("Ray", REQUIREMENT) from error
    return ray


#: Seconds in which a cluster must answer.
_ANSWER_SECONDS = 30.0


@contextmanager
def connected(address: str = "") -> Iterator[None]:
    """Connect to a cluster; an existing connection is used, and stays.

    "local" starts a cluster on this computer; "" takes that of ``RAY_ADDRESS`` or of this computer, else starts one;
    "HOST:PORT" and "ray://HOST:PORT" are passed on. RunStopped if none answers.
    """
    ray = library()
    if ray.is_initialized():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        _check_answer(address)
        ray.init(address=address or None, log_to_driver=False, logging_level=logging.ERROR)
    except OSError as error:
        start = "start one by `ray start --head`, or take --ray=local"
        raise RunStopped(f"no Ray cluster answers at {address or 'RAY_ADDRESS'} ({error}); {start}") from error
    if callable(before) and threading.current_thread() is threading.main_thread():
        # Ray's own handler ends the program, before the run can store its pages.
        signal.signal(signal.SIGTERM, before)
    try:
        yield
    finally:
        ray.shutdown()


def _check_answer(address: str) -> None:
    """Raise OSError if nothing answers at HOST:PORT: Ray tries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_SECONDS).close()


def node_error(folder: str, version: str, executable: str, browser: bool) -> str:
    """Return why this computer cannot take part in a run, "" if it can; ``folder`` is one that all nodes share."""
    from ...render.chromium.process.executable import find_browser

    name = platform.node()
    if version != VERSION:
        return f"{name} has blocksight {VERSION}, not {version}: install the same version everywhere"
    if folder and not os.path.isdir(folder):
        return f"{name} cannot read {folder}: take a folder that all nodes share"
    try:
        if browser:
            find_browser(executable or None)
    except BrowserMissing as error:
        return f"{name}: {error}"
    return ""
