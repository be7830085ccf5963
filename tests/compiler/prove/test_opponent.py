"""Tests of the opponent's replies to one position: each is answered, or the open reply is named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hornbook.compiler.generalise.generalisation import NotOperationalError
from hornbook.compiler.prove.opponent import (
    AnsweredAlternative,
    AnsweredReply,
    ReplyCases,
    UnansweredError,
    answers,
)
from hornbook.compiler.prove.second_player_win import second_player_win
from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition, print_conditions
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.theories.go.play import tactics
from hornbook.theories.go.states.board import GoBoard
from oracles.go.capture_lessons import ON_THE_EDGE, THEORY, board, facts_of, take
from oracles.proofs.learned_rules import theory_of
from oracles.proofs.small_games import Nim, theory_of_game

NIM = Nim()
LAST = Atom("last", (Constant("first"),))


@contextmanager
def existing(state: GoBoard, target: str) -> Iterator[KnowledgeBase]:
    base = KnowledgeBase(THEORY, derivations="all")
    base.add(facts_of(tactics, state, take(state, target)))
    yield base


def replies(game: str) -> Replies:
    found = THEORY.replies_of(game)
    assert found is not None
    return found


def answers_to(state: GoBoard, target: str, budget: Budget | None = None) -> tuple[AnsweredAlternative, ...]:
    with existing(state, target) as base:
        return answers(base, replies("take"), take(state, target), budget)


def after_b1(state: GoBoard) -> GoBoard:
    after = tactics.after(state, GroundFact("move", ("black", "b1")))
    assert after is not None
    return after


CORNER = board(5, "a2 b2 c1", "a1")
"""White is in atari; b1 would be suicide."""


def nim_answers(*sizes: int) -> tuple[AnsweredAlternative, ...]:
    theory = theory_of_game(NIM)
    base = KnowledgeBase(theory, derivations="all")
    base.add(NIM.facts(sizes))
    # A player wins by taking the only heap.
    base.add_text("one: last(?f) is GI :- opponent(?f, _), on(?t, ?h), size(?h, ?n), left(?t, ?n), ?n >= 1.")
    found = theory.replies_of("last")
    assert found is not None
    return answers(base, found, LAST)


def test_the_proof_itself_makes_the_list_of_replies():
    moves, passing = (a.answer for a in answers_to(after_b1(ON_THE_EDGE), "c1"))
    assert isinstance(moves, ReplyCases)
    assert [(moves.variable, value.value) for value, _ in moves.cases] == [("p", "d1")]
    assert isinstance(moves.rest, AnsweredReply)
    assert (moves.rest.anyone, moves.rest.wins) == (frozenset({"p"}), True)
    assert isinstance(passing, AnsweredReply)
    assert passing.wins


def test_a_reply_that_saves_the_opponent_is_named():
    escapes = after_b1(board(5, "b2 c2", "c1"))
    with pytest.raises(UnansweredError, match=r"move\(white, d1\)"):
        answers_to(escapes, "c1")


def test_a_reply_that_nobody_can_play_is_shown_to_be_so():
    moves, _ = (a.answer for a in answers_to(CORNER, "a1"))
    assert isinstance(moves, ReplyCases)
    ((value, suicide),) = moves.cases
    assert value == Constant("b1")
    assert isinstance(suicide, AnsweredReply)
    assert not suicide.wins
    assert suicide.explanation is not None
    assert print_condition(suicide.explanation.goal) == "before illegal(white, b1)"


def test_a_position_without_a_proof_has_no_answer():
    free = board(5, "b2", "d4")
    with pytest.raises(UnansweredError, match=r"move\(white, "):
        answers_to(free, "d4")


def test_where_nobody_may_pass_every_reply_is_taken_by_itself():
    (alternative,) = nim_answers(1, 1, 0)
    heaps = alternative.answer
    assert isinstance(heaps, ReplyCases)
    assert (heaps.variable, [v.value for v, _ in heaps.cases]) == ("h", ["a", "b", "c"])
    assert isinstance(heaps.rest, AnsweredReply)
    assert heaps.rest.explanation is None
    (closed,) = heaps.closed
    assert (closed.counter, len(closed.members)) == ("heaps", 3)
    amounts = dict(heaps.cases)[Constant("a")]
    assert isinstance(amounts, ReplyCases)
    assert [v.value for v, _ in amounts.cases] == [1]
    nothing = dict(heaps.cases)[Constant("c")]
    assert isinstance(nothing, AnsweredReply)
    assert nothing.explanation is None


@pytest.mark.parametrize("value", ["_", "?v"])
def test_the_value_of_a_key_ends_the_search_whether_it_is_named_or_not(value):
    theory = theory_of(
        f"""
        sort thing.
        fluent good. fluent f(thing). fluent n(thing -> thing). action act(thing).
        game win.
        replies win: act(?t), n(?t, {value}).
        stays: after good :- act(_), before good.
        kept: after win is GI :- act(_), after good.
        """
    )
    base = KnowledgeBase(theory, derivations="all")
    base.add_text("good. f(a). n(a, b).")
    (declared,) = theory.replies
    (alternative,) = answers(base, declared, Atom("win", ()), Budget(steps=50))
    assert isinstance(alternative.answer, ReplyCases)
    ((thing, won),) = alternative.answer.cases
    assert thing == Constant("a")
    assert isinstance(won, AnsweredReply)
    assert won.wins


def test_a_search_that_may_ask_no_more_says_so():
    with pytest.raises(SpentError, match="more than 3 steps"):
        answers_to(after_b1(ON_THE_EDGE), "c1", Budget(steps=3))


@pytest.mark.parametrize("sizes", [(2, 1, 0), (1, 1, 1), (2, 2, 0)])
def test_a_reply_of_nim_that_is_not_answered_is_named(sizes):
    with pytest.raises(UnansweredError, match=r"take\(second, [abc], [12]\)"):
        nim_answers(*sizes)


# Rules made from the answers


def test_a_rule_asks_for_what_all_answers_rest_on_and_for_nothing_of_a_reply():
    state = after_b1(ON_THE_EDGE)
    found = second_player_win(
        answers_to(state, "c1"), replies("take"), take(state, "c1"), THEORY.vocabulary, frozenset(), "made"
    )
    assert isinstance(found.rule.head, GameStatement)
    assert found.rule.head.value == SECOND_PLAYER_WIN
    assert found.open[0] == 1
    assert len(found.replies) == 2
    text = print_conditions(found.rule.body)
    assert "^" not in text
    assert "~" not in text
    assert not {"c1", "d1", "e1", "white"} & set(
        text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    )


def test_what_may_have_no_reply_gives_no_rule():
    state = after_b1(ON_THE_EDGE)
    moves = replies("take").cases[:1]
    no_pass = Replies(replies("take").game, moves, replies("take").span)
    with existing(state, "c1") as base:
        found = answers(base, no_pass, take(state, "c1"))
    with pytest.raises(NotOperationalError, match="nothing shows that the opponent has a reply"):
        second_player_win(found, no_pass, take(state, "c1"), THEORY.vocabulary, frozenset(), "made")


def test_replies_that_were_listed_state_in_the_rule_with_their_number():
    theory = theory_of_game(NIM)
    declared = theory.replies_of("last")
    assert declared is not None
    found = second_player_win(nim_answers(1, 1, 0), declared, LAST, theory.vocabulary, frozenset(), "made")
    text = print_conditions(found.rule.body)
    assert "heaps(table, 3)" in text
    assert text.count("on(table, ") == 3
    assert text.count("!=") >= 3
    assert text.count(", 1)") >= 2  # the sizes are unchanged
    assert dict(found.open[1])["k"] == Constant(1)
