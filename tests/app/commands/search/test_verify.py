"""`hornbook search verify chess …`: checks of written proofs. Invalid proofs are refused with the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbook.commands.search import verify as checking
from hornbook.games import planning
from hornbook.games.planned_files import proof_lines
from hornbook.inputs.theories import load

pytestmark = pytest.mark.deep

WON = "8/1p6/5k2/P1P5/8/8/8/2K5 w - - 0 1"
STORED = "8/5k2/8/3P4/8/8/8/K7 w - - 0 1"


@pytest.fixture(scope="module")
def known():
    return planning.planning_knowledge(load("chess"))


@pytest.fixture(scope="module")
def proofs(known):
    """Return the lines of a proof that White wins, and of a proof that Black holds."""
    found = {}
    for name, fen in (("won", WON), ("held", STORED)):
        (situation,) = known.domain.situations(Path(fen))
        found[name] = list(
            proof_lines(known.planned(situation, planning.PlanSettings(complexity=1, seconds=600)))
        )
    return found


@pytest.fixture
def checked(known, proofs, run, folder, monkeypatch):
    """Check a proof after a function has changed its parsed lines."""
    monkeypatch.setattr(checking, "known_for", lambda *_: known)

    def check(name, change=None, *more):
        lines = list(map(json.loads, proofs[name]))
        if change is not None:
            change(lines)
        (folder / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return run("search", "verify", "chess", "p.jsonl", *more)

    return check


def test_what_was_proved_is_right(checked, proofs):
    messages = (
        f"p.jsonl: right by the rules of `endings`: white wins from `{WON}`; {len(proofs['won']) - 1} nodes\n"
    )
    assert checked("won") == (0, messages, "")
    code, out, _ = checked("held", None, "--json")
    assert code == 0
    assert json.loads(out) == {
        "theory": "chess",
        "player": "black",
        "says": "holds",
        "state": STORED,
        "nodes": len(proofs["held"]) - 1,
        "mistakes": [],
        "rules": "endings",
        "other_rules": [],
    }


def test_who_wins_does_not_lose(checked):
    assert checked("won", lambda lines: lines[0].update(says="holds"))[0] == 0


def reply_left_out(lines):
    lines[2]["moves"].pop()


def reply_answered_by_another_position(lines):
    moves = lines[2]["moves"]
    moves[0]["to"] = moves[1]["to"]


def reply_twice(lines):
    lines[2]["moves"].append(lines[2]["moves"][0])


def rank_that_does_not_fall(lines):
    lines[2]["rank"] = lines[1]["rank"]


def illegal_move(lines):
    lines[1]["moves"][0]["move"] = "c5c7"


def legal_move_that_leads_elsewhere(lines):
    lines[1]["moves"][0]["move"] = "a5a6"


def two_moves_of_the_player(lines):
    lines[1]["moves"].append({"move": "a5a6", "to": 1})


def no_move_of_the_player(lines):
    lines[1]["moves"] = []


def leaf_that_no_rule_decides(lines):
    lines[1:] = [{"node": 0, "state": WON, "rank": 0, "rule": "won_by_running"}]
    lines[0]["nodes"] = 1


def end_that_is_none(lines):
    leaf = next(line for line in lines if "rule" in line)
    del leaf["rule"]
    leaf["moves"] = []


def other_player(lines):
    lines[0]["player"] = "black"


def player_who_does_not_play(lines):
    lines[0]["player"] = "red"


def other_theory(lines):
    lines[0]["theory"] = "go"


def other_first_position(lines):
    lines[1]["state"] = WON.replace("5k2", "4k3")


def other_later_position(lines):
    lines[2]["state"] = lines[3]["state"]


def first_position_that_is_none(lines):
    lines[1]["state"] = "8/9/8"


def first_position_written_otherwise(lines):
    lines[1]["state"] += " "


def node_that_nothing_leads_to(lines):
    lines.append({**lines[-1], "node": len(lines) - 1})
    lines[0]["nodes"] += 1


def circle(lines):
    """Make White's king move back and forth with Black's, as if that were progress."""
    moves = [("c1b1", "f6f7"), ("b1c1", "f7f6")]
    states = [WON, "8/1p6/5k2/P1P5/8/8/8/1K6 b - - 0 1"]
    states += ["8/1p3k2/8/P1P5/8/8/8/1K6 w - - 0 1", "8/1p3k2/8/P1P5/8/8/8/2K5 b - - 0 1"]
    plies = [move for pair in moves for move in pair]
    lines[1:] = [
        {"node": n, "state": state, "rank": 4 - n, "moves": [{"move": plies[n], "to": (n + 1) % 4}]}
        for n, state in enumerate(states)
    ]
    lines[0]["nodes"] = 4


@pytest.mark.parametrize(
    ("forge", "line", "messages"),
    [
        (reply_left_out, 3, "node 1: the proof has no reply to b7c6"),
        (reply_answered_by_another_position, 3, "and node 6 is `8/1p4k1/"),
        (reply_twice, 3, "a move occurs twice"),
        (rank_that_does_not_fall, 2, "node 0: the rank does not fall after this state"),
        (illegal_move, 2, "node 0: `c5c7` is not legal here"),
        (legal_move_that_leads_elsewhere, 2, "node 0: after a5a6 comes `8/1p6/P4k2/"),
        (two_moves_of_the_player, 2, "a proof has one move, not 2"),
        (no_move_of_the_player, 2, "a proof has one move, not 0"),
        (leaf_that_no_rule_decides, 2, "no rule concludes what `won_by_running` should conclude"),
        (end_that_is_none, 5, "the proof has no reply to "),
        (other_player, 2, "node 0: the proof has no reply to "),
        (player_who_does_not_play, 1, "no player is called `red`; the players are black, white"),
        (other_theory, 1, "the proof is about `go`, and not about `chess`"),
        (other_first_position, 2, "node 0: after c5c6 comes "),
        (other_later_position, 2, "node 0: after c5c6 comes "),
        (first_position_that_is_none, 2, "`8/9/8` is no position: "),
        (first_position_written_otherwise, 2, f"node 0: the position is written `{WON}`"),
        (node_that_nothing_leads_to, 523, "node 521: no line of play leads to this node"),
        (circle, 3, "node 1: the proof has no reply to "),
    ],
)
def test_a_forged_proof_is_refused_with_its_line(checked, forge, line, messages):
    code, out, err = checked("won", forge)
    assert (code, err) == (1, "")
    assert any(f"p.jsonl:{line}: " in each and messages in each for each in out.splitlines()), out
    assert out.splitlines()[-1].startswith("refused: ")


def test_who_holds_need_not_win(checked):
    code, out, _ = checked("held", lambda lines: lines[0].update(says="wins"), "--json")
    assert code == 1
    (mistake,) = json.loads(out)["mistakes"]
    assert "should conclude" in mistake["message"]


def test_a_file_by_other_rules_says_so(checked):
    """Check a proof that a larger rule base would decide sooner."""

    def sooner(lines):
        leaf_that_no_rule_decides(lines)
        lines[1]["rule"] = "learned_1"

    code, out, _ = checked("won", sooner)
    assert code == 1
    first, last, note = out.splitlines()
    assert "it is not one of the rules of `endings`: check with the --rules " in first
    assert last == "refused: 1 mistake"
    assert note == "  the file names rules that are not among these: learned_1"

    def named_otherwise(lines):
        next(line for line in lines if "rule" in line)["rule"] = "learned\n2"

    code, out, _ = checked("won", named_otherwise)
    assert code == 0
    assert out.endswith("  the file names rules that are not among these: learned⏎2\n")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("what\n", "p.jsonl:1: the line is not JSON"),
        ('{"strategy": 2}\n', "p.jsonl:1: `strategy` is the version of the format, and only 1 is known"),
        ('{"strategy": 1, "roles": ["a"]}\n', "p.jsonl:1: this is a strategy of a game in GDL"),
        ('{"strategy": 1, "theory": "chess", "player": "white", "says": "draws"}\n', "p.jsonl:1: `says` is neither"),
        ("HEAD", "p.jsonl:1: the first line says 1 node, and the file has 0"),
        ('HEAD{"node": 0, "state": "", "rank": 0}\n', "p.jsonl:2: a node has either a `rule` or `moves`"),
        ('HEAD{"node": 0, "state": "", "rank": -1, "rule": "r"}\n', "p.jsonl:2: `rank` is not an integer from 0"),
        ('HEAD{"node": 0, "state": "", "rank": 0, "moves": [{"move": "a1a2", "to": 1}]}\n', "p.jsonl:2: `to` is not"),
    ],
)  # fmt: skip
def test_what_is_no_proof_is_an_error_with_a_way_out(run, folder, text, messages):
    head = '{"strategy": 1, "theory": "chess", "player": "white", "says": "wins", "nodes": 1}\n'
    (folder / "p.jsonl").write_text(text.replace("HEAD", head), encoding="utf-8")
    code, out, err = run("search", "verify", "chess", "p.jsonl")
    assert (code, out) == (1, "")
    assert err.startswith(f"error: {messages}")
    assert "write the file anew with `hornbook search plan THEORY STATE --into FILE`" in err


@pytest.mark.parametrize("arguments", [("strategy", "chess"), ("verify", "chess", "p.jsonl")])
def test_a_theory_instead_of_a_game_names_the_command_for_theories(run, arguments):
    code, _, err = run("game", *arguments)
    assert code == 2
    assert "use `hornbook search" in err


def test_rules_are_those_that_are_named(checked, known, monkeypatch):
    queried = []
    monkeypatch.setattr(checking, "known_for", lambda *given: queried.append(given) or known)
    assert checked("won", None, "--rules", "mine.horn")[0] == 0
    assert queried == [("chess", None, Path("mine.horn"))]


def test_a_file_says_by_which_rules_it_was_proved(checked):
    code, out, _ = checked("won", lambda lines: lines[0].update(rules="endings, more.horn"))
    assert code == 0
    assert out.endswith(
        "  it was proved by the rules of endings, more.horn, and is checked by those of endings\n"
    )
    code, out, _ = checked("won", lambda lines: lines[0].pop("rules"))
    assert (code, len(out.splitlines())) == (0, 1)
