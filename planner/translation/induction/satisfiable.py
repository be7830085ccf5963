"""Whether clauses of propositional logic can hold together, by search with clause learning.

The search is that of Marques-Silva and Sakallah (1996): units are propagated over two watched literals (Moskewicz and others
2001), and from each conflict a clause is learned. A literal is a positive or negative number, as in DIMACS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST_CONFLICTS = 3_000
"""Conflicts of one question."""


class Unknown(Exception):
    """The question was too hard."""


class Solver:
    """Always true between calls: each clause of two or more literals is watched by its first two."""

    def __init__(self) -> None:
        self.watching: dict[int, list[list[int]]] = {}
        self.value: dict[int, bool] = {}
        self.level: dict[int, int] = {}
        self.reason: dict[int, list[int] | None] = {}
        self.trail: list[int] = []
        self.starts: list[int] = []
        self.done = 0
        self.weight: dict[int, float] = {}
        self.step = 1.0
        self.contradiction = False

    def add(self, literals: Iterable[int]) -> None:
        """Adds a clause; nothing may be decided."""
        clause = list(dict.fromkeys(literals))
        if any(-literal in clause for literal in clause):
            return
        for literal in clause:
            self.weight.setdefault(abs(literal), 0.0)
        clause = [literal for literal in clause if self._is(literal) is not False]
        if any(self._is(literal) for literal in clause):
            return
        if not clause:
            self.contradiction = True
        elif len(clause) == 1:
            self._assign(clause[0], None)
            self.contradiction |= self._propagate() is not None
        else:
            self._watch(clause)

    def can_hold(self, assumptions: Sequence[int]) -> bool:
        """Whether the clauses can hold together with these literals. Raises Unknown."""
        if self.contradiction:
            return False
        conflicts = 0
        try:
            while True:
                conflict = self._propagate()
                if conflict is not None:
                    if not self.starts:
                        self.contradiction = True
                        return False
                    conflicts += 1
                    if conflicts > MOST_CONFLICTS:
                        raise Unknown
                    self._learn(conflict)
                    continue
                wanted = next((each for each in assumptions if self._is(each) is not True), None)
                if wanted is not None and self._is(wanted) is False:
                    return False
                decision = wanted if wanted is not None else self._undecided()
                if decision is None:
                    return True
                self.starts.append(len(self.trail))
                self._assign(decision, None)
        finally:
            self._undo(0)

    def _is(self, literal: int) -> bool | None:
        value = self.value.get(abs(literal))
        return None if value is None else value == (literal > 0)

    def _watch(self, clause: list[int]) -> None:
        for literal in clause[:2]:
            self.watching.setdefault(literal, []).append(clause)

    def _assign(self, literal: int, reason: list[int] | None) -> None:
        variable = abs(literal)
        self.value[variable] = literal > 0
        self.level[variable] = len(self.starts)
        self.reason[variable] = reason
        self.trail.append(literal)

    def _propagate(self) -> list[int] | None:
        """Assigns what follows. A clause of which every literal is false is returned."""
        while self.done < len(self.trail):
            false = -self.trail[self.done]
            self.done += 1
            watched = self.watching.pop(false, [])
            kept: list[list[int]] = []
            for place, clause in enumerate(watched):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], clause[0]
                if self._is(clause[0]):
                    kept.append(clause)
                    continue
                other = next((i for i in range(2, len(clause)) if self._is(clause[i]) is not False), None)
                if other is not None:
                    clause[1], clause[other] = clause[other], clause[1]
                    self.watching.setdefault(clause[1], []).append(clause)
                    continue
                kept.append(clause)
                if self._is(clause[0]) is False:
                    self.watching[false] = kept + watched[place + 1 :]
                    return clause
                self._assign(clause[0], clause)
            self.watching[false] = kept
        return None

    def _learn(self, conflict: list[int]) -> None:
        """Learns the clause of the first unique implication point, and goes back to where it is a unit."""
        now, seen, learned, open_ = len(self.starts), set[int](), list[int](), 0
        clause, place, asserted = conflict, len(self.trail), 0
        while True:
            for literal in clause:
                variable = abs(literal)
                if literal == asserted or variable in seen or not self.level[variable]:
                    continue
                seen.add(variable)
                self.weight[variable] = self.weight.get(variable, 0.0) + self.step
                if self.level[variable] == now:
                    open_ += 1
                else:
                    learned.append(literal)
            while True:
                place -= 1
                if abs(self.trail[place]) in seen:
                    break
            asserted = self.trail[place]
            open_ -= 1
            if not open_:
                break
            reason = self.reason[abs(asserted)]
            assert reason is not None
            clause = reason
        self.step *= 1.05
        learned.sort(key=lambda literal: -self.level[abs(literal)])
        back = self.level[abs(learned[0])] if learned else 0
        self._undo(back)
        made = [-asserted, *learned]
        if len(made) > 1:
            self._watch(made)
        self._assign(-asserted, made if len(made) > 1 else None)

    def _undo(self, level: int) -> None:
        if len(self.starts) > level:
            start = self.starts[level]
            for literal in self.trail[start:]:
                del self.value[abs(literal)]
            del self.trail[start:]
            del self.starts[level:]
            self.done = min(self.done, start)

    def _undecided(self) -> int | None:
        best = max(
            (variable for variable in self.weight if variable not in self.value),
            key=self.weight.__getitem__,
            default=None,
        )
        return None if best is None else -best
