"""Random test of the checker: a rule with an accepted proof is not wrong on any state.

The learner makes only one kind of rule. Here bodies are random, and steps are random instances of the
theory's rules. Saturation confirms every conclusion that the checker accepts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.steps import is_timeless
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.witness.constraints import constraints
from hornbook.compiler.witness.context import SearchContext
from hornbook.compiler.witness.search import try_step
from hornbook.kb.ast.substitution import apply_to_statement, rename_rule, statement_at
from hornbook.kb.ast.terms import (
    Atom,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Term,
    Variable,
    shared_variables,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.check.theory_checks import check_rules
from hornbook.kb.format.printer import print_rule
from oracles.proofs.learned_rules import certificate_of, rule_of
from oracles.proofs.random_theories import TheoryBody, random_action, random_state, random_theory
from oracles.proofs.soundness_run import World, conclusions

ACTIONS = (("paint", "TC"), ("shift", "TT"))
ROUNDS = 3
"""Number of attempts to apply each rule of the theory to one body."""

pytestmark = pytest.mark.deep


def random_rule(random: Random, theory: Theory) -> Rule | None:
    """Return a rule with a random body and a placeholder head. A proof will give the real conclusion."""
    tense = random.choice(("", "before "))
    body = TheoryBody(random, tense)
    if tense:
        action, sorts = random.choice(ACTIONS)
        body.conditions.append(f"{action}({', '.join(body.term(sort) for sort in sorts)})")
    body.fill(random.randint(2, 5), ("one", "two", "tint"))
    if random.random() < 0.6:
        _add_set(body, random)
    if random.random() < 0.3:
        body.conditions.append(f"{body.of('T')} = {body.of('T')}")
    head = f"{tense}{body.head('on', 'T')}"
    if not tense and random.random() < 0.5:
        action, sorts = random.choice(ACTIONS)
        head = f"goal({body.of('T')}) by {action}({', '.join(body.of(sort) for sort in sorts)}) is GI"
    rule = rule_of(f"learned: {head} :- {body}.")
    wrong = [d for d in check_rules([rule], theory.vocabulary) if d.severity == "error"]
    # Steps give a value to every variable, so each variable needs a name.
    return (
        None if wrong else rename_rule(rule, lambda name: f"any{name[1:]}" if name.startswith("_") else name)
    )


def _add_set(body: TheoryBody, random: Random) -> None:
    """Add a closed set with members. There may be too few of them, and two members may be equal."""
    key, size = body.of("T"), random.choice((0, 1, 2, 2))
    members = []
    for _ in range(size + (random.random() < 0.2) - (random.random() < 0.1)):
        if not members or random.random() < 0.8:
            members.append(body.new("T"))
            body.bound["T"].append(members[-1])
    relation, counter = random.choice((("link", "links"), ("near", "nears")))
    tense = body.tense if relation == "link" else ""
    body.add(counter, [key, str(size)], tense)
    for member in members:
        body.add(relation, [key, member], tense)
        body.add(*random.choice((("on", [member]), ("colour", [member, "red"]), ("holds", [member, key]))))
    if len(members) > 1 and random.random() < 0.7:
        body.conditions.append(f"{members[0]} != {members[1]}")


def proofs(rule: Rule, theory: Theory, random: Random) -> Iterator[tuple[Statement, tuple[ProofStep, ...]]]:
    """Yield the conclusions that random steps draw from a body, each with the steps up to it."""
    relations = {name for name, p in theory.vocabulary.predicates.items() if not p.has_tense}
    context = SearchContext.of(rule, theory, relations, constraints(theory).given)
    steps: list[ProofStep] = []
    for source in random.sample(list(theory.rules) * ROUNDS, len(theory.rules) * ROUNDS):
        step = _instance(source, context, random)
        if try_step(step, source, context, one_moment=False).problem or context.congruence.conflict:
            continue
        steps.append(step)
        head = apply_to_statement(source.head, dict(step.substitution))
        yield (
            (head if step.moment is None else statement_at(head, step.moment, theory.vocabulary)),
            tuple(steps),
        )


def _instance(source: Rule, context: SearchContext, random: Random) -> ProofStep:
    """Return a step whose statements occur in the body if possible.

    An unbound variable gets a random value.
    """
    moment = random.choice(("before", "before", "after")) if is_timeless(source) else None
    given: dict[str, Term] = {}
    for condition in source.body:
        if isinstance(condition, Atom | GameStatement):
            pattern = [given.get(t.name) if isinstance(t, Variable) else t for t in condition.terms]
            at = context.moment_of(condition, moment)
            rows = list(context.congruence.rows(condition.relation, at, pattern))
            if rows:
                found = zip(condition.terms, random.choice(rows), strict=True)
                given |= {t.name: there for t, there in found if isinstance(t, Variable)}
    anything: list[Term] = [*map(Variable, sorted(context.fixed)), *map(Constant, range(3)), Constant("red")]
    names = sorted(shared_variables(source))
    return ProofStep(
        source.name, moment, tuple((name, given.get(name) or random.choice(anything)) for name in names)
    )


def accepted(rule: Rule, theory: Theory, random: Random) -> Iterator[Rule]:
    """Yield the rules with this body that the checker accepts."""
    for conclusion, steps in proofs(rule, theory, random):
        timeless = not any(isinstance(c, Atom) and c.tense for c in rule.body)
        head = conclusion
        if timeless and (isinstance(rule.head, GameStatement) or conclusion.tense != "after"):
            head = statement_at(conclusion, None, theory.vocabulary)
        proved = replace(rule, head=head)
        try:
            verify(proved, certificate_of(proved, steps, theory), theory)
        except RejectedError:
            continue
        if head not in rule.body:
            yield proved


@pytest.mark.parametrize("part", range(3))
def test_no_rule_that_the_checker_accepts_is_wrong_on_a_state(part: int) -> None:
    tally: Counter[str] = Counter()
    for number in range(5):
        random = Random(f"checker.{part}.{number}")
        theory = random_theory(random)
        world = World(theory)
        states = [(*random_state(random), random_action(random)) for _ in range(5)]
        bodies = (random_rule(random, theory) for _ in range(12))
        rules = {print_rule(a): a for body in bodies if body for a in accepted(body, theory, random)}
        tally["accepted"] += len(rules)
        for text, rule in rules.items():
            tally[f"{rule.head.tense} {rule.head.relation}"] += 1
            drawn = 0
            for state in states:
                for head, base, _ in conclusions(rule, state, world):
                    if base is not None:
                        drawn += 1
                        assert base.holds(head), f"{head} by\n{text}\nin {state} of\n{theory.sources}"
            found = find(rule, theory, tries=12)
            assert found is None, f"{text}\n{found}\nof {theory.sources}"
            tally["conclusions"] += drawn
            tally["firing"] += drawn > 0
    print(dict(tally))
    assert tally["accepted"] > 55
    assert tally["firing"] > 3
    assert tally["conclusions"] > 6
