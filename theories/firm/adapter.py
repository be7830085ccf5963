"""Adapter of the firm: reads tables and states firms as primitive facts of `company.horn`.

The facts are the contents of the table and simple sums of them (such as the total on order). The adapter
never looks ahead. `step` is the simulator's: the firm after a given decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.firm import wording
from hornbook.theories.firm.states.company import STAFF, Firm
from hornbook.theories.firm.states.preparing import preparing
from hornbook.theories.firm.states.simulator import NotAllowedError, decide
from hornbook.theories.firm.tables.table import firm_of_rows, rows_of_csv, rows_of_parquet
from hornbook.theories.firm.tables.writing import template

__all__ = [
    "EMITS",
    "actions",
    "facts",
    "preparing",
    "read",
    "read_file",
    "row",
    "step",
    "template",
    "wording",
]

EMITS: frozenset[str] = frozenset(
    {
        "kind", "follows", "ends", "uses", "takes", "customer_terms", "supplier_terms",
        "lead", "standard", "conversion", "new_price", "wear", "capacity", "setting", "ahead", "amount",
        "stock", "on_order", "arriving", "needed", "price", "cost", "ceiling", "demand", "asked", "number",
        "minutes", "book", "books", "receivable", "payable", "clock",
        "buy", "produce", "set_price", "hire", "borrow", "repay", "invest", "month_passes",
    }
)  # fmt: skip
"""Predicates of `facts` and `actions`, about which no rule concludes anything in the current state."""


def read(text: str, name: str) -> Firm:
    """Return the firm of a CSV table. Raise TheoryError (HB005) with all errors, by row and column."""
    return firm_of_rows(rows_of_csv(text, name), name)


def read_file(path: Path) -> Firm | None:
    """Return the firm of a Parquet table, or None for another file, whose text `read` reads."""
    if path.suffix.lower() not in (".parquet", ".pq"):
        return None
    return firm_of_rows(rows_of_parquet(path), str(path))


def facts(state: Firm) -> Iterator[GroundFact]:
    """Yield the facts of a firm."""
    yield from static_facts(state)
    yield from fluent_facts(state)


def static_facts(firm: Firm) -> Iterator[GroundFact]:
    """Yield the facts that decisions and months do not change."""
    lists = {
        "products": list(firm.products), "materials": list(firm.materials),
        "machines": list(firm.machines), "resources": list(firm.resources),
    }  # fmt: skip
    for name, members in lists.items():
        for before, after in zip(("start", *members), members, strict=False):
            yield GroundFact("follows", (name, before, after))
        yield GroundFact("ends", (name, members[-1] if members else "start"))
    for name, product in firm.products.items():
        yield GroundFact("kind", (name, "product"))
        yield GroundFact("customer_terms", (name, product.customer_terms))
        yield GroundFact("conversion", (name, product.conversion))
        yield from (GroundFact("uses", (name, *use)) for use in product.uses.items())
        yield from (GroundFact("takes", (name, *use)) for use in product.takes.items())
    for name, material in firm.materials.items():
        yield GroundFact("kind", (name, "material"))
        yield GroundFact("supplier_terms", (name, material.supplier_terms))
        yield GroundFact("lead", (name, material.lead))
        yield GroundFact("standard", (name, material.standard))
    for name, machine in firm.machines.items():
        yield GroundFact("kind", (name, "machine"))
        yield GroundFact("new_price", (name, machine.new_price))
        yield GroundFact("wear", (name, machine.wear))
    for name, resource in firm.resources.items():
        yield GroundFact("capacity", (name, resource.capacity))
    yield from (GroundFact("setting", setting) for setting in firm.settings.items())
    yield from (GroundFact("ahead", (month,)) for month in range(1, firm.settings["horizon"] + 1))
    yield from (GroundFact("amount", (amount,)) for amount in dict.fromkeys(firm.amounts))


def fluent_facts(firm: Firm) -> Iterator[GroundFact]:
    """Yield the facts that decisions and months may change."""
    for name, product in firm.products.items():
        yield GroundFact("stock", (name, product.stock))
        yield GroundFact("price", (name, product.price))
        # If demand is unknown, 0 is a lower bound of it, and possibly the exact value.
        yield GroundFact("ceiling", (name, product.ceiling or 0))
        yield GroundFact("demand", ("low", name, product.low or 0))
        if product.high is not None:
            yield GroundFact("demand", ("high", name, product.high))
        if product.asked is not None:
            yield GroundFact("asked", (name, product.asked))
    for name, material in firm.materials.items():
        yield GroundFact("stock", (name, material.stock))
        yield GroundFact("cost", (name, material.cost))
        yield GroundFact("on_order", (name, sum(material.arriving)))
        for month, number in enumerate(material.arriving, 1):
            yield GroundFact("arriving", (name, month, number))
        if material.needed is not None:
            yield GroundFact("needed", (name, material.needed))
    for name, resource in firm.resources.items():
        yield GroundFact("number", (name, resource.number))
        yield GroundFact("minutes", (name, resource.minutes))
        if name != STAFF:
            yield GroundFact("book", (name, resource.book))
    yield from (GroundFact("books", account) for account in firm.accounts.items())
    for month, (cents, owed) in enumerate(zip(firm.receivable, firm.payable, strict=True), 1):
        yield GroundFact("receivable", (month, cents))
        yield GroundFact("payable", (month, owed))
    yield GroundFact("clock", ("months_gone", firm.months_gone))


def row(state: Firm, fact: GroundFact) -> int | None:
    """Return the row of the firm's table for a fact, or None if there is none or several rows
    together state it.
    """
    match fact.relation, fact.values:
        case "setting", ("wage", _):
            kind, name = STAFF, ""
        case "setting" | "clock", (name, _):
            kind = "setting"
        case "ahead", _:
            kind, name = "setting", "horizon"
        case "books", (name, _):
            kind = "account"
        case "receivable" | "payable", (name, _):
            kind = "month"
        case ("demand", (_, name, _)) | ("follows" | "ends", (*_, name)) | (_, (name, *_)):
            things = {"product": state.products, "material": state.materials, "machine": state.machines}
            kind = next((each for each, named in things.items() if name in named), str(name))
            name = "" if kind == STAFF else name
        case _:
            return None
    return state.rows.get((kind, str(name)))


def actions(state: Firm) -> Iterator[GroundFact]:
    """Yield every decision with each of the amounts that the firm lists, and the close of the month."""
    for amount in dict.fromkeys(state.amounts):
        yield from (GroundFact("buy", (name, amount)) for name in state.materials)
        yield from (GroundFact("produce", (name, amount)) for name in state.products)
        yield from (GroundFact("set_price", (name, amount)) for name in state.products)
        yield from (GroundFact("invest", (name, amount)) for name in state.machines)
        yield from (GroundFact(name, (amount,)) for name in ("hire", "borrow", "repay"))
    yield GroundFact("month_passes", ())


def step(state: Firm, decision: GroundFact) -> Firm | None:
    """Return the firm after a decision, or None if it is not allowed.

    Returns None for the close of a month, since the demand of the next month is unknown.
    """
    if decision.relation == "month_passes":
        return None
    try:
        return replace(decide(state, decision.relation, *decision.values), rows={})
    except NotAllowedError:
        return None
