"""Simulation of a firm: each decision and each close of a month, in plain Python with a double-entry ledger.

It checks the theory and shares no code with it. Every amount of money passes through the
ledger (`ledger.py`).

Invariants: the ledger balances at every step. After each change its accounts equal the values of stocks,
bills and machines. Both are asserted. A firm is never modified; a new one is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hornbook.kb.hornbook_error import HornbookError
from hornbook.theories.firm.states.company import (
    FURTHEST,
    FURTHEST_ARRIVAL,
    LARGEST,
    STAFF,
    Firm,
    Material,
    Product,
    Resource,
)
from hornbook.theories.firm.states.ledger import Ledger

Decision = tuple[Any, ...]
"""Name and arguments of a decision, such as `("buy", "flour", 400)`."""


class NotAllowedError(HornbookError):
    """Error for a decision that the firm cannot take; the message gives the reason."""


def opened(firm: Firm) -> Ledger:
    """Return the ledger of a firm, with the balances of its assets and liabilities."""
    materials = sum((m.stock + sum(m.arriving)) * m.standard for m in firm.materials.values())
    goods = sum(product.stock * firm.standard_of(name) for name, product in firm.products.items())
    return Ledger.opened(
        {
            "receivables": sum(firm.receivable),
            "materials": materials,
            "goods": goods,
            "machines": sum(machine.book for machine in firm.machines.values()),
            "payables": sum(firm.payable),
            **firm.accounts,
        }
    )


def balancing_capital(firm: Firm) -> int:
    """Return the capital with which a firm's books balance."""
    materials = sum((m.stock + sum(m.arriving)) * m.standard for m in firm.materials.values())
    goods = sum(product.stock * firm.standard_of(name) for name, product in firm.products.items())
    machines = sum(machine.book for machine in firm.machines.values())
    has = firm.accounts["cash"] + sum(firm.receivable) + materials + goods + machines
    return has - sum(firm.payable) - firm.accounts["debt"] - firm.accounts["profit"]


def _closed(firm: Firm, ledger: Ledger) -> Firm:
    """Return the firm with the accounts of its ledger, which must agree with its assets and liabilities."""
    names = ("cash", "debt", "profit", "capital")
    firm = replace(firm, accounts={name: ledger.balances[name] for name in names})
    assert opened(firm).balances == ledger.balances, "the ledger and the stocks differ"
    return firm


# Decisions


def decide(firm: Firm, decision: str, *arguments: str | int) -> Firm:
    """Return the firm after a decision, such as `decide(firm, "buy", "flour", 400)`.

    Raise NotAllowedError.
    """
    amount = arguments[-1]
    assert isinstance(amount, int)
    if amount < 1:
        raise NotAllowedError("an amount is 1 at least")
    after: Firm = _DECISIONS[decision](firm, *arguments)
    return after


def _buy(firm: Firm, name: str, amount: int) -> Firm:
    material, ledger = firm.materials[name], opened(firm)
    ledger.enter("materials", "payables", amount * material.cost, f"{amount} {name} bought")
    difference = amount * (material.cost - material.standard)
    ledger.enter("profit", "materials", difference, f"{name} above standard")
    bill = _added(firm.payable, material.supplier_terms - 1, amount * material.cost)
    if material.lead == 0:
        material = replace(material, stock=material.stock + amount)
    else:
        material = replace(material, arriving=_added(material.arriving, material.lead - 1, amount))
    return _closed(replace(firm, payable=bill, materials={**firm.materials, name: material}), ledger)


def _produce(firm: Firm, name: str, amount: int) -> Firm:
    if amount > LARGEST:
        raise NotAllowedError("nobody makes so many at once")
    product, ledger = firm.products[name], opened(firm)
    materials, resources = dict(firm.materials), dict(firm.resources)
    for used, quantity in product.uses.items():
        left = materials[used].stock - amount * quantity
        if left < 0:
            raise NotAllowedError(f"there is not enough {used}")
        materials[used] = replace(materials[used], stock=left)
        value = amount * quantity * materials[used].standard
        ledger.enter("goods", "materials", value, f"{used} made into {name}")
    for taken, minutes in product.takes.items():
        left = resources[taken].minutes - amount * minutes
        if left < 0:
            raise NotAllowedError(f"{taken} has not enough time")
        resources[taken] = replace(resources[taken], minutes=left)
    products = {**firm.products, name: replace(product, stock=product.stock + amount)}
    return _closed(replace(firm, products=products, materials=materials, resources=resources), ledger)


def _set_price(firm: Firm, name: str, cents: int) -> Firm:
    return replace(firm, products={**firm.products, name: replace(firm.products[name], price=cents)})


def _hire(firm: Firm, amount: int) -> Firm:
    staff = firm.resources[STAFF]
    staff = replace(staff, number=staff.number + amount, minutes=staff.minutes + amount * staff.capacity)
    return replace(firm, resources={**firm.resources, STAFF: staff})


def _borrow(firm: Firm, cents: int) -> Firm:
    if firm.accounts["debt"] + cents > firm.settings["credit"]:
        raise NotAllowedError("the bank lends no more")
    ledger = opened(firm)
    ledger.enter("cash", "debt", cents, "borrowed")
    return _closed(firm, ledger)


def _repay(firm: Firm, cents: int) -> Firm:
    if cents > firm.accounts["debt"] or cents > firm.accounts["cash"]:
        raise NotAllowedError("there is not so much debt, or not so much cash")
    ledger = opened(firm)
    ledger.enter("debt", "cash", cents, "repaid")
    return _closed(firm, ledger)


def _invest(firm: Firm, name: str, amount: int) -> Firm:
    machine, ledger = firm.resources[name], opened(firm)
    cents = amount * machine.new_price
    ledger.enter("machines", "payables", cents, f"{amount} {name} ordered")
    machine = replace(machine, number=machine.number + amount, book=machine.book + cents)
    bills = _added(firm.payable, 0, cents)
    return _closed(replace(firm, payable=bills, resources={**firm.resources, name: machine}), ledger)


_DECISIONS: dict[str, Callable[..., Firm]] = {
    "buy": _buy,
    "produce": _produce,
    "set_price": _set_price,
    "hire": _hire,
    "borrow": _borrow,
    "repay": _repay,
    "invest": _invest,
}


# The close of a month


def pass_month(firm: Firm, demand: Mapping[str, int]) -> Firm:
    """Return the firm after its month, given the demand for each product.

    First, customers buy goods in stock, and cash sales and due bills are paid. Then suppliers, wages,
    fixed costs and interest are paid, and machines wear. After twelve months, profit becomes capital.
    Materials arrive last.
    """
    ledger, due = opened(firm), [0] * (FURTHEST + 1)
    products: dict[str, Product] = {}
    for name, product in firm.products.items():
        sold = min(product.stock, demand[name])
        revenue = sold * product.price
        ledger.enter("receivables", "profit", revenue, f"{sold} {name} sold")
        ledger.enter("profit", "goods", sold * firm.standard_of(name), f"{name} delivered")
        due[product.customer_terms] += revenue
        products[name] = replace(
            product, stock=product.stock - sold, ceiling=None, low=None, high=None, asked=None
        )
    ledger.enter("cash", "receivables", due[0] + firm.receivable[0], "customers pay")
    ledger.enter("payables", "cash", firm.payable[0], "suppliers are paid")
    ledger.enter("profit", "cash", firm.resources[STAFF].number * firm.settings["wage"], "wages")
    ledger.enter("profit", "cash", firm.settings["fixed"], "fixed costs")
    ledger.enter("profit", "cash", firm.interest, "interest")
    resources: dict[str, Resource] = {}
    for name, resource in firm.resources.items():
        worn = min(resource.book, resource.number * resource.wear)
        ledger.enter("profit", "machines", worn, f"{name} wears")
        minutes = resource.number * resource.capacity
        resources[name] = replace(resource, book=resource.book - worn, minutes=minutes)
    if firm.months_gone == 11:
        ledger.enter("profit", "capital", ledger.balances["profit"], "the year is closed")
    later = (*firm.receivable[1:], 0)
    after = replace(
        firm,
        products=products,
        materials={name: _arrived(material) for name, material in firm.materials.items()},
        resources=resources,
        receivable=tuple(old + new for old, new in zip(later, due[1:], strict=True)),
        payable=(*firm.payable[1:], 0),
        months_gone=(firm.months_gone + 1) % 12,
    )
    return _closed(after, ledger)


def _arrived(material: Material) -> Material:
    arriving = (*material.arriving[1:], 0)
    assert len(arriving) == FURTHEST_ARRIVAL
    return replace(material, stock=material.stock + material.arriving[0], arriving=arriving, needed=None)


def _added(amounts: tuple[int, ...], place: int, amount: int) -> tuple[int, ...]:
    return tuple(old + amount * (number == place) for number, old in enumerate(amounts))
