"""Tests of unlinking: a rule whose conditions cannot all hold costs nothing.

Nodes that lead only to such a rule are not visited.
"""

from __future__ import annotations

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Match, Var

STONE, NEXT_TO, LADDER, FOUND = range(4)
PREDICATES = (CodedPredicate(2), CodedPredicate(2), CodedPredicate(1), CodedPredicate(2))
A, B = Var(0), Var(1)


def rule(number: int) -> CodedRule:
    """Return a rule that starts at a stone, continues in a different way for each number, and needs a ladder."""
    body = (Match(STONE, (A, 1)), Match(NEXT_TO, (A, B)), Match(STONE, (B, number)), Match(LADDER, (B,)))
    return CodedRule(number, Match(FOUND, (number, A)), body, 2)


def visits(rules: int, *facts: Fact) -> int:
    """Return the number of visited nodes when a stone is added."""
    engine = CompiledEngine(PREDICATES)
    board = [Fact(STONE, (point, point)) for point in range(2, 60)]
    engine.update(add=[*board, *(Fact(NEXT_TO, (0, point)) for point in range(60)), *facts])
    engine.update(add_rules=[rule(number) for number in range(2, 2 + rules)])
    engine.update(add=[Fact(STONE, (100, 1))])  # plans are made when they are first needed
    engine.profile(True)
    change = engine.update(add=[Fact(STONE, (0, 1))])
    assert len(change.added) == 1 + len(facts)
    return sum(node.visits for node in engine.profile_report().nodes)


def test_rules_that_need_what_is_nowhere_are_not_visited():
    ladders = [Fact(LADDER, (point,)) for point in range(2, 52)]
    assert visits(50) == visits(1) <= 2
    assert visits(50, *ladders) > 100


def test_they_are_visited_again_when_it_comes():
    engine = CompiledEngine(PREDICATES)
    engine.update(add=[Fact(STONE, (0, 1)), Fact(NEXT_TO, (0, 5)), Fact(STONE, (5, 5))], add_rules=[rule(5)])
    for _ in range(3):
        assert not engine.update(add=[Fact(STONE, (7, 1))], retract=[Fact(STONE, (0, 1))]).added - {
            Fact(STONE, (7, 1))
        }
        engine.update(add=[Fact(STONE, (0, 1))], retract=[Fact(STONE, (7, 1))])
        assert Fact(FOUND, (5, 0)) in engine.update(add=[Fact(LADDER, (5,))]).added
        assert Fact(FOUND, (5, 0)) in engine.update(retract=[Fact(STONE, (0, 1))]).removed
        assert Fact(FOUND, (5, 0)) in engine.update(add=[Fact(STONE, (0, 1))]).added
        assert Fact(FOUND, (5, 0)) in engine.update(retract=[Fact(LADDER, (5,))]).removed


def test_no_plans_are_made_for_facts_from_which_nothing_can_follow():
    engine = CompiledEngine(PREDICATES)
    others = [Fact(NEXT_TO, (5, point)) for point in range(500)]
    besides = [Fact(NEXT_TO, (0, point)) for point in range(50)]
    engine.update(add=[Fact(STONE, (0, 1)), *others])
    engine.update(add_rules=[rule(number) for number in range(2, 100)])
    before = engine._core.nodes()
    engine.update(add=besides)
    engine.update(retract=besides[:40])
    assert engine._core.nodes() == before
    engine.update(add=[Fact(LADDER, (7,))])
    engine.update(add=[Fact(STONE, (7, 7)), Fact(NEXT_TO, (0, 7))])
    assert engine.facts(FOUND) == {(7, 0)}
    # The fact that all rules need is removed together with another one they need, and both return.
    engine.update(retract=[Fact(LADDER, (7,)), Fact(NEXT_TO, (0, 7))])
    assert not engine.facts(FOUND)
    engine.update(add=[Fact(LADDER, (7,)), Fact(NEXT_TO, (0, 7))])
    assert engine.facts(FOUND) == {(7, 0)}
    # A new rule without a ladder derives facts from then on, and the others still wait.
    engine.update(retract=[Fact(LADDER, (7,))])
    engine.update(add_rules=[CodedRule(0, Match(FOUND, (A, B)), (Match(NEXT_TO, (A, B)),), 2)])
    engine.update(add=[Fact(NEXT_TO, (1, 2))])
    assert engine.facts(FOUND) == {
        fact.cells for fact in [*besides[40:], *others, Fact(NEXT_TO, (1, 2)), Fact(NEXT_TO, (0, 7))]
    }


def test_a_rule_is_planned_for_changes_once_all_that_it_needs_has_facts():
    def plain(number: int) -> CodedRule:
        return CodedRule(number, Match(FOUND, (number, A)), (Match(STONE, (A, number)),), 1)

    def nodes_of(waiting: int) -> list[int]:
        engine = CompiledEngine(PREDICATES)
        engine.update(add_rules=[plain(1000), *(rule(number) for number in range(2, 2 + waiting))])
        stones = [Fact(STONE, (point, point)) for point in range(2, 60)]
        engine.update(add=[*stones, Fact(STONE, (0, 1)), Fact(STONE, (1, 1000))])
        assert engine.facts(FOUND) == {(1000, 1)}
        nodes = [engine._core.nodes()]
        engine.update(add=[Fact(NEXT_TO, (0, 5))])
        engine.update(add=[Fact(STONE, (70, 70))])
        nodes.append(engine._core.nodes())
        # Both needs come in one change, or one after the other.
        engine.update(add=[Fact(LADDER, (5,))])
        assert engine.facts(FOUND) == {(1000, 1), *({(5, 0)} if waiting else ())}
        engine.update(retract=[Fact(STONE, (0, 1))])
        assert engine.facts(FOUND) == {(1000, 1)}
        engine.update(retract=[Fact(LADDER, (5,)), Fact(NEXT_TO, (0, 5))], add=[Fact(STONE, (0, 1))])
        engine.update(add=[Fact(LADDER, (5,)), Fact(NEXT_TO, (0, 5))])
        assert engine.facts(FOUND) == {(1000, 1), *({(5, 0)} if waiting else ())}
        return [*nodes, engine._core.nodes()]

    few, many = nodes_of(0), nodes_of(40)
    whole = many[0] - few[0]  # the plans of full matching
    assert whole > 0
    assert many[1] - few[1] <= whole
    assert many[2] - few[2] > 2 * whole
