"""A real cluster of two nodes, each with processes of its own."""

import os
from contextlib import suppress

import blocksight as bs
import psutil
import pytest
from blocksight.batch.batch_options import BatchOptions, RateLimits
from blocksight.batch.output.shards import ShardFolder

#: More pages and kills with ``BLOCKSIGHT_RAY_PAGES=1000``.
COUNT = int(os.environ.get("BLOCKSIGHT_RAY_PAGES", "150"))
KILLS = 20 if COUNT >= 1000 else 3
_STORE = 200_000_000
SYSTEM = """
import os, signal, time

def judge(html):
    if "it raises" in html:
        raise ValueError("a fault")
    if "it hangs" in html:
        time.sleep(3600)
    if "it kills" in html:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(3600)
    return html.partition("<p>")[2]
"""


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    """A system in a module that every process of the cluster can import."""
    folder = tmp_path_factory.mktemp("system")
    (folder / "odd_system.py").write_text(SYSTEM)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        there = os.environ.get("PYTHONPATH", "")
        patch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{there}")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        import odd_system

        yield odd_system.judge


def patiently(start):
    """Start a node; Ray gives one 30 seconds, which a computer that is busy may not keep."""
    for _ in range(4):
        try:
            return start()
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
    pytest.skip("this computer is too busy to start a node of Ray within 30 seconds")


def second_node(nodes):
    """Add a node to a cluster."""
    return patiently(lambda: nodes.add_node(num_cpus=2, object_store_memory=_STORE))


@pytest.fixture(scope="module")
def cluster(judge):
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'ray[data]>=2.60,<2.64'")
    from ray.cluster_utils import Cluster

    nodes = patiently(
        lambda: Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": _STORE})
    )
    nodes.second = second_node(nodes)
    nodes.wait_for_nodes()
    yield nodes
    ray.shutdown()
    nodes.shutdown()


@pytest.fixture
def connection(cluster):
    import ray

    if len(cluster.worker_nodes) < 1:
        cluster.second = second_node(cluster)
        cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    yield cluster
    ray.shutdown()


@pytest.fixture
def options(judge):
    render = bs.RenderOptions(timeout=10.0)
    return BatchOptions(
        render=render, browser=False, system=judge, workers=1, shard_rows=10, limits=RateLimits(robots=False, delay=0.0)
    )


def written(folder, count, faults):
    folder.mkdir()
    for number in range(count):
        odd = faults.get(number % 100, ("", ""))[0]
        (folder / f"{number:05d}.html").write_text(f"<title>Tea {number}</title><p>Pot number {number}. {odd}")
    return folder


def filed(out):
    parts = ShardFolder(out / "rows", "parquet")
    return [row for number in parts.numbers() for row in parts.read(number)]


def workers():
    """The actors on all nodes: processes that Ray calls by what they are."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            name = " ".join(process.cmdline())
            if (
                ("MapWorker(" in name or "PageActor" in name)
                and process.status() != psutil.STATUS_ZOMBIE
                and _is_ours(process)
            ):
                yield process


def _is_ours(process):
    return any(above.pid == os.getpid() for above in process.parents())
