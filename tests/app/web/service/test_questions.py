"""Queries to a service: the answers equal those of the commands, with their names.

Errors are reported with their position.
"""

from __future__ import annotations

import json

import msgspec
import pytest

import hornbook
from hornbook.cli import main
from hornbook.kb.explain.why_not import MAX_DEPTH
from hornbook.matcher.program.coded import Limits
from hornbook.web import state_batches
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
    ("/query", {"query": "parent(?a, ?b)", "state": "x"}, 422, "unsupported", None),
    ("/why", {"fact": "ancestor(cleo, ada)"}, 404, "not-derived", None),
    ("/why", {"fact": "parent(?a, ?b), parent(?b, ?c)"}, 422, "text", ("<query>", 1, 1)),
    ("/match", {"state": "x"}, 422, "unsupported", None),
    ("/advise", {"state": "x"}, 422, "unsupported", None),
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
