"""A year of a fictitious bicycle workshop: city bikes and touring bikes, sold to shops that pay later.

In February its bikes are sold and its cash is gone, since the shops pay after one month and after two. In
April it builds too few touring bikes. In June frames cost more and the touring bike loses its margin. In
September it buys a stand that it does not need.
"""

from __future__ import annotations

from hornbook.theories.firm.states.company import FURTHEST, Firm, Material, Product, Resource
from hornbook.theories.firm.states.simulator import Decision
from oracles.firm.story import Month, Story

_FIRM = Firm(
    settings={
        "wage": 320_000, "fixed": 660_000, "rate": 600, "overdraft": 400_000, "credit": 6_000_000,
        "horizon": 2,
        "target": 3_500, "margin": 20,
    },
    products={
        "city_bike": Product(
            4, 92_000, 95_000, None, None, None, 1, 30_000, {"frame": 1, "wheels": 2, "kit": 1},
            {"stand": 60, "staff": 500},
        ),
        "touring_bike": Product(
            3, 139_000, 145_000, None, None, None, 2, 60_000, {"frame": 1, "wheels": 2, "kit": 2, "rack": 2},
            {"stand": 90, "staff": 600},
        ),
    },
    materials={
        "frame": Material(32, 16_000, 16_000, 2, 2, (20, 24, 0, 0, 0, 0), None),
        "wheels": Material(50, 4_500, 4_500, 1, 1, (45, 0, 0, 0, 0, 0), None),
        "kit": Material(30, 11_000, 11_000, 1, 0, (0,) * 6, None),
        "rack": Material(20, 2_000, 2_000, 3, 1, (10, 0, 0, 0, 0, 0), None),
    },
    resources={
        "stand": Resource(2, 9_600, 19_200, 450_000, 6_000, 620_000),
        "staff": Resource(2, 9_600, 19_200),
    },
    accounts={"cash": 900_000, "debt": 800_000, "profit": 0, "capital": 0},
    receivable=(1_300_000, 650_000, *(0,) * (FURTHEST - 2)),
    payable=(560_000, 384_000, *(0,) * (FURTHEST - 2)),
    months_gone=0,
)  # fmt: skip

_CEILINGS = {"city_bike": 95_000, "touring_bike": 145_000}


def _month(
    city: tuple[int, int, int],
    touring: tuple[int, int, int],
    frames: int,
    decisions: tuple[Decision, ...],
    costs: dict[str, int] | None = None,
) -> Month:
    """Return a month with bounds of demand, actual demand, and the required frames in stock and on order."""
    return Month(
        {"city_bike": city[:2], "touring_bike": touring[:2]},
        {"city_bike": city[2], "touring_bike": touring[2]},
        decisions,
        _CEILINGS,
        costs or {},
        {"frame": frames, "wheels": 2 * frames - 40},
    )


def _built(city: int, touring: int, frames: int, wheels: int, kits: int, racks: int) -> tuple[Decision, ...]:
    """Return the decisions of an ordinary month: order the required parts and build bikes."""
    orders = (("frame", frames), ("wheels", wheels), ("kit", kits), ("rack", racks))
    bought: tuple[Decision, ...] = tuple(("buy", name, amount) for name, amount in orders if amount)
    return (*bought, ("produce", "city_bike", city), ("produce", "touring_bike", touring))


WORKSHOP = Story(
    "workshop", _FIRM,
    (
        _month((12, 16, 14), (7, 9, 8), 60, _built(13, 7, 24, 44, 0, 10)),
        _month((12, 17, 15), (7, 10, 9), 100, _built(15, 8, 10, 50, 34, 16)),
        _month((14, 20, 19), (8, 12, 11), 90, (("borrow", 800_000), *_built(18, 9, 44, 60, 40, 24))),
        _month((20, 26, 23), (10, 14, 12), 90, (*_built(24, 3, 30, 40, 45, 20), ("hire", 1))),
        _month((20, 26, 24), (10, 14, 11), 90, _built(22, 14, 30, 60, 50, 24)),
        _month((18, 24, 21), (9, 13, 12), 80, _built(20, 11, 24, 56, 42, 24), {"frame": 22_000}),
        _month(
            (16, 22, 18), (8, 12, 9), 70,
            (("set_price", "touring_bike", 142_000), *_built(18, 9, 24, 56, 36, 20)),
        ),
        _month((14, 20, 17), (7, 11, 10), 60, _built(17, 10, 20, 50, 40, 20), {"frame": 18_000}),
        _month((12, 18, 16), (6, 10, 8), 50, (*_built(15, 8, 20, 46, 32, 16), ("invest", "stand", 1))),
        _month((10, 16, 12), (5, 8, 7), 50, _built(13, 6, 20, 40, 26, 14)),
        _month((10, 15, 13), (5, 8, 6), 50, _built(13, 7, 20, 40, 26, 14)),
        _month((12, 18, 17), (6, 10, 8), 50, _built(14, 7, 24, 44, 28, 14)),
    ),
    {
        (2, 0): "before_the_spring", (4, 4): "the_spring_is_here", (4, 5): "city_bikes_are_built",
        (2, 6): "february_is_built", (6, 0): "frames_are_dear", (9, 6): "before_the_stand",
    },
)  # fmt: skip
