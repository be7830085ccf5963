"""Tests of the messages for mistakes in states of games as text: each names its place and gives a hint."""

from __future__ import annotations

import pytest

import hornbook
from hornbook.inputs.domains import domain_of
from hornbook.kb.sources.diagnostics import TheoryError

LINE = "OOOOO/OOOOOO/--OOO--/--------/---------/--------/--XXX--/XXXXXX/XXXXX"
FOUR = ("- O - -", "- O X -", "- X O -", "- - - -")
ROWS = "\n".join(["........"] * 7)
MISTAKES = {
    "abalone": [
        ("", 1, 1, "0 rows", "rows of 5, 6"),
        (f"{LINE} Z", 1, 1, "this does not say who is to move", "X (black) or O (white)"),
        (LINE, 1, 1, "this does not say who is to move", "X (black) or O (white)"),
        (
            f"{LINE.replace('--------', '-------', 1)} X",
            1,
            1,
            "a row of 7 cells, which has 8",
            "rows of 5, 6",
        ),
        (f"{LINE.replace('--OOO--', '--OQO--')} X", 1, 1, "unexpected character `Q`", "X for each black"),
        (f"{LINE.replace('-----', 'O----', 1)} X", 1, 1, "15 marbles O", "has 14 to begin with"),
        (f"to move: red\n{LINE}", 1, 10, "`red` is not a player", "to move: white"),
        ("h O O O O O", 1, 1, "this is not row h", "i, h, g"),
    ],
    "othello": [
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
    "checkers": [
        ("1. 11-15 23-99", 1, 10, "white cannot play 23-99", "white can play 21-17"),
        ("11-15 banana", 1, 7, "`banana` is no move", "11-15"),
        ("11-15 {open", 1, 7, "`{` is not closed", "braces"),
        ("11-15 )", 1, 7, "`)` closes nothing", "braces"),
        ("[Event broken]\n11-15", 1, 1, "this is no tag", "Tinsley"),
        ('[FEN "B:W18:B33"]', 1, 14, "there is no square 33", "1 to 32"),
        ('[FEN "W:WK6:B1,2,9,10"]\n6x22', 2, 1, "white cannot play 6x22", "white can play 6x15, 6x13"),
        ("B:W18", 1, 1, "does not say where both sides stand", "B:W21,22"),
        ("B:W18:B18", 1, 8, "on 18 stands a piece already", "once"),
        ("B:W18:Bx", 1, 8, "`x` is no square", "B:W21,22"),
        ("B:W18:Q7:B1", 1, 7, "says nothing of a position", "B:W21,22"),
        ("B:W2:B1", 1, 1, "a man of white on 2", "write a king"),
        ("B:WK1-13:B14", 1, 1, "white has 13 pieces", "at most 12"),
        ("B:W18:B11:J11", 1, 1, "on 11 is no piece of black that can jump", "go on"),
        ("B:W18:B1\n\nB", 3, 1, "the position ended on the line before", "one file has one"),
        (f"b.......\n{ROWS}", 1, 1, "a piece on a light square: a", "dark squares"),
        (ROWS, 7, 1, "7 rows of 8", "b or w for each man"),
        (f"...\n{ROWS}", 1, 1, "a row of 3 squares", "b or w for each man"),
        (f"7 ........\n{ROWS}", 1, 1, "row 8 is numbered 7", "from the bottom"),
        (f"..q.....\n{ROWS}", 1, 3, "unexpected character `q`", "b or w for each man"),
        (f"to move: red\n........\n{ROWS}", 1, 10, "`red` is not a player", "to move: white"),
    ],
    "tiles": [
        ("", 1, 1, "there is no position", "2 to 5 rows"),
        ("1 0 2 3 4", 1, 1, "5 numbers on one line", "put / between rows"),
        ("1 0 2\n3 4", 2, 1, "a row of 2 numbers under one of 3", "equally long"),
        ("1 0 2\n3 4 x", 2, 5, "`x` is no tile", "1 to 5, and 0"),
        ("1 0 2\n3 4 6", 2, 5, "`6` is no tile", "1 to 5, and 0"),
        ("1 0 2\n3 4 ٣", 2, 5, "`٣` is no tile", "1 to 5, and 0"),
        ("1 0 2\n3 4 4", 2, 5, "4 is there already", "on one square"),
        ("/ 1 0 2", 1, 1, "there is no row before", "between two rows"),
        ("0", 1, 1, "a board of 1 × 1 squares", "2 to 5 rows"),
        ("0 1 2 3 4 5\n6 7 8 9 10 11", 1, 1, "a board of 2 × 6 squares", "2 to 5 rows"),
        ("0 2 1\n3 4 5", 1, 1, "no slides solve this position", "swap two tiles"),
    ],
}


@pytest.mark.parametrize(
    ("game", "text", "line", "column", "message", "hint"),
    [(game, *row) for game, rows in MISTAKES.items() for row in rows],
)
def test_mistakes_are_reported_with_their_place(game, text, line, column, message, hint):
    with pytest.raises(TheoryError) as raised:
        domain_of(hornbook.read_theory(game)).adapter.read(text, "board.txt")
    found = raised.value.diagnostics[0]
    assert message in found.message
    assert hint in found.help
    assert (found.span.file, found.span.line, found.span.column) == ("board.txt", line, column)
