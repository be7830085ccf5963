"""Connection as a domain: two stones of one colour that are to become one block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, Atom, Condition, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.explain.descriptions import Words
from hornbook.theories.boards.places import Box
from hornbook.theories.domain import ConclusionsOf, Domain, FocusSet, game
from hornbook.theories.go import adapter
from hornbook.theories.go.connection import links
from hornbook.theories.go.domain import DOMAIN as GO
from hornbook.theories.go.play import question
from hornbook.theories.go.states.board import PLAYERS, GoBoard, Player
from hornbook.theories.problems import GameProblem, ProblemRequest

DEEPEST = 3
"""Maximal number of the connecting player's moves in exhaustive searches, for making problems
and finding proofs.
"""


class ConnectionDomain(Domain):
    """Domain of connections: a game for each pair of nearby blocks of a player. Either side may pass."""

    adapter = adapter
    states = GoBoard

    def facts(self, state: GoBoard, game: Atom | None = None, about: FocusSet | None = None) -> Iterable[Any]:
        """Return the board in parts, with the focus set `about`, by default the whole board."""
        points = None if about is None else {p for p in state.points() if state.name(p) in about}
        return [*question.board_parts(state), *question.named(state, points)]

    def parts(self, state: GoBoard) -> Sequence[Part]:
        return list(self.facts(state))

    def actions(self, state: GoBoard) -> Iterator[GroundFact]:
        """Yield the legal actions of the player to move, including the pass."""
        for action in adapter.actions(state):
            if self.after(state, action) is not None:
                yield action

    def after(self, state: GoBoard, action: GroundFact) -> GoBoard | None:
        return GO.after(state, action)

    def to_move(self, state: GoBoard) -> Player:
        return state.to_play or "black"

    def write(self, state: GoBoard) -> str:
        return GO.write(state)

    def random_game(self, random: Random) -> list[GoBoard]:
        boards = GO.random_game(random)
        return [replace(board, to_play=board.to_play or random.choice(PLAYERS)) for board in boards]

    # Games

    def games(self, state: GoBoard) -> Sequence[Atom]:
        return [
            game("connect", state.name(min(one.stones)), state.name(min(other.stones)))
            for one, other in combinations(state.blocks, 2)
            if one.colour == other.colour and _are_near(state, one.liberties, other.liberties)
        ]

    def friend(self, state: GoBoard, game: Atom) -> Player:
        return links.owner(state, _pair(state, game))

    def outcome(self, state: GoBoard, game: Atom) -> bool | None:
        return links.outcome(state, _pair(state, game))

    # Guidance

    def attempts(self, state: GoBoard, game: Atom, moves: int) -> Iterable[GroundFact]:
        pair = _pair(state, game)
        player = links.owner(state, pair)
        for most in range(1, min(moves, DEEPEST) + 1):
            if found := links.connecting_moves(state, pair, most):
                return [GroundFact("move", (player, state.name(point))) for point in found]
        return ()

    def replies(self, state: GoBoard, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        player = links.opponent(self.friend(state, game))
        for point in state.points():
            if state.colours[point] == "empty" and state.name(point) in about:
                yield GroundFact("move", (player, state.name(point)))

    def wider(self, state: GoBoard, game: Atom, about: FocusSet) -> Iterable[FocusSet]:
        """Yield `about`, then the same with one more liberty of each of the two blocks.

        A block with such a liberty is not captured by a move elsewhere.
        """
        yield about
        found = (links.block_at(state, point) for point in _pair(state, game))
        more = {
            point
            for block in found
            if block is not None
            for point in sorted(block.liberties, key=lambda p: (state.name(p) in about, p))[:1]
        }
        yield about | {state.name(point) for point in more}

    # Judgement

    def judge(
        self, state: GoBoard, conclusion: GameStatement, moves: int, asking: ConclusionsOf
    ) -> bool | None:
        """Judge a conclusion by exhaustive search within `moves` moves of the owner."""
        pair = _pair(state, conclusion.game)
        if conclusion.value == SECOND_PLAYER_WIN:
            return links.is_connected(state, pair, moves)
        found = links.connecting_moves(state, pair, moves)
        return bool(found) if conclusion.by is None else state.point(str(_last(conclusion.by))) in found

    # Problems

    def make_problems(self, request: ProblemRequest) -> Iterator[GameProblem]:
        """Yield problems from random games: two nearby blocks of the player to move, with the
        quickest connecting moves.
        """
        random = Random(request.seed)  # noqa: S311 - problems are no secrets
        for number in range(1, request.number + 1):
            depth = random.choice(request.depths or (1, 3))
            yield next(self._problems(random, f"c{number:05}", depth))

    def _problems(self, random: Random, name: str, depth: int | None) -> Iterator[GameProblem]:
        """Yield problems of `depth` plies, or for None problems without a connection within a few moves."""
        most = DEEPEST if depth is None else (depth + 1) // 2
        while True:
            state = random.choice(self.random_game(random))
            games = self.own_games(state)
            if not games:
                continue
            goal = random.choice(games)
            tried = {m: links.connecting_moves(state, _pair(state, goal), m) for m in range(1, most + 1)}
            moves = next((m for m, found in tried.items() if found), None)
            if depth == (None if moves is None else 2 * moves - 1):
                winning = () if moves is None else map(state.name, tried[moves])
                yield GameProblem(name, self.write(state), state, goal, moves, tuple(winning))

    def write_move(self, state: GoBoard, action: GroundFact) -> str:
        return str(action.values[-1])

    # Pictures

    def picture(self, state: GoBoard, title: str) -> str:
        return GO.picture(state, title)

    def places(self, state: GoBoard) -> Mapping[str, Box]:
        return GO.places(state)

    def marked_picture(
        self, state: GoBoard, conclusion: GameStatement, met: Iterable[Condition], title: str, words: Words
    ) -> str:
        return GO.marked_picture(state, conclusion, met, title, words)


def _pair(state: GoBoard, game: Atom) -> links.Pair:
    one, other = (state.point(str(term.value)) for term in game.terms if isinstance(term, Constant))
    return one, other


def _last(action: Atom) -> str | int:
    term = action.terms[-1]
    assert isinstance(term, Constant)
    return term.value


def _are_near(state: GoBoard, one: frozenset[int], other: frozenset[int]) -> bool:
    """Return whether two blocks have a common liberty, or adjacent liberties."""
    return not other.isdisjoint({near for point in one for near in (point, *state.neighbours(point))})


DOMAIN = ConnectionDomain()
