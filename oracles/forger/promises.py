"""Test of proved keys and counts against states: whether conclusions of rules ever violate one.

Random theories have rules that conclude predicates with a key or a count, mostly by closed sets. An engine
without integrity constraints computes all consequences of a small state and an action, and then those of the
next state and another action. No place that the proofs of keys and counts (`constraints`) name may be
violated there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from hornbook.compiler.witness.constraints import GIVEN, PROVED, constraints
from hornbook.compiler.witness.proof_state import Constraints
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact, Theory, counts_of
from hornbook.kb.lower.coding import Coding
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.coded import Fact
from hornbook.matcher.program.errors import EngineError
from oracles.forger.theories import RandomBody, RandomRelation, TheoryMaker, loaded
from oracles.proofs.plain_truth import LIMITS, Promiseless

THINGS, NUMBERS = ("t1", "t2", "t3"), (0, 1, 2, 3)
ACTIONS = ((), ("thing",), ("thing",), ("thing", "thing"))


@dataclass
class ConstraintFindings:
    """Counts of attempts, and each violated constraint with its theory."""

    theories: int = 0
    proved: int = 0
    states: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, other: ConstraintFindings) -> None:
        self.theories += other.theories
        self.proved += other.proved
        self.states += other.states
        self.broken += other.broken


class KeyMaker(TheoryMaker):
    """A theory under construction, with relations that have keys and counts."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.observes, self.closed_sort, self.number, self.sorts = False, False, "int", ["thing"]

    def vocabulary(self) -> None:
        pair, add = ("thing", "thing"), self.relations.append
        add(RandomRelation("fluent", "m", pair))
        add(RandomRelation("fluent", "n", ("thing", "int"), 1, counts="m"))
        add(RandomRelation("fluent", "f", pair, self.random.choice((1, 1, 1, None))))
        add(RandomRelation("fluent", "g", pair))
        add(RandomRelation("fluent", "k", ("thing", "int"), 1))
        add(RandomRelation("fluent", "q", pair, 1))
        if self.chance(0.4):
            add(RandomRelation("static", "sm", pair))
            add(RandomRelation("static", "sn", ("thing", "int"), 1, counts="sm"))
        if self.chance(0.5):
            add(RandomRelation("derived", "d", pair, self.random.choice((1, 1, None))))
        if self.chance(0.5):
            add(RandomRelation("derived", "dm", pair))
            add(RandomRelation("derived", "dn", ("thing", "int"), 1, counts="dm"))
        add(RandomRelation("action", "act", self.random.choice(ACTIONS)))
        add(RandomRelation("game", "won", ()))

    def write(self) -> None:
        fluents, derived = self.of_kind("fluent"), self.of_kind("derived")
        for relation in derived:
            body = RandomBody(self)
            body.fill(
                self.random.choice((1, 1, 2)), [r for r in (*self.primitive(), *derived) if r is not relation]
            )
            self.rule(self.concluded(relation, body), body, "timeless rule")
        for relation in self.random.sample(fluents, self.random.choice((0, 0, 1, 2))):
            body = RandomBody(self, "before ")
            self.action_first(body)
            body.fill(self.random.choice((0, 1, 2)), [*self.primitive(), *derived])
            body.closed()
            self.rule(f"after {self.concluded(relation, body)}", body, "after-rule")
        for _ in range(self.random.choice((0, 1, 2, 2))):
            self.by_a_member()
        for relation in fluents:
            if relation.key is not None and relation.counts is None and self.chance(0.25):
                self.key_effect(relation)
            if relation.counts is not None and self.chance(0.5):
                self.count_effect(relation, self.named(relation.counts))

    def concluded(self, relation: RandomRelation, body: RandomBody) -> str:
        """Return a conclusion; one of its numbers may be one more or one less than another."""
        numbers = body.bound.get("int", [])
        if relation.columns[-1] != "int" or not numbers or self.chance(0.4):
            return body.head(relation)
        result = body.new("int")
        body.conditions.append(f"{result} = {self.random.choice(numbers)} {self.random.choice('+-')} 1")
        return f"{relation.name}({body.of('thing')}, {result})"

    def by_a_member(self) -> None:
        """Add a rule that concludes, for the key of a closed set, a value of one member if all members have a
        value.
        """
        pairs = [
            r for r in (*self.of_kind("fluent"), *self.of_kind("derived")) if r.columns == ("thing", "thing")
        ]
        pairs = [r for r in pairs if r.counts is None]
        head = self.random.choice([r for r in pairs if r.key is not None])
        word = (
            ""
            if head.kind == "derived" and self.chance(0.3)
            else self.random.choice(("before ", "before ", "after "))
        )
        counter = self.random.choice([r for r in self.relations if r.counts is not None])
        at = "" if counter.kind == "static" else word
        favourite = self.random.choice([r for r in pairs if r.key is not None and r is not head] or pairs)
        inner = []
        for _ in range(self.random.choice((1, 1, 2))):
            condition = favourite if self.chance(0.6) else self.random.choice(pairs)
            inner.append(
                f"{word}{condition.name}(?y, "
                f"{self.random.choice(('_', '_', '?v', '?x', '?u', '?own', 't1'))})"
            )
        value = favourite if self.chance(0.7) else self.random.choice(pairs)
        conditions = [
            f"{at}{counter.name}(?x, {self.random.choice(('_', '2', '1'))})",
            f"all ?y in {at}{counter.counts}(?x, ?y): ({', '.join(inner)})",
            f"{at}{counter.counts}(?x, ?u)",
            f"{word}{value.name}({self.random.choice(('?u', '?u', '?x'))}, ?v)",
        ]
        if word:
            action = self.named("act")
            shown = ", ".join("?x" if place == 0 else "_" for place in range(len(action.columns)))
            conditions.insert(0, f"act({shown})" if shown else "act")
        self.rules.append(f"{'after ' if word else ''}{head.name}(?x, ?v) :- {', '.join(conditions)}.")
        self.used["value of a member"] += 1


class Worlds:
    """The consequences of the states of one theory."""

    def __init__(self, theory: Theory, random: Random) -> None:
        self.theory, self.random, self.coding = theory, random, Coding(theory.vocabulary)
        self.predicates, self.counters = theory.vocabulary.predicates, counts_of(theory.vocabulary)
        self.rules = [coded for i, rule in enumerate(theory.rules) for coded in self.coding.rule(i, rule)]
        self.fixed = {self.coding.fact(ground_fact(s)) for s in theory.facts if self.is_static(s.relation)}

    def is_static(self, relation: str) -> bool:
        return self.predicates[relation].kind == "static"

    def action(self) -> Fact:
        act = self.predicates["act"]
        return self.coding.fact(GroundFact("act", tuple(self.random.choice(THINGS) for _ in act.columns)))

    def state(self) -> set[Fact]:
        """Return facts that satisfy the constraints of given predicates."""
        found: list[GroundFact] = []
        counted = {counter.name for counter in self.counters.values()}
        dense = self.random.choice((1, 2, 3, 4, 6))
        given = [
            p for p in self.predicates.values() if p.kind in ("static", "fluent") and p.name not in counted
        ]
        for predicate in given:
            rows: dict[tuple[str | int, ...], tuple[str | int, ...]] = {}
            for _ in range(self.random.randint(0, dense)):
                row = tuple(
                    self.random.choice(NUMBERS if c.name == "int" else THINGS[: self.random.choice((2, 3))])
                    for c in predicate.columns
                )
                rows.setdefault(row[: predicate.key], row)
            found += [GroundFact(predicate.name, row) for row in rows.values()]
            counter = self.counters.get(predicate.name)
            if counter is not None and counter.key is not None:
                for key in dict.fromkeys(((THINGS[0],), *(row[: counter.key] for row in rows.values()))):
                    members = sum(row[: counter.key] == key for row in rows.values())
                    if self.random.random() < 0.85:
                        more = self.random.choice((0, 0, 0, 0, 0, 0, 1, 2))
                        found.append(GroundFact(counter.name, (*key, members + more)))
        return {self.coding.fact(fact) for fact in found}

    def of(self, facts: Iterable[Fact]) -> set[Fact]:
        """Return all consequences. Raise EngineError if there are too many."""
        engine = Promiseless(self.coding.predicates, derivations="none", limits=LIMITS)
        engine.update(add=[*self.fixed, *facts], add_rules=self.rules)
        return {Fact(n, cells) for n in range(len(self.coding.predicates)) for cells in engine.facts(n)}

    def after(self, facts: Iterable[Fact]) -> set[Fact]:
        """Return the facts after the action as facts of the next state before its action."""
        ground = [self.coding.ground(fact) for fact in facts]
        return {
            self.coding.fact(fact._replace(tense=None))
            for fact in ground
            if fact.tense == "after" or (fact.relation in self.predicates and self.is_static(fact.relation))
        }

    def broken(self, facts: Iterable[Fact], places: Constraints) -> Iterator[str]:
        """Yield the constraints at these places that some facts violate."""
        rows: dict[tuple[str, str | None], list[tuple[int, ...]]] = {}
        for fact in facts:
            template = self.coding.relations[fact.predicate].template
            if isinstance(template, Atom):
                rows.setdefault((template.predicate, template.tense), []).append(fact.cells)
        for name, moment in sorted(places.keys, key=str):
            there = rows.get((name, moment), [])
            if len({row[: self.predicates[name].key] for row in there}) < len(there):
                yield f"the key of {name} {moment}"
        for name, moment in sorted(places.closed, key=str):
            counter = self.counters[name]
            members = [row[: counter.key] for row in rows.get((name, moment), ())]
            if any(members.count(row[:-1]) > row[-1] for row in rows.get((counter.name, moment), ())):
                yield f"the count of {name} {moment}"


def one(seed: str, states: int) -> ConstraintFindings:
    """Return the violations by one theory's states of the constraints proved for it."""
    random = Random(seed)
    maker = KeyMaker(random)
    maker.vocabulary()
    maker.write()
    try:
        theory = loaded(maker.files())
    except TheoryError:
        return ConstraintFindings()
    known, found = constraints(theory), ConstraintFindings(theories=1)
    if PROVED not in {*known.keys.values(), *known.counts.values()}:
        return found
    found.proved = 1
    worlds = Worlds(theory, random)
    given = Constraints(
        frozenset(p for p, why in known.keys.items() if why == GIVEN),
        frozenset(p for p, why in known.counts.items() if why == GIVEN),
    )
    for _ in range(states):
        state, action, other = worlds.state(), worlds.action(), worlds.action()
        if any(worlds.broken(state | worlds.fixed, given)):
            continue
        try:
            first = worlds.of({*state, action})
            second = worlds.of({*worlds.after(first), other})
        except EngineError:
            continue
        found.states += 1
        wrong = [*worlds.broken(first, known.given), *worlds.broken(second, known.reached)]
        if wrong:
            shown = ", ".join(str(worlds.coding.ground(fact)) for fact in (*sorted(state), action, other))
            found.broken.append(f"{seed}: {'; '.join(wrong)}\n{maker.files()[-1]}\n{shown}")
            return found
    return found
