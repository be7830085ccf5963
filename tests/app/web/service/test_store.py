"""Requests that change the facts of a store, sessions, and replacement of facts and theory texts."""

from __future__ import annotations

import time

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.store import Store, StoreBusyError
from hornbook.kb.store.closure import load_stored
from hornbook.kb.tables.tables import read_csv
from hornbook.web.service.messages import SessionFacts
from hornbook.web.service.sessions import Sessions
from hornbook.web.tokens import Tokens, made_token

CHILDREN = {"query": "parent(cleo, ?who)"}


@pytest.fixture
def store(family, tmp_path):
    path = tmp_path / "family.sqlite"
    with Store.create(path) as made:
        made.put_theory(family)
        made.add_facts([GroundFact("parent", ("cleo", "dan"))])
    return path


def test_a_proof_tells_the_row_that_a_stored_fact_came_from(served, store, tmp_path):
    table = tmp_path / "parents.csv"
    table.write_text("parent,child\ncleo,eve\n", encoding="utf-8")
    with Store(store, "write") as opened:
        theory = load_stored(opened.theory())
        opened.add_facts(read_csv(table, "parent", theory.vocabulary, columns=["parent", "child"]).facts)
    queried = served(store, keeps=True)
    queried.post("/facts", {"add": "parent(eve, gus)."})
    steps = queried.post("/why", {"fact": "ancestor(cleo, gus)"})[1]["steps"]
    places = {step["conclusion"]: step["place"] for step in steps if step["rule"] is None}
    assert places == {"parent(cleo, eve)": f"{table}:2", "parent(eve, gus)": str(store)}


def children(queried, path="/query"):
    status, found = queried.post(path, CHILDREN)
    assert status == 200, found
    return [each["who"] for each in found["answers"]]


def stored(store):
    with Store(store) as opened:
        return sorted(fact.values for fact in opened.facts())


def test_a_change_is_stored_before_it_is_answered_and_known_to_all(served, store):
    queried = served(store, keeps=True, workers=2)
    assert children(queried) == ["dan"]
    change = {"add": "parent(cleo, eve). parent(cleo, dan).", "facts": {"parent": [["cleo", "finn"]]}}
    assert queried.post("/facts", change) == (200, {"added": 2, "retracted": 0})
    assert stored(store) == [("cleo", "dan"), ("cleo", "eve"), ("cleo", "finn")]
    assert [children(queried) for _ in range(4)] == [["dan", "eve", "finn"]] * 4
    removed = {"retract": "parent(cleo, dan).", "retract_facts": {"parent": [["cleo", "eve"], ["no", "one"]]}}
    assert queried.post("/facts", removed) == (200, {"added": 0, "retracted": 2})
    assert stored(store) == [("cleo", "finn")]
    assert children(queried) == ["finn"]
    with pytest.raises(StoreBusyError):
        Store(store, "write", wait=0.01)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"add": "parent(cleo, eve). parent(cleo)."}, "text"),
        ({"add": "parent(cleo, eve). age(ada, 41)."}, "contradiction"),
        ({"add": "parent(cleo, eve).", "retract": "parent(ada, ben)."}, "unsupported"),
        ({"add": "parent(cleo, eve).", "facts": {"age": [["eve", "old"]]}}, "facts"),
        ({"add": "parent(cleo, eve).", "else": 1}, "body"),
    ],
)  # fmt: skip
def test_a_change_with_a_mistake_changes_nothing(served, store, change, error):
    queried = served(store, keeps=True)
    assert queried.post("/facts", change)[1]["error"] == error
    assert stored(store) == [("cleo", "dan")]
    assert children(queried) == ["dan"]
    assert queried.post("/facts", {"add": "parent(cleo, eve)."})[0] == 200
    assert children(queried) == ["dan", "eve"]


def test_a_store_that_is_only_read_is_not_changed(served, store):
    queried = served(store)
    assert queried.post("/facts", {"add": "parent(cleo, eve)."})[1]["error"] == "store"
    Store(store, "write", wait=0.01).close()


def until(reported, seconds=60.0):
    end = time.monotonic() + seconds
    while not reported():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_process_that_is_lost_is_replaced_and_its_request_is_answered(served, store):
    queried = served(store, keeps=True)
    queried.post("/facts", {"add": "parent(cleo, eve)."})
    service = queried.application.service
    service.pool.workers[0].kill()
    service.pool.workers[0].is_gone = False
    assert children(queried) == ["dan", "eve"]
    assert service.replaced == 1


def test_the_process_that_keeps_the_store_is_replaced(served, store):
    queried = served(store, keeps=True)
    service = queried.application.service
    lost = service._keeper
    lost.process.kill()
    until(lambda: service._keeper not in {lost, None})
    until(lambda: queried.post("/facts", {"add": "parent(cleo, eve)."})[0] == 200)
    assert children(queried) == ["dan", "eve"]
    assert stored(store) == [("cleo", "dan"), ("cleo", "eve")]


# Sessions


def test_a_session_has_facts_of_its_own(served, store):
    queried = served(store, keeps=True)
    one, other = (
        queried.post("/sessions", {"add": f"parent(cleo, {child})."})[1]["session"] for child in ("x", "y")
    )
    assert children(queried, f"/sessions/{one}/query") == ["dan", "x"]
    assert children(queried, f"/sessions/{other}/query") == ["dan", "y"]
    assert children(queried) == ["dan"]
    change = {"retract": "parent(cleo, dan). parent(no, one).", "add": "parent(cleo, z)."}
    assert queried.post(f"/sessions/{one}/facts", change) == (200, {"added": 1, "retracted": 1})
    assert children(queried, f"/sessions/{one}/query") == ["x", "z"]
    queried.post("/facts", {"add": "parent(cleo, all)."})
    assert children(queried, f"/sessions/{one}/query") == ["all", "x", "z"]
    assert queried.post(f"/sessions/{one}/facts", {"add": "parent(cleo, dan)."}) == (
        200,
        {"added": 1, "retracted": 0},
    )
    assert children(queried, f"/sessions/{one}/query") == ["all", "dan", "x", "z"]
    assert queried.client.get(f"/sessions/{one}").json() == {"session": one, "facts": 2, "seconds": 900.0}
    assert stored(store) == [("cleo", "all"), ("cleo", "dan")]
    assert queried.client.delete(f"/sessions/{one}").status_code == 204
    assert queried.post(f"/sessions/{one}/query", CHILDREN)[1]["error"] == "session"
    assert children(queried, f"/sessions/{other}/query") == ["all", "dan", "y"]


def test_a_change_of_a_session_with_a_mistake_changes_nothing(served, store):
    queried = served(store, session_facts=3)
    session = queried.post("/sessions", {"add": "parent(cleo, x)."})[1]["session"]
    for change, error in (
        ({"add": "parent(cleo, y). parent(y)."}, "text"),
        ({"add": "age(ada, 41)."}, "contradiction"),
        ({"add": "parent(a, a). parent(b, b). parent(c, c)."}, "limit"),
    ):
        assert queried.post(f"/sessions/{session}/facts", change)[1]["error"] == error
        assert children(queried, f"/sessions/{session}/query") == ["dan", "x"]


def test_there_are_no_more_sessions_than_allowed(served, store):
    queried = served(store, most_sessions=2)
    made = [queried.post("/sessions", {}) for _ in range(3)]
    assert [status for status, _ in made] == [201, 201, 429]
    queried.client.delete(f"/sessions/{made[0][1]['session']}")
    assert queried.post("/sessions", {})[0] == 201


def test_a_session_is_its_clients_only(served, store):
    tokens = {name: made_token() for name in ("shop", "office")}
    queried = served(store, tokens=Tokens.of(tokens))
    shop, office = ({"headers": {"authorization": f"Bearer {token}"}} for token in tokens.values())
    session = queried.post("/sessions", {}, **shop)[1]["session"]
    assert queried.post(f"/sessions/{session}/query", CHILDREN, **shop)[0] == 200
    assert queried.post(f"/sessions/{session}/query", CHILDREN, **office)[0] == 404
    assert queried.post(f"/sessions/{session}/query", CHILDREN)[0] == 401
    assert {line["client"] for line in queried.log if "client" in line} == {"shop", "office", None}
    assert not any(token in str(queried.log) for token in tokens.values())


def test_a_session_ends_when_it_is_not_used():
    now = [0.0]
    sessions = Sessions(2, 2, 10.0, lambda: now[0])
    one, other = (sessions.add(SessionFacts(name, 0), "me", None).name for name in ("one", "other"))
    now[0] = 9.0
    assert sessions.used(one, None) is not None
    now[0] = 11.0
    assert sessions.used(other, None) is None
    assert (len(sessions), sessions.why_full("me")) == (1, None)
    now[0] = 19.0
    assert sessions.used(one, None) is None


# Another text


def test_a_reload_takes_a_theory_that_is_right_and_leaves_one_that_is_not(served, family):
    queried = served(family)
    session = queried.post("/sessions", {"add": "parent(cleo, x)."})[1]["session"]
    text = family.read_text(encoding="utf-8")
    family.write_text(text + "parent(cleo).\n", encoding="utf-8")
    status, found = queried.post("/reload")
    assert (status, found["error"], found["diagnostics"][0]["line"]) == (409, "reload", 11)
    assert children(queried) == []
    family.write_text(text + "parent(cleo, eve).\n", encoding="utf-8")
    before = queried.client.get("/theory").json()
    status, found = queried.post("/reload")
    assert status == 200
    assert queried.client.get("/theory").json() == found != before
    assert children(queried) == ["eve"]
    assert children(queried, f"/sessions/{session}/query") == ["eve", "x"]


def test_what_is_refused_counts_at_its_address(served, family):
    queried = served(family, tokens=Tokens.of({"shop": made_token()}), most_bytes=10)
    queried.client.post("/query", json={"query": "parent(?x, ?y)"})
    queried.client.post("/query", json={}, headers={"host": "elsewhere"})
    queried.client.get("/sessions/secret/why")
    numbers = queried.application.asgi.numbers.text().decode()
    for route, status in (("/query", 401), ("/query", 421), ("/sessions/{session}/why", 401)):
        assert f'hornbook_requests_total{{route="{route}",status="{status}"}} 1.0' in numbers
    assert "other" not in numbers
    assert "secret" not in numbers + str(queried.log)


def test_numbers_and_lines_tell_what_was_queried_and_nothing_of_it(served, family):
    queried = served(family)
    queried.client.post("/query", json={"query": "parent(secret, ?x)"}, headers={"x-request-id": "abc-1"})
    queried.client.get("/healthz", headers={"x-request-id": "a b"})
    queried.client.get("/secret")
    queried.client.get("/facts")
    queried.client.post("/query", content=b"{}")
    numbers = queried.client.get("/metrics").text
    assert 'hornbook_requests_total{route="/query",status="200"} 1.0' in numbers
    assert 'hornbook_requests_total{route="other",status="404"} 1.0' in numbers
    assert 'hornbook_requests_total{route="/facts",status="405"} 1.0' in numbers
    assert 'hornbook_requests_total{route="/query",status="415"} 1.0' in numbers
    assert "hornbook_workers 1.0" in numbers
    first = next(line for line in queried.log if line.get("route") == "/query")
    assert (first["id"], first["method"], first["status"], first["level"]) == ("abc-1", "POST", 200, "info")
    assert "secret" not in str(queried.log) + numbers
    assert queried.client.get("/readyz").json() == {"status": "ready"}
    page = queried.client.get("/").text
    assert "http://" not in page.replace("http://127.0.0.1", "")
    assert "<code>POST /why-not</code>" in page
