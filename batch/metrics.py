"""Metrics of a run for Prometheus, read from its counts when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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

    def family(kind: Any, name: str, about: str, label: str, values: Mapping[str, float]) -> Any:
        made = kind(f"blocksight_{name}", about, labels=[label])
        for value, number in values.items():
            made.add_metric([value], number)
        return made

    class RunCollector:
        def collect(self) -> Iterable[Any]:
            counter, gauge, failures = CounterMetricFamily, GaugeMetricFamily, summary.failures
            pages = {OK: summary.rows - failures.total(), **failures}
            inputs = {"done": summary.before + summary.rows, "waiting": summary.waiting}
            yield family(counter, "pages", "Pages of this run, by kind of failure.", "kind", pages)
            yield family(counter, "seconds", "Seconds of pages, by stage.", "stage", summary.seconds)
            yield family(gauge, "inputs", "Inputs of the folder, by state.", "state", inputs)
            yield family(gauge, "pages_per_second", "Recent pages per second, by kind.", "kind", summary.rates())

    registry = CollectorRegistry()
    registry.register(RunCollector())
    server, thread = start_http_server(port, host, registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
