"""Tests of reading and writing positions and games of checkers as text, and of the messages for mistakes."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.inputs.states import read_state
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.checkers import adapter
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.pdn import PdnGame, parse_game, print_game
from hornbook.theories.checkers.states.position import CheckersPosition, start
from hornbook.theories.checkers.states.text import parse, parse_fen, print_diagram, print_line

FEW = "W:W18,K30:B1,K15"


def a_game(random: Random, beginning: CheckersPosition) -> PdnGame:
    """Return a random game of whole turns."""
    moves, positions = [], [beginning]
    while len(moves) < 90:
        turns = list(rules.turns(positions[-1]))
        if not turns:
            break
        squares, after = random.choice(turns)
        moves.append(squares)
        positions.append(after)
    return PdnGame(tuple(moves), tuple(positions), (("Event", "a test"),), "1/2-1/2")


@pytest.mark.parametrize("fen", [None, FEW, "B:W18,22,25,26:BK15,1,2,3"])
def test_games_are_written_and_read_again(fen):
    for seed in range(8):
        beginning = start() if fen is None else parse(fen)
        played_game = a_game(Random(seed), beginning)
        text = print_game(played_game, None if fen is None else print_line(beginning))
        again = parse_game(text, "game.pdn", parse_fen)
        assert again.positions == played_game.positions
        assert (again.result, again.tags[0]) == ("1/2-1/2", ("Event", "a test"))
        assert adapter.read(text, "game.pdn") == played_game.positions[-1]


def test_games_have_comments_variations_and_judgements():
    text = '[Event "x"]\n\n1. 11-15! {good; (so} 23-19 $1 (22-18 2. 15x22 {; by far})\n2. 8-11 ; and so on 1-0\n22-17 *\n9-13'
    game = parse_game(text, "game.pdn", parse_fen)
    assert [f"{a + 1}-{b + 1}" for a, b in game.moves] == ["11-15", "23-19", "8-11", "22-17"]


def test_fen_as_others_write_it():
    plain = parse(FEW)
    assert parse("W:B1,K15:W18,K30.") == plain
    assert parse(" w : b1 , k15 : w18 , k30 ".replace(" ", "")) == plain
    assert parse("B:W21-32:B1-12") == start()


def test_diagrams_need_no_frame():
    rows = print_diagram(start()).splitlines()[2:]
    assert parse("\n".join(row[2:].replace(" ", "") for row in rows)) == start()
    assert parse("\n".join(row.replace(".", "-") for row in rows)) == start()


ROWS = "\n".join(["........"] * 7)


def test_a_capture_that_is_written_like_another_is_named_by_its_squares():
    position = parse("W:WK2:B6,7,14,15,23")
    ways = [squares for squares, _ in rules.turns(position)]
    ends = [(squares[0], squares[-1]) for squares in ways]
    assert len(set(ends)) < len(ends)
    for squares, after in rules.turns(position):
        game = PdnGame((squares,), (position, after))
        assert parse_game(print_game(game, print_line(position)), "g", parse_fen).moves == (squares,)


@pytest.mark.parametrize(
    "text",
    [
        '[Event "a"]\n% 9-13\n1. 11-15 23-19\n\n[Event "b"]\n1. 9-13',
        '\ufeff[Event "a"]\n[GameType "21"]\n1. 11-15 23-19',
        '[GameType "21,W,8,8,A1,0"]\n1. 11-15 {a\n% b } 23-19 *\n\n1. 9-14 99',
    ],
)
def test_only_the_first_game_is_read(text):
    game = parse_game(text.removeprefix("\ufeff"), "game.pdn", parse_fen)
    assert [f"{a + 1}-{b + 1}" for a, b in game.moves] == ["11-15", "23-19"]


def test_a_game_of_other_rules_is_refused_with_its_place():
    with pytest.raises(TheoryError, match="this is a game of other rules") as raised:
        parse('[Event "a"]\n[GameType "20"]\n\n1. 32-28 19-23', "game.pdn")
    assert (raised.value.diagnostics[0].span.line, raised.value.diagnostics[0].span.column) == (2, 12)


def test_a_game_in_latin_1_is_read():
    data = '[White "Gösta"]\n1. 11-15 23-19 *'.encode("latin-1")
    assert adapter.decode(data, "game.pdn") == data.decode("latin-1")


@pytest.mark.parametrize("text", ["B:W21-32:B1-12\n", "% from a book\n\nW:WK5:B1\n"])
def test_a_game_can_begin_with_a_position(text):
    assert DOMAIN.recorded(text, "game.pdn") == (print_line(adapter.read(text, "game.pdn")), [])


def test_game_of_tags_only_takes_no_moves_of_the_next():
    text = '[Event "a"]\n[FEN "B:W18:B1"]\n\n[Event "b"]\n\n1. 1-5 *\n'
    assert print_line(parse(text)) == print_line(parse("B:W18:B1"))


@pytest.mark.parametrize(
    ("number", "line"), [(1, "B:W18:B1"), (2, "W:W21-32:B1-10,12,15"), (3, "W:W21-32:B1-9,11,12,14")]
)
def test_game_of_a_file_is_chosen_by_its_number(tmp_path, number, line):
    games = '[Event "a"]\n[FEN "B:W18:B1"]\n\n[Event "b"]\n\n1. 11-15 *\n1. 10-14 *\n'
    (tmp_path / "games.pdn").write_text(games, encoding="utf-8")
    assert print_line(read_state("checkers", tmp_path / f"games.pdn#{number}").value) == print_line(
        parse(line)
    )
    with pytest.raises(TheoryError, match="there is no game 4: the file has 3 games"):
        read_state("checkers", tmp_path / "games.pdn#4")
