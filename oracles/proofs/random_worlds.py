"""Small random theories whose worlds are all known: what is proved of them is held against every state.

There are two things, three fluents, words that rules conclude of them, and an action that changes some; every state with every action
is tried, so a rule is right exactly if it is so in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import product
from random import Random

from hornbook.kb.ast.terms import Atom, Comparison, Constant, Rule, Tense, Term, Variable, condition_variables
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
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

World = frozenset[tuple[str, Tense | None, tuple[str, ...]]]


class RandomWorlds:
    """A random theory, and all its worlds."""

    def __init__(self, random: Random) -> None:
        lines = ["theory some.", "sort thing.", "action act(thing)."]
        for name, arity in ARITIES.items():
            kind = "fluent" if name in FLUENTS else "derived"
            lines.append(f"{kind} {name}({', '.join(['thing'] * arity)}).")
        for place, word in enumerate(WORDS):
            below = (*FLUENTS, *WORDS[:place])
            for number in range(random.randint(1, 3)):
                body = self._body(below, random)
                lines.append(f"{word}{number}: {self._head(word, body, random)} :- {', '.join(body)}.")
        for number, change in enumerate(random.sample(CHANGES, random.randint(3, 6))):
            lines.append(f"change{number}: {change}")
        self.text = "\n".join(lines)
        self.theory = load_text(self.text, "some.horn")

    @staticmethod
    def _body(below: tuple[str, ...], random: Random) -> list[str]:
        names = random.choices(below, k=random.randint(1, 3))
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
        """A rule that may follow or not."""
        names = [*WORDS, *WORDS, *FLUENTS]
        body = self._body(tuple(names), random)
        head = self._head(random.choice(WORDS), body, random)
        tense = random.choice(("", "", "", "before ", "after "))
        body = [each if "!=" in each else f"{tense}{each}" for each in body]
        if tense == "after " and random.random() < 0.5:
            body = [each.replace("after", "before") if random.random() < 0.5 else each for each in body]
            body.append("act(?x)" if "?x" in "".join(body) else "act(?y)")
        (rule,) = parse(f"t: {tense}{head} :- {', '.join(body)}.").clauses
        assert isinstance(rule, Rule)
        return rule

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        return tuple(self._worlds())

    def _worlds(self) -> Iterator[World]:
        given = [(name, row) for name in FLUENTS for row in product(THINGS, repeat=ARITIES[name])]
        base = KnowledgeBase(self.theory)
        for chosen in product((False, True), repeat=len(given)):
            facts = [GroundFact(*fact) for fact, there in zip(given, chosen, strict=True) if there]
            for action in (None, *THINGS):
                base.push()
                acted = [] if action is None else [GroundFact("act", (action,))]
                base.add([*facts, *acted])
                yield frozenset(self._facts(base, action))
                base.pop()

    @staticmethod
    def _facts(
        base: KnowledgeBase, action: str | None
    ) -> Iterator[tuple[str, Tense | None, tuple[str, ...]]]:
        if action is not None:
            yield "act", None, (action,)
        for name in ARITIES:
            for moment in ("before", "after"):
                for statement in base.statements(name, moment):  # type: ignore[arg-type]
                    yield (
                        name,
                        moment,
                        tuple(str(t.value) for t in statement.terms if isinstance(t, Constant)),
                    )  # type: ignore[misc]

    def refutation(self, rule: Rule, *, reached: bool) -> World | None:
        """A world in which a rule is wrong, read before the action where it says no moment, or after it too."""
        names = sorted({v.name for c in (rule.head, *rule.body) for v in condition_variables(c)})
        moments: tuple[Tense, ...] = ("before", "after") if reached else ("before",)
        for world in self.worlds:
            for values in product(THINGS, repeat=len(names)):
                bound = dict(zip(names, values, strict=True))
                for moment in moments:
                    if all(_holds(c, bound, world, moment) for c in rule.body) and not _holds(
                        rule.head, bound, world, moment
                    ):
                        return world
        return None


def _holds(condition: object, bound: Mapping[str, str], world: World, moment: Tense) -> bool:
    def value(term: object) -> str:
        return bound[term.name] if isinstance(term, Variable) else str(term.value)  # type: ignore[attr-defined]

    if isinstance(condition, Comparison):
        left, right = condition.left, condition.right
        assert isinstance(left, Term)
        assert isinstance(right, Term)
        return (value(left) == value(right)) == (condition.operator == "=")
    assert isinstance(condition, Atom)
    at = None if condition.predicate == "act" else condition.tense or moment
    return (condition.predicate, at, tuple(map(value, condition.arguments))) in world


__all__ = ["RandomWorlds"]
