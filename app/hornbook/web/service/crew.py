"""The processes that answer: requests are shared among them, and who overruns its time, or is lost, is replaced.

Always true: a process has one request at a time; all processes of a crew serve the same theory, rules and facts; a request is
given up only if its time is up, or if two processes were lost with it. A change for all is told to every process before
who asked for it is answered.
"""

from __future__ import annotations

import asyncio
import gc
import pickle
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from hornbook.spread.spawning import spawn_context
from hornbook.web.service.fair_queue import FairQueue
from hornbook.web.service.messages import HEAD, Done, Ready, Refused, Setup, Told, Work, packed

GRACE = 1.0
"""Seconds by which a request may overrun its time before its process is ended: engines stop by themselves."""


class CrewError(Exception):
    """What was to be served cannot be; `done` says why."""

    def __init__(self, done: Done) -> None:
        super().__init__(done.log or done.body.decode())
        self.done = done


class Process(Protocol):
    """What is begun to answer."""

    def kill(self) -> None: ...

    def join(self) -> None: ...


def begun(channel: socket.socket, setup: Setup, what: bytes | None, *, keeps: bool) -> Process:
    """A process that answers at a channel."""
    process = spawn_context().Process(
        target=_work, args=(channel, setup, what), kwargs={"keeps": keeps}, daemon=True
    )
    process.start()
    return process


def _work(channel: socket.socket, setup: Setup, what: bytes | None, *, keeps: bool) -> None:
    from hornbook.web.service.worker import work  # noqa: PLC0415 - the server needs none of what answers

    for number in (signal.SIGINT, signal.SIGTERM):  # the process that was asked ends this one
        signal.signal(number, signal.SIG_IGN)
    work(channel, setup, what, keeps=keeps, settle=settle)


def settle() -> None:
    """All that there is stays: who looks for garbage need not look at it, which stops answers for tens of milliseconds."""
    gc.collect()
    gc.freeze()


@dataclass(eq=False, slots=True)
class Job:
    """A request on its way."""

    work: Work
    result: asyncio.Future[Done]
    client: str = ""
    was_lost: bool = False


class Worker(asyncio.Protocol):
    """A process, as the server sees it. It calls `freed` when it has answered, and `lost` when it is no more."""

    def __init__(self, freed: Callable[[Worker, Done], None], lost: Callable[[Worker], None]) -> None:
        self._freed, self._lost = freed, lost
        self.job: Job | None = None
        self.session = ""
        """Where it stands."""
        self.is_gone = False
        self._buffer = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self.process: Process
        self._transport: asyncio.Transport | None = None
        """The connection to the process; None until it is made."""
        self._began: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()

    async def start(self, setup: Setup, what: bytes | None, *, keeps: bool) -> Ready:
        """Begins the process, and waits until it is ready. Raises CrewError."""
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = begun(theirs, setup, what, keeps=keeps)
        ours.setblocking(False)
        await asyncio.get_running_loop().create_connection(lambda: self, sock=ours)
        return await self._began

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        if self.is_gone:
            self._transport.abort()

    def give(self, job: Job, seconds: float | None) -> None:
        self.job = job
        self.session = "" if job.work.standing is None else job.work.standing.session
        self._write(job.work)
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._overran, seconds)

    def tell(self, told: Told) -> None:
        self._write(told)

    def _write(self, message: Work | Told) -> None:
        assert self._transport is not None
        self._transport.write(packed(message))

    def close(self) -> None:
        """Lets go of a process that has nothing to do: it ends by itself."""
        self.is_gone = True
        if self._transport is not None:
            self._transport.close()

    def kill(self) -> None:
        self.is_gone = True
        self.process.kill()
        if self._transport is not None:
            self._transport.abort()

    def _overran(self, seconds: float) -> None:
        job, self.job = self.job, None
        if job is not None and not job.result.done():
            said = f"more than {seconds - GRACE:g} seconds; ask less, or ask for a higher limit (`--seconds`)"
            refusal = Refused(504, "time", said, log="the process that answered was ended")
            job.result.set_result(Done(504, refusal.body, refusal.log))
        self.process.kill()

    # What the process says

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= HEAD.size:
            (size,) = HEAD.unpack_from(self._buffer)
            if len(self._buffer) < HEAD.size + size:
                return
            message = pickle.loads(memoryview(self._buffer)[HEAD.size : HEAD.size + size])  # noqa: S301 - of our own process
            del self._buffer[: HEAD.size + size]
            self._said(message)

    def _said(self, message: Ready | Done) -> None:
        if not self._began.done():
            if isinstance(message, Ready):
                self._began.set_result(message)
            else:
                self._began.set_exception(CrewError(message))
            return
        assert isinstance(message, Done)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        job, self.job = self.job, None
        if job is not None and not job.result.done():
            job.result.set_result(message)
        self._freed(self, message)

    def connection_lost(self, problem: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self._began.done():
            refusal = Refused(
                500,
                "internal",
                "a process was lost while it was getting ready",
                log="lost while getting ready",
            )
            self._began.set_exception(CrewError(Done(500, refusal.body, refusal.log)))
        asyncio.get_running_loop().run_in_executor(None, self.process.join)
        self._lost(self)


class Crew:
    """So many processes that serve the same."""

    def __init__(
        self,
        setup: Setup,
        size: int,
        seconds: float | None,
        warn: Callable[[str], None],
        changing: asyncio.Lock | None,
    ) -> None:
        """`changing` is held while what is served changes for all; None where it never does."""
        self._setup, self._size, self._warn, self._changing = setup, size, warn, changing
        self._seconds = None if seconds is None else seconds + GRACE
        self.workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._waiting: FairQueue[Job] = FairQueue()
        self._content: bytes | None = None
        self._is_retired = False
        self._starting: set[asyncio.Task[None]] = set()
        self.replaced = 0

    async def start(self) -> Ready:
        """Begins all processes; the first opens what is served. Raises CrewError, and then none is left."""
        try:
            ready = await self._begin()
            self._content = ready.opened
            await asyncio.gather(*(self._begin() for _ in range(self._size - 1)))
        except BaseException:
            self.kill()
            raise
        return ready

    async def _begin(self) -> Ready:
        worker = Worker(self._freed, self._lost)
        self.workers.append(worker)
        try:
            ready = await worker.start(self._setup, self._content, keeps=False)
        except CrewError:
            if worker in self.workers:
                self.workers.remove(worker)
            raise
        self._next(worker)
        return ready

    @property
    def waiting(self) -> int:
        """Requests that no process has begun."""
        return len(self._waiting)

    @property
    def answering(self) -> int:
        """Processes that have begun a request and not yet answered."""
        return sum(worker.job is not None for worker in self.workers)

    async def answer(self, work: Work, client: str) -> Done:
        """The answer to a request of a client."""
        job = Job(work, asyncio.get_running_loop().create_future(), client)
        self._assign(job)
        return await job.result

    def _assign(self, job: Job) -> None:
        if not self._idle:
            self._waiting.add(job.client, job)
            return
        session = "" if job.work.standing is None else job.work.standing.session
        place = next((n for n, each in enumerate(self._idle) if each.session == session), 0) if session else 0
        self._idle.pop(place).give(job, self._seconds)

    def tell(self, told: Told) -> None:
        """Tells every process of a change; each knows of it before the next request that it is given."""
        for worker in self.workers:
            worker.tell(told)

    def _freed(self, worker: Worker, done: Done) -> None:
        if done.has_grown and worker in self.workers:
            self._warn("a process had grown by more than it may, and another takes its place")
            self.workers.remove(worker)
            self._replace()
            worker.close()
        else:
            self._next(worker)

    def _next(self, worker: Worker) -> None:
        while self._waiting and not worker.is_gone:
            job = self._waiting.take()
            if not job.result.done():
                worker.give(job, self._seconds)
                return
        if worker.is_gone:
            return
        self._idle.append(worker)
        self._end_if_retired()

    def _lost(self, worker: Worker) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
        if worker not in self.workers:
            return
        self.workers.remove(worker)
        job = worker.job
        if job is not None and not job.result.done():
            if job.was_lost:
                refusal = Refused(
                    500, "lost", "two processes were lost while they answered", log="two processes were lost"
                )
                job.result.set_result(Done(500, refusal.body, refusal.log))
            else:
                job.was_lost = True
                self._waiting.add_first(job)
        if not worker.is_gone:
            self._warn("a process was lost or ended, and another takes its place")
            self._replace()

    def _replace(self) -> None:
        if self._is_retired and not self._waiting:
            self._end_if_retired()
            return
        self.replaced += 1
        task = asyncio.get_running_loop().create_task(self._begun_anew())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _begun_anew(self) -> None:
        """Begins another process, again and again where that fails."""
        pause = 0.1
        while True:
            try:
                if self._changing is None:
                    await self._begin()
                else:
                    # It opens what the others have come to; nothing changes meanwhile.
                    async with self._changing:
                        self._content = None
                        await self._begin()
                return
            except CrewError as problem:
                self._warn(f"no process could be begun: {problem}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 10.0)

    # The end

    def retire(self) -> None:
        """Takes no more requests: what waits is answered, and then the processes end."""
        self._is_retired = True
        self._end_if_retired()

    def _end_if_retired(self) -> None:
        if self._is_retired and not self._waiting:
            for worker in self._idle:
                self.workers.remove(worker)
                worker.close()
            self._idle.clear()

    def kill(self) -> None:
        """Ends all processes at once."""
        self._is_retired = True
        for task in self._starting:
            task.cancel()
        for worker in (*self.workers,):
            worker.kill()
        self.workers.clear()
