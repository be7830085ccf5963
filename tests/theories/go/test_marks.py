"""Tests of points marked by the conditions of a rule, and of marked boards as text and pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Condition, Constant, Rule
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.parse.syntax import parse
from hornbook.theories.boards.marks import Mark, legend
from hornbook.theories.go.pictures.marked_board import marked_svg, marked_text
from hornbook.theories.go.pictures.marks import ROLES, marked, says_what_is_meant
from hornbook.theories.go.states.diagram import parse_diagram

BOARD = parse_diagram("""\
  a b c d e
5 . . . . .
4 . X . . O
3 . X . X .
2 X O . X .
1 . . X . .
""")
WORDS = Words(load("go").vocabulary.predicates)
CONDITIONS = """\
  named(b2), player(black), b2 != c2, liberties(b2, 2), liberty(b2, c2), liberty(b2, b1), beside(b1, empty, a1),
  firm_unless(b2, c2, 2), guard(b1, black, 2), besides(b1, white, 0), strong_with(c2, d2, 3), clear(e4, c2),
  all ?x in beside(b1, empty, ?x): ?x != c2
"""


def conditions(text: str = CONDITIONS) -> tuple[Condition, ...]:
    (rule,) = parse(f"r: take(b2) is GI :- {text}.").clauses
    assert isinstance(rule, Rule)
    return rule.body


def marks() -> list[Mark]:
    take, move = Atom("take", (Constant("b2"),)), Atom("move", (Constant("black"), Constant("c2")))
    return marked(BOARD, take, move, conditions(), WORDS)


def test_every_point_that_is_mentioned_of_has_one_role():
    assert {mark.name: mark.places for mark in marks()} == {
        "target": ("b2",),
        "move": ("c2",),
        "liberty": ("b1",),
        "escape": ("a1",),
        "wall": ("a2", "b3", "b4"),
        "guard": ("c1",),
        "other": ("d2", "d3", "e4"),
    }


def test_every_condition_stands_with_one_mark_in_words():
    asks = {mark.name: mark.asks for mark in marks()}
    assert asks["target"] == ("b2 has 2 liberties",)
    assert asks["wall"] == ("each has 2 liberties or more, or one at c2",)
    assert asks["guard"] == ("each beside b1 has 2 liberties or more",)
    assert asks["other"] == ("e4 has no liberty at c2",)
    reported = sum(len(queried) for queried in asks.values())
    assert reported == sum(not says_what_is_meant(condition) for condition in conditions())


def test_what_says_only_which_things_are_meant_is_reported_apart():
    assert all(map(says_what_is_meant, conditions("named(b2), b2 != c2, colour(b2, white)")))
    assert not any(map(says_what_is_meant, conditions("liberties(b2, ?n), ?n >= 2")))


def test_a_condition_that_has_no_words_is_shown_as_it_is_written():
    take = Atom("take", (Constant("b2"),))
    (mark,) = marked(BOARD, take, None, conditions("sleeping(b2, 3)"), WORDS)
    assert mark.asks == ("sleeping(b2, 3)",)


def test_a_block_that_is_saved_by_a_pass_has_no_move():
    save, nothing = Atom("save", (Constant("b2"),)), Atom("pass", (Constant("white"),))
    found = marked(BOARD, save, nothing, conditions("liberty(b2, c2), lasting(white)"), WORDS)
    assert legend(found) == [
        "t  the block to save: b2",
        "l  its liberties: c2",
        "     c2 is a liberty of b2",
        "o  other stones, already marked",
        "     lasting(white)",
    ]


def test_the_board_as_text():
    assert marked_text(BOARD, marks()) == (
        "  a  b  c  d  e\n"
        "5 .  .  .  .  .\n"
        "4 .  Xw .  .  Oo\n"
        "3 .  Xw .  Xo .\n"
        "2 Xw Ot .m Xo .\n"
        "1 .e .l Xg .  .\n"
    )
    lines = legend(marks())
    assert lines[:3] == ["t  the block to capture: b2", "     b2 has 2 liberties", "m  the move: c2"]


def test_the_board_as_a_picture():
    picture = marked_svg(BOARD, marks(), "black & white")
    root = ET.fromstring(picture)
    texts = [text.text or "" for text in root.iter() if text.tag.endswith("text")]
    mentioned = [name for mark in marks() for name in mark.places]
    letters = [text for text in texts if text in {role.letter for role in ROLES.values()} - set("e")]
    assert "black & white" in texts
    assert len(letters) == len([m for m in marks() if m.name != "escape" for _ in m.places])
    circles = [circle for circle in root.iter() if circle.tag.endswith("circle")]
    assert len(circles) == len(mentioned) + sum(colour != "empty" for colour in BOARD.colours)
    assert marked_svg(BOARD, marks(), "black & white") == picture
