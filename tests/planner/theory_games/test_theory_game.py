"""Theories as games for machines, compared with their knowledge base on random walks."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import hornbook.commands.theories as commands
import oracles.games
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import example_sequence
from hornbook.kb.load.adapters import reader_of
from hornbook.kb.load.loader import load, load_text
from hornbook.planner.theory_games.refused import NoGameError
from hornbook.planner.theory_games.theory_game import (
    ENDS,
    deciding_game,
    game_of,
    network_of,
    refuse_contradictions,
)
from oracles.games.theory_play import TheoryPlay, allowing

THEORIES = Path(oracles.games.__file__).parent / "theories"
HEXAPAWN = Path(commands.__file__).parent / "skeleton_game" / "skeleton.horn"
STARTS = ("white bbb/.../www", "black bbbb/..../wwww", "white b..b/..../.ww.")


def hexapawn(start):
    theory = allowing(load(HEXAPAWN), "legal", "move")
    adapter = reader_of(theory)
    return theory, list(adapter.facts(adapter.read(start, "start")))


def shipped(name):
    theory = load(THEORIES / f"{name}.horn")
    return theory, example_sequence(theory, theory.examples[0])[0]


CASES = {
    **{f"hexapawn {start}": (hexapawn, start) for start in STARTS},
    **{name: (shipped, name) for name in ("isola", "nim", "lamps")},
}


def term(values):
    return values[0] if len(values) == 1 else values


@pytest.mark.parametrize("case", CASES)
def test_the_machine_plays_what_the_knowledge_base_concludes(case):
    of, name = CASES[case]
    theory, facts = of(name)
    game, random = game_of(theory, facts), Random(case)
    machine = network_of(game)
    names = {shapes[0][0] if shapes[0] else None for key, shapes in game.program.numbers if key == "true"}
    for _ in range(4):
        judge = TheoryPlay(theory, facts, deciding_game(theory).name)
        words = machine.core.initial()
        for _ in range(60):
            machine.core.look(words)
            state = machine.state(words)
            own = {each for each in state if not (isinstance(each, tuple) and each[0] in ENDS)}
            assert own == {term(each) for each in judge.fluents() if len(each) == 1 or each[0] in names}
            assert game.terminal(state) == machine.core.terminal() == judge.is_over
            if judge.is_over:
                goals = [machine.core.goal(role) for role in range(len(game.roles))]
                assert goals == judge.goals(game.roles)
                assert [game.goal(state)[role] for role in game.roles] == [(goal,) for goal in goals]
                break
            legal = {
                role: {machine.move(number, move) for move in machine.core.legal(number)}
                for number, role in enumerate(game.roles)
            }
            assert game.legal(state) == {role: tuple(sorted(moves, key=str)) for role, moves in legal.items()}
            moves = {role: random.choice(sorted(each, key=str)) for role, each in legal.items()}
            expected = {role: {term(move) for move in each} for role, each in judge.legal.items()}
            assert {role: each for role, each in legal.items() if each != {"noop"}} == expected
            (action,) = (move for move in moves.values() if move != "noop")
            words = machine.core.next(
                [machine.number(number, moves[role]) for number, role in enumerate(game.roles)]
            )
            judge.take(judge.fact((action,) if isinstance(action, str) else action))
        else:
            assert name == "lamps"


def test_a_win_against_every_reply_does_not_end_the_game():
    theory, _ = shipped("nim")
    facts = [
        *(GroundFact("size", (heap, 1)) for heap in ("a", "b")),
        *(GroundFact("size", ("c", 0)),),
        GroundFact("left", (2,)),
        GroundFact("turn", ("ann",)),
    ]
    game = game_of(theory, facts)
    after = game.next(game.initial, {"ann": ("take", "ann", "a", "1"), "bob": "noop"})
    assert not game.terminal(after)
    end = game.next(after, {"ann": "noop", "bob": ("take", "bob", "b", "1")})
    assert game.terminal(end)
    assert game.goal(end) == {"ann": (0,), "bob": (100,)}


RACE = """
theory race.
sort side = red | blue.
fluent place(side -> int).
fluent turn(-> side).
static foe(side -> side).
action walk(side, int).
static stride(int) complete.
derived may(side, int) allows walk.
game home(side).
foe(red, blue).
foe(blue, red).
stride(1).
stride(2).
may(?s, ?n) :- turn(?s), stride(?n).
persists place(?o, _) unless walk(?o, _).
after turn(?o) :- walk(?s, _), foe(?s, ?o).
before home(?s) by walk(?s, ?n) is GI :- walk(?s, ?n), before may(?s, ?n), after place(?s, ?m), ?m >= 9.
"""
STEP = (
    "goes_on: after place(?s, ?m) :- walk(?s, ?n), before may(?s, ?n), before place(?s, ?k), ?m = ?k + ?n{}."
)
BEGIN = [GroundFact("place", ("red", 0)), GroundFact("place", ("blue", 0)), GroundFact("turn", ("red",))]


def test_numbers_without_a_limit_are_refused_with_the_rule():
    with pytest.raises(NoGameError, match=r"`goes_on` .line 19. may conclude numbers without a limit"):
        game_of(load_text(RACE + STEP.format("")), BEGIN)


def test_numbers_with_a_limit_are_played():
    game = game_of(load_text(RACE + STEP.format(", ?m <= 10")), BEGIN)
    state = game.initial
    for turn in range(9):
        assert not game.terminal(state)
        role, other = ("red", "blue") if turn % 2 == 0 else ("blue", "red")
        state = game.next(state, {role: ("walk", role, "2"), other: "noop"})
    assert game.terminal(state)
    assert game.goal(state) == {"red": (100,), "blue": (0,)}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (" allows walk", "", "declares no predicate whose facts are the legal actions"),
        ("game home(side)", "game home(side, int)", "declares no game of one column"),
        ("fluent place", "fluent won(int).\nfluent place", "every game has a fluent `won`"),
        ("turn(?s), stride(?n)", "turn(?s), stride(?n), ?n > 2", "no action is ever legal"),
        (
            "may(?s, ?n) :- turn(?s), stride(?n).",
            "may(?s, ?n) :- turn(?s), stride(?n), ?k = sum ?x where (stride(?x)), ?k > ?n.",
            "has `sum … where`",
        ),
        ("stride(2).", "stride(2).\nplace(red, 1000) :- turn(red), stride(7).", "concludes the number 1000"),
        ("walk", "noop", "`noop` is the move of who waits"),
        (
            "stride(2).\nmay(?s, ?n) :- turn(?s),",
            "stride(2).\nsort token = word | int.\nstatic mark(token).\nmark(x).\nmay(?s, ?n) :- turn(?s), mark(_),",
            "a column of words and numbers",
        ),
        (
            "turn(?s), stride(?n)",
            "turn(?s), stride(?n), 4 // (?n - 1) > 2",
            "`may@15` divides by zero",
        ),
    ],
)
def test_what_is_no_game_is_refused(old, new, message):
    text = (RACE + STEP.format(", ?m <= 10")).replace(old, new)
    if "(side, int)" in new:
        text = text.replace("home(?s) by", "home(?s, ?n) by")
    with pytest.raises(NoGameError, match=message):
        game_of(load_text(text), BEGIN)


def test_numbers_out_of_range_are_refused():
    with pytest.raises(NoGameError, match="a fact of `place` has the number -1"):
        game_of(load_text(RACE + STEP.format(", ?m <= 10")), [GroundFact("place", ("red", -1)), *BEGIN[1:]])


DRAWS = """
theory draws.
sort player = ann | bob.
sort square = int.
static other(player -> player).
static gain(int).
fluent turn(-> player).
fluent owns(player, int).
fluent many(player -> int) counts owns.
action grab(player, int).
derived may(player, int) allows grab.
game win(player).
other(ann, bob).
other(bob, ann).
may(?p, ?k) :- turn(?p), gain(?k).
after turn(?o) :- grab(?p, _), other(?p, ?o).
after owns(?p, ?k) :- grab(?p, ?k).
persists owns(_, _).
more: after many(?p, ?n) :- grab(?p, _), before many(?p, ?m), ?n = ?m + 1, ?n <= 9.
persists many(?p, _) unless grab(?p, _).
enough: before win(?p) by grab(?p, ?k) is GI :- grab(?p, ?k), before may(?p, ?k), after many(?p, 2).
"""
FIRST = [GroundFact("turn", ("ann",)), GroundFact("many", ("ann", 0)), GroundFact("many", ("bob", 0))]


def test_counts_of_calculated_members_are_not_cut_off():
    game = game_of(load_text(DRAWS + "gain(7). gain(8)."), FIRST)
    state = game.initial
    for mover, taken in (("ann", "7"), ("bob", "8"), ("ann", "8")):
        assert not game.terminal(state)
        waiting = "bob" if mover == "ann" else "ann"
        state = game.next(state, {mover: ("grab", mover, taken), waiting: "noop"})
    assert game.terminal(state)
    assert game.goal(state) == {"ann": (100,), "bob": (0,)}


def test_players_that_only_rules_name_take_part():
    text = (
        DRAWS.replace("sort player = ann | bob.", "sort player.")
        .replace("other(ann, bob).\nother(bob, ann).\n", "")
        .replace(
            "after turn(?o) :- grab(?p, _), other(?p, ?o).",
            "after turn(bob) :- grab(ann, _).\nafter turn(ann) :- grab(bob, _).",
        )
    )
    game = game_of(load_text(text + "gain(7)."), [FIRST[0], FIRST[1]])
    assert set(game.roles) == {"ann", "bob"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("gain(1000).", "a fact of `gain` has the number 1000"),
        ("gain(-1).", "a fact of `gain` has the number -1"),
        ("gain(7). turn(ann).", "which would then be true of every state"),
        ("gain(7). may(?p, 7) :- turn(?p), win(?p) is GI.", "depends on a value of `win`"),
        ("gain(7). sort day = date. static on(day). on(2024-01-02). may(?p, 7) :- turn(?p), on(_).", "dates"),
    ],
)
def test_theories_that_would_be_played_wrongly_are_refused(more, message):
    with pytest.raises(NoGameError, match=message):
        game_of(load_text(DRAWS + more), FIRST)


def test_a_theory_without_a_winner_is_refused():
    text = "\n".join(line for line in DRAWS.splitlines() if not line.startswith("enough"))
    with pytest.raises(NoGameError, match="no rule says when a player has won `win`"):
        game_of(load_text(text + "\ngain(7)."), FIRST)


def test_counts_that_are_not_those_of_the_given_members_are_refused():
    text = DRAWS + "gain(7). derived all_low(player). may(?p, 7) :- turn(?p), all_low(?p)."
    text += " all_low(?p) :- turn(?p), all ?k in owns(?p, ?k): ?k < 5."
    facts = [FIRST[0], GroundFact("many", ("ann", 1)), FIRST[2]]
    with pytest.raises(NoGameError, match=r"`many\(ann, 1\)` does not count the facts of `owns`"):
        game_of(load_text(text.replace("persists owns(_, _).", "persists owns(_, _).")), facts)


def test_a_win_by_an_action_precedes_what_is_concluded_after_it():
    text = DRAWS + "gain(7). the_other_too: win(?o) is GI :- turn(?o), other(?o, ?p), many(?p, 2)."
    game = game_of(load_text(text), [FIRST[0], GroundFact("many", ("ann", 1)), FIRST[2]])
    end = game.next(game.initial, {"ann": ("grab", "ann", "7"), "bob": "noop"})
    assert game.terminal(end)
    assert game.goal(end) == {"ann": (100,), "bob": (0,)}


def test_a_win_may_rest_on_another_game():
    text = DRAWS.replace(
        "before may(?p, ?k), after many(?p, 2).", "before may(?p, ?k), before big(?p) by grab(?p, ?k) is GI."
    )
    text += "gain(7). game big(player). seven: before big(?p) by grab(?p, 7) is GI :- grab(?p, 7), before may(?p, 7)."
    game = game_of(load_text(text), FIRST)
    assert game.terminal(game.next(game.initial, {"ann": ("grab", "ann", "7"), "bob": "noop"}))


def test_two_values_for_a_key_are_found_in_random_games():
    text = DRAWS.replace("gain(?k).\nafter turn", "gain(?k), last(_).\nafter turn")
    text = text.replace("fluent turn", "fluent last(-> int).\nfluent turn")
    text += "gain(7). gain(8). after last(?k) :- grab(_, ?k). twice: after last(1) :- grab(_, 8)."
    theory, facts = load_text(text), [*FIRST, GroundFact("last", (7,))]
    with pytest.raises(NoGameError, match="`last` has two values for one key"):
        refuse_contradictions(theory, network_of(game_of(theory, facts)))


def test_the_player_who_acts_may_lose_by_it():
    text = DRAWS.replace(
        "enough: before win(?p) by grab(?p, ?k) is GI :- grab(?p, ?k), before may(?p, ?k), after many(?p, 2).",
        "enough: before win(?o) by grab(?p, ?k) is IG :- grab(?p, ?k), other(?p, ?o), after many(?p, 2).",
    )
    game = game_of(load_text(text + "gain(7)."), [FIRST[0], GroundFact("many", ("ann", 1)), FIRST[2]])
    end = game.next(game.initial, {"ann": ("grab", "ann", "7"), "bob": "noop"})
    assert game.goal(end) == {"ann": (0,), "bob": (100,)}
