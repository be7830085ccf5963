"""The folder of a translated domain: its theory, and the theory and the first state of a problem."""

from __future__ import annotations

from pathlib import Path

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.pddl.reading import read_domain, read_problem
from hornbook.planner.pddl_theories.problem_text import plan_actions, problem_text, state_text
from hornbook.planner.pddl_theories.theory_text import domain_theory
from hornbook.planner.tasks.plan_check import steps_of_plan
from hornbook.planner.translation.names import plain


@dataclass(frozen=True, slots=True)
class DomainFolder:
    """The files of a folder by their names. The names of a problem's files are empty without one."""

    files: dict[str, str]
    problem: str = ""
    state: str = ""


def domain_folder(domain: Path, problem: Path | None, plan: Path | None, name: str) -> DomainFolder:
    """Return the files for a domain whose theory has this name, and for a problem and its plan.

    Raises TheoryError, and PlanFileError for a file that is no plan of the problem.
    """
    if problem is None:
        theory = domain_theory(read_domain(domain), name, domain.name, ())
        return DomainFolder({f"{name}.horn": theory.text})
    both = read_problem(domain, problem)
    theory = domain_theory(both.domain, name, domain.name, both.problem.goal)
    actions = () if plan is None else plan_actions(steps_of_plan(both, plan), theory)
    own = plain(both.problem.name)
    if own == name:
        own = f"{own}_problem"
    files = {
        f"{name}.horn": theory.text,
        f"{own}.horn": problem_text(both, theory, own, name, problem.name, actions),
        f"{own}_start.horn": state_text(both, theory, problem.name),
    }
    return DomainFolder(files, f"{own}.horn", f"{own}_start.horn")
