"""Tests of rule matching on positions that are rotated, mirrored or colour-swapped, one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from hornbook.compiler.match.position import IncrementalState, RuleMatcher
from hornbook.kb.ast.parts import cached_part, rows_of
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.syntax import parse
from hornbook.theories.go.play import tactics
from hornbook.theories.go.states.board import GoBoard
from oracles.go.capture_lessons import (
    ON_THE_EDGE,
    THEORY,
    CaptureLearner,
    edge_learner,
    near_boards,
    problem_learner,
    problems,
    take,
)

SWAPPED = {"black": "white", "white": "black", "empty": "empty"}


def seen(
    state: GoBoard, place: Callable[[int, int], tuple[int, int]], *, swap: bool
) -> tuple[GoBoard, list[int]]:
    """Return a transformed square board, and the new place of each point."""
    side = state.rows
    to = [row * side + column for row, column in (place(*divmod(point, side)) for point in state.points())]
    colours = list(state.colours)
    for point, colour in zip(to, state.colours, strict=True):
        colours[point] = SWAPPED[colour] if swap else colour  # type: ignore[call-overload]
    return GoBoard(side, side, tuple(colours)), to


def ways(side: int) -> list[Callable[[int, int], tuple[int, int]]]:
    last = side - 1
    return [
        lambda r, c: (r, c),
        lambda r, c: (c, last - r),
        lambda r, c: (last - r, last - c),
        lambda r, c: (last - c, r),
        lambda r, c: (r, last - c),
        lambda r, c: (last - r, c),
        lambda r, c: (c, r),
        lambda r, c: (last - c, last - r),
    ]


def moves(learner: CaptureLearner, state: GoBoard, target: int) -> set[int]:
    """Return the winning moves that the rules give."""
    found = {m.conclusion.by.terms[1] for m in learner.says(state, target) if m.conclusion.by is not None}
    return {state.point(str(term.value)) for term in found}  # type: ignore[union-attr]


@pytest.mark.parametrize("way", range(8))
@pytest.mark.parametrize("swap", [False, True])
def test_a_board_turned_mirrored_or_with_colours_swapped_is_answered_alike(way, swap):
    for learner, state, target in [
        (edge_learner(), ON_THE_EDGE, ON_THE_EDGE.point("c1")),
        *((problem_learner(), p.board, p.target) for p in problems(3, 3)),
    ]:
        other, to = seen(state, ways(state.rows)[way], swap=swap)
        there = moves(learner, state, target)
        assert there
        assert moves(learner, other, to[target]) == {to[point] for point in there}


def test_only_what_is_queried_about_is_answered():
    learner = problem_learner()
    (problem,) = problems(1, 1)
    for match in learner.says(problem.board, problem.target):
        assert match.conclusion.game.terms == take(problem.board, problem.target).terms
        assert match.conclusion.value == WON
    stone = next(p for p in problem.board.points() if problem.board.colours[p] == problem.attacker)
    assert {m.conclusion.game.terms for m in learner.says(problem.board, stone)} <= {
        take(problem.board, stone).terms
    }


def test_rules_that_were_learned_first_answer_first():
    names = [p.rule.name for p in problem_learner().proved]
    (problem,) = problems(3, 1)
    order = [names.index(match.rule) for match in problem_learner().says(problem.board, problem.target)]
    assert order == sorted(order)
    assert order


def test_a_match_tells_what_it_speaks_of():
    match = next(m for m in edge_learner().says(ON_THE_EDGE, "c1") if str(m.conclusion.by).count("b1"))
    assert {"c1", "b1", "d1", "e1"} <= match.about
    assert "a5" not in match.about


@pytest.mark.deep
def test_what_was_matched_before_leaves_no_trace():
    """A matcher that is reused for several positions gives the same conclusions as a new one at each."""
    random, used = Random(3), problem_learner()
    for state in near_boards(3, 6):
        target = min(random.choice(state.blocks).stones)
        fresh = CaptureLearner()
        for proved in used.proved:
            fresh.prover.matcher.add(proved.rule)
        for value in (WON, SECOND_PLAYER_WIN):
            assert set(used.says(state, target, value)) == set(fresh.says(state, target, value))


def test_existing_at_positions_one_after_another_has_the_facts_of_each():
    base = KnowledgeBase(THEORY, derivations="none")
    existing = IncrementalState(base)
    for number, state in enumerate(near_boards(4, 12)):
        target = min(state.blocks[0].stones)
        parts = list(tactics.facts(state, take(state, target), frozenset({state.name(target)})))
        facts = [fact for part in parts for fact in part.facts()]
        # Exchange whole parts, only the facts that differ within parts, or single facts.
        match (0, 1, 2, 0, 2, 1)[number % 6]:
            case 0:
                existing.at_parts(parts)
            case 1:
                existing.at(parts)
            case _:
                existing.at(facts)
        fresh = KnowledgeBase(THEORY, derivations="none")
        fresh.add(facts)
        assert set(base.facts()) == set(fresh.facts())


def test_facts_that_two_positions_have_are_not_exchanged(monkeypatch):
    facts = [GroundFact("named", (name,)) for name in ("a1", "a2", "a3", "a4", "a5")]
    one, other = cached_part(rows_of, tuple(facts[:3])), cached_part(rows_of, tuple(facts[2:]))
    existing = IncrementalState(KnowledgeBase(THEORY, derivations="none"))
    existing.at([one])
    exchanged = []
    monkeypatch.setattr(
        existing.base.engine,
        "exchange_groups",
        lambda removed, come: exchanged.append((len(removed), len(come))),
    )
    existing.at([other])
    assert exchanged == [(2, 2)]
    existing.at(facts[2:])
    assert exchanged == [(2, 2)]


def test_a_rule_that_no_position_can_meet_says_nothing_and_stands_in_no_ones_way():
    (rule,) = parse("r: take(?b) is IG :- named(?b), firm(?b, 9).", "made.horn").clauses
    (other,) = parse("s: take(?b) is IG :- named(?b), liberties(?b, _).", "made.horn").clauses
    assert isinstance(rule, Rule)
    assert isinstance(other, Rule)
    without = [r for r in THEORY.rules if r.head.relation != "firm"]
    matcher = RuleMatcher(replace(THEORY, rules=tuple(without)), "named")
    matcher.add(rule)
    matcher.add(other)
    game = take(ON_THE_EDGE, ON_THE_EDGE.point("c1"))
    found = matcher.matches(tactics.facts(ON_THE_EDGE, game, None), game, SECOND_PLAYER_WIN)
    assert [match.rule for match in found] == ["s"]
