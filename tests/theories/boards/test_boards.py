"""Tests of features shared by all board games.

They are pictures with the theory's words, marks with a legend, and rows of a diagram.
"""

from __future__ import annotations

import pytest

from hornbook.kb.ast.terms import Rule
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.boards import grid
from hornbook.theories.boards.diagram import DiagramLayout, printed, read
from hornbook.theories.boards.marks import Mark, Role, board_with_legend, in_order, legend

LAYOUT = DiagramLayout(
    "row", "ox.", ("to move",), "a row has `o`, `x` or `.`", "a diagram may say `to move: black`"
)
DIAGRAM = "to move: black\n  a b c\n2 o . x\n1 . x .\n"
ROLES = {
    "way": Role("where it goes", "#15803d", "w"),
    "man": Role("men", "#b91c1c", "m"),
    "none": Role("more", "#52525b", "n"),
}


def test_a_picture_says_what_a_rule_asks_in_the_words_of_the_theory():
    theory = load_text(
        'sort place. fluent man(place, place) says "a man on ?1 looks at ?2". fluent bare(place).'
    )
    (rule,) = parse("r: win(a1) is GI :- man(a1, b2), bare(b2), a1 != b2.").clauses
    assert isinstance(rule, Rule)
    words = Words(theory.vocabulary.predicates)
    drawn = grid.svg([[("a1", "x"), ("b2", "")]], "a title", rule.head, rule.body, words)
    assert "a man on a1 looks at b2</text>" in drawn
    assert "bare(b2)</text>" in drawn
    assert "a1 != b2</text>" in drawn
    assert "man(a1, b2)" in grid.svg([[("a1", "x"), ("b2", "")]], "a title", rule.head, rule.body)


def test_marks_state_in_the_order_of_roles_and_say_everything_once():
    of_place = {"a1": "man", "b2": "way", "c1": "man"}
    queried = [("man", "it stands"), ("none", "and more"), ("man", "it stands")]
    marks = in_order(ROLES, of_place, ["c1", "b2", "a1"], queried)
    assert [(mark.name, mark.places, mark.asks) for mark in marks] == [
        ("way", ("b2",), ()), ("man", ("c1", "a1"), ("it stands",)), ("none", (), ("and more",)),
    ]  # fmt: skip
    assert legend(marks) == [
        "w  where it goes: b2", "m  men: c1 a1", "     it stands", "n  more, already marked", "     and more",
    ]  # fmt: skip


def test_a_long_title_and_legend_stay_next_to_the_board():
    mark = Mark("man", ROLES["man"], ("a1",), ("word " * 30,))
    drawn = board_with_legend("title " * 30, [mark], ["<g/>"], left=100, width=90, height=80)
    texts = [
        line.partition(">")[2].removesuffix("</text>")
        for line in drawn.split("\n")
        if line.startswith("<text")
    ]
    assert len(texts) > 5
    assert max(map(len, texts)) <= 60
    assert 'width="570"' in drawn
    assert "<text" not in board_with_legend("t", [], ["<g/>"], left=100, width=90, height=80)


def test_a_diagram_is_read_and_printed():
    shown = read(DIAGRAM, "made", LAYOUT)
    shown.check_coordinates("abc")
    assert shown.player("to move") == "black"
    assert [row.cells for row in shown.rows] == ["o.x", ".x."]
    assert printed(["to move: black"], ["o.x", ".x."], "abc") == DIAGRAM
    assert read("ox% and more\n\n.x", "made", LAYOUT).player("to move") is None


def check(text):
    shown = read(text, "made", LAYOUT)
    shown.player("to move")
    shown.check_coordinates("abc")


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("black", "green", (1, 10), "`green` is not a player"),
        ("to move", "to go", (1, 1), "unknown heading `to go`"),
        ("a b c", "a b d", (2, 1), "these are not the letters of the columns"),
        ("2 o", "3 o", (3, 1), "row 2 is numbered 3"),
        (". x .", ". q .", (4, 5), "unexpected character `q`"),
        (". x .", ". 4 x .", (4, 1), "this is not a row of a board"),
    ],
)
def test_what_is_wrong_with_a_diagram_is_shown_at_its_place(old, new, place, message):
    with pytest.raises(TheoryError) as caught:
        check(DIAGRAM.replace(old, new))
    (found,) = caught.value.diagnostics
    assert (found.message, found.span.file, found.span.line, found.span.column) == (message, "made", *place)
