"""Hostile calls of the compiled engine: invalid input must be refused with a named error and change nothing.

An episode follows from its seed. It is a random program (`random_programs.py`), an engine with limits of any
kind, and calls of it. Most calls contain one invalid part: numbers at and beyond every bound, other types,
other widths, or bodies that are too long or too deep. At the end the engine must hold the same facts as the
reference engine for the same input. A call may raise an EngineError, or Python's error for an argument of a
wrong type. Memory errors are found by a core built with sanitizers (`benchmarks/fuzz/engine.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from math import inf, nan
from random import Random
from typing import Any

import numpy as np

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    Apply,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.engine import Measure
from hornbook.matcher.program.errors import EngineError, LimitError
from oracles.engine.random_programs import EVERYTHING, WITH_CALLS, ProgramMaker, RandomProgram
from oracles.engine.recursive_programs import RecursiveDraft
from oracles.engine.walled_programs import WalledDraft
from oracles.reference.engine import ReferenceEngine

NUMBERS = (
    -1,
    0,
    1,
    2,
    3,
    63,
    64,
    255,
    2**16,
    2**16 + 1,
    2**20,
    2**20 + 1,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**32 + 1,
)
CELLS = (-(2**63) - 1, -(2**63), 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30)
OTHERS: tuple[Any, ...] = (
    None, True, 1.0, nan, inf, "", "x", "\ud800", b"x", (), [], {}, object(), np.int64(1), (1,), [Var(0)],
    Var(0),
    Var(-1), Match(0, ()), Compare("=", 1, 1),
)  # fmt: skip
REFUSALS = (EngineError, KeyError, TypeError, ValueError, AttributeError)
"""Permitted errors; the last three are Python's errors for arguments of a wrong type."""


class EngineFaultError(Exception):
    """The engine behaved in a forbidden way."""


def program_for(random: Random) -> RandomProgram:
    kind = random.random()
    if kind < 0.15:
        return RecursiveDraft(random).program()
    if kind < 0.25:
        return WalledDraft(random).program()
    features = WITH_CALLS if random.random() < 0.5 else EVERYTHING
    return ProgramMaker(features, huge=random.random() < 0.3).program(random)


class Episode:
    """Calls of one engine, and their results."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"hostile {seed}")
        self.tally: Counter[str] = Counter()
        self.program = program_for(self.random)
        self.engine = self.made()
        self.last_change: Any = None

    def made(self) -> CompiledEngine:
        """Return an engine with any limits and statistics, or an ordinary one if these are refused."""
        random = self.random
        predicates = self.program.predicates
        if random.random() < 0.5:
            try:
                return CompiledEngine(
                    predicates,
                    derivations=random.choice(("none", "one", "all")),
                    limits=self.limits(),
                    statistics={
                        random.choice((0, 1, 1, *NUMBERS)): Measure(
                            random.choice((0.0, 1e300, nan, -1.0)), tuple([1.0] * random.randint(0, 3))
                        )
                        for _ in range(random.randint(0, 2))
                    },
                    capacity=random.choice(((), (4, 2, 6), (30, 1, 3), (2**32 - 1, 2**32 - 1, 2**32 - 1))),
                )
            except REFUSALS as problem:
                self.tally[f"made: {type(problem).__name__}"] += 1
        return CompiledEngine(
            predicates, derivations=random.choice(("one", "all")), limits=Limits(facts=20_000, seconds=2)
        )

    def limits(self) -> Limits:
        """Return random limits; at least one of them stops unbounded growth."""
        random = self.random
        if random.random() < 0.3:
            return Limits(
                facts=random.choice((0, 1, 3, 10, 30)),
                seconds=random.choice((1e10, 1e300, inf, nan, -1.0, 2**70)),
            )
        return Limits(
            facts=random.choice((None, *NUMBERS, *CELLS)),
            seconds=2,
            bytes=random.choice((None, 10_000, *NUMBERS, *CELLS)),
        )

    # Replacement of a part.

    def hostile(self) -> Any:
        kind = self.random.random()
        return self.random.choice(NUMBERS if kind < 0.4 else CELLS if kind < 0.6 else OTHERS)

    def spoilt(self, thing: Any) -> Any:
        """Return a copy with one part, at any depth, replaced."""
        random = self.random
        if is_dataclass(thing) and not isinstance(thing, type) and random.random() < 0.9:
            name = random.choice([each.name for each in fields(thing)])
            return replace(thing, **{name: self.spoilt(getattr(thing, name))})
        if isinstance(thing, Fact) and random.random() < 0.9:
            parts = self.spoilt([thing.predicate, thing.cells])
            return Fact(*parts) if isinstance(parts, list) and len(parts) == 2 else parts
        if isinstance(thing, tuple | list) and random.random() < 0.9:
            parts = list(thing)
            place = random.randrange(len(parts)) if parts else 0
            match random.random():
                case chance if parts and chance < 0.7:
                    parts[place] = self.spoilt(parts[place])
                case chance if parts and chance < 0.8:
                    del parts[place]
                case chance if parts and chance < 0.9:
                    parts.append(parts[place])
                case _:
                    parts.insert(place, self.hostile())
            return type(thing)(parts) if type(thing) in (tuple, list) else tuple(parts)
        return self.hostile()

    def long(self) -> CodedRule:
        """Return a rule at or beyond a limit of length or depth."""
        random = self.random
        rule = random.choice(self.program.rules)
        size = random.choice((100, 128, 129, 200, 201, 2000))
        match random.random():
            case chance if chance < 0.4:
                deep: Any = Var(0)
                for _ in range(size):
                    deep = Apply(random.choice(("+", "-", "min", "?")), deep, 1)
                return replace(rule, id="long", body=(*rule.body, Compare("<", deep, 5)))
            case chance if chance < 0.8:
                inner: Any = rule.head
                for _ in range(size):
                    inner = AbsentOf((inner,))
                return replace(rule, id="long", body=(*rule.body, inner))
            case _:
                times = random.choice((50, 300, 1000, 5000)) // max(len(rule.body), 1) + 1
                return replace(rule, id="long", body=rule.body * times)

    # Calls.

    def some(self, things: Sequence[Any], most: int) -> list[Any]:
        return self.random.sample(things, min(len(things), self.random.randint(0, most)))

    def maybe(self, thing: Any) -> Any:
        return self.spoilt(thing) if self.random.random() < 0.4 else thing

    def update(self) -> Callable[[], Any]:
        random, program = self.random, self.program
        rules = [self.maybe(rule) for rule in self.some(program.rules, 4)]
        if random.random() < 0.1:
            rules.append(self.long())
        arguments: dict[str, Any] = {
            "add": [
                self.maybe(fact) if random.random() < 0.2 else fact for fact in self.some(program.given, 12)
            ],
            "retract": [
                self.maybe(fact) if random.random() < 0.1 else fact for fact in self.some(program.given, 4)
            ],
            "add_rules": rules,
            "remove_rules": [self.maybe(name) for name in self.some([*self.engine.rules], 2)],
        }
        if random.random() < 0.2:
            number = random.randrange(len(program.predicates))
            columns: Any = [
                np.array(
                    [random.choice((1, 2, 3)) for _ in range(5)],
                    dtype=random.choice((np.int64, np.int64, np.int32)),
                )
                for _ in range(program.predicates[number].arity)
            ]
            if columns and random.random() < 0.3:
                columns[0] = random.choice(
                    (columns[0][::-2], columns[0][:3], np.zeros((2, 2), np.int64), [1, 2, 3, 4, 5])
                )
            arguments[random.choice(("add_columns", "retract_columns"))] = {
                random.choice((number, *NUMBERS)) if random.random() < 0.2 else number: self.maybe(columns)
            }
        if random.random() < 0.1:
            name = random.choice([*arguments])
            arguments[name] = self.hostile()
        return lambda: self.engine.update(**arguments)

    def query(self) -> Callable[[], Any]:
        rule = self.long() if self.random.random() < 0.1 else self.random.choice(self.program.rules)
        head_variables = [term for term in rule.head.terms if isinstance(term, Var)]
        body, variables = self.maybe(rule.body), self.maybe(tuple(head_variables))
        return lambda: self.engine.query(body, variables)

    def read(self) -> Callable[[], Any]:
        engine, random = self.engine, self.random
        number = self.maybe(random.randrange(len(self.program.predicates)))
        match random.choice(
            ("facts", "given", "columns", "count", "why", "ways", "in", "said", "network", "profile")
        ):
            case "why" | "ways" | "in" as how:
                rows = [Fact(n, row) for n in range(len(self.program.predicates)) for row in engine.facts(n)]
                fact = self.maybe(random.choice([*rows, *self.program.given]))
                if how == "in":
                    return lambda: fact in engine
                return lambda: engine.derivation(fact) if how == "why" else engine.derivations(fact)
            case "said" if self.last_change is not None:
                side = self.last_change.added if random.random() < 0.7 else self.last_change.removed
                return lambda: (len(side), set(side), side.columns(number))
            case "network":
                return lambda: engine.network([number])
            case "profile":
                requested = random.random() < 0.7
                return lambda: (engine.profile_report(), engine.profile(requested), engine.statistics())
            case how if how != "said":
                return lambda: getattr(engine, how)(number)
        return engine.bytes

    def marked(self) -> Callable[[], Any]:
        return self.engine.push if self.random.random() < 0.6 else self.engine.pop

    def declared(self) -> Callable[[], Any]:
        more = [self.maybe(CodedPredicate(2, self.random.choice((None, 1)))) for _ in range(2)]

        def declare() -> None:
            self.engine.add_predicates(more)
            self.program = replace(self.program, predicates=(*self.program.predicates, *more))

        return declare

    def state(self) -> Any:
        numbers = range(len(self.program.predicates))
        return [(self.engine.facts(n), self.engine.given(n)) for n in numbers], {*self.engine.rules}

    def call(self) -> None:
        """Make one call and check its outcome."""
        random = self.random
        chance = random.random()
        kind = (
            self.update if chance < 0.45 else self.query if chance < 0.6 else self.read if chance < 0.9
            else self.marked if chance < 0.97 else self.declared
        )  # fmt: skip
        call = kind()
        before = self.state() if kind in (self.update, self.declared) else None
        self.tally["inputs"] += 1
        try:
            result = call()
        except REFUSALS as problem:
            self.tally[f"{kind.__name__}: {type(problem).__name__}"] += 1
            if before is not None and before != self.state():
                raise EngineFaultError(f"refused, but something has changed: {problem!r}") from problem
        else:
            self.tally[f"{kind.__name__}: done"] += 1
            if kind == self.update:
                self.last_change = result

    def compare(self) -> None:
        """Check that the engine holds exactly the consequences of its facts and rules."""
        if sum(len(rule.body) for rule in self.engine.rules.values()) > 300:
            self.tally["too long to be compared"] += 1  # the reference engine plans in quadratic time
            return
        numbers = range(len(self.program.predicates))
        plain = ReferenceEngine(self.program.predicates, limits=Limits(facts=50_000, seconds=2))
        given = [Fact(number, row) for number in numbers for row in self.engine.given(number)]
        try:
            plain.update(add=given, add_rules=self.engine.rules.values())
        except LimitError:
            self.tally["not compared"] += 1
            return
        except EngineError as problem:
            raise EngineFaultError(f"the plain engine refuses what was taken: {problem!r}") from problem
        for number in numbers:
            if self.engine.facts(number) != plain.facts(number):
                raise EngineFaultError(
                    f"other facts of {number}: {self.engine.facts(number) ^ plain.facts(number)}"
                )
        self.tally["compared"] += 1


def run(seed: int, calls: int = 20) -> Counter[str]:
    """Run the episode of a seed. Raise Wrong, or another forbidden error of the engine."""
    episode = Episode(seed)
    for _ in range(calls):
        episode.call()
    episode.compare()
    return episode.tally
