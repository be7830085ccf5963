"""A server in a thread: it listens, answers, and ends."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import asynccontextmanager

import httpx2 as httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from hornbook.web import serving


def test_a_server_says_where_it_is_and_leaves_its_life_after_the_last_answer():
    seen = []

    @asynccontextmanager
    async def life():
        seen.append("entered")
        yield
        seen.append("left")

    async def slow(request):
        started.set()
        await asyncio.sleep(0.2)
        seen.append("answered")
        return PlainTextResponse("here")

    started, queried = threading.Event(), []
    listening = serving.listen("127.0.0.1", 0)
    where = serving.address(listening)

    def ask():
        with httpx.Client() as client:
            queried.append(client.get(where))

    asking = threading.Thread(target=ask)

    def ready():
        seen.append("ready")
        asking.start()
        threading.Thread(target=end).start()

    def end():
        started.wait(5)
        os.kill(os.getpid(), signal.SIGTERM)

    app = Starlette(routes=[Route("/", slow)])
    assert threading.current_thread() is threading.main_thread()
    serving.serve(app, listening, life=life(), ready=ready, ending=lambda: seen.append("ending"))
    assert seen == ["entered", "ready", "ending", "answered", "left"]
    asking.join(5)
    assert queried[0].text == "here"
    assert queried[0].headers["connection"] == "close"


def test_an_address_that_is_taken_is_reported():
    with serving.listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(serving.ServingError, match=f"127.0.0.1, port {port}: .*choose another port"):
            serving.listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"),
    [("nowhere.invalid", 0), ("127.0.0.1", 70000), ("a" * 300, 1), ("\ud800", 1), ("a\0b", 1)],
)
def test_an_address_that_is_none_is_reported(host, port):
    with pytest.raises(serving.ServingError, match="the server cannot listen"):
        serving.listen(host, port)


def test_what_its_life_raises_is_raised():
    @asynccontextmanager
    async def broken():
        raise serving.ServingError("no theory")
        yield

    with pytest.raises(serving.ServingError, match="no theory"):
        serving.serve(Starlette(), serving.listen("127.0.0.1", 0), life=broken())


@pytest.mark.skipif(os.name != "posix", reason="the limit is POSIX's")
def test_more_connections_than_files_are_refused(monkeypatch):
    import resource

    found = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: found.append(limits))
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    serving._open_as_many_files(800)
    assert found == []
    serving._open_as_many_files(2000)
    assert found == [(2200, 4096)]
    with pytest.raises(
        serving.ServingError, match=r"5,000 connections need 5,200 open files.*`--connections`"
    ):
        serving._open_as_many_files(5000)
