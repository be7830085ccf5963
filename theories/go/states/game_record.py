"""Whole games as SGF: read as their initial board and moves, and written.

A move is a point or `pass`. The turn goes to the other side without a pass by `--`, which records need for
several moves of one side in a row, and for moves after two passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, isfinite
from typing import Any

from hornbook.theories.go.states.board import GoBoard, Player
from hornbook.theories.go.states.diagram import parse_diagram
from hornbook.theories.go.states.sgf import NOWHERE, PLAYERS, SGF_COLOURS, SgfRecord, print_sgf, sgf_module
from hornbook.theories.go.states.sgf_text import is_sgf
from hornbook.theories.go.states.step import step

PASS = "pass"  # noqa: S105 - a move
TURN = "--"
KOMI = 7.5
MOST_KOMI = 361
_NUMBER = re.compile(r"\s*+[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)\s*+")


def print_game(board: GoBoard, moves: Sequence[str], komi: str, result: str | None) -> str:
    """Return a game as SGF.

    An unfinished game has no result. Raise BoardError if SGF cannot represent the board.
    """
    stones = any(colour != "empty" for colour in board.colours)

    def more(root: Any) -> None:
        root.set("KM", float(komi))
        if result is not None:
            root.set("RE", result)

    game = sgf_module("sgf", NOWHERE).Sgf_game.from_string(print_sgf(board, more=more))
    player: Player = board.to_play or "black"
    for move in moves:
        if move != TURN:
            point = None if move == PASS else divmod(board.point(move), board.columns)
            game.extend_main_sequence().set_move(SGF_COLOURS[player], point)
        player = _other(player)
    if moves and moves[-1] == TURN:
        game.extend_main_sequence().set("PL", SGF_COLOURS[player])
    if not stones:
        for name in ("AB", "AW", "AE"):
            with suppress(KeyError):
                game.get_root().unset(name)
    text: bytes = game.serialise()
    return text.decode("utf-8")


def parse_game(text: str, file: str = "<sgf>") -> tuple[GoBoard, list[str], float]:
    """Return the initial board of the first game of a text, the moves of its main line, and its
    komi (by default 7.5).

    A diagram is a game without moves. A game starts again at a node that sets up stones; the moves of a
    problem are not read. Raises TheoryError (HB005) if the text is not SGF, or a move is illegal: suicide is
    illegal, and ko is simple ko.
    """
    if not is_sgf(text):
        shown = parse_diagram(text, file)
        return replace(shown, to_play=shown.to_play or "black"), [], KOMI
    record = SgfRecord.of(text, file)
    record.warn_of_handicap()
    number = 1 if record.is_problem else len(record.nodes)
    begins = max((each for each in range(number) if record.sets_up(each)), default=0)
    for each in range(begins + 1):
        record.follow(each)
    letters = (record.move(each)[0] for each in range(begins + 1, number))
    first = record.to_play or next((PLAYERS[letter] for letter in letters if letter is not None), "black")
    board = replace(record.board(), to_play=first)
    return board, list(_moves(record, board, range(begins + 1, number))), _komi(record)


def _moves(record: SgfRecord, board: GoBoard, steps: range) -> Iterator[str]:
    assert board.to_play is not None
    mover, expected, passes = board.to_play, board.to_play, 0
    for each in steps:
        letter, place = record.move(each)
        if letter is not None:
            player = PLAYERS[letter]
            if passes == 2:
                yield from (TURN, TURN)
                passes = 1
            if player != mover:
                yield TURN
                passes = min(passes, 1)
            if place is None:
                yield PASS
                board, passes = replace(board, ko=None, to_play=_other(player)), passes + 1
            else:
                point = place[0] * board.columns + place[1]
                yield board.name(point)
                board, passes = _after(record, each, board, player, point), 0
            mover = expected = _other(player)
        expected = record.player(each) or expected
    if expected != mover:
        yield TURN


def _after(record: SgfRecord, number: int, board: GoBoard, player: Player, point: int) -> GoBoard:
    """Return the board after a move of a node. Raise TheoryError (HB005) if it is illegal."""
    after = step(board, player, point, _other(player))
    if after is None:
        why = (
            "a stone stands on another"
            if board.colours[point] != "empty"
            else "the ko forbids it"
            if point == board.ko and player == board.banned
            else "it would be suicide"
        )
        record.fail(number, f"{player} cannot play {board.name(point)}: {why}", "B", "W")
    return after


def _komi(record: SgfRecord) -> float:
    root = record.tree.nodes[0]
    value = root.value("KM")
    if value is None or not value.strip():
        return KOMI
    komi = float(value) if _NUMBER.fullmatch(value) else inf
    if not isfinite(komi) or not (2 * komi).is_integer() or abs(komi) > MOST_KOMI:
        root.place_of("KM").fail(
            f"a komi of `{value}` cannot be counted", f"komi is a number of half points, {MOST_KOMI} at most"
        )
    return komi


def _other(player: Player) -> Player:
    return "white" if player == "black" else "black"
