"""A year of a fictitious small bakery: bread, rolls and cake.

In March it bakes too little. In May it fills the cellar with cheap butter and cannot pay for it despite its
profit, so it borrows in June. In August flour has become dear and its prices have not changed. In October it
hires three people whom it does not need, and misses its intended return.
"""

from __future__ import annotations

from hornbook.theories.firm.states.company import FURTHEST, Firm, Material, Product, Resource
from hornbook.theories.firm.states.simulator import Decision
from oracles.firm.story import Month, Story

_NOTHING = (0,) * 6
_FIRM = Firm(
    settings={
        "wage": 290_000, "fixed": 640_000, "rate": 450, "overdraft": 300_000, "credit": 8_000_000,
        "horizon": 1,
        "target": 3_500, "margin": 20,
    },
    products={
        "bread": Product(
            60, 450, 480, None, None, None, 0, 245, {"flour": 6, "yeast": 1}, {"oven": 1, "staff": 4}
        ),
        "rolls": Product(
            40, 320, 340, None, None, None, 0, 195, {"flour": 4, "yeast": 1}, {"oven": 1, "staff": 4}
        ),
        "cake": Product(
            10, 2_400, 2_500, None, None, None, 1, 1_150, {"flour": 5, "butter": 6, "box": 1},
            {"oven": 8, "staff": 45},
        ),
    },
    materials={
        "flour": Material(2_000, 12, 12, 1, 0, _NOTHING, None),
        "yeast": Material(400, 3, 3, 1, 0, _NOTHING, None),
        "butter": Material(150, 90, 90, 1, 0, _NOTHING, None),
        "box": Material(260, 60, 60, 1, 1, (230, 0, 0, 0, 0, 0), None),
    },
    resources={
        "oven": Resource(1, 13_000, 13_000, 6_500_000, 70_000, 4_900_000),
        "staff": Resource(4, 9_600, 38_400),
    },
    accounts={"cash": 500_000, "debt": 2_400_000, "profit": 0, "capital": 0},
    receivable=(480_000, *(0,) * (FURTHEST - 1)),
    payable=(470_000, *(0,) * (FURTHEST - 1)),
    months_gone=0,
)  # fmt: skip

_CEILINGS = {"bread": 480, "rolls": 340, "cake": 2_500}


def _month(
    bread: tuple[int, int, int],
    rolls: tuple[int, int, int],
    cake: tuple[int, int, int],
    decisions: tuple[Decision, ...],
    costs: dict[str, int] | None = None,
) -> Month:
    """Return a month with bounds of demand and actual demand for each product."""
    demanded = {"bread": bread, "rolls": rolls, "cake": cake}
    return Month(
        {name: (low, high) for name, (low, high, _) in demanded.items()},
        {name: real for name, (_, _, real) in demanded.items()},
        decisions,
        _CEILINGS,
        costs or {},
        {"box": 400, "butter": 1_500},
    )


def _baked(bread: int, rolls: int, cake: int, flour: int, butter: int, boxes: int) -> tuple[Decision, ...]:
    """Return the decisions of an ordinary month: buy flour, yeast and butter, order boxes, and bake
    everything.
    """
    bought: list[Decision] = [("buy", "flour", flour), ("buy", "yeast", bread + rolls)]
    bought += [("buy", "butter", butter)] if butter else []
    bought += [("buy", "box", boxes)] if boxes else []
    return (*bought, ("produce", "bread", bread), ("produce", "rolls", rolls), ("produce", "cake", cake))


_JANUARY = _month(
    (2_700, 3_100, 2_960),
    (2_000, 2_400, 2_210),
    (170, 220, 205),
    _baked(3_040, 2_360, 210, 27_000, 1_150, 200),
)
_FEBRUARY = _month(
    (2_700, 3_000, 2_820),
    (2_000, 2_350, 2_290),
    (170, 215, 181),
    _baked(2_860, 2_160, 200, 27_000, 1_200, 200),
)
_MARCH = _month(
    (3_000, 3_300, 3_240),
    (2_100, 2_450, 2_330),
    (180, 230, 214),
    _baked(2_600, 2_400, 205, 26_000, 1_230, 200),
)
_APRIL = _month(
    (3_000, 3_300, 3_160),
    (2_100, 2_450, 2_280),
    (180, 240, 236),
    _baked(3_300, 2_350, 232, 30_500, 1_400, 220),
)
_MAY = _month(
    (2_900, 3_200, 3_040), (2_100, 2_400, 2_370), (180, 240, 210),
    (*_baked(3_060, 2_240, 225, 28_500, 1_350, 220), ("buy", "butter", 24_000)),
    {"butter": 78},
)  # fmt: skip
_JUNE = _month(
    (2_700, 3_000, 2_780), (2_000, 2_300, 2_110), (150, 200, 160),
    (("borrow", 700_000), *_baked(2_840, 2_270, 185, 27_000, 0, 200)), {"butter": 90},
)  # fmt: skip
_JULY = _month(
    (2_500, 2_900, 2_610), (1_900, 2_200, 2_060), (140, 190, 171), _baked(2_680, 2_010, 150, 24_900, 0, 150)
)
_AUGUST = _month(
    (2_500, 2_900, 2_700), (1_900, 2_200, 2_010), (140, 190, 150), _baked(2_610, 2_060, 170, 24_700, 0, 150),
    {"flour": 21},
)  # fmt: skip
_SEPTEMBER = _month(
    (2_700, 3_100, 2_990), (2_000, 2_400, 2_260), (160, 210, 195),
    (("set_price", "bread", 470), ("set_price", "rolls", 340), *_baked(2_910, 2_210, 170, 27_200, 0, 200)),
    {"flour": 15},
)  # fmt: skip
_OCTOBER = _month(
    (2_800, 3_150, 2_930), (2_100, 2_450, 2_330), (170, 220, 200),
    (*_baked(3_050, 2_310, 205, 28_600, 0, 200), ("hire", 3)), {"flour": 13},
)  # fmt: skip
_NOVEMBER = _month(
    (2_900, 3_200, 3_090), (2_100, 2_450, 2_240), (190, 240, 231), _baked(2_990, 2_330, 225, 28_400, 0, 260)
)
_DECEMBER = _month(
    (3_200, 3_600, 3_480), (2_300, 2_700, 2_610), (260, 320, 300), _baked(3_500, 2_500, 250, 32_300, 0, 200)
)

BAKERY = Story(
    "bakery", _FIRM,
    (
        _JANUARY, _FEBRUARY, _MARCH, _APRIL, _MAY, _JUNE, _JULY, _AUGUST, _SEPTEMBER, _OCTOBER, _NOVEMBER,
        _DECEMBER,
    ),
    {
        (3, 1): "flour_without_yeast", (3, 4): "flour_is_there", (3, 6): "march_is_nearly_baked",
        (5, 7): "butter_is_cheap", (5, 8): "butter_is_bought",
        (8, 0): "flour_is_dear", (8, 6): "august_is_baked", (10, 6): "october_is_baked",
    },
)  # fmt: skip
