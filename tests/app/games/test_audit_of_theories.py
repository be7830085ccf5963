"""Tests of audits of theories: actions that are judged together have the verdicts of actions judged alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.games.audit import of_theory
from hornbook.games.audit.of_theory import TheoryAuditor, Walks, audited, steps
from hornbook.games.audit.refutations import refuted
from hornbook.inputs.domains import the_domain
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Comparison, Rule, Variable, outer_variables
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base import fact_states
from hornbook.kb.base.frames import breaches
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import Limits


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
    actions = [step for step in steps(domain, Walks(2, 8, 2)) if step is not None]
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
