"""Tests of audits of theories: actions that are judged together have the verdicts of actions judged alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from hornbook.games.audit import of_theory
from hornbook.games.audit.of_theory import TheoryAuditor, Walks, audited, steps
from hornbook.games.audit.refutations import refuted
from hornbook.inputs.domains import the_domain
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Comparison, Rule, Variable, outer_variables
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base import fact_states
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import Limits
from hornbook.theories.domain import Domain


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Unset the variable for the engine; only the compiled one evaluates blocks."""
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)


def spoiled(theory: Theory, number: int) -> Theory:
    """Return a theory in which a rule about the moment after an action lacks a comparison or a condition."""
    places = [
        place
        for place, rule in enumerate(theory.rules)
        if rule.head.tense == "after" and any(isinstance(c, Comparison) for c in rule.body)
    ]
    place = places[number % len(places)]
    rule = theory.rules[place]
    body = tuple(c for c in rule.body if not isinstance(c, Comparison))
    return replace(
        theory, rules=(*theory.rules[:place], replace(rule, body=body), *theory.rules[place + 1 :])
    )


@pytest.mark.parametrize(("name", "number"), [("go", None), ("go", 0), ("othello", None), ("tiles", None)])
def test_actions_judged_together_have_the_verdicts_of_single_actions(name, number, monkeypatch):
    theory = load(name)
    domain = the_domain(theory, "what its actions are")
    if number is not None:
        theory = spoiled(theory, number)
    walks, limits = Walks(3, 8, 1), Limits(facts=100_000)
    found = [None, None]
    for place, few in enumerate((fact_states.FEW, 10_000)):
        monkeypatch.setattr(fact_states, "FEW", few)
        [*_, found[place]] = audited(theory, domain, walks, partial=False, limits=limits)
    assert found[0] == found[1]
    assert found[0].steps > 10


def test_breaches_are_those_of_a_knowledge_base():
    """Take away all frames' cases but the first, so that some changes are not allowed."""
    theory = load("go")
    domain = the_domain(theory, "what its actions are")
    frames = tuple(replace(frame, cases=frame.cases[:1]) for frame in theory.frames)
    narrow = replace(theory, frames=frames)
    actions = [step for step in steps(narrow, domain, Walks(2, 8, 2)) if step is not None]
    found = TheoryAuditor(narrow).judge(actions, of_theory.StepTally())
    base = KnowledgeBase(narrow)
    for step, difference in zip(actions, found, strict=True):
        base.push()
        base.add([*step.before, step.action])
        assert list(difference.broken) == list(map(str, breaches(base, step.after)))
        base.pop()
    assert any(difference.broken for difference in found)


def test_refutations_are_those_of_single_states(monkeypatch):
    theory = load("go")
    domain = the_domain(theory, "what its actions are")
    rules = []
    for rule in theory.rules:
        if isinstance(rule.head, Atom) and rule.head.tense is None and len(rule.body) > 1 and rule.label:
            rules.append(replace(rule, body=rule.body[:-1]))
    rules = [rule for rule in rules if not unbound(rule)][:12]
    assert len(rules) > 3
    sizes: list[int] = []
    evaluate = StateEngine.evaluate

    def counted(self, block, *arguments, **named):
        sizes.append(block.states)
        return evaluate(self, block, *arguments, **named)

    monkeypatch.setattr(StateEngine, "evaluate", counted)
    found = []
    for few in (fact_states.FEW, 10_000):
        monkeypatch.setattr(fact_states, "FEW", few)
        found.append(
            {name: str(each) for name, each in refuted(rules, theory, (), domain, Walks(1, 8, 3)).items()}
        )
        assert max(sizes) > 4
    assert found[0] == found[1]
    assert found[0]


def unbound(rule: Rule) -> bool:
    """Return whether a variable of the head is in no condition."""
    there = {variable.name for variable in outer_variables(rule.body)}
    return any(isinstance(term, Variable) and term.name not in there for term in rule.head.terms)


LOANS = """theory loans.
sort book. sort day = date. sort moment = time. sort euro = decimal(2). sort number = int.
fluent lent(book -> day).
fluent fee(book -> euro).
fluent seen(book -> moment).
fluent left(book -> number).
action renew(book, day).
later: after lent(?b, ?d) :- renew(?b, ?d), before lent(?b, _).
dearer: after fee(?b, ?e) :- renew(?b, _), before fee(?b, ?f), ?e = ?f + 0.50.
fewer: after left(?b, ?m) :- renew(?b, _), before left(?b, ?n), ?m = ?n - 1.
persists seen(?b, _).
"""


class Loans(Domain):
    """A simulator of one loan, which gives values as texts, or as objects of the standard library."""

    def __init__(self, *, has_objects: bool, cents: int) -> None:
        self.has_objects, self.cents = has_objects, cents

    def _values(self, day: int, cents: int) -> tuple[Any, Any, Any]:
        lent, fee = date(2024, 2, day), Decimal(cents).scaleb(-2)
        seen = datetime(2024, 2, 1, 12, 30, tzinfo=UTC)
        return (lent, fee, seen) if self.has_objects else (str(lent), str(fee), "2024-02-01T12:30")

    def facts(self, state, game=None, about=None):
        lent, fee, seen = self._values(*state)
        yield GroundFact("lent", ("dune", lent))
        yield GroundFact("fee", ("dune", fee))
        yield GroundFact("seen", ("dune", seen))
        yield GroundFact("left", ("dune", 29 - state[0]))

    def actions(self, state):
        return [GroundFact("renew", ("dune", self._values(state[0] + 1, 0)[0]))]

    def after(self, state, action):
        assert isinstance(action.values[1], date if self.has_objects else str)
        return state[0] + 1, state[1] + self.cents

    def starts(self):
        return [(1, 100)]


@pytest.mark.parametrize("has_objects", [False, True])
def test_values_of_a_simulator_are_compared_in_the_forms_of_the_theory(has_objects):
    theory = load_text(LOANS)
    right = Loans(has_objects=has_objects, cents=50)
    [*_, found] = audited(theory, right, Walks(2, 8, 1), partial=False)
    assert (found.steps, found.differing, found.first) == (16, 0, None)
    assert found.concluded == {"lent": 16, "fee": 16, "seen": 16, "left": 16}
    [*_, found] = audited(theory, Loans(has_objects=has_objects, cents=55), Walks(2, 8, 1), partial=False)
    assert found.differing == 16
    assert [name for name, _ in found.first.false] == ["fee(dune, 1.50)"]
    assert found.first.missing == ("fee(dune, 1.55)",)
