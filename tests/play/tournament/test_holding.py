"""Tests of tournaments: every game is stored, none is played twice, and each kind of failure is recognised."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

import pytest

from hornbook.commands.games.whole.game import whole_game
from hornbook.play.tournament.process import PlayerProcess, PlayerProgramError, PlayerTimeoutError
from hornbook.play.tournament.recorded_games import (
    MARGIN,
    TournamentError,
    append_game,
    openings,
    pairs,
    play_recorded_game,
    play_remaining_games,
    read_games,
)
from hornbook.play.tournament.sides import Gtp, Ours, ResignedError, Uci
from hornbook.play.whole.clock import Control
from hornbook.play.whole.played import PlayedGame

OTHELLO = whole_game("othello")
START = PlayedGame.start(OTHELLO.native, OTHELLO.domain, OTHELLO.domain.beginning(4))


@dataclass
class Fake:
    """A player that makes `after` first legal moves, and then does `then`."""

    then: object = None
    after: int = 1000
    name: str = "fake"
    processor_seconds: float = 0.0
    closed: int = 0
    took: float = 0.0
    clocks: list = field(default_factory=list)

    def begin(self, game):
        self.left = self.after

    def move(self, game, clocks):
        self.left -= 1
        self.processor_seconds += 0.25
        self.clocks.append(clocks)
        if self.left < 0:
            if isinstance(self.then, Exception):
                raise self.then
            return str(self.then), self.took
        return game.state.moves()[0], self.took

    def close(self):
        self.closed += 1


def ours():
    return Ours("ours", OTHELLO.player, {"depth": 1})


def test_openings_differ_and_come_from_the_seed():
    found = openings(START, 5, 3, 1)
    assert len(set(found)) == 5
    assert {len(each) for each in found} == {3}
    assert openings(START, 5, 3, 1) == found != openings(START, 5, 3, 2)
    assert openings(START, 3, 0, 1) == [(), (), ()]


@pytest.mark.parametrize(
    ("then", "fault"),
    [
        ("z9", "A: illegal move"),
        (PlayerProgramError("it ended"), "A: crash"),
        (PlayerTimeoutError("too late"), "A: late"),
        (ResignedError(), ""),
    ],
)
@pytest.mark.parametrize("number", [0, 1])
def test_who_is_at_fault_loses(then, fault, number):
    found = play_recorded_game(START, (Fake(then, 2), ours()), (), number, 100)
    assert (found.points, found.fault) == (0.0, fault)
    assert found.result == ("0-1" if number == 0 else "1-0")
    assert found.a_begins == (number == 0)
    other = play_recorded_game(START, (ours(), Fake(then, 2)), (), number, 100)
    assert (other.points, other.fault) == (1.0, fault.replace("A", "B"))


def test_who_exceeds_the_clock_loses_and_nobody_else():
    at_once, slow = Fake(), Fake(took=1 + MARGIN / 2)
    found = play_recorded_game(START, (at_once, slow), (), 0, 100, Control(3))
    assert (found.fault, found.points) == ("B: late", 1.0)
    assert found.why == "lost on time: 1.005 seconds, of 0.990 that were left"
    left = [round(own.left, 3) for _, own in slow.clocks]
    assert left == [3, 1.995, 0.99]
    assert all(clocks[0].left == 3 for clocks in slow.clocks)
    assert (
        play_recorded_game(START, (at_once, slow), (), 0, 100, Control(1, moves=1)).fault == ""
    )  # within the margin
    assert play_recorded_game(START, (at_once, slow), (), 0, 100, Control(1, 0.9)).fault == "B: late"
    assert play_recorded_game(START, (at_once, slow), (), 0, 100, Control(1.005, 1.005)).fault == ""


def test_a_game_that_ends_is_counted_as_the_game_says():
    found = play_recorded_game(START, (Fake(), Fake()), START.state.moves()[:1], 0, 100)
    end = START
    for move in found.moves:
        end = end.after(move)
    assert end.ending is not None
    assert (found.points, found.result) == (end.ending.points, end.ending.result)
    assert sum(found.processor) == 0.25 * (len(found.moves) - 1)
    assert play_recorded_game(START, (Fake(), Fake()), (), 0, 4).why == "4 moves"


def test_a_tournament_goes_on_where_its_file_ends(tmp_path):
    path, what = tmp_path / "games.jsonl", {"A": "fake", "B": "ours"}
    played = openings(START, 2, 2, 1)
    assert read_games(path, what) == []
    sides = [(Fake(), Fake())]
    first = play_remaining_games(START, lambda: sides[-1], played, 4, 100, [])
    for _ in range(3):
        append_game(path, next(first))
    first.close()
    assert sides[0][0].closed == 1
    path.write_bytes(path.read_bytes()[:-20])  # the last line was cut off
    done = read_games(path, what)
    assert [game.number for game in done] == [0, 1]
    rest = list(play_remaining_games(START, lambda: (Fake(), Fake()), played, 4, 100, done))
    assert [game.number for game in rest] == [2, 3]
    for game in rest:
        append_game(path, game)
    again = read_games(path, what)
    assert again == [*done, *rest]
    assert [game.opening for game in again] == [played[0], played[0], played[1], played[1]]
    assert pairs(again) == [0.5, 0.5]
    assert pairs(again[:3]) == [0.5]
    with pytest.raises(TournamentError, match=r"another tournament \(B differ\)"):
        read_games(path, {"A": "fake", "B": "fake"})


def test_what_is_no_tournament_is_refused(tmp_path):
    for text in ("nonsense\n", "{}\n", '{"tournament": {}}\n{"number": 1}\n'):
        path = tmp_path / "games.jsonl"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(TournamentError, match="has no tournament"):
            read_games(path, {})


def test_after_a_fault_players_are_made_anew():
    made = []

    def make():
        made.append((Fake("z9", 1), Fake()))
        return made[-1]

    found = list(play_remaining_games(START, make, [()], 2, 100, []))
    assert len(found) == len(made) == 2
    assert all(side.closed == 1 for pair in made for side in pair)


def test_a_program_that_is_silent_ended_or_not_there_is_reported(tmp_path):
    with pytest.raises(PlayerProgramError, match="cannot be started"):
        PlayerProcess(str(tmp_path / "nothing"))
    silent = PlayerProcess(f'"{sys.executable}" -c "input(); input()"')
    with pytest.raises(PlayerTimeoutError, match="no answer in time"):
        silent.hear(time.monotonic() + 0.05)
    silent.close()
    ended = PlayerProcess(f'"{sys.executable}" -c "pass"')
    with pytest.raises(PlayerProgramError, match="has ended"):
        ended.hear(time.monotonic() + 20)
    ended.close()


GTP = """
import sys
moves = sys.argv[1].split()
for line in sys.stdin:
    words = line.split()
    print("? refused" if words[0] == "boardsize" and words[1] == "99" else f"= {moves.pop(0).upper() if words[0] == 'genmove' else ''}")
    print(flush=True)
"""
UCI = """
import sys
moves = sys.argv[1].split()
for line in sys.stdin:
    word = line.split()[0]
    if word == "go":
        print("info depth 1")
    said = {"uci": "uciok", "isready": "readyok", "go": f"bestmove {moves[0]} ponder a1"}
    if word == "go":
        del moves[0]
    if word in said:
        print(said[word], flush=True)
"""


@pytest.mark.parametrize("protocol", ["gtp", "uci"])
@pytest.mark.parametrize(("number", "is_timed"), [(0, False), (1, False), (1, True)])
def test_programs_play_by_both_protocols(tmp_path, protocol, number, is_timed):
    """Each program prints the moves of its own side in a fixed game. It must parse its own input."""
    game = START
    while game.ending is None:
        game = game.after(game.state.moves()[-1])
    script = tmp_path / "program.py"
    script.write_text(GTP if protocol == "gtp" else UCI, encoding="utf-8")
    own = [move for move, state in zip(game.moves, game.states, strict=False) if state.to_move == number]
    process = PlayerProcess(f'"{sys.executable}" "{script}" "{" ".join(own)}"')

    class Last(Fake):
        def move(self, game, clocks):
            return game.state.moves()[-1], 0.0

    if protocol == "gtp":
        side = Gtp(
            "gtp",
            process,
            lambda _: ["clear_board"],
            lambda game, place: "bw"[game.states[place].to_move],
            Control(10) if is_timed else Control(1, moves=1),
        )
    else:
        side = Uci("uci", process, (("Hash", "1"),), "depth 1", 1.0)
    found = play_recorded_game(START, (side, Last()), (), number, 100, Control(10) if is_timed else None)
    side.close()
    assert (found.fault, found.moves) == ("", game.moves)
    assert found.processor[0] is None or found.processor[0] >= 0


def test_a_program_that_refuses_is_at_fault(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(GTP, encoding="utf-8")
    side = Gtp(
        "gtp",
        PlayerProcess(f'"{sys.executable}" "{script}" ""'),
        lambda _: ["boardsize 99"],
        lambda *_: "b",
        None,
    )
    found = play_recorded_game(START, (side, Fake()), (), 0, 100)
    side.close()
    assert (found.fault, found.points) == ("A: crash", 0.0)
    assert "refuses `boardsize 99`: refused" in found.why
