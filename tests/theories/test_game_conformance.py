"""Tests that every shipped game keeps what commands expect of a domain, by whatever means it is implemented.

Theory, plain play and native step must agree. States, moves and whole games that are written are read again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hornbook
from hornbook.inputs.domains import domain_of
from hornbook.kb.ast.theory import GroundFact
from hornbook.play.native import native_of
from hornbook.theories.abalone.states import text as abalone
from hornbook.theories.checkers.states import text as checkers
from hornbook.theories.othello.states import text as othello
from hornbook.theories.problems import ProblemRequest
from hornbook.theories.protocols.optional import Planned, RecordedYears, SearchRules, StoneBoard
from hornbook.theories.tiles.states.position import TilesPosition, goal
from oracles.abalone.games import THEORY as ABALONE
from oracles.abalone.games import game as abalone_game
from oracles.checkers import steps as checkers_steps
from oracles.games import steps
from oracles.games.steps import ComparedTheory, StepsTally
from oracles.othello import steps as othello_steps
from oracles.tiles.layers import layers

LATE = "OOO--/-OOO--/--OX---/---XX---/------XXO/--XXXX-O/--XXX--/--XX--/----- X"
GAMES = ("abalone", "checkers", "chess", "go", "othello", "tiles")


@cache
def domain(name: str):
    return domain_of(hornbook.read_theory("board" if name == "go" else name))


def abalone_states() -> list[Any]:
    played = [state for seed in range(3) for state in list(abalone_game(Random(seed)))[::-6]]
    return [abalone.parse(LATE), *played[::2], played[0]]


def checkers_states() -> list[Any]:
    played = [state for seed in range(5) for state in checkers_steps.played(Random(seed))]
    strewn = [checkers_steps.strewn(Random(seed)) for seed in range(600)]
    return [*played, *strewn, *islice(checkers_steps.endings(1, 1), 0, None, 9)]


def othello_states() -> list[Any]:
    played = [
        state
        for size in (4, 6, 8)
        for seed in range(4)
        for state in othello_steps.positions(size, Random(seed))
    ]
    return [*played, *islice(othello_steps.reachable(4), 0, 8000, 20)]


def near(rows: int, columns: int) -> list[TilesPosition]:
    """Return at most 300 positions of tiles, beginning with those nearest to the end."""
    return [position for layer in islice(layers(rows, columns), 11) for position in layer][:300]


@cache
def tiles_theory() -> ComparedTheory:
    return ComparedTheory("tiles", domain("tiles"), steps.named(slide="legal"), "over")


@dataclass(frozen=True, slots=True)
class Row:
    """The states of a game, its comparisons, and how the theory of a state is found."""

    states: Callable[[], list[Any]]
    compare: Callable[[Iterable[Any], StepsTally], None]
    theory: Callable[[Any], ComparedTheory]
    sample: int
    """The number of states whose successors the theory concludes."""


abalone_theory = cache(lambda: ComparedTheory(*ABALONE))
checkers_theory = cache(checkers_steps.theory)
othello_theory = cache(othello_steps.theory)
ROWS = {
    "abalone": Row(
        abalone_states,
        lambda states, tally: steps.compare_native(domain("abalone"), states, tally),
        lambda _: abalone_theory(),
        30,
    ),
    "checkers": Row(checkers_states, checkers_steps.compare_native, lambda _: checkers_theory(), 120),
    "othello": Row(
        othello_states, othello_steps.compare_native, lambda state: othello_theory(state.size), 150
    ),
    "tiles": Row(
        lambda: [state for size in ((2, 2), (2, 3), (3, 3), (4, 4), (3, 5), (5, 5)) for state in near(*size)],
        lambda states, tally: steps.compare_native(domain("tiles"), states, tally),
        lambda _: tiles_theory(),
        90,
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_native_step_is_the_plain_one(name):
    tally = StepsTally()
    ROWS[name].compare(ROWS[name].states(), tally)
    assert tally.wrong == []
    assert min(tally.positions, tally.moves, tally.ends) > 0
    assert {"checkers": "jump", "othello": "pass"}.get(name, "") in {*tally.kinds, ""}


@pytest.mark.parametrize("name", ROWS)
def test_the_theory_concludes_what_play_brings(name, times):
    row, tally, random = ROWS[name], StepsTally(), Random(1)
    states = row.states()
    chosen = random.sample(states, min(len(states), row.sample * times))
    for number, state in enumerate(chosen):
        row.theory(state).compare(state, random, tally, whole=number % 5 == 0)
    assert tally.wrong == []
    assert min(tally.actions, tally.moves, tally.concluded.total()) > 0


@pytest.mark.parametrize("name", GAMES)
def test_states_moves_and_parts_are_read_as_they_were_written(name):
    game = domain(name)
    states = game.random_game(Random(3))
    for state in states[:: max(1, len(states) // 25)]:
        assert isinstance(state, game.states)
        assert game.adapter.read(game.write(state), "again") == state
        assert set(game.facts(state)) == set(game.facts(game.adapter.read(game.write(state), "again")))
        for action in game.actions(state):
            assert game.read_move(state, game.write_move(state, action)) == action
            # Actions of Go include those that the rules of ko and suicide forbid.
            assert name == "go" or game.after(state, action) is not None
            assert game.played(state, action) == game.after(state, action)


@pytest.mark.parametrize(
    ("module", "state"),
    [
        *((abalone, state) for state in abalone_states()[::3]),
        *((othello, state) for state in othello_states()[::12]),
        *((checkers, state) for state in checkers_states()[::12]),
    ],
    ids=lambda value: value.__name__.split(".")[2] if hasattr(value, "__name__") else "state",
)
def test_lines_and_diagrams_are_read_as_they_were_written(module, state):
    for write in (module.print_line, module.print_diagram):
        assert module.parse(write(state)) == state


@pytest.mark.parametrize("name", [*ROWS, "chess", "go"])
def test_whole_games_are_read_as_they_were_recorded(name):
    game, random = domain(name), Random(2)
    native = native_of(game)
    for beginning in game.beginnings()[:2]:
        state, moves = native.State(beginning), []
        while not state.is_over and len(moves) < 30:
            moves.append(random.choice(state.moves()))
            state = state.after(moves[-1])
        found, again = game.recorded(game.record(beginning, moves, "1-0"), "game")
        assert (str(native.State(found)), list(again)) == (str(native.State(beginning)), moves)
        assert game.position(str(state)) is not None
        assert game.shown(str(state))


@pytest.mark.parametrize("name", [*ROWS, "chess"])
def test_games_have_outcomes_and_friends(name):
    game = domain(name)
    for start in game.starts():
        for asked in game.games(start):
            assert name == "chess" or game.outcome(start, asked) in (True, False, None)
        mover = game.to_move(start)
        assert all(game.friend(start, asked) == mover for asked in game.own_games(start))


@pytest.mark.parametrize(
    ("name", "text", "signs", "squares"),
    [
        ("abalone", "OOOOO/OOOOOO/--OOO--/--------/---------/--------/--XXX--/XXXXXX/XXXXX X", "●○", None),
        ("othello", "-----OX--XO----- X", "●○", 17),
        ("checkers", "B:W21,K30:B1,K2", "⛀⛁⛂⛃", 65),
        ("tiles", "3 1 2 / 4 0 5 / 6 7 8", "", 10),
    ],
)
def test_boards_are_drawn(name, text, signs, squares):
    picture = domain(name).picture(domain(name).adapter.read(text, "few"), "few")
    assert {picture.count(sign) for sign in signs} <= {{"abalone": 14, "othello": 2}.get(name, 1)}
    assert squares in (None, picture.count("<rect"))


PERFT = {
    "abalone": (1, 44, 1936, 98912, 5045110),
    "checkers": (1, 7, 49, 302, 1469, 7361, 36768, 179740),
    "othello": (1, 4, 12, 56, 244, 1396, 8200, 55092),
    "chess": (1, 20, 400, 8902, 197281),
}
"""Published numbers of lines from the start, by number of moves. A capture path counts once, and a pass too."""


@pytest.mark.parametrize("name", PERFT)
def test_there_are_as_many_lines_of_play_as_are_published(name):
    start = native_of(domain(name)).State(domain(name).beginnings()[0])
    assert tuple(map(start.perft, range(len(PERFT[name])))) == PERFT[name]


ILLEGAL = {
    "abalone": (
        ("push", ("white", "c3", "north_east")),
        ("push", ("black", "c3", "up")),
        ("push", ("black", "a1", "east")),
        ("push", ("black", "z1", "east")),
        ("step", ("black", "c3", "west", 2, "north_east")),
        ("step", ("black", "c3", "east", 4, "north_east")),
        ("step", ("black", "c3", "east", 2, "west")),
        ("pass", ()),
    ),
    "checkers": (
        ("step", ("black", "s1", "s5")),
        ("step", ("white", "s21", "s17")),
        ("jump", ("black", "s9", "s18")),
        ("jump", ("black", "x", "s1")),
        ("resign", ("8x8",)),
    ),
    "othello": (
        ("put", ("black", "a1")),
        ("put", ("black", "d4")),
        ("put", ("black", "z1")),
        ("put", ("white", "d3")),
        ("pass", ("8x8",)),
        ("resign", ("8x8",)),
    ),
    "tiles": (("slide", (1,)), ("slide", ("4",)), ("wait", (1,)), ("put", (1,))),
}


@pytest.mark.parametrize(("name", "action"), [(name, action) for name in ILLEGAL for action in ILLEGAL[name]])
def test_illegal_actions_lead_nowhere(name, action):
    assert domain(name).adapter.step(domain(name).starts()[0], GroundFact(*action)) is None


def test_time_passes_without_a_slide():
    state = domain("tiles").starts()[0]
    assert domain("tiles").adapter.step(goal(3, 3), GroundFact("slide", (1,))) is None
    assert domain("tiles").adapter.step(state, GroundFact("wait", ("player",))) == state


@pytest.mark.parametrize(
    ("name", "request_", "shipped"),
    [
        ("abalone", ProblemRequest(number=1, seed=5, depths=(1,)), 16),
        ("checkers", ProblemRequest(4, 5, depths=(1, 3)), 16),
        ("othello", ProblemRequest(3, 5, depths=(1, 3)), 16),
        ("tiles", ProblemRequest(24, 1, depths=(1, 3, 5)), 24),
    ],
)
def test_the_shipped_problems_are_made_by_their_command(name, request_, shipped):
    game = domain(name)
    problems = game.read_problems(game.shipped())
    assert list(game.make_problems(request_)) == problems[: request_.number]
    assert len(problems) == shipped


@pytest.mark.parametrize(
    ("name", "states", "phase", "bound", "over"),
    [
        (
            "othello",
            lambda: othello_steps.positions(8, Random(4)),
            lambda cells, rows: (63 - cells.count("-")) * rows // 64,
            6399,
            None,
        ),
        (
            "checkers",
            lambda: checkers_steps.played(Random(4)),
            lambda cells, _: (24 - sum(cell != "-" for cell in cells)) // 6,
            950,
            -1000,
        ),
    ],
)
def test_the_evaluation_is_the_sum_by_the_weights_that_were_fitted(name, states, phase, bound, over):
    game = domain(name)
    header = (Path(game.adapter.__file__).parent / "native" / "weights.hpp").read_text(encoding="utf-8")
    rows = [
        [int(word) for word in row.split(", ")]
        for row in re.findall(r"^    \{([-\d, ]+)\},$", header, re.MULTILINE)
    ]
    assert len(rows) == 4
    for position in states():
        state = native_of(game).State(game.write(position))
        by_weights = sum(map(mul, rows[phase(position.cells, 4)], [*state.features, 1]))
        if not state.is_over:
            assert state.evaluation == max(-bound, min(bound, by_weights))
        elif over is None:
            assert state.evaluation == 100 * (state.outcome if state.to_move == 0 else -state.outcome)
        else:
            assert state.evaluation == over


def test_members_for_some_games_only_are_in_these():
    found = {
        protocol.__name__: [name for name in (*GAMES, "firm") if isinstance(domain(name), protocol)]
        for protocol in (StoneBoard, Planned, SearchRules, RecordedYears)
    }
    assert found == {
        "StoneBoard": ["go"],
        "Planned": ["chess"],
        "SearchRules": ["go"],
        "RecordedYears": ["firm"],
    }
