"""Tests of outlasting an attack: nothing false is derived of bounds, and learned rules are never wrong."""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from hornbook import cli
from hornbook.compiler.rules import rulebase
from hornbook.games.audit.of_rules import Audit, RuleAuditor
from hornbook.games.solving import ProblemSolver, SolvedProblem
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, GameStatement, Statement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.theories.go import adapter
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.play import outlasting
from hornbook.theories.go.play.outlasting import LimitedAttack
from hornbook.theories.go.play.question import OUTLASTED
from hornbook.theories.go.problems import read_problems, shipped, write_problems
from hornbook.theories.go.states.board import PLAYERS, GoBoard
from oracles.go.plain_go import OTHER, block, play, play_pass

BOUNDS = ("ample", "ampler", "amplest")
TAUGHT = 4
"""Number of shipped problems that the rules of the tests are learned from."""


@cache
def theory():
    return load("outlasting")


def problems():
    return [problem for problem in read_problems(shipped("train")) if problem.value == "PP"]


# The theory against plain Go


def holds(board: GoBoard, counted: dict[str, int], statement: Statement) -> bool:
    """Return whether a statement is true of a board, with the numbers of moves that the players have left."""
    assert isinstance(statement, Atom | GameStatement)
    if isinstance(statement, GameStatement):
        return board.colours[board.point(str(statement.game.terms[0].value))] != "empty"
    values = [term.value for term in statement.terms]
    match statement.predicate:
        case "remaining":
            return counted[str(values[0])] == values[1]
        case "colour":
            return board.colours[board.point(values[0])] == values[1]
        case "legal":
            return play(board, values[0], board.point(values[1])) is not None
    stone, *moves, least = [board.point(value) if isinstance(value, str) else value for value in values]
    owner = board.colours[stone]
    if owner == "empty":
        return False
    then: GoBoard | None = board
    for move in moves:
        if then is None or move not in block(then, list(then.colours), stone)[1]:
            return False
        then = play(then, owner, move)
    return then is not None and len(block(then, list(then.colours), stone)[1]) >= least


def positions(seed: str):
    random = Random(seed)
    while True:
        board = random.choice(DOMAIN.random_game(random))
        if board.blocks and board.rows < 8:
            yield random, board


def derived(seed: str, number: int) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Return how often each relation is derived before and after actions, and what is false."""
    base, tally, false = KnowledgeBase(theory()), Counter[tuple[str, str]](), []
    for random, board in (each for each, _ in zip(positions(seed), range(number), strict=False)):
        defender = random.choice(PLAYERS)
        counted = {player: random.randrange(1, 4) for player in PLAYERS}
        named = random.sample(board.points(), min(len(board.points()), 18))
        base.push()
        base.add(adapter.facts(board))
        base.add(GroundFact("named", (board.name(point),)) for point in named)
        base.add([GroundFact("defender", (defender,))])
        base.add(GroundFact("remaining", (player, moves)) for player, moves in counted.items())
        for _ in range(6):
            player, point = random.choice(PLAYERS), random.choice(named)
            after = play(board, player, point) if random.random() < 0.9 else play_pass(board, player)
            if after is None:
                continue
            passes = after.colours == board.colours
            action = (
                GroundFact("pass", (player,)) if passes else GroundFact("move", (player, board.name(point)))
            )
            base.push()
            base.add([action])
            left = counted | {player: counted[player] - 1}
            for tense, state, moves in (("before", board, counted), ("after", after, left)):
                for relation in (*BOUNDS, "colour", "legal", "remaining"):
                    for statement in base.engine.statements(relation, tense):
                        tally[relation, tense] += 1
                        if not holds(state, moves, statement):
                            false.append(f"{print_condition(statement)}: {action}, {board}")
            base.pop()
        base.pop()
    return tally, false


def test_nothing_false_is_derived_before_and_after_an_action():
    tally, false = derived("one", 12)
    assert false[:3] == []
    assert min(tally[relation, tense] for relation in BOUNDS for tense in ("before", "after")) > 20


@pytest.mark.deep
def test_nothing_false_is_derived_of_more_positions():
    assert derived("more", 150)[1][:3] == []


def test_the_bounds_of_the_guidance_are_those_of_the_theory():
    base = KnowledgeBase(theory())
    for random, board in (each for each, _ in zip(positions("bounds"), range(6), strict=False)):
        target = min(random.choice(board.blocks).stones)
        owner = board.colours[target]
        base.push()
        base.add(adapter.facts(board))
        base.add(GroundFact("named", (board.name(point),)) for point in board.points())
        base.add([GroundFact("defender", (owner,)), GroundFact("remaining", (OTHER[owner], OUTLASTED))])
        found = {
            tuple(term.value for term in each.terms)
            for relation in BOUNDS
            for each in base.engine.statements(relation, "before")
        }
        stone, room = board.name(target), outlasting.room(board, target)
        bounds = chain(
            [((stone,), room.now)],
            (((stone, board.name(move)), n) for move, n in room.with_one.items()),
            (((stone, *map(board.name, moves)), n) for moves, n in room.with_two.items()),
        )
        for terms, number in bounds:
            assert all(((*terms, least) in found) == (least <= number) for least in range(1, 7)), terms
        base.pop()


# Learned rules


@pytest.fixture(scope="module")
def learned(tmp_path_factory) -> Path:
    """Return the folder with rules learned from a few shipped problems, and the output of learning."""
    place = tmp_path_factory.mktemp("outlasting")
    seem = [
        problem
        for problem in problems()
        if outlasting.outlasts(LimitedAttack(problem.board, problem.attacker, OUTLASTED), problem.target)
    ]
    captures = [problem for problem in read_problems(shipped("train")) if problem.value == "GG"]
    write_problems([*seem[:TAUGHT], *captures[:2]], place / "lessons.jsonl")
    write_problems(problems(), place / "problems.jsonl")
    arguments = ["learn", "outlasting", "--problems", str(place / "lessons.jsonl"), "--json"]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert cli.main([*arguments, "--into", str(place / "learned.horn")]) == 0
    (place / "report.json").write_text(printed.getvalue())
    return place


@pytest.fixture(scope="module")
def rules(learned):
    return [entry.rule for entry in rulebase.read(learned / "learned.horn", theory())]


def test_each_block_that_seems_to_outlast_is_proved_to(learned):
    report = json.loads((learned / "report.json").read_text())
    assert report["later"] == {"outlast": {"problems": TAUGHT, "first": TAUGHT, "second": [TAUGHT, TAUGHT]}}
    assert cli.main(["rules", "verify", str(learned / "learned.horn"), "--theory", "outlasting"]) == 0


def test_that_a_block_with_more_liberties_than_moves_stays_is_learned(learned):
    base = rulebase.read(learned / "learned.horn", theory())
    bodies = [
        {print_condition(each) for each in entry.rule.body} for entry in base if entry.rule.head.by is None
    ]
    for moves in range(1, OUTLASTED):
        bound = {f"ample(?b, {moves + 1})", f"remaining(?c, {moves})"}
        assert {"colour(?b, ?d)", "opponent(?d, ?c)", "named(?b)", *bound} in bodies


def test_problems_without_a_capture_are_answered_and_no_others(learned, rules):
    solver = ProblemSolver(theory(), rules)
    others = [problem for problem in read_problems(shipped("train")) if problem.value in ("GG", "GI", "GP")]
    found = list(solver.solve_each([*problems()[:40], *others[:40]]))
    values = Counter(each.value for each in found[:40])
    assert values["PP"] >= 10
    assert values["PP"] + values["unknown"] == 40
    assert all(each.value == "unknown" for each in found[40:])
    one_by_one = [solver.solve(problem).value for problem in problems()[:8]]
    assert one_by_one == [each.value for each in found[:8]]


def test_a_win_in_more_moves_is_no_contradiction(rules):
    solver = ProblemSolver(theory(), rules)
    (problem, solved) = next((p, s) for p in problems() if (s := solver.solve(p)).value == "PP")
    game = DOMAIN.query_of(problem).against[-1]
    taken = SolvedProblem(first=solved.safe, second=None, matched=1)
    known = solver._with_opposing(taken, game, solved.saved, solved.safe)
    assert (known.safe, known.value) == (None, "GP")


@pytest.mark.deep
def test_no_conclusion_about_random_positions_is_wrong(learned):
    base = rulebase.read(learned / "learned.horn", theory())
    audit = Audit(theory(), base, frozenset(base.entries), 30, 1)
    tallies = list(RuleAuditor(audit).parts(range(audit.parts())))
    assert [wrong for tally in tallies for wrong in tally.wrong] == []
    assert sum(sum(tally.right.values()) for tally in tallies) > 50
