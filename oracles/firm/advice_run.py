"""Advice on random firms, compared with the simulator, with its own rules, and with a search for decisions.

For each firm, all advice is requested. The simulator executes each piece for the amounts at both ends and in
the middle of each of its intervals. The decision must be allowed, and for every tried demand it must reach
its goal (GI), miss it (PI), or let the next decision reach it (GIII).

All those amounts, and those next to the intervals, are then given as facts. Every rule must fire for exactly
the amounts in its intervals. Finally the simulator searches for decisions. Each goal that it reaches is
counted, with a flag for goals that have advice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hornbook.compiler.advise.advice import Adviser, AmountAdvice
from hornbook.compiler.advise.amounts import DOMAIN
from hornbook.compiler.advise.conflicts import conflicts
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Term
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import NotAllowedError, decide
from oracles.firm.random_firms import most, random_firm
from oracles.firm.rules_run import FirmRuleMatcher, has_stated_effect
from oracles.firm.theory_run import goal_holds
from oracles.sums import Sums

LAST = DOMAIN.parts[-1][1]
ROUND = [step * 10**digits for digits in range(8) for step in (1, 2, 5)]
"""Amounts that the search tries for every decision."""


@dataclass
class AdviceTally(Sums):
    """The results of a run."""

    firms: int = 0
    pieces: Counter[str] = field(default_factory=Counter)
    """Pieces of advice, by goal and value."""
    intervals: int = 0
    executed: int = 0
    """Amounts in an interval that the simulator executed."""
    inside: int = 0
    """Amounts in an interval, or next to one, for which the firing of a rule was checked."""
    outside: int = 0
    conflicts: Counter[str] = field(default_factory=Counter)
    with_conflict: int = 0
    """Firms with a conflict."""
    found: Counter[str] = field(default_factory=Counter)
    """Goals that the search reaches, by game, and those of them with advice."""
    advised: Counter[str] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)
    """The same for goals that the present state does not reach."""
    advised_lacking: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    """Time of all rule evaluation: input of facts and output of advice."""
    wrong: list[str] = field(default_factory=list)


def run(base: KnowledgeBase, rules: Sequence[Rule], seed: str, firms: int) -> AdviceTally:
    """Try `firms` firms. `base` is the theory without facts, and is unchanged afterwards."""
    random, tally = Random(seed), AdviceTally()
    adviser, matched = Adviser(base, rules, "amount"), FirmRuleMatcher(base, rules)
    assert not adviser.left_out
    for _ in range(firms):
        firm = random_firm(random)
        base.push()
        began = time.perf_counter()
        base.add([*adapter.facts(firm)])
        advice = adviser.advice()
        tally.seconds += time.perf_counter() - began
        tally.firms += 1
        for each in advice:
            _execute(each, firm, random, tally)
        _ask(base, matched, advice, tally)
        reached, missed = (
            {goal for goal in _goals(firm) if _is(base, goal, value)} for value in ("IG", "IP")
        )
        base.pop()
        found = conflicts(advice, reached, missed)
        tally.with_conflict += bool(found)
        for conflict in found:
            tally.conflicts[
                "/".join(sorted((conflict.one.goal.predicate, conflict.other.goal.predicate)))
            ] += 1
        advised = {each.goal for each in advice if each.value == "GI"}
        for goal in _goals(firm):
            _search(goal, firm, goal in advised, random, tally)
    return tally


def _is(base: KnowledgeBase, goal: Atom, value: str) -> bool:
    """Return whether a goal has a value in the present state."""
    return base.holds(GameStatement(replace(goal, tense="before"), None, Constant(value)))


def _points(advice: AmountAdvice) -> Iterator[int]:
    for low, high in advice.amounts:
        yield from sorted({low, (low + high) // 2, high})


def _execute(advice: AmountAdvice, firm: Firm, random: Random, tally: AdviceTally) -> None:
    tally.pieces[f"{advice.goal.predicate} {advice.value}"] += 1
    tally.intervals += len(advice.amounts.parts)
    for amount in _points(advice):
        tally.executed += 1
        if not has_stated_effect(advice.of(amount), firm, random):
            tally.wrong.append(f"{advice.of(amount)} by {advice.rule} of {firm}")


def _ask(
    base: KnowledgeBase, matched: FirmRuleMatcher, advice: Sequence[AmountAdvice], tally: AdviceTally
) -> None:
    """Check that every rule fires for exactly the amounts in its intervals."""
    amounts = {amount for each in advice for amount in _points(each)}
    amounts |= {n for each in advice for low, high in each.amounts for n in (low - 1, high + 1)}
    base.add([GroundFact("amount", (amount,)) for amount in sorted(amounts)])
    fired = {(rule.name, head) for rule, head in matched.conclusions()}
    advised = {(each.rule, each.of(n)) for each in advice for n in amounts if n in each.amounts}
    tally.inside += len(advised)
    tally.outside += sum(n not in each.amounts for each in advice for n in amounts)
    beyond = {(rule, head) for rule, head in fired - advised if _amount(head) > LAST}
    tally.wrong += [f"advised, and the rule does not fire: {each}" for each in advised - fired]
    tally.wrong += [f"the rule fires, and nothing is advised: {each}" for each in fired - advised - beyond]


def _amount(head: GameStatement) -> int:
    assert head.by is not None
    last = head.by.terms[-1]
    assert isinstance(last, Constant)
    assert isinstance(last.value, int)
    return last.value


# Decisions that the simulator finds


def _goals(firm: Firm) -> Iterator[Atom]:
    def atom(game: str, *names: str) -> Atom:
        terms: tuple[Term, ...] = tuple(map(Constant, names))
        return Atom(game, terms)

    yield from (atom("ship", name) for name in firm.products)
    yield from (atom("supply", name) for name, m in firm.materials.items() if m.needed is not None)
    yield from (atom("earn", name) for name in firm.products)
    yield from (atom("solvent"), atom("on_target"))


def _search(goal: Atom, firm: Firm, is_advised: bool, random: Random, tally: AdviceTally) -> None:
    names = [str(term.value) for term in goal.terms if isinstance(term, Constant)]
    if not any(
        _reaches(goal.predicate, names, firm, d, random) for d in _decisions(goal.predicate, names, firm)
    ):
        return
    tally.found[goal.predicate] += 1
    tally.advised[goal.predicate] += is_advised
    if not goal_holds(goal.predicate, names, "GI", firm, random):
        tally.lacking[goal.predicate] += 1
        tally.advised_lacking[goal.predicate] += is_advised


def _reaches(game: str, names: list[str], firm: Firm, decision: GroundFact, random: Random) -> bool:
    try:
        then = decide(firm, decision.relation, *decision.values)
    except NotAllowedError:
        return False
    return goal_holds(game, names, "GI", then, random)


def _decisions(game: str, names: list[str], firm: Firm) -> Iterator[GroundFact]:
    """Yield round amounts, and amounts with a change of behaviour, for every decision that can matter to a
    goal.
    """
    accounts = firm.accounts
    for name, product in firm.products.items():
        if game != "earn" and (game != "ship" or name in names):
            ends: tuple[int, ...] = (
                most(firm, name),
                (product.high or 0) - product.stock,
                (product.low or 0) - product.stock,
            )
            yield from _each("produce", name, ends)
        if game not in ("ship", "supply") and (game != "earn" or name in names):
            ends = (product.ceiling or 0, (product.ceiling or 0) + 1, product.price, firm.standard_of(name))
            yield from _each("set_price", name, ends)
    if game in ("ship", "earn"):
        return
    for name, material in firm.materials.items():
        if game != "supply" or name in names:
            lacking = (material.needed or 0) - material.stock - sum(material.arriving)
            yield from _each("buy", name, (lacking,))
    if game == "supply":
        return
    for name in firm.machines:
        yield from _each("invest", name, ())
    yield from _each("hire", None, ())
    yield from _each("borrow", None, (firm.settings["credit"] - accounts["debt"],))
    yield from _each("repay", None, (accounts["debt"], accounts["cash"]))


def _each(decision: str, name: str | None, amounts: Sequence[int]) -> Iterator[GroundFact]:
    for amount in dict.fromkeys((*amounts, *ROUND)):
        if amount >= 1:
            yield GroundFact(decision, (amount,) if name is None else (name, amount))
