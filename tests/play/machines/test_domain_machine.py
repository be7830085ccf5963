"""The machine of domains without a native step, on Hexapawn as `hornbook new --game` writes it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import hornbook
from hornbook.cli import main
from hornbook.inputs.domains import domain_of
from hornbook.play.machines.domain_machine import DomainMachine
from hornbook.play.machines.machine_step import MachineStep
from hornbook.theories import search


@pytest.fixture
def domain(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "pawns", "--game"]) == 0
    return domain_of(hornbook.read_theory("pawns"))


def reachable(start):
    states = {start}
    waiting = [start]
    while waiting:
        new = set(waiting.pop().next_states.values()) - states
        states |= new
        waiting += new
    return states


@pytest.mark.parametrize("name", ["uct", "uct-rave"])
def test_random_games_find_the_value_too(domain, name):
    step = MachineStep(DomainMachine(domain))
    exact, sampling = step.search("deepening", {}), step.search(name, {})
    for state in sorted(reachable(step.State(domain.beginnings()[0])), key=str):
        if state.is_over:
            continue
        found = sampling(state, nodes=2000)
        assert (found["why"], found["value"]) == ("solved", exact(state, depth=12)["value"])
        assert found["line"][0] == found["move"]
        assert found["move"] in state.moves()


def test_a_state_of_another_step_is_understood(domain):
    one, other = MachineStep(DomainMachine(domain)), MachineStep(DomainMachine(domain))
    state = one.State(domain.beginnings()[0])
    for move in state.moves():
        after = state.after(move)
        assert other.search("deepening", {})(after, depth=4)["move"] in after.moves()


@pytest.mark.parametrize("name", ["deepening", "alpha-beta", "ordered-alpha-beta"])
def test_values_are_those_of_the_exhaustive_search(domain, name):
    step = MachineStep(DomainMachine(domain))
    searching = step.search(name, {})
    states = reachable(step.State(domain.beginnings()[0]))
    assert len(states) == 135
    for state in states:
        found = searching(state, depth=12)
        winner = next(
            (
                p
                for p, game in enumerate(domain.games(domain.position(str(state))))
                if search.wins(domain, domain.position(str(state)), game, 9)
            ),
            None,
        )
        assert winner is not None
        assert found["value"] == (1000 if winner == state.to_move else -1000)
        assert (found["move"] is None) == state.is_over
        if state.is_over:
            assert state.outcome == (1 if winner == 0 else -1)
        else:
            line = state
            for move in found["line"]:
                line = line.after(move)
            assert line.is_over


def test_budgets_and_wrong_arguments(domain):
    step = MachineStep(DomainMachine(domain))
    state = step.State(domain.beginnings()[1])
    searching = step.search("deepening", {})
    assert searching(state, nodes=1)["why"] == "nodes"
    assert searching(state, depth=1)["why"] == "depth"
    stop = step.Stop()
    stop.set()
    assert searching(state, seconds=9.0, stop=stop)["why"] == "stopped"
    one = state.moves()[1]
    assert searching(state, depth=2, only=[one])["move"] == one
    for wrong in ({"nodes": 0}, {"depth": 1, "only": ["no"]}, {"depth": 1, "lines": 2}):
        with pytest.raises(ValueError, match=r"\w"):
            searching(state, **wrong)
    with pytest.raises(ValueError, match="`best-first` needs a native step"):
        step.search("best-first", {})
    with pytest.raises(ValueError, match="this is no board"):
        step.State("nonsense")
    with pytest.raises(ValueError, match="`nonsense` is no legal move"):
        state.after("nonsense")
    assert [state.perft(depth) for depth in range(3)] == [
        1,
        3,
        sum(len(s.moves()) for s in state.next_states.values()),
    ]
    searching = step.search("deepening", {}, lambda _: (1000, None, one))
    assert (searching(state, depth=3)["move"], searching(state, depth=3)["why"]) == (one, "proved")


def test_the_commands_play_the_game(domain, capsys, monkeypatch):
    assert main(["search", "best-move", "pawns", "--position", "white bbb/.../www", "--seconds", "9"]) == 0
    assert "solved" in capsys.readouterr().out
    # The text of this position looks like the name of a file.
    assert main(["search", "best-move", "pawns", "--position", "black bbb/w.b/.bb", "--depth", "2"]) == 0
    assert main(["search", "best-move", "pawns", "--position", "pawns/none.txt", "--depth", "2"]) == 2
    assert "there is no file" in capsys.readouterr().err
    tournament = ["search", "tournament", "deepening", "alpha-beta", "--game", "pawns"]
    assert main([*tournament, "--depth", "2", "--games", "2", "--into", "games.jsonl"]) == 0
    assert "faults: none" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.StringIO("Move(a1,a2)\nhint\nresign\n"))
    assert main(["play", "pawns", "--depth", "3"]) == 0
    out = capsys.readouterr().out
    assert "black plays" in out
    assert "0-1: white resigned" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("move(b2, b3)\n"))
    assert main(["play", "pawns", "--position", "white ..b/.w./..."]) == 0
    assert "1-0: play is over" in capsys.readouterr().out


@pytest.mark.parametrize("search", ["uct", "deepening"])
def test_protocols_play_the_game(domain, capsys, monkeypatch, search):
    typed = "genmove white\nplay w move(b1,b2)\ngenmove b\nundo\nfinal_score\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert main(["search", "gtp", "pawns", "--algorithm", search, "--nodes", "400", "--depth", "5"]) == 0
    answers = capsys.readouterr().out.split("\n\n")
    assert answers[0].startswith("= MOVE(")
    assert answers[1] == "? it is black's turn"
    assert answers[2].startswith("= MOVE(")
    assert answers[3:5] == ["=", "? cannot score"]


def test_statistics_need_a_native_step(domain, capsys):
    assert main(["search", "statistics", "pawns", "--positions", "100", "--into", "found.json"]) == 1
    assert "error: `mgss` needs a native step" in capsys.readouterr().err


def test_a_game_without_decisive_games_is_reported(domain, capsys):
    domain.decisive = frozenset()
    assert main(["play", "pawns"]) != 0
    assert "names no `decisive` games" in capsys.readouterr().err
    assert main(["play", "firm"]) != 0
    assert 'decisive = frozenset({"win"})' in capsys.readouterr().err


def test_generated_problems_without_a_win_are_not_called_lost(domain, capsys):
    assert main(["problems", "generate", "pawns", "-n", "30", "--into", "new.jsonl"]) == 0
    assert "II" in capsys.readouterr().out
    lines = [json.loads(line) for line in Path("new.jsonl").read_text(encoding="utf-8").splitlines()]
    unknown = [line for line in lines if line["moves"] is None]
    assert unknown
    assert all(line["searched"] == 4 for line in unknown)
    assert not any("searched" in line for line in lines if line["moves"] is not None)
    answers = [{"id": line["id"], "value": "GI", "move": "move(a1, a2)"} for line in unknown]
    text = "".join(f"{json.dumps(answer)}\n" for answer in answers)
    Path("answers.jsonl").write_text(text, encoding="utf-8")
    assert main(["problems", "grade", "new.jsonl", "answers.jsonl", "--theory", "pawns"]) == 0
