"""Planning problems from files: the entry points of this package."""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.sources.files import read_text, shown
from hornbook.planner.pddl.checks import problem_mistakes
from hornbook.planner.pddl.domains import read_domain_part
from hornbook.planner.pddl.problems import read_problem_part
from hornbook.planner.pddl.syntax import PddlDomain, PlanningProblem


def read_problem(domain: Path, problem: Path) -> PlanningProblem:
    """Return the planning problem of two files.

    Raises TheoryError with all mistakes of both files, each with its place. The names in the problem are
    checked if the domain has no mistake.
    """
    return problem_of_texts(
        read_text(domain, shown(domain)), read_text(problem, shown(problem)), shown(domain), shown(problem)
    )


def read_domain(domain: Path) -> PddlDomain:
    """Return the domain of a file. Raises TheoryError with all mistakes."""
    return domain_of_text(read_text(domain, shown(domain)), shown(domain))


def domain_of_text(text: str, file: str = "domain.pddl") -> PddlDomain:
    """Return the domain of a text; messages name `file`. Raises TheoryError with all mistakes."""
    found, mistakes = read_domain_part(text, file)
    _refuse_mistakes(mistakes, {file: text})
    return found


def problem_of_texts(
    domain: str, problem: str, domain_file: str = "domain.pddl", problem_file: str = "problem.pddl"
) -> PlanningProblem:
    """Return the planning problem of two texts; messages name the files. Raises TheoryError."""
    read, mistakes = read_domain_part(domain, domain_file)
    given, more = read_problem_part(problem, problem_file)
    both = PlanningProblem(read, given)
    if not mistakes:
        more = (*more, *problem_mistakes(both))
    _refuse_mistakes((*mistakes, *more), {domain_file: domain, problem_file: problem})
    return both


def _refuse_mistakes(mistakes: tuple[Diagnostic, ...], sources: dict[str, str]) -> None:
    if mistakes:
        raise TheoryError(mistakes, sources)
