"""Metrics of a run for Prometheus, read from its counts when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import ExtraMissing
from .summary import OK, Summary


@contextmanager
def metrics_server(summary: Summary, port: int, host: str = "127.0.0.1") -> Iterator[int]:
    """Serve the metrics of a run at a port, which is yielded, under ``/metrics``; port 0 takes a free one.

    Raises ExtraMissing without prometheus_client, OSError if the port is in use.
    """
    try:
        from prometheus_client import CollectorRegistry, start_http_server
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    except ImportError as error:
        raise ExtraMissing("metrics", "metrics") from error
    registry = CollectorRegistry()
    registry.register(RunCollector(summary, CounterMetricFamily, GaugeMetricFamily))
    server, thread = start_http_server(port, host, registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class RunCollector:
    """The counts of a run as families of metrics; ``counter`` and ``gauge`` are classes of prometheus_client."""

    def __init__(self, summary: Summary, counter: Callable[..., Any], gauge: Callable[..., Any]) -> None:
        self._summary = summary
        self._counter = counter
        self._gauge = gauge

    def collect(self) -> Iterable[Any]:
        """Return all families."""
        summary = self._summary
        pages = self._counter("blocksight_pages", "Pages of this run, by kind of failure.", labels=["kind"])
        pages.add_metric([OK], summary.rows - sum(summary.failures.values()))
        for kind, count in sorted(summary.failures.items()):
            pages.add_metric([kind], count)
        seconds = self._counter("blocksight_seconds", "Seconds of pages, by stage.", labels=["stage"])
        for stage, spent in summary.seconds.items():
            seconds.add_metric([stage], spent)
        inputs = self._gauge("blocksight_inputs", "Inputs of the folder, by state.", labels=["state"])
        inputs.add_metric(["done"], summary.before + summary.rows)
        inputs.add_metric(["waiting"], summary.waiting)
        rate = self._gauge("blocksight_pages_per_second", "Recent pages per second, by kind.", labels=["kind"])
        for kind, pages_per_second in summary.rates().items():
            rate.add_metric([kind], pages_per_second)
        return [pages, seconds, inputs, rate]
