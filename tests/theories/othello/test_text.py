"""Tests of reading and writing positions and games of Othello as text, and of the messages for mistakes."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.othello import adapter
from hornbook.theories.othello.domain import DOMAIN
from hornbook.theories.othello.states.position import OthelloPosition
from hornbook.theories.othello.states.text import parse
from hornbook.theories.othello.states.transcript import PASS, parse_transcript, print_transcript
from oracles.othello.steps import positions

FOUR = ("- O - -", "- O X -", "- X O -", "- - - -")


def moves_of(states: list[OthelloPosition]) -> list[str]:
    """Return the moves that lead from each position to the next."""
    return [
        next(DOMAIN.write_move(a, action) for action in DOMAIN.actions(a) if DOMAIN.after(a, action) == b)
        for a, b in pairwise(states)
    ]


@pytest.mark.parametrize("passes", [True, False])
def test_games_are_written_and_read_again(passes):
    passing = 0
    for seed in range(12):
        states = list(positions(8, Random(seed)))
        moves = moves_of(states)
        passing += PASS in moves
        text = print_transcript(moves, passes=passes)
        assert ("--" in text) == (PASS in (moves if passes else moves[-1:]))
        game = parse_transcript(text)
        assert (list(game.moves), list(game.positions)) == (moves, states)
        assert adapter.read(text.upper(), "shouted") == states[-1]
        if PASS in moves:
            at = moves.index(PASS) + 1
            stopped = print_transcript(moves[:at], passes=passes)
            assert parse_transcript(stopped).positions[-1] == states[at]
    assert passing > 0


def test_transcripts_have_numbers_spaces_and_comments():
    plain = parse_transcript("f5d6c3d3c4").positions[-1]
    assert adapter.read("1. f5 2. D6\n3. c3 4. d3 % and\n5. c4\n", "spread") == plain


def test_diagrams_need_no_frame():
    plain = OthelloPosition("white", "".join(FOUR).replace(" ", ""))
    framed = ["to move: white", "  a b c d", *(f"{n} {row} {n}" for n, row in enumerate(FOUR, 1))]
    assert parse("\n".join(framed)) == plain
    assert (
        parse("to move: white\n" + "\n".join(FOUR).replace(" ", "").replace("O", "o").replace("X", "*"))
        == plain
    )
    assert parse(f"{plain.cells} O;") == plain
    assert parse("\n".join(FOUR)).to_move == "black"


def test_nothing_is_played_after_the_end():
    short = "e6f4e3f6g5d6e7f5c5"
    game = parse_transcript(short)
    assert "O" not in game.positions[-1].cells
    with pytest.raises(TheoryError) as raised:
        adapter.read(f"{short}a1", "game.txt")
    assert "the game is over" in raised.value.diagnostics[0].help
