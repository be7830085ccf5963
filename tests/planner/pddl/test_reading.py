"""Tests of the reader of PDDL: the syntax tree of a domain and a problem, and any text whatever."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hornbook.kb.sources.diagnostics import CODES, TheoryError
from hornbook.planner.pddl.reading import domain_of_text, problem_of_texts, read_problem
from hornbook.planner.pddl.syntax import FunctionTerm, PddlEffect, PddlLiteral, TypedName
from oracles.gdl.mutants import mutant
from oracles.pddl.domains_of_tests import DOMAINS, PROBLEMS

DOMAIN = """
(define (domain Yard)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :equality :action-costs)
  (:types Box Place - object Crate - Box)
  (:constants home - place)
  (:predicates (at ?b - box ?p - place) (wet ?b - box) (dry ?x - (either box place)))
  (:functions (total-cost) - number (way ?p ?q - place) - number)
  (:action carry
    :parameters (?b - box ?p ?q - place)
    :precondition (and (at ?b ?p) (not (wet ?b)) (not (= ?p ?q)))
    :effect (and (not (at ?b ?p)) (AT ?b ?q) (increase (total-cost) (way ?p ?q))
      (forall (?c - crate) (when (and (at ?c ?q) (dry ?c)) (and (wet ?c) (not (dry ?c)))))))
  (:action wait :parameters () :effect (increase (total-cost) 3)))
"""
PROBLEM = """
(define (problem tidy) (:domain yard)
  (:objects one two - crate hall)
  (:init (at one home) (dry two) (not (dry one)) (= (way home home) 0) (= (total-cost) 0))
  (:goal (and (not (at one home)) (wet two)))
  (:metric minimize (total-cost)))
"""


def literal(predicate: str, *terms: str, positive: bool = True) -> PddlLiteral:
    return PddlLiteral(predicate, terms, positive)


def test_the_syntax_tree_of_a_domain():
    domain = domain_of_text(DOMAIN)
    assert domain.name == "yard"
    assert domain.types == {"box": ("object",), "place": ("object",), "crate": ("box",)}
    assert domain.constants == (TypedName("home", ("place",)),)
    assert domain.predicates["dry"].parameters == (TypedName("?x", ("box", "place")),)
    carry, wait = domain.actions
    assert carry.parameters == (
        TypedName("?b", ("box",)),
        TypedName("?p", ("place",)),
        TypedName("?q", ("place",)),
    )
    assert carry.precondition == (
        literal("at", "?b", "?p"),
        literal("wet", "?b", positive=False),
        literal("=", "?p", "?q", positive=False),
    )
    crates, wetting = (TypedName("?c", ("crate",)),), (literal("at", "?c", "?q"), literal("dry", "?c"))
    assert carry.effects == (
        PddlEffect((), (), literal("at", "?b", "?p", positive=False)),
        PddlEffect((), (), literal("at", "?b", "?q")),
        PddlEffect(crates, wetting, literal("wet", "?c")),
        PddlEffect(crates, wetting, literal("dry", "?c", positive=False)),
    )
    assert carry.cost == FunctionTerm("way", ("?p", "?q"))
    assert (wait.parameters, wait.effects, wait.cost) == ((), (), 3)
    assert domain.changing() == {"at", "wet", "dry"}
    assert domain.supertypes("crate") == {"crate", "box", "object"}
    assert carry.span.line == 8


def test_a_variable_may_follow_a_word_without_a_space():
    spaced, joined = domain_of_text(DOMAIN), domain_of_text(DOMAIN.replace(" ?", "?"))
    assert joined.predicates["at"].parameters == spaced.predicates["at"].parameters
    assert [action.parameters for action in joined.actions] == [
        action.parameters for action in spaced.actions
    ]


def test_the_syntax_tree_of_a_problem():
    domain = DOMAIN.replace("dry ?x - (either box place)", "dry ?x")
    both = problem_of_texts(domain, PROBLEM.replace("hall)", "hall - place)"))
    assert both.problem.initial == (
        literal("at", "one", "home"),
        literal("dry", "two"),
        literal("dry", "one", positive=False),
    )
    assert both.problem.values == {FunctionTerm("way", ("home", "home")): 0}
    assert both.problem.goal == (literal("at", "one", "home", positive=False), literal("wet", "two"))
    assert both.problem.minimises_cost
    assert both.of_types(("place",)) == ("home", "hall")
    assert both.of_types(("box",)) == ("one", "two")
    assert both.of_types(("object",)) == ("home", "one", "two", "hall")


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("yard)", "yard2)", "HB116", "the problem belongs to the domain `yard2`"),
        ("(at one home)", "(at one hall)", "HB114", "`hall` is of type `object`, but `at` needs `place`"),
        ("(at one home)", "(at one)", "HB114", "`at` has 2 arguments, not 1"),
        ("(dry two)", "(dry three)", "HB113", "the object `three` is not declared"),
        ("(dry two)", "(dryy two)", "HB113", "the predicate `dryy` is not declared"),
        ("(way home home)", "(ways home home)", "HB113", "the function `ways` is not declared"),
        ("two - crate", "two - crates", "HB113", "the type `crates` of `one` is not declared"),
        ("one two", "one two one", "HB115", "the object `one` is declared again"),
        ("one two", "one two home", "HB115", "`home` is a constant of the domain already"),
        ("(not (dry one))", "(not (dry two))", "HB115", "the first state has `dry`"),
        ("(wet two)", "(wet ?two)", "HB113", "the variable `?two` is not declared"),
    ],
)
def test_mistakes_in_the_names_of_a_problem(old, new, code, message):
    assert old in PROBLEM
    with pytest.raises(TheoryError) as refused:
        problem_of_texts(DOMAIN, PROBLEM.replace(old, new))
    found = [each for each in refused.value.diagnostics if each.code == code]
    assert message in found[0].message
    assert found[0].help
    assert found[0].span.file == "problem.pddl"


def test_all_mistakes_of_both_files_are_reported_at_once():
    with pytest.raises(TheoryError) as refused:
        problem_of_texts(
            DOMAIN.replace("(wet ?b)", "(wett ?b)"), PROBLEM.replace("(wet two)", "(or (wet two))")
        )
    assert {(each.span.file, each.code) for each in refused.value.diagnostics} == {
        ("domain.pddl", "HB113"),
        ("problem.pddl", "HB111"),
    }


def test_a_domain_in_the_place_of_a_problem():
    with pytest.raises(TheoryError, match="this file has a domain, and a problem is needed here"):
        problem_of_texts(DOMAIN, DOMAIN)


def test_a_section_that_is_not_closed_ends_before_the_next_one():
    with pytest.raises(TheoryError) as refused:
        domain_of_text(DOMAIN.replace("(:types Box Place - object Crate - Box)", "(:types Box (Place"))
    first = refused.value.diagnostics[0]
    assert (first.code, first.span.line) == ("HB101", 4)


@pytest.mark.parametrize("name", DOMAINS)
def test_the_domains_of_tests_are_read(name):
    domain, problem = PROBLEMS[name]
    assert read_problem(domain, problem).domain.name == name


@pytest.mark.parametrize("name", [*DOMAINS, "yard"])
@pytest.mark.parametrize("which", [0, 1])
def test_a_mutant_is_read_or_refused(name, which):
    texts = (
        [DOMAIN, PROBLEM] if name == "yard" else [path.read_text(encoding="utf-8") for path in PROBLEMS[name]]
    )
    for seed in range(150):
        changed = list(texts)
        changed[which] = mutant(texts[which], Random(f"{name} {which} {seed}"))
        is_read_or_refused(*changed)


@pytest.mark.parametrize("seed", range(200))
def test_any_characters(seed):
    random = Random(seed)
    text = "".join(random.choice("(((()))) ?-=:;\n\x00\ud800ab5.é") for _ in range(random.randrange(80)))
    is_read_or_refused(text, PROBLEM)
    is_read_or_refused(DOMAIN, text)
    place = random.randrange(len(DOMAIN))
    is_read_or_refused(DOMAIN[:place] + text + DOMAIN[place:], PROBLEM)


def is_read_or_refused(domain: str, problem: str) -> None:
    try:
        problem_of_texts(domain, problem)
    except TheoryError as refused:
        problem_found = refused
    else:
        return
    assert str(problem_found)
    for diagnostic in problem_found.diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.help, diagnostic
        text = {"domain.pddl": domain, "problem.pddl": problem}[diagnostic.span.file]
        assert 1 <= diagnostic.span.line <= text.count("\n") + text.count("\r") + 1


def test_files_that_do_not_exist():
    with pytest.raises(TheoryError, match="there is no such file"):
        read_problem(Path("nowhere.pddl"), Path("nowhere.pddl"))
