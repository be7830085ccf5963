"""`hornbook problems audit`: learned rules pass, and a rule with too strong a conclusion is detected."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleEntry, rule_base
from hornbook.compiler.rules.reach import friend_moves
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import Limits


@pytest.fixture
def audit(run):
    def audited(rules, *more):
        return run(
            "problems", "audit", "go", "--rules", str(rules), "--positions", "30", "--seed", "4", *more
        )[:2]

    return audited


def test_learned_rules_are_right(audit, taught):
    code, out = audit(taught / "learned.horn", "--problems", str(taught / "p.jsonl"), "--json")
    report = json.loads(out)
    assert (code, report["positions"], report["wrong"]) == (0, 36, [])
    assert report["right"]["1"] > 20
    assert report["right"]["3"] > 5


@pytest.mark.deep
def test_the_result_does_not_depend_on_the_jobs(audit, taught):
    one, two = (
        json.loads(audit(taught / "learned.horn", "--json", "--workers", workers)[1])
        for workers in ("1", "2")
    )
    assert one | {"seconds": 0} == two | {"seconds": 0}


def test_a_rule_that_says_too_much_is_found_out(audit, taught, tmp_path):
    base = rulebase.read(taught / "learned.horn", load("go"))

    def claims_too_much(entry: RuleEntry) -> RuleEntry:
        """Return an entry whose rule takes two liberties at once.

        Its certificate claims to prove that rule.
        """
        two = Atom("liberties", (entry.rule.body[0].terms[0], Constant(2)))  # type: ignore[union-attr]
        body = tuple(
            two if isinstance(c, Atom) and c.predicate == "liberties" else c for c in entry.rule.body
        )
        rule = replace(entry.rule, body=body)
        assert entry.certificate is not None
        certificate = replace(entry.certificate, of=fingerprint_of_rule(rule))
        return replace(entry, rule=rule, certificate=certificate)

    first = next(name for name, moves in friend_moves(base).items() if moves == 1 and "by_move" in name)
    entries = (claims_too_much(e) if e.rule.name == first else e for e in base)
    rulebase.write(rule_base("go", entries), tmp_path / "learned.horn")
    code, out = audit(tmp_path / "learned.horn")
    assert code == 1
    assert f"says {first}\n" in out
    assert "wrong: take(" in out
    assert "a b c d e" in out
    assert "certificate " in out


def test_how_far_rules_look_is_counted_down_their_lemmas(taught):
    base = rulebase.read(taught / "learned.horn", load("go"))
    moves = friend_moves(base)
    assert moves.keys() == base.entries.keys()
    assert set(moves.values()) >= {1, 2}
    for entry in base:
        assert entry.certificate is not None
        if "by_move" not in entry.rule.name:
            assert moves[entry.rule.name] == max([1, *(moves[name] for name in entry.certificate.lemmas)])


def test_a_match_that_takes_too_much_is_counted_and_nothing_of_it_is_judged(audit, taught, monkeypatch):
    monkeypatch.setattr(Budget, "limits", Limits(facts=800))
    code, out = audit(taught / "learned.horn", "--positions", "10", "--json")
    report = json.loads(out)
    assert (code, report["positions"], report["wrong"]) == (0, 10, [])
    assert 0 < report["stopped"]["more than 800 facts"] <= 20
    assert "matches stopped: more than 800 facts" in audit(taught / "learned.horn", "--positions", "10")[1]
