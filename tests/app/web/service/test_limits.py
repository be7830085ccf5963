"""Limits of the service: roles, requests, sessions and reloads of one client, and the count of refusals."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from hornbook.web.connections import ConnectionLimits
from hornbook.web.service import worker
from hornbook.web.service.client_limits import ClientLimits, RequestRate, client_of
from hornbook.web.service.fair_queue import FairQueue
from hornbook.web.service.messages import SessionFacts
from hornbook.web.service.sessions import Sessions
from hornbook.web.tokens import ROLES, Client, Tokens, _digest, made_token

ALL = {"query": "parent(?x, ?y)"}
REQUESTS = {
    "query": [
        *(
            ("POST", path)
            for path in (
                "/query",
                "/query-states",
                "/why",
                "/why-not",
                "/match",
                "/match-states",
                "/advise",
                "/sessions",
            )
        ),
        *(("POST", f"/sessions/s/{kind}") for kind in ("query", "query-states", "why", "why-not", "facts")),
        ("GET", "/sessions/s"),
        ("DELETE", "/sessions/s"),
        ("GET", "/theory"),
    ],
    "update": [("POST", "/facts")],
    "reload": [("POST", "/reload")],
    None: [
        (method, path) for path in ("/", "/metrics", "/openapi.json", "/style.css") for method in ("GET",)
    ],
}
"""The role that each request needs. None means that every token is accepted."""


def refusals(queried):
    numbers = queried.application.numbers.text().decode()
    return {
        line.partition('error="')[2].partition('"')[0]: int(float(line.rpartition(" ")[2]))
        for line in numbers.splitlines()
        if line.startswith("hornbook_refusals_total")
    }


@pytest.mark.parametrize("role", sorted(ROLES))
def test_a_token_does_what_its_role_says(served, family, role):
    token = made_token()
    queried = served(family, tokens=Tokens({_digest(token): Client("shop", frozenset((role,)))}))
    for needed, requests in REQUESTS.items():
        for method, path in requests:
            reply = queried.client.request(method, path, headers={"authorization": f"Bearer {token}"})
            is_refused = reply.status_code == 403 and reply.json()["error"] == "role"
            assert is_refused == (needed not in (None, role)), (method, path)


def test_every_address_is_in_the_table_of_roles(served, family):
    described = served(family).client.get("/openapi.json").json()["paths"]
    found = {
        (method.upper(), path.replace("{session}", "s"))
        for path, methods in described.items()
        for method in methods
    }
    known = {each for requests in REQUESTS.values() for each in requests}
    assert found - known == {("GET", "/healthz"), ("GET", "/readyz")}


def test_a_missing_role_is_reported_with_the_client(served, family):
    token = made_token()
    queried = served(family, tokens=Tokens({_digest(token): Client("shop", frozenset(("query",)))}))
    status, found = queried.post("/reload", headers={"authorization": f"Bearer {token}"})
    assert status == 403
    assert found["message"].startswith("the token of `shop` lacks the role `reload`")


def test_a_page_of_another_site_cannot_reload(served, family):
    queried = served(family)
    status, found = queried.post("/reload", headers={"origin": "http://evil.example"})
    assert (status, found["error"]) == (403, "origin")
    assert queried.application.service.reloads == {"done": 0, "refused": 0}


@pytest.fixture
def stored(monkeypatch):
    """Delay the answers to requests until an event allows them."""
    may, answer = threading.Event(), worker.QueryWorker.answer

    def late(self, work):
        assert may.wait(60)
        return answer(self, work)

    monkeypatch.setattr(worker.QueryWorker, "answer", late)
    yield may
    may.set()


def test_one_client_has_no_more_requests_than_its_share(served, family, stored):
    queried = served(family, client_requests=3)
    with ThreadPoolExecutor(8) as pool:
        replies = [pool.submit(queried.post, "/query", ALL) for _ in range(8)]
        while sum(each.done() for each in replies) < 5:
            pass
        stored.set()
    found = [each.result() for each in replies]
    assert sorted(status for status, _ in found) == [200] * 3 + [429] * 5
    assert {output["error"] for status, output in found if status == 429} == {"requests"}
    assert refusals(queried) == {"requests": 5}
    assert queried.post("/query", ALL)[0] == 200


def test_requests_beyond_the_queue_are_refused(served, family, stored):
    queried = served(family, most_waiting=2)
    with ThreadPoolExecutor(8) as pool:
        replies = [pool.submit(queried.post, "/query", ALL) for _ in range(8)]
        while sum(each.done() for each in replies) < 5:
            pass
        stored.set()
    assert sorted(each.result()[0] for each in replies) == [200] * 3 + [503] * 5
    assert refusals(queried) == {"busy": 5}


def test_one_client_sends_no_more_requests_in_a_second_than_its_share(served, family):
    queried = served(family, client_rate=5)
    replies = [queried.client.get("/theory") for _ in range(40)]
    late = [each for each in replies if each.status_code == 429]
    assert late
    assert {each.json()["error"] for each in late} == {"rate"}
    assert {each.headers["retry-after"] for each in late} == {"1"}
    assert refusals(queried) == {"rate": len(late)}


def test_requests_of_the_previous_second_count_in_proportion():
    now = [10.0]
    rate = RequestRate(4, lambda: now[0])
    assert [rate.admit("a") for _ in range(5)] == [True, True, True, True, False]
    assert rate.admit("b")
    now[0] = 11.0
    assert not rate.admit("a")
    now[0] = 11.5
    assert [rate.admit("a") for _ in range(3)] == [True, True, False]
    now[0] = 13.0
    assert [rate.admit("a") for _ in range(5)] == [True, True, True, True, False]


def test_only_clients_of_the_last_two_seconds_are_stored():
    now = [10.0]
    rate = RequestRate(4, lambda: now[0])
    for number in range(100):
        now[0] += 0.25
        rate.admit(f"client {number}")
    assert len(rate._started) + len(rate._before) <= 8


def test_clients_are_reported_apart_by_token_or_address():
    assert client_of({"state": {"client": "shop"}, "client": ("192.0.2.1", 5)}) == "token shop"
    assert client_of({"state": {}, "client": ("192.0.2.1", 5)}) == "address 192.0.2.1"
    assert client_of({"client": None}) == "address"


def test_limits_of_clients_are_apart():
    async def run():
        may, sent = asyncio.Event(), []

        async def app(scope, receive, send):
            await may.wait()

        async def send(message):
            sent.append(message.get("status"))

        limited = ClientLimits(app, 1, RequestRate(100))
        scopes = [{"type": "http", "state": {"client": name}} for name in ("a", "b", "a")]
        tasks = [asyncio.create_task(limited(scope, None, send)) for scope in scopes]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [each.done() for each in tasks] == [False, False, True]
        may.set()
        await asyncio.gather(*tasks)
        assert sent[0] == 429
        assert not limited._running

    asyncio.run(run())


def test_one_client_has_no_more_sessions_than_its_share(served, family):
    tokens = {name: made_token() for name in ("shop", "office")}
    queried = served(family, tokens=Tokens.of(tokens), client_sessions=2, most_sessions=3)
    shop, office = ({"headers": {"authorization": f"Bearer {token}"}} for token in tokens.values())
    assert [queried.post("/sessions", **shop)[0] for _ in range(3)] == [201, 201, 429]
    assert queried.post("/sessions", **office)[0] == 201
    status, found = queried.post("/sessions", **office)
    assert (status, found["error"]) == (429, "session")
    assert "there are 3 sessions" in found["message"]
    assert refusals(queried) == {"session": 2}


def test_sessions_that_begin_at_once_keep_to_the_limit(served, family, stored):
    queried = served(family, client_sessions=3)
    with ThreadPoolExecutor(8) as pool:
        replies = [pool.submit(queried.post, "/sessions") for _ in range(8)]
        while sum(each.done() for each in replies) < 5:
            pass
        stored.set()
    assert sorted(each.result()[0] for each in replies) == [201] * 3 + [429] * 5
    assert len(queried.application.service.sessions) == 3


def test_a_session_that_fails_to_begin_is_not_counted(served, family):
    queried = served(family, client_sessions=1)
    assert queried.post("/sessions", {"add": "nonsense("})[0] == 422
    assert queried.post("/sessions")[0] == 201


def test_sessions_end_for_their_owner_only():
    now = [0.0]
    sessions = Sessions(10, 1, 10.0, lambda: now[0])
    sessions.add(SessionFacts("one", 0), "a", None)
    assert sessions.why_full("a") is not None
    assert sessions.why_full("b") is None
    now[0] = 11.0
    assert sessions.why_full("a") is None


def test_reloads_do_not_pile_up(served, family):
    queried = served(family)
    with ThreadPoolExecutor(20) as pool:
        replies = [each.result() for each in [pool.submit(queried.post, "/reload") for _ in range(20)]]
    statuses = [status for status, _ in replies]
    done = queried.application.service.reloads["done"]
    assert statuses.count(200) == done
    assert statuses.count(429) == 20 - done > 0
    assert {output["error"] for status, output in replies if status == 429} == {"reloads"}
    assert queried.post("/reload")[0] == 200


def test_a_body_that_takes_too_long_is_refused(served, family):
    queried = served(family, connections=ConnectionLimits(body_seconds=0.05))
    messages = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        messages.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/query",
        "raw_path": b"/query",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "scheme": "http",
        "root_path": "",
        "http_version": "1.1",
        "app": None,
    }
    queried.client.portal.call(queried.application.asgi, scope, receive, send)
    assert messages[0]["status"] == 408
    assert (b"connection", b"close") in messages[0]["headers"]
    assert b"the body was not complete after 0.05 seconds" in messages[1]["body"]
    assert refusals(queried) == {"body-time": 1}


@pytest.mark.parametrize(
    ("method", "path", "sent", "kind"),
    [
        ("POST", "/query", {"content": b"{"}, "body"),
        ("POST", "/query", {"json": {"query": "nonsense("}}, "text"),
        ("POST", "/query", {"json": ALL, "headers": {"host": "elsewhere"}}, "host"),
        ("POST", "/query", {"json": ALL, "headers": {"content-type": "text/plain"}}, "type"),
        ("POST", "/query", {"content": b" " * 2000}, "length"),
        ("POST", "/facts", {"json": {}}, "store"),
        ("GET", "/sessions/none", {}, "session"),
        ("GET", "/nowhere", {}, "address"),
        ("GET", "/query", {}, "method"),
        ("POST", "/match", {"json": {"state": ""}}, "unsupported"),
        ("GET", "/theory", {"headers": {"long": "x" * 5000}}, "header"),
    ],
)
def test_each_refusal_is_counted_by_its_kind(served, family, method, path, sent, kind):
    queried = served(family, most_bytes=1000, connections=ConnectionLimits(header_bytes=4000))
    if "content" in sent:
        sent = {**sent, "headers": {"content-type": "application/json"}}
    reply = queried.client.request(method, path, **sent)
    assert reply.status_code >= 400
    assert reply.json()["error"] == kind
    assert refusals(queried) == {kind: 1}
    assert [line["error"] for line in queried.log if "error" in line] == [kind]


def test_an_answer_that_is_too_long_is_refused(served, family):
    queried = served(family, answer_bytes=100)
    assert queried.post("/query", {"query": "parent(ada, ?x)"})[0] == 200
    status, found = queried.post("/query", {"query": "parent(?x, ?y)", "add": f"parent(a, '{'b' * 100}')."})
    assert (status, found["error"]) == (422, "limit")
    assert "longer than 100 bytes" in found["message"]


def test_clients_take_turns():
    queue = FairQueue()
    for number in range(3):
        queue.add("greedy", f"greedy {number}")
    queue.add("other", "other")
    queue.add_first("lost")
    assert len(queue) == 5
    assert [queue.take() for _ in range(5)] == ["lost", "greedy 0", "other", "greedy 1", "greedy 2"]
    assert len(queue) == 0
    with pytest.raises(IndexError):
        queue.take()


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8::1", "2001:db8::2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_addresses_of_one_network_are_one_client(one, other, is_same):
    found = [client_of({"client": (address, 1)}) for address in (one, other)]
    assert (found[0] == found[1]) == is_same


@pytest.mark.deep
def test_a_header_that_names_another_client_changes_no_limit(served, family):
    asked = served(family, client_rate=2)
    headers = [
        {name: f"192.0.2.{number}"}
        for number in range(4)
        for name in ("x-forwarded-for", "x-real-ip", "forwarded")
    ]
    found = [asked.client.post("/query", json=ALL, headers=each).status_code for each in headers]
    assert found.count(429) >= len(headers) - 6
