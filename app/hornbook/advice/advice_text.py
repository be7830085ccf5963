"""Advice as text and as JSON: by level and goal, the decisions with their intervals, then conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hornbook.advice.advising import Advised, AdvisedGoal, Wording
from hornbook.advice.ways_out import WayOut
from hornbook.compiler.advise.advice import AmountAdvice
from hornbook.compiler.advise.amounts import DOMAIN, Limit
from hornbook.compiler.advise.conflicts import MISSES, GoalConflict, GoalSide
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import Atom, Constant, Variable
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.integers.intervals import Interval, Intervals
from hornbook.matcher.program.dataclass import dataclass

FIRST, LAST = DOMAIN.parts[0]
STANDS = {"IG": "reached as things stand", "IP": "missed as things stand", None: "open as things stand"}


@dataclass(frozen=True, slots=True)
class FurtherDecisions:
    """Ways out of conflicts, and ways to goals that no single decision reaches, by one further decision."""

    out_of: Mapping[GoalConflict, WayOut]
    to: Mapping[Atom, WayOut]


def amounts_text(amounts: Iterable[Interval], unit: str = "") -> str:
    """Return intervals as text: `1452 or more`, `up to 20187`, `3 to 5`, `340 cents`."""
    return ", ".join(_interval(low, high, f" {unit}".rstrip()) for low, high in amounts)


def _interval(low: int, high: int, unit: str) -> str:
    if (low, high) == (FIRST, LAST):
        return "any amount"
    if high == LAST:
        return f"{low}{unit} or more"
    if low == high:
        return f"{low}{unit}"
    return f"up to {high}{unit}" if low == FIRST else f"{low} to {high}{unit}"


def decision_text(decision: Atom) -> str:
    """Return a decision as text, such as `buy(butter, n)`."""
    return print_condition(decision).replace("?n", "n")


def lines(advised: Advised, ways: FurtherDecisions, wording: Wording, *, why: bool) -> Iterator[str]:
    for level, goals in advised.levels.items():
        if goals:
            yield level
        for goal in goals:
            words = wording.goal(goal.atom.predicate, _arguments(goal.atom))
            yield f"  {print_condition(goal.atom)}, {words}: {STANDS[goal.value]}"
            yield from _decisions(goal, wording, why=why)
            if goal.atom in ways.to:
                yield from _way_lines(ways.to[goal.atom], "it", wording)
    if advised.conflicts:
        yield "conflicts"
        for conflict in advised.conflicts:
            yield from conflict_lines(conflict, wording)
            if conflict in ways.out_of:
                yield from _way_lines(ways.out_of[conflict], print_condition(conflict.other.goal), wording)


def _arguments(atom: Atom) -> list[str | int]:
    return [term.value for term in atom.arguments if isinstance(term, Constant)]


def _decisions(goal: AdvisedGoal, wording: Wording, *, why: bool) -> Iterator[str]:
    width = max((len(decision_text(decision)) for decision in goal.decisions), default=0)
    for decision, side in goal.decisions.items():
        parts = effects(goal, side, wording.UNITS.get(decision.predicate, ""))
        if parts:
            yield f"    {decision_text(decision):<{width}}  " + "; ".join(
                f"{how} {text}" for how, text in parts
            )
        for each in side.advice if why else ():
            yield from (f"      {line}" for line in reasons(each))


def effects(goal: AdvisedGoal, side: GoalSide, unit: str = "") -> list[tuple[str, str]]:
    """Return the effects of a decision on a goal, such as `("reaches it", "1452 or more")`."""
    found = []
    for value, how in (
        ("GI", "keeps it:" if goal.value == "IG" else "reaches it:"),
        ("GIII", "lets the next decision reach it:"),
        ("PI", "misses it:"),
    ):
        amounts = Intervals.of(part for each in side.advice if each.value == value for part in each.amounts)
        # If the goal is missed already, amounts that miss it are no news.
        if amounts and not (value in MISSES and goal.value == "IP"):
            found.append((how, amounts_text(amounts, unit)))
    return found


def reasons(advice: AmountAdvice) -> Iterator[str]:
    """Yield the rule, the facts that it was matched with, and the comparisons that bound the amount."""
    yield f"{advice.rule}: {advice.value} for {amounts_text(advice.amounts)}"
    for ground in advice.grounds:
        yield "  " + ", ".join(print_condition(fact) for fact in ground.facts)
        yield from (f"  {limit_text(limit)}" for limit in ground.limits if limit.facts)


def limit_text(limit: Limit, amount: int | None = None) -> str:
    """Return a comparison with its numbers, and the facts that the numbers come from."""
    names = {"n": Variable("n")} if amount is None else {"n": Constant(amount)}
    compared = apply_to_condition(limit.comparison, names)
    facts = ", ".join(print_condition(fact) for fact in limit.facts)
    return f"{print_condition(compared).replace('?', '')}  by {facts}"


def conflict_lines(conflict: GoalConflict, wording: Wording) -> Iterator[str]:
    one, other = conflict.one, conflict.other
    unit = wording.UNITS.get(conflict.decision.predicate, "")
    name, missed = print_condition(other.goal), one.reached & other.missed
    resists = (
        f"holds for {amounts_text(other.reached, unit)}"
        if other.reached
        else f"is missed for {amounts_text(missed, unit)}"
    )
    yield (
        f"  {decision_text(conflict.decision)}: {print_condition(one.goal)} asks for"
        f" {amounts_text(one.reached, unit)},"
        f" {name} {resists}; no amount {'serves' if conflict.is_certain else 'is known to serve'} both"
    )
    for goal, limits in zip((one.goal, other.goal), conflict.limits, strict=True):
        for limit in limits:
            yield f"    {print_condition(goal)}: {limit_text(limit)}"


def _way_lines(way: WayOut, goal: str, wording: Wording) -> Iterator[str]:
    taken = ", ".join(map(_fact_text, way.taken))
    for decision, amounts in way.decisions.items():
        text = amounts_text(amounts, wording.UNITS.get(decision.predicate, ""))
        yield f"    after {taken}, {decision_text(decision)} reaches {goal}: {text}"


def _fact_text(fact: GroundFact) -> str:
    return f"{fact.relation}({', '.join(map(str, fact.values))})"


def as_json(advised: Advised, ways: FurtherDecisions, wording: Wording) -> dict[str, Any]:
    return {
        "levels": [
            {
                "level": level,
                "goals": [
                    {
                        "goal": print_condition(goal.atom),
                        "words": wording.goal(goal.atom.predicate, _arguments(goal.atom)),
                        "value": goal.value,
                        "way": None if goal.atom not in ways.to else _way(ways.to[goal.atom]),
                        "advice": [_piece(each) for s in goal.decisions.values() for each in s.advice],
                    }
                    for goal in goals
                ],
            }
            for level, goals in advised.levels.items()
        ],
        "conflicts": [
            {
                "decision": decision_text(c.decision),
                "goals": [print_condition(s.goal) for s in (c.one, c.other)],
                "reached": [_intervals(s.reached) for s in (c.one, c.other)],
                "certain": c.is_certain,
                "facts": [print_condition(fact) for fact in c.facts],
                "limits": [[limit_text(limit) for limit in limits] for limits in c.limits],
                "way_out": None if c not in ways.out_of else _way(ways.out_of[c]),
            }
            for c in advised.conflicts
        ],
    }


COLUMNS = ("level", "goal", "now", "decision", "value", "from", "to", "rule")
"""The column names of `rows`; `now` is the goal's current value."""


def rows(advised: Advised) -> list[tuple[str | int | None, ...]]:
    """Return the advice as a table with one row for each interval of amounts.

    The column `to` is None for an interval without an upper bound.
    """
    return [
        (
            level,
            print_condition(goal.atom),
            goal.value,
            decision_text(each.open_decision),
            each.value,
            amounts["from"],
            amounts["to"],
            each.rule,
        )
        for level, goals in advised.levels.items()
        for goal in goals
        for side in goal.decisions.values()
        for each in side.advice
        for amounts in _intervals(each.amounts)
    ]


def _way(way: WayOut) -> dict[str, Any]:
    return {
        "after": [_fact_text(fact) for fact in way.taken],
        "goal": print_condition(way.goal),
        "decisions": {decision_text(d): _intervals(amounts) for d, amounts in way.decisions.items()},
    }


def _piece(advice: AmountAdvice) -> dict[str, Any]:
    return {
        "decision": decision_text(advice.open_decision),
        "value": advice.value,
        "amounts": _intervals(advice.amounts),
        "rule": advice.rule,
        "facts": [print_condition(fact) for ground in advice.grounds for fact in ground.facts],
        "limits": [limit_text(limit) for ground in advice.grounds for limit in ground.limits if limit.facts],
    }


def _intervals(amounts: Intervals) -> list[dict[str, int | None]]:
    return [{"from": low, "to": None if high == LAST else high} for low, high in amounts]
