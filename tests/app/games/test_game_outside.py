"""A game outside the packages: every command finds it by its folder, and its rules are right everywhere.

The game is Hexapawn from the tutorial, whose page is also run as a test.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hornbook
from hornbook import cli
from hornbook.games.audit.of_rules import Audit, AuditTally, RuleAuditor
from hornbook.inputs.domains import domain_of
from hornbook.theories import search
from oracles.pages.markdown_blocks import blocks

PAGE = Path(__file__).parents[3] / "docs" / "tutorial" / "a-game-in-an-hour.md"
FILES = ("hexapawn.horn", "adapter.py", "domain.py", "problems.jsonl")
MOST = 12
"""The largest number of moves of any game on these boards."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Create a folder with the game's four files from the tutorial, and rules learned from its problems."""
    place = tmp_path_factory.mktemp("outside")
    (place / "hexapawn").mkdir()
    for block in blocks(PAGE):
        if block.file is not None and block.file.startswith("hexapawn/"):
            (place / block.file).write_text(block.text, encoding="utf-8")
    arguments = [
        "--problems",
        str(place / "hexapawn" / "problems.jsonl"),
        "--into",
        str(place / "rules.horn"),
    ]
    assert cli.main(["learn", str(place / "hexapawn"), *arguments]) == 0
    return place


@pytest.fixture(scope="module")
def domain(folder):
    found = domain_of(hornbook.read_theory(folder / "hexapawn"))
    assert found is not None
    return found


def reachable(domain, start):
    seen = dict.fromkeys([start])
    waiting = [start]
    for state in waiting:
        new = [
            after for action in domain.actions(state) if (after := domain.after(state, action)) not in seen
        ]
        seen |= dict.fromkeys(new)
        waiting += dict.fromkeys(new)
    return list(seen)


def test_the_game_is_small(folder):
    lines = [line for name in FILES for line in (folder / "hexapawn" / name).read_text().splitlines() if line]
    assert len(lines) <= 150
    assert len((folder / "hexapawn" / "problems.jsonl").read_text().splitlines()) <= 12


@pytest.mark.parametrize(("board", "positions"), [(0, 135), (1, 987)], ids=["3x3", "3x4"])
def test_every_conclusion_in_every_position_is_true(folder, domain, board, positions):
    rules = hornbook.read_rules(folder / "rules.horn", folder / "hexapawn")
    states = reachable(domain, domain.starts()[board])
    assert len(states) == positions
    output = [(state, answer.conclusion.statement) for state in states for answer in rules.match(state)]
    assert len(output) > 50
    assert [each for each in output if not search.is_true(domain, *each, MOST)] == []


def test_each_won_first_move_of_the_small_board_is_answered(folder, domain):
    rules = hornbook.read_rules(folder / "rules.horn", folder / "hexapawn")
    won = [
        state
        for state in reachable(domain, domain.starts()[0])
        if any(search.winning(domain, state, game, MOST) for game in domain.games(state))
    ]
    assert len(won) == 55
    assert [state for state in won if not any(answer.move for answer in rules.match(state))] == []


def test_the_theory_plays_as_the_adapter_does(folder, domain):
    """Check the guarantee of `observed`: each fluent after a move equals that of the state after it."""
    theory = hornbook.read_theory(folder / "hexapawn")
    fluents = ("pawn", "men", "empty", "to_move")
    base = hornbook.KnowledgeBase(theory)
    for state in [s for start in domain.starts() for s in reachable(domain, start)][::7]:
        base.push()
        base.add(domain.facts(state))
        for action in domain.actions(state):
            base.push()
            base.add([action])
            reported = {
                f._replace(tense=None) for name in fluents for f in base.facts(name) if f.tense == "after"
            }
            there = {f for f in domain.facts(domain.after(state, action)) if f.relation in fluents}
            assert reported == there, (state, action)
            base.pop()
        base.pop()


def test_the_audit_finds_a_conclusion_that_is_wrong(folder, domain, monkeypatch):
    """Check that an auditor whose search finds no wins rejects every conclusion.

    The honest one rejects none.
    """
    theory = hornbook.read_theory(folder / "hexapawn")
    base = hornbook.read_rules(folder / "rules.horn", theory).base
    auditor = RuleAuditor(Audit(theory, base, frozenset(base.entries), 40, 1))
    honest, deaf = AuditTally(), AuditTally()
    for tally in auditor.parts(range(2)):
        honest.add(tally)
    monkeypatch.setattr(type(domain), "judge", lambda *_: False)
    for tally in auditor.parts(range(2)):
        deaf.add(tally)
    assert (honest.positions, honest.wrong) == (40, [])
    assert len(deaf.wrong) == honest.right.total() > 0


def test_answers_are_scored_and_drawn(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert (
        cli.main(
            ["solve", "hexapawn", "--rules", "rules.horn", "--problems", "hexapawn/problems.jsonl", "--json"]
        )
        == 0
    )
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["value"] for line in lines} == {"GI"}
    lines[0]["move"] = "move(a1, a1)"
    Path("answers.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert (
        cli.main(
            [
                "problems",
                "grade",
                "hexapawn/problems.jsonl",
                "answers.jsonl",
                "--theory",
                "hexapawn",
                "--json",
            ]
        )
        == 1
    )
    scored = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in scored["wrong"]] == [lines[0]["id"]]
    Path("position.txt").write_text("black bbb/.w./w.w", encoding="utf-8")
    assert (
        cli.main(
            ["rules", "match", "hexapawn", "position.txt", "--rules", "rules.horn", "--svg", "answer.svg"]
        )
        == 0
    )
    assert "win(black) by move(a3, b2) is GI" in Path("answer.svg").read_text(encoding="utf-8")


def test_problems_are_made_and_learned_from(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert cli.main(["problems", "generate", "hexapawn", "--number", "6", "--into", "new.jsonl"]) == 0
    assert len(Path("new.jsonl").read_text(encoding="utf-8").splitlines()) == 6
    assert cli.main(["learn", "hexapawn", "--problems", "new.jsonl", "--into", "more.horn"]) == 0
    assert (
        cli.main(["theory", "profile", "rules.horn", "--theory", "hexapawn", "--problems", "new.jsonl"]) == 0
    )


def test_what_a_domain_does_not_say_is_named_with_what_to_write(folder, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "hexapawn"
    game.mkdir()
    for name in FILES:
        text = (folder / "hexapawn" / name).read_text(encoding="utf-8")
        (game / name).write_text(text.replace("def outcome", "def result"), encoding="utf-8")
    assert cli.main(["problems", "generate", "hexapawn", "--number", "1", "--into", "new.jsonl"]) == 1
    output = capsys.readouterr().err
    assert "`Hexapawn` has no `outcome`; write" in output
    assert "def outcome(self, state" in output
    (game / "domain.py").unlink()
    assert cli.main(["learn", "hexapawn", "--problems", "hexapawn/problems.jsonl", "--into", "x.horn"]) == 2
    assert "which says what its problems are" in " ".join(capsys.readouterr().err.split())


@pytest.mark.deep
def test_to_learn_a_family_loads_no_domain():
    """Look for Go's modules in a process that learned about cups."""
    import subprocess
    import sys

    program = (
        "import sys, hornbook; hornbook.learn('cup');"
        "print([m for m in sys.modules if m.startswith('hornbook.theories.') and '.go' in m])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
