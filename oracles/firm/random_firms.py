"""Random firms and decisions: small numbers and large ones, rich and poor, with goals that are near.

A firm's capital balances its books, so any mixture of goods, bills and debts is a firm.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.firm.states.company import (
    FURTHEST,
    FURTHEST_ARRIVAL,
    STAFF,
    Firm,
    Material,
    Product,
    Resource,
)
from hornbook.theories.firm.states.simulator import balancing_capital

DECISIONS = ("buy", "produce", "set_price", "hire", "borrow", "repay", "invest")


def random_firm(random: Random) -> Firm:
    """Return a firm with up to four products, four materials and three kinds of machines."""
    materials = {f"material_{n}": _material(random) for n in range(random.randint(1, 4))}
    resources = {f"machine_{n}": _machine(random) for n in range(random.randint(0, 3))}
    people = random.choice((0, 1, 5, 8))
    capacity = random.choice((600, 6_000, 9_600))
    resources[STAFF] = Resource(people, capacity, random.randint(0, people * capacity))
    products = {
        f"product_{n}": _product(random, list(materials), list(resources))
        for n in range(random.randint(1, 4))
    }
    settings = {
        "wage": random.choice((0, 40, 250_000)), "fixed": random.randint(0, 500_000),
        "rate": random.choice((0, 450, 800, 1_500)), "overdraft": random.choice((0, 100_000, 1_000_000)),
        "credit": random.choice((0, 500_000, 5_000_000)), "horizon": random.randint(1, 6),
        "target": random.choice((0, 500, 1_200)), "margin": random.choice((0, 10, 25)),
    }  # fmt: skip
    accounts = {
        "cash": random.randint(-200_000, 3_000_000), "debt": random.choice((0, 0, 300_000, 1_234_567)),
        "profit": random.randint(-500_000, 1_500_000), "capital": 0,
    }  # fmt: skip
    firm = Firm(
        settings, products, materials, resources, accounts,
        _bills(random), _bills(random), random.choice((0, 3, 7, 10, 11)),
    )  # fmt: skip
    return replace(firm, accounts={**accounts, "capital": balancing_capital(firm)})


def _bills(random: Random) -> tuple[int, ...]:
    return tuple(random.choice((0, 0, random.randint(0, 900_000))) for _ in range(FURTHEST))


def _material(random: Random) -> Material:
    arriving = tuple(random.choice((0, 0, random.randint(1, 90))) for _ in range(FURTHEST_ARRIVAL))
    standard = random.randint(1, 900)
    return Material(
        random.choice((0, random.randint(1, 50), random.randint(1, 5_000), 2_000)),
        max(1, standard + random.randint(-50, 50)), standard,
        random.randint(1, 4), random.choice((0, 0, 1, 2, 6)), arriving,
        random.choice((None, random.randint(0, 200), sum(arriving) + random.randint(0, 300))),
    )  # fmt: skip


def _machine(random: Random) -> Resource:
    number, capacity, price = (
        random.randint(0, 3),
        random.choice((1_000, 9_000)),
        random.randint(1_000, 900_000),
    )
    book = random.randint(0, number * price)
    return Resource(
        number, capacity, random.randint(0, number * capacity), price, random.randint(0, price // 10), book
    )


def _product(random: Random, materials: list[str], resources: list[str]) -> Product:
    price = random.randint(1, 5_000)
    low = random.randint(0, 60)
    known = random.random() < 0.9
    high = low + random.choice((0, random.randint(0, 60)))
    return Product(
        random.choice((0, random.randint(0, 100))), price,
        random.choice((None, max(0, price + random.randint(-300, 900)), 6_000)),
        low if known else None, high if known else None,
        random.choice((None, random.randint(0, 120), random.randint(0, 120))),
        random.choice((0, 0, 1, 2, 12)), random.randint(0, 2_000),
        {name: random.choice((0, 0, 0, 1, 2, 7)) for name in materials},
        {name: random.choice((0, 0, 5, 30)) for name in resources},
    )  # fmt: skip


def random_decision(firm: Firm, random: Random) -> GroundFact:
    """Return a decision of any kind, sometimes with an excessive amount."""
    name = random.choice(DECISIONS)
    if name == "invest" and not firm.machines:
        name = "hire"
    if name == "buy":
        return GroundFact(name, (random.choice(list(firm.materials)), _amount(random, 300)))
    if name == "produce":
        product = random.choice(list(firm.products))
        return GroundFact(name, (product, _amount(random, max(3, most(firm, product)))))
    if name == "set_price":
        return GroundFact(name, (random.choice(list(firm.products)), _amount(random, 8_000)))
    if name == "invest":
        return GroundFact(name, (random.choice(list(firm.machines)), _amount(random, 3)))
    if name == "hire":
        return GroundFact(name, (_amount(random, 4),))
    return GroundFact(name, (_amount(random, max(1, firm.settings["credit"], firm.accounts["debt"])),))


def most(firm: Firm, product: str) -> int:
    """Return how many units of a product can be made now, at most 200."""
    made = firm.products[product]
    limits = [200]
    limits += [firm.materials[name].stock // quantity for name, quantity in made.uses.items() if quantity]
    limits += [firm.resources[name].minutes // minutes for name, minutes in made.takes.items() if minutes]
    return min(limits)


def _amount(random: Random, likely: int) -> int:
    return random.choice((random.randint(1, likely), random.randint(1, likely), likely, likely + 1))
