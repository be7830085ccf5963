"""Sums of unknowns, the constraints of comparisons, and refutations as contradictory sums of constraints.

A sum is a map from unknowns to integers; `""` is the constant term. An unknown is a variable, or an opaque
term as defined on the page on certificates: a product or a quotient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import gcd
from typing import Any

from oracles.reader.language import READ, Form, is_variable

Sum = dict[Any, int]
Constraints = tuple[Sum, ...]

LEAST, MOST = -(2**63), 2**63 - 1
GREATEST = 2**512
MOST_CASES = 256
NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class RefusedError(Exception):
    """The certificate does not prove its rule; the message names the place."""


def plus(one: Sum, other: Sum, times: int = 1, more: int = 0) -> Sum:
    result = dict(one)
    for unknown, amount in (*other.items(), ("", 0)):
        result[unknown] = result.get(unknown, 0) + times * amount
    result[""] += more
    if any(abs(amount) > GREATEST for amount in result.values()):
        raise RefusedError("a number beyond 2^512")
    return {unknown: amount for unknown, amount in result.items() if amount}


def constant(side: Sum) -> int | None:
    return None if side.keys() - {""} else side.get("", 0)


def _shape(side: Sum) -> Form:
    return tuple(sorted(((str(unknown), amount) for unknown, amount in side.items())))


def values(side: Form, meant: Callable[[Form], Form]) -> list[tuple[Sum, Constraints]]:
    """Return the possible values of a side of a comparison, each with its constraints.

    `meant` gives a term's class.
    """
    if not isinstance(side, tuple):
        term = meant(side)
        if not is_variable(term) and not isinstance(term, int):
            raise RefusedError(f"`{term}` is no number")
        return [({term: 1} if is_variable(term) else plus({}, {}, 1, term), ())]
    found = []
    if side[0] not in READ:
        return [({("call", repr(_meant(side, meant))): 1}, ())]
    if side[0] == "abs":
        for a, with_a in values(side[1], meant):
            found += [(a, (*with_a, a)), (plus({}, a, -1), (*with_a, plus({}, a, -1)))]
        if len(found) > MOST_CASES:
            raise RefusedError("too many cases")
        return found
    for (a, with_a), (b, with_b) in product(values(side[1], meant), values(side[2], meant)):
        for result, more in _calculated(side[0], a, b):
            found.append((result, (*with_a, *with_b, *more)))
    if len(found) > MOST_CASES:
        raise RefusedError("too many cases")
    return found


def _meant(side: Form, meant: Callable[[Form], Form]) -> Form:
    """Return a calculation with each term replaced by its class."""
    if isinstance(side, tuple):
        return (side[0], *(_meant(part, meant) for part in side[1:]))
    return meant(side)


def _calculated(operator: str, a: Sum, b: Sum) -> Iterator[tuple[Sum, Constraints]]:
    less, more = plus(b, a, -1), plus(a, b, -1)
    match operator:
        case "+" | "-":
            yield (plus(a, b) if operator == "+" else more), ()
        case "*":
            for one, other in ((a, b), (b, a)):
                times = constant(one)
                if times is not None:
                    yield plus({}, other, times), ()
                    return
            yield {("*", *sorted((_shape(a), _shape(b)))): 1}, ()
        case "//":
            quotient, dividend, divisor = {("//", _shape(a), _shape(b)): 1}, constant(a), constant(b)
            if divisor is None or divisor <= 0:
                yield quotient, ()
            elif dividend is not None:
                yield plus({}, {}, 1, dividend // divisor), ()
            else:
                rest = plus(a, quotient, -divisor)
                yield quotient, (rest, plus({}, rest, -1, divisor - 1))
        case "mod":
            dividend, divisor = constant(a), constant(b)
            if divisor is None or divisor <= 0:
                yield {("mod", _shape(a), _shape(b)): 1}, ()
            elif dividend is not None:
                yield plus({}, {}, 1, dividend % divisor), ()
            else:
                rest = plus(a, {("//", _shape(a), _shape(b)): 1}, -divisor)
                yield rest, (rest, plus({}, rest, -1, divisor - 1))
        case "min":
            yield a, (less,)
            yield b, (more,)
        case "max":
            yield a, (more,)
            yield b, (less,)


def alternatives(comparison: Form, meant: Callable[[Form], Form]) -> list[Constraints]:
    """Return the alternative lists of constraints of a comparison; one of them holds if it is true."""
    _, operator, left, right = comparison
    found: list[Constraints] = []
    for (a, with_a), (b, with_b) in product(values(left, meant), values(right, meant)):
        up, down = plus(b, a, -1), plus(a, b, -1)
        above, below = plus(up, {}, 1, -1), plus(down, {}, 1, -1)
        cases: dict[str, list[Constraints]] = {
            "<=": [(up,)],
            ">=": [(down,)],
            "<": [(above,)],
            ">": [(below,)],
            "=": [(up, down)],
            "!=": [(above,), (below,)],
        }
        found += [(*with_a, *with_b, *more) for more in cases[operator]]
    return found


def refute(lists: list[list[Constraints]], cases: Any, named: Callable[[str], Form]) -> None:
    """Refute each choice of one alternative from each list.

    `named` gives the unknown of a variable.

    Raise Refused if that fails.
    """
    size = 1
    for each in lists:
        size *= len(each)
        if size > MOST_CASES:
            raise RefusedError("too many cases")
    if not isinstance(cases, list) or len(cases) != size:
        raise RefusedError(f"{size} cases are to be refuted")
    for chosen, sums in zip(product(*lists), cases, strict=True):
        _refute_one([c for alternative in chosen for c in alternative], sums, named)


def _refute_one(known: list[Sum], sums: Any, named: Callable[[str], Form]) -> None:
    last: Sum = {}
    for parts in _list(sums):
        total: Sum = {}
        for part in _list(parts):
            place, times = _pair(part)
            if type(times) is not int or not 0 < times <= GREATEST:
                raise RefusedError("a constraint is taken no positive number of times")
            if isinstance(place, str) and place[:1] in ("<", ">"):
                bound = _bound(place, named)
            elif type(place) is int and 0 <= place < len(known):
                bound = known[place]
            else:
                raise RefusedError(f"there is no constraint {place!r}")
            total = plus(total, bound, times)
        last = _rounded(total)
        known.append(last)
    if constant(last) is None or last.get("", 0) >= 0:
        raise RefusedError("the sums do not come to a contradiction")


def _bound(place: str, named: Callable[[str], Form]) -> Sum:
    term = named(f"?{place[1:]}")
    side: Sum = {term: 1} if is_variable(term) else {"": term}
    return plus(side, {}, 1, -LEAST) if place[0] == ">" else plus({}, side, -1, MOST)


def _rounded(side: Sum) -> Sum:
    amounts = [amount for unknown, amount in side.items() if unknown != ""]
    if not amounts:
        return side
    divisor = gcd(*amounts)
    return {unknown: amount // divisor for unknown, amount in side.items() if amount // divisor}


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise RefusedError("something else where a list should stand")
    return data


def _pair(data: Any) -> list[Any]:
    if not isinstance(data, list) or len(data) != 2:
        raise RefusedError("something else where a pair should stand")
    return data
