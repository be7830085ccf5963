"""Tests of the theories of domains: golden texts, macro-operators, and what cannot be a theory.

Set HORNBOOK_UPDATE_GOLDEN=1 to write the golden theories again. Review the changes before committing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hornbook.kb.load.verdict import verdict
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.pddl.examples import FOLDER
from hornbook.planner.pddl.reading import domain_of_text
from hornbook.planner.pddl_theories.folder import DomainFolder, domain_folder
from hornbook.planner.pddl_theories.sorts import TypeSorts
from hornbook.planner.tasks.plan_files import PlanFileError
from hornbook.planner.translation.folder import write_files

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(("domain", "problem"), [("blocks", "blocks-tower"), ("doors", "doors-museum")])
def test_what_the_domains_that_ship_become(domain, problem, tmp_path):
    made = domain_folder(FOLDER / f"{domain}.pddl", FOLDER / f"{problem}.pddl", None, domain)
    assert len(made.files) == 3
    for name, text in made.files.items():
        expected = GOLDEN / name
        if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
            expected.write_text(text, encoding="utf-8")
        assert text == expected.read_text(encoding="utf-8")
    write_files(made.files, tmp_path / domain)
    for name in (f"{domain}.horn", made.problem):
        assert verdict(tmp_path / domain / name, cached=False).diagnostics == ()


def sorts_of(types: str, predicates: str) -> list[str]:
    """Return the sorts of the columns of the predicate `p`."""
    domain = domain_of_text(f"(define (domain d) (:types {types}) (:predicates {predicates}))")
    sorts = TypeSorts(domain)
    return [sorts.of(each.types) for each in domain.predicates["p"].parameters]


@pytest.mark.parametrize(
    ("types", "predicates", "sorts"),
    [
        ("a b", "(p ?x - a ?y - b)", ["a", "b"]),
        ("b - a a", "(p ?x - a ?y - b)", ["a", "a"]),
        ("a b", "(p ?x - a ?y - b) (q ?z - (either a b))", ["a_or_b", "a_or_b"]),
        ("a b c", "(p ?x - a ?y - b ?z - c) (q ?z - (either a b))", ["a_or_b", "a_or_b", "c"]),
        ("a b", "(p ?x - a ?y - b) (q ?z)", ["object", "object"]),
        ("c - a c - b a b", "(p ?x - a ?y - b ?z - c)", ["a_or_b", "a_or_b", "a_or_b"]),
        ("a", "(p ?x ?y)", ["object", "object"]),
        ("int", "(p ?x - int)", ["int_2"]),
    ],
)
def test_hierarchies_of_types_are_sorts(types, predicates, sorts):
    assert sorts_of(types, predicates) == sorts


def made_of(domain: str, problem: str, where: Path, plan: str = "") -> DomainFolder:
    where.mkdir(exist_ok=True)
    for name, text in (("domain.pddl", domain), ("problem.pddl", problem), ("plan.txt", plan)):
        (where / name).write_text(text, encoding="utf-8")
    given = where / "plan.txt" if plan else None
    return domain_folder(where / "domain.pddl", where / "problem.pddl", given, "made")


NAMES = """(define (domain names)
  (:predicates (count ?x) (plan ?x) (move ?x) (in ?from ?absent) (after) (goal ?x))
  (:action move :parameters (?before ?x-y ?x_y)
    :precondition (and (count ?before) (in ?x-y ?x_y) (not (plan ?before)) (goal ?before))
    :effect (and (plan ?before) (not (count ?before)) (after) (move ?x-y)))
  (:action never :parameters (?x) :precondition (and (count ?x) (not (count ?x))) :effect (after)))
"""
OBJECTS = """(define (problem made) (:domain names) (:objects all by-2 sum)
  (:init (count all) (in by-2 sum) (goal all) (after)) (:goal (and (plan all) (not (count all)))))
"""


def test_names_that_are_words_of_the_language(tmp_path):
    made = made_of(NAMES, OBJECTS, tmp_path / "given", "(move all by-2 sum)")
    write_files(made.files, tmp_path / "made")
    assert (made.problem, made.state) == ("made_problem.horn", "made_problem_start.horn")
    for name in ("made.horn", made.problem):
        assert [str(each) for each in verdict(tmp_path / "made" / name, cached=False).diagnostics] == []
    text = made.files["made.horn"]
    for declared in ("is_count(object -> truth)", "is_plan(object -> truth)", "fluent move(object)"):
        assert declared in text
    assert "action do_move(object, object, object)." in text
    assert "% never is never applicable." in text
    assert "do_move(all, 'by-2', sum)" in made.files[made.problem]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ("(fly all)", "the domain has no action `fly`"),
        ("(move all)", "`move` has 3 arguments, and not 1"),
        ("(move all by-2 other)", "the problem has no object `other`"),
        ("move", "expected an action such as `(move a b)`"),
        ("(move all by-2 sum", "expected an action such as `(move a b)`"),
        ("()", "expected an action such as `(move a b)`"),
        ("; nothing", "the goal does not hold"),
    ],
)
def test_a_plan_with_mistakes_is_refused(plan, message, tmp_path):
    with pytest.raises(PlanFileError, match=re.escape(f"plan.txt:1: {message}")):
        made_of(NAMES, OBJECTS, tmp_path / "given", plan)


def test_a_goal_that_no_state_satisfies_is_refused(tmp_path):
    with pytest.raises(TheoryError, match="no state satisfies the goal") as refused:
        made_of(NAMES, OBJECTS.replace("(plan all)", "(count all)"), tmp_path / "given")
    assert str(refused.value).count("problem.pddl:2") == 1


def test_a_state_with_too_many_absences_is_refused(tmp_path):
    objects = " ".join(f"o{number}" for number in range(60))
    domain = """(define (domain wide) (:predicates (p ?a ?b ?c))
      (:action a :parameters (?a) :precondition (not (p ?a ?a ?a)) :effect (p ?a ?a ?a)))"""
    problem = f"(define (problem many) (:domain wide) (:objects {objects}) (:init) (:goal (p o1 o1 o1)))"
    with pytest.raises(TheoryError, match=re.escape("`p` may hold or not of more than 200,000")):
        made_of(domain, problem, tmp_path / "given")


def test_an_action_without_conditions_is_applicable_to_all_objects_of_its_types(tmp_path):
    domain = """(define (domain free) (:types lamp room) (:predicates (lit ?l - lamp))
      (:action light :parameters (?l - lamp) :effect (lit ?l))
      (:action wait :effect (and)))"""
    problem = """(define (problem dark) (:domain free) (:objects one two - lamp hall - room)
      (:init) (:goal (lit one)))"""
    made = made_of(domain, problem, tmp_path / "given")
    assert "may_light(?l) :- lamp(?l)." in made.files["made.horn"]
    assert "may_wait:\n  may_wait." in made.files["made.horn"]
    assert "lamp(one).\nlamp(two).\n" in made.files[made.problem]
