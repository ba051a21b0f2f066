"""Failures that may pass: which are tried again and when, and when a host counts as down."""

from __future__ import annotations

from typing import TypeGuard

from ..errors import ConnectionFailed, HttpFailed, NoAnswer, PageFailed, TimedOut
from .batch_options import RateLimits

#: Statuses by which a server says that it is busy, and those of its faults that may pass.
_BUSY, _FAULTS = frozenset({429, 503}), frozenset({500, 502, 504})
#: Waits before the second attempt, in multiples of ``retry_wait``, and their growth with each further one.
_AFTER_FAULT, _AFTER_TIMEOUT, _GROWTH = 2.5, 5.0, 4.0
#: Failed requests in a row after which a host is paused, and after which no more of its pages are requested.
PAUSE_AFTER, DOWN_AFTER = 5, 9


def retry_seconds(error: Exception | None, attempts: int, limits: RateLimits) -> float | None:
    """Return the seconds until a page is requested again after some attempts; None if it is not.

    They are 0 for a busy host, which is paused itself.
    """
    if attempts >= limits.max_attempts:
        return None
    factor = _retry_factor(error)
    return None if factor is None else min(limits.retry_wait * factor * _GROWTH ** (attempts - 1), limits.max_backoff)


def _retry_factor(error: Exception | None) -> float | None:
    if is_busy(error):
        return 0.0
    if isinstance(error, ConnectionFailed):
        return 1.0
    if isinstance(error, TimedOut):
        return _AFTER_TIMEOUT
    return _AFTER_FAULT if isinstance(error, HttpFailed) and error.status in _FAULTS else None


def is_busy(error: Exception | None) -> TypeGuard[HttpFailed]:
    """Decide whether a server is too busy to answer."""
    return isinstance(error, HttpFailed) and error.status in _BUSY


def is_unreachable(error: Exception | None) -> TypeGuard[ConnectionFailed | NoAnswer]:
    """Decide whether a host did not answer."""
    return isinstance(error, ConnectionFailed | NoAnswer)


def down_error(url: str, last: PageFailed) -> PageFailed:
    """Return the error of a page that is not requested, as its host is down; ``last`` is that of the last request."""
    why = f"not requested: its host did not answer {DOWN_AFTER} requests in a row (the last one: {last.reason})"
    return type(last)(url, why)


def host_pause(failures: int, limits: RateLimits) -> float:
    """Return the seconds for which a host is paused after some failed requests in a row."""
    if failures < PAUSE_AFTER:
        return 0.0
    return min(limits.retry_wait * 2.0 ** (failures - PAUSE_AFTER), limits.max_backoff)
