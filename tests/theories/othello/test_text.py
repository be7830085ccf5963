"""Tests of reading and writing positions and games of Othello as text, and of the messages for mistakes."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.othello import adapter
from hornbook.theories.othello.domain import DOMAIN
from hornbook.theories.othello.states.position import OthelloPosition, start
from hornbook.theories.othello.states.text import parse, print_diagram, print_line
from hornbook.theories.othello.states.transcript import PASS, parse_transcript, print_transcript
from oracles.othello.steps import positions

FOUR = ("- O - -", "- O X -", "- X O -", "- - - -")


def moves_of(states: list[OthelloPosition]) -> list[str]:
    """Return the moves that lead from each position to the next."""
    return [
        next(DOMAIN.write_move(a, action) for action in DOMAIN.actions(a) if DOMAIN.after(a, action) == b)
        for a, b in pairwise(states)
    ]


@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("write", [print_line, print_diagram])
def test_what_is_written_is_read_again(size, write):
    for state in positions(size, Random(size)):
        assert adapter.read(write(state), "again") == state


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


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "hint"),
    [
        ("f5d6\nc3 d9", 2, 4, "`d9` is no move", "squares from a1 to h8"),
        ("f5d6x", 1, 5, "`x` is no move", "squares from a1 to h8"),
        ("f5f5", 1, 3, "white cannot play f5: a disc is there already", "white can play f4, d6, f6"),
        ("f5 a1", 1, 4, "white cannot play a1: it flips nothing", "white can play f4, d6, f6"),
        ("f5 pass", 1, 4, "white cannot pass here", "white can play f4, d6, f6"),
        ("----OX--XO----- X", 1, 1, "15 squares on one line", "X for each black disc"),
        ("-----OX--XO----- Z", 1, 18, "this does not say who is to move", "X (black) or O (white)"),
        ("-----OX--XO-----", 1, 17, "this does not say who is to move", "X (black) or O (white)"),
        ("-----OX--XO----- X\n\nX", 3, 1, "the position ended on the line before", "one file has one"),
        ("", 1, 1, "a row of 0 squares", "X for each black disc"),
        ("- O - -\n- O X\n- X O -\n- - - -", 2, 1, "a row of 3 squares under one of 4", "X for each"),
        ("- O - -\n- O X -", 2, 1, "2 rows of 4 squares", "X for each black disc"),
        ("2 - O - -\n- O X -\n- X O -\n- - - -", 1, 1, "row 1 is numbered 2", "from the top"),
        ("  a b c e\n" + "\n".join(FOUR), 1, 1, "not the letters", "they are a b c d"),
        ("- O - -\n- O Q -\n- X O -\n- - - -", 2, 5, "unexpected character `Q`", "X for each"),
        ("to move: red\n" + "\n".join(FOUR), 1, 10, "`red` is not a player", "to move: white"),
    ],
)
def test_mistakes_are_reported_with_their_place(text, line, column, message, hint):
    with pytest.raises(TheoryError) as raised:
        adapter.read(text, "board.txt")
    found = raised.value.diagnostics[0]
    assert message in found.message
    assert hint in found.help
    assert (found.span.file, found.span.line, found.span.column) == ("board.txt", line, column)


def test_nothing_is_played_after_the_end():
    short = "e6f4e3f6g5d6e7f5c5"
    game = parse_transcript(short)
    assert "O" not in game.positions[-1].cells
    with pytest.raises(TheoryError) as raised:
        adapter.read(f"{short}a1", "game.txt")
    assert "the game is over" in raised.value.diagnostics[0].help


def test_illegal_actions_lead_nowhere():
    state = start()
    for written in ("a1", "d4"):
        action = next(iter(DOMAIN.actions(state)))
        assert adapter.step(state, type(action)("put", ("black", written))) is None
    assert adapter.step(state, type(action)("put", ("black", "z1"))) is None
    assert adapter.step(state, type(action)("put", ("white", "d3"))) is None
    assert adapter.step(state, type(action)("pass", ("8x8",))) is None
    assert adapter.step(state, type(action)("resign", ("8x8",))) is None
