"""Small random theories with all their worlds: proved rules are compared with every state.

There are two constants, three fluents, predicates that rules conclude from them, and an action that changes
some. Every state is tried with every action. So are states after actions, which also begin with the
conclusions from before. So a rule is right if and only if it is true in all worlds. `RandomSets` have counted
sets, rules with conditions on all members, and recursive predicates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import combinations, product
from random import Random

from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Rule,
    Tense,
    Term,
    Variable,
    outer_variables,
)
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse

THINGS = ("a", "b")
ARITIES = {"f": 1, "g": 1, "e": 2, "p": 1, "q": 2, "r": 1, "s": 1}
FLUENTS, WORDS = ("f", "g", "e"), ("p", "q", "r", "s")
CHANGES = (
    "after f(?x) :- act(?y), before f(?x), ?x != ?y.",
    "after f(?x) :- act(?x), before g(?x).",
    "after g(?x) :- act(_), before g(?x).",
    "after g(?x) :- act(?x).",
    "after e(?x, ?y) :- act(_), before e(?x, ?y).",
    "after e(?x, ?y) :- act(?x), before e(?y, ?x).",
    "after p(?x) :- act(?x), before g(?x).",
    "after r(?x) :- act(?y), before e(?x, ?y).",
)

SETS = {"m": "ms", "k": "ks"}
"""Sets with their counting predicates; the first set is given."""
OF_SETS = (
    (
        "derived k(thing, thing). derived ks(thing -> int) counts k. fluent m(thing, thing). fluent ms(thing "
        "-> int) counts m."
    ),
    "same_k: k(?x, ?y) :- m(?x, ?y).",
    "same_ks: ks(?x, ?n) :- ms(?x, ?n).",
    "m_stays: after m(?x, ?y) :- act(_), before m(?x, ?y).",
    "ms_stays: after ms(?x, ?n) :- act(_), before ms(?x, ?n).",
    "derived t(thing).",
    "t0: t(?x) :- g(?x), all ?w in m(?x, ?w): f(?w).",
    "t1: t(?x) :- g(?x), 1 = count ?w in m(?x, ?w) but ?x.",
    "derived u(thing).",
    "u0: u(?x) :- t(?x).",
    "u1: u(?x) :- m(?x, ?y), u(?y).",
    "f_stays: after f(?x) :- act(_), before f(?x).",
    "g_stays: after g(?x) :- act(_), before g(?x).",
)

CHANGED_SETS = (
    "m_stays: after m(?x, ?y) :- act(_), before m(?x, ?y).",
    "m_loses: after m(?x, ?y) :- act(?z), before m(?x, ?y), ?y != ?z.",
)
"""Rules for the members of the given set that an action keeps; each theory has one of them."""
COUNTS_OF_CHANGED_SETS = (
    "ms_stays: after ms(?x, ?n) :- act(_), before ms(?x, ?n).",
    "ms_grows: after ms(?x, ?n) :- act(_), before ms(?x, ?k), ?n = ?k + 1.",
    "ms_shrinks: after ms(?x, ?n) :- act(_), before ms(?x, ?k), ?n = ?k - 1.",
)
GAINS = "m_gains: after m(?x, ?z) :- act(?z), before ms(?x, _)."

MOST_REACHED = 300
"""The limit of states after actions."""

World = frozenset[tuple[str, Tense | None, tuple[str, ...]]]


class RandomWorlds:
    """A random theory, and all its worlds."""

    declarations: tuple[str, ...] = ()
    """The text that all such theories share."""

    def __init__(self, random: Random) -> None:
        lines = ["theory some.", "sort thing.", "action act(thing).", *self.declarations]
        for name, arity in ARITIES.items():
            kind = "fluent" if name in FLUENTS else "derived"
            lines.append(f"{kind} {name}({', '.join(['thing'] * arity)}).")
        for place, word in enumerate(WORDS):
            for number in range(random.randint(1, 3)):
                body = self.body(self.below(place), random)
                lines.append(f"{word}{number}: {self._head(word, body, random)} :- {', '.join(body)}.")
        for number, change in enumerate(random.sample(CHANGES, random.randint(3, 6))):
            lines.append(f"change{number}: {change}")
        self.text = "\n".join(lines)
        self.theory = load_text(self.text, "some.horn")

    def below(self, place: int) -> tuple[str, ...]:
        """Return the predicates that rules for one predicate may read."""
        return (*FLUENTS, *WORDS[:place])

    def body(self, words: tuple[str, ...], random: Random) -> list[str]:
        names = random.choices(words, k=random.randint(1, 3))
        body = [
            f"{name}({', '.join(random.choices(('?x', '?y', '?z')[:2], k=ARITIES[name]))})" for name in names
        ]
        if all("?x" in "".join(body) and mark in "".join(body) for mark in ("?y",)) and random.random() < 0.3:
            body.append("?x != ?y")
        return list(dict.fromkeys(body))

    @staticmethod
    def _head(word: str, body: list[str], random: Random) -> str:
        there = [name for name in ("?x", "?y") if name in "".join(body)]
        return f"{word}({', '.join(random.choices(there, k=ARITIES[word]))})"

    def rule(self, random: Random) -> Rule:
        """Return a rule that may be a consequence or not."""
        names = [*WORDS, *WORDS, *FLUENTS]
        body = self.body(tuple(names), random)
        head = self._head(random.choice(WORDS), body, random)
        tense = random.choice(("", "", "", "before ", "after "))
        body = [_read_at(each, tense) for each in body]
        if tense == "after " and random.random() < 0.5:
            body = [each.replace("after", "before") if random.random() < 0.5 else each for each in body]
            body.append("act(?x)" if "?x" in "".join(body) else "act(?y)")
        (rule,) = parse(f"t: {tense}{head} :- {', '.join(body)}.").clauses
        assert isinstance(rule, Rule)
        return rule

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """Return the worlds of given states, with each action and with none."""
        return tuple(world for facts in self.states() for world in self._worlds_of(facts))

    @cached_property
    def reached_worlds(self) -> tuple[World, ...]:
        """Return the worlds of states after actions.

        Each begins with all facts after the action of its predecessor.
        """
        found: dict[frozenset[GroundFact], tuple[World, ...]] = {}
        waiting = list(map(_left_by, self.worlds))
        while waiting and len(found) < MOST_REACHED:
            base = waiting.pop()
            if base not in found:
                found[base] = tuple(self._worlds_of(base))
                waiting += map(_left_by, found[base])
        return tuple(world for worlds in found.values() for world in worlds)

    def states(self) -> Iterator[list[GroundFact]]:
        """Yield all sets of given facts."""
        given = [(name, row) for name in FLUENTS for row in product(THINGS, repeat=ARITIES[name])]
        for chosen in product((False, True), repeat=len(given)):
            yield [GroundFact(*fact) for fact, there in zip(given, chosen, strict=True) if there]

    @cached_property
    def _base(self) -> KnowledgeBase:
        return KnowledgeBase(self.theory)

    def _worlds_of(self, facts: Collection[GroundFact]) -> Iterator[World]:
        """Yield the worlds that begin with these facts."""
        for action in (None, *THINGS):
            self._base.push()
            acted = [] if action is None else [GroundFact("act", (action,))]
            try:
                self._base.add([*facts, *acted], assume={fact.relation for fact in facts})
                yield frozenset(self._facts(self._base, action))
            except KnowledgeBaseError:  # a set would have more members than its count states
                pass
            self._base.pop()

    def _facts(
        self, base: KnowledgeBase, action: str | None
    ) -> Iterator[tuple[str, Tense | None, tuple[str, ...]]]:
        if action is not None:
            yield "act", None, (action,)
        for name in (p.name for p in self.theory.vocabulary.predicates.values() if p.has_tense):
            for moment in ("before", "after"):
                for statement in base.engine.statements(name, moment):  # type: ignore[arg-type]
                    yield (
                        name,
                        moment,
                        tuple(str(t.value) for t in statement.terms if isinstance(t, Constant)),
                    )  # type: ignore[misc]

    def refutation(self, rule: Rule, *, reached: bool) -> World | None:
        """Return a world in which a rule is wrong.

        With `reached`, all worlds count, and the rule is also read after the action. Otherwise, only given
        states count, and a rule without a moment is read before the action.
        """
        names = sorted({v.name for v in outer_variables((rule.head, *rule.body))})
        moments: tuple[Tense, ...] = ("before", "after") if reached else ("before",)
        for world in (*self.worlds, *self.reached_worlds) if reached else self.worlds:
            for values in product(THINGS, repeat=len(names)):
                bound = dict(zip(names, values, strict=True))
                for moment in moments:
                    if all(_holds(c, bound, world, moment) for c in rule.body) and not _holds(
                        rule.head, bound, world, moment
                    ):
                        return world
        return None


class RandomSets(RandomWorlds):
    """A random theory with closed sets, which may have more members than a state states, and with recursive
    predicates.
    """

    declarations = OF_SETS

    def below(self, place: int) -> tuple[str, ...]:
        return (*FLUENTS[:2], *WORDS[: place + 1])

    def body(self, words: tuple[str, ...], random: Random) -> list[str]:
        body = super().body(words, random)
        variable = "?x" if "?x" in "".join(body) else "?y"
        if random.random() < 0.6:
            name, of = random.choice(tuple(SETS)), random.choice(tuple(w for w in words if ARITIES[w] == 1))
            body.append(f"all ?w in {name}({variable}, ?w): {of}(?w)")
        if random.random() < 0.3:
            name = random.choice(tuple(SETS))
            body.append(f"{random.randint(0, 1)} = count ?w in {name}({variable}, ?w) but {variable}")
        return body

    def rule(self, random: Random) -> Rule:
        """Return a rule; most rules state that a fact persists, or that one predicate implies another."""
        if random.random() < 0.2:
            return super().rule(random)
        words = ("t", "u", "u", "p", "r", "s")
        one = random.choice(words)
        other = one if random.random() < 0.6 else random.choice(words)
        more = random.sample(("g(?x)", "f(?x)", "g(?y)", "f(?y)", "p(?x)"), random.choice((0, 0, 1, 2)))
        body = [f"{other}(?x)", *more]
        if random.random() < 0.7:
            head, body = f"after {one}(?x)", ["act(?y)", *(f"before {each}" for each in body)]
        else:
            head = f"{one}(?x)"
        (rule,) = parse(f"t: {head} :- {', '.join(body)}.").clauses
        assert isinstance(rule, Rule)
        return rule

    def states(self) -> Iterator[list[GroundFact]]:
        given = [(name, row) for name in FLUENTS[:2] for row in product(THINGS, repeat=ARITIES[name])]
        given += [("m", row) for row in product(THINGS, repeat=2)]
        for *chosen, more in product((False, True), repeat=len(given) + 1):
            facts = [GroundFact(*fact) for fact, there in zip(given, chosen, strict=True) if there]
            sizes = {x: sum(f.relation == "m" and f.values[0] == x for f in facts) for x in THINGS}
            yield [*facts, *(GroundFact("ms", (x, n + (more and x == "a"))) for x, n in sizes.items())]


class RandomSetChanges(RandomSets):
    """A random theory whose action may add a member to each closed set, remove one, or both."""

    def __init__(self, random: Random) -> None:
        loses, gains = random.choice(((False, True), (True, False), (True, True)))
        right = "ms_stays" if loses and gains else "ms_shrinks" if loses else "ms_grows"
        count = random.choice(
            [each for each in COUNTS_OF_CHANGED_SETS if each.startswith(right) or random.random() < 0.15]
        )
        kept = CHANGED_SETS[loses]
        self.declarations = tuple(
            {"m_stays": kept, "ms_stays": count}.get(clause.partition(":")[0], clause) for clause in OF_SETS
        )
        self.declarations += (GAINS,) * gains
        super().__init__(random)

    def rule(self, random: Random) -> Rule:
        """Return a rule about a set of known size after the action, with random conditions on it."""
        size = random.randint(0, 2)
        body = ["act(?y)", "before g(?x)", f"before ms(?x, {size})"]
        more = ("before m(?x, ?y)", "before f(?y)", "before g(?y)")
        body += [each for each in more if random.random() < 0.6]
        inside = ["before f(?w)", *(["?w != ?y"] if random.random() < 0.6 else [])]
        body.append(f"all ?w in before m(?x, ?w): ({', '.join(inside)})")
        (rule,) = parse(f"t: after t(?x) :- {', '.join(body)}.").clauses
        assert isinstance(rule, Rule)
        return rule


def _left_by(world: World) -> frozenset[GroundFact]:
    """Return the facts that a world leaves to the state after its action."""
    after = ((name, row) for name, moment, row in world if moment == "after")
    return frozenset(
        GroundFact(name, tuple(int(c) if c.isdigit() else c for c in row)) for name, row in after
    )


def _read_at(condition: str, tense: str) -> str:
    """Return a condition as text, with a tense word before each statement in it."""
    return re.sub(r"\b([a-z]+)\(", rf"{tense}\1(", condition)


def _holds(condition: Condition, bound: Mapping[str, str], world: World, moment: Tense) -> bool:
    def value(term: object) -> str:
        return bound[term.name] if isinstance(term, Variable) else str(term.value)  # type: ignore[attr-defined]

    def rows(member: Atom) -> list[str]:
        """Return the members of a set with one column besides its key."""
        key = tuple(map(value, member.arguments[:-1]))
        at = member.tense or moment
        return [row[-1] for name, then, row in world if (name, then, row[:-1]) == (member.predicate, at, key)]

    def sizes(member: Atom) -> list[int]:
        counter = Atom(SETS[member.predicate], member.arguments, member.tense)
        return [int(size) for size in rows(counter)]

    match condition:
        case Comparison(operator, left, right):
            assert isinstance(left, Term)
            assert isinstance(right, Term)
            return (value(left) == value(right)) == (operator == "=")
        case All((variable,), member, conditions):
            names = {v.name for v in outer_variables(conditions)} - bound.keys() - {variable.name}
            own = [dict(zip(names, values, strict=True)) for values in product(THINGS, repeat=len(names))]
            good = [
                row
                for row in rows(member)
                if any(
                    all(_holds(c, {**bound, **more, variable.name: row}, world, moment) for c in conditions)
                    for more in own
                )
            ]
            return any(len(good) >= size for size in sizes(member))
        case CountIn(Constant(result), _, (member,), excluded):
            members = rows(member)
            left_out = {value(term) for term in excluded}
            # Any subset of this size suffices: there may be more members than the count.
            return any(
                len(set(chosen) - left_out) == result
                for size in sizes(member)
                for chosen in combinations(members, size)
            )
    assert isinstance(condition, Atom)
    at = None if condition.predicate == "act" else condition.tense or moment
    return (condition.predicate, at, tuple(map(value, condition.arguments))) in world


__all__ = ["RandomSetChanges", "RandomSets", "RandomWorlds"]
