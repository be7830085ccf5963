"""The theory of the firm against its simulator: what is true after a decision or a month, and what is derived.

Each random firm takes a decision and closes a month. All that is derived after it must be true (`false` stays
empty): facts, bounds of cash and profit, and values of goals, each against the ledger for demands at both ends of
their bounds and in between. Of what is true as much as possible should be derived.
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
    "stock", "on_order", "arriving", "needed", "price", "cost", "ceiling", "demand", "asked", "number", "minutes",
    "book", "books", "receivable", "payable", "clock",
)  # fmt: skip

Values = tuple[str | int, ...]


@dataclass
class Tally(Sums):
    """What came of a run."""

    firms: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    concluded: int = 0
    true: Counter[str] = field(default_factory=Counter)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    """True facts that were not derived, by relation and decision."""
    not_known: int = 0
    """Facts after a month of which it was not known what customers ask for."""
    values: Counter[str] = field(default_factory=Counter)
    """Values of goals that were derived."""
    exact: int = 0
    """Amounts that can be spared which were derived exactly, of all that were derived."""
    bounds: int = 0
    false: list[str] = field(default_factory=list)


def run(base: KnowledgeBase, seed: str, firms: int) -> Tally:
    """Tries so many firms. `base` is the theory without facts, and is left so."""
    random, tally = Random(seed), Tally()
    for _ in range(firms):
        try_firm(base, random_firm(random), random, tally)
    return tally


def try_firm(base: KnowledgeBase, firm: Firm, random: Random, tally: Tally) -> None:
    """A decision, and the close of the month, each of the firm as it is."""
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
    """The firm after an action; None where it is not allowed. Where it is not known what is asked for, it is this."""
    if action.relation == "month_passes":
        asked = {
            name: 5 if product.asked is None else product.asked for name, product in firm.products.items()
        }
        return pass_month(firm, asked)
    try:
        return decide(firm, action.relation, *action.values)
    except NotAllowedError:
        return None


def _hold(base: KnowledgeBase, firm: Firm, action: GroundFact, random: Random, tally: Tally) -> None:
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
            # Where it is not known what customers ask for, nothing need be said of what rests on it.
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
            for statement in base.statements(relation.relation, "before"):
                assert isinstance(statement, GameStatement)
                _judge(statement, _done(firm, statement), random, tally, where)


def _done(firm: Firm, statement: GameStatement) -> Firm | None:
    """The firm after the decision that a statement speaks of, which need not be the one that is taken."""
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
"""What customers may ask for where it is not known, at most."""


def _bound(firm: Firm, side: str, name: str) -> tuple[int, int]:
    """A bound of what is asked for, which is 0 at least: two numbers that differ where it is not known."""
    product = firm.products[name]
    if side == "high":
        return (0, ENDLESS) if product.high is None else (product.high, product.high)
    if product.ceiling is None or product.price > product.ceiling:
        return 0, 0
    return (product.low or 0,) * 2


def _closes(firm: Firm, side: str) -> dict[int, int]:
    """Cash at the close of each month of the horizon by a bound of demand, as far as it is known."""
    one, other = (
        _cash(firm, {name: _bound(firm, side, name)[end] for name in firm.products}) for end in (0, 1)
    )
    return {month: cash for month, cash in one.items() if other[month] == cash}


def _cash(firm: Firm, asked: dict[str, int]) -> dict[int, int]:
    """Cash at the close of each month of the horizon with nothing sold after the first."""
    closes = {}
    for month in range(1, firm.settings["horizon"] + 1):
        firm = pass_month(firm, asked)
        asked = dict.fromkeys(asked, 0)
        closes[month] = firm.accounts["cash"]
    return closes


def _profit(firm: Firm) -> int:
    """The year's profit; the capital takes it at the year's end."""
    return firm.accounts["profit"] + firm.accounts["capital"]


def _forecast(firm: Firm) -> Iterator[tuple[str, Values]]:
    for side in ("low", "high"):
        yield "balance", (side, 0, firm.accounts["cash"])
        yield from (("balance", (side, month, cash)) for month, cash in _closes(firm, side).items())
        gains = {_gain(firm, side, end) for end in (0, 1)}
        if len(gains) == 1:
            yield "gain", (side, gains.pop())


def _gain(firm: Firm, side: str, end: int) -> int:
    asked = {}
    for name, product in firm.products.items():
        # A product that is sold below its worth earns most where least is sold.
        pays = product.price >= firm.standard_of(name)
        asked[name] = _bound(firm, "high" if (side == "high") == pays else "low", name)[end]
    return _profit(pass_month(firm, asked)) - _profit(firm)


def _spare(firm: Firm) -> dict[int, int]:
    """What can be spared from a month on if as little is asked for as can be."""
    cash, limit = (
        _cash(firm, {name: _bound(firm, "low", name)[0] for name in firm.products}),
        firm.settings["overdraft"],
    )
    return {month: min(c for m, c in cash.items() if m >= month) + limit for month in cash}


# Goals, against the ledger


def _judge(statement: GameStatement, then: Firm | None, random: Random, tally: Tally, where: str) -> None:
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
    """Whether a goal is reached (GI), missed (PI), or reached by one decision more (GIII), for every demand tried."""
    if value == "GIII":
        (product,) = names
        lacking = (firm.products[product].high or 0) - firm.products[product].stock
        then = after(firm, GroundFact("produce", (product, lacking)))
        return then is not None and goal_holds(game, names, "GI", then, random)
    return all(
        _is_reached(game, names, firm, asked, random) == (value == "GI") for asked in demands(firm, random)
    )


def demands(firm: Firm, random: Random) -> Iterator[dict[str, int]]:
    """Demands within their bounds: all at the least, all at the most, and some in between; none where unknown."""
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


def _is_reached(game: str, names: list[str], firm: Firm, asked: dict[str, int], random: Random) -> bool:
    match game:
        case "ship":
            return firm.products[names[0]].stock >= asked[names[0]]
        case "supply":
            material = firm.materials[names[0]]
            assert material.needed is not None
            return material.stock + sum(material.arriving) >= material.needed
        case "earn":
            product = firm.products[names[0]]
            cost = sum(n * firm.materials[m].cost for m, n in product.uses.items()) + product.conversion
            return product.price * 100 >= cost * (100 + firm.settings["margin"])
        case "on_target":
            profit = _profit(pass_month(firm, asked)) - firm.accounts["capital"]
            wanted = firm.accounts["capital"] * firm.settings["target"] * (firm.months_gone + 1)
            return profit * 120_000 >= wanted
        case _:
            return _stays_solvent(firm, asked, random)


def _stays_solvent(firm: Firm, asked: dict[str, int], random: Random) -> bool:
    often = random.choice((0, 20))
    for _ in range(firm.settings["horizon"]):
        firm = pass_month(firm, asked)
        if firm.accounts["cash"] < -firm.settings["overdraft"]:
            return False
        asked = {name: random.randint(0, often) for name in asked}
    return True
