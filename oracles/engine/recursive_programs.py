"""Random programs with much recursion, which are hard for incremental engines.

A program consists of parts that occur in real theories: closures, mutual recursion, blocks that live
together, growing counted sets, and negation or counts of derived facts. Each part reads predicates of other
parts. Rules of any form are added. Some facts are given for derived predicates too. A program is safe and
stratified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Match,
    Var,
)
from oracles.engine.random_programs import EVERYTHING, Draft, ProgramMaker, RandomProgram

W, X, Y, Z, N, M = map(Var, range(6))
MOST_FACTS = 200


class RecursiveDraft(Draft):
    """A recursive program under construction.

    Level and arity of a predicate determine the parts that may read it.
    """

    def __init__(self, random: Random) -> None:
        # With few nodes, many facts have several derivations; with many, chains are long.
        nodes = random.choice((3, 4, 6, 8, 9))
        super().__init__(ProgramMaker(EVERYTHING, constants=range(nodes)), random)
        self.facts: set[Fact] = set()
        self.rules: list[CodedRule] = []

    def program(self) -> RandomProgram:
        random = self.random
        edges = [self.predicate(CodedPredicate(2), 0) for _ in range(random.randint(1, 2))]
        nodes = self.predicate(CodedPredicate(1), 0)
        self.give(nodes, random.randint(2, len(self.maker.constants)))
        for edge in edges:
            self.give(edge, random.choice((4, 8, 16, 30, 60)))
        parts = [random.choice(PARTS) for _ in range(random.randint(2, 6))]
        for part in parts:
            part(self)
        for _ in range(random.choice((0, 0, 1, 2))):
            self.any_rule()
        for number in self.heads():
            if random.random() < 0.4:
                self.give(number, random.choice((1, 2, 4)))
        facts = sorted(self.facts)
        return RandomProgram(
            tuple(self.predicates),
            tuple(random.sample(facts, min(len(facts), MOST_FACTS))),
            tuple(self.rules),
        )

    def heads(self) -> list[int]:
        """Return the derived predicates that may get more facts.

        Members of a counted set would exceed their count.
        """
        members = {member for _, member in self.sets}
        return [number for number, level in enumerate(self.levels) if level and number not in members]

    def give(self, predicate: int, number: int) -> None:
        arity = self.predicates[predicate].arity
        self.facts |= {Fact(predicate, tuple(self.cell() for _ in range(arity))) for _ in range(number)}

    def add(self, head: Match, *body: CodedCondition) -> None:
        body = tuple(self.random.sample(body, len(body)))
        self.rules.append(CodedRule(f"r{len(self.rules)}", head, body, 6))

    def pick(self, arity: int) -> int:
        """Return a random predicate of this arity, with a preference for later ones."""
        counts = {count for count, _ in self.sets}
        found = [
            number
            for number, each in enumerate(self.predicates)
            if each.arity == arity and number not in counts
        ]
        return max(self.random.choice(found), self.random.choice(found))

    def derived(self, arity: int, *read: int, finished: Sequence[int] = ()) -> int:
        """Return a new predicate that is concluded from `read`, and from the predicates `finished` of lower
        strata.
        """
        level = max([1, *(self.levels[each] for each in read), *(self.levels[each] + 1 for each in finished)])
        return self.predicate(CodedPredicate(arity), level)

    def raise_to(self, level: int, *predicates: int) -> None:
        for predicate in predicates:
            self.levels[predicate] = max(self.levels[predicate], level)

    # Parts.

    def closure(self) -> None:
        """Add a left-linear, right-linear or non-linear closure, or all three, so that facts have many
        derivations.
        """
        edge = self.pick(2)
        path = self.derived(2, edge)
        self.add(Match(path, (X, Y)), Match(edge, (X, Y)))
        ways = [(path, edge), (edge, path), (path, path)]
        for first, second in self.random.sample(ways, self.random.choice((1, 1, 2, 3))):
            self.add(Match(path, (X, Z)), Match(first, (X, Y)), Match(second, (Y, Z)))

    def mutual(self) -> None:
        """Add even and odd paths along two relations."""
        first, second = self.pick(2), self.pick(2)
        odd = self.derived(2, first, second)
        even = self.derived(2, first, second)
        self.add(Match(odd, (X, Y)), Match(first, (X, Y)))
        self.add(Match(even, (X, Z)), Match(odd, (X, Y)), Match(second, (Y, Z)))
        self.add(Match(odd, (X, Z)), Match(even, (X, Y)), Match(first, (Y, Z)))
        if self.random.random() < 0.5:
            self.add(Match(odd, (X, Y)), Match(even, (Y, X)))

    def reach(self) -> None:
        """Add marks that spread along edges, with a second rule in the reverse direction."""
        node, edge = self.pick(1), self.pick(2)
        reached = self.derived(1, node, edge)
        self.add(Match(reached, (X,)), Match(node, (X,)), Compare("<=", X, self.cell()))
        self.add(Match(reached, (Y,)), Match(reached, (X,)), Match(edge, (X, Y)))
        if self.random.random() < 0.5:
            self.add(Match(reached, (X,)), Match(edge, (X, Y)), Match(reached, (Y,)), Match(node, (X,)))

    def loop(self) -> None:
        """Add copies in both directions: without one of the rules there is no recursion."""
        read = self.pick(2)
        one = self.derived(2, read)
        other = self.derived(2, read)
        self.add(Match(one, (X, Y)), Match(read, (X, Y)))
        self.add(Match(other, (Y, X)), Match(one, (X, Y)))
        self.add(Match(one, (X, Y)), Match(other, (X, Y)))

    def same_generation(self) -> None:
        edge = self.pick(2)
        same = self.derived(2, edge)
        self.add(Match(same, (X, Y)), Match(edge, (Z, X)), Match(edge, (Z, Y)))
        self.add(Match(same, (X, Y)), Match(edge, (Z, X)), Match(same, (Z, W)), Match(edge, (W, Y)))

    def distance(self) -> None:
        """Add lengths of paths up to a bound, and the shortest of them."""
        edge = self.pick(2)
        long = self.derived(3, edge)
        self.add(Match(long, (X, Y, 1)), Match(edge, (X, Y)))
        self.add(
            Match(long, (X, Z, N)),
            Match(long, (X, Y, M)),
            Match(edge, (Y, Z)),
            Compare("=", N, Apply("+", M, 1)),
            Compare("<", N, self.random.choice((3, 4))),
        )
        short = self.derived(3, long, finished=[long])
        least = AggregateOf(M, self.random.choice(("min", "max", "sum")), (N,), (Match(long, (X, Y, N)),))
        self.add(Match(short, (X, Y, M)), Match(edge, (X, Y)), least)

    def absence(self) -> None:
        """Add the unreached nodes, and conclusions from them."""
        node, read = self.pick(1), max(self.pick(2), self.pick(2))
        if self.random.random() < 0.4:
            apart = self.derived(2, node, finished=[read])
            absent = AbsentOf((Match(read, (X, Y)),))
            self.add(Match(apart, (X, Y)), Match(node, (X,)), Match(node, (Y,)), absent)
            return
        lone = self.derived(1, node, finished=[read])
        inside = [Match(read, self.random.choice(((X, Y), (Y, X), (X, X))))]
        if self.random.random() < 0.4:
            inside.append(Match(node, (Y,)))
        self.add(Match(lone, (X,)), Match(node, (X,)), AbsentOf(tuple(inside)))
        if self.random.random() < 0.7:
            edge = self.pick(2)
            beyond = self.derived(2, lone, edge)
            self.add(Match(beyond, (X, Y)), Match(lone, (X,)), Match(edge, (X, Y)))
            self.add(Match(beyond, (X, Z)), Match(beyond, (X, Y)), Match(edge, (Y, Z)))

    def tally(self) -> None:
        """Add the number of nodes that a node reaches, and a recursion that depends on that number."""
        node, read = self.pick(1), self.pick(2)
        number = self.derived(2, node, finished=[read])
        function = self.random.choice(("count", "count", "sum", "min", "max"))
        inside = (Match(read, self.random.choice(((X, Y), (Y, X)))),)
        self.add(Match(number, (X, N)), Match(node, (X,)), AggregateOf(N, function, (Y,), inside))
        if self.random.random() < 0.7:
            edge = self.pick(2)
            many = self.derived(1, number, edge)
            self.add(Match(many, (X,)), Match(number, (X, N)), Compare(">", N, self.random.randint(0, 4)))
            self.add(Match(many, (Y,)), Match(many, (X,)), Match(edge, (X, Y)), Compare("<", X, Y))

    def counted(self, member: int) -> int:
        """Return the counts of the sets of a given member predicate; few sets are incomplete."""
        count = self.predicate(CodedPredicate(2, key=1, counts=member), 0)
        self.sets.append((count, member))
        for node in self.maker.constants:
            size = len({fact for fact in self.facts if fact.predicate == member and fact.cells[0] == node})
            if self.random.random() < 0.85:
                self.facts.add(Fact(count, (node, size + self.random.choice((0, 0, 0, 0, 0, 0, 1)))))
        return count

    def members(self, most: int) -> int:
        member = self.predicate(CodedPredicate(2), 0)
        for node in self.maker.constants:
            for _ in range(self.random.randint(0, most)):
                self.facts.add(Fact(member, (node, self.cell())))
        return member

    def life(self) -> None:
        """Add groups that live if all their liberties live or if they are marked: `AllOf` in a recursion."""
        member = self.members(2)
        count = self.counted(member)
        mark = self.pick(1)
        alive = self.derived(1, mark, member)
        inside: list[CodedCondition] = [Match(alive, (Y,))]
        if self.random.random() < 0.3:
            inside = [Match(self.pick(2), (Y, Z)), Match(alive, (Z,))]
            self.raise_to(self.levels[inside[0].predicate], alive)
        every = AllOf(ClosedSet(count, member, (X,)), (Y,), tuple(inside))
        self.add(Match(alive, (X,)), Match(mark, (X,)), Compare(">", X, self.cell()))
        self.add(Match(alive, (X,)), Match(count, (X, N)), every)
        if self.random.random() < 0.5:
            edge = self.pick(2)
            self.raise_to(self.levels[edge], alive)
            self.add(Match(alive, (Y,)), Match(alive, (X,)), Match(edge, (X, Y)), Match(count, (Y, 1)))

    def growth(self) -> None:
        """Add sets with members derived from the sizes of other sets: `CountOf` in a recursion."""
        link = self.members(2)
        member = self.predicate(CodedPredicate(2), max(1, self.levels[link]))
        count = self.predicate(CodedPredicate(2, key=1, counts=member), 0)
        self.sets.append((count, member))
        for node in self.maker.constants:
            at_most = len({fact for fact in self.facts if fact.predicate == link and fact.cells[0] == node})
            self.facts.add(Fact(count, (node, at_most)))
        full = self.derived(1, member)
        self.raise_to(self.levels[full], member)
        self.add(Match(member, (X, Y)), Match(link, (X, Y)), Compare("<", Y, self.cell()))
        self.add(Match(member, (X, Y)), Match(link, (X, Y)), Match(full, (Y,)))
        closed = ClosedSet(count, member, (X,))
        excluded = self.random.choice(((), (), (X,), (0,)))
        self.add(
            Match(full, (X,)), Match(count, (X, N)), CountOf(M, (closed,), 1, excluded), Compare("<=", M, N)
        )

    def any_rule(self) -> None:
        """Add a rule of any form for a derived or a new predicate."""
        heads = self.heads()
        if not heads or self.random.random() < 0.5:
            heads = [self.predicate(CodedPredicate(self.random.choice((0, 1, 2))), self.random.randint(1, 2))]
        head = self.random.choice(heads)
        rule = self.rule(len(self.rules), head, self.levels[head], base=self.random.random() < 0.3)
        self.rules.append(replace(rule, id=f"r{len(self.rules)}"))


PARTS: tuple[Callable[[RecursiveDraft], None], ...] = (
    RecursiveDraft.closure,
    RecursiveDraft.closure,
    RecursiveDraft.mutual,
    RecursiveDraft.reach,
    RecursiveDraft.loop,
    RecursiveDraft.same_generation,
    RecursiveDraft.distance,
    RecursiveDraft.absence,
    RecursiveDraft.absence,
    RecursiveDraft.tally,
    RecursiveDraft.life,
    RecursiveDraft.growth,
)
