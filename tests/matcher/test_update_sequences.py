"""Tests of update sequences: an engine after updates equals a new engine with the same facts and rules."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.matcher.program.coded import CodedRule, Fact
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import EngineError, MarkError
from oracles.engine.random_programs import EVERYTHING, PLAIN, WITH_CALLS, ProgramMaker, RandomProgram
from oracles.pages.engines import EngineClass

pytestmark = pytest.mark.deep


class Walk:
    """Random updates, marks and pops of one engine, with the expected given facts and rules."""

    def __init__(self, engine_class: EngineClass, program: RandomProgram, random: Random) -> None:
        self.program, self.random = program, random
        self.engine_class = engine_class
        self.engine = engine_class(program.predicates)
        self.given: frozenset[Fact] = frozenset()
        self.rules: dict[object, CodedRule] = {}
        self.marks: list[tuple[frozenset[Fact], object]] = []
        self.refused = self.done = 0

    def facts(self, engine: Engine | None = None) -> set[Fact]:
        engine = engine or self.engine
        numbers = range(len(self.program.predicates))
        return {Fact(number, row) for number in numbers for row in engine.facts(number)}

    def everything(self) -> object:
        numbers = range(len(self.program.predicates))
        facts = self.facts()
        return (
            facts,
            [set(self.engine.given(number)) for number in numbers],
            dict(self.engine.rules),
            {fact: self.engine.derivation(fact) for fact in facts},
        )

    def step(self) -> None:
        action = self.random.random()
        if action < 0.15:
            self.marks.append((self.given, self.everything()))
            self.engine.push()
        elif action < 0.3 and self.marks:
            self.engine.pop()
            self.given, before = self.marks.pop()
            assert self.everything() == before
        else:
            self.update()

    def update(self) -> None:
        random, program = self.random, self.program
        add = random.sample(program.given, random.randint(0, len(program.given)))
        retract = random.sample(program.given, random.randint(0, len(program.given) // 2))
        add_rules, remove_rules = [], []
        if not self.marks or random.random() < 0.1:
            absent = [rule for rule in program.rules if rule.id not in self.rules]
            add_rules = random.sample(absent, random.randint(0, len(absent)))
            remove_rules = random.sample(list(self.rules), random.randint(0, len(self.rules) // 2))
        before, old = self.everything(), self.facts()
        if self.marks and (add_rules or remove_rules):
            with pytest.raises(MarkError):
                self.engine.update(add=add, add_rules=add_rules, remove_rules=remove_rules)
            assert self.everything() == before
            add_rules, remove_rules = [], []
        try:
            change = self.engine.update(
                add=add, retract=retract, add_rules=add_rules, remove_rules=remove_rules
            )
        except EngineError:
            assert self.everything() == before
            self.refused += 1
            return
        self.done += 1
        assert change.added == self.facts() - old
        assert change.removed == old - self.facts()
        self.given = (self.given - set(retract)) | set(add)
        self.rules = {identity: rule for identity, rule in self.rules.items() if identity not in remove_rules}
        self.rules.update((rule.id, rule) for rule in add_rules)
        assert self.engine.rules == self.rules
        fresh = self.engine_class(program.predicates)
        fresh.update(add=self.given, add_rules=self.rules.values())
        assert self.facts() == self.facts(fresh)


@pytest.mark.parametrize(
    "features", [PLAIN | {"promises"}, EVERYTHING, WITH_CALLS], ids=["plain", "everything", "calls"]
)
@pytest.mark.parametrize("huge", [False, True], ids=["small cells", "huge cells"])
def test_the_result_equals_a_run_from_scratch(engine_class, features, huge):
    done = refused = 0
    for seed in range(35):
        random = Random(seed)
        walk = Walk(engine_class, ProgramMaker(features, huge=huge).program(random), random)
        for _ in range(12):
            walk.step()
        done, refused = done + walk.done, refused + walk.refused
    assert done > 175
    assert refused > 1
