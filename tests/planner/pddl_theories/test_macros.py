"""Tests that macro-operators from plans of domains in PDDL are plans in PDDL, in other states too."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

from hornbook.planner.pddl.examples import FOLDER
from hornbook.planner.pddl_theories.folder import domain_folder
from hornbook.planner.translation.folder import write_files
from oracles.pages.markdown_blocks import run_hornbook
from oracles.pddl.interpreter import validate
from oracles.pddl.random_problems import random_problem

TOWER = "(unstack green red)(stack green blue)(pick-up red)(stack red green)"
MUSEUM = "(walk front entrance east)(walk there east west)(pull west)(walk back west east)"


def learned(domain: str, problem: str, plan: str, where: Path) -> tuple[Path, Path, Path]:
    """Return the theory of a problem, its first state, and the rules learned from a plan."""
    (where / "plan.txt").write_text(plan, encoding="utf-8")
    made = domain_folder(FOLDER / f"{domain}.pddl", FOLDER / f"{problem}.pddl", where / "plan.txt", "made")
    write_files(made.files, where / "made")
    theory, rules = where / "made" / made.problem, where / "rules.horn"
    printed, code = run_hornbook(["learn", str(theory), "--into", str(rules)])
    assert code == 0, printed
    assert " 0 gaps" in printed
    return theory, where / "made" / made.state, rules


def plan_by_rules(theory: Path, rules: Path, state: Path, query: str) -> str | None:
    """Return the sequence of actions that learned rules give without a search, as a plan, or None."""
    words = [
        *("what-if", theory, query, "--add", state, "--rules", rules, "--steps", "4", "--json"),
        *("--seconds", "60"),
    ]
    printed, code = run_hornbook([str(word) for word in words])
    assert code == 0, printed
    found = json.loads(printed[printed.index("{") :])
    if found["tried"] or not found["sequence"]:
        return None
    steps = (re.findall(r"\w+", each["action"]) for each in found["sequence"])
    return " ".join(f"({' '.join(words)})".replace("pick_up", "pick-up") for words in steps)


def test_macro_operators_of_blocks_are_plans_in_random_states(tmp_path):
    theory, _, rules = learned("blocks", "blocks-tower", TOWER, tmp_path)
    steps = set()
    for seed in range(14):
        domain, problem = random_problem("blocks", Random(seed))
        (tmp_path / "problem.pddl").write_text(problem, encoding="utf-8")
        made = domain_folder(FOLDER / "blocks.pddl", tmp_path / "problem.pddl", None, "made")
        state = tmp_path / "state.horn"
        state.write_text(made.files[made.state], encoding="utf-8")
        plan = plan_by_rules(theory, rules, state, "after on(b0, b1)")
        if plan is None or "(on b0 b1)" in problem.partition("(:goal")[0]:
            continue
        goal = re.sub(r"\(:goal .*", "(:goal (on b0 b1)))", problem, flags=re.DOTALL)
        verdict = validate(domain, goal, plan.replace("put_down", "put-down"))
        assert verdict.valid, (seed, plan, verdict)
        steps.add(verdict.steps)
    assert len(steps) > 1


def test_a_macro_operator_with_conditional_effects_and_absences_is_a_plan(tmp_path):
    theory, state, rules = learned("doors", "doors-museum", MUSEUM, tmp_path)
    plan = plan_by_rules(theory, rules, state, "after goal")
    assert plan is not None
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in ("doors.pddl", "doors-museum.pddl")]
    verdict = validate(texts[0], texts[1], plan)
    assert verdict.valid, verdict
    assert (verdict.steps, verdict.cost) == (4, 9)
