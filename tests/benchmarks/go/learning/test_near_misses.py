"""Tests of the table of conditions that keep learned rules from answering."""

from __future__ import annotations

from benchmarks.go.learning.near_misses import NearMisses, kinds, near_misses, table, unanswered, without
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.parse.syntax import parse
from hornbook.theories.go.problems import read_problems, shipped

RULE = """
last_liberty_of_one_stone:
  take(?b) by move(?c, ?p) is GI :-
    named(?b), colour(?b, ?d), opponent(?d, ?c), liberties(?b, 1), liberty(?b, ?p), ko(?c, ?p, free),
    stones(?b, ?n), ?n > 900, all ?x in liberty(?b, ?x): ?x = ?p.
"""


def rule() -> Rule:
    (found,) = (each for each in parse(RULE).clauses if isinstance(each, Rule))
    return found


def test_a_condition_that_binds_a_variable_remains():
    one = rule()
    assert without(one, "stones") == one
    assert without(one, "ko").body == (*one.body[:5], *one.body[6:])
    assert len(without(one, "all").body) == len(one.body) - 1
    assert kinds(load("go"), [one]) == ["liberties", "stones", "all"]


def test_rules_without_a_specific_condition_answer():
    theory = load("go")
    problems = [problem for problem in read_problems(shipped("hundred")) if problem.depth in (1, 3)][:8]
    (specific,) = (
        each for each in parse(RULE.replace("?n > 900", "?n > 0")).clauses if isinstance(each, Rule)
    )
    needless = parse(RULE.replace("stones(?b, ?n), ?n > 900", "stones(?b, 900)")).clauses
    (refusing,) = (each for each in needless if isinstance(each, Rule))
    answered = len(problems) - len(unanswered(theory, [specific], problems))
    assert answered
    assert unanswered(theory, [refusing], problems) == problems
    assert near_misses(theory, [refusing], "stones", problems) == NearMisses("stones", 1, answered, 0)
    # Without the liberties, the rule fills any liberty of any block.
    assert near_misses(theory, [specific], "liberties", problems).right >= answered


def test_the_table_begins_with_the_most_right_answers():
    lines = table([NearMisses("ko", 3, 1, 0), NearMisses("firm", 2, 4, 1)]).splitlines()
    assert [line.split()[0] for line in lines] == ["without", "firm", "ko"]
    assert lines[1].split() == ["firm", "2", "4", "1"]
