"""The service: a worker pool, a process that writes to a store, sessions, and their replacement.

Invariants: One pool serves at a time. A new pool takes over only when all its processes are ready, and the
old one answers its pending requests before it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.service.messages import ChangeNotice, Done, RefusedRequest, SessionFacts, Setup, WorkRequest
from hornbook.web.service.sessions import ServiceSession, Sessions
from hornbook.web.service.worker_pool import GRACE, Job, Worker, WorkerPool, WorkerPoolError


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The limits of a service."""

    workers: int
    keeps: bool = False
    """Whether requests may change the facts of the store."""
    most_bytes: int = 1_000_000
    """The largest size of a request's body."""
    most_sessions: int = 1000
    client_sessions: int = 100
    """The largest number of sessions of one client."""
    session_seconds: float = 900.0
    most_waiting: int = 1000
    """The largest number of requests that wait for a process."""
    client_requests: int = 100
    """The largest number of requests of one client in progress."""
    client_rate: int = 1000
    """The largest number of requests of one client in a second."""
    most_reloads: int = 1
    """The largest number of reloads that wait for the one in progress."""


Log = Callable[[str, str], None]
"""A function that writes a line about the service, with a level and a text."""


class Service:
    """The service for requests. It runs within `life`."""

    def __init__(self, setup: Setup, settings: ServiceSettings, log: Log) -> None:
        self.setup, self.settings, self._log = setup, settings, log
        self.sessions = Sessions(settings.most_sessions, settings.client_sessions, settings.session_seconds)
        self.served: dict[str, Any] = {}
        self.status = "starting"
        self.reloads = {"done": 0, "refused": 0}
        self._changing = asyncio.Lock()
        self._reloading = asyncio.Lock()
        self._waiting_reloads = 0
        self._pool: WorkerPool | None = None
        self._keeper: Worker | None = None
        self._replaced = 0
        self._tasks: set[asyncio.Task[object]] = set()

    @asynccontextmanager
    async def life(self) -> AsyncIterator[None]:
        """Run the processes within the context. Raises WorkerPoolError if nothing can be served."""
        try:
            if self.settings.keeps:
                await self._begin_keeper()
            await self._start_pool()
            self.status = "ready"
            yield
        finally:
            self.status = "ending"
            for task in self._tasks:
                task.cancel()
            if self._pool is not None:
                self._pool.kill()
            if self._keeper is not None:
                self._keeper.close()

    @property
    def pool(self) -> WorkerPool:
        assert self._pool is not None
        return self._pool

    @property
    def replaced(self) -> int:
        """The number of processes that were replaced because they were lost or had grown too large."""
        return self._replaced + (0 if self._pool is None else self._pool.replaced)

    async def _start_pool(self) -> None:
        changing = self._changing if self.settings.keeps else None
        pool = WorkerPool(self.setup, self.settings.workers, self.setup.limits.seconds, self._warn, changing)
        ready = await pool.start()
        old, self._pool, self.served = self._pool, pool, ready.served
        for warning in ready.served["warnings"]:
            self._warn(warning)
        if old is not None:
            self._replaced += old.replaced
            old.retire()

    def _warn(self, message: str) -> None:
        self._log("warning", message)

    # Questions

    async def ask(self, kind: str, body: bytes, client: str, session: ServiceSession | None = None) -> Done:
        """Return the answer to a question."""
        return await self._answer(WorkRequest(kind, body, None if session is None else session.facts), client)

    async def _answer(self, work: WorkRequest, client: str) -> Done:
        if self.pool.waiting >= self.settings.most_waiting:
            message = f"{self.pool.waiting:,} requests are waiting; send the request again later"
            return refusal(RefusedRequest(503, "busy", message))
        return await self.pool.answer(work, client)

    # Sessions

    async def begin_session(self, body: bytes, owner: str, client: str | None) -> Done:
        """Start a session. Its owner, a token or an address, limits the number of sessions."""
        if (full := self.sessions.why_full(owner)) is not None:
            return refusal(RefusedRequest(429, "session", full))
        with self.sessions.beginning(owner):
            done = await self._answer(
                WorkRequest("begin", body, SessionFacts(self.sessions.name(), 0)), owner
            )
            if not isinstance(done.update, SessionFacts):
                return done
            return Done(201, self.described(self.sessions.add(done.update, owner, client)))

    def described(self, session: ServiceSession) -> bytes:
        session_facts = session.facts
        message = {
            "session": session.name,
            "facts": len(session_facts.added),
            "seconds": self.sessions.seconds,
        }
        return msgspec.json.encode(message)

    async def change_session(self, session: ServiceSession, body: bytes, client: str) -> Done:
        """Change the facts of a session. The changes of one session are serialised."""
        async with session.changing:
            done = await self._answer(WorkRequest("change", body, session.facts), client)
            if isinstance(done.update, SessionFacts):
                session.facts = done.update
            return done

    # Changes to the served facts

    async def change(self, body: bytes) -> Done:
        """Change the facts of the store. A change that is answered with 200 is on the disk."""
        if not self.settings.keeps:
            message = (
                "this service does not change facts: serve a store with `--write`, or start a session (`POST"
                " /sessions`)"
            )
            return refusal(RefusedRequest(409, "store", message))
        async with self._changing:
            if self._keeper is None:
                message = "the process that changes the store is not ready; send the request again later"
                return refusal(RefusedRequest(503, "store", message))
            job = Job(WorkRequest("change", body), asyncio.get_running_loop().create_future())
            keeper, seconds = self._keeper, self.setup.limits.seconds
            keeper.give(job, None if seconds is None else seconds + GRACE)
            done = await job.result
            if isinstance(done.update, ChangeNotice):
                self.pool.tell(done.update)
            return done

    async def _begin_keeper(self) -> None:
        keeper = Worker(self._keeper_freed, self._keeper_lost)
        await keeper.start(self.setup, None, keeps=True)
        self._keeper = keeper

    def _keeper_freed(self, keeper: Worker, done: Done) -> None:
        if done.must_end:
            keeper.kill()

    def _keeper_lost(self, keeper: Worker) -> None:
        if keeper is not self._keeper or self.status == "ending":
            return
        self._keeper = None
        job = keeper.job
        if job is not None and not job.result.done():
            message = (
                "the process that changes the store was lost, so it is unknown whether the change was stored;"
                " send it again: a stored change has no further effect"
            )
            job.result.set_result(
                refusal(
                    RefusedRequest(503, "lost", message, log="the process that changes the store was lost")
                )
            )
        self._warn("the process that changes the store was lost or ended, and another takes its place")
        self._soon(self._begin_keeper_anew())

    async def _begin_keeper_anew(self) -> None:
        """Start a new writer process, and a pool with the current facts of the store."""
        pause = 0.1
        while True:
            try:
                async with self._changing:
                    if self._keeper is None:
                        await self._begin_keeper()
                    await self._start_pool()
                return
            except WorkerPoolError as problem:
                self._warn(f"the store cannot be changed: {problem}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 10.0)

    def _soon(self, what: Any) -> None:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Reloading

    def reload_soon(self) -> None:
        """Schedule a reload, as a signal requests, and write the result to the log.

        A reload that waits already serves this signal too.
        """
        if not self._waiting_reloads:
            self._soon(self._reload())

    async def reload(self) -> Done:
        """Reload, unless `most_reloads` reloads are waiting already."""
        if self._reloading.locked() and self._waiting_reloads >= self.settings.most_reloads:
            message = "a reload is in progress, and others wait for it; send the request again later"
            return refusal(RefusedRequest(429, "reloads", message))
        return await self._reload()

    async def _reload(self) -> Done:
        self._waiting_reloads += 1
        try:
            await self._reloading.acquire()
        finally:
            self._waiting_reloads -= 1
        try:
            return await self._reload_now()
        finally:
            self._reloading.release()

    async def _reload_now(self) -> Done:
        """Load a new pool and switch to it; if there are mistakes, nothing changes."""
        async with self._changing:
            try:
                await self._start_pool()
            except WorkerPoolError as problem:
                self.reloads["refused"] += 1
                self._log(
                    "error", f"the reload failed, and the service continues with the previous data: {problem}"
                )
                found = msgspec.json.decode(problem.done.body)
                message = (
                    f"the reload failed, and the service continues with the previous data: {found['message']}"
                )
                return refusal(RefusedRequest(409, "reload", message, tuple(found["diagnostics"])))
        self.reloads["done"] += 1
        self._log("info", f"reloaded: {self.served['theory']} {self.served['fingerprint']}")
        return Done(200, msgspec.json.encode(self.served))


def refusal(message: RefusedRequest) -> Done:
    """Return a refusal as a result."""
    return Done(message.status, message.body, message.log)
