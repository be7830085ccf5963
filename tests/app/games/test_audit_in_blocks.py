"""Tests of audits of rules: states that are matched together have the verdicts of states matched alone."""

from __future__ import annotations

from collections import Counter

import pytest

from hornbook.compiler.match import unfolding
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules import rulebase
from hornbook.games.audit import of_rules
from hornbook.games.audit.of_rules import PART, Audit, AuditTally, RuleAuditor, audited
from hornbook.inputs.theories import load
from hornbook.matcher.compiled.states import StateEngine


@pytest.fixture(scope="module")
def audit(taught) -> Audit:
    theory = load("go")
    base = rulebase.read(taught / "learned.horn", theory)
    return Audit(base.definitions.extended(theory), base, frozenset(base.entries), 70, 3, facts=1000)


def by_single_states(audit: Audit) -> AuditTally:
    """Return the counts of an auditor that matches one state after another."""
    auditor = RuleAuditor(audit)
    matcher = RuleMatcher(audit.theory, auditor.domain.focus_predicate, auditor.budget.limits)
    for entry in audit.rules:
        matcher.add(entry.rule)
    tally = AuditTally()
    for number in range(audit.parts()):
        for state in audit.of_part(number, auditor.domain):
            tally.positions += 1
            for question in auditor.domain.questions(state, audit.theory):
                try:
                    stated = matcher.ordered_statements(question.parts, question.games)
                except Exception as problem:  # noqa: BLE001 - the auditor decides
                    auditor._judge(state, problem, tally)
                else:
                    auditor._judge(state, stated, tally)
    return tally


def described(tally: AuditTally) -> tuple[object, ...]:
    wrong = Counter((each.rule, each.statement) for each in tally.wrong)
    return tally.positions, tally.right, tally.undecided, wrong, tally.fired, tally.stopped


@pytest.mark.parametrize("together", [1, 3, 25])
def test_states_matched_together_have_the_verdicts_of_single_states(audit, together, monkeypatch):
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)
    monkeypatch.setattr(of_rules, "_TOGETHER", together)
    sizes = []
    evaluate = StateEngine.evaluate

    def counted(self, block, *arguments, **named):
        sizes.append(block.states)
        return evaluate(self, block, *arguments, **named)

    monkeypatch.setattr(StateEngine, "evaluate", counted)
    total = AuditTally()
    for tally in audited(audit):
        total.add(tally)
    assert described(total) == described(by_single_states(audit))
    assert total.stopped
    assert total.right.total() > 20
    assert (max(sizes) > 2 * PART) == (together > 1)  # there are two queries about a state


def test_the_next_audit_has_its_rules_ready(audit, tmp_path, monkeypatch):
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path))
    first = [described(tally) for tally in audited(audit)]
    monkeypatch.setattr(unfolding, "unfolded", None)  # only rules that are not ready are unfolded
    assert [described(tally) for tally in audited(audit)] == first
