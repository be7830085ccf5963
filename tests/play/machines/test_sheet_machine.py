"""Games in GDL as steps for searches, compared with the reference that evaluates the sheet state by state."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of
from hornbook.play.machines.machine_step import MachineStep
from hornbook.play.machines.move_texts import move_text, typed_move
from hornbook.play.machines.notation import KifNotation
from hornbook.play.machines.sheet_machine import SheetMachine
from hornbook.play.machines.sheet_rules import SheetReader, SheetRules
from hornbook.play.machines.turns import NoTurnsError
from hornbook.play.native import offered
from hornbook.play.whole.played import PlayedGame
from oracles.gdl.own_sheets import SHEETS

AT_ONCE = ("auction", "counting", "fists")
"""The sheets whose roles move at the same time."""
BY_TURNS = sorted(SHEETS.keys() - set(AT_ONCE))
PASSING = """
(role white) (role black) (init (control white)) (init (left 4))
(follows white black) (follows black white) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (legal ?role noop) (role ?role) (not (true (control ?role))))
(<= (legal ?role noop) (true (control ?role)) (true (left 2)))
(<= (legal ?role take) (true (control ?role)) (not (true (left 2))))
(<= (legal ?role talk) (true (control ?role)) (not (true (left 2))))
(<= (next (control ?other)) (true (control ?role)) (follows ?role ?other))
(<= (next (left ?less)) (true (left ?number)) (less ?number ?less))
(<= terminal (true (left 0)))
(<= (goal white 100) (true (control white)))
(<= (goal white 0) (not (true (control white))))
(<= (goal black 100) (not (true (control white))))
(<= (goal black 0) (true (control white)))
"""
"""A game in which both roles have only `noop` in the third state."""


def text(state):
    return " ".join(sorted(map(text_of, state)))


@pytest.mark.parametrize("name", BY_TURNS)
def test_random_games_are_those_of_the_sheet(name):
    game = Game.read_kif(SHEETS[name])
    machine = SheetMachine(game)
    step, random = MachineStep(machine), Random(name)
    for _ in range(5):
        now, reached = game.initial, step.State(text(game.initial))
        while not reached.is_over:
            assert str(reached) == text(now)
            assert step.State(str(reached)) == reached
            assert not game.terminal(now)
            legal = game.legal(now)
            mover = game.roles[reached.mover]
            assert sorted(reached.moves()) == sorted(map(move_text, legal[mover]))
            assert all(len(moves) == 1 for role, moves in legal.items() if role != mover)
            move = random.choice(legal[mover])
            joint = {role: moves[0] for role, moves in legal.items()} | {mover: move}
            now, reached = game.next(now, joint), reached.after(move_text(move))
        assert game.terminal(now) or not all(game.legal(now).values())
        goals = {role: worths[0] if len(worths) == 1 else 0 for role, worths in game.goal(now).items()}
        assert reached.goals == tuple(goals[role] for role in game.roles)
        first, *others = (reached.goals[role] for role in machine.players)
        assert reached.outcome == first - sum(others)
        assert reached.evaluation in range(step.RANGE[0], step.RANGE[1] + 1)
        assert reached.moves() == []


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_only_games_with_turns_are_played(name):
    game = Game.read_kif(SHEETS[name])
    if name in AT_ONCE:
        with pytest.raises(NoTurnsError, match=r"at the same time.*`hornbook game strategy`"):
            SheetMachine(game)
    else:
        assert SheetMachine(game).roles == game.roles


def test_games_of_more_than_two_roles_name_the_commands_that_take_them():
    roles = "".join(f"(role r{n}) (legal r{n} wait) (goal r{n} 50)" for n in range(3))
    with pytest.raises(NoTurnsError, match=r"3 roles play this game.*`hornbook game strategy`"):
        SheetMachine(Game(f"{roles} (init a) (<= terminal (not (true a)))"))


def test_a_role_that_chooses_by_chance_is_refused():
    roles = "".join(f"(role {name}) (legal {name} wait) (goal {name} 50)" for name in ("ann", "random"))
    with pytest.raises(NoTurnsError, match="`random` moves by chance"):
        SheetMachine(Game(f"{roles} (init a) (<= terminal (not (true a)))"))


def test_the_role_to_move_is_known_where_both_have_the_same_single_move():
    machine = SheetMachine(Game(PASSING))
    step = MachineStep(machine)
    state, movers = step.State("(control white) (left 4)"), []
    while not state.is_over:
        movers.append(machine.roles[state.mover])
        state = state.after(state.moves()[0])
    assert movers == ["white", "black", "white", "black"]
    assert state.outcome == 100


def test_without_a_fluent_for_the_turn_idle_moves_tell():
    # The control fluent is renamed for each role, so no fluent names the role to move.
    sheet = PASSING.replace("(true (control white))", "(true white_turn)").replace(
        "(init (control white))", "(init white_turn)"
    )
    sheet = (
        sheet.replace("(not (true (control ?role)))", "(idle ?role)")
        .replace("(true (control ?role)) (follows", "(active ?role) (follows")
        .replace("(true (control ?role))", "(active ?role)")
        .replace("(<= (next (control ?other)) (active ?role) (follows ?role ?other))", "")
    )
    sheet += """
    (<= (active white) (true white_turn)) (<= (active black) (not (true white_turn)))
    (<= (idle black) (true white_turn)) (<= (idle white) (not (true white_turn)))
    (<= (next white_turn) (not (true white_turn)))
    """
    machine = SheetMachine(Game(sheet))
    assert machine.turns.fluent is None
    state = MachineStep(machine).State("(left 3)")
    assert machine.roles[state.mover] == "black"


@pytest.mark.parametrize(
    "wrong", ["(put 1 1", "(cell 1 1 ?x)", "(nothing 1)", "(cell 1 1 1 1)", "(cell 1 1 strange)"]
)
def test_a_wrong_state_is_refused(wrong):
    step = MachineStep(SheetMachine(Game.read_kif(SHEETS["noughts_and_crosses"])))
    with pytest.raises(ValueError, match=r"\w"):
        step.State(wrong)


def test_illegal_moves_and_searches_are_refused():
    step = MachineStep(SheetMachine(Game.read_kif(SHEETS["nim"])))
    state = step.State("(has a 1) (has b 0) (has c 0) (turn first)")
    with pytest.raises(ValueError, match="`leave` is no legal move"):
        state.after("leave")
    with pytest.raises(ValueError, match="the game is not over"):
        _ = state.outcome
    with pytest.raises(ValueError, match="`best-first` needs a native step"):
        step.search("best-first", {})
    assert [state.perft(depth) for depth in range(3)] == [1, 1, 0]


def test_the_offered_searches_are_known():
    step = MachineStep(SheetMachine(Game.read_kif(SHEETS["nim"])))
    assert offered(step, ("best-first", "deepening", "uct")) == ["deepening", "uct"]
    assert offered(object(), ("best-first", "uct")) == ["best-first", "uct"]


def test_texts_of_moves_are_distinct_and_have_no_spaces():
    moves = [
        "a",
        "a,b",
        "a\\",
        ("a",),
        ("a", "b"),
        ("a", "b,c"),
        ("a", "b", "c"),
        ("a", ("b", "c")),
        ("a\\,b",),
    ]
    texts = [move_text(move) for move in moves]
    assert len({*texts}) == len(moves)
    assert not any(set(each) & set(" \t") for each in texts)
    assert move_text(("mark", "1", ("at", "2", "3"))) == "mark(1,at(2,3))"


def test_moves_are_typed_in_several_forms():
    legal = ["mark(1,1)", "mark(1,2)", "noop"]
    for typed in ("mark 1 1", "(mark 1 1)", "MARK(1, 1)", " mark(1,1) "):
        assert typed_move(typed, legal) == "mark(1,1)"
    assert typed_move("mark 1", legal) is None
    assert typed_move("", legal) is None
    assert typed_move("f a b", ["f(a,b)", "f(a(b))"]) is None


def test_boards_are_shown_as_grids():
    game = Game.read_kif(SHEETS["noughts_and_crosses"])
    machine = SheetMachine(game)
    rules = SheetRules(machine, SheetReader(KifNotation(game)))
    state = MachineStep(machine).State(rules.beginnings()[0]).after("put(1,3)").after("put(2,1)")
    assert rules.shown(str(state)) == ("to move: cross\n  1 2 3\n1 . . x\n2 o . .\n3 . . .\n  (turn cross)")


def test_other_states_are_shown_as_terms():
    game = Game.read_kif(SHEETS["nim"])
    rules = SheetRules(SheetMachine(game), SheetReader(KifNotation(game)))
    assert rules.shown(rules.beginnings()[0]) == (
        "to move: first\n  (turn first)\n  (has a 3) (has b 4) (has c 5)"
    )


@pytest.mark.parametrize("name", BY_TURNS)
def test_records_are_read_again(name):
    game = Game.read_kif(SHEETS[name])
    machine = SheetMachine(game)
    rules, step, random = (
        SheetRules(machine, SheetReader(KifNotation(game))),
        MachineStep(machine),
        Random(name),
    )
    played = PlayedGame.start(step, rules)
    while played.ending is None and len(played.moves) < 100:
        played = played.after(random.choice(played.state.moves()))
        record = rules.record(str(played.states[0]), list(played.recorded()), "*")
        beginning, moves = rules.recorded(record, "game.txt")
        again = PlayedGame.start(step, rules, beginning).resumed(moves)
        assert (again.state, again.moves) == (played.state, played.moves)
    alone = rules.recorded("\n".join(map(text_of, game.initial)), "state.txt")
    assert alone == (text(game.initial), [])


def test_words_with_spaces_parentheses_and_capitals_make_different_moves_without_spaces():
    moves = [("go", "New York"), ("go", "New", "York"), ("go", "New\\sYork"), ("go", "a,b"), ("go", "a", "b")]
    moves += [("go", "a)"), ("go", "(a"), ("go", "a\tb")]
    texts = list(map(move_text, moves))
    assert len(set(texts)) == len(texts)
    assert not any(character.isspace() for text in texts for character in text)
    assert typed_move("go(New, York)", texts) == move_text(("go", "New", "York"))
