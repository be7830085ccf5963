"""Comparison of the theory of the firm with its simulator: true and derived facts after a decision or a
month.

Each random firm takes a decision and closes a month. All derived facts, bounds of cash and profit, and values
of goals must be true (`false` stays empty). Each is compared with the ledger for demands at both ends of
their bounds and in between. As many true facts as possible should be derived.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from hornbook.kb.ast.terms import Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import LARGEST, Firm
from hornbook.theories.firm.states.simulator import NotAllowedError, decide, pass_month
from oracles.firm.random_firms import random_decision, random_firm
from oracles.sums import Sums

FLUENTS = (
    "stock", "on_order", "arriving", "needed", "price", "cost", "ceiling", "demand", "asked", "number",
    "minutes",
    "book", "books", "receivable", "payable", "clock",
)  # fmt: skip

Values = tuple[str | int, ...]


@dataclass
class FirmTheoryTally(Sums):
    """The results of a run."""

    firms: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    concluded: int = 0
    true: Counter[str] = field(default_factory=Counter)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    """True facts that were not derived, by relation and decision."""
    not_known: int = 0
    """Facts after a month with unknown demand."""
    values: Counter[str] = field(default_factory=Counter)
    """Derived values of goals."""
    exact: int = 0
    """Spare amounts that were derived exactly; `bounds` counts all derived ones."""
    bounds: int = 0
    false: list[str] = field(default_factory=list)


def run(base: KnowledgeBase, seed: str, firms: int) -> FirmTheoryTally:
    """Try `firms` firms. `base` is the theory without facts, and is unchanged afterwards."""
    random, tally = Random(seed), FirmTheoryTally()
    for _ in range(firms):
        try_firm(base, random_firm(random), random, tally)
    return tally


def try_firm(base: KnowledgeBase, firm: Firm, random: Random, tally: FirmTheoryTally) -> None:
    """Try a decision and the close of the month, each from the firm's initial state."""
    tally.firms += 1
    decision = random_decision(firm, random)
    amount = decision.values[-1]
    assert isinstance(amount, int)
    base.push()
    base.add([*adapter.facts(replace(firm, amounts=(amount,)))])
    for action in (decision, GroundFact("month_passes", ())):
        base.push()
        base.add([action])
        tally.actions[action.relation] += 1
        _hold(base, firm, action, random, tally)
        base.pop()
    base.pop()


def after(firm: Firm, action: GroundFact) -> Firm | None:
    """Return the firm after an action, or None if the action is not allowed.

    With unknown demand, the result is the firm itself.
    """
    if action.relation == "month_passes":
        demanded = {
            name: 5 if product.asked is None else product.asked for name, product in firm.products.items()
        }
        return pass_month(firm, demanded)
    try:
        return decide(firm, action.relation, *action.values)
    except NotAllowedError:
        return None


def _hold(
    base: KnowledgeBase, firm: Firm, action: GroundFact, random: Random, tally: FirmTheoryTally
) -> None:
    then = after(firm, action)
    tally.refused += then is None
    where = f"after {action} of {firm}"
    true = defaultdict[str, set[Values]](set)
    if then is not None:
        for fact in adapter.fluent_facts(then):
            true[fact.relation].add(fact.values)
        for relation, values in _forecast(then):
            true[relation].add(values)
    unknown = _unknown(firm) if action.relation == "month_passes" else set()
    for relation in (*FLUENTS, "balance", "gain"):
        derived = {fact.values for fact in base.facts(relation, "after")}
        tally.concluded += len(derived)
        if unknown and relation in ("stock", "books", "receivable", "balance", "gain"):
            # With unknown demand, the theory need not conclude facts that depend on it.
            tally.false += [f"{relation}{values} {where}" for values in derived - true[relation]]
            tally.not_known += len(true[relation] - derived)
            continue
        tally.true[relation] += len(true[relation])
        tally.missing[relation, action.relation] += len(true[relation] - derived)
        tally.false += [f"{relation}{values} {where}" for values in derived - true[relation]]
    spared = {fact.values for fact in base.facts("spare", "after")}
    tally.concluded += len(spared)
    least = {} if then is None else _spare(then)
    for values in spared:
        month, cents = values
        assert isinstance(month, int)
        assert isinstance(cents, int)
        tally.bounds += 1
        tally.exact += least.get(month) == cents
        if then is None or month not in least or cents > least[month]:
            tally.false.append(f"spare{values} {where}")
    for relation, allow in (("materials_allow", _materials_allow), ("capacity_allows", _capacity_allows)):
        for fact in base.facts(relation, "after"):
            tally.concluded += 1
            if then is None or fact.values[1] != allow(then, str(fact.values[0])):
                tally.false.append(f"{relation}{fact.values} {where}")
    for relation in base.relations():
        if isinstance(relation, GameStatement) and relation.by is not None and relation.tense == "before":
            for statement in base.engine.statements(relation.relation, "before"):
                assert isinstance(statement, GameStatement)
                _judge(statement, _done(firm, statement), random, tally, where)


def _done(firm: Firm, statement: GameStatement) -> Firm | None:
    """Return the firm after the decision of a statement, which may differ from the executed one."""
    assert statement.by is not None
    values = tuple(term.value for term in statement.by.terms if isinstance(term, Constant))
    return after(firm, GroundFact(statement.by.predicate, values))


def _materials_allow(firm: Firm, name: str) -> int:
    uses = firm.products[name].uses
    return min([LARGEST, *(firm.materials[m].stock // n for m, n in uses.items() if n)])


def _capacity_allows(firm: Firm, name: str) -> int:
    takes = firm.products[name].takes
    return min([LARGEST, *(firm.resources[r].minutes // n for r, n in takes.items() if n)])


def _unknown(firm: Firm) -> set[str]:
    return {name for name, product in firm.products.items() if product.asked is None}


ENDLESS = 1_000_000
"""The greatest demand that is tried if its bounds are unknown."""


def _bound(firm: Firm, side: str, name: str) -> tuple[int, int]:
    """Return a bound of demand, at least 0: two different numbers if it is unknown."""
    product = firm.products[name]
    if side == "high":
        return (0, ENDLESS) if product.high is None else (product.high, product.high)
    if product.ceiling is None or product.price > product.ceiling:
        return 0, 0
    return (product.low or 0,) * 2


def _closes(firm: Firm, side: str) -> dict[int, int]:
    """Return the cash at the close of each month of the horizon for a bound of demand, if known."""
    one, other = (
        _cash(firm, {name: _bound(firm, side, name)[end] for name in firm.products}) for end in (0, 1)
    )
    return {month: cash for month, cash in one.items() if other[month] == cash}


def _cash(firm: Firm, demanded: dict[str, int]) -> dict[int, int]:
    """Return the cash at the close of each month of the horizon without sales after the first."""
    closes = {}
    for month in range(1, firm.settings["horizon"] + 1):
        firm = pass_month(firm, demanded)
        demanded = dict.fromkeys(demanded, 0)
        closes[month] = firm.accounts["cash"]
    return closes


def _profit(firm: Firm) -> int:
    """Return the year's profit; it is added to the capital at the end of the year."""
    return firm.accounts["profit"] + firm.accounts["capital"]


def _forecast(firm: Firm) -> Iterator[tuple[str, Values]]:
    for side in ("low", "high"):
        yield "balance", (side, 0, firm.accounts["cash"])
        yield from (("balance", (side, month, cash)) for month, cash in _closes(firm, side).items())
        gains = {_gain(firm, side, end) for end in (0, 1)}
        if len(gains) == 1:
            yield "gain", (side, gains.pop())


def _gain(firm: Firm, side: str, end: int) -> int:
    demanded = {}
    for name, product in firm.products.items():
        # A product that is sold below its worth earns most at the least demand.
        pays = product.price >= firm.standard_of(name)
        demanded[name] = _bound(firm, "high" if (side == "high") == pays else "low", name)[end]
    return _profit(pass_month(firm, demanded)) - _profit(firm)


def _spare(firm: Firm) -> dict[int, int]:
    """Return the spare amounts from each month on with the least demand."""
    cash, limit = (
        _cash(firm, {name: _bound(firm, "low", name)[0] for name in firm.products}),
        firm.settings["overdraft"],
    )
    return {month: min(c for m, c in cash.items() if m >= month) + limit for month in cash}


# Goals, compared with the ledger


def _judge(
    statement: GameStatement, then: Firm | None, random: Random, tally: FirmTheoryTally, where: str
) -> None:
    tally.concluded += 1
    assert isinstance(statement.value, Constant)
    value = str(statement.value.value)
    tally.values[f"{statement.game.predicate} {value}"] += 1
    if then is None:
        tally.false.append(f"{statement} {where}")
        return
    names = [str(term.value) for term in statement.game.terms if isinstance(term, Constant)]
    if not goal_holds(statement.game.predicate, names, value, then, random):
        tally.false.append(f"{statement} {where}")


def goal_holds(game: str, names: list[str], value: str, firm: Firm, random: Random) -> bool:
    """Return whether a goal has a value for every tried demand.

    The values are reached (GI), missed (PI), and reached by one more decision (GIII).
    """
    if value == "GIII":
        (product,) = names
        lacking = (firm.products[product].high or 0) - firm.products[product].stock
        then = after(firm, GroundFact("produce", (product, lacking)))
        return then is not None and goal_holds(game, names, "GI", then, random)
    return all(
        _is_reached(game, names, firm, demanded, random) == (value == "GI")
        for demanded in demands(firm, random)
    )


def demands(firm: Firm, random: Random) -> Iterator[dict[str, int]]:
    """Yield demands within their bounds: all least, all greatest, and some between.

    None if the bounds are unknown.
    """
    ends = {name: _ends(firm, name) for name in firm.products}
    yield {name: low for name, (low, _) in ends.items()}
    yield {name: high for name, (_, high) in ends.items()}
    for _ in range(3):
        yield {
            name: random.choice((low, high, random.randint(low, high))) for name, (low, high) in ends.items()
        }


def _ends(firm: Firm, name: str) -> tuple[int, int]:
    product = firm.products[name]
    low = (
        0
        if product.low is None or product.ceiling is None or product.price > product.ceiling
        else product.low
    )
    return low, 10_000 if product.high is None else product.high


def _is_reached(game: str, names: list[str], firm: Firm, demanded: dict[str, int], random: Random) -> bool:
    match game:
        case "ship":
            return firm.products[names[0]].stock >= demanded[names[0]]
        case "supply":
            material = firm.materials[names[0]]
            assert material.needed is not None
            return material.stock + sum(material.arriving) >= material.needed
        case "earn":
            product = firm.products[names[0]]
            cost = sum(n * firm.materials[m].cost for m, n in product.uses.items()) + product.conversion
            return product.price * 100 >= cost * (100 + firm.settings["margin"])
        case "on_target":
            profit = _profit(pass_month(firm, demanded)) - firm.accounts["capital"]
            required = firm.accounts["capital"] * firm.settings["target"] * (firm.months_gone + 1)
            return profit * 120_000 >= required
        case _:
            return _stays_solvent(firm, demanded, random)


def _stays_solvent(firm: Firm, demanded: dict[str, int], random: Random) -> bool:
    often = random.choice((0, 20))
    for _ in range(firm.settings["horizon"]):
        firm = pass_month(firm, demanded)
        if firm.accounts["cash"] < -firm.settings["overdraft"]:
            return False
        demanded = {name: random.randint(0, often) for name in demanded}
    return True
