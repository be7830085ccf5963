"""Random programs as one program in C++.

All are compiled together, since each compilation takes a second. Each derived fact becomes an answer.
"""

from __future__ import annotations

import subprocess
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CountOf,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.standalone.cpp import AnsweringRule, CompiledRelation, CompiledVariable, source, text_of
from hornbook.matcher.standalone.cpp import CompiledProgram as Written
from hornbook.matcher.standalone.shared_library import FILE, RuleLibrary
from oracles.engine.random_programs import RandomProgram

C = TypeVar("C", bound=CodedCondition)


def together(programs: Iterable[RandomProgram]) -> RandomProgram:
    """Return the union of programs, with separate predicates for each."""
    predicates: list[CodedPredicate] = []
    given: list[Fact] = []
    rules: list[CodedRule] = []
    for number, program in enumerate(programs):
        first = len(predicates)
        predicates += [
            each if each.counts is None else replace(each, counts=each.counts + first)
            for each in program.predicates
        ]
        given += [moved_fact(fact, first) for fact in program.given]
        rules += [
            CodedRule(
                (number, rule.id), _moved(rule.head, first), _all_moved(rule.body, first), rule.variables
            )
            for rule in program.rules
        ]
    return RandomProgram(tuple(predicates), tuple(given), tuple(rules))


def moved_fact(fact: Fact, first: int) -> Fact:
    return Fact(fact.predicate + first, fact.cells)


def _all_moved(conditions: Sequence[CodedCondition], first: int) -> tuple[CodedCondition, ...]:
    return tuple(_moved(each, first) for each in conditions)


def _moved(condition: C, first: int) -> C:
    match condition:
        case Match():
            return replace(condition, predicate=condition.predicate + first)
        case AllOf():
            inner = _all_moved(condition.conditions, first)
            return replace(condition, set=_moved_set(condition.set, first), conditions=inner)
        case CountOf():
            return replace(condition, sets=tuple(_moved_set(each, first) for each in condition.sets))
        case AggregateOf() | AbsentOf():
            return replace(condition, conditions=_all_moved(condition.conditions, first))
    return condition


def _moved_set(closed: ClosedSet, first: int) -> ClosedSet:
    return replace(closed, count=closed.count + first, member=closed.member + first)


def written(program: RandomProgram, stated: Sequence[Fact] = ()) -> str:
    """Return a program in C++ that answers with the facts of each predicate.

    The rule has the predicate's number.
    """
    answering = []
    for number, predicate in enumerate(program.predicates):
        variables = tuple(map(Var, range(predicate.arity)))
        output = CodedRule(
            ("told", number),
            Match(len(program.predicates) + number, variables),
            (Match(number, variables),),
            predicate.arity,
        )
        answering.append(
            AnsweringRule(
                output,
                f"p{number}",
                "",
                tuple(CompiledVariable(v.index, f"v{v.index}", is_word=False) for v in variables),
            )
        )
    predicates = (*program.predicates, *(CodedPredicate(each.arity) for each in program.predicates))
    relations = tuple(CompiledRelation(f"r{n}", (False,) * each.arity) for n, each in enumerate(predicates))
    return source(
        Written(
            predicates, relations, (), tuple(stated), program.rules, tuple(answering), {}, "random programs"
        )
    )


def built(folder: Path, text: str, *options: str) -> RuleLibrary:
    """Compile a program in C++ without optimisation, which takes less time."""
    (folder / "rules.cpp").write_text(text, encoding="utf-8")
    (folder / "hornbook_rules.h").write_text(text_of("hornbook_rules.h"), encoding="utf-8")
    command = [
        "c++",
        "-std=c++17",
        "-O0",
        "-fPIC",
        "-shared",
        *options,
        "-o",
        str(folder / FILE),
        str(folder / "rules.cpp"),
    ]
    subprocess.run(command, check=True)
    return RuleLibrary(folder)


def cells(facts: Iterable[Fact]) -> bytes:
    """Return facts in the input format of a library."""
    return b"".join(array("q", (fact.predicate, 1, *fact.cells)).tobytes() for fact in facts)
