"""Tests of generated engine workloads: they depend only on the seed and have their documented form."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.engine import go_search, learned, patterns, program_text
from benchmarks.engine.program_text import Clause, Condition, Predicate, Update
from benchmarks.engine.workloads import WORKLOADS
from hornbook.theories.go.states.diagram import parse_diagram

pytestmark = pytest.mark.deep

SMALL = {
    "closure-chain": 10,
    "closure-random": 10,
    "same-generation": 3,
    "points-to": 100,
    "many-rules": 30,
    "learned-rules": 1,
}


@pytest.mark.parametrize("name", SMALL)
def test_a_seed_gives_the_same_program_again(name, tmp_path):
    make = WORKLOADS[name].make
    assert make is not None
    texts = []
    for number, seed in enumerate((1, 1, 2)):
        make(tmp_path / str(number), SMALL[name], seed)
        texts.append((tmp_path / str(number)).read_bytes())
    assert texts[0] == texts[1]
    if name not in ("closure-chain", "same-generation"):
        assert texts[0] != texts[2]


def test_a_program_is_read_as_it_was_written(tmp_path):
    rule = Clause(Condition(1, (7, -1, -2)), (Condition(0, (-1, -2)), Condition("<=", (-1, 5))))
    update = Update((0, (1, 2)), (0, (1, 3)))
    path = tmp_path / "program.txt"
    predicates = [Predicate("edge", 2), Predicate("match_2", 3)]
    program_text.write(path, predicates, [(0, (1, 2)), (0, (2, 1))], [rule], [1], [update])
    program = program_text.read(path)
    assert program.predicates == predicates
    assert program.facts == {0: [(1, 2), (2, 1)]}
    assert list(program.rules()) == [rule]
    assert (program.queried, program.updates) == ([1], [update])


def test_the_rules_are_different_connected_patterns_of_6_to_10_conditions():
    bodies = list(patterns.rules(Random(5), 400))
    assert len(set(bodies)) == 400
    assert {len(body) for body in bodies} <= set(range(6, 11))
    assert len({len(body) for body in bodies}) > 3
    for body in bodies:
        bound = {-1}
        for condition in body:
            variables = {term for term in condition.terms if term < 0}
            assert variables & bound, body
            bound |= variables
        assert bound == set(range(-len(bound), 0))


def test_rules_begin_alike():
    bodies = list(patterns.rules(Random(5), 400))
    prefixes = {body[:length] for body in bodies for length in range(1, len(body) + 1)}
    assert len(prefixes) < sum(len(body) for body in bodies) / 2


def test_each_update_starts_from_what_the_last_one_left(tmp_path):
    patterns.many_rules(tmp_path / "program.txt", 1, 3)
    program = program_text.read(tmp_path / "program.txt")
    colours = dict(program.facts[patterns.COLOUR])
    assert len(program.updates) == patterns.UPDATES
    for update in program.updates:
        (removed, (point, old)), (added, (same, new)) = update.removed, update.added
        assert removed == added == patterns.COLOUR
        assert point == same
        assert colours[point] == old != new
        colours[point] = new


def test_learned_rules_are_matched_by_their_bodies(tmp_path):
    learned.learned_rules(tmp_path / "program.txt", 2, 1)
    program = program_text.read(tmp_path / "program.txt")
    rules = list(program.rules())
    assert rules
    for rule in rules:
        variables = {term for condition in rule.body for term in condition.terms if term < 0}
        assert set(rule.head.terms[1:]) == variables


def played(text: str, player: go_search.Player, point: str) -> go_search.GoBoard:
    board = parse_diagram(text, "test")
    return go_search.play(board, player, board.point(point))


def test_a_move_takes_what_it_leaves_without_liberties():
    after = played("3 . . .\n2 . . .\n1 O . .\n", "black", "a2")
    assert after.colours[after.point("a1")] == "white"
    after = played("3 . . .\n2 . . .\n1 O X .\n", "black", "a2")
    assert after.colours[after.point("a1")] == "empty"
    assert after.ko is None


def test_taking_one_stone_with_one_that_can_be_retaken_is_a_ko():
    after = played("3 . X O .\n2 X O . O\n1 . X O .\n", "black", "c2")
    assert after.ko == after.point("b2")
    assert after.banned == "white"
    assert ("white", after.point("b2")) not in set(go_search.legal_moves(after))
    assert ("black", after.point("b2")) in set(go_search.legal_moves(after))


def test_a_move_changes_the_facts_that_differ():
    game = go_search.game(2, 4)
    for position in game.positions:
        before = set(position.facts)
        assert len(before) == len(position.facts)
        for play in position.plays:
            assert set(play.removed) <= before
            assert before.isdisjoint(play.added)
            assert play.added
