"""Queries to a service: the answers equal those of the commands, with their names.

Errors are reported with their position.
"""

from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

import hornbook
from hornbook.cli import main
from hornbook.kb.explain.why_not import MAX_DEPTH
from hornbook.kb.store import Store
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import Limits
from hornbook.web import query_batches, state_batches
from hornbook.web.service import replies
from hornbook.web.service.questions import DEEPEST, LONGEST

ANCESTORS = {"query": "ancestor(?who, cleo)"}
COMMANDS = [
    ("query", "query", {"query": "ancestor(?who, cleo)"}, ["ancestor(?who, cleo)"], replies.Answers),
    ("query", "query", {"query": "parent(ada, ben)"}, ["parent(ada, ben)"], replies.Answers),
    ("why", "why", {"fact": "ancestor(ada, ?x)"}, ["ancestor(ada, ?x)"], replies.Proof),
    (
        "why-not",
        "why-not",
        {"fact": "ancestor(cleo, ada)", "depth": 2},
        ["ancestor(cleo, ada)", "--depth", "2"],
        replies.WhyNot,
    ),
]


@pytest.mark.parametrize(
    ("path", "command", "queried", "given", "shape"), COMMANDS, ids=[c[0] + c[3][0] for c in COMMANDS]
)
def test_an_answer_has_the_names_of_the_command(served, family, capsys, path, command, queried, given, shape):
    status, found = served(family).post(f"/{path}", queried)
    assert status == 200
    msgspec.convert(found, shape)
    assert main([command, str(family), *given, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (found["answers"] if path == "query" else found) == printed


def test_facts_of_a_request_count_for_it_only(served, family):
    queried = served(family)
    for facts in ({"add": "parent(cleo, eve)."}, {"facts": {"parent": [["cleo", "eve"]]}}):
        status, found = queried.post("/query", {"query": "ancestor(?who, eve)", **facts})
        assert (status, [each["who"] for each in found["answers"]]) == (200, ["ada", "ben", "cleo"])
        assert queried.post("/query", {"query": "ancestor(?who, eve)"})[1]["answers"] == []
    status, found = queried.post("/why", {"fact": "parent(cleo, eve)", "add": "\n  parent(cleo, eve)."})
    assert found["steps"][0]["place"] == "<add>:2"


def test_a_parameter_is_a_value_whatever_it_says(served, family):
    queried = served(family)
    for who, found in (("cleo", ["ada", "ben"]), ("cleo), parent(ada, ?x", []), (7, None)):
        status, answers = queried.post("/query", {"query": "ancestor(?who, $of)", "set": {"of": who}})
        assert status == (422 if found is None else 200)
        assert found is None or [each["who"] for each in answers["answers"]] == found


def test_a_parameter_is_read_by_its_place(served, tmp_path):
    path = tmp_path / "shop.horn"
    path.write_text(
        "theory shop. sort thing. sort day = date. sort euro = decimal(2). sort rate = percent(1)."
        " static sold(thing, day, euro, rate). sold(pen, 2024-02-29, 12.50, 19.0 percent).",
        encoding="utf-8",
    )
    queried = served(path)
    for name, value in (
        ("d", "2024-02-29"),
        ("e", "12.5"),
        ("e", "12.50"),
        ("r", "19 %"),
        ("r", "19.0 percent"),
    ):
        text = f"sold(?thing, {', '.join(f'${each}' if each == name else '_' for each in 'der')})"
        status, found = queried.post("/query", {"query": text, "set": {name: value}})
        assert (status, found["answers"]) == (200, [{"thing": "pen"}])
    status, found = queried.post("/query", {"query": "sold(?x, $d, _, _)", "set": {"d": "29.02.2024"}})
    assert (status, found["error"]) == (422, "text")


def test_a_whole_number_may_be_written_with_a_point(served, family):
    queried = served(family)
    older = {"facts": {"age": [["eve", 41.0]]}, "set": {"than": 4.05e1}, "limit": 1.0}
    status, found = queried.post("/query", {"query": "age(?who, 41)", **older, "set": {}})
    assert (status, found["answers"]) == (200, [{"who": "eve"}])
    assert queried.post("/query", {"query": "age(?who, $than)", **older})[1]["message"] == (
        "Expected `int | str`, got `float` - at `$.set[...]`"
    )
    assert queried.post("/query", {"query": "age(?who, 41)", "facts": {"age": [["eve", 1e300]]}})[0] == 400


@pytest.mark.parametrize(
    "number", ["1234567890123456.89", "0." + "9" * 30, "1e-400", "1e-9999999999999999999"]
)
def test_a_number_that_is_not_whole_is_not_rounded(served, family, number):
    queried = served(family)
    body = f'{{"query": "age(?who, ?n)", "facts": {{"age": [["eve", {number}]]}}}}'
    reply = queried.client.post("/query", content=body, headers={"Content-Type": "application/json"})
    assert reply.json()["message"].startswith("Expected `int | str`, got `float`")


def test_only_the_first_answers_and_how_many_there_are(served, family):
    _, found = served(family).post("/query", {"query": "ancestor(?a, ?b)", "limit": 2})
    assert (len(found["answers"]), found["count"]) == (2, 3)


WRONG = [
    ("/query", {"query": "ancester(?who, eve)"}, 422, "text", ("<query>", 1, 1)),
    ("/query", {"query": "parent(?a, ?b),\n  parent(?b"}, 422, "text", ("<query>", 2, 9)),
    ("/query", {"query": "parent(?a, ?b)", "add": "parent(a, b).\nparent(a)."}, 422, "text", ("<add>", 2, 1)),
    ("/query", {"query": "parent(?a, ?b)", "add": "r: parent(?a, ?b) :- parent(?b, ?a)."}, 422, "text", ("<add>", 1, 1)),
    ("/query", {"query": "parent(?a, ?b)", "facts": {"parent": [["a"]]}}, 422, "facts", None),
    ("/query", {"query": "parent(?a, ?b)", "facts": {"parents": []}}, 422, "facts", None),
    ("/query", {"query": "age(?a, ?b)", "add": "age(ada, 41)."}, 409, "contradiction", None),
    ("/query", {"query": "parent(?a, ?b)", "state": "x"}, 422, "text", ("<state>", 1, 2)),
    ("/why", {"fact": "ancestor(cleo, ada)"}, 404, "not-derived", None),
    ("/why", {"fact": "parent(?a, ?b), parent(?b, ?c)"}, 422, "text", ("<query>", 1, 1)),
    ("/match", {"state": "x"}, 422, "unsupported", None),
    ("/advise", {"state": "x"}, 422, "text", ("<state>", 1, 2)),
    ("/advise", {"state": "age(ada, 40)."}, 422, "unsupported", None),
    ("/query", {}, 400, "body", None),
    ("/query", {"query": ""}, 400, "body", None),
    ("/query", {"query": 5}, 400, "body", None),
    ("/query", {"query": "parent(?a, ?b)", "limit": 0}, 400, "body", None),
    ("/query", {"query": "parent(?a, ?b)", "limits": 1}, 400, "body", None),
    ("/query", {"query": "age(?a, ?b)", "set": {"n": 2**63}}, 400, "body", None),
    ("/why-not", {"fact": "ancestor(cleo, ada)", "depth": MAX_DEPTH + 1}, 400, "body", None),
    ("/facts", {"add": "parent(a, b)."}, 409, "store", None),
    ("/sessions/none/query", ANCESTORS, 404, "session", None),
    ("/nowhere", {}, 404, "address", None),
]  # fmt: skip


def test_what_is_wrong_is_reported_with_its_place_and_the_next_request_is_answered(served, family):
    queried = served(family)
    for path, messages, status, error, place in WRONG:
        found = queried.post(path, messages)
        assert (found[0], found[1]["error"]) == (status, error), (path, messages, found)
        msgspec.convert(found[1], replies.Refusal)
        assert found[1]["message"]
        assert place is None or place == tuple(
            found[1]["diagnostics"][0][k] for k in ("file", "line", "column")
        ), found
        assert queried.post("/query", ANCESTORS)[1]["count"] == 2
    assert DEEPEST == MAX_DEPTH


BODIES = [
    (b'{"query":\n  "parent(?a, ?b)" x}', "<body>:2:20:"),
    (b'{"query":\n "parent(?a, ?b)"', "<body>:2:18: the JSON ends here"),
    (b'{"query": "\xff"}', "<body>:1:12:"),
    (b'{"query": "\\ud800"}', ""),
    (b"", "<body>:1:1: the JSON ends here"),
    (b'{"query": "parent(?a, ?b)", "add": "' + b"((" * 100_000 + b'"}', ""),
    (b"null", "Expected `object`, got `null`"),
    (b'{"query": "parent(?a, ?b)", "limt": 1}', "unknown field `limt`; did you mean `limit`?"),
    (b'{"query": "parent(?a, ?b)", "?": 1}', "unknown field `?`; there are facts, add, "),
]


@pytest.mark.parametrize(("body", "messages"), BODIES, ids=range(len(BODIES)))
def test_a_body_that_is_no_such_json_is_reported_where(served, family, body, messages):
    queried = served(family)
    reply = queried.client.post("/query", content=body, headers={"content-type": "application/json"})
    assert reply.status_code in (400, 422), reply.text
    assert messages in reply.json()["message"]


def test_a_body_is_read_only_as_far_as_it_may_be_long(served, family):
    queried = served(family, most_bytes=1000)

    def pieces():
        for _ in range(10):
            sent.append(1)
            yield b"x" * 300

    sent = []
    headers = {"content-type": "application/json"}
    replies = [
        queried.client.post("/query", content=b"x" * 1001, headers=headers),
        queried.client.post("/query", content=b"x", headers={**headers, "content-length": "9" * 30}),
        queried.client.post("/query", content=pieces(), headers=headers),
    ]
    assert [(each.status_code, each.json()["error"]) for each in replies] == [(413, "length")] * 3
    assert queried.client.post("/query", content=b"{}").status_code == 415


def test_too_many_answers_facts_or_seconds_are_refused_and_the_next_is_answered(served, family):
    queried = served(family, most=5, limits=Limits(facts=1000, seconds=0.2))
    wide = {"facts": {"parent": [["p", f"c{n}"] for n in range(100)]}}
    assert queried.post("/query", {"query": "parent(p, ?x)", **wide})[1]["error"] == "limit"
    chain = {"facts": {"parent": [[f"p{n}", f"p{n + 1}"] for n in range(900)]}}
    assert queried.post("/query", {"query": "parent(p, ?x)", **chain})[1]["error"] == "limit"
    queried.application.service.pool  # noqa: B018
    assert queried.post("/query", ANCESTORS)[1]["count"] == 2


def test_what_takes_too_long_is_ended(served, family):
    queried = served(family, limits=Limits(seconds=0.05, facts=10_000_000))
    wide = {"facts": {"parent": [["p", f"c{n}"] for n in range(3000)]}}
    status, found = queried.post(
        "/query", {"query": "parent(p, ?a), parent(p, ?b), parent(p, ?c), ?a != ?b", **wide}
    )
    assert (status, found["error"]) == (504, "time")
    assert "--seconds" in found["message"]
    assert queried.post("/query", ANCESTORS)[1]["count"] == 2


def test_rules_that_were_learned_are_matched(served, tmp_path, capsys):
    problems = hornbook.read_theory("othello").path.parent / "problems" / "learn.jsonl"
    state = json.loads(problems.read_text(encoding="utf-8").splitlines()[0])["state"]
    rules, position = tmp_path / "rules.horn", tmp_path / "position.txt"
    hornbook.learn("othello", hornbook.read_problems("othello")[:1]).rules.save(rules)
    queried = served("othello", rules=rules)
    status, found = queried.post("/match", {"state": state})
    assert status == 200, found
    msgspec.convert(found, replies.Matches)
    position.write_text(state, encoding="utf-8")
    assert main(["rules", "match", "othello", str(position), "--rules", str(rules), "--json"]) == 0
    assert found["answers"] == json.loads(capsys.readouterr().out) != []
    for messages, error in (({"state": "x"}, "text"), ({"state": state, "game": "x"}, "unsupported"),
                        ({"state": state, "game": "x("}, "text")):  # fmt: skip
        assert queried.post("/match", messages)[1]["error"] == error
    assert queried.post("/match", {"state": state})[1] == found


@pytest.fixture
def othello(served, tmp_path):
    """Return a service with rules of Othello, and some states."""
    problems = hornbook.read_theory("othello").path.parent / "problems" / "learn.jsonl"
    lines = problems.read_text(encoding="utf-8").splitlines()[:30]
    rules = tmp_path / "rules.horn"
    hornbook.learn("othello", hornbook.read_problems("othello")[:1]).rules.save(rules)
    return served("othello", rules=rules, limits=Limits(seconds=10)), [
        json.loads(line)["state"] for line in lines
    ]


@pytest.mark.parametrize("number", [3, 30])
def test_each_of_several_states_is_answered_as_a_single_state(othello, number, monkeypatch):
    monkeypatch.setattr(state_batches, "BLOCK", 25)
    queried, states = othello
    states = ["x", *(2 * states)[:number], "y"]
    status, found = queried.post("/match-states", {"states": states})
    assert status == 200, found
    msgspec.convert(found, replies.BatchMatches)
    for state, each in zip(states, found["states"], strict=True):
        status, expected = queried.post("/match", {"state": state})
        if status == 200:
            assert each == {**expected, "error": None}
        else:
            assert each == {"answers": [], "error": expected}
    assert any(each["answers"] for each in found["states"])
    assert [each["error"] is not None for each in found["states"]] == [True, *[False] * number, True]


def test_a_game_of_several_states_is_checked_in_each(othello):
    queried, states = othello
    game = queried.post("/match", {"state": states[0]})[1]["answers"][0]["game"]
    found = queried.post("/match-states", {"states": states[:2], "game": game})[1]["states"]
    assert found == [
        {**queried.post("/match", {"state": state, "game": game})[1], "error": None} for state in states[:2]
    ]
    for wrong, error in (("x", "unsupported"), ("x(", "text")):
        assert queried.post("/match-states", {"states": states, "game": wrong})[1]["error"] == error
    assert queried.post("/match-states", {"states": []})[0] == 400


def test_states_that_are_left_when_the_time_is_over_have_that_error(othello, monkeypatch):
    monkeypatch.setattr(state_batches, "BLOCK", 2)
    queried, states = othello
    clock = iter(range(0, 1_000_000, 4))
    monkeypatch.setattr(state_batches, "monotonic", lambda: next(clock))
    found = queried.post("/match-states", {"states": states[:8]})[1]["states"]
    errors = [each["error"] and each["error"]["error"] for each in found]
    assert errors[:2] == [None, None]
    assert errors[-2:] == ["time", "time"]


def states_of_family(number: int) -> list[dict]:
    """Return facts in each form, with mistakes in some states."""
    states = []
    for n in range(number):
        match n % 10:
            case 0:
                states.append({"add": f"parent(p{n}, {'cleo' if n % 3 else 'ben'}). age(p{n}, {n})."})
            case 1:
                states.append({"add": f"parent(ada, ben). parent(cleo, p{n})."})
            case 2:
                states.append(
                    {"facts": {"parent": [[f"p{n}", "ada"], ["ben", f"p{n}"]], "age": [["eve", n]]}}
                )
            case 3:
                states.append({"facts": {"parent": [["cleo", f"p{n}"]]}, "add": f"parent(p{n}, q)."})
            case 4:
                states.append({"set": {"of": "ben"}})
            case 5:
                states.append({"add": "parent(x, y).", "set": {"of": "y"}})
            case 6:
                states.append({})
            case 7:
                mistakes = [
                    "parent(a)",
                    "age(ada, 41)",
                    "r: parent(?a, ?b) :- parent(?b, ?a)",
                    "ancestor(a, b)",
                ]
                states.append({"add": mistakes[n // 10 % 4] + "."})
            case 8:
                states.append(
                    {"facts": [{"parent": [["a"]]}, {"x": []}, {"age": [["ada", 41]]}][n // 10 % 3]}
                )
            case 9:
                states.append([{"state": "x"}, {"set": {"of": 5}}, {"add": "% none"}][n // 10 % 3])
    return states


@pytest.mark.parametrize(
    "query", ["ancestor(?who, $of)", "ancestor(?a, ?b)", "age(?a, ?n) or age(?b, ?n), ?a = ?b"]
)
@pytest.mark.parametrize(("number", "block"), [(3, 100), (80, 25)])
def test_a_query_in_each_of_several_states_is_answered_as_in_a_single_one(
    served, family, query, number, block, monkeypatch
):
    monkeypatch.setattr(query_batches, "BLOCK", block)
    queried = served(family)
    states = states_of_family(number)
    if "$of" in query:
        states = [{"set": {"of": "cleo"}, **each} for each in states]
    status, found = queried.post("/query-states", {"query": query, "states": states, "limit": 4})
    assert status == (200 if " or " not in query else 422), found
    if status == 200:
        msgspec.convert(found, replies.BatchAnswers)
        assert len(found["states"]) == number
        for state, each in zip(states, found["states"], strict=True):
            status, expected = queried.post("/query", {"query": query, "limit": 4, **state})
            if status == 200:
                assert {**each, "warnings": found["warnings"]} == {**expected, "error": None}
            else:
                assert each == {"answers": [], "count": 0, "error": expected}
        errors = {each["error"]["error"] for each in found["states"] if each["error"] is not None}
        assert errors >= ({"text", "facts", "contradiction"} if number > 3 else set())


SORTS = """theory sorts.
sort thing. sort size = small | large. sort code = word | int. sort number = int.
sort day = date. sort moment = time. sort euro = decimal(2).
static of(thing, size). static coded(code, number). fluent paid(day, euro). static at(moment -> thing).
static wet. static fixed(thing) stated. derived bad(thing). action go(thing).
bad(?x) :- of(?x, small), wet.
after paid(?d, ?e) :- before paid(?d, ?e).
"""
VALUES = [
    "a", "b c", "", " a", "5", "'5'", 5, -1, 2**63 - 1, "small", "Large", "2024-02-29", "2024-02-30", " 2024-02-29",
    "2024-02-29T12:30", "2024-02-29T12:30:15", "12.50", "12.5", "5.00", "5", "x\u0000", "\n", "?x", "$p", "absent",
]  # fmt: skip
TEXTS = [
    "of(a, small).", "of(a, small). wet.", "paid(2024-02-29, 12.50).", "coded('5', 5). coded(5, 5).", "of(A, small).",
    "before paid(2024-02-29, 1.00).", "after paid(2024-02-29, 1.00).", "fixed(a).", "bad(a).", "go(a).", "go(a). go(b).",
    "% a remark\nof(a,large).", "at(2024-02-29T12:30, a). at(2024-02-29T12:30, b).", "of(a small)", "wet",
]  # fmt: skip


def test_each_form_of_a_fact_is_accepted_or_refused_as_in_a_single_state(served, tmp_path):
    theory = tmp_path / "sorts.horn"
    theory.write_text(SORTS, encoding="utf-8")
    queried, random = served(theory), Random(3)
    good = {
        "of": (("a", "b c"), ("small", "large")), "coded": (("5", 5, "x"), (5, -1)), "go": (("a", "b"),), "wet": (),
        "paid": (("2024-02-29", "1999-12-31"), ("12.50", "5.00")), "at": (("2024-02-29T12:30",), ("a", "b")),
        "fixed": (("a",),), "bad": (("a",),), "none": (("a",),),
    }  # fmt: skip
    states = []
    for _ in range(400):
        state = {"facts": {}}
        for name in random.sample(sorted(good), random.choice((1, 1, 2))):
            columns = [each if random.random() < 0.7 else VALUES for each in good[name]]
            columns += [VALUES] * (random.random() < 0.1)
            number = random.choice((0, 1, 1, 1, 2))
            state["facts"][name] = [list(map(random.choice, columns)) for _ in range(number)]
        if random.random() < 0.3:
            state["add"] = random.choice(TEXTS)
        states.append(state)
    for query in (
        "of(?x, ?y) or bad(?x), of(?x, ?y)",
        "coded(?c, ?n)",
        "paid(?d, ?e)",
        "at(?t, ?x)",
        "go(?x)",
    ):
        found = queried.post("/query-states", {"query": query, "states": states})[1]["states"]
        answered = 0
        for state, each in zip(states, found, strict=True):
            status, expected = queried.post("/query", {"query": query, **state})
            expected.pop("warnings", None)
            if status == 200:
                assert each == {**expected, "error": None}, state
                answered += each["count"]
            else:
                assert each == {"answers": [], "count": 0, "error": expected}, state
        assert answered > 10, query


@pytest.mark.parametrize("path", ["", "/sessions/{session}"])
def test_states_are_evaluated_together_with_the_facts_of_now(served, family, tmp_path, monkeypatch, path):
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)
    blocks, evaluate = [], StateEngine.evaluate

    def noted(self, block, *arguments, **named):
        blocks.append(block.states)
        return evaluate(self, block, *arguments, **named)

    monkeypatch.setattr(StateEngine, "evaluate", noted)
    store = tmp_path / "family.sqlite"
    with Store.create(store) as made:
        made.put_theory(family)
    queried = served(store, keeps=True)
    path = path.format(session=queried.post("/sessions")[1]["session"])
    states = [{"add": f"parent(cleo, p{n})."} for n in range(10)]
    asked = {"query": "ancestor(?a, cleo), parent(cleo, ?b)", "states": states}

    def answers(*ancestors: str) -> list:
        return [[{"a": a, "b": f"p{n}"} for a in sorted(ancestors)] for n in range(10)]

    def found() -> list:
        return [each["answers"] for each in queried.post(f"{path}/query-states", asked)[1]["states"]]

    assert found() == answers("ada", "ben")
    queried.post(f"{path}/facts", {"add": "parent(eve, ada)."})
    assert found() == answers("ada", "ben", "eve")
    if path:  # the facts of a session are no facts of others
        assert queried.post("/query-states", asked)[1]["states"][0]["count"] == 2
        assert found() == answers("ada", "ben", "eve")
    queried.post(f"{path}/facts", {"retract": "parent(eve, ada)."})
    assert found() == answers("ada", "ben")
    assert len(blocks) == (5 if path else 3)
    assert min(blocks) >= 10


def test_a_batch_with_a_wrong_query_or_without_states_is_refused(served, family):
    queried = served(family)
    for sent, error in (
        ({"query": "ancester(?a, ?b)", "states": [{}]}, "text"),
        ({"query": "parent(?a, $", "states": [{}]}, "text"),
        ({"query": "parent(?a, ?b)", "states": []}, "body"),
        ({"query": "parent(?a, ?b)", "states": ["parent(a, b)."]}, "body"),
        ({"query": "parent(?a, ?b)"}, "body"),
        ({"query": "", "states": [{}]}, "body"),
        ({"query": "parent(?a, ?b)", "states": [{}], "limit": 0}, "body"),
        ({"query": "parent(?a, ?b)", "states": [{"limit": 5}]}, "body"),
    ):
        status, found = queried.post("/query-states", sent)
        assert (status, found["error"]) == (422 if error == "text" else 400, error), sent


def test_limits_apply_to_each_of_several_states(served, family):
    queried = served(family, most=5, limits=Limits(facts=1000, seconds=10))
    states = [{"facts": {"parent": [["p", f"c{n}"] for n in range(size)]}} for size in (2, 5, 6, 7, 1)]
    states.append({"facts": {"parent": [[f"p{n}", f"p{n + 1}"] for n in range(900)]}})
    found = queried.post("/query-states", {"query": "parent(p, ?x)", "states": states})[1]["states"]
    errors = [each["error"] and each["error"]["error"] for each in found]
    assert errors == [None, None, "limit", "limit", None, "limit"]
    assert [each["count"] for each in found] == [2, 5, 0, 0, 1, 0]


def test_states_that_are_left_when_the_time_of_a_query_is_over_have_that_error(served, family, monkeypatch):
    monkeypatch.setattr(query_batches, "BLOCK", 2)
    queried = served(family, limits=Limits(seconds=10))
    clock = iter(range(0, 1_000_000, 4))
    monkeypatch.setattr(query_batches, "monotonic", lambda: next(clock))
    found = queried.post("/query-states", {**ANCESTORS, "states": [{}] * 8})[1]["states"]
    errors = [each["error"] and each["error"]["error"] for each in found]
    assert errors[:2] == [None, None]
    assert errors[-2:] == ["time", "time"]


def test_states_of_a_query_are_read_by_the_adapter(served):
    state = hornbook.read_theory("firm").path.parent / "examples" / "bakery" / "03.csv"
    queried, text = served("firm"), state.read_text(encoding="utf-8")
    states = [{"state": text}] * 6 + [{"state": "x"}, {"state": text, "set": {"what": "fixed"}}]
    found = queried.post("/query-states", {"query": "setting(?what, ?cents)", "states": states})[1]["states"]
    for given, each in zip(states, found, strict=True):
        status, expected = queried.post("/query", {"query": "setting(?what, ?cents)", **given})
        assert each["error"] == (None if status == 200 else expected)
        assert each["answers"] == expected.get("answers", [])
    assert found[0]["answers"]
    assert [each["error"] is None for each in found] == [True] * 6 + [False, False]


def test_advice_is_that_of_the_command(served, capsys):
    state = hornbook.read_theory("firm").path.parent / "examples" / "bakery" / "03.csv"
    queried = served("firm")
    text = state.read_text(encoding="utf-8")
    for more, given, shape in (
        ({}, [], replies.Advice),
        ({"what_if": "buy(flour, 400)"}, ["--what-if", "buy(flour, 400)"], replies.Judgement),
    ):
        status, found = queried.post("/advise", {"state": text, **more})
        assert status == 200, found
        msgspec.convert(found, shape)
        main(["firm", "advise", "firm", "--state", str(state), *given, "--json"])
        assert found == json.loads(capsys.readouterr().out)
    (step,) = queried.post("/why", {"state": text, "fact": "setting(fixed, ?cents)"})[1]["steps"]
    assert step["place"] == "state:2"
    assert (
        queried.post("/advise", {"state": text, "what_if": "fly(1)"})[1]["diagnostics"][0]["file"]
        == "<decision>"
    )


@pytest.mark.parametrize(
    "adapter",
    ["", "def read(text): pass\ndef facts(state): pass\n", "def read(text, name): raise KeyError(5)\ndef facts(state): pass\n",
     "def read(text, name): pass\ndef facts(state): return [5]\n"],
    ids=["nothing", "other arguments", "an exception", "no facts"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("path", "messages"), [("/query", {"query": "parent(?x, ?y)"}), ("/advise", {}), ("/sessions", {})]
)
def test_an_adapter_that_fails_is_no_failure_of_the_service(served, family, adapter, path, messages):
    (family.parent / "adapter.py").write_text(adapter, encoding="utf-8")
    queried = served(family)
    status, found = queried.post(path, {**messages, "state": "text"})
    if path == "/advise" and "[5]" in adapter:
        assert (status, found["error"]) == (422, "unsupported")
        return
    assert (status, found["error"]) == (422, "adapter")
    assert "adapter.py" not in found["message"]
    assert "adapter.py" in str(queried.log)


def test_a_text_in_a_row_is_a_word_also_next_to_integers(served, tmp_path):
    """Check that an answer of the service can be given back to it as input."""
    theory = tmp_path / "parts.horn"
    theory.write_text("theory parts. sort code = word | int. static part(code, int).")
    queried = served(theory)
    codes = [-7, 5, "'5'", "007", "5", "a"]
    rows = [[code, place] for place, code in enumerate(codes)]
    for change in ({"facts": {"part": rows}}, {"add": "part('5', 4). part(5, 1)."}):
        for code in (5, "5"):
            one = {"query": "part($code, ?n)", "set": {"code": code}, **change}
            assert queried.post("/query", one)[1]["answers"] == [{"n": codes.index(code)}]
    found = queried.post("/query", {"query": "part(?code, ?n)", "facts": {"part": rows}})[1]["answers"]
    assert sorted(([each["code"], each["n"]] for each in found), key=lambda row: row[1]) == rows
    status, refused = queried.post("/query", {"query": "part(?c, ?n)", "facts": {"part": [["5"]]}})
    assert (status, refused["error"]) == (422, "facts")


@pytest.mark.parametrize(("path", "field"), [("query", "query"), ("why", "fact"), ("why-not", "fact")])
def test_a_question_that_is_too_long_is_not_read(served, family, path, field):
    status, found = served(family).post(f"/{path}", {field: "," * (LONGEST + 1)})
    assert (status, found["error"]) == (400, "body")
    assert str(LONGEST) in found["message"]
    assert served(family).post(f"/{path}", {field: "," * LONGEST})[0] == 422
