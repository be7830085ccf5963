"""Random walks: programs and operations on them, generated from a seed while both engines execute them.

Families: `plain` and `everything` are small programs of any form. In `huge`, arithmetic exceeds 64 bits. In
`limits`, the limits of facts and bytes are low. `recursive` are larger recursive programs. In `walled`,
closed sets cut long rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import AbsentOf, CodedRule, Compare, Fact, Limits, Match, Var
from hornbook.matcher.program.engine import Measure
from hornbook.matcher.program.errors import EngineError, MalformedError
from hornbook.matcher.program.wellformed import check_predicates
from oracles.engine.random_programs import PLAIN, WITH_CALLS, ProgramMaker, RandomProgram
from oracles.engine.recursive_programs import RecursiveDraft
from oracles.engine.side_by_side import EngineDifference, SideBySide
from oracles.engine.walled_programs import WalledDraft
from oracles.reference.bounds import CELL_BYTES, FACT_BYTES
from oracles.reference.engine import ReferenceEngine
from oracles.walks.walk_events import Tally, Witness
from oracles.walks.walk_steps import Ask, Declare, EngineWalk, Pop, PushStep, QueryStep, Step, Update

MAKERS = {
    "plain": ProgramMaker(PLAIN | {"promises"}),
    "everything": ProgramMaker(),
    "calls": ProgramMaker(WITH_CALLS),
    "huge": ProgramMaker(huge=True),
    "limits": ProgramMaker(PLAIN | {"all", "absent"}),
}
DRAFTS = {"recursive": RecursiveDraft, "walled": WalledDraft}
FAMILIES = (*MAKERS, *DRAFTS)
STEPS = {"recursive": 30}
"""Number of steps of a walk; the default is 15."""


@dataclass
class Wanderer:
    """A random walk under construction."""

    family: str
    random: Random
    program: RandomProgram
    both: SideBySide
    tally: Tally
    steps: list[Step] = field(default_factory=list)
    late: tuple[Any, ...] = ()
    """The predicates that are not declared yet."""

    def __post_init__(self) -> None:
        self.witness = Witness(self.tally)
        self.handful = 6 if self.family == "recursive" else len(self.program.given)

    # The next step.

    def next_step(self) -> Step:
        random, depth = self.random, len(self.both.plain._marks)
        if not self.steps:
            return self.beginning()
        if self.late and random.random() < 0.4:
            late, self.late = self.late, ()
            return Declare(late)
        chance = random.random()
        if chance < 0.12 - 0.02 * depth:
            return PushStep()
        if chance < 0.24 and (depth or chance < 0.13):
            return Pop()
        if chance < 0.36:
            return self.query()
        if chance < 0.5:
            return self.ask()
        update = self.update()
        return self.spoilt(update) if random.random() < 0.05 else update

    def beginning(self) -> Step:
        """Return an update with most of the rules and facts, so that later steps can change them."""
        random, program = self.random, self.program
        rules = [rule for rule in program.rules if random.random() < 0.8]
        facts = [fact for fact in program.given if random.random() < 0.8]
        return Update(add=tuple(facts), add_rules=tuple(rules), columns=random.random() < 0.3)

    def some(self, things: Sequence[Any], most: int) -> tuple[Any, ...]:
        return tuple(self.random.sample(things, self.random.randint(0, min(most, len(things)))))

    def update(self) -> Update:
        random, plain, program = self.random, self.both.plain, self.program
        given = [Fact(number, row) for number, row in self.rows(given=True)]
        away = [fact for fact in program.given if fact not in plain]
        add, retract = self.some(away, self.handful), self.some(given, self.handful)
        match random.random():
            case chance if chance < 0.3:
                retract = ()
            case chance if chance < 0.55:
                add = ()
            case chance if chance < 0.6:  # remove nearly everything
                retract = tuple(random.sample(given, len(given) * 9 // 10))
            case _:
                pass
        if random.random() < 0.15:  # derived facts that are also given
            facts = [Fact(number, row) for number, row in self.rows(given=False)]
            add += self.some(facts, 3)
        if random.random() < 0.1:  # facts that are given already, or not
            add += self.some(program.given, 2)
            retract += self.some(program.given, 2)
        add_rules: tuple[CodedRule, ...] = ()
        remove_rules: tuple[object, ...] = ()
        if random.random() < (0.05 if plain._marks else 0.3):
            absent = [rule for rule in program.rules if rule.id not in plain.rules]
            add_rules = self.some(absent, 2 if self.family == "recursive" else 3)
            remove_rules = self.some([*plain.rules], 1 if self.family == "recursive" else 2)
            if remove_rules and random.random() < 0.2:  # replaced by itself or by a part of it
                rule = plain.rules[remove_rules[0]]
                add_rules += (random.choice((rule, replace(rule, body=rule.body[::-1]))),)
            if random.random() < 0.5:
                add = retract = ()
        return Update(add, retract, add_rules, remove_rules, columns=random.random() < 0.25)

    def rows(self, *, given: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
        plain = self.both.plain
        for number in range(len(self.both.predicates)):
            rows = plain.given(number) if given else plain.facts(number)
            for row in sorted(rows):
                yield number, row

    def spoilt(self, update: Update) -> Update:
        """Return the update with a mistake somewhere."""
        random, rules, head = self.random, self.program.rules, self.program.rules[0].head
        arity = len(head.terms)
        wrong = random.choice(
            (
                {"add": (*update.add, Fact(head.predicate, (1,) * (arity + 1)))},
                {"add": (Fact(0, (2**63,) * self.program.predicates[0].arity), *update.add)},
                {"retract": (*update.retract, Fact(len(self.program.predicates), ()))},
                {"remove_rules": (*update.remove_rules, "nobody")},
                {"add_rules": (*update.add_rules, *rules)},
                {"add_rules": (CodedRule("new", head, (Compare("<", Var(9), 1),), 10),)},
                {"add_rules": (CodedRule("new", head, (Match(head.predicate, ()),) * (arity + 1), 9),)},
                {
                    "add_rules": (
                        CodedRule("new", Match(head.predicate, (1,) * arity), (AbsentOf((head,)),), 20),
                    )
                },
            )
        )
        return replace(update, **wrong)

    def query(self) -> QueryStep:
        """Return the body of a rule, or a part of it; sometimes its absence."""
        random = self.random
        rule = random.choice(self.program.rules)
        body = rule.body if random.random() < 0.7 else self.some(rule.body, 2)
        if random.random() < 0.1:
            return QueryStep((AbsentOf(body),), ())
        head = [term for term in rule.head.terms if isinstance(term, Var)]
        matched = [
            term for each in body if isinstance(each, Match) for term in each.terms if isinstance(term, Var)
        ]
        variables = head if random.random() < 0.5 else self.some(sorted(set(matched), key=repr), 3)
        return QueryStep(body, tuple(variables))

    def ask(self) -> Ask:
        facts = [Fact(number, row) for number, row in self.rows(given=False)]
        requested = self.some(facts, 3)
        if self.random.random() < 0.1:
            requested += self.some(self.program.given, 1)
        return Ask(requested)

    # Walking.

    def walk(self, steps: int) -> None:
        for _ in range(steps):
            self.go(self.next_step())
        facts = [Fact(number, row) for number, row in self.rows(given=False)]
        self.go(Ask(tuple(self.random.sample(facts, min(len(facts), 12)))))

    def go(self, step: Step) -> None:
        self.steps.append(step)
        plain, tally = self.both.plain, self.tally
        old, depth = plain._state, len(plain._marks)
        result = self.both.take(step)
        tally["steps"] += 1
        tally[type(step).__name__] += 1
        if isinstance(result, EngineError):
            tally["refused"] += 1
            tally[f"refused: {type(result).__name__}"] += 1
        elif isinstance(step, Update):
            self.witness.updated(old, plain._state, step, result)
        elif isinstance(step, Pop) and plain._state is not old:
            tally["a pop that changes something" + (", under another mark" if depth > 1 else "")] += 1
        elif isinstance(step, QueryStep) and result:
            tally["a query with answers"] += 1
        elif isinstance(step, Ask):
            tally["derivations asked for"] += sum(fact in plain for fact in step.facts)


def limits_for(program: RandomProgram, random: Random) -> Limits:
    """Return limits that some updates exceed."""
    try:
        engine = ReferenceEngine(program.predicates)
        engine.update(add=program.given, add_rules=program.rules)
        facts = [fact for number in range(len(program.predicates)) for fact in engine.facts(number)]
    except EngineError:
        facts = [fact.cells for fact in program.given]
    most = len(facts) * random.randint(5, 11) // 10
    if random.random() < 0.5:
        return Limits(facts=most)
    return Limits(bytes=sum(FACT_BYTES + CELL_BYTES * len(row) for row in facts[:most]))


def statistics_for(program: RandomProgram, seed: int) -> dict[int, Measure] | None:
    """Return statistics, right or wrong; they must not change results."""
    random = Random(f"statistics {seed}")
    if random.random() < 0.6:
        return None
    sizes = (0, 1, 10, 10_000)
    return {
        number: Measure(
            random.choice(sizes), tuple(float(random.choice(sizes)) for _ in range(predicate.arity))
        )
        for number, predicate in enumerate(program.predicates)
        if random.random() < 0.7
    }


def wander(
    seed: int, family: str, tally: Tally, compiled: type[Any] = CompiledEngine, steps: int | None = None
) -> EngineWalk:
    """Return one random walk, which follows from the seed and the reference engine alone.

    Raise Difference, with the walk so far, if the engines differ.
    """
    random = Random(f"{family} {seed}")
    recursive = family == "recursive"
    program = DRAFTS[family](random).program() if family in DRAFTS else MAKERS[family].program(random)
    # The reference engine counts its stored derivations; the compiled one stores none.
    bounded = family == "limits" or (recursive and random.random() < 0.15)
    derivations = "none" if bounded else random.choice(("one", "one", "all", "none"))
    limits = limits_for(program, random) if bounded else Limits()
    first = len(program.predicates)
    if random.random() < 0.2:
        first = random.randint(1, first)
        try:
            check_predicates(program.predicates[:first])
        except MalformedError:
            first = len(program.predicates)
    start = EngineWalk(program.predicates[:first], derivations, (), limits, statistics_for(program, seed))
    wanderer = Wanderer(
        family, random, program, SideBySide(start, compiled), tally, late=program.predicates[first:]
    )
    tally["programs"] += 1
    try:
        wanderer.walk(steps or STEPS.get(family, 15))
    except EngineDifference as difference:
        difference.walk = replace(start, steps=tuple(wanderer.steps))
        raise
    return replace(start, steps=tuple(wanderer.steps))
