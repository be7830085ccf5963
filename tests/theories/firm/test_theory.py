"""Tests of the firm's theory against its simulator: nothing false is concluded, and nearly everything true."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hornbook.inputs.knowledge_base import KnowledgeBase
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.ledger import Ledger
from hornbook.theories.firm.states.simulator import (
    NotAllowedError,
    balancing_capital,
    decide,
    opened,
    pass_month,
)
from oracles.firm.random_firms import random_firm
from oracles.firm.theory_run import FLUENTS, FirmTheoryTally, after, run, try_firm


@pytest.fixture(scope="module")
def base():
    return KnowledgeBase("firm", derivations="none")


@pytest.mark.deep
def test_nothing_false_is_derived_and_nearly_all_that_is_true(base):
    tally = run(base, "ci", 120)
    assert tally.false == []
    for relation in (*FLUENTS, "balance", "gain"):
        missing = sum(number for (of, _), number in tally.missing.items() if of == relation)
        assert tally.true[relation] > 50
        assert missing <= 0.05 * tally.true[relation], relation
    assert {value.split()[0] for value in tally.values} == {"ship", "supply", "earn", "solvent", "on_target"}
    assert set(tally.actions) == {
        "buy", "produce", "set_price", "hire", "borrow", "repay", "invest", "month_passes",
    }  # fmt: skip


def test_a_run_sees_what_a_wrong_simulator_would_say(base, monkeypatch):
    random, tally = Random(4), FirmTheoryTally()
    firm = random_firm(random)
    wrong = replace(firm, receivable=tuple(cents + 1 for cents in firm.receivable))
    wrong = replace(wrong, accounts={**firm.accounts, "capital": balancing_capital(wrong)})
    monkeypatch.setattr("oracles.firm.theory_run.after", lambda _, action: after(wrong, action))
    try_firm(base, firm, random, tally)
    assert tally.false


def test_what_is_not_allowed_changes_nothing(base):
    firm = random_firm(Random(9))
    debt = firm.accounts["debt"]
    with pytest.raises(NotAllowedError):
        decide(firm, "repay", debt + 1)
    base.push()
    base.add([*adapter.facts(replace(firm, amounts=(debt + 1,))), GroundFact("repay", (debt + 1,))])
    assert all(not list(base.facts(relation, "after")) for relation in FLUENTS)
    base.pop()


def test_a_ledger_that_does_not_balance_is_refused():
    firm = random_firm(Random(2))
    with pytest.raises(AssertionError, match="does not balance"):
        opened(replace(firm, accounts={**firm.accounts, "cash": firm.accounts["cash"] + 1}))
    ledger = Ledger.opened(opened(firm).balances)
    ledger.enter("cash", "debt", 500, "borrowed")
    assert ledger.balances["cash"] == firm.accounts["cash"] + 500
    ledger.balances["cash"] += 1
    with pytest.raises(AssertionError, match="does not balance"):
        ledger.assert_balanced()


def test_the_books_of_random_firms_balance_over_years():
    random = Random(8)
    for _ in range(30):
        firm = random_firm(random)
        for _ in range(14):
            firm = pass_month(firm, {name: random.randint(0, 40) for name in firm.products})
            assert firm.accounts["capital"] == balancing_capital(firm)
