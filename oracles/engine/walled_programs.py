"""Random programs with multiplying rules that closed sets cut: a chain of matches with walls along it.

Sets, conditions on their members, and links of the chains are added and removed, some of them by derivation,
also by the rules themselves. So a wall often precedes the end of the chain, and begins or ceases to hold
while the rest remains. A program is safe and stratified.
"""

from __future__ import annotations

from random import Random

from hornbook.matcher.program.coded import (
    AbsentOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    CountOf,
    Fact,
    Match,
    Var,
)
from oracles.engine.random_programs import EVERYTHING, Draft, ProgramMaker, RandomProgram

CHAIN = 5
"""The greatest number of variables in a chain."""


class WalledDraft(Draft):
    """A program with walls under construction."""

    def __init__(self, random: Random) -> None:
        super().__init__(ProgramMaker(EVERYTHING, constants=range(random.choice((2, 3, 3, 4)))), random)

    def program(self) -> RandomProgram:
        random = self.random
        links = [self.predicate(CodedPredicate(2), 0) for _ in range(random.choice((1, 2)))]
        self.ranks = self.predicate(CodedPredicate(2, key=random.choice((1, None, 0))), 0)
        for _ in range(random.choice((1, 2, 2))):
            member = self.predicate(CodedPredicate(2), random.choice((0, 0, 1)))
            self.sets.append((self.predicate(CodedPredicate(2, key=1, counts=member), 0), member))
        heads = [self.predicate(CodedPredicate(arity), 1) for arity in (1, 2)]
        self.links = [*links, *links, heads[1]]
        self.tested = [*links, self.ranks, *heads]
        rules = [
            CodedRule("base", Match(heads[1], (Var(0), Var(1))), (Match(links[0], (Var(0), Var(1))),), 2)
        ]
        derived = [member for _, member in self.sets if self.levels[member]]
        rules += [self.inclusion(number, member, links) for number, member in enumerate(derived)]
        rules += [
            self.walled(number, random.choice((*heads, *derived))) for number in range(random.randint(2, 4))
        ]
        return RandomProgram(tuple(self.predicates), tuple(self.given()), tuple(rules))

    def inclusion(self, number: int, member: int, links: list[int]) -> CodedRule:
        """Return a rule for derived members: the links of some kind."""
        body = (Match(self.random.choice(links), (Var(1), Var(0))),)
        return CodedRule(f"members {number}", Match(member, (Var(0), Var(1))), body, 2)

    def walled(self, number: int, head: int) -> CodedRule:
        random, self.next_local = self.random, CHAIN
        length = random.choice((2, 3, 3, 4))
        body: list[CodedCondition] = []
        for place in range(length):
            ends: list[CodedTerm] = [Var(place), Var(place + 1)]
            random.shuffle(ends)
            body.append(Match(random.choice(self.links), tuple(ends)))
        body += [self.wall(list(range(length + 1))) for _ in range(random.choice((1, 2, 3, 3, 4)))]
        if random.random() < 0.3:
            body.append(Compare("!=", Var(0), Var(length)))
        if random.random() < 0.15:
            body.append(AbsentOf((Match(self.ranks, (Var(random.randrange(length)), self.cell())),)))
        random.shuffle(body)
        chain = random.sample(range(length + 1), self.predicates[head].arity)
        return CodedRule(
            f"walled {number}", Match(head, tuple(map(Var, chain))), tuple(body), self.next_local
        )

    def wall(self, bound: list[int], depth: int = 0) -> CodedCondition:
        """Return a closed set of a node in the chain.

        The condition on its members is weak, so that it often holds.
        """
        random = self.random
        count, member = random.choice(self.sets)
        closed = ClosedSet(count, member, (self.term(bound),))
        if depth == 0 and random.random() < 0.3:
            excluded = (self.term(bound),) if random.random() < 0.3 else ()
            more = (ClosedSet(count, member, (self.term(bound),)),) if random.random() < 0.2 else ()
            result = random.choice((0, 1, 1, 2, 2, Var(self.local()), Var(random.choice(bound))))
            return CountOf(result, (closed, *more), 1, excluded)
        each = Var(self.local())
        known = [*bound, each.index]
        inner: list[CodedCondition] = []
        if random.random() < 0.5:
            inner.append(Compare(random.choice(("!=", "!=", "<=")), each, self.term(bound)))
        if random.random() < 0.6:
            condition = random.choice(self.tested)
            other = self.local()
            terms = (each, Var(other))[: self.predicates[condition].arity]
            inner.append(Match(condition, terms))
            if len(terms) > 1 and random.random() < 0.5:
                inner.append(Compare(random.choice((">=", "!=")), Var(other), self.term(known)))
        if depth == 0 and random.random() < 0.15:
            inner.append(self.wall(known, depth + 1))
        return AllOf(closed, (each,), tuple(inner))

    def given(self) -> list[Fact]:
        """Return counts that match the given facts, or greater ones if members are also derived."""
        random, counts = self.random, dict(self.sets)
        found = set()
        for number, predicate in enumerate(self.predicates):
            if number in counts or (self.levels[number] and random.random() < 0.7):
                continue
            rows = {
                tuple(self.cell() for _ in range(predicate.arity)) for _ in range(random.choice((3, 6, 9)))
            }
            if predicate.key is not None:
                rows = set({row[: predicate.key]: row for row in sorted(rows)}.values())
            found |= {Fact(number, row) for row in rows}
        for count, member in self.sets:
            for key in self.maker.constants:
                if random.random() < 0.9:
                    size = sum(fact.predicate == member and fact.cells[0] == key for fact in found)
                    most = len(self.maker.constants)
                    size = random.randint(size, most) if self.levels[member] else size
                    found.add(Fact(count, (key, size)))
        return sorted(found)
