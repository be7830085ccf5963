"""Tests of floor division and remainders: all engines agree for every sign of the operands.

The reference is Python: a quotient is rounded down, and a remainder has the sign of its divisor. A division
by zero has no result. The smallest integer divided by -1 exceeds 64 bits; its remainder is 0.
"""

from __future__ import annotations

import subprocess
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hornbook.compiler.checker.linear import cases
from hornbook.kb.ast.terms import Constant, Operation
from hornbook.matcher.program.coded import Apply, CodedPredicate, CodedRule, Compare, Fact, Match, Var
from hornbook.matcher.program.errors import ArithmeticOverflowError
from hornbook.matcher.sql.engine import SqlEngine
from hornbook.matcher.standalone.shared_library import RuleLibrary
from oracles.calculus.building import SOURCES
from oracles.coq.tools import missing
from oracles.engine.random_programs import RandomProgram
from oracles.engine.standalone_programs import built, cells, written
from oracles.pages.engines import ENGINES

GREATEST, LEAST = 2**63 - 1, -(2**63)
EDGES = (LEAST, LEAST + 1, -(2**32), -7, -6, -3, -2, -1, 0, 1, 2, 3, 6, 7, 2**32, GREATEST - 1, GREATEST)
X, Y, Z = Var(0), Var(1), Var(2)
PAIR, QUOTIENT, REMAINDER = range(3)
PREDICATES = (CodedPredicate(2), CodedPredicate(3), CodedPredicate(3))
RULES = tuple(
    CodedRule(
        operator, Match(head, (X, Y, Z)), (Match(PAIR, (X, Y)), Compare("=", Z, Apply(operator, X, Y))), 3
    )
    for operator, head in (("//", QUOTIENT), ("mod", REMAINDER))
)
ALL_ENGINES = {**ENGINES, "duckdb": SqlEngine}


def has_quotient(left: int, right: int) -> bool:
    return right != 0 and LEAST <= left // right <= GREATEST


DEFINED = [pair for pair in product(EDGES, EDGES) if has_quotient(*pair)]
UNDEFINED = [("//", *pair) for pair in product(EDGES, EDGES) if not has_quotient(*pair)]
UNDEFINED += [("mod", left, 0) for left in EDGES]


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> RuleLibrary:
    return built(tmp_path_factory.mktemp("division"), written(RandomProgram(PREDICATES, (), RULES)))


def results(engine, pairs: list[tuple[int, int]]) -> dict[int, set[tuple[int, ...]]]:
    engine.update(add=[Fact(PAIR, pair) for pair in pairs], add_rules=RULES)
    return {head: set(engine.facts(head)) for head in (QUOTIENT, REMAINDER)}


def expected(pairs: list[tuple[int, int]]) -> dict[int, set[tuple[int, ...]]]:
    return {
        QUOTIENT: {(left, right, left // right) for left, right in pairs},
        REMAINDER: {(left, right, left % right) for left, right in pairs},
    }


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_every_sign_gives_the_results_of_python(name):
    assert results(ALL_ENGINES[name](PREDICATES), DEFINED) == expected(DEFINED)


@pytest.mark.deep
def test_the_cpp_program_gives_the_results_of_python(library):
    found = library.matcher().answers(cells([Fact(PAIR, pair) for pair in DEFINED]))
    assert found is not None
    kinds = expected(DEFINED)
    assert {number: {row for n, row in found if n == number} for number in kinds} == kinds


NUMBERS = st.integers(LEAST, GREATEST) | st.integers(-9, 9) | st.sampled_from(EDGES)
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS).filter(lambda pair: has_quotient(*pair)), max_size=20)


@pytest.mark.parametrize("name", ALL_ENGINES)
@given(pairs=PAIRS)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_random_operands_give_the_results_of_python(name, pairs):
    assert results(ALL_ENGINES[name](PREDICATES), pairs) == expected(pairs)


@given(pairs=PAIRS)
@settings(deadline=None)
def test_random_operands_in_the_cpp_program_too(library, pairs):
    found = library.matcher().answers(cells([Fact(PAIR, pair) for pair in pairs]))
    kinds = expected(pairs)
    assert {number: {row for n, row in found if n == number} for number in kinds} == kinds


@pytest.mark.parametrize("name", ALL_ENGINES)
def test_constant_operands_give_the_results_of_python(name):
    engine = ALL_ENGINES[name](PREDICATES)
    for left, right in product((-7, 7, LEAST + 1, GREATEST), (-3, -1, 1, 3)):
        quotient = Compare("=", X, Apply("//", left, right))
        remainder = Compare("=", Y, Apply("mod", left, right))
        assert engine.query((quotient, remainder), [X, Y]) == [(left // right, left % right)]


@pytest.mark.parametrize("name", ALL_ENGINES)
@pytest.mark.parametrize(("operator", "left", "right"), UNDEFINED)
def test_an_operation_without_a_result_is_an_overflow(name, operator, left, right):
    engine = ALL_ENGINES[name](PREDICATES)
    engine.update(add=[Fact(PAIR, (left, right))])
    with pytest.raises(ArithmeticOverflowError):
        engine.query((Match(PAIR, (X, Y)), Compare("=", Z, Apply(operator, X, Y))), [Z])


@pytest.mark.parametrize(("operator", "left", "right"), UNDEFINED)
def test_an_operation_without_a_result_ends_the_cpp_program(library, operator, left, right):
    assert right == 0 or operator == "//"
    assert library.matcher().answers(cells([Fact(PAIR, (left, right))])) is None


@given(left=NUMBERS, right=NUMBERS, operator=st.sampled_from(("//", "mod")))
def test_the_checker_calculates_no_other_result(left, right, operator):
    """A certificate may use a result only if the engines have the same one."""
    ((value, given_constraints),) = cases(Operation(operator, (Constant(left), Constant(right))))
    assert not given_constraints
    if value.coefficients:
        assert right <= 0  # an unknown without assumptions
    else:
        assert value.constant == (left // right if operator == "//" else left % right)


@pytest.mark.judges
@pytest.mark.skipif(missing("coqc"), reason="there is no coqc on this machine (Debian: apt install coq)")
def test_the_calculus_gives_the_results_of_python(tmp_path):
    """The semantics in the checker's soundness proof is that of the engines."""
    (tmp_path / "Values.v").write_bytes((SOURCES / "Values.v").read_bytes())
    samples = list(product((LEAST, -7, -6, 0, 6, 7, GREATEST), (LEAST, -3, -1, 0, 1, 3)))
    lines = ["From Calculus Require Import Values.", "From Coq Require Import ZArith.", "Open Scope Z_scope."]
    for left, right in samples:
        for name, result in (("Div", _quotient(left, right)), ("Mod", _remainder(left, right))):
            value = "None" if result is None else f"Some (Int ({result}))"
            operands = f"(Term (Val (Int ({left})))) (Term (Val (Int ({right}))))"
            lines.append(f"Goal ev (fun _ => Int 0) (Bin {name} {operands}) = {value}. reflexivity. Qed.")
    (tmp_path / "Samples.v").write_text("\n".join(lines), encoding="utf-8")
    for name in ("Values", "Samples"):
        command = ["coqc", "-q", "-Q", ".", "Calculus", f"{name}.v"]
        subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, check=True)


def _quotient(left: int, right: int) -> int | None:
    return left // right if has_quotient(left, right) else None


def _remainder(left: int, right: int) -> int | None:
    return None if right == 0 else left % right
