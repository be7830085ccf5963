"""Regression test: a new rule once missed a fact whose own rule was replaced in the same update."""

from __future__ import annotations

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Match


def test_a_rule_that_comes_while_the_rule_of_the_only_fact_is_replaced():
    """Between the two changes nothing follows, but 0() is still linked and remains a fact."""
    always = CodedRule("always", Match(0, ()), (), 0)
    reader = CodedRule("reader", Match(1, (7,)), (Match(0, ()),), 0)
    engine = CompiledEngine((CodedPredicate(0), CodedPredicate(1)))
    engine.update(add_rules=[always])
    change = engine.update(remove_rules=["always"], add_rules=[reader, always])
    assert (change.added, change.removed) == ({Fact(1, (7,))}, set())
