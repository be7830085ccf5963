"""Whether a block outlasts an attack, decided on plain Go without the theory, the rules or the reader.

The attacker's moves are all legal moves and the pass. The owner's moves are the pass and the legal moves at
liberties of the block, so a positive answer is a proof, and a negative one is not. If the block has more
liberties than the attacker has moves, the search ends, because a move fills at most one liberty of the block.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.theories.go.states.board import GoBoard, Player
from oracles.go.plain_go import OTHER, block, play, play_pass


class Siege:
    """Search for one block: can its owner keep it on the board? Results are cached.

    Attributes:
        stone: A stone of the block.
        owner: The player to whom the block belongs.
        bounded: Whether positions with more liberties than moves are decided at once.
    """

    def __init__(self, board: GoBoard, stone: int, *, bounded: bool = True) -> None:
        owner = board.colours[stone]
        assert owner != "empty"
        self.stone, self.owner, self.bounded = stone, owner, bounded
        self._attacked: dict[tuple[GoBoard, int], bool] = {}

    def stays(self, board: GoBoard, moves: int, *, first: Player) -> bool:
        """Return whether the block stays on the board for a number of moves of the attacker."""
        return self._defended(board, moves) if first == self.owner else self._survives(board, moves)

    def _survives(self, board: GoBoard, moves: int) -> bool:
        """Return whether the block stays if the attacker moves first."""
        if moves == 0 or (self.bounded and len(self._liberties(board)) > moves):
            return True
        if (board, moves) not in self._attacked:
            self._attacked[board, moves] = all(
                after.colours[self.stone] == self.owner and self._defended(after, moves - 1)
                for after in self._attacks(board)
            )
        return self._attacked[board, moves]

    def _defended(self, board: GoBoard, moves: int) -> bool:
        """Return whether the block stays if its owner moves first."""
        return any(self._survives(after, moves) for after in self._defences(board))

    def _attacks(self, board: GoBoard) -> Iterator[GoBoard]:
        """Yield the boards after the attacker's moves. Moves at liberties of the block come first."""
        attacker, near = OTHER[self.owner], self._liberties(board)
        for point in sorted(board.points(), key=lambda each: each not in near):
            after = play(board, attacker, point)
            if after is not None:
                yield after
        yield play_pass(board, attacker)

    def _defences(self, board: GoBoard) -> Iterator[GoBoard]:
        """Yield the boards after a pass and moves of the owner. Those with most liberties come first."""
        moves = (play(board, self.owner, point) for point in self._liberties(board))
        found = [play_pass(board, self.owner), *(after for after in moves if after is not None)]
        yield from sorted(found, key=lambda after: -len(self._liberties(after)))

    def _liberties(self, board: GoBoard) -> set[int]:
        return block(board, list(board.colours), self.stone)[1]
