"""Actors of a cluster as slots of a run: as many as are needed, replaced when they die."""

from __future__ import annotations

import logging
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

from ...errors import RunStopped
from ...files.atomic import delete_unfinished_of
from ...version import VERSION
from ..batch_options import BatchOptions
from ..output.warc_output import pending_path
from ..pipeline import Outcome, page_path, refused
from ..robots import FixedAnswer, RobotsRules
from ..row_schema import DIED
from ..sources.inputs import Input
from .connection import library
from .page_actor import PageActor

_LOG = logging.getLogger(__name__)

#: Actors that may die of a page, the last one with no other page, until it is a row with the reason.
MAX_DEATHS = 3
#: Seconds until an idle actor is ended, and between two warnings that there is no room for actors.
_IDLE, _PATIENCE = 60.0, 60.0
#: Memory of an actor: its own and its browser's, and that of each page at once, with its worker process, in bytes.
_BASE_MEMORY, _PAGE_MEMORY = 500_000_000, 500_000_000
#: Characters of the reason of Ray for the end of an actor.
_MAX_REASON = 300
_IDENTITIES = re.compile(r"(?m)^\s+\w+: \S+$|\bNode Id: \w+")
#: Actors in a row that may end while they start.
_MAX_FAILED_STARTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorPool:
    """The number of actors, and the resources that each reserves.

    Attributes
    ----------
    least, most : int
        Numbers of actors. There are more than ``least`` while inputs wait for one, which an autoscaling cluster takes
        as a request for nodes; idle ones are ended after a minute.
    cpus : float
        CPUs of each; 0 for one for each of the pages at once (``BatchOptions.workers``).
    memory : int
        Bytes of each; 0 for 0.5 GB and another 0.5 GB for each of the pages at once.
    """

    least: int = 1
    most: int = 0
    cpus: float = 0.0
    memory: int = 0

    def __post_init__(self) -> None:
        if self.least < 1 or (self.most and self.most < self.least) or min(self.most, self.cpus, self.memory) < 0:
            raise ValueError("an actor pool needs least >= 1, most >= least, and cpus and memory of 0 or more")

    def sized(self, workers: int, cluster: Mapping[str, float]) -> ActorPool:
        """Return the pool with its defaults for some pages at once; without ``most``, as many as fit the cluster."""
        cpus = self.cpus or float(workers)
        memory = self.memory or _BASE_MEMORY + workers * _PAGE_MEMORY
        fitting = int(min(cluster.get("CPU", 1.0) / cpus, cluster.get("memory", memory) / memory))
        return replace(self, most=self.most or max(fitting, self.least), cpus=cpus, memory=memory)


@dataclass(slots=True, eq=False)
class _Actor:
    handle: Any
    is_ready: bool = False
    is_dead: bool = False
    running: int = 0
    idle_since: float = field(default_factory=time.monotonic)


@dataclass(slots=True, kw_only=True)
class _ActorCall:
    """A call of an actor, repeated by another one if that dies.

    ``lost`` returns the result after too many deaths, the last one for a reason; ``slots`` is the number that it takes.
    """

    method: str
    arguments: tuple[object, ...]
    future: Future[Any]
    lost: Callable[[str], object]
    deaths: int = 0
    slots: int = 1


class ActorTasks:
    """The actors of a run; use it as a context manager. All methods are called by one thread.

    ``folder`` is one that all nodes share, "" if none is needed.
    """

    def __init__(
        self, options: BatchOptions, pool: ActorPool, *, folder: str = "", pages: str | None, warcs: str | None
    ) -> None:
        self._options = options
        self._ray = library()
        self._pool = pool.sized(options.workers, self._ray.cluster_resources())
        self._folder = folder
        self._remote = self._ray.remote(
            num_cpus=self._pool.cpus, memory=self._pool.memory, max_restarts=0, max_concurrency=options.workers + 1
        )(PageActor)
        self._arguments = (self._ray.put(options), pages, warcs)
        self._folders = Path(pages) if pages else None, Path(warcs) if warcs else None
        self._actors: list[_Actor] = []
        self._waiting: deque[_ActorCall] = deque()
        self._ended: SimpleQueue[tuple[_Actor, _ActorCall, Any]] = SimpleQueue()
        self._warned = time.monotonic()
        self._failed_starts = 0
        self._alone = 0
        self._is_stopped = False

    def __enter__(self) -> Self:
        while len(self._actors) < self._pool.least:
            self._start_actor()
        return self

    def __exit__(self, *_: object) -> None:
        for actor in self._actors:
            self._end(actor)

    def slots(self) -> int:
        """Return the slots of the actors that are ready; replace actors that have died, and repeat their pages."""
        self._handle_ended()
        ready = sum(actor.is_ready for actor in self._actors)
        # A page that is tried alone, or waits for that, keeps an actor from all others.
        return ready * self._options.workers - min(self._alone, ready) * (self._options.workers - 1)

    def process(self, entry: Input, rules: Mapping[str, RobotsRules] | None) -> Future[Outcome]:
        """Start to process an input."""

        def lost(reason: str) -> Outcome:
            why = f"its actor died at each of {MAX_DEATHS} attempts, also with no other page ({reason})"
            return refused(entry, DIED, why, self._options.digest)

        return self._submit("process", (entry, rules), lost)

    def rules(self, host: str) -> Future[RobotsRules]:
        """Start to read the rules of a host."""
        why = "robots.txt could not be read ({}), so nothing may be requested"
        return self._submit("rules", (host,), lambda reason: FixedAnswer(why.format(reason)))

    def wants_more(self) -> None:
        """Start another actor, if there may be more and none is starting."""
        may_start = len(self._actors) < self._pool.most and self._failed_starts < _MAX_FAILED_STARTS
        if may_start and all(actor.is_ready for actor in self._actors):
            self._start_actor()

    def stop(self) -> None:
        """Cancel the pages that no actor has, and repeat none of an actor that dies from now on."""
        self._is_stopped = True
        while self._waiting:
            self._waiting.popleft().future.cancel()

    def _submit(self, method: str, arguments: tuple[object, ...], lost: Callable[[str], object]) -> Future[Any]:
        task = _ActorCall(method=method, arguments=arguments, future=Future(), lost=lost)
        self._waiting.append(task)
        self._assign()
        return task.future

    def _assign(self) -> None:
        """Give waiting tasks to actors, first those that an actor should do alone, for which one is kept free."""
        free = [each for each in self._actors if each.is_ready] if self._waiting else []
        for _ in range(len(self._waiting)):
            task = self._waiting.popleft()
            actor = min(free, key=lambda each: each.running, default=None)
            if actor is None or actor.running + task.slots > self._options.workers:
                self._waiting.append(task)
                if actor is not None and task.slots > 1:
                    free.remove(actor)
                continue
            actor.running += task.slots
            call = getattr(actor.handle, task.method).remote(*task.arguments)
            call.future().add_done_callback(partial(self._note_end, actor, task))

    def _note_end(self, actor: _Actor, task: _ActorCall, call: Future[Any]) -> None:
        """Take the result in a thread of Ray; what is lost waits for :meth:`_handle_ended`."""
        error = call.exception()
        if not self._is_lost(error):
            self._ended.put((actor, task, None))
            task.future.set_exception(_cause(error)) if error else task.future.set_result(call.result())
        else:
            self._ended.put((actor, task, error))

    def _is_lost(self, error: BaseException | None) -> bool:
        exceptions = self._ray.exceptions
        return isinstance(error, exceptions.RayError) and not isinstance(error, exceptions.RayTaskError)

    def _handle_ended(self) -> None:
        """Release slots, replace dead actors and repeat their pages; RunStopped if a node cannot take part."""
        with suppress(Empty):
            while True:
                actor, task, lost = self._ended.get_nowait()
                actor.running -= task.slots
                actor.idle_since = time.monotonic()
                if lost is None and task.slots > 1:
                    self._alone -= 1
                if task.method == "ready":
                    self._handle_ready(actor, task, lost)
                elif lost is not None:
                    self._handle_lost(actor, task, lost)
        self._assign()
        now = time.monotonic()
        for actor in [each for each in self._actors if each.is_ready and not each.running]:
            if len(self._actors) > self._pool.least and now - actor.idle_since > _IDLE:
                self._actors.remove(actor)
                self._end(actor)
        if not any(actor.is_ready for actor in self._actors) and now - self._warned > _PATIENCE:
            self._warned = now
            room = f"{self._pool.cpus:g} CPUs and {self._pool.memory / 1e9:.1f} GB"
            _LOG.warning("no actor has started yet: each needs %s of a node (--workers, --actors)", room)

    def _start_actor(self) -> None:
        actor = _Actor(self._remote.remote(*self._arguments))
        self._actors.append(actor)
        task = _ActorCall(method="ready", arguments=(self._folder, VERSION), future=Future(), lost=str, slots=0)
        actor.handle.ready.remote(*task.arguments).future().add_done_callback(partial(self._note_end, actor, task))

    def _handle_ready(self, actor: _Actor, task: _ActorCall, lost: BaseException | None) -> None:
        if lost is not None:
            # Nodes may go at any time, as those of a market do; all that start on one end with it.
            self._failed_starts += not _is_of_node(lost)
            if self._failed_starts < _MAX_FAILED_STARTS:
                self._replace(actor)
            elif any(each.is_ready for each in self._actors):
                _LOG.warning("an actor is not replaced, as actors end while they start: %s", _reason(lost))
                actor.is_dead = True
                self._actors.remove(actor)
            else:
                raise RunStopped(f"actors end while they start: {_reason(lost)}")
        elif why := task.future.result():
            raise RunStopped(why)
        elif not actor.is_dead:
            actor.is_ready, self._failed_starts = True, 0

    def _handle_lost(self, actor: _Actor, task: _ActorCall, error: BaseException) -> None:
        _LOG.info("an actor died (%s); its pages are done again", type(error).__name__)
        self._replace(actor)
        self._sweep(task)
        if self._is_stopped:
            task.future.cancel()
            return
        task.deaths += 1
        if task.deaths >= MAX_DEATHS:
            self._alone -= task.slots > 1
            task.future.set_result(task.lost(_reason(error)))
            return
        if task.deaths == MAX_DEATHS - 1:
            task.slots = self._options.workers
            self._alone += task.slots > 1
        self._waiting.appendleft(task)

    def _sweep(self, task: _ActorCall) -> None:
        """Delete the unfinished files of the page of a lost actor."""
        (pages, warcs), entry = self._folders, task.arguments[0]
        if isinstance(entry, Input) and pages is not None:
            delete_unfinished_of(page_path(pages, entry.id))
        if isinstance(entry, Input) and warcs is not None:
            delete_unfinished_of(pending_path(warcs, entry.id))

    def _replace(self, actor: _Actor) -> None:
        if actor.is_dead:
            return
        actor.is_dead, actor.is_ready = True, False
        self._actors.remove(actor)
        self._end(actor)  # it may only be out of reach
        if not self._is_stopped:
            self._start_actor()

    def _end(self, actor: _Actor) -> None:
        with suppress(Exception):  # the cluster may be gone
            self._ray.kill(actor.handle)


def _cause(error: BaseException) -> BaseException:
    """Return the error of our own in one of Ray."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, BaseException) else error


def _reason(error: BaseException) -> str:
    """Return the start of the message of an error of Ray, without its identities."""
    return " ".join(_IDENTITIES.sub("", str(error)).split())[:_MAX_REASON] or type(error).__name__


def _is_of_node(error: BaseException) -> bool:
    """Decide whether an actor was lost with its node: Ray says so in words only."""
    return "node has died" in str(error) or "preempted" in str(error)
