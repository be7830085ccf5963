"""Review of a firm's year: the goals missed in each month, and the advice that would have reached them.

A goal counts as missed if the theory derives this for the month as decided, or if the month's close shows it.
Advice is derived for the moments of that month: another amount of a decision that was taken, or one more
decision at the end. The simulator executes the advice with everything else unchanged. The advice is reported
only if the theory derives that the goal is then reached and the close confirms it. The actual demand of
customers is used only for the close.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.advice.advising import Advised, StateAdviser
from hornbook.compiler.advise.amounts import DOMAIN
from hornbook.compiler.advise.conflicts import GoalConflict, GoalSide
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.integers.intervals import Intervals
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import Decision, NotAllowedError
from hornbook.theories.firm.tables.year import RecordedMonth, run


@dataclass(frozen=True, slots=True)
class Close:
    """The result of a month."""

    cash: int
    profit: int
    """The profit of the year up to this month."""
    required: int
    unmet: dict[str, int]
    """The number of requested but unavailable items of each product."""
    stock: dict[str, int]


@dataclass(frozen=True, slots=True)
class Saved:
    """Advice that was executed: the decision, the amounts that the rules allow, and the result."""

    decision: Decision
    instead_of: Decision | None
    before: tuple[Decision, ...]
    """The purchases that must come first if materials are missing."""
    side: GoalSide
    amounts: Intervals
    """The amounts that reach the goal, except those known to miss another goal that is reached now."""
    conflicts: tuple[GoalConflict, ...]
    close: Close
    decisions: tuple[Decision, ...]
    """All decisions of the month, including this one."""


@dataclass(frozen=True, slots=True)
class Missed:
    goal: Atom
    saved: Saved | None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A month of a year, its results, and the goals that it missed."""

    month: RecordedMonth
    close: Close
    missed: tuple[Missed, ...]


def review(adviser: StateAdviser, months: list[RecordedMonth]) -> Iterator[Reviewed]:
    for month in months:
        yield review_month(adviser, month)


def review_month(adviser: StateAdviser, month: RecordedMonth) -> Reviewed:
    return _Review(adviser, month).result()


def close_of(month: RecordedMonth, decided: Firm) -> Close:
    after = month.closed(decided)
    required = decided.accounts["capital"] * decided.settings["target"] * (decided.months_gone + 1)
    earned = sum(after.accounts[name] - decided.accounts[name] for name in ("profit", "capital"))
    unmet = {name: max(0, month.demand[name] - product.stock) for name, product in decided.products.items()}
    stock = {name: product.stock for name, product in after.products.items()}
    return Close(
        after.accounts["cash"], decided.accounts["profit"] + earned, -(-required // 120_000),
        {name: number for name, number in unmet.items() if number}, stock,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Moment:
    """A firm within a month, with the advice on it; a new decision replaces `taken` and precedes `rest`."""

    firm: Firm
    advised: Advised
    past: tuple[Decision, ...]
    before: tuple[Decision, ...]
    taken: Decision | None
    rest: tuple[Decision, ...]


class _Review:
    """One month, with a cache of the advice at its moments."""

    def __init__(self, adviser: StateAdviser, month: RecordedMonth) -> None:
        self.adviser = adviser
        self.month = month
        self.states = month.states()
        self._advised: dict[int, Advised] = {}

    def result(self) -> Reviewed:
        decided = self.states[-1]
        close = close_of(self.month, decided)
        values = self._values(decided)
        goals = sorted({*values, *self._goals(decided)}, key=str)
        missed = [
            goal
            for goal in goals
            if values.get(goal) == "IP" or (goal not in values and not _is_reached(goal, decided, close))
        ]
        return Reviewed(
            self.month, close, tuple(Missed(goal, next(self._ways(goal), None)) for goal in missed)
        )

    def _values(self, firm: Firm) -> dict[Atom, str]:
        base = self.adviser.base
        base.push()
        try:
            base.add(adapter.facts(firm))
            return self.adviser.values()
        finally:
            base.pop()

    @staticmethod
    def _goals(firm: Firm) -> list[Atom]:
        ship = [Atom("ship", (Constant(name),)) for name in firm.products]
        return [*ship, Atom("solvent", ()), Atom("on_target", ())]

    def _at(self, moment: int) -> Advised:
        """Return the advice on the firm after `moment` decisions of the month."""
        if moment not in self._advised:
            self._advised[moment] = self.adviser.advise(adapter.facts(self.states[moment]))
        return self._advised[moment]

    def _ways(self, goal: Atom) -> Iterator[Saved]:
        """Yield ways to reach a goal.

        Other amounts of the decisions that were taken come first, from the last one. One additional decision
        comes after them.
        """
        decisions = self.month.decisions
        for place in range(len(decisions) - 1, -1, -1):
            moment = _Moment(
                self.states[place],
                self._at(place),
                decisions[:place],
                (),
                decisions[place],
                decisions[place + 1 :],
            )
            yield from self._reaching(goal, moment)
        last = _Moment(self.states[-1], self._at(len(decisions)), decisions, (), None, ())
        yield from self._reaching(goal, last)
        bought = tuple((fact.relation, *fact.values) for fact in adapter.preparing(last.firm, goal))
        if bought:
            firm = run(last.firm, bought)[-1]
            advised = self.adviser.advise(adapter.facts(firm))
            yield from self._reaching(goal, _Moment(firm, advised, decisions, bought, None, ()))

    def _reaching(self, goal: Atom, moment: _Moment) -> Iterator[Saved]:
        """Yield the advice at one moment that reaches a goal, after executing it."""
        found = moment.advised.goal(goal)
        for decision, side in () if found is None else found.decisions.items():
            is_meant = moment.taken is None or _names(decision) == moment.taken[:-1]
            if is_meant and _reached(side):
                saved = self._carried_out(goal, moment, decision, side)
                if saved is not None:
                    yield saved

    def _carried_out(self, goal: Atom, moment: _Moment, decision: Atom, side: GoalSide) -> Saved | None:
        """Return None if the rest of the month becomes impossible or the goal is missed after all."""
        amounts = _reached(side) - _spoiling(moment.advised, decision, goal) or _reached(side)
        preferred = amounts.parts[0][0] if moment.taken is None else moment.taken[-1]
        advice: Decision = (*_names(decision), _nearest(amounts, preferred))
        try:
            decided = run(moment.firm, (advice, *moment.rest))[-1]
        except NotAllowedError:
            return None
        close = close_of(self.month, decided)
        if self._values(decided).get(goal) != "IG" or not _is_reached(goal, decided, close):
            return None
        about = tuple(c for c in moment.advised.conflicts if c.decision == decision)
        decisions = (*moment.past, *moment.before, advice, *moment.rest)
        return Saved(advice, moment.taken, moment.before, side, amounts, about, close, decisions)


def _names(decision: Atom) -> Decision:
    """Return a decision's name and arguments, without its amount."""
    return (decision.predicate, *(t.value for t in decision.arguments if isinstance(t, Constant)))


def _reached(side: GoalSide) -> Intervals:
    return Intervals.of(part for each in side.advice if each.value == "GI" for part in each.amounts)


def _spoiling(advised: Advised, decision: Atom, goal: Atom) -> Intervals:
    """Return the amounts known to miss another goal that is reached now."""
    others = (g for goals in advised.levels.values() for g in goals if g.atom != goal and g.value == "IG")
    return Intervals.of(
        part for g in others if decision in g.decisions for part in g.decisions[decision].missed
    )


def _nearest(amounts: Intervals, preferred: int) -> int:
    ends = [min(max(preferred, low), high) for low, high in amounts]
    assert all(end in DOMAIN for end in ends)
    return min(ends, key=lambda end: abs(end - preferred))


def _is_reached(goal: Atom, decided: Firm, close: Close) -> bool:
    """Return whether the month's close agrees; goals that the close does not show count as decided."""
    match goal.predicate:
        case "ship":
            return not any(Constant(name) in goal.arguments for name in close.unmet)
        case "solvent":
            return close.cash >= -decided.settings["overdraft"]
        case "on_target":
            return close.profit >= close.required
        case _:
            return True
