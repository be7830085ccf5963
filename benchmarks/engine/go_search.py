"""Search workload: positions of random play on 9×9, and for each legal move the facts that change.

The moves are played here, by code that shares nothing with the theory. The legal moves that the theory
derives in the position are compared with the played ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.coding import Coding
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact
from hornbook.theories.go.adapter import facts
from hornbook.theories.go.states.board import PLAYERS, Colour, GoBoard, Player

SIDE = 9
LONGEST_GAME = 40
"""Maximal number of random moves before a position.

A move then changes about 20 facts, and more if blocks are long.
"""


@dataclass(frozen=True, slots=True)
class Play:
    """Given facts that a move removes, and those that it adds."""

    removed: list[Fact]
    added: list[Fact]


@dataclass(frozen=True, slots=True)
class Position:
    """Given facts of a position, and every legal move of both players."""

    facts: list[Fact]
    plays: list[Play]


@dataclass(frozen=True, slots=True)
class Game:
    """Theory of boards as the engine reads it, and positions.

    The number of the predicate of legal moves is `legal`.
    """

    predicates: Sequence[CodedPredicate]
    rules: list[CodedRule]
    theory_facts: list[Fact]
    legal: int
    positions: list[Position]

    @property
    def changed_facts(self) -> float:
        """Average number of facts that change in a move."""
        plays = [play for position in self.positions for play in position.plays]
        return sum(len(play.removed) + len(play.added) for play in plays) / len(plays)


def game(positions: int, seed: int) -> Game:
    theory = load("board")
    coding = Coding(theory.vocabulary)
    rules = [coded for number, rule in enumerate(theory.rules) for coded in coding.rule(number, rule)]
    given = [coding.fact(ground_fact(statement)) for statement in theory.facts]
    random = Random(seed)
    found = [_position(board, coding) for board in (random_board(random) for _ in range(positions))]
    return Game(coding.predicates, rules, given, coding.predicate_id("legal", "before"), found)


def _position(board: GoBoard, coding: Coding) -> Position:
    known: dict[GroundFact, Fact] = {}

    def coded(facts: Iterator[GroundFact]) -> list[Fact]:
        return [known.setdefault(fact, coding.fact(fact)) for fact in facts]

    before = list(facts(board))
    plays = []
    for player, point in legal_moves(board):
        after = list(facts(play(board, player, point)))
        was, will = set(before), set(after)
        removed = coded(fact for fact in before if fact not in will)
        plays.append(Play(removed, coded(fact for fact in after if fact not in was)))
    return Position(coded(iter(before)), plays)


def random_board(random: Random) -> GoBoard:
    """Return a board after random legal moves of alternating players; a player without a move passes."""
    empty: list[Colour] = ["empty"] * (SIDE * SIDE)
    board = GoBoard(SIDE, SIDE, tuple(empty))
    for turn in range(random.randint(0, LONGEST_GAME)):
        player = PLAYERS[turn % 2]
        moves = [point for mover, point in legal_moves(board) if mover == player]
        if moves:
            board = play(board, player, random.choice(moves))
    return board


def legal_moves(board: GoBoard) -> Iterator[tuple[Player, int]]:
    for player in PLAYERS:
        for point in board.points():
            banned = point == board.ko and player == board.banned
            if board.colours[point] == "empty" and not banned and _breathes(board, player, point):
                yield player, point


def _breathes(board: GoBoard, player: Player, point: int) -> bool:
    """Return whether a stone would have a liberty, its own or one from a capture."""
    if any(board.colours[neighbour] == "empty" for neighbour in board.neighbours(point)):
        return True
    touching = [block for block in board.blocks if point in block.liberties]
    return any((block.colour == player) == (len(block.liberties) > 1) for block in touching)


def play(board: GoBoard, player: Player, point: int) -> GoBoard:
    """Return the board after a legal move, with captures and with a ko ban for the other player."""
    colours: list[Colour] = list(board.colours)
    colours[point] = player
    captured: list[int] = []
    for block in board.blocks:
        if block.colour != player and block.liberties == {point}:
            captured += block.stones
    for stone in captured:
        colours[stone] = "empty"
    after = GoBoard(board.rows, board.columns, tuple(colours))
    if len(captured) == 1:
        own = next(block for block in after.blocks if point in block.stones)
        if len(own.stones) == 1 and own.liberties == {captured[0]}:
            return replace(after, ko=captured[0])
    return after
