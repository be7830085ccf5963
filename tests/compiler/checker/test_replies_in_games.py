"""Tests of proofs reply by reply in small games.

The hand-made rules are correct. Each also occurs in a variant in which one more reply saves the opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hornbook.compiler.checker.certificate import CaseProof, Leaf, Opening, Split
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.kb.ast.terms import Constant, GameStatement, Rule, Variable
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_conditions, print_rule
from hornbook.kb.load.loader import load_text
from oracles.proofs.learned_rules import rule_of, step
from oracles.proofs.small_games import GAMES, Nim, SmallGame, SmallGameSolver, TicTacToe, some, theory_of_game

TIC_TAC_TOE, NIM = TicTacToe(), Nim()
NOBODY = Leaf(())


def rejection(
    rule: Rule,
    theory: Theory,
    proofs: tuple[CaseProof, ...],
    opening: Opening | None,
    lemmas: dict[str, Lemma],
) -> str:
    try:
        verify(rule, certificate_of(rule, (), theory, lemmas, proofs, opening), theory, lemmas)
    except RejectedError as problem:
        return str(problem)
    return ""


def wrong(rule: Rule, game: SmallGame[Any], positions: Sequence[Any] | None = None) -> tuple[int, list[Any]]:
    """Return in how many positions a rule answers, and the positions in which it is wrong.

    The default is all positions of the game.
    """
    base, solver = KnowledgeBase(theory_of_game(game)), SmallGameSolver(game)
    assert isinstance(rule.head, GameStatement)
    (friend,) = rule.head.game.terms
    assert isinstance(friend, Variable)
    static = rule.head.value == Constant("IG")
    answered, mistakes = 0, []
    for position in game.positions() if positions is None else positions:
        base.push()
        base.add(game.facts(position))
        found = base.query(print_conditions(rule.body))
        for player in {row[found.variables.index(friend.name)] for row in found.rows}:
            answered += 1
            first = next(p for p in game.players if (p == player) != static)
            if not solver.won(position, str(player), first):
                mistakes.append((position, player))
        base.pop()
    return answered, mistakes


# Nim: with two heaps of size one, the first player loses. Passes are not allowed.

ONE_HEAP = rule_of(
    "one_heap: last(?f) is GI :-"
    " opponent(?f, _), on(?t, ?h), size(?h, ?n), left(?t, ?n), ?n >= 1, amount(?n)."
)
TWO_ONES = rule_of(
    "two_ones: last(?f) is IG :- opponent(?f, ?o), on(table, ?a), on(table, ?b), on(table, ?c), heaps(table, 3),"
    " ?a != ?b, ?a != ?c, ?b != ?c, size(?a, 1), size(?b, 1), size(?c, 0), left(table, 2), amount(1)."
)
LEMMAS = {"one_heap": Lemma(ONE_HEAP, 1, reached=True)}


def of_one(heap: str, other: str) -> Split:
    """Return the case of a heap of one: a player can take only that one, and only the other heap is left."""
    steps = (
        step("less_is_left", None, _1="?o^", h=heap, k=1, t="table", n=1, all=2, m=1),
        step("another_heap_stays", None, _1="?o^", h=heap, _2=1, g=other, n=1),
        step("one_heap", "after", f="?f", _1="?o", t="table", h=other, n=1),
    )
    return Split("k^", ((Constant(1), Leaf(steps)),), NOBODY)


TWO_ONES_PROOF = Split(
    "h^",
    (
        (Variable("a"), of_one("?a", "?b")),
        (Variable("b"), of_one("?b", "?a")),
        (Variable("c"), NOBODY),  # an empty heap allows no move
    ),
    NOBODY,
)
TAKE_ONE: Opening = (
    0,
    (("o", Variable("o")), ("h", Variable("a")), ("k", Constant(1)), ("n", Constant(1))),
)


def test_in_nim_who_must_play_loses_two_heaps_of_one():
    assert rejection(TWO_ONES, theory_of_game(NIM), (TWO_ONES_PROOF,), TAKE_ONE, LEMMAS) == ""
    answered, mistakes = wrong(TWO_ONES, NIM)
    assert (answered, mistakes) == (6, [])
    assert wrong(ONE_HEAP, NIM) == (18, [])


def test_who_may_pass_is_not_in_zugzwang():
    text = (GAMES / "nim.horn").read_text(encoding="utf-8")
    passing = text.replace(
        "amount(?k), ?k >= 1, ?k <= ?n.\n",
        "amount(?k), ?k >= 1, ?k <= ?n;\n  pass(?o), opponent(?f, ?o).\n",
        1,
    )
    passing = passing.replace("game last", "action pass(player).\ngame last")
    theory = load_text(passing)
    assert "has 2 alternatives of replies and the certificate proves 1" in rejection(
        TWO_ONES, theory, (TWO_ONES_PROOF,), TAKE_ONE, LEMMAS
    )
    assert "reply 2 (`pass(?o^)`): nothing concludes" in rejection(
        TWO_ONES, theory, (TWO_ONES_PROOF, NOBODY), TAKE_ONE, LEMMAS
    )


def test_who_cannot_move_has_not_lost_by_that():
    nothing = rule_of(
        "nothing: last(?f) is IG :- opponent(?f, ?o), on(table, ?a), on(table, ?b), on(table, ?c), heaps(table, 3),"
        " ?a != ?b, ?a != ?c, ?b != ?c, size(?a, 0), size(?b, 0), size(?c, 0)."
    )
    proof = Split("h^", tuple((Variable(h), NOBODY) for h in "abc"), NOBODY)
    output = rejection(nothing, theory_of_game(NIM), (proof,), None, {})
    assert output.startswith("the opponent may have no reply: zugzwang or stalemate")
    output = rejection(nothing, theory_of_game(NIM), (proof,), TAKE_ONE, {})
    assert "`size(?a, 1)` (before the action) is neither" in output
    assert wrong(nothing, NIM)[1]


@pytest.mark.parametrize(
    "condition", ["?a != ?b, ", "heaps(table, 3), ", "size(?c, 0), ", "left(table, 2), ", "on(table, ?b), "]
)
def test_a_rule_that_says_less_is_found_out(condition):
    text = " ".join(print_rule(TWO_ONES).split())
    assert condition in text
    less = rule_of(text.replace(condition, "", 1))
    output = rejection(less, theory_of_game(NIM), (TWO_ONES_PROOF,), TAKE_ONE, LEMMAS)
    # The number of heaps is a fact of the theory.
    assert bool(output) == (condition != "heaps(table, 3), ")


# Noughts and crosses: two open rows, and four free cells.

ONE_AWAY = rule_of(
    "one_away: win(?c) is GI :- player(?c), going, mark(?p, empty), line(?r, ?p), length(?r, 3), line(?r, ?q1),"
    " line(?r, ?q2), ?p != ?q1, ?p != ?q2, ?q1 != ?q2, mark(?q1, ?c), mark(?q2, ?c)."
)
BOARD = {"a1": "?c", "c1": "?c", "c3": "?c", "b2": "?d", "a3": "?d"} | dict.fromkeys(
    ("b1", "c2", "a2", "b3"), "empty"
)
FORK = rule_of(
    "fork: win(?c) is IG :- player(?c), player(?d), opponent(?c, ?d), ?c != ?d, ?d != empty, going, number(empty, 4), "
    + ", ".join(f"mark({cell}, {mark})" for cell, mark in BOARD.items())
    + "".join(f", at(empty, {cell})" for cell, mark in BOARD.items() if mark == "empty")
    + "."
)
ROWS_OF = {"b1": {"bottom": "a1", "centre": "b3"}, "c2": {"right": "c1", "middle": "a2"},
           "a2": {"left": "a1", "middle": "c2"}, "b3": {"top": "c3", "centre": "b1"}}  # fmt: skip
"""For each free cell, the rows through it, each with another cell in it that the opponent does not own."""
ALL_REPLIES = [
    *(step("through_its_cells", p=cell, r=row) for cell, rows in ROWS_OF.items() for row in rows),
]


def answered(cell: str) -> Leaf:
    """Return the friend's answer to an opponent's mark in a cell that makes no row."""
    row, free, one, two = ("right", "c2", "c1", "c3") if cell == "b1" else ("bottom", "b1", "a1", "c1")
    staying = dict.fromkeys((free, one, two, *ROWS_OF[cell].values()))
    return Leaf(
        (
            step("a_free_cell", c="?d", p=cell),
            *(step("another_cell_stays", None, q=q, m=BOARD[q], c="?d", p=cell) for q in staying),
            *(step("another_mark", "after", r=r, c="?d", p=q, m=BOARD[q]) for r, q in ROWS_OF[cell].items()),
            step("nobody_has_a_row_yet", None, c="?d", p=cell),
            step("one_away", "after", c="?c", p=free, r=row, q1=one, q2=two),
        )
    )


CORNERS = [
    p for p in TIC_TAC_TOE.positions() if p[0] == p[2] == p[8] != "empty" and p.count("empty") in (3, 4)
]
"""The positions with these three corners marked by one player."""


def fork(*cells: str) -> Split:
    return Split("p^", tuple((Constant(cell), answered(cell)) for cell in cells), NOBODY)


AT_B1: Opening = (0, (("d", Variable("d")), ("p", Constant("b1"))))


def fork_rejection(rule: Rule, proof: CaseProof) -> str:
    theory, lemmas = theory_of_game(TIC_TAC_TOE), {"one_away": Lemma(ONE_AWAY, 1, reached=True)}
    certificate = certificate_of(rule, ALL_REPLIES, theory, lemmas, (proof,), AT_B1)
    try:
        verify(rule, certificate, theory, lemmas)
    except RejectedError as problem:
        return str(problem)
    return ""


def test_a_fork_wins_whatever_the_opponent_does():
    assert fork_rejection(FORK, fork(*ROWS_OF)) == ""
    assert wrong(FORK, TIC_TAC_TOE, CORNERS) == (2, [])


@pytest.mark.parametrize("missing", ROWS_OF)
def test_a_reply_to_a_fork_is_missing(missing):
    output = fork_rejection(FORK, fork(*(cell for cell in ROWS_OF if cell != missing)))
    assert "any other `?p^`: nothing concludes `after win(?c) is GI`" in output


def test_a_fork_that_the_opponent_answers_with_a_row_of_his_own():
    """If the opponent has a mark at b3, a row at b1 is open to him: the fork comes too late."""
    late = rule_of(
        " ".join(print_rule(FORK).split())
        .replace("mark(b3, empty)", "mark(b3, ?d)")
        .replace(", at(empty, b3)", "")
        .replace("(empty, 4)", "(empty, 3)")
    )
    output = fork_rejection(late, fork("b1", "c2", "a2"))
    assert output
    assert wrong(late, TIC_TAC_TOE, CORNERS)[1]


def test_the_lemma_of_a_fork_is_right():
    answered_by, mistakes = wrong(ONE_AWAY, TIC_TAC_TOE, some(TIC_TAC_TOE.positions(), 300, 5))
    assert answered_by > 30
    assert mistakes == []
