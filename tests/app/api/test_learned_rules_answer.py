"""Learned rules in answers, from rule files and from stores: each answer says that the rule is learned.

A rule that does not follow from the current theory contributes no answers.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import hornbook
from hornbook.kb.store import Store, StoredRule

JOBS = """theory jobs.
sort thing.
fluent ready(thing).
fluent done(thing).
action do(thing).
game win(thing).
makes:
  after done(?x) :- do(?x), before ready(?x).
wins:
  before win(?x) by do(?x) is GI :- do(?x), after done(?x).
example one: ready(a), do(a).
expect one: win(a) by do(a) is GI.
"""
NARROWER = (
    JOBS.replace("fluent done", "fluent free(thing).\nfluent done")
    .replace("ready(?x).\nwins", "ready(?x), before free(?x).\nwins")
    .replace("ready(a),", "ready(a), free(a),")
)
RULE = "win_by_do_is_gi_1"
QUESTION = "win(?x) by do(?x) is GI"
WON = "win(b) by do(b) is GI"

STORED = ("name", "text", "certificate", "provenance")


@pytest.fixture(autouse=True)
def folder(folder, run):
    """Create a theory, a rule learned from its example and a state without an action.

    The rule is in a file and in a store.
    """
    Path("jobs.horn").write_text(JOBS)
    Path("state.horn").write_text("ready(b).")
    Path("lines.txt").write_text(f"ready(b).\n?- {QUESTION}.\nwhy {WON}\n")
    assert run("learn", "jobs.horn", "--into", "rules.horn")[0] == 0
    assert run("learn", "jobs.horn", "--into", "jobs.sqlite")[0] == 0
    return folder


def given(place: str, *arguments: str) -> tuple[str, ...]:
    """Return a command's arguments with the rules of a file or of a store."""
    command, *rest = arguments
    if place == "store":
        return (command, "jobs.sqlite", *rest)
    return (command, "jobs.horn", *rest, "--rules", "rules.horn")


PLACES = pytest.mark.parametrize("place", ["file", "store"])


@PLACES
def test_a_query_is_answered_by_what_is_learned(place, run):
    assert run("query", "jobs.horn", QUESTION, "--add", "state.horn") == (0, "no answers\n", "")
    assert run(*given(place, "query", QUESTION, "--add", "state.horn")) == (
        0,
        "?x\nb\n",
        "answered with 1 learned rule; `why` shows which proofs depend on learned rules\n",
    )


@PLACES
def test_proofs_say_what_is_learned(place, run, tmp_path):
    code, out, _ = run(*given(place, "why", WON, "--add", "state.horn"))
    assert code == 0
    assert f"{WON}  [learned: {RULE}, " in out
    code, out, _ = run(*given(place, "why", WON, "--add", "state.horn", "--json", "--html", "proof.html"))
    assert [step["learned"] for step in json.loads(out)["steps"]] == [False, True]
    assert f"learned: {RULE}" in (tmp_path / "proof.html").read_text()
    code, out, _ = run(*given(place, "why", WON, "--add", "state.horn", "--format", "dot"))
    assert f"learned: {RULE}" in out
    code, out, _ = run(*given(place, "why-not", "win(c) by do(c) is GI", "--add", "state.horn"))
    assert f"learned rule {RULE}  [" in out
    assert "  rule wins  [" in out
    code, out, _ = run(*given(place, "why-not", "win(c) by do(c) is GI", "--add", "state.horn", "--json"))
    assert {a["rule"]: a["learned"] for a in json.loads(out)["attempts"]} == {"wins": False, RULE: True}


@PLACES
def test_the_prompt_says_what_is_learned(place, run, monkeypatch):
    with Path("lines.txt").open() as lines:
        monkeypatch.setattr("sys.stdin", lines)
        code, out, _ = run(*given(place, "repl"))
    assert code == 0
    assert "?x\nb\n" in out
    assert f"[learned: {RULE}, " in out


def test_programs_say_what_is_learned():
    with Store("jobs.sqlite") as store:
        for rules in (hornbook.read_rules("rules.horn", "jobs.horn"), hornbook.read_rules(store)):
            base = hornbook.KnowledgeBase("jobs.horn")
            base.add_text("ready(b).")
            base.add_rules(rules.certified)
            assert base.why(WON).steps[-1].origin.startswith(f"learned: {RULE}, ")


# Theories that have changed by the time the rules answer

LENT = (Path(__file__).parent / "data" / "learned_rules_answer_lent.horn").read_text(encoding="utf-8")
OF_ITS_OWN = "of_its_own: before target(?c, ?p) :- hit(?c, ?p)."
"""A rule that makes the learned rule wrong: only the point that is hit becomes a target."""
HIT = "open(a). open(b). far(a). hit(x, a)."


@pytest.fixture
def lent(folder, run):
    (folder / "lent.horn").write_text(LENT)
    (folder / "more.horn").write_text(f"{OF_ITS_OWN} {HIT}")
    assert run("learn", "lent.horn", "--into", "lent_rules.horn")[0] == 0
    return folder


def test_learned_rules_do_not_state_next_to_a_rule_that_their_theory_lacks(lent, run):
    rules = hornbook.read_rules("lent_rules.horn", "lent.horn").certified
    assert rules
    base = hornbook.KnowledgeBase("lent.horn")
    base.add_rules(rules)
    with pytest.raises(hornbook.KnowledgeBaseError, match="without the rule `of_its_own`"):
        base.add_text(OF_ITS_OWN)
    base.add_text(HIT)
    assert not base.query("win(?c) by hit(?c, ?p) is GI")
    base = hornbook.KnowledgeBase("lent.horn")
    base.add_text(f"{OF_ITS_OWN} {HIT}")
    with pytest.raises(hornbook.KnowledgeBaseError, match="without the rule `of_its_own`"):
        base.add_rules(rules)
    assert base.query("win(?c) by hit(?c, ?p) is GI").to_tuples() == [("x", "a")]
    question = "win(?c) by hit(?c, ?p) is GI"
    code, out, err = run("query", "lent.horn", question, "--rules", "lent_rules.horn", "--add", "more.horn")
    assert (code, out) == (1, "")
    assert "without the rule `of_its_own`" in err
    assert "take it back, or write it into the theory" in err


def test_learned_rules_rest_on_what_the_theory_states(lent):
    rules = hornbook.read_rules("lent_rules.horn", "lent.horn").certified
    near = hornbook.GroundFact("near", ("a",))
    base = hornbook.KnowledgeBase("lent.horn")
    base.add_rules(rules)
    with pytest.raises(hornbook.KnowledgeBaseError, match=r"`near\(a\)`, which the theory states"):
        base.retract([near])
    base = hornbook.KnowledgeBase("lent.horn")
    base.retract([near])
    with pytest.raises(hornbook.KnowledgeBaseError, match=r"`near\(a\)`, which the theory states"):
        base.add_rules(rules)
    base.add([near])
    base.add_rules(rules)


def test_rules_may_be_added_to_a_theory_without_games(folder, run):
    """Check that a learned rule applies to the current facts when more rules are added."""
    (folder / "cup.horn").write_text(
        """theory cup. sort thing. fluent light(thing). fluent hollow(thing). derived cup(thing).
        cups: cup(?x) :- light(?x), hollow(?x).
        example one: light(a), hollow(a).
        expect one: cup(a).
        """
    )
    assert run("learn", "cup.horn", "--into", "cups.horn")[0] == 0
    base = hornbook.KnowledgeBase("cup.horn")
    base.add_rules(hornbook.read_rules("cups.horn", "cup.horn").certified)
    base.add_text("light(b). made: hollow(?x) :- light(?x).")
    assert base.query("cup(?x)").to_tuples() == [("b",)]


# Stale rules


@pytest.fixture
def stale(folder) -> None:
    """Narrow the theory in its file and in the store.

    Its conditions are now stricter than when the rule was learned.
    """
    (folder / "jobs.horn").write_text(NARROWER)
    with Store("jobs.sqlite", "write") as store:
        from hornbook.kb.store.closure import read_theory

        store.put_theory(read_theory("jobs.horn"))


LEFT_OUT = (
    f"1 of 1 learned rule left out, `{RULE}`: the rule `makes` was changed since the rule was certified"
)


@pytest.mark.usefixtures("stale")
@PLACES
def test_a_stale_rule_answers_nowhere(place, run, monkeypatch):
    code, out, err = run(*given(place, "query", QUESTION, "--add", "state.horn"))
    assert (code, out) == (0, "no answers\n")
    assert LEFT_OUT in err
    code, _, err = run(*given(place, "why", WON, "--add", "state.horn"))
    assert code == 1
    assert LEFT_OUT in err
    assert f"rule {RULE}" not in run(*given(place, "why-not", WON, "--add", "state.horn"))[1]
    with Path("lines.txt").open() as lines:
        monkeypatch.setattr("sys.stdin", lines)
        _, out, _ = run(*given(place, "repl"))
    assert "no answers\n" in out
    assert RULE not in out
    source = ("jobs.sqlite",) if place == "store" else ("rules.horn", "--theory", "jobs.horn")
    code, out, err = run("theory", "profile", *source, "--json")
    assert RULE not in out
    assert LEFT_OUT in err


@pytest.mark.usefixtures("stale")
def test_a_stale_rule_is_not_queried_by_programs():
    with Store("jobs.sqlite") as store:
        for place in (("rules.horn", "jobs.horn"), (store,)):
            rules = hornbook.read_rules(*place)  # type: ignore[arg-type]
            assert rules.certified == []
            assert rules[RULE].refusal == "the rule `makes` was changed since the rule was certified"
            without = hornbook.read_rules(*place, verify=False)  # type: ignore[arg-type]
            assert [rule.name for rule in without.certified] == [RULE]
            assert without[RULE].refusal == ""


@pytest.mark.usefixtures("stale")
def test_the_right_rule_is_learned_next_to_a_stale_one(run):
    for place in (("jobs.horn", "--into", "rules.horn"), ("jobs.sqlite",)):
        code, out, err = run("learn", *place)
        assert code == 0
        assert "1 rule admitted, 0 subsumed" in out
        assert LEFT_OUT in err
    rules = hornbook.read_rules("rules.horn", "jobs.horn")
    assert [rule.name for rule in rules] == [RULE, "win_by_do_is_gi_2"]
    assert [rule.is_certified for rule in rules] == [False, True]
    assert "free(?x)" in rules["win_by_do_is_gi_2"].text


def test_rules_of_another_theory_are_not_built_upon(folder):
    """Pass rules that were read for the original theory to one that has changed since."""
    rules = hornbook.read_rules("rules.horn", "jobs.horn")
    (folder / "jobs.horn").write_text(f"% The same.\n{JOBS}")
    (taught,) = hornbook.learn("jobs.horn", rules=rules).results
    assert taught.rules == ()
    (folder / "jobs.horn").write_text(NARROWER)
    learned = hornbook.learn("jobs.horn", rules=rules)
    (taught,) = learned.results
    assert taught.rules == ("win_by_do_is_gi_2",)
    assert [rule.name for rule in learned.rules if rule.is_certified] == ["win_by_do_is_gi_2"]


def test_steps_that_prove_nothing_answer_nowhere(run):
    """Forge the steps of a proof while all its fingerprints match."""
    proofs = Path("rules.proofs.jsonl")
    data = json.loads(proofs.read_text())
    data["certificate"]["steps"] = data["certificate"]["steps"][:1]
    proofs.write_text(json.dumps(data))
    code, out, err = run("query", "jobs.horn", QUESTION, "--add", "state.horn", "--rules", "rules.horn")
    assert (code, out) == (0, "no answers\n")
    assert "no step concludes the rule's own conclusion" in err


def test_an_imported_store_is_verified_as_it_is_read(run):
    assert run("store", "export", "jobs.sqlite", "text.jsonl")[0] == 0
    text = Path("text.jsonl").read_text()
    assert text.count("makes") > 1
    rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        if row.get("table") == "rules":
            certificate = json.loads(row["certificate"])
            row["certificate"] = json.dumps({**certificate, "steps": []})
            row["fingerprint"] = StoredRule(*(row[name] for name in STORED)).fingerprint
    Path("text.jsonl").write_text("".join(f"{json.dumps(row)}{os.linesep}" for row in rows))
    assert run("store", "import", "forged.sqlite", "text.jsonl")[0] == 0
    code, out, err = run("query", "forged.sqlite", QUESTION, "--add", "state.horn")
    assert (code, out) == (0, "no answers\n")
    assert "no step concludes the rule's own conclusion" in err


AIMS = """theory aims.
sort side. sort point.
action hit(side, point).
fluent open(point). fluent far(point). fluent aim(side, point).
derived target(side, point) operational.
derived good(side).
game win(side).
aimed: target(?c, ?p) :- aim(?c, ?p).
to_good: after good(?c) :- hit(?c, ?p), before open(?p), before target(?c, ?q), before far(?q).
to_win: before win(?c) by hit(?c, ?p) is GI :- hit(?c, ?p), after good(?c).
example one: open(a), far(a), aim(x, a), hit(x, a).
expect one: win(x) by hit(x, a) is GI.
"""
HITS = "hitting: before target(?c, ?p) :- hit(?c, ?p).\n"


def test_a_clause_that_no_proof_names_makes_a_rule_stale(folder, run):
    """Make `target` depend on the action that is taken. The rule mentions an action that is only named."""
    (folder / "aims.horn").write_text(AIMS)
    assert run("learn", "aims.horn", "--into", "aims_rules.horn")[0] == 0
    assert "target(" in Path("aims_rules.horn").read_text()
    (folder / "aims.horn").write_text(AIMS.replace("aimed:", f"{HITS}aimed:"))
    (folder / "state.horn").write_text("open(a). open(b). far(a). aim(x, a).")
    question = ("aims.horn", "win(?c) by hit(?c, ?p) is GI", "--add", "state.horn")
    code, out, err = run("query", *question, "--rules", "aims_rules.horn")
    assert (code, out) == (0, "no answers\n")
    assert "rules that conclude what the certificate speaks of were changed" in err
    code, out, _ = run("rules", "verify", "aims_rules.horn", "--theory", "aims.horn", "--renew")
    assert (code, "1 retired" in out) == (1, True)
    again = ("rules", "relearn", "aims.horn", "--into", "aims_rules.horn")
    assert "0 rules admitted" in run(*again)[1]  # the first proof gives no rule
    assert run(*again, "--proofs", "10")[0] == 0
    assert run("rules", "verify", "aims_rules.horn", "--theory", "aims.horn")[1].startswith("1 rule follows")
    assert "target(" not in Path("aims_rules.horn").read_text()


SHELF = """theory shelf.
sort thing.
fluent big(thing).
fluent old(thing).
derived heavy(thing).
derived marked(thing).
by_size: heavy(?x) :- big(?x).
by_a_mark: marked(?x) :- big(?x).
"""


@pytest.mark.parametrize("again", [False, True])
def test_no_case_is_added_to_a_proof_by_cases(folder, run, again):
    (folder / "shelf.horn").write_text(SHELF)
    (folder / "mine.horn").write_text("import shelf.\nr: marked(?x) :- heavy(?x).\n")
    assert run("rules", "prove", "mine.horn", "--theory", "shelf.horn")[0] == 0
    if again:
        # Read the rules once first, so that the second call uses the stored verdict.
        assert run("rules", "verify", "mine.horn", "--theory", "shelf.horn")[0] == 0
        hornbook.read_rules("mine.horn", "shelf.horn")
    rules = hornbook.read_rules("mine.horn", "shelf.horn").certified
    assert len(rules) == 1
    base = hornbook.KnowledgeBase("shelf.horn")
    base.add_rules(rules)
    base.add_text("also: marked(?x) :- old(?x). old(b).")
    assert base.query("marked(?x)").to_tuples() == [("b",)]
    with pytest.raises(hornbook.KnowledgeBaseError, match="without the rule `by_age`"):
        base.add_text("by_age: heavy(?x) :- old(?x).")
    base = hornbook.KnowledgeBase("shelf.horn")
    base.add_text("by_age: heavy(?x) :- old(?x). old(b).")
    with pytest.raises(hornbook.KnowledgeBaseError, match="without the rule `by_age`"):
        base.add_rules(rules)
    assert base.query("marked(?x)").to_tuples() == []


def test_a_rule_without_an_accepted_certificate_is_not_added(folder, run):
    (folder / "cup.horn").write_text(
        "theory cup. sort thing. fluent light(thing). derived cup(thing). cups: cup(?x) :- light(?x).\n"
        "example one: light(a).\n"
    )
    base = hornbook.KnowledgeBase("cup.horn")
    (folder / "mine.horn").write_text("import cup.\nmine: cup(?x) :- light(?x).\n")
    unproved = [each.rule for each in hornbook.read_rules("mine.horn", "cup.horn")]
    assert unproved
    with pytest.raises(hornbook.KnowledgeBaseError, match="`mine` has no certificate that was accepted"):
        base.add_rules(unproved)
    own = hornbook.read_theory("cup.horn").rules
    with pytest.raises(hornbook.KnowledgeBaseError, match="`cups` has no certificate"):
        base.add_rules(own)
    assert not any(rule.learned for rule in base.rules)


def test_a_rule_that_is_proved_of_another_theory_is_not_added(folder, run):
    cup = (
        "theory cup. sort thing. fluent light(thing). fluent open(thing). derived cup(thing).\n"
        "cups: cup(?x) :- light(?x).\nexample one: light(a).\n"
    )
    (folder / "cup.horn").write_text(cup)
    (folder / "mine.horn").write_text("import cup.\nmine: before cup(?x) :- before light(?x).\n")
    assert run("rules", "prove", "mine.horn", "--theory", "cup.horn")[0] == 0
    rules = hornbook.read_rules("mine.horn", "cup.horn")
    (folder / "cup.horn").write_text(cup.replace(":- light(?x)", ":- light(?x), open(?x)"))
    other = hornbook.KnowledgeBase("cup.horn")
    other.add([hornbook.GroundFact("light", ("a",))])
    for found in (rules.certified, [rules["mine"].rule]):
        with pytest.raises(hornbook.KnowledgeBaseError, match="`mine` is proved of another theory"):
            other.add_rules(found)
    assert not other.query("before cup(?x)")
    (folder / "cup.horn").write_text(cup.replace("light(a).", "light(b)."))
    same = hornbook.KnowledgeBase("cup.horn")
    same.add_rules(rules.certified)
    assert [rule.name for rule in same.rules if rule.learned] == ["mine"]


def test_an_assumption_that_may_break_a_learned_rule_is_refused(folder, run):
    """Check that an assumption about `heavy` is refused.

    The proof uses the rules that conclude `heavy`, and none of them concludes an assumed fact.
    """
    (folder / "shelf.horn").write_text(SHELF)
    (folder / "mine.horn").write_text("import shelf.\nr: marked(?x) :- heavy(?x).\n")
    assert run("rules", "prove", "mine.horn", "--theory", "shelf.horn")[0] == 0
    rules = hornbook.read_rules("mine.horn", "shelf.horn").certified
    heavy = hornbook.GroundFact("heavy", ("b",))
    base = hornbook.KnowledgeBase("shelf.horn")
    base.add_rules(rules)
    with pytest.raises(hornbook.KnowledgeBaseError, match="without the assumption"):
        base.add([heavy], assume=["heavy"])
    base = hornbook.KnowledgeBase("shelf.horn")
    base.add([heavy], assume=["heavy"])
    with pytest.raises(hornbook.KnowledgeBaseError, match="without the assumption"):
        base.add_rules(rules)
    base.retract([heavy])
    base.add_rules(rules)
