"""`hornbook game plan`, and `hornbook game verify` for plans."""

from __future__ import annotations

import json

import pytest

STUCK = """(define (domain d) (:predicates (p) (q))
  (:action go :parameters () :precondition (q) :effect (p)))"""
STUCK_PROBLEM = "(define (problem e) (:domain d) (:init) (:goal (p)))"


def test_a_plan_is_printed_written_and_verified(run, folder):
    code, out, _ = run("game", "plan", "doors", "doors-museum")
    assert code == 0
    *steps, about, looked = out.splitlines()
    assert about == "a plan of 4 actions, cost 9; no plan is cheaper; proved"
    assert looked.endswith(" states evaluated, 5 ground actions")
    code, out, _ = run("game", "plan", "doors", "doors-museum", "--optimal", "--into", "plan.txt")
    assert (code, out.splitlines()[0]) == (
        0,
        "a plan of 4 actions, cost 9, written to plan.txt; no plan is cheaper; proved",
    )
    lines = (folder / "plan.txt").read_text(encoding="utf-8").splitlines()
    assert (lines[:-1], lines[-1]) == (steps, "; cost = 9 (general cost)")
    assert run("game", "verify", "doors", "doors-museum", "plan.txt")[:2] == (
        0,
        "plan.txt: right: the goal holds after 4 actions, cost 9\n",
    )


def test_a_wrong_plan_is_refused_with_its_line(run, folder):
    (folder / "plan.txt").write_text("; a plan\n(unstack green red)\n(stack red green)\n", encoding="utf-8")
    code, out, _ = run("game", "verify", "blocks", "blocks-tower", "plan.txt")
    assert code == 1
    assert out.startswith("plan.txt:3: `stack` is not applicable: (")
    assert out.endswith("is false\nrefused: 1 mistake\n")
    code, out, _ = run("game", "verify", "blocks", "blocks-tower", "plan.txt", "--json")
    assert code == 1
    assert json.loads(out)["mistake"]["line"] == 3
    (folder / "plan.txt").write_text("stack red green\n", encoding="utf-8")
    code, _, err = run("game", "verify", "blocks", "blocks-tower", "plan.txt")
    assert code == 1
    assert "plan.txt:1: expected an action such as `(move a b)`" in err


def test_a_report_in_json_has_the_plans_and_the_bound(run):
    code, out, _ = run("game", "plan", "blocks", "blocks-tower", "--json")
    assert code == 0
    report = json.loads(out)
    assert (report["answer"], report["cost"], report["bound"], report["stopped"]) == ("optimal", 4, 4, None)
    assert report["plan"][0] == "(unstack green red)"
    assert report["plans"][-1]["cost"] == 4
    first = json.loads(run("game", "plan", "blocks", "blocks-tower", "--first-plan", "--json")[1])
    assert (first["answer"], len(first["plans"])) == ("plan", 1)


def test_no_plan_and_no_time_are_never_confused(run, folder):
    (folder / "d.pddl").write_text(STUCK, encoding="utf-8")
    (folder / "e.pddl").write_text(STUCK_PROBLEM, encoding="utf-8")
    code, out, _ = run("game", "plan", "d.pddl", "e.pddl", "--into", "plan.txt")
    assert code == 1
    assert out.splitlines()[0] == "no plan exists; proved"
    assert not (folder / "plan.txt").exists()
    code, out, err = run("game", "plan", "blocks", "blocks-tower", "--seconds", "0.001")
    assert code == 1
    assert "no plan exists" not in out + err


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            ("plan", "nim", "blocks-tower"),
            "`nim` is a game in GDL, and not a file in PDDL; use `hornbook game strategy`",
        ),
        (
            ("plan", "blocks", "blocks-tower", "--heuristic", "fff"),
            "no heuristic is called `fff`; did you mean `ff`?",
        ),
        (
            ("plan", "blocks", "blocks-tower", "--heuristic", "add", "--optimal"),
            "`add` proves no plan optimal; use one of lmcut, max, blind",
        ),
        (("verify", "blocks", "blocks-tower"), "a domain in PDDL is followed by a problem and its plan"),
        (("verify", "nim", "blocks-tower", "plan.txt"), "only a domain in PDDL is followed by a problem"),
        (("verify", "blocks", "blocks-tower", "p", "--moves", "x"), "a plan begins in the first state"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(run, command, message):
    code, _, err = run("game", *command)
    assert code == 2
    assert message in err


def test_mistakes_in_the_files_are_reported(run, folder):
    (folder / "d.pddl").write_text(STUCK.replace("(q) :effect", "(r) :effect"), encoding="utf-8")
    (folder / "e.pddl").write_text(STUCK_PROBLEM, encoding="utf-8")
    code, _, err = run("game", "plan", "d.pddl", "e.pddl")
    assert code == 1
    assert "d.pddl" in err
