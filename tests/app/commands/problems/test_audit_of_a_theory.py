"""`hornbook problems audit` without rules: the theory is compared with the adapter's own steps.

The first difference is shown.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

THEORY = (Path(__file__).parent / "data" / "audit_of_a_theory_theory.horn").read_text(encoding="utf-8")
ADAPTER = """\
from hornbook.kb.ast.theory import GroundFact
def read(text, name):
    lit, n = text.split()
    return tuple(zip("abc", lit)), int(n)
def facts(state):
    for lamp, lit in state[0]:
        yield GroundFact("lit", (lamp, "yes" if lit == "1" else "no"))
    yield GroundFact("pressed", (state[1],))
def actions(state):
    return [GroundFact("press", (lamp,)) for lamp, _ in state[0]]
def step(state, action):
    lamps = tuple((lamp, str(1 - int(lit)) if (lamp,) == action.values else lit) for lamp, lit in state[0])
    return lamps, state[1] + 1
"""
WALKS = ("--state", "state.txt", "--games", "3", "--moves", "4")


@pytest.fixture
def audit(run, folder):
    Path("adapter.py").write_text(ADAPTER, encoding="utf-8")
    Path("state.txt").write_text("010 7", encoding="utf-8")

    def audited(theory, *more, adapter=None):
        Path("lamps.horn").write_text(theory, encoding="utf-8")
        if adapter is not None:
            Path("adapter.py").write_text(adapter, encoding="utf-8")
        return run("problems", "audit", "lamps.horn", *WALKS, *more)

    return audited


def test_a_theory_that_says_what_its_adapter_does(audit):
    assert audit(THEORY) == (
        0,
        """\
         concluded   false  missing
dark            20       0        0
lit             36       0        0
pressed         12       0        0
12 actions in 3 games, none of which differs
""",
        "",
    )


def test_a_rule_that_says_what_is_not_so_is_named_with_the_state(audit):
    code, out, _ = audit(
        THEORY.replace(" unless press(?l)", "").replace(
            "it_goes_off: after lit(?l, no)", "it_goes_off: after dark(?l)"
        )
    )
    assert code == 1
    assert "12 actions in 3 games, " in out
    first = out.partition("the first difference is after ")[2]
    assert "  lit(a, " in first
    assert "  pressed(" in first
    assert "concluded, and not so:" in first
    assert "[lit_stays_after_press]" in first


def test_what_is_not_concluded_is_a_difference_unless_it_is_left_open(audit):
    silent = THEORY.replace("one_more: ", "% ")
    code, out, _ = audit(silent)
    assert code == 1
    assert "so, and not concluded:\n  pressed(8)\n" in out
    assert audit(silent, "--partial")[0] == 0


def test_what_a_frame_does_not_allow_is_reported(audit):
    framed = THEORY.replace("pressed(_): press(_)", "pressed(_): press(d)")
    code, out, _ = audit(framed)
    assert code == 1
    assert "changed against a frame:\n  " in out
    assert "the frame does not allow a change of `pressed(7)`" in out


def test_an_observed_conclusion_is_stored_against_the_next_state(audit):
    code, out, _ = audit(THEORY + "all_dark: after dark(?l) :- press(?l).\n")
    assert code == 1
    assert "dark(" in out.partition("concluded, and not so:")[2]
    assert "[all_dark]" in out


def test_a_broken_key_is_reported_as_what_cannot_be_concluded(audit):
    code, out, _ = audit(THEORY.replace("before lit(?l, no).", "before lit(?l, _)."))
    assert code == 1
    assert (
        "nothing can be concluded:\n  two values for one key: `after lit(b, no)` and `after lit(b, yes)`"
        in out
    )


def test_json_has_the_same(audit):
    code, out, _ = audit(THEORY.replace("one_more: ", "% "), "--json", "--seed", "5")
    report = json.loads(out)
    assert (code, report["actions"], report["games"], report["differing"]) == (1, 12, 3, 12)
    assert report["fluents"]["pressed"] == {"concluded": 0, "false": 0, "missing": 12}
    assert report["first"]["missing"] == ["pressed(8)"]
    assert report["first"]["action"].startswith("press(")


def test_the_same_seed_takes_the_same_walks(audit):
    wrong = THEORY.replace("one_more: ", "% ")
    assert audit(wrong, "--seed", "2")[1] == audit(wrong, "--seed", "2")[1]


def test_without_an_adapter_that_steps_it_is_reported_what_to_write(audit, run):
    code, _, err = audit(THEORY, adapter=ADAPTER.partition("def step")[0])
    assert code == 2
    assert "`step(state, action)`" in err
    assert run("problems", "audit", "family")[0] == 2
    code, _, err = run("problems", "audit", "lamps.horn")
    assert code == 2


def test_states_without_actions_are_no_success(audit):
    code, out, err = audit(THEORY, adapter=ADAPTER.replace("return lamps, state[1] + 1", "return None"))
    assert (code, out) == (1, "")
    assert "no action leads anywhere" in err


def test_a_domain_says_where_games_begin(run):
    code, out, _ = run("problems", "audit", "go", "--games", "1", "--moves", "3", "--partial")
    assert code == 0
    assert out.endswith("3 actions in 1 game, none of which differs\n")
