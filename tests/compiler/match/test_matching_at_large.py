"""Random test of the matcher: it concludes the same as the rules do when they run with the whole theory."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from hornbook.compiler.match.position import Conclusion, RuleMatcher, SharedRules
from hornbook.kb.ast.parts import part_of_fact
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules, raw_engine
from hornbook.kb.lower.coding import CodedRuleId
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.proofs.learned_rules import rule_of, theory_of

THINGS = ("a", "b", "c")
DECLARED = """
sort thing.
static edge(thing, thing). static good(thing). static rank(int). static walk(thing, thing) operational.
fluent on(thing). fluent by(thing, thing). fluent at(thing -> thing). fluent size(thing -> int).
fluent part(thing, thing). fluent parts(thing -> int) counts part.
fluent near(thing, thing) operational.
action act(thing). action hit(thing, thing).
derived one(thing) operational. derived two(thing, thing) operational. derived three(thing, thing) operational.
derived held(thing -> thing) operational. derived four(thing, thing) operational. derived big(thing, int) operational.
derived plain(thing, thing).
game win(thing). game lose(thing, thing).
good(a). edge(a, b). rank(1). rank(2).
"""
BIG = (
    "big(?t, ?k) :- rank(?k), size(?t, ?n), ?n >= ?k.",
    "big(?t, ?k) :- rank(?k), size(?t, _), all ?m in part(?t, ?m): (size(?m, ?n), ?n >= ?k).",
    """big(?t, ?k) :- rank(?k), size(?t, _), all ?m in part(?t, ?m):
        (parts(?m, ?n), ?l = count ?x in part(?m, ?x) but ?t, ?l + ?k * (?n - ?l) >= ?k).""",
)
CONCLUDED = (
    "walk(?x, ?y) :- edge(?x, ?y).",
    "walk(?x, ?z) :- edge(?x, ?y), walk(?y, ?z).",
    "near(?x, ?y) :- by(?y, ?x).",
)
"""Rules for predicates that are both given and derived."""
GIVEN = {"edge": 2, "good": 1, "on": 1, "by": 2, "at": 2, "part": 2, "walk": 2, "near": 2}
DERIVED = {"one": 1, "two": 2, "plain": 2, "three": 2, "held": 2, "four": 2}
"""Derived predicates and their arities. Each depends on earlier ones, and sometimes on itself."""

pytestmark = pytest.mark.deep


@dataclass
class Body:
    """A body under construction: its conditions and its bound variables."""

    random: Random
    tense: str = ""
    conditions: list[str] = field(default_factory=list)
    bound: list[str] = field(default_factory=list)

    def term(self) -> str:
        if self.bound and self.random.random() < 0.55:
            return self.random.choice(self.bound)
        if self.random.random() < 0.2:
            return self.random.choice((*THINGS, "_"))
        self.bound.append(f"?x{len(self.bound)}")
        return self.bound[-1]

    def statement(self, relations: dict[str, int]) -> str:
        name = self.random.choice(list(relations))
        word = "" if name in ("edge", "good", "walk") else self.tense
        return f"{word}{name}({', '.join(self.term() for _ in range(relations[name]))})"

    def more(self, derived: dict[str, int]) -> None:
        pool = GIVEN | derived if self.random.random() < 0.5 else derived or GIVEN
        kind = self.random.randrange(12)
        if kind == 0 and len(self.bound) > 1:
            one, other = self.random.sample(self.bound, 2)
            self.conditions.append(f"{one} {self.random.choice(('=', '!='))} {other}")
        elif kind == 1 and self.bound:
            self.closed(pool)
        elif kind == 2 and self.bound:
            self.conditions.append(
                f"{self.tense}size({self.random.choice(self.bound)}, {self.random.randint(0, 2)})"
            )
        elif kind == 3 and self.bound and derived:
            number = self.random.choice(("1", "2", "3"))
            self.conditions.append(f"{self.tense}big({self.random.choice(self.bound)}, {number})")
        elif kind == 4 and self.bound and not self.tense:
            self.conditions.append(f"win({self.random.choice(self.bound)}) is IG")
        else:
            self.conditions.append(self.statement(pool))

    def closed(self, pool: dict[str, int]) -> None:
        """Add a condition on all members of a closed set."""
        key = self.random.choice(self.bound)
        outside = list(self.bound)
        self.bound.append("?m")
        inner = [self.statement(pool) for _ in range(self.random.randint(1, 2))]
        self.bound = outside
        self.conditions.append(f"all ?m in {self.tense}part({key}, ?m): ({', '.join(inner)})")


def a_definition(random: Random, name: str, below: dict[str, int]) -> str:
    body = Body(random, tense="before " if random.random() < 0.15 else "")
    if random.random() < 0.1:
        below = below | {name: 2 if name != "one" else 1}
    for _ in range(random.randint(1, 3)):
        body.more(below)
    head = [
        random.choice((*body.bound, *body.bound, *THINGS[:1])) if body.bound else "a"
        for _ in range(DERIVED[name])
    ]
    return f"{body.tense}{name}({', '.join(head)}) :- {', '.join(body.conditions)}."


def a_theory(random: Random) -> str:
    rows = [DECLARED, random.choice(BIG)]
    if random.random() < 0.6:
        rows.append(f"big(?t, ?j) :- big(?t, ?k), rank(?j), ?j {random.choice('<<>')} ?k.")
    rows += [rule for rule in CONCLUDED if random.random() < 0.7]
    names = list(DERIVED)
    for place, name in enumerate(names):
        below = {each: DERIVED[each] for each in names[:place]}
        rows += [a_definition(random, name, below) for _ in range(random.choice((1, 1, 1, 2)))]
    if random.random() < 0.5:
        rows.append("win(?x) is IG :- good(?x), on(?x).")
    return "\n".join(rows)


def a_rule(random: Random, name: str) -> str:
    body = Body(random)
    for _ in range(random.randint(1, 4)):
        body.more(DERIVED)
    terms = [random.choice((*body.bound, "a")) for _ in range(3)]
    head = random.choice(
        (
            f"win({terms[0]}) by act({terms[1]}) is GI",
            f"win({terms[0]}) is IG",
            f"lose({terms[0]}, {terms[1]}) by hit({terms[2]}, {terms[0]}) is GI",
        )
    )
    return f"{name}: {head} :- {', '.join(body.conditions)}."


def a_state(random: Random) -> list[GroundFact]:
    facts = [GroundFact("on", (t,)) for t in THINGS if random.random() < 0.6]
    for name in ("by", "edge"):
        facts += [GroundFact(name, (s, t)) for s in THINGS for t in THINGS if random.random() < 0.5]
    facts += [GroundFact(name, ("a", "c")) for name in ("walk", "near") if random.random() < 0.3]
    for thing in THINGS:
        members = [m for m in THINGS if random.random() < 0.4]
        facts += [GroundFact("part", (thing, m)) for m in members]
        if random.random() < 0.8:
            facts.append(GroundFact("parts", (thing, len(members))))
        facts.append(GroundFact("at", (thing, random.choice(THINGS))))
        facts.append(GroundFact("size", (thing, random.randint(0, 3))))
    return facts


Message = set[tuple[str, GameStatement]]


def as_rules(theory: Theory, rules: list[Rule], facts: list[GroundFact]) -> Message:
    """Return the conclusions of the rules when they run with the theory."""
    base = KnowledgeBase(theory, derivations="all")
    add_proved_rules(base, rules)
    base.add(facts)
    names = {rule.name for rule in rules}
    return {
        (name, statement)
        for relation in base.relations()
        if isinstance(relation, GameStatement) and relation.tense == "before"
        for statement in base.engine.statements(relation.relation, "before")
        if isinstance(statement, GameStatement)
        for derivation in raw_engine(base).derivations(base.engine.coding.fact_of(statement))
        if isinstance(derivation.rule, CodedRuleId)
        and (name := base.rules[derivation.rule.index].name) in names
    }


def in_any_order(found: list[Conclusion]) -> list[tuple[str, ...]]:
    """Return the conclusions, sorted, with the bindings of the rule's own variables.

    Bindings from unfolded definitions are left out, since the engines may differ in them.
    """
    own = ({name: value for name, value in c.bindings.items() if "~" not in name} for c in found)
    return sorted(
        (c.rule, str(c.statement), str(sorted(bound.items()))) for c, bound in zip(found, own, strict=True)
    )


def games() -> list[Atom]:
    one = [Atom("win", (Constant(t),)) for t in THINGS]
    return [*one, *(Atom("lose", (Constant(s), Constant(t))) for s in THINGS for t in THINGS)]


def queried(found: Message, game: Atom) -> Message:
    return {(r, s) for r, s in found if (s.game.predicate, s.game.terms) == (game.predicate, game.terms)}


@pytest.mark.parametrize("seed", range(12))
def test_a_matcher_says_what_the_rules_say(seed):
    random = Random(seed)
    for _ in range(5):
        try:
            theory = theory_of(a_theory(random))
            text = [a_rule(random, f"r{number}") for number in range(4)]
            rules = [rule_of(each) for each in text]
            KnowledgeBase(theory).read_clauses("\n".join(text))
        except (TheoryError, KnowledgeBaseError):
            continue
        shared = SharedRules()
        matcher = RuleMatcher(theory, "good", shared=shared)
        for rule in rules:
            matcher.add(rule)
        for _ in range(3):
            facts = a_state(random)
            try:
                expected = as_rules(theory, rules, facts)
            except KnowledgeBaseError:
                continue  # two values for one key: not a state of the theory
            parts = [part_of_fact(fact) for fact in facts]
            story = "\n".join((*map(str, text), str(facts)))
            assert matcher.statements(parts, games()) == expected, story
            other = RuleMatcher(theory, "good", shared=shared)
            assert other.has_rules
            assert other.statements(parts, games()) == expected, story
            each = random.choice(games())
            found = matcher.conclusions(parts, [each])
            assert in_any_order(other.conclusions(parts, [each])) == in_any_order(found), story
            assert {(c.rule, c.statement) for c in found} == queried(expected, each), story
            for conclusion in found:
                (rule,) = [rule for rule in rules if rule.name == conclusion.rule]
                shown = {t.name for t in rule.head.terms if isinstance(t, Variable) and not t.is_wildcard}
                assert shown <= conclusion.bindings.keys(), story
            for value in (Constant("GI"), Constant("IG")):
                matches = matcher.matches(facts, each, value)
                assert {(m.rule, m.conclusion) for m in matches} == {
                    (r, s) for r, s in queried(expected, each) if s.value == value
                }, story


def test_the_random_rules_answer():
    random, answers, theories = Random(1), 0, 0
    for _ in range(60):
        try:
            theory = theory_of(a_theory(random))
            text = a_rule(random, "r")
            KnowledgeBase(theory).read_clauses(text)
        except (TheoryError, KnowledgeBaseError):
            continue
        theories += 1
        try:
            answers += bool(as_rules(theory, [rule_of(text)], a_state(random)))
        except KnowledgeBaseError:
            continue
    assert theories > 20, theories
    assert answers > 8, answers
