"""A service with threads in place of processes, so that tests need not wait for processes to start."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hornbook.inputs.table_reading import TableReading
from hornbook.matcher.program.coded import Limits
from hornbook.web.connections import ConnectionLimits
from hornbook.web.guarding import names_of
from hornbook.web.service import worker_pool
from hornbook.web.service.application import Application
from hornbook.web.service.messages import Setup
from hornbook.web.service.recording import JsonLog
from hornbook.web.service.service import ServiceSettings
from hornbook.web.service.worker import work

FAMILY = """theory family.
sort person.
static parent(person, person).
static ancestor(person, person).
static age(person -> int).
a_parent_is_an_ancestor: ancestor(?a, ?b) :- parent(?a, ?b).
so_are_their_ancestors: ancestor(?a, ?c) :- parent(?a, ?b), ancestor(?b, ?c).
parent(ada, ben).
parent(ben, cleo).
age(ada, 40).
"""


class InThread:
    """A thread in place of a process. Closing its channel kills it."""

    def __init__(self, channel, setup, what, *, keeps):
        self._channel = channel.dup()
        self._thread = threading.Thread(
            target=work, args=(self._channel, setup, what), kwargs={"keeps": keeps}
        )
        self._thread.start()

    def kill(self):
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_RDWR)

    def join(self):
        self._thread.join()


class RunningService:
    """A service and its client."""

    def __init__(self, client: TestClient, application: Application, log: list) -> None:
        self.client, self.application, self.log = client, application, log

    def post(self, path, content=None, **named):
        reply = self.client.post(path, json={} if content is None else content, **named)
        return reply.status_code, reply.json()


@pytest.fixture
def family(tmp_path: Path) -> Path:
    file = tmp_path / "family.horn"
    file.write_text(FAMILY, encoding="utf-8")
    return file


@pytest.fixture
def served(monkeypatch):
    """Return a function that starts a service with its client. All services end with the test."""
    monkeypatch.setattr(worker_pool, "start_worker", InThread)
    with contextlib.ExitStack() as ending:

        def begin(
            target,
            *,
            rules=None,
            tables=(),
            skip_bad=False,
            tokens=None,
            most=10_000,
            session_facts=10_000,
            limits=None,
            answer_bytes=10_000_000,
            connections=None,
            **settings,
        ) -> RunningService:
            log = []
            setup = Setup(
                str(target),
                rules,
                limits or Limits(seconds=10.0),
                most,
                session_facts,
                tables=tuple(tables),
                reading=TableReading(skip_bad),
                most_answer_bytes=answer_bytes,
            )
            settings = ServiceSettings(**{"workers": 1, **settings})
            application = Application(
                setup,
                settings,
                names_of("127.0.0.1"),
                tokens,
                JsonLog(lambda line: log.append(json.loads(line))),
                connections or ConnectionLimits(),
            )

            async def app(scope, receive, send):
                if scope["type"] == "lifespan":
                    await receive()
                    async with application.service.life():
                        await send({"type": "lifespan.startup.complete"})
                        await receive()
                    await send({"type": "lifespan.shutdown.complete"})
                else:
                    await application.asgi(scope, receive, send)

            client = ending.enter_context(TestClient(app, base_url="http://127.0.0.1"))
            return RunningService(client, application, log)

        yield begin
