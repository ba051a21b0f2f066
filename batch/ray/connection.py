"""A cluster of Ray: the library itself, a connection, and whether each node can do its part."""

from __future__ import annotations

import logging
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import BrowserMissing, ExtraMissing
from ...version import VERSION
from ..batch_options import BatchOptions


def library() -> Any:
    """Return Ray with its part for data.

    Raises
    ------
    ExtraMissing
        When it is not installed.
    """
    # It would tell its makers of each use.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ExtraMissing("a cluster of Ray", "ray") from error
    return ray


@contextmanager
def connected(address: str = "") -> Iterator[None]:
    """Be connected with a cluster; a connection that is there already is used, and stays.

    Parameters
    ----------
    address : str
        "local" starts one on this computer; "" takes the one that ``RAY_ADDRESS`` names or that runs here, else
        starts one; "HOST:PORT" and "ray://HOST:PORT" are taken as they are.
    """
    ray = library()
    if ray.is_initialized():
        yield
        return
    ray.init(address=address or None, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def losses_borne() -> Iterator[None]:
    """Blocks that are lost are no end of the work while this holds, and nothing is said of them."""
    context = library().data.DataContext.get_current()
    before = context.max_errored_blocks, context.enable_progress_bars
    context.max_errored_blocks, context.enable_progress_bars = -1, False
    logger = logging.getLogger("ray.data")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
        context.max_errored_blocks, context.enable_progress_bars = before


def check_nodes(folder: str, options: BatchOptions) -> list[str]:
    """Ask every node whether it can do its part; return what is wrong."""
    ray = library()
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ask = ray.remote(num_cpus=0, max_retries=1)(unfit)
    given = (folder, VERSION, options.executable or "", options.browser)
    asked = [
        ask.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)).remote(*given)
        for node in ray.nodes()
        if node["Alive"]
    ]
    return sorted({why for why in ray.get(asked) if why})


def unfit(folder: str, version: str, executable: str, browser: bool) -> str:
    """Return why this computer cannot do its part of a run, "" where it can."""
    from ...render.chromium.process.executable import find_browser

    name = platform.node()
    if version != VERSION:
        return f"{name} has blocksight {VERSION}, not {version}: install the same everywhere"
    if not os.path.isdir(folder):
        return f"{name} does not see {folder}: take a folder that all nodes share"
    try:
        if browser:
            find_browser(executable or None)
    except BrowserMissing as error:
        return f"{name}: {error}"
    return ""
