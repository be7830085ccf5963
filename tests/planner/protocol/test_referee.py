"""The referee: the state of a match, and the refusal of wrong rules and moves."""

from __future__ import annotations

import pytest

from hornbook.planner.protocol.referee import Referee
from hornbook.planner.protocol.tasks import Finish, Finished, Judge, Judged, Load, Loaded, Refused
from oracles.gdl.own_sheets import SHEETS

NOUGHTS = SHEETS["noughts_and_crosses"].read_text()


def refusal(answer):
    assert isinstance(answer, Refused)
    return answer.message


def started(role="cross", rules=NOUGHTS):
    referee = Referee()
    assert referee.answer(Load(1, rules, role)) == Loaded(1)
    return referee


def test_moves_lead_from_state_to_state():
    referee = started("nought")
    first = referee.answer(Judge(2, None))
    assert isinstance(first, Judged)
    assert first.legal == (("pass", "pass"),)
    then = referee.answer(Judge(3, (("put", "2", "2"), "pass")))
    assert ("cell", "2", "2", "x") in then.state
    assert (("put", "1", "1"), "(put 1 1)") in then.legal
    assert len(then.legal) == 8


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (("pass",), "1 moves, but the game has 2 roles: cross, nought"),
        ((("put", "2", "2"), "pass", "pass"), "3 moves"),
        (("pass", "pass"), "cross may not do `pass`"),
        ((("put", "2", "2"), ("put", "1", "1")), r"nought may not do `\(put 1 1\)`"),
        ((("put", "2", "2"), "unheard_of"), "nought may not do `unheard_of`"),
        ((("cell", ("put", "2")), "pass"), "cross may not do"),
    ],
)
def test_wrong_moves_change_nothing(moves, message):
    referee = started()
    before = referee.answer(Judge(2, None))
    assert message.replace("\\", "") in refusal(referee.answer(Judge(3, moves)))
    assert referee.answer(Judge(4, None)).state == before.state
    assert isinstance(referee.answer(Judge(5, (("put", "2", "2"), "pass"))), Judged)
    assert "moves of the last step are missing" in refusal(referee.answer(Judge(6, None)))


def test_no_move_is_made_after_the_end():
    referee = started("cross")
    steps = [("1", "1"), ("2", "1"), ("1", "2"), ("2", "2")]
    for number, place in enumerate(steps):
        moves = (("put", *place), "pass") if number % 2 == 0 else ("pass", ("put", *place))
        assert isinstance(referee.answer(Judge(number, moves)), Judged)
    last = (("put", "1", "3"), "pass")
    assert "the game is over" in refusal(referee.answer(Judge(8, last)))
    assert referee.answer(Finish(9, last)) == Finished(9, "cross 100, nought 0")
    assert refusal(referee.answer(Judge(10, last))) == "there is no match"


def test_a_match_may_be_stopped_before_its_end():
    assert started().answer(Finish(2, None)) == Finished(2, "before its end: cross 50, nought 50")


@pytest.mark.parametrize(
    ("rules", "role", "message"),
    [
        (NOUGHTS, "third", "the game has no role `third`; it has cross, nought"),
        ("", "cross", "rules"),
        (NOUGHTS + ")", "cross", "the rules have an error, <text>:"),
        ("(role a) (<= (legal a ?x) (not (true ?x)))", "a", "the rules have an error"),
    ],
)
def test_wrong_rules_are_refused_and_the_match_goes_on(rules, role, message):
    referee = started()
    assert message in refusal(referee.answer(Load(2, rules, role)))
    assert isinstance(referee.answer(Judge(3, None)), Judged)


def test_a_preview_changes_no_match():
    referee = started()
    assert referee.answer(Load(2, SHEETS["fists"].read_text(), None)) == Loaded(2)
    assert len(referee.answer(Judge(3, None)).legal) == 9


def test_moves_keep_the_spelling_of_the_rules():
    rules = """
    (role Red) (init (At Home)) (Place Home) (Place Far)
    (<= (legal Red (goTo ?p)) (Place ?p)) (<= (next (At ?p)) (does Red (goTo ?p)))
    (<= terminal (true (At Far))) (<= (goal Red 100) (true (At Far))) (<= (goal Red 0) (true (At Home)))
    """
    judged = started("red", rules).answer(Judge(2, None))
    assert judged.legal == ((("goto", "far"), "(goTo Far)"), (("goto", "home"), "(goTo Home)"))
