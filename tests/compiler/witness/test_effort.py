"""Tests of the search budget: a search for witnesses ends, and its rule is refused with that reason."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.compiler.rules.verification import renew
from hornbook.compiler.witness import search_budget
from hornbook.compiler.witness.search_budget import MAX_SEARCH, SearchBudgetError
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from oracles.proofs.learned_rules import rule_of, step, theory_of

Searched = tuple[Theory, Rule, list[ProofStep]]


def of_numbers(steps: int) -> Searched:
    """Return a rule with long comparisons of many unknowns, which do not entail the goals within 64 bits."""
    numbers, unknowns = Random(1), [f"?a{i}" for i in range(90)]
    theory = theory_of("sort s. static v(s, int). derived good(s). good: good(?x) :- v(?x, ?a), ?a * 2 > 7.")
    output = [f"v(?x{i}, {unknown})" for i, unknown in enumerate(unknowns)]
    for _ in range(24):
        terms = (f"{numbers.choice((-1, 1)) * numbers.randint(2, 9)} * {unknown}" for unknown in unknowns)
        output.append(f"{' + '.join(terms).replace('+ -', '- ')} <= {numbers.randint(50, 5000)}")
    rule = rule_of(f"slow: good(?x) :- v(?x, ?a0), {', '.join(output)}.")
    return theory, rule, [step("good", x="?x", a="?a0")] * steps


def of_statements(things: int) -> Searched:
    """Return a rule that needs values for the local variables of a closed condition.

    The search tries all pairs of many objects and finds none.
    """
    theory = theory_of("""
    sort s. fluent m(s, s). fluent n(s -> int) counts m. fluent f(s, s). fluent g(s). derived good(s).
    good: good(?b) :-
      n(?b, 1), all ?l in m(?b, ?l): (f(?l, ?y0), f(?y0, ?y1), f(?y1, ?y2), f(?y2, ?y3), f(?y3, ?y4), g(?y4)).
    """)
    pairs = [f"f(?a{i}, ?a{j})" for i in range(things) for j in range(things)]
    rule = rule_of(f"slow: good(?b) :- n(?b, 1), m(?b, ?a0), {', '.join(pairs)}.")
    return theory, rule, [step("good", b="?b")]


def of_members(members: int, size: int) -> Searched:
    """Return a rule that needs `size` distinct members.

    Most pairs are distinct, but no `size` members all are.
    """
    numbers = Random(1)
    theory = theory_of(f"""
    sort s. fluent m(s, s). fluent n(s -> int) counts m. fluent g(s). derived good(s).
    good: good(?b) :- n(?b, {size}), all ?l in m(?b, ?l): g(?l).
    """)
    there = [f"m(?b, ?a{i}), g(?a{i})" for i in range(members)]
    there += [f"?a{i} != ?a{j}" for i in range(members) for j in range(i) if numbers.random() < 0.6]
    rule = rule_of(f"slow: good(?b) :- n(?b, {size}), {', '.join(there)}.")
    return theory, rule, [step("good", b="?b")]


@pytest.mark.parametrize(
    "searched",
    [of_numbers(1), of_statements(20), of_members(60, 20)],
    ids=["numbers", "statements", "members"],
)
def test_a_search_that_looks_at_too_much_is_given_up_with_a_reason(
    searched: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_budget, "MAX_SEARCH", 20_000)
    theory, rule, steps = searched
    with pytest.raises(SearchBudgetError, match="no proof was found within 20,000 steps of search"):
        certificate_of(rule, steps, theory, {})


def test_a_small_search_of_the_same_kind_is_not() -> None:
    for theory, rule, steps in (of_statements(2), of_members(12, 9)):
        assert certificate_of(rule, steps, theory, {}).end is None


def test_the_same_search_ends_at_the_same_step(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Budget] = []

    def stored() -> Budget:
        made.append(search_budget.search_budget())
        return made[-1]

    monkeypatch.setattr("hornbook.compiler.witness.proof_state.search_budget", stored)
    theory, rule, steps = of_members(12, 9)
    for _ in range(2):
        certificate_of(rule, steps, theory, {})
    spent = [each.spent for each in made]
    assert spent[: len(spent) // 2] == spent[len(spent) // 2 :]
    assert sum(spent) > 100


def test_a_rule_is_not_renewed_by_a_search_that_is_given_up() -> None:
    theory, rule, _ = of_statements(20)
    small, _, steps = of_statements(1)
    certificate = certificate_of(
        rule_of("slow: good(?b) :- n(?b, 1), m(?b, ?b), f(?b, ?b)."), steps, small, {}
    )
    with pytest.raises(RejectedError, match="no proof was found within 500,000 steps of search"):
        renew(RuleEntry(rule, certificate, None), theory, {})


def test_what_is_spent_stays_spent() -> None:
    left = search_budget.search_budget()
    left.spend(MAX_SEARCH)
    for amount in (1, 0):
        with pytest.raises(SearchBudgetError):
            left.spend(amount)
