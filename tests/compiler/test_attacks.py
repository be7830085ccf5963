"""Tests of attacks: the checker rejects each, and each is harmful: a state refutes its rule."""

from __future__ import annotations

import pytest

from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Constant, GameStatement, PlanStatement
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.proofs.attack import attacks
from oracles.proofs.plain_plans import is_so
from oracles.proofs.plain_truth import PlainTruth, firings, judged

every_attack = pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.name)


@every_attack
def test_the_checker_rejects_it(attack):
    theory = attack.theory
    if attack.matched or attack.answered:
        attack.verify(theory)
        return
    refusal = (RejectedError, ValueError) if attack.rules[-1].written else RejectedError
    with pytest.raises(refusal) as problem:
        attack.verify(theory)
    assert attack.because
    assert attack.because in str(problem.value)
    if attack.stated:
        with pytest.raises(TheoryError):
            load_text(attack.theory_text + attack.stated)


@every_attack
def test_it_would_be_wrong(attack):
    truth = PlainTruth(attack.theory)
    wrong = statement_at(attack.wrong, attack.wrong.tense or "before", truth.vocabulary)
    fired = {firing.head: firing for firing in firings(attack.forged, attack.facts, truth)}
    if attack.matched:
        assert wrong not in fired
        return
    if isinstance(wrong, PlanStatement):
        assert wrong in fired
        assert not is_so(truth, attack.facts, wrong)
        return
    firing = fired[wrong]
    assert judged(attack.forged, firing, attack.facts, truth, depth=1).kind == "wrong"


@pytest.mark.parametrize("attack", [a for a in attacks() if a.matched], ids=lambda attack: attack.name)
def test_no_matcher_answers_it(attack):
    theory = attack.theory
    matcher = RuleMatcher(theory, "")
    matcher.add(attack.forged)
    wrong = attack.wrong
    assert isinstance(wrong, GameStatement)
    assert isinstance(wrong.value, Constant)
    answers = {match.conclusion for match in matcher.matches(attack.facts, wrong.game, wrong.value)}
    assert statement_at(wrong, "before", theory.vocabulary) not in answers


@pytest.mark.parametrize("attack", [a for a in attacks() if a.answered], ids=lambda attack: attack.name)
def test_no_knowledge_base_answers_it(attack):
    theory = attack.theory
    base = KnowledgeBase(theory)
    base.add(attack.facts)
    base.add_rules([RuleEntry(attack.forged, attack.verify(theory), None).proved_for(base.theory)])
    assert not base.holds(attack.wrong)
