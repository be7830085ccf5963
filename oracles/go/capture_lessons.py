"""Proofs of captures for the tests: boards, a prover with its learned rules, and their conclusions on a
board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.match.position import FocusSet, RuleMatch
from hornbook.compiler.prove.winning import ProvedRule, ProverMoves, WinProver
from hornbook.inputs.theories import load
from hornbook.kb.ast.parts import in_parts
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go.play import tactics
from hornbook.theories.go.problems.files import read_problems, shipped
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.states.board import Colour, GoBoard, Player
from oracles.go.capture_run import CAPTURE
from oracles.go.plain_go import OTHER, play

THEORY = load(CAPTURE)


def board(side: int, black: str, white: str) -> GoBoard:
    """Return a square board with stones on the given points."""
    empty: Colour = "empty"
    plain = GoBoard(side, side, (empty,) * side**2)
    colours: list[Colour] = list(plain.colours)
    for name in black.split():
        colours[plain.point(name)] = "black"
    for name in white.split():
        colours[plain.point(name)] = "white"
    return replace(plain, colours=tuple(colours))


def take(state: GoBoard, target: int | str) -> Atom:
    return Atom("take", (Constant(target if isinstance(target, str) else state.name(target)),))


@dataclass
class CaptureLearner:
    """A prover and the rules that it learned, each with its own name."""

    play: ProverMoves = tactics
    proved: list[ProvedRule] = field(default_factory=list)
    prover: WinProver = field(init=False)

    def __post_init__(self) -> None:
        self.prover = WinProver(THEORY, self.play, self._admit)

    def _admit(self, proved: ProvedRule) -> ProvedRule:
        rule = replace(proved.rule, label=f"rule_{len(self.proved) + 1}")
        named = ProvedRule(rule, replace(proved.certificate, of=fingerprint_of_rule(rule)))
        self.proved.append(named)
        return named

    def rules_of(self, value: Constant) -> list[ProvedRule]:
        return [
            p for p in self.proved if isinstance(p.rule.head, GameStatement) and p.rule.head.value == value
        ]

    def says(self, state: GoBoard, target: int | str, value: Constant = WON) -> list[RuleMatch]:
        """Return the conclusions of the rules about a block, without search."""
        game = take(state, target)
        return self.prover.matcher.matches(tactics.facts(state, game), game, value)


def facts_of(
    play: ProverMoves, state: GoBoard, game: Atom, about: FocusSet | None = None
) -> list[GroundFact]:
    """Return the facts of a board in a play, one by one."""
    return [fact for part in in_parts(play.facts(state, game, about)) for fact in part.facts()]


ON_THE_EDGE = board(5, "b2 c2 d2", "c1")
"""Black b1 takes c1 after every reply of White (design, section 7)."""


@cache
def edge_learner() -> CaptureLearner:
    """Return a learner that learned from that one position."""
    learner = CaptureLearner()
    assert learner.prover.won(ON_THE_EDGE, take(ON_THE_EDGE, "c1"), 2)
    return learner


def problems(depth: int, number: int) -> list[CaptureProblem]:
    """Return the first `number` shipped problems of `depth` plies."""
    return [p for p in read_problems(shipped("train")) if p.depth == depth][:number]


@cache
def problem_learner() -> CaptureLearner:
    """Return a learner that learned from a dozen problems."""
    learner = CaptureLearner()
    for problem in [*problems(1, 3), *problems(3, 6), *problems(5, 3)]:
        assert problem.depth is not None
        moves = (problem.depth + 1) // 2
        learner.prover.won(problem.board, take(problem.board, problem.target), moves)
    return learner


def random_boards(seed: int, number: int, sides: Sequence[int] = (5, 6, 7, 9)) -> Iterator[GoBoard]:
    """Yield positions of random games with many blocks of few liberties."""
    random = Random(seed)
    for _ in range(number):
        side = random.choice(sides)
        state = board(side, "", "")
        player: Player = "black"
        for _ in range(random.randrange(side**2 // 3, side**2 * 3 // 2)):
            tries = (play(state, player, random.choice(state.points())) for _ in range(8))
            state = next((after for after in tries if after is not None), state)
            player = OTHER[player]
        yield state


def near_boards(seed: int, number: int) -> Iterator[GoBoard]:
    """Yield positions of problems after one or two random moves, where learned rules may or may not hold."""
    random, shipping = Random(seed), [p.board for p in read_problems(shipped("train"))]
    for _ in range(number):
        state = random.choice(shipping)
        for _ in range(random.randrange(1, 3)):
            state = play(state, random.choice(("black", "white")), random.choice(state.points())) or state
        yield state
