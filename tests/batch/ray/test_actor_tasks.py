"""The slots of a cluster without one: actors that are ready, die, are replaced, and are too many."""

from concurrent.futures import Future
from contextlib import contextmanager

import pytest
from blocksight.batch.pipeline import outcome, page_path
from blocksight.batch.ray import actor_tasks, page_actor
from blocksight.batch.ray.actor_tasks import MAX_DEATHS, ActorPool, ActorTasks
from blocksight.batch.sources.inputs import input_of
from blocksight.errors import BrowserMissing, RunStopped

ONE, TWO, THREE = (input_of(f"https://{name}.org/") for name in ("one", "two", "three"))


class RayError(Exception):
    """What is raised when an actor is lost."""


class RayTaskError(RayError):
    """What an actor raised."""

    def __init__(self, cause):
        super().__init__()
        self.cause = cause


class Call:
    """A call of an actor, which the test ends."""

    def __init__(self, actor, method, arguments):
        self.actor, self.method, self.arguments, self._future = actor, method, arguments, Future()

    def future(self):
        return self._future

    def end(self, result=None, error=None):
        if error is not None:
            self._future.set_exception(error)
        else:
            self._future.set_result(result)


class Actor:
    """A handle, whose methods are called by ``remote``."""

    def __init__(self, calls):
        self._calls = calls

    def __getattr__(self, method):
        made = self

        class Method:
            def remote(self, *arguments):
                made._calls.append(Call(made, method, arguments))
                return made._calls[-1]

        return Method()


class FakeRay:
    """As much of Ray as the slots use."""

    def __init__(self):
        self.exceptions = type("exceptions", (), {"RayError": RayError, "RayTaskError": RayTaskError})
        self.calls, self.actors, self.killed, self.options = [], [], [], {}

    def cluster_resources(self):
        return {"CPU": 8.0, "memory": 1e12}

    def put(self, value):
        return value

    def remote(self, **options):
        self.options = options

        class Maker:
            remote = staticmethod(self._made)

        return lambda _: Maker

    def _made(self, *_):
        self.actors.append(Actor(self.calls))
        return self.actors[-1]

    def kill(self, actor):
        self.killed.append(actor)

    def pending(self, method):
        return [call for call in self.calls if call.method == method and not call.future().done()]


@pytest.fixture
def ray(monkeypatch):
    fake = FakeRay()
    monkeypatch.setattr(actor_tasks, "library", lambda: fake)
    return fake


def ready(ray, tasks, why=""):
    for call in ray.pending("ready"):
        call.end(why)
    return tasks.slots()


def started(plain, least=1, most=1):
    return ActorTasks(plain, ActorPool(least=least, most=most), pages=None, warcs=None)


def test_pages_go_to_actors_that_are_ready(ray, plain):
    with started(plain, least=2, most=2) as tasks:
        assert tasks.slots() == 0
        assert ready(ray, tasks) == 4
        futures = [tasks.process(entry, None) for entry in (ONE, TWO, THREE)]
        calls = ray.pending("process")
        assert sorted(ray.actors.index(call.actor) for call in calls) == [0, 0, 1]
        found = outcome(ONE, {}, "")
        calls[0].end(found)
        assert futures[0].result(0) is found
    assert ray.killed == ray.actors
    assert ray.options["num_cpus"] == 2
    assert ray.options["memory"] == 1_500_000_000


def test_a_page_whose_actor_dies_is_done_again_then_alone_then_a_row(ray, plain):
    with started(plain) as tasks:
        ready(ray, tasks)
        futures = {entry.id: tasks.process(entry, None) for entry in (ONE, TWO)}
        for deaths in (1, 2):
            for call in ray.pending("process"):
                call.end(error=RayError("gone"))
            assert tasks.slots() == 0
            assert len(ray.actors) == 1 + deaths
            assert ready(ray, tasks) == 3 - deaths, "those that are tried alone take a whole actor"
        (alone,) = ray.pending("process")
        alone.end(error=RayError("gone"))
        tasks.slots()
        lost = futures.pop(alone.arguments[0].id).result(0)
        assert lost.row["error_kind"] == "died"
        assert f"at each of {MAX_DEATHS} attempts" in lost.row["error"]
        ready(ray, tasks)
        ((identity, other),) = futures.items()
        (call,) = ray.pending("process")
        call.end(outcome(call.arguments[0], {}, ""))
        assert other.result(0).row["id"] == identity


def twice_lost(ray, tasks, entry):
    """Submit a page whose actor dies twice: it is to be tried alone."""
    future = tasks.process(entry, None)
    for _ in range(2):
        next(call for call in ray.pending("process") if call.arguments[0] is entry).end(error=RayError("gone"))
        tasks.slots()
        ready(ray, tasks)
    return future


def test_an_actor_is_kept_free_for_a_page_that_is_tried_alone(ray, plain):
    with started(plain, least=2, most=2) as tasks:
        first, second = ray.pending("ready")
        first.end("")
        tasks.slots()
        alone = tasks.process(ONE, None)
        ray.pending("process")[0].end(error=RayError("gone"))
        tasks.slots()
        ray.pending("ready")[-1].end("")
        second.end("")
        assert tasks.slots() == 4
        tasks.process(TWO, None)
        again, two = ray.pending("process")
        assert two.actor is not again.actor
        again.end(error=RayError("gone"))
        # The only other actor has a page: it takes nothing more until it is free for the one that is tried alone.
        assert tasks.slots() == 1
        tasks.process(THREE, None)
        assert ray.pending("process") == [two]
        two.end(outcome(TWO, {}, ""))
        tasks.slots()
        (last,) = ray.pending("process")
        assert last.arguments[0] is ONE
        last.end(outcome(ONE, {}, ""))
        assert tasks.slots() == 2
        assert alone.done()
        assert [call.arguments[0] for call in ray.pending("process")] == [THREE]


def test_the_reason_of_ray_is_in_the_row(ray, plain):
    with started(plain) as tasks:
        ready(ray, tasks)
        future = twice_lost(ray, tasks, ONE)
        ray.pending("process")[0].end(error=RayError("The node\n  is out of memory. " + "word " * 500))
        tasks.slots()
        error = future.result(0).row["error"]
        assert "(The node is out of memory. word" in error
        assert len(error) < 500
        ready(ray, tasks)
        assert tasks.slots() == 2


def test_a_run_that_ends_waits_for_no_new_actor(ray, plain):
    with started(plain) as tasks:
        ready(ray, tasks)
        futures = [tasks.process(entry, None) for entry in (ONE, TWO, THREE)]
        tasks.stop()
        assert [future.cancelled() for future in futures] == [False, False, True]
        first, second = ray.pending("process")
        first.end(outcome(ONE, {}, ""))
        second.end(error=RayError("gone"))
        assert tasks.slots() == 0
        assert futures[0].result(0).row["id"] == ONE.id
        assert futures[1].cancelled()
        assert len(ray.actors) == 1


def test_what_an_actor_raises_ends_the_run(ray, plain):
    with started(plain) as tasks:
        ready(ray, tasks)
        future = tasks.process(ONE, None)
        ray.pending("process")[0].end(error=RayTaskError(BrowserMissing("there is no browser")))
        with pytest.raises(BrowserMissing):
            future.result(0)


def test_a_node_that_cannot_take_part_stops_the_run(ray, plain):
    with started(plain) as tasks, pytest.raises(RunStopped, match="install the same version"):
        ready(ray, tasks, "node has blocksight 0: install the same version everywhere")


def test_actors_that_never_start_stop_the_run(ray, plain):
    def lose_starts(tasks):
        for _ in range(50):
            for call in ray.pending("ready"):
                call.end(error=RayError("no module"))
            tasks.slots()

    with started(plain) as tasks, pytest.raises(RunStopped, match="actors end while they start: no module"):
        lose_starts(tasks)


#: As Ray says it.
NODE_DIED = """The actor died unexpectedly before finishing this task.
\tclass_name: PageActor
\tactor_id: fdfe23b5
\tip: 192.0.2.2
The actor died because its node has died. Node Id: be6456a8"""


def test_an_actor_that_hangs_while_it_starts_is_ended(plain, monkeypatch):
    limits = []

    @contextmanager
    def limited(seconds):
        limits.append(seconds)
        yield
        limits.append(None)

    def check(folder, version, executable, browser):
        assert limits == [page_actor.lease(plain)]
        return "a folder is missing"

    monkeypatch.setattr(page_actor, "killed_after", limited)
    monkeypatch.setattr(page_actor, "node_error", check)
    assert page_actor.PageActor(plain).ready("", "0") == "a folder is missing"
    assert limits[-1] is None


def test_what_a_lost_actor_has_not_finished_is_deleted(ray, plain, tmp_path):
    pages = tmp_path / "pages"
    path = page_path(pages, ONE.id)
    path.parent.mkdir(parents=True)
    unfinished = path.with_name(f".{path.name}.0123456789abcdef.unfinished")
    other = path.with_name(f".{'0' * 32}.page.0123456789abcdef.unfinished")
    for name in (path, unfinished, other):
        name.write_bytes(b"a")
    with ActorTasks(plain, ActorPool(), folder=str(tmp_path), pages=str(pages), warcs=str(tmp_path / "warc")) as tasks:
        ready(ray, tasks)
        tasks.process(ONE, None)
        ray.pending("process")[0].end(error=RayError("gone"))
        tasks.slots()
    assert sorted(path.parent.iterdir()) == sorted([path, other])


def test_nodes_that_go_while_actors_start_do_not_stop_the_run(ray, plain):
    with started(plain) as tasks:
        for _ in range(30):
            (call,) = ray.pending("ready")
            call.end(error=RayError(NODE_DIED))
            tasks.slots()
        assert ready(ray, tasks) == 2


def test_actors_that_never_start_are_given_up_while_others_work(ray, plain, caplog):
    with started(plain, least=2, most=3) as tasks:
        ray.pending("ready")[0].end("")
        for _ in range(30):
            for call in ray.pending("ready"):
                call.end(error=RayError("no module"))
            assert tasks.slots() == 2
            tasks.wants_more()
        assert ray.pending("ready") == []
        assert len(ray.actors) < 20
        assert "actors end while they start: no module" in caplog.text


def test_the_reason_is_what_ray_says_without_its_identities():
    assert (
        actor_tasks._reason(RayError(NODE_DIED))
        == "The actor died unexpectedly before finishing this task. The actor died because its node has died."
    )
    assert actor_tasks._reason(RayError()) == "RayError"


def test_there_are_more_actors_while_pages_wait_and_fewer_when_they_are_idle(ray, plain, monkeypatch):
    with started(plain, least=1, most=3) as tasks:
        tasks.wants_more()
        assert len(ray.actors) == 1, "the first one is still starting"
        ready(ray, tasks)
        tasks.wants_more()
        tasks.wants_more()
        assert len(ray.actors) == 2
        assert ready(ray, tasks) == 4
        monkeypatch.setattr(actor_tasks, "_IDLE", -1.0)
        assert tasks.slots() == 2
        assert len(ray.killed) == 1


def test_sizes(plain):
    pool = ActorPool().sized(2, {"CPU": 9.0, "memory": 5e9})
    assert (pool.least, pool.most, pool.cpus, pool.memory) == (1, 3, 2.0, 1_500_000_000)
    for wrong in ({"least": 0}, {"least": 3, "most": 2}, {"cpus": -1.0}):
        with pytest.raises(ValueError, match="least"):
            ActorPool(**wrong)
