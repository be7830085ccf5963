"""Random coded programs for property tests of the engines.

A program is generated from a `random.Random`, so the same generator serves a loop over seeds and hypothesis
(whose `randoms()` it can shrink). Every program is safe and stratified. Most violate no integrity constraint
and do not overflow; some do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    Call,
    Cell,
    ClosedSet,
    CodedCondition,
    CodedExpression,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    CountOf,
    Fact,
    Function,
    Match,
    Var,
)
from hornbook.matcher.program.operators import OPERATIONS

_OFTEN = ("+", "-", "*", "//", "min", "max")
_SELDOM = tuple(operator for operator in OPERATIONS if operator not in _OFTEN)

GREATEST = 2**63 - 1

PLAIN = frozenset({"compare"})
EVERYTHING = frozenset({"compare", "arithmetic", "absent", "aggregate", "all", "count", "nested", "promises"})
WITH_CALLS = EVERYTHING | {"calls"}
"""All features and function calls, which not every engine supports."""


def _half(cells: tuple[Cell, ...]) -> Cell | None:
    return cells[0] // 2 if cells[0] % 2 == 0 else None


def _apart(cells: tuple[Cell, ...]) -> Cell | None:
    return (cells[-1] - cells[0]) % 3 if cells[0] != cells[-1] else None


FUNCTIONS = (Function("half", _half), Function("apart", _apart))
"""Functions without a result for some cells."""


@dataclass(frozen=True)
class RandomProgram:
    predicates: tuple[CodedPredicate, ...]
    given: tuple[Fact, ...]
    rules: tuple[CodedRule, ...]


@dataclass(frozen=True)
class ProgramMaker:
    """A generator of programs with some features.

    `huge`: cells near the ends of 64 bits, so that arithmetic overflows. `linear`: each body has at most one
    condition that depends on the head. `finished_counts`: CountOf only over sets of lower strata.
    """

    features: frozenset[str] = EVERYTHING
    huge: bool = False
    linear: bool = False
    finished_counts: bool = False
    least_arity: int = 0
    constants: Sequence[int] = field(default=(0, 1, 2))

    def program(self, random: Random) -> RandomProgram:
        return Draft(self, random).program()


class Draft:
    """A program under construction: predicates of level 0 are given, those of level n read levels 0 to n."""

    def __init__(self, maker: ProgramMaker, random: Random) -> None:
        self.maker, self.random = maker, random
        self.predicates: list[CodedPredicate] = []
        self.levels: list[int] = []
        self.sets: list[tuple[int, int]] = []
        """Each count with its member."""
        self.next_local = 0
        self.applied = 0

    def has(self, feature: str, chance: float) -> bool:
        return feature in self.maker.features and self.random.random() < chance

    def predicate(self, predicate: CodedPredicate, level: int) -> int:
        self.predicates.append(predicate)
        self.levels.append(level)
        return len(self.predicates) - 1

    def program(self) -> RandomProgram:
        random = self.random
        for _ in range(random.randint(1, 3)):
            arity = random.randint(1, 3)
            key = random.randint(1, arity) if self.has("promises", 0.15) else None
            self.predicate(CodedPredicate(arity, key), 0)
        if self.maker.features & {"all", "count"}:
            for _ in range(random.randint(1, 2)):
                self.closed_set(random.randint(0, 1))
        given = self.given()
        depth = random.randint(1, 3)
        for level in range(1, depth + 1):
            for _ in range(random.randint(1, 2)):
                arity = max(random.choice((0, 1, 1, 2, 2, 2)), self.maker.least_arity)
                key = random.randint(0, arity) if arity and self.has("promises", 0.05) else None
                self.predicate(CodedPredicate(arity, key), level)
        rules = []
        for head, level in enumerate(self.levels):
            if level or (random.random() < 0.01 and not self.maker.linear):
                for number in range(random.choice((1, 2, 2, 3))):
                    base = number == 0 and random.random() < 0.7
                    rules.append(self.rule(len(rules), head, max(level, 1), base=base))
        return RandomProgram(tuple(self.predicates), tuple(given), tuple(rules))

    def closed_set(self, key: int) -> None:
        level = self.random.choice((0, 0, 0, 1))
        width = self.random.choice((1, 1, 2))
        member = self.predicate(CodedPredicate(key + width), level)
        self.sets.append((self.predicate(CodedPredicate(key + 1, key=key, counts=member), 0), member))

    def cell(self) -> int:
        if self.maker.huge and self.random.random() < 0.1:
            return self.random.choice((GREATEST, GREATEST - 1, -GREATEST - 1, 2**62, -(2**62)))
        return self.random.choice(self.maker.constants)

    def given(self) -> list[Fact]:
        random, found = self.random, []
        counts = dict(self.sets)
        for number, predicate in enumerate(self.predicates):
            if number in counts:
                continue
            rows = {
                tuple(self.cell() for _ in range(predicate.arity))
                for _ in range(random.choice((2, 4, 6, 8, 10)))
            }
            if predicate.key is not None and random.random() < 0.95:
                rows = set({row[: predicate.key]: row for row in sorted(rows)}.values())
            found += [Fact(number, row) for row in sorted(rows)]
        for count, member in self.sets:
            width = self.predicates[count].arity - 1
            for key in sorted({tuple(self.cell() for _ in range(width)) for _ in range(4)}):
                size = sum(fact.predicate == member and fact.cells[:width] == key for fact in found)
                if random.random() < 0.85:
                    more = random.choice(
                        (0, 0, 0, 0, 0, 0, 0, 0, 1, 2) if self.levels[member] == 0 else (1, 2, 3)
                    )
                    found.append(Fact(count, (*key, size + more)))
                if random.random() < 0.01:
                    found.append(Fact(count, (*key, random.randint(-1, 2))))
        return found

    def rule(self, number: int, head: int, level: int, *, base: bool) -> CodedRule:
        """Return a rule of any form, or a base rule with a single match, which starts a recursion."""
        random, self.next_local = self.random, 10
        readable = [each for each, at in enumerate(self.levels) if at <= level]
        lower = [each for each in readable if self.levels[each] < level] or readable
        body: list[CodedCondition] = []
        recursive = 0
        unbounded = self.has("arithmetic", 0.5) and self.maker.huge
        for _ in range(1 if base else random.choice((0, 1, 1, 2, 2, 2, 3))):
            read = random.choice(lower if unbounded or base else readable)
            recursive += self.levels[read] >= level
            if recursive > 1 and self.maker.linear:
                read = random.choice(lower)
            body.append(Match(read, self.match_terms(read)))
        bound = sorted(_variables(body))
        finished = [each for each in lower if self.levels[each] < level]
        if not base:
            body += self.others(bound, readable, finished, unbounded=unbounded)
        random.shuffle(body)
        conclusion = Match(head, self.terms(head, bound))
        return CodedRule(f"r{number}", conclusion, tuple(body), self.next_local)

    def others(
        self, bound: list[int], readable: list[int], finished: list[int], *, unbounded: bool, depth: int = 0
    ) -> list[CodedCondition]:
        """Return conditions other than matches; variables that they bind are added to `bound`."""
        random, found = self.random, []
        if self.has("compare", 0.15) or (self.has("compare", 0.3) and not bound):
            number = self.local()
            equation = [Var(number), self.term(bound)]
            random.shuffle(equation)
            found.append(Compare("=", *equation))
            bound.append(number)
        if self.has("arithmetic", 0.35 if depth == 0 else 0.2):
            for _ in range(random.choice((1, 1, 2))):
                number = self.local()
                sides = [Var(number), self.expression(bound)]
                random.shuffle(sides)
                found.append(Compare("=", *sides))
                if not unbounded:
                    found += [Compare("<", Var(number), 9), Compare(">=", Var(number), -4)]
                bound.append(number)
                if random.random() < 0.1:  # two equations for one variable
                    found.append(Compare("=", Var(number), self.expression(bound)))
        if self.has("all", 0.25) and (depth == 0 or self.has("nested", 0.3)) and depth < 2 and self.sets:
            found.append(self.all_of(bound, readable, finished, depth))
        if self.has("count", 0.15) and depth == 0:
            found += self.count_of(bound, finished)
        if self.has("absent", 0.2) and finished and (depth == 0 or self.has("nested", 0.3)) and depth < 2:
            found.append(AbsentOf(self.inner(list(bound), finished, finished, depth)))
        if self.has("aggregate", 0.15) and finished and depth == 0:
            found.append(self.aggregate_of(bound, finished))
        for _ in range(random.choice((0, 0, 0, 1, 2)) if bound and self.has("compare", 0.7) else 0):
            operator = random.choice(("=", "!=", "!=", "<", "<=", ">", ">="))
            left = self.expression(bound) if self.has("arithmetic", 0.3) else self.term(bound)
            found.append(Compare(operator, left, self.term(bound)))
        return found

    def inner(
        self, bound: list[int], readable: list[int], finished: list[int], depth: int, most: int = 2
    ) -> tuple[CodedCondition, ...]:
        local = [self.local(), self.local()]
        body: list[CodedCondition] = []
        for _ in range(self.random.randint(0 if most == 1 else 1, most)):
            read = self.random.choice(readable)
            body.append(Match(read, self.terms(read, [*bound, *local])))
        known = sorted({*bound, *_variables(body)})
        body += self.others(known, readable, finished, unbounded=self.maker.huge, depth=depth + 1)
        self.random.shuffle(body)
        return tuple(body)

    def all_of(self, bound: list[int], readable: list[int], finished: list[int], depth: int) -> AllOf:
        count, member = self.random.choice(self.sets)
        closed = self.closed(count, member, bound)
        members = tuple(Var(self.local()) for _ in range(self.predicates[member].arity - len(closed.key)))
        known = [*bound, *(each.index for each in members)]
        conditions = self.inner(known, readable, finished, depth, self.random.randint(1, 2))
        return AllOf(closed, members, conditions)

    def count_of(self, bound: list[int], finished: list[int]) -> list[CodedCondition]:
        random, width = self.random, self.random.choice((1, 1, 2))
        pairs = [
            (count, member)
            for count, member in self.sets
            if self.predicates[member].arity + 1 == self.predicates[count].arity + width
            and (not self.maker.finished_counts or {count, member} <= set(finished))
        ]
        if not pairs:
            return []
        sets = tuple(self.closed(*random.choice(pairs), bound) for _ in range(random.randint(1, 2)))
        excluded = tuple(self.term(bound) for _ in range(random.choice((0, 0, 1, 2)))) if width == 1 else ()
        return [CountOf(self.result(bound), sets, width, excluded)]

    def aggregate_of(self, bound: list[int], finished: list[int]) -> AggregateOf:
        conditions = self.inner(list(bound), finished, finished, depth=1)
        local = sorted(_variables([each for each in conditions if isinstance(each, Match)]))
        function = self.random.choice(("count", "min", "max", "sum"))
        if not local:
            function = "count"
        width = self.random.randint(0, len(local)) if function == "count" else 1
        chosen = tuple(map(Var, self.random.sample(local, width)))
        return AggregateOf(self.result(bound), function, chosen, conditions)

    def result(self, bound: list[int]) -> CodedExpression:
        if bound and self.random.random() < 0.3:
            return self.expression(bound) if self.has("arithmetic", 0.5) else self.term(bound)
        bound.append(self.local())
        return Var(bound[-1])

    def closed(self, count: int, member: int, bound: Sequence[int]) -> ClosedSet:
        return ClosedSet(
            count, member, tuple(self.term(bound) for _ in range(self.predicates[count].arity - 1))
        )

    def local(self) -> int:
        self.next_local += 1
        return self.next_local - 1

    def term(self, bound: Sequence[int]) -> CodedTerm:
        return Var(self.random.choice(bound)) if bound and self.random.random() < 0.88 else self.cell()

    def match_terms(self, predicate: int) -> tuple[CodedTerm, ...]:
        arity = self.predicates[predicate].arity
        if self.random.random() < 0.5:
            return tuple(map(Var, self.random.sample(range(4), arity)))
        return self.terms(predicate, range(4))

    def terms(self, predicate: int, pool: Sequence[int]) -> tuple[CodedTerm, ...]:
        return tuple(self.term(pool) for _ in range(self.predicates[predicate].arity))

    def expression(self, bound: Sequence[int]) -> CodedExpression:
        found = self.calculation(bound)
        if self.has("calls", 0.3):
            function = self.random.choice(FUNCTIONS)
            operands = [found, *(self.term(bound) for _ in range(self.random.randrange(3)))]
            self.random.shuffle(operands)
            found = Call(function, tuple(operands))
            if self.random.random() < 0.3:
                found = Apply("-", found, self.term(bound))
        return found

    def calculation(self, bound: Sequence[int]) -> CodedExpression:
        left: CodedExpression = self.term(bound)
        if self.random.random() < 0.2:
            left = self._applied(left, bound)
        return self._applied(left, bound)

    def _applied(self, left: CodedExpression, bound: Sequence[int]) -> Apply:
        operator = self.random.choice(("+", "-", "*") if not self.maker.huge else _OFTEN)
        right = self.term(bound)
        self.applied += 1
        if operator == "//" and self.applied % 2:
            operator = _SELDOM[self.applied // 2 % len(_SELDOM)]
            # A shift by a large number has no result.
            right = self.applied % 5 if operator.startswith("shift") else right
        return Apply(operator, left, right)


def _variables(conditions: Sequence[CodedCondition]) -> set[int]:
    return {
        term.index
        for each in conditions
        if isinstance(each, Match)
        for term in each.terms
        if isinstance(term, Var)
    }


def shuffled(program: RandomProgram, random: Random) -> RandomProgram:
    """Return the same program with its rules, their bodies and its facts in another order."""

    def conditions(body: Sequence[CodedCondition]) -> tuple[CodedCondition, ...]:
        changed = [
            replace(each, conditions=conditions(each.conditions))
            if isinstance(each, AllOf | AbsentOf | AggregateOf)
            else each
            for each in body
        ]
        return tuple(random.sample(changed, len(changed)))

    rules = [replace(rule, body=conditions(rule.body)) for rule in program.rules]
    return RandomProgram(
        program.predicates,
        tuple(random.sample(program.given, len(program.given))),
        tuple(random.sample(rules, len(rules))),
    )
