"""Whole games, whose states are texts that the native step reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.boards import grid as pictures
from hornbook.theories.boards.line_records import line_record
from hornbook.theories.protocols.missing_member import MissingMemberError
from hornbook.theories.protocols.pictures import Pictures
from hornbook.theories.protocols.states import States


class WholeGames(States, Pictures, Protocol):
    """Rules and texts of whole games."""

    def beginnings(self) -> Sequence[str]:
        """Return the initial states of whole games as the native step reads them, the usual one first."""
        return [self.write_line(state) for state in self.starts()]

    def position(self, text: str) -> Any:
        """Return the state of a text that the native step wrote."""
        return self.adapter.read(text, "<state>")

    def beginning(self, size: int) -> str | None:
        """Return the initial state on a board of `size` rows, or None if there is no such board."""
        for text in self.beginnings():
            try:
                if len(list(self.grid(self.position(text)))) == size:
                    return text
            except MissingMemberError:
                return None
        return None

    def mover(self, text: str) -> str:
        """Return the player to move in a state of a whole game."""
        return str(self.to_move(self.position(text)))

    def typed(self, text: str, move: str) -> str | None:
        """Return the legal move that a person typed in abbreviated form, or None.

        By default the full notation is accepted with any spaces and letters of either case.
        """
        input_move = "".join(move.split()).lower()
        found = [
            each for each, _ in self.turns(self.position(text)) if "".join(each.split()).lower() == input_move
        ]
        return found[0] if len(found) == 1 else None

    def refused(self, text: str, move: str) -> str | None:
        """Return the reason why a typed move is illegal, or None if there is nothing more to say."""
        return None

    def over(self, text: str) -> str:
        """Return the reason why a whole game ends in a state without moves."""
        return "play is over"

    def margin(self, outcome: float) -> str:
        """Return the margin of a win in the usual words."""
        return f"{abs(outcome):.10g}"

    def drawn(self, states: Sequence[str]) -> str | None:
        """Return the reason why a game with this history of states is a draw, or None if play goes on."""
        return "the same position for the third time" if states.count(states[-1]) > 2 else None

    def shown(self, text: str) -> str:
        """Return a state of a whole game for a terminal: its grid, or the text if there is no grid."""
        try:
            return f"to move: {self.mover(text)}\n{pictures.text(self.grid(self.position(text)))}"
        except MissingMemberError:
            return text.rstrip("\n")

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        """Return a whole game in a common file format; by default one line each for the initial state, moves
        and result.

        For the move `--` see `turned`.
        """
        return f"{beginning.rstrip()}\n{' '.join(moves)}\n{result}\n"

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        """Return the initial state and the moves of a game written by `record`, without checking legality.

        A file with only a state, such as a diagram, is a game without moves. Raises TheoryError.
        """
        record = line_record(text, file)
        if record is not None:
            with suppress(TheoryError):
                self.position(record.beginning)
                return record.beginning, [move for move, _ in record.moves]
        return self.write_line(self.adapter.read(text, file)), []

    def turned(self, text: str) -> str | None:
        """Return the same state of a whole game with the other player to move, or None if there is none.

        Records contain such turns, and so do programs that set up positions move by move. The moves of a
        record show one as `--`.
        """
        return None
