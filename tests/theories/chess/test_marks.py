"""Tests of marks on chess positions.

Every square has one role, every condition belongs to a mark, and pictures show both.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.parse.syntax import parse_query
from hornbook.theories.boards.marks import legend
from hornbook.theories.chess.pictures.marked_board import marked_svg
from hornbook.theories.chess.pictures.marks import ROLES, marked, says_what_is_meant
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import ChessPosition

WORDS = Words(load("chess").vocabulary.predicates)
FORK = parse_fen("K5N1/8/8/8/8/k2r4/3r4/7B b - - 0 1")
FORKED = (
    "legal(black, d3, d8), opponent(white, black), owner(g8, white), at(d3, black, rook), forks(d3, d8, rook, g8),"
    " king(white, a8), hits(d3, d8, rook), clear(d3, d4), worth(rook, 5), d3 != d8, 3 < 5, strange(h1)"
)
SVG = "{http://www.w3.org/2000/svg}"


def game(text: str) -> Atom:
    (atom,) = parse_query(text).conditions
    assert isinstance(atom, Atom)
    return atom


def marks_of(position: ChessPosition, about: str, move: str | None, conditions: str):
    met = parse_query(conditions).conditions
    return marked(position, game(about), None if move is None else game(move), met, WORDS)


def test_squares_have_roles_and_conditions_are_reported_in_words():
    assert legend(marks_of(FORK, "take(g8)", "move(d3, d8)", FORKED)) == [
        "the man to take: g8",
        "  the man on g8 is white's",
        "  with a rook on d8, the man on g8 is lost wherever the king steps",
        "the man that moves: d3",
        "  a black rook stands on d3",
        "where it goes: d8",
        "  black may move from d3 to d8",
        "  a rook on d8 gives check",
        "the king: a8",
        "  the white king is on a8",
        "other men: h1",
        "  strange(h1)",
        "empty squares: d4",
        "  nothing stands between d3 and d4",
        "of no square",
        "  a rook is worth 5",
        "  3 < 5",
    ]


@pytest.mark.parametrize(
    ("fen", "about", "move", "first"),
    [
        ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "mate(black)", "move(e1, e8)", "the king to mate: g8"),
        (
            "7k/2P5/8/8/8/8/8/K7 w - - 0 1",
            "crown(white, c7)",
            "promote(c7, c8, queen)",
            "the pawn to promote: c7",
        ),
        ("K5N1/8/8/8/8/k2r4/3r4/7B b - - 0 1", "take(g8)", None, "the man to take: g8"),
    ],
)
def test_what_a_game_is_about_comes_first(fen, about, move, first):
    assert legend(marks_of(parse_fen(fen), about, move, "opponent(white, black)"))[0] == first


def test_a_square_has_one_role_and_what_only_names_sides_is_left_out():
    marks = marks_of(FORK, "take(g8)", "move(d3, d8)", FORKED)
    squares = [name for mark in marks for name in mark.places]
    assert len(squares) == len(set(squares))
    meant = [c for c in parse_query(FORKED).conditions if says_what_is_meant(c)]
    assert len(meant) == 2  # about sides, and that squares differ
    assert sum(len(mark.asks) for mark in marks) == len(parse_query(FORKED).conditions) - len(meant)


def test_a_picture_rings_every_marked_square_in_its_colour_and_draws_the_move():
    marks = marks_of(FORK, "take(g8)", "move(d3, d8)", FORKED)
    drawn = ET.fromstring(marked_svg(FORK, marks, "a & b", ("d3", "d8")))
    rings = {ring.get("stroke"): 0 for ring in drawn.iter(f"{SVG}circle")}
    assert rings.keys() == {mark.role.colour for mark in marks if mark.places}
    assert len(list(drawn.iter(f"{SVG}circle"))) == sum(len(mark.places) for mark in marks)
    assert len(list(drawn.iter(f"{SVG}line"))) == len(list(drawn.iter(f"{SVG}polygon"))) == 1
    (line,) = drawn.iter(f"{SVG}line")
    assert line.get("x1") == line.get("x2")  # along the file
    output = [text.text for text in drawn.iter(f"{SVG}text")]
    assert "a & b" in output
    assert "○ the man to take: g8" in output


def test_without_a_move_there_is_no_arrow():
    assert "<line" not in marked_svg(FORK, marks_of(FORK, "take(g8)", None, "owner(g8, white)"), "t")


def test_every_role_has_a_colour():
    assert all(role.colour for role in ROLES.values())
    assert marks_of(FORK, "take(g8)", None, "mated(white)")[-1].name == "nowhere"
    assert game("mate(white)").terms == (Constant("white"),)
