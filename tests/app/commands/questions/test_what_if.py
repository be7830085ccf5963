"""`what-if`: the changes caused by an action, and the actions that would change a query's answers."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hornbook.inputs.knowledge_base import KnowledgeBase
from hornbook.kb.ast.theory import GroundFact
from hornbook.repl.session import Session

CARRYING = (Path(__file__).parent / "data" / "what_if_carrying.horn").read_text(encoding="utf-8")
STATE = "at(box, yard). at(lamp, hall). open(hall). open(loft)."


@pytest.fixture(autouse=True)
def files(folder):
    Path("carrying.horn").write_text(CARRYING)
    Path("now.horn").write_text(STATE)


def queried(run, text: str, *more: str) -> str:
    code, out, err = run("what-if", "carrying.horn", text, "--add", "now.horn", *more)
    assert (code, err) == (0, "")
    return out


def test_every_action_is_tried(run):
    out = queried(run, "after at(box, hall)")
    assert out.splitlines()[0] == "carry(box, hall): becomes true"
    assert out.splitlines()[1].endswith("with the same answers")
    assert len(out.splitlines()) == 2


def test_what_becomes_false_is_reported(run):
    lines = queried(run, "after open(?p)", "--json")
    found = json.loads(lines)
    by_action = {each["action"]: each for each in found["actions"]}
    assert found["before"] == [{"p": "hall"}, {"p": "loft"}]
    assert by_action["shut(hall)"] == {"action": "shut(hall)", "true": [], "false": [{"p": "hall"}]}
    # shut(yard) is possible, but no door of the yard was open. Carrying things concludes nothing about
    # doors.
    assert "shut(yard)" not in by_action
    assert by_action["carry(box, hall)"]["false"] == [{"p": "hall"}, {"p": "loft"}]


def test_an_action_with_variables_tries_those_of_its_form(run):
    found = json.loads(queried(run, "carry(box, ?where): after at(box, ?p)", "--json"))
    assert {each["action"]: each["true"] for each in found["actions"]}["carry(box, hall)"] == [{"p": "hall"}]
    assert found["tried"] == 3
    same = json.loads(queried(run, "swap(?x, ?x): after at(box, ?p)", "--json"))
    assert (same["tried"], same["possible"]) == (3, 0)


def test_facts_say_what_they_change(run):
    out = queried(run, "carry(box, hall)")
    assert out.startswith("change   before         after\nchanged  at(box, yard)  at(box, hall)\n")
    assert json.loads(queried(run, "carry(box, hall)", "--json"))["changes"] == [
        {"change": "changed", "before": "at(box, yard)", "after": "at(box, hall)"}
    ]


def test_where_nothing_changes_a_word_that_occurs_in_no_fact_is_named(run):
    # `others` keeps the facts that are not carried, so there are conclusions about the state after.
    assert queried(run, "carry(bxo, hal)").splitlines()[-2:] == [
        "`bxo` occurs in no fact as `thing`; did you mean `box`?",
        "`hal` occurs in no fact as `place`; did you mean `hall`?",
    ]
    assert queried(run, "shut(cellar)").splitlines()[-1] == "`cellar` occurs in no fact as `place`"
    assert "occurs in no fact" not in queried(run, "shut(yard)")
    closed = CARRYING.replace("sort place.", "sort place = yard | hall | loft | cellar.")
    Path("carrying.horn").write_text(closed)
    assert "occurs in no fact" not in queried(run, "shut(cellar)")


def test_a_query_after_facts_is_answered(run):
    assert queried(run, "carry(box, hall): after at(?t, ?p)") == "?t    ?p\nbox   hall\nlamp  hall\n"


def test_the_prompt_means_the_same(run, monkeypatch):
    for text in ("after at(box, hall)", "carry(box, ?p): after at(box, ?q)", "carry(box, hall)"):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"what if {text}\n"))
        code, out, _ = run("repl", "carrying.horn", "--add", "now.horn")
        assert (code, out) == (0, queried(run, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("at(box, ?x): after at(box, ?q)", "expected one action"),
        ("after nix(box)", "unknown predicate `nix`"),
        ("carry(box, ?p)", "variable"),
    ],
)
def test_what_cannot_be_queried_is_refused(run, text, message):
    code, out, err = run("what-if", "carrying.horn", text, "--add", "now.horn")
    assert (code, out) == (1, "")
    assert message in err


def test_too_many_actions_are_refused_with_a_way_out(run):
    Path("now.horn").write_text("".join(f"at(t{n}, p{n}). " for n in range(200)))
    code, _, err = run("what-if", "carrying.horn", "after at(t1, p2)", "--add", "now.horn")
    assert code == 1
    assert "more than 20,000 actions" in err
    assert "say more of the action" in err
    code, _, _ = run("what-if", "carrying.horn", "carry(t1, ?p): after at(t1, p2)", "--add", "now.horn")
    assert code == 0


@pytest.mark.parametrize(("has_state", "menu"), [(False, []), (True, [GroundFact("amount", (400,))])])
def test_the_adapter_is_queried_for_amounts_only_after_it_has_read_a_state(has_state, menu):
    base = KnowledgeBase("firm")
    session = Session(lambda _: base, base, has_state=has_state)
    assert session.menu([GroundFact("buy", ("flour", 400))]) == menu


DUES = """
theory dues.
sort member. sort euro = int.
static paid(member -> euro). static expelled(member) complete.
derived owes(member -> euro). derived welcome(member).
rest: owes(?m, ?n) :- paid(?m, ?p), ?n = 50 - ?p.
nothing_to_pay: welcome(?m) :- owes(?m, ?n), ?n <= 0, absent expelled(?m).
paid(ann, 20). paid(bob, 50). paid(cy, 50). expelled(cy).
"""


@pytest.fixture
def dues():
    Path("dues.horn").write_text(DUES)


def test_several_facts_are_added_and_removed_at_once(run, dues):
    code, out, err = run(
        "what-if", "dues.horn", "paid(ann, 60)", "--without", "paid(ann, 20)", "--without", "expelled(cy)",
        "--with", "expelled(bob)", "--with", "paid(dan, 10)",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "change   before         after",
        "changed  owes(ann, 30)  owes(ann, -10)",
        "added                   owes(dan, 40)",
        "removed  welcome(bob)",
        "added                   welcome(ann)",
        "added                   welcome(cy)",
    ]


def test_the_table_as_json(run, dues):
    code, out, _ = run("what-if", "dues.horn", "--without", "expelled(cy)", "--json")
    assert (code, json.loads(out)) == (
        0,
        {
            "changes": [],
            "conclusions": [{"change": "added", "before": None, "after": "welcome(cy)"}],
            "kept": [],
            "after": [],
            "concluded": False,
        },
    )


@pytest.mark.parametrize(
    "supposed",
    [
        ["absent expelled(cy), expelled(bob): welcome(?who)"],
        ["absent expelled(cy): welcome(?who)", "--with", "expelled(bob)"],
        ["welcome(?who)", "--without", "expelled(cy)", "--with", "expelled(bob)"],
        [": welcome(?who)", "--without", "expelled(cy)", "--with", "expelled(bob)"],
    ],
)
def test_a_query_is_answered_after_all_changes(run, dues, supposed):
    assert run("what-if", "dues.horn", *supposed) == (0, "?who\ncy\n", "")


def test_a_change_of_facts_with_one_key_contradicts_the_declaration(run, dues):
    code, _, err = run("what-if", "dues.horn", "paid(ann, 60)")
    message = (
        "error: two values for one key: `paid(ann, 20)` and `paid(ann, 60)`; the declaration allows one; to"
        " replace the given fact, write `absent paid(ann, 20), paid(ann, 60)`\n"
    )
    assert (code, err) == (1, message)
    assert run("what-if", "dues.horn", "absent paid(ann, 20), paid(ann, 60)") == run(
        "what-if", "dues.horn", "paid(ann, 60)", "--without", "paid(ann, 20)"
    )
    assert run("what-if", "dues.horn", "paid(ann, 20)")[0] == 0


@pytest.mark.parametrize("pattern", ["paid(?m, 50)", "paid(_, 50)"])
def test_all_given_facts_like_a_pattern_are_left_out(run, dues, pattern):
    same = run("what-if", "dues.horn", "--without", "paid(bob, 50)", "--without", "paid(cy, 50)")
    assert same[0] == 0
    assert run("what-if", "dues.horn", "--without", pattern) == same
    assert run("what-if", "dues.horn", f"absent {pattern}, paid(bob, 60): owes(?who, ?n)") == (
        0, "?who  ?n\nann   30\nbob   -10\n", "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ("paid(?m, 7)", "no given fact is like `paid(?m, 7)`"),
        ("owes(?m, 30)", "no given fact is like `owes(?m, 30)`"),
        ("expelled(ann)", "`expelled(ann)` is not given: it is not there"),
        ("owes(ann, 30)", "is derived"),
    ],
)
def test_only_given_facts_can_be_left_out(run, dues, fact, message):
    code, out, err = run("what-if", "dues.horn", "--without", fact)
    assert (code, out) == (1, "")
    assert message in err


def test_something_must_be_assumed(run, dues):
    assert run("what-if", "dues.horn")[0] == 2


def test_the_prompt_leaves_facts_out(run, dues, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("what if absent expelled(cy)\nwelcome(?who)\n"))
    code, out, _ = run("repl", "dues.horn")
    assert (code, out.splitlines()) == (
        0,
        ["change  before  after", "added           welcome(cy)", "?who", "bob"],
    )
