"""Comparison of learned rules with saturation: each conclusion of a rule must be a conclusion of the theory
itself.

Rules are learned on random theories and evaluated on random states. A rule without tense words is read at
both moments, unless it reads predicates that are complete in given states only. If its head names an action,
the conclusion is the effect of that action. It is then compared with the saturation of the state with that
action. If the rule is read after an action, it is compared with the saturation of the next state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, proofs
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_statement, at_moment, statement_at
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_rule
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import ArithmeticOverflowError, LimitError
from oracles.proofs.random_theories import random_action, random_state, random_theory
from oracles.sums import Sums

RULES_PER_EXAMPLE = 8
CONCLUSIONS_PER_STATE = 200
"""The limit of conclusions of one rule in one state."""
LIMITS = Limits(facts=20_000, seconds=10.0)

Facts = tuple[GroundFact, ...]


@dataclass
class SoundnessTally(Sums):
    """The results of a run."""

    theories: int = 0
    learned: int = 0
    with_absences: int = 0
    """Rules with absences or aggregates."""
    of_incomplete: int = 0
    """Proofs that depend on absence from an incomplete relation; these give no rule."""
    firing: int = 0
    """Rules with a conclusion in a state other than their own example."""
    firings: int = 0
    """Their conclusions there."""
    as_lemmas: int = 0
    """Number of these conclusions read after an action."""
    silent: int = 0
    """Rules that do not reproduce the conclusion of their example."""
    unfinished: int = 0
    """Number of evaluations that exceeded the engine's limits."""
    relations: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        refused = sum(self.refused.values())
        return (
            f"{self.theories} theories, {self.learned} rules learned ({refused} proofs gave none; "
            f"{self.with_absences} with absences or sums, {self.of_incomplete} proofs of "
            f"what is not complete), "
            f"{self.firing} fired on"
            f" other states: {self.firings} conclusions there ({self.as_lemmas} after an action), "
            f"{len(self.wrong)} wrong"
        )


class World:
    """A theory with its conclusions about states, each saturated once."""

    def __init__(self, theory: Theory, *, all_proofs: bool = False) -> None:
        self.theory = theory
        self.all_proofs = all_proofs
        self.unfinished = 0
        self._bases: dict[Facts, KnowledgeBase | None] = {}

    def saturated(self, facts: Facts) -> KnowledgeBase | None:
        """Return the consequences of a state, or None if it contradicts the theory's declarations."""
        if facts not in self._bases:
            base = KnowledgeBase(self.theory, derivations="all" if self.all_proofs else "one", limits=LIMITS)
            try:
                base.add(facts, assume={fact.relation for fact in facts})
            except KnowledgeBaseError:
                self._bases[facts] = None
            else:
                self._bases[facts] = base
        return self._bases[facts]

    def after(self, facts: Facts) -> Facts:
        """Return the state after an action, as far as the theory determines it, without a further action."""
        base = self.saturated(facts)
        assert base is not None
        predicates = self.theory.vocabulary.predicates
        fixed = (f for f in facts if predicates[f.relation].kind == "static")
        changed = (
            ground_fact(statement_at(statement, None, self.theory.vocabulary))
            for name, predicate in predicates.items()
            if predicate.kind in ("fluent", "derived")
            for statement in base.engine.statements(name, "after")
        )
        return (*fixed, *changed)


def run(
    seed: int,
    theories: int,
    *,
    examples: int = 2,
    others: int = 6,
    most_proofs: int = 1,
    complete: bool = False,
) -> SoundnessTally:
    """Learn on `theories` theories.

    With `most_proofs` above 1, learn from several proofs of each conclusion; with `complete`, use theories
    with absences.
    """
    total = SoundnessTally()
    for number in range(theories):
        random = Random(f"{seed}.{number}")
        theory = random_theory(random, complete=complete)
        total.add(try_theory(theory, random, examples=examples, others=others, most_proofs=most_proofs))
    return total


def try_theory(
    theory: Theory, random: Random, *, examples: int, others: int, most_proofs: int = 1
) -> SoundnessTally:
    tally = SoundnessTally(theories=1)
    world = World(theory, all_proofs=most_proofs > 1)
    states = [(tuple(random_state(random)), random_action(random)) for _ in range(examples + others)]
    seen: set[str] = set()
    for number in range(examples):
        facts, action = states[number]
        base = world.saturated((*facts, action))
        if base is None:
            continue
        for explanation in _explanations(base, random, most_proofs):
            goal = explanation.goal
            learned = learn(explanation, theory, "learned")
            if not isinstance(learned, ProvedExample):
                if "rests on an absence" in learned.reason:
                    tally.of_incomplete += 1
                else:
                    tally.refused[learned.reason] += 1
                continue
            text = print_rule(learned.rule)
            if text in seen or not learned.rule.body:
                continue
            seen.add(text)
            tally.learned += 1
            tally.relations[f"{goal.tense} {goal.relation}"] += 1
            rule = read_where_right(learned.rule, learned.certificate)
            tally.with_absences += asks_what_is_complete(rule.body)
            tally.silent += not _concludes(rule, goal, (*facts, action), world)
            _hold(rule, [s for place, s in enumerate(states) if place != number], world, tally)
    tally.unfinished = world.unfinished
    return tally


def asks_what_is_complete(conditions: Iterable[t.Condition]) -> bool:
    """Return whether conditions contain an absence or aggregate, also in closed sets."""
    return any(
        isinstance(c, t.Absent | t.Aggregate)
        or (isinstance(c, t.All) and asks_what_is_complete(c.conditions))
        for c in conditions
    )


def read_where_right(rule: t.Rule, certificate: Certificate) -> t.Rule:
    """Return a rule for given states alone if it reads predicates that are complete only there.

    Otherwise the rule itself.
    """
    return replace(rule, of_given=not certificate.reached and asks_what_is_complete(rule.body))


def _explanations(base: KnowledgeBase, random: Random, most_proofs: int) -> Iterator[Explanation]:
    for goal in _goals(base, random):
        if most_proofs > 1:
            yield from proofs(base, goal, most_proofs)
        else:
            yield explanation_of(base, goal)


def _goals(base: KnowledgeBase, random: Random) -> list[t.Statement]:
    """Return some derived statements, of as many relations as possible."""
    found = []
    for relation in base.relations():
        derived = [
            statement
            for statement in base.engine.statements(relation.relation, relation.tense)
            if raw_engine(base).derivation(base.engine.coding.fact_of(statement)) is not None
        ]
        found += random.sample(derived, min(2, len(derived)))
    return random.sample(found, min(RULES_PER_EXAMPLE, len(found)))


def _concludes(rule: t.Rule, goal: t.Statement, facts: Facts, world: World) -> bool:
    """Return whether a rule reproduces the conclusion that it was learned from; for games, at any moment."""
    vocabulary = world.theory.vocabulary
    unfinished = world.unfinished
    found = {statement_at(head, None, vocabulary) for head, _, _ in conclusions(rule, facts, world)}
    return statement_at(goal, None, vocabulary) in found or world.unfinished > unfinished


def _hold(rule: t.Rule, states: list[tuple[Facts, GroundFact]], world: World, tally: SoundnessTally) -> None:
    fired = False
    for facts, action in states:
        for head, base, moment in conclusions(rule, (*facts, action), world):
            if base is None:
                continue
            fired = True
            tally.firings += 1
            tally.as_lemmas += moment == "after" and head.tense == "before"
            if not base.holds(head):
                tally.wrong.append(
                    f"{head} by\n{print_rule(rule)}\nof {facts} {action} in\n{world.theory.sources}"
                )
    tally.firing += fired


def conclusions(
    rule: t.Rule, facts: Facts, world: World
) -> Iterator[tuple[t.Statement, KnowledgeBase | None, t.Tense]]:
    """Yield a rule's conclusions from a state and an action.

    Each comes with the saturation that should contain it, and with the moment at which the rule was read.
    """
    base = world.saturated(facts)
    if base is None:
        return
    vocabulary = world.theory.vocabulary
    timeless = not any(s.tense for s in (rule.head, *t.statements(rule.body)))
    moments: tuple[t.Tense, ...] = ("before", "after") if timeless and not rule.of_given else ("before",)
    for moment in moments:
        body = tuple(at_moment(c, moment, vocabulary) for c in rule.body) if timeless else rule.body
        for head in heads(rule, body, base, world):
            if not (timeless and isinstance(head, t.GameStatement) and head.by is not None):
                read = statement_at(head, moment, vocabulary) if timeless else head
                yield read, base, moment
                continue
            start = world.after(facts) if moment == "after" else _without_action(facts, world)
            yield (
                statement_at(head, "before", vocabulary),
                world.saturated((*start, ground_fact(head.by))),
                moment,
            )


def heads(
    rule: t.Rule, body: tuple[t.Condition, ...], base: KnowledgeBase, world: World
) -> Iterator[t.Statement]:
    """Yield the rule's head for every binding that satisfies the body, each once."""
    coding = base.engine.coding
    coded = coding.query(body)
    named = {term.name for term in rule.head.terms if isinstance(term, t.Variable)}
    chosen = [c for c in zip(coded.names, coded.variables, coded.kinds, strict=True) if c[0] in named]
    try:
        rows = raw_engine(base).query(coded.conditions, [variable for _, variable, _ in chosen])
    except ArithmeticOverflowError:  # the rule has no conclusion then
        return
    except LimitError:
        world.unfinished += 1
        return
    for row in rows[:CONCLUSIONS_PER_STATE]:
        values = (
            t.Constant(coding.value(cell, kind)) for cell, (_, _, kind) in zip(row, chosen, strict=True)
        )
        yield apply_to_statement(rule.head, dict(zip((name for name, _, _ in chosen), values, strict=True)))


def _without_action(facts: Facts, world: World) -> Facts:
    predicates = world.theory.vocabulary.predicates
    return tuple(f for f in facts if predicates[f.relation].kind != "action")
