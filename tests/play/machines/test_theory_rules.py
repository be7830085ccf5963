"""Theories that are played by their rules: texts of states, moves, searches and records."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import oracles.games
from hornbook.inputs.native_games import native_game
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.play.whole.played import chosen_move
from hornbook.terminal.failure import ArgumentError

THEORIES = Path(oracles.games.__file__).parent / "theories"
START = "left(7). turn(ann). size(a, 3). size(b, 2). size(c, 2)."


def game(name):
    return native_game(str(THEORIES / f"{name}.horn"), one_player=True)


def test_play_begins_in_the_first_example():
    assert game("nim").start() == START


@pytest.mark.parametrize("name", ["isola", "nim", "lamps"])
def test_texts_of_reached_states_can_be_read(name):
    found, random = game(name), Random(name)
    for _ in range(3):
        now = found.native.State(found.start())
        for _ in range(30):
            text = str(now)
            assert str(found.native.State(text)) == text
            assert str(found.position(text)) == text
            state = found.domain.position(text)
            assert found.domain.write(state) == text
            wins = [found.domain.outcome(state, each) for each in found.domain.games(state)]
            assert (None in wins) != now.is_over
            assert not any(fact.relation.startswith("won") for fact in found.domain.facts(state))
            if now.is_over:
                break
            assert [move for move, _ in found.domain.turns(state)] == list(now.moves())
            actions = list(found.domain.actions(state))
            assert [
                found.domain.write_move(state, each).replace(", ", ",") for each in actions
            ] == now.moves()
            place = random.randrange(len(actions))
            after = now.after(now.moves()[place])
            assert found.domain.after(state, actions[place]) == found.domain.position(str(after))
            now = after


def test_a_search_finds_the_only_winning_move():
    found = game("nim")
    search = found.native.search("deepening", {})
    state = found.position("size(a, 2). size(b, 1). size(c, 0). left(3). turn(bob).")
    assert found.domain.to_move(found.domain.position(str(state))) == "bob"
    (won,) = [move for move in state.moves() if _opponent_loses(state.after(move))]
    assert won == "take(bob,a,1)"
    assert search is not None


def _opponent_loses(state):
    """Return whether the player to move loses with best play, by exhaustive search."""
    return state.is_over or not any(map(_opponent_loses, map(state.after, state.moves())))


def test_a_record_can_be_read_again():
    found = game("nim")
    text = found.domain.record(found.start(), ["take(ann,a,3)"], "*")
    first, moves = found.domain.recorded(text, "game.txt")
    assert first == START
    assert list(moves) == ["take(ann,a,3)"]


def test_the_outcome_is_known_at_the_end():
    found = game("nim")
    end = found.native.State("size(a, 1). size(b, 0). size(c, 0). left(1). turn(bob).").after("take(bob,a,1)")
    state = found.domain.position(str(found.native.State(START)))
    assert [found.domain.outcome(state, each) for each in found.domain.games(state)] == [None, None]
    assert end.outcome == -1 * abs(end.outcome)
    assert "bob 100" in found.domain.over(str(end))


TWO_FACTS = """
theory t. sort s = a | b. fluent p(s). action go(s). derived may(s) allows go. game g(s).
may(?x) :- p(?x).
after p(?x) :- go(?y), before p(?x), ?x != ?y.
before g(?x) by go(?x) is GI :- go(?x), before may(?x), after p(b).
example one: p(a).
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("theory t. sort s. static p(s). derived q(s). q(?x) :- p(?x).", "allows"),
        (
            "theory t. sort s = a. action go(s). derived may(s) allows go. static p(s). game g(s).\nmay(?x) :- p(?x).",
            "has no example",
        ),
        (TWO_FACTS.replace("p(a)", "p(a), p(b)"), "several players have legal actions in one state"),
    ],
)
def test_a_theory_that_cannot_be_played_says_why(tmp_path, text, message):
    path = tmp_path / "t.horn"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ArgumentError, match=message):
        native_game(str(path))


def test_a_position_with_an_unknown_fluent_is_refused():
    with pytest.raises(TheoryError, match="unknown predicate"):
        game("nim").position("sise(a, 3).")


FORCED = """
theory forced.
sort player = ann | bob.
sort town = 'New York' | 'new york' | 'NewYork' | oslo.
static other(player -> player).
fluent champion(-> player).
fluent turn(-> player).
fluent left(-> int).
action go(player, town).
derived may(player, town) allows go.
game win(player).
other(ann, bob).
other(bob, ann).
may(ann, oslo) :- turn(ann).
may(ann, 'New York') :- turn(ann).
may(ann, 'new york') :- turn(ann).
may(ann, 'NewYork') :- turn(ann).
may(bob, oslo) :- turn(bob).
persists champion(_).
after turn(?o) :- go(?p, _), other(?p, ?o).
after left(?n) :- go(_, _), before left(?m), ?n = ?m - 1, ?n >= 0.
before win(?p) by go(?p, ?t) is GI :- go(?p, ?t), before may(?p, ?t), after left(0).
example start: turn(bob), champion(ann), left(4).
"""


@pytest.fixture
def forced(tmp_path):
    path = tmp_path / "forced.horn"
    path.write_text(FORCED, encoding="utf-8")
    return native_game(str(path))


def test_a_player_with_a_single_action_is_to_move(forced):
    state = forced.native.State(forced.start())
    assert forced.domain.mover(str(state)) == "bob"
    assert state.moves() == ["go(bob,oslo)"]
    after = state.after("go(bob,oslo)")
    assert forced.domain.mover(str(after)) == "ann"
    assert len(after.moves()) == 4
    assert forced.domain.mover(str(after.after("go(ann,oslo)"))) == "bob"


def test_moves_that_differ_in_case_are_different(forced):
    text = str(forced.native.State(forced.start()).after("go(bob,oslo)"))
    moves = forced.native.State(text).moves()
    assert chosen_move("go(ann,New\\sYork)", moves) == "go(ann,New\\sYork)"
    assert chosen_move("go(ann,new\\syork)", moves) == "go(ann,new\\syork)"
    assert chosen_move("GO(ANN,NEW\\sYORK)", moves) is None
    assert chosen_move("GO(ANN,OSLO)", moves) == "go(ann,oslo)"
    assert forced.domain.typed(text, "go(ann, 'New York')") == "go(ann,New\\sYork)"
    assert forced.domain.typed(text, "go(ann, 'new york')") == "go(ann,new\\syork)"
    assert forced.domain.typed(text, "go( ann,'NewYork' )") == "go(ann,NewYork)"
    assert forced.domain.typed(text, "go ann oslo") == "go(ann,oslo)"
    assert forced.domain.typed(text, "go ann paris") is None


def test_fluents_that_the_game_does_not_need_are_ignored(forced):
    text = "turn(bob). champion(ann). left(4)."
    assert str(forced.native.State(text)) == str(forced.native.State("turn(bob). left(4)."))
