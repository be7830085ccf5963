"""Tests of proofs of facts in a state, and of queries that a user types about a game."""

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.gdl.proofs.why import lines_of
from hornbook.planner.gdl.user_input import MoveError, moves_made, query_of, state
from oracles.gdl.own_sheets import SHEETS

LAMP = (Path(__file__).parent / "data" / "why_lamp.txt").read_text(encoding="utf-8")

ENDS = "(legal p wait)\n(<= terminal (true a))\n(goal p 1)\n(<= (next a) (true a))\n"
"""Clauses that every sheet needs, for tests about something else."""


@pytest.fixture(scope="module")
def lamp() -> Game:
    return Game(LAMP, "lamp.kif")


def reported(game, now, term, moves=None):
    proof = game.why(now, term, moves)
    return None if proof is None else list(lines_of(proof, lambda span: str(span.line)))


def test_each_step_has_its_line_and_absences_are_named(lamp):
    assert reported(lamp, lamp.initial, ("legal", "hand", "wait")) == [
        "(legal hand wait)  [8]",
        "  (role hand)  [1]",
        "  (not (true (lamp on)))",
    ]
    assert reported(lamp, lamp.initial, ("goal", "hand", "0")) == [
        "(goal hand 0)  [13]",
        "  (role hand)  [1]",
        "  (not (goal hand 100))",
        "  (not (and (true (lamp on)) (true (step 7))))",
    ]
    assert reported(lamp, frozenset([("lamp", "on")]), "terminal") == [
        "terminal  [11]",
        "  (true (lamp on))  [the state]",
        "  (not (true (step 1)))",
    ]


def test_what_stands_in_no_sheet_is_left_out(lamp):
    """The sheet has an `or`, and the relation `goal`, which is split by its numbers."""
    assert reported(lamp, lamp.initial, ("next", ("lamp", "off")), {"hand": "wait"}) == [
        "(next (lamp off))  [10]",
        "  (true (lamp off))  [the state]",
        "  (does hand wait)  [what is done]",
    ]
    assert reported(lamp, frozenset([("lamp", "on")]), ("goal", "hand", "100")) == [
        "(goal hand 100)  [12]",
        "  (true (lamp on))  [the state]",
    ]


def test_steps_of_rules_upon_rules_state_below_each_other(lamp):
    assert reported(lamp, frozenset([("lamp", "on")]), ("legal", "hand", ("turn", "off"))) == [
        "(legal hand (turn off))  [7]",
        "  (true (lamp on))  [the state]",
        "  (other off on)  [5]",
        "    (mirror off on)  [6]",
    ]


@pytest.mark.parametrize(
    "term", [("goal", "hand", "100"), "terminal", ("next", ("lamp", "on")), "nothing", ("true",)]
)
def test_what_does_not_hold_has_no_proof(lamp, term):
    assert lamp.why(lamp.initial, term) is None


def test_a_state_may_have_words_that_the_sheet_has_not(lamp):
    now = frozenset([("lamp", "broken")])
    assert lamp.next(now, {"hand": "wait"}) == now
    assert (
        reported(lamp, now, ("next", ("lamp", "broken")), {"hand": "wait"})[0] == "(next (lamp broken))  [10]"
    )


@pytest.mark.parametrize("name", SHEETS)
def test_everything_that_holds_has_a_proof_from_what_is_reported(name):
    game, random = Game.read_kif(SHEETS[name]), Random(3)
    now = game.initial
    for _ in range(4):
        legal = game.legal(now)
        if game.terminal(now) or not all(legal.values()):
            break
        moves = {role: random.choice(found) for role, found in legal.items()}
        after = game.next(now, moves)
        queried = [("next", term) for term in after]
        queried += [("legal", role, move) for role, found in legal.items() for move in found[:5]]
        queried += [("goal", role, str(n)) for role, found in game.goal(now).items() for n in found]
        for term in queried:
            proof = game.why(now, term, moves)
            assert proof is not None
            assert proof[-1].conclusion == term
            assert all(
                isinstance(each, str) or each < place
                for place, step in enumerate(proof)
                for each in step.premises
            )
            for step in proof:
                if step.span is None:
                    assert step.conclusion[0] in ("true", "does")
                    assert step.conclusion[0] == "does" or step.conclusion[1] in now
        now = after


def test_a_long_chain_is_proved_and_written(lamp):
    steps = "".join(f"(succ {n} {n + 1})\n" for n in range(3000))
    game = Game(f"(role p)\n(init a)\n{steps}(far 0)\n(<= (far ?n) (far ?m) (succ ?m ?n))\n{ENDS}")
    lines = reported(game, game.initial, ("far", "3000"))
    assert len(lines) == 6001


def test_a_step_that_is_needed_twice_is_written_once():
    game = Game(f"(role p)\n(init a)\n(<= b (true a))\n(<= c b)\n(<= d b)\n(<= e c d)\n{ENDS}")
    assert reported(game, game.initial, "e") == [
        "e  [6]",
        "  c  [4]",
        "    b  [3]",
        "      (true a)  [the state]",
        "  d  [5]",
        "    b  [above]",
    ]


def test_answers_have_the_values_of_variables(lamp):
    now = frozenset([("lamp", "on")])
    assert lamp.query(now, query_of("(legal ?who (turn ?to))", lamp)) == [
        (("legal", "hand", ("turn", "off")), {"who": "hand", "to": "off"})
    ]
    assert lamp.query(now, query_of("(other ?x ?x)", lamp)) == []
    assert lamp.query(now, query_of("terminal", lamp)) == [("terminal", {})]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(legel ?x ?y)", "the sheet does not mention `legel`.*did you mean `legal`"),
        ("(legal ?x)", "`legal` has 2 arguments, not 1"),
        ("(legal ?x ?y", "never closed"),
        ("(a) (b)", "one expression, not 2"),
        ("", "one expression, not 0"),
        ("?x", "begins with the name"),
    ],
)
def test_questions_that_are_none_are_refused(lamp, text, message):
    with pytest.raises(TheoryError, match=f"(?s){message}"):
        query_of(text, lamp)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(lamp on)\n(lmap off)", r"no state has `lmap`.*state\.kif:2:1.*did you mean `lamp`"),
        ("(steps 1)", "no state has `steps`.*did you mean `step`"),
        ("(heap 1)", "no state has `heap`.*states have `lamp`, `step`"),
        ("lamp", "`lamp` has 1 argument, not 0"),
        ("on", "no state has `on`"),
        ("(lamp on 1)", "`lamp` has 1 argument, not 2"),
        ("(lamp (on 1))", r"no state has a term of the form `\(lamp \(on 1\)\)`"),
        ("(lamp of)", "no word `of`.*did you mean `o"),
        ("(true (step 2))", "no word `2`"),
    ],
)
def test_what_no_state_can_have_is_refused(lamp, text, message):
    with pytest.raises(TheoryError, match=f"(?s){message}"):
        state(text, "state.kif", lamp)


def test_all_that_is_ever_true_is_accepted():
    for name in ("nim", "noughts_and_crosses", "lights"):
        game = Game.read_kif(SHEETS[name])
        random, now = Random(name), game.initial
        while True:
            assert state(" ".join(map(text_of, now)), "state.kif", game) == now
            if game.terminal(now):
                break
            now = game.next(now, {role: random.choice(moves) for role, moves in game.legal(now).items()})


def test_a_state_is_read_with_or_without_true(lamp):
    text = dedent("""\
        (true (lamp on)) ; shines
        (step 9)
    """)
    assert state(text, "state.kif", lamp) == {("lamp", "on"), ("step", "9")}
    with pytest.raises(TheoryError, match=r"state\.kif:1"):
        state("(lamp ?x)", "state.kif", lamp)


def test_moves_are_done_one_after_another():
    game = Game.read_kif(SHEETS["nim"])
    done = [
        moves for _, moves in moves_made("(leave a 0); (leave b 1) ; (leave c 0) noop;", game, game.initial)
    ]
    assert [text_of(moves["first"]) for moves in done] == ["(leave a 0)", "noop", "(leave c 0)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(leave a 0); (leave b 9)", "step 2: second may not do `\\(leave b 9\\)`; did you mean"),
        ("(leave a 0) noop noop", "step 1, `.*`: 3 moves, and first can choose"),
        ("(leave a ?n)", "no variables"),
        ("(leave a 0); (leave b 0); (leave c 0); (leave c 0)", "step 4, .*: the game is over"),
    ],
)
def test_moves_that_cannot_be_done_are_refused(text, message):
    game = Game.read_kif(SHEETS["nim"])
    with pytest.raises(MoveError, match=message):
        list(moves_made(text, game, game.initial))
