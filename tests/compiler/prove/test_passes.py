"""Tests of passes: a reply is a pass because of the theory's proofs, and not because of names or sorts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.prove.passes import likely_passes, no_pass_because
from hornbook.compiler.prove.winning import WinProver
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget

WORDS = (Path(__file__).parent / "data" / "passes_words.horn").read_text(encoding="utf-8")
STORED = "kept: after lit(?k) :- rest(_), before lit(?k).\n"
REPLY = "replies win(?s): rest(?o), foe(?s, ?o).\n"


def theory(tmp_path: Path, text: str) -> Theory:
    path = tmp_path / "lamps.horn"
    path.write_text(WORDS + text, encoding="utf-8")
    return load(path)


class Lamps:
    """A minimal game interface whose positions are sets of facts."""

    focus_predicate = "foe"

    def facts(self, state, game, about):
        return [GroundFact(*fact) for fact in state]


def passes_in(known: Theory, *facts: tuple) -> GroundFact | None:
    prover = WinProver(known, Lamps(), lambda proved: proved, Budget())
    return prover._pass(frozenset(facts), Atom("win", (Constant("white"),)))


LIT = ("lit", ("red",))


@pytest.mark.parametrize(
    ("rules", "reply"),
    [
        (STORED, REPLY),
        (STORED + "won: after win(?s) is GI :- rest(?o), before win(?s) is GI.\n", REPLY),
    ],
)
def test_a_reply_that_keeps_everything_is_a_pass(tmp_path, rules, reply):
    assert passes_in(theory(tmp_path, rules + reply), LIT) == GroundFact("rest", ("black",))


@pytest.mark.parametrize(
    ("rules", "reply", "reason"),
    [
        ("", REPLY, None),
        ("lost: after win(?s) is GI :- rest(?o), foe(?s, ?o).\n", REPLY, None),
        (
            STORED + "lost: after win(?s) is GI :- rest(?o), foe(?s, ?o).\n",
            REPLY,
            "`lost` concludes `after win(?s) is GI` after it",
        ),
        (
            STORED,
            "replies win(?s): rest(?o), foe(?s, ?o) unless legal(red).\n",
            "`legal(red)` may bar it",
        ),
        (
            "kept: after lit(?k) :- rest(_), before lit(?k), ?k != red.\nnew: after lit(green) :- rest(_), before lit(red).\n",
            REPLY,
            None,
        ),
    ],
)
def test_a_reply_that_may_change_the_game_is_no_pass(tmp_path, rules, reply, reason):
    known = theory(tmp_path, rules + reply)
    (replies,) = known.replies
    assert likely_passes(known, replies) == ()
    assert no_pass_because(known, replies.cases[0]) == reason
    assert passes_in(known, LIT) is None


LIFTED = STORED + "lifted: after to_move(?o) :- rest(?s), foe(?s, ?o).\n" + REPLY


@pytest.mark.parametrize(("to_move", "passes"), [("white", True), ("black", False)])
def test_a_relation_that_a_reply_may_change_is_looked_at_in_the_position(tmp_path, to_move, passes):
    known = theory(tmp_path, LIFTED)
    assert (passes_in(known, LIT, ("to_move", (to_move,))) is not None) == passes


@pytest.mark.parametrize("may", [True, False])
def test_a_pass_that_is_not_open_in_the_position_is_none(tmp_path, may):
    known = theory(tmp_path, STORED + "replies win(?s): rest(?o), foe(?s, ?o), may_rest(?o).\n")
    facts = [LIT, *([("may_rest", ("black",))] if may else [])]
    assert (passes_in(known, *facts) is not None) == may


def test_an_absence_that_a_reply_may_cause_is_a_change(tmp_path):
    dark = "fluent shut(lamp) complete.\nderived dark.\nnone: dark :- absent shut(_).\n"
    known = theory(tmp_path, dark + STORED + REPLY)
    (replies,) = known.replies
    assert [each.changing for each in likely_passes(known, replies)] == [frozenset({"dark"})]


@pytest.mark.parametrize(("name", "game"), [("go", "take"), ("tiles", "solved")])
def test_passes_of_shipped_games_are_likely_passes(name, game):
    known = load(name)
    replies = known.replies_of(game)
    assert replies is not None
    assert {each.case.action.predicate for each in likely_passes(known, replies)} == (
        {"pass"} if name == "go" else {"wait"}
    )
