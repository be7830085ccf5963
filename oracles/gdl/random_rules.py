"""Random stratified rules over a state and moves, coded like those of a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hornbook.matcher.program.coded import (
    AbsentOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    Fact,
    Match,
    Var,
)
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.flattening import Shapes

WORDS = 4
LEVELS = 4
TRUE, DOES = 0, 1


def random_program(random: Random) -> CodedGame:
    """Return relations on levels; each reads its own and lower levels, and absences of lower levels."""
    return _Draft(random).program()


def random_facts(random: Random, relation: int, width: int) -> frozenset[Fact]:
    rows = (tuple(random.randrange(WORDS) for _ in range(width)) for _ in range(random.randrange(8)))
    return frozenset(Fact(relation, row) for row in rows)


@dataclass(slots=True)
class _Draft:
    random: Random
    locals: int = 0

    def program(self) -> CodedGame:
        random = self.random
        widths = [2, 2]
        levels = [0, 0]
        for level in range(LEVELS):
            for _ in range(random.randint(1, 3)):
                widths.append(random.choice((0, 1, 2, 2, 3)))
                levels.append(level)
        facts: list[Fact] = []
        rules: list[CodedRule] = []
        for relation in range(2, len(widths)):
            below = [other for other, level in enumerate(levels) if level < levels[relation]]
            readable = [other for other, level in enumerate(levels) if level <= levels[relation]]
            # Some rules depend on no state, so that state-independent facts occur too.
            if random.random() < 0.4:
                readable = [other for other in readable if other not in (TRUE, DOES)]
            if not levels[relation] or random.random() < 0.3:
                facts += random_facts(random, relation, widths[relation])
            for _ in range(random.randint(0, 3)):
                rules.append(self.rule(len(rules), relation, widths, readable, below))
        numbers: dict[tuple[str, Shapes], int] = {
            ({TRUE: "true", DOES: "does"}.get(relation, f"r{relation}"), ((),) * width): relation
            for relation, width in enumerate(widths)
        }
        words = tuple(f"w{word}" for word in range(WORDS))
        return CodedGame(
            numbers,
            tuple(map(CodedPredicate, widths)),
            words,
            tuple(dict.fromkeys(facts)),
            tuple(rules),
            (),
            (),
        )

    def rule(
        self, number: int, head: int, widths: list[int], readable: list[int], below: list[int]
    ) -> CodedRule:
        random, self.locals = self.random, 4
        matches = [self.match(random.choice(readable), widths, range(4)) for _ in range(random.randint(1, 3))]
        bound = sorted({term.index for each in matches for term in each.terms if isinstance(term, Var)})
        body: list[CodedCondition] = list(matches)
        if bound and random.random() < 0.3:
            body.append(Compare(random.choice(("=", "!=")), Var(random.choice(bound)), self.term(bound)))
        if bound and random.random() < 0.2:
            body.append(Compare("=", Var(5), Var(random.choice(bound))))
            bound.append(5)
        for _ in range(random.choice((0, 0, 1, 2))):
            if below:
                body.append(self.absence(below, widths, bound, 2))
        random.shuffle(body)
        terms = tuple(self.term(bound) for _ in range(widths[head]))
        return CodedRule(number, Match(head, terms), tuple(body), self.locals + 2)

    def absence(self, below: list[int], widths: list[int], bound: list[int], depth: int) -> AbsentOf:
        """Return an absence with two local variables."""
        random = self.random
        self.locals += 2
        own = [self.locals, self.locals + 1]
        inside: list[CodedCondition] = [
            self.match(random.choice(below), widths, [*bound, *own]) for _ in range(random.choice((1, 1, 2)))
        ]
        if depth and random.random() < 0.2:
            inner = sorted(
                {
                    term.index
                    for each in inside
                    if isinstance(each, Match)
                    for term in each.terms
                    if isinstance(term, Var)
                }
            )
            inside.append(self.absence(below, widths, inner, 0))
        return AbsentOf(tuple(inside))

    def match(self, relation: int, widths: list[int], variables: range | list[int]) -> Match:
        return Match(relation, tuple(self.term(list(variables)) for _ in range(widths[relation])))

    def term(self, variables: list[int]) -> CodedTerm:
        if variables and self.random.random() < 0.8:
            return Var(self.random.choice(variables))
        return self.random.randrange(WORDS)
