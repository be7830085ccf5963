"""Messages of `learn` about an example that gives no rule.

Each message names the condition that stopped learning, its location, the step of the example and a fix.
Following the fix leads to a rule.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import hornbook
from hornbook.api.teaching import LearningResult
from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.learn import learner

CARRY = """theory carry.
sort thing.
static weight(thing -> int).
static limit(int).
derived light(thing).
derived carried(thing).
light: light(?x) :- weight(?x, ?w), limit(?l), ?w <= ?l.
carried: carried(?x) :- light(?x), weight(?x, ?w), ?w >= 2.
"""
ROOM = """theory room.
sort room.
fluent lit(room).
fluent open(room).
action press(room).
derived seen(room).
game see(room).
light: after lit(?r) :- press(?r).
seen: seen(?r) :- lit(?r), open(?r).
wins: before see(?r) by press(?r) is GI :- press(?r), after seen(?r).
example one: press(hall), open(hall).
"""
READY = """theory ready.
sort room.
fluent off(room). derived dark(room).
action press(room).
derived ready(room).
ready: before ready(?r) :- press(?r), before dark(?r).
dark: dark(?r) :- off(?r).
example one: press(hall), off(hall).
expect one: before ready(hall).
"""
COUNT = """theory count_.
sort p.
static near(p, p).
static nears(p -> int) counts near.
static good(p).
static mark(p). static spot(p).
derived ok(p, p).
derived oks(p -> int) counts ok.
derived fine(p).
ok: ok(?a, ?b) :- near(?a, ?b), good(?b).
oks: oks(?a, ?n) :- nears(?a, ?n).
fine: fine(?a) :- spot(?a), 2 = count ?b in ok(?a, ?b).
spot: spot(?a) :- mark(?a).
example one: near(a, b), near(a, c), nears(a, 2), good(b), good(c), mark(a).
expect one: fine(a).
"""
OTHER = """theory other.
sort p.
fluent on(p).
action go(p).
action stop(p).
game win(p).
quick: before win(?x) by stop(?x) is GI :- go(?y), before on(?x), before on(?y).
example one: on(a), on(b), go(b).
expect one: before win(a) by stop(a) is GI.
"""
FLIES = """theory flies.
sort p.
static wings(p). static bird(p).
static odd(p).
meta flies(p).
flies: flies(?x) :- bird(?x), absent odd(?x).
bird: bird(?x) :- wings(?x).
example one: wings(a).
expect one: flies(a).
"""


@pytest.fixture
def messages(run, folder):
    """Return the message about the only example of `t.horn`, after its name."""

    def ran(text: str, code: int = 1) -> str:
        Path("t.horn").write_text(text)
        Path("rules.horn").unlink(missing_ok=True)
        found, out, err = run("learn", "t.horn", "--into", "rules.horn")
        assert (found, err) == (code, ""), out
        first = out.splitlines()[0]
        assert first.startswith("t.horn: one: ")
        return first.removeprefix("t.horn: one: ")

    return ran


@pytest.fixture
def learns(run, folder):
    def ran(text: str) -> None:
        Path("t.horn").write_text(text)
        Path("rules.horn").unlink(missing_ok=True)
        code, out, _ = run("learn", "t.horn", "--into", "rules.horn")
        assert (code, out.count("1 rule admitted")) == (0, 1), out
        assert run("rules", "verify", "rules.horn", "--theory", "t.horn")[0] == 0

    return ran


@pytest.mark.parametrize(
    ("facts", "gap"),
    [
        (
            "weight(a, 9), limit(5)",
            (
                "`carried(a)` needs `light(a)`, which is not derived; `carried` (t.horn:8) asks for it, `light` (t.horn:7)"
                " stops at `9 <= 5`; needed: facts for which one of these rules holds, or a rule that concludes `light(?x1)`"
            ),
        ),
        (
            "weight(a, 1), limit(5)",
            (
                "`carried(a)` is not derived; `carried` (t.horn:8) stops at `1 >= 2`;"
                " needed: facts for which one of these rules holds, or a rule that concludes `carried(?x1)`"
            ),
        ),
        (
            "limit(5)",
            (
                "`carried(a)` needs `light(a)`, which is not derived; `carried` (t.horn:8) asks for it, `light` (t.horn:7)"
                " stops at `weight(a, ?w)`;"
                " needed: facts for which one of these rules holds, or a rule that concludes `light(?x1)`"
            ),
        ),
    ],
)
def test_a_goal_that_is_not_reached(messages, learns, facts, gap):
    text = f"{CARRY}example one: {facts}.\nexpect one: carried(a).\n"
    assert messages(text) == f"gap: {gap}"
    learns(text.replace(facts, "weight(a, 3), limit(5)"))


def test_what_persists_is_not_reported(messages, learns):
    text = f"{ROOM}expect one: before see(hall) by press(hall) is GI.\n"
    assert messages(text) == (
        "gap: `before see(hall) by press(hall) is GI` needs `after open(hall)`, which is not derived;"
        " `seen` (t.horn:9) asks for it; needed: a transition rule `after open(?x1) :- press(?x1), before …`"
    )
    learns(text + "stays: after open(?r) :- press(?r), before open(?r).\n")


def test_what_is_given_is_no_lesson(messages):
    assert messages(f"{CARRY}example one: limit(5).\nexpect one: limit(5).\n") == (
        "refused: limit(5): `limit(5)` is given, so there is nothing to learn; expect a conclusion of rules from it"
    )


def test_the_answers_of_an_expectation_are_learned(messages, learns):
    text = f"{CARRY}example one: weight(a, 3), limit(5).\nexpect one: carried(?what)"
    learns(f"{text} gives a.\n")
    assert messages(f"{text}.\n") == (
        "nothing to learn: `carried(?what)` (t.horn:10) has variables without values:"
        " list the values after `gives`, or expect a fact; and no game has a new value"
    )


def test_so_is_what_is_expected_to_be_absent_and_what_has_several_conditions(messages):
    text = f"{CARRY}example one: weight(a, 3).\nexpect one: absent carried(a).\nexpect one: weight(a, ?w), ?w > 2.\n"
    assert messages(text) == (
        "nothing to learn: `absent carried(a)` (t.horn:10) is not a fact that rules conclude;"
        " `weight(a, ?w), ?w > 2` (t.horn:11) has several conditions: expect each ground fact separately;"
        " and no game has a new value"
    )


def test_nothing_is_expected(messages):
    assert messages(f"{CARRY}example one: limit(5).\n") == (
        "nothing to learn: nothing is expected of it; and no game has a new value"
    )


def test_what_holds_before_rests_on_the_action(messages, learns):
    assert messages(READY) == (
        "refused: before ready(hall): a fact before an action cannot depend on it, unless it is a game's value:"
        " the condition `press(?r)` of `ready` (t.horn:6), at `before ready(hall)`; conclude it `after` the action"
    )
    learns(READY.replace("before ready(", "after ready("))


def test_another_action_is_taken_than_the_one_that_is_named(messages, learns):
    assert messages(OTHER) == (
        "refused: before win(a) by stop(a) is GI: the proof depends on another action than `stop`, and one is taken:"
        " the condition `go(?y)` of `quick` (t.horn:7), at `before win(a) by stop(a) is GI`;"
        " name the same action in the conclusion and in its conditions"
    )
    learns(
        OTHER.replace("go(", "stop(")
        .replace("action stop(p).\n", "", 1)
        .replace("(a) by stop(a)", "(b) by stop(b)")
    )


def test_what_rules_conclude_is_counted(messages, learns):
    assert messages(COUNT) == (
        "refused: fine(a): a learned rule cannot contain a count over sets that rules conclude:"
        " the condition `2 = count ?b in ok(?a, ?b)` of `fine` (t.horn:12), at `fine(a)`;"
        " declare the predicate of each set `operational`, or count a set that is given"
    )
    operational = COUNT.replace("ok(p, p).", "ok(p, p) operational.").replace(
        "counts ok.", "counts ok operational."
    )
    learns(operational)
    learns(COUNT.replace("in ok(", "in near("))


def test_what_is_absent_is_complete(messages, learns):
    assert messages(FLIES) == (
        "refused: flies(a): `flies` (t.horn:6), which gave `flies(a)`, rests on an absence: `flies` is declared meta;"
        " declare it derived, and `odd` complete if all of it is given"
    )
    derived = FLIES.replace("meta", "derived")
    assert messages(derived).endswith("rests on an absence: declare `odd` complete if all of it is given")
    learns(derived.replace("odd(p).", "odd(p) complete.", 1))


def test_the_checker_refuses_what_is_learned(messages, monkeypatch):
    def refuse(*_):
        raise RejectedError("step 1, rule `light`: the rule's conditions do not entail `?w <= ?l`")

    monkeypatch.setattr(learner, "verify", refuse)
    assert messages(f"{CARRY}example one: weight(a, 3), limit(5).\nexpect one: carried(a).\n") == (
        "refused: carried(a): the checker refuses it: step 1, rule `light`: the rule's conditions do not entail"
        " `?w <= ?l`; `light` (t.horn:7) gave `light(a)`"
    )


def test_what_repeats_a_rule_of_the_theory_is_left_out_and_no_failure(messages, learns, run):
    text = f"{CARRY}example one: weight(a, 3), limit(5).\nexpect one: light(a).\n"
    reason = "nothing new: the rule of `light(a)` repeats `light` (t.horn:7) of the theory"
    assert messages(text, 0) == reason
    assert "light_1" not in Path("rules.horn").read_text()
    code, out, _ = run("learn", "t.horn", "--into", "others.horn", "--json")
    found = json.loads(out)
    assert (code, found["proofs"], found["admitted"], found["repeating"]) == (0, 1, 0, 1)
    assert found["notes"] == [f"t.horn: one: {reason}"]
    taught = hornbook.learn("t.horn")
    assert (taught.results, len(taught.rules)) == (
        (LearningResult("one", proved=True, rules=(), reason=reason),),
        0,
    )
    learns(text.replace("expect one: light(a)", "expect one: carried(a)"))


@pytest.mark.deep
def test_a_reply_without_an_answer_is_named(run, taught, folder):
    found = json.loads((taught / "said.json").read_text())
    assert found["refused"].keys() == found["first_refused"].keys()
    assert re.fullmatch(
        r"`take\(\w+\) is IG`: move\(\w+, \w+\)", found["first_refused"]["a reply has no answer"]
    )
    code, out, _ = run("learn", "go", "--problems", str(taught / "p.jsonl"), "--into", "rules.horn")
    assert code == 0
    assert f"a reply has no answer; first {found['first_refused']['a reply has no answer']}" in out


def test_a_theory_without_an_example_is_a_failure(run, folder):
    Path("t.horn").write_text(CARRY)
    code, _, err = run("learn", "t.horn", "--into", "rules.horn")
    assert (code, err) == (1, "nothing was learned: there is no example\n")
