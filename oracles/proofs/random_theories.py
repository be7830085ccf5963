"""Random theories with transitions, and random states of them, for tests of the learner.

A theory has statics, keyed fluents, a closed set with its count, derived predicates (some recursive), one or
two actions, transition rules and a game whose value is regressed through an action. With `complete`, some
relations are complete, and rules have absences and aggregates of them. All follow from a `random.Random` and
are written as readable text. A state has few constants, so that rules learned from one state fire on others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.sources.diagnostics import TheoryError

COLOURS = ("red", "green", "blue")
THINGS = ("t1", "t2", "t3", "t4", "t5")
GREATEST_NUMBER = 3

DECLARED = """
sort thing. sort colour = red | green | blue.
static near(thing, thing). static nears(thing -> int) counts near.
static kind(thing -> colour). static rank(thing -> int). static next(thing -> thing).
fluent on(thing). fluent colour(thing -> colour). fluent level(thing -> int).
fluent link(thing, thing). fluent links(thing -> int) counts link. fluent holds(thing, thing).
action paint(thing, colour). action shift(thing, thing).
derived one(thing). derived two(thing, thing). derived tint(thing, colour). derived size(thing, int).
derived reach(thing, thing). derived last(thing).
game goal(thing).
"""

STATIC = {"near": "TT", "kind": "TC", "rank": "TN", "next": "TT"}
FLUENT = {"on": "T", "colour": "TC", "level": "TN", "link": "TT", "holds": "TT"}
DERIVED = {"one": "T", "two": "TT", "tint": "TC", "size": "TN", "reach": "TT", "last": "T"}
"""Derived predicates; each depends on earlier ones, `reach` and `last` also on themselves."""
RECURSIVE = ("reach", "last")
COMPLETE = ("kind", "rank", "on", "holds")
"""Complete relations; a fluent is completely known only before the action."""


@dataclass
class TheoryBody:
    """A body under construction: conditions, and the variables that its statements bind, by sort."""

    random: Random
    tense: str = ""
    conditions: list[str] = field(default_factory=list)
    bound: dict[str, list[str]] = field(default_factory=lambda: {"T": [], "C": [], "N": []})
    made: int = 0
    complete: bool = False
    """Whether some relations are complete, so that absences and aggregates are possible."""

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def new(self, sort: str) -> str:
        self.made += 1
        return f"?{ {'T': 'x', 'C': 'c', 'N': 'n'}[sort] }{self.made}"

    def term(self, sort: str) -> str:
        """Return a term of a sort for a statement, which binds it if it is a variable."""
        known = self.bound[sort]
        if known and self.chance(0.65):
            return self.random.choice(known)
        if self.chance(0.08):
            return "_"
        if self.chance(0.12):
            return {
                "T": self.random.choice(THINGS[:2]),
                "C": self.random.choice(COLOURS),
                "N": str(self.random.randint(0, 2)),
            }[sort]
        variable = self.new(sort)
        known.append(variable)
        return variable

    def of(self, sort: str) -> str:
        """Return a bound variable of a sort; if there is none, add a statement that binds one."""
        if not self.bound[sort]:
            relation = {"T": "on", "C": "colour", "N": "level"}[sort]
            terms = [self.new(s) for s in FLUENT[relation]]
            for s, term in zip(FLUENT[relation], terms, strict=True):
                self.bound[s].append(term)
            self.add(relation, terms)
        return self.random.choice(self.bound[sort])

    def add(self, relation: str, terms: list[str], tense: str | None = None) -> None:
        word = "" if relation in STATIC else (self.tense if tense is None else tense)
        self.conditions.append(f"{word}{relation}({', '.join(terms)})")

    def statement(self, derived: tuple[str, ...] = ()) -> None:
        pool = [*STATIC, *FLUENT, *FLUENT, *derived, *derived]
        relation = self.random.choice(pool)
        sorts = STATIC.get(relation) or FLUENT.get(relation) or DERIVED[relation]
        self.add(relation, [self.term(sort) for sort in sorts])

    def comparison(self) -> None:
        kind = self.random.choice("TTCNNN")
        one, other = self.of(kind), self.of(kind)
        number = self.random.randint(0, GREATEST_NUMBER)
        if kind != "N":
            apart = self.random.choice(COLOURS) if kind == "C" and self.chance(0.5) else other
            if apart != one:
                self.conditions.append(f"{one} {'=' if self.chance(0.12) else '!='} {apart}")
            return
        operator = self.random.choice(("<", "<=", ">", ">=", "!=", "="))
        left = self.random.choice(
            (
                one,
                one,
                f"{one} + 1",
                f"{one} * 2",
                f"min({one}, 2)",
                f"max({one}, {other})",
                f"{one} // 2",
                f"{one} - {other}",
            )
        )
        right = self.random.choice((str(number), other, f"{other} + 1"))
        if one != other or right == str(number):
            self.conditions.append(f"{left} {operator} {right}")

    def computed(self) -> str:
        """Return a new number."""
        variable, one = self.new("N"), self.of("N")
        self.conditions.append(
            f"{variable} = {self.random.choice((f'{one} + 1', f'{one} - 1', f'max({one}, 1)', f'{one} * 2'))}"
        )
        return variable

    def closed(self) -> None:
        """Add a condition on all members of a set, or on their number."""
        key, member = self.of("T"), self.new("T")
        relation, tense = self.random.choice((("link", self.tense), ("near", "")))
        atom = f"{tense}{relation}({key}, {member})"
        if self.chance(0.3):
            count = self.new("N")
            other = f"{self.random.choice((self.tense + 'link', 'near'))}({self.of('T')}, {member})"
            sets = f"({atom} or {other})" if self.chance(0.5) else atom
            but = f" but {self.of('T')}" if self.chance(0.4) else ""
            self.conditions.append(f"{count} = count {member} in {sets}{but}")
            self.conditions.append(
                f"{count} {self.random.choice(('>', '<', '=', '!='))} {self.random.randint(0, 2)}"
            )
            return
        self.conditions.append(f"all {member} in {atom}: ({', '.join(self._inside(member))})")

    def summary(self, derived: tuple[str, ...] = ()) -> None:
        """Add an absence or aggregate of complete relations."""
        if self.chance(0.6):
            self.conditions.append(f"absent {self._absent(derived)}")
            return
        number, one, other = self.new("N"), self.new("T"), self.new("T")
        if self.chance(0.4):
            colour = self.new("C")
            self.conditions.append(f"{number} = count {one} by {colour} where kind({one}, {colour})")
            self.bound["C"].append(colour)
        else:
            amount, word = self.new("N"), self.tense
            ways = [
                f"sum {amount} where rank({one}, {amount})",
                f"max {amount} where (kind({one}, {self.of('C')}), rank({one}, {amount}))",
            ]
            if word:
                ways += [
                    f"count {one} where {word}holds({self.of('T')}, {one})",
                    f"count {one}, {other} where {word}holds({one}, {other})",
                    f"min {amount} where ({word}holds({self.of('T')}, {one}), rank({one}, {amount}))",
                    f"sum {amount} where (rank({one}, {amount}), absent {word}on({one}))",
                ]
            self.conditions.append(f"{number} = {self.random.choice(ways)}")
        self.bound["N"].append(number)
        if self.chance(0.7):
            self.conditions.append(
                f"{number} {self.random.choice(('>', '<', '=', '!='))} {self.random.randint(0, 3)}"
            )

    def _absent(self, derived: tuple[str, ...]) -> str:
        word, one, other = self.tense, self.new("T"), self.new("T")
        ways = [
            f"kind({self.of('T')}, {self.random.choice(COLOURS)})",
            f"(kind({one}, {self.of('C')}), {one} != {self.of('T')})",
            f"(rank({self.of('T')}, {self.new('N')}), rank({one}, ?m), ?m > {self.random.randint(0, 2)})",
        ]
        if word:
            ways += [
                f"{word}on({self.of('T')})",
                f"{word}holds({self.of('T')}, _)",
                f"{word}holds({self.of('T')}, {self.of('T')})",
                f"({word}holds({self.of('T')}, {one}), {word}on({one}))",
                f"({word}holds({one}, {self.of('T')}), absent {word}holds({one}, {other}))",
                f"({word}holds({self.of('T')}, {one}), kind({one}, {self.of('C')}), absent {word}on({one}))",
            ]
        if derived and self.chance(0.3):
            name = self.random.choice(derived)
            terms = [self.random.choice((self.of(sort), "_")) for sort in DERIVED[name]]
            ways = [f"{word}{name}({', '.join(terms)})"]
        return self.random.choice(ways)

    def _inside(self, member: str) -> list[str]:
        local, shared = self.new("T"), self.of("T")
        colour, number = self.new("C"), self.new("N")
        return self.random.choice(
            (
                [f"{self.tense}on({member})"],
                [f"{self.tense}colour({member}, {colour})", f"{colour} != {self.random.choice(COLOURS)}"],
                [f"{self.tense}level({member}, {number})", f"{number} > {self.random.randint(0, 1)}"],
                [f"near({member}, {local})", f"{self.tense}on({local})"],
                [f"{self.tense}holds({member}, {shared})"],
                [f"{member} != {shared}"],
                [f"kind({member}, {colour})", f"{self.tense}colour({shared}, {colour})"],
                [f"{self.tense}one({member})"],
            )
        )

    def fill(self, size: int, derived: tuple[str, ...] = ()) -> None:
        for _ in range(size):
            self.statement(derived)
        while self.chance(0.4):
            self.comparison()
        if self.chance(0.3):
            self.closed()
        if self.complete and self.chance(0.3):
            self.summary(derived)

    def head(self, relation: str, sorts: str) -> str:
        return f"{relation}({', '.join(self.of(sort) for sort in sorts)})"

    def __str__(self) -> str:
        return ", ".join(dict.fromkeys(self.conditions))


def theory_text(random: Random, *, complete: bool = False) -> str:
    rules = [*_derived(random, complete), *_transitions(random, complete), *_game(random, complete)]
    labelled = (f"r{number}: {rule}." for number, rule in enumerate(rules))
    declared = DECLARED
    for name in COMPLETE if complete else ():
        declared = re.sub(rf"( {name}\([^)]*\))\.", r"\1 complete.", declared)
    return "\n".join(("theory made.", declared, *labelled))


def _derived(random: Random, complete: bool) -> list[str]:
    rules = []
    names = tuple(DERIVED)
    for place, name in enumerate(names):
        for number in range(random.choice((1, 2, 2))):
            body = TheoryBody(random, complete=complete)
            if complete:  # a fluent is completely known before the action
                body.tense = random.choice(("", "before "))
            lower = names[:place]
            body.fill(random.randint(1, 3), lower)
            if name in RECURSIVE and number:
                shared = body.of("T")
                body.add(name, [shared, body.term("T")] if DERIVED[name] == "TT" else [shared])
            if DERIVED[name] == "TN" and random.random() < 0.6:
                head = f"{name}({body.of('T')}, {body.computed()})"
            else:
                head = body.head(name, DERIVED[name])
            rules.append(f"{body.tense}{head} :- {body}")
    return rules


def _transitions(random: Random, complete: bool) -> list[str]:
    """Return the effects of an action on each fluent, and the frames.

    Keys and counts are mostly consistent.
    """
    before = "before "
    rules = [
        "after colour(?x, ?c) :- paint(?x, ?c)",
        "after colour(?x, ?c) :- paint(?y, _), before colour(?x, ?c), ?x != ?y",
        "after colour(?x, ?c) :- shift(_, _), before colour(?x, ?c)",
        "after level(?x, ?n) :- paint(_, _), before level(?x, ?n)",
        "after level(?x, ?n) :- shift(?y, _), before level(?x, ?n), ?x != ?y",
        f"after level(?x, ?m) :- shift(?x, _), before level(?x, ?n), ?m = ?n {random.choice('+-')} 1",
        "after link(?x, ?y) :- paint(_, _), before link(?x, ?y)",
        "after links(?x, ?n) :- paint(_, _), before links(?x, ?n)",
        "after link(?x, ?y) :- shift(?a, ?b), before link(?x, ?y), ?y != ?b",
        "after links(?x, ?m) :- shift(_, ?b), before link(?x, ?b), before links(?x, ?n), ?m = ?n - 1",
        (
            "after links(?x, ?m) :- shift(_, ?b), before links(?x, _), ?m = count ?l in before link(?x, ?l) "
            "but ?b"
        ),
        "after links(?x, ?n) :- shift(_, ?b), before links(?x, ?n), all ?l in before link(?x, ?l): ?l != ?b",
        "after on(?x) :- shift(?x, ?y), before on(?y)",
    ]
    rules = [rule for rule in rules if random.random() < 0.85]
    for _ in range(random.randint(2, 4)):
        action, sorts = random.choice((("paint", "TC"), ("shift", "TT")))
        relation = random.choice(("on", "on", "holds", "one", "two"))
        body = TheoryBody(random, before, complete=complete)
        body.conditions.append(f"{action}({', '.join(body.term(sort) for sort in sorts)})")
        body.fill(random.randint(1, 2), ("one", "tint"))
        sorts = FLUENT.get(relation) or DERIVED[relation]
        rules.append(f"after {body.head(relation, sorts)} :- {body}")
    return rules


def _game(random: Random, complete: bool) -> list[str]:
    body = TheoryBody(random, complete=complete)
    action, sorts = random.choice((("paint", "TC"), ("shift", "TT")))
    body.fill(random.randint(1, 2), ("one", "two"))
    by = f"{action}({', '.join(body.of(sort) for sort in sorts)})"
    rules = [f"goal({body.of('T')}) by {by} is GI :- {body}"]
    for value in ("GI", "GIII"):
        regressed = TheoryBody(random, "before ", complete=complete)
        action, sorts = random.choice((("paint", "TC"), ("shift", "TT")))
        terms = [regressed.new(sort) for sort in sorts]
        for sort, term in zip(sorts, terms, strict=True):
            regressed.bound[sort].append(term)
        by = f"{action}({', '.join(terms)})"
        regressed.conditions.append(by)
        if random.random() < 0.5:
            regressed.fill(1)
        if value == "GIII":
            goal = regressed.new("T")
            anyhow = random.choice(("paint(_, _)", "shift(_, _)"))
            regressed.conditions.append(f"after goal({goal}) by {anyhow} is GI")
        else:
            relation = random.choice(("on", "one", "two", "last", "reach", "tint"))
            terms = [regressed.term(sort) for sort in FLUENT.get(relation) or DERIVED[relation]]
            regressed.add(relation, terms, "after ")
            goal = regressed.of("T")
        rules.append(f"before goal({goal}) by {by} is {value} :- {regressed}")
    return rules


def random_theory(random: Random, *, complete: bool = False) -> Theory:
    """Return a theory that passes its check; failures are generated again.

    With `complete`, its rules have absences.
    """
    while True:
        try:
            return load_text(theory_text(random, complete=complete))
        except TheoryError:
            continue


def random_action(random: Random) -> GroundFact:
    if random.random() < 0.5:
        return GroundFact("paint", (random.choice(THINGS), random.choice(COLOURS)))
    return GroundFact("shift", (random.choice(THINGS), random.choice(THINGS)))


def random_state(random: Random) -> list[GroundFact]:
    """Return facts without an action."""
    things = THINGS[: random.randint(3, len(THINGS))]
    often = random.choice((0.3, 0.5, 0.7))
    facts = []
    for relation, share in (("on", 0.7), ("link", often), ("holds", often), ("near", often)):
        if relation == "on":
            facts += [GroundFact("on", (x,)) for x in things if random.random() < share]
        else:
            facts += [GroundFact(relation, (x, y)) for x in things for y in things if random.random() < share]
    for counter, counted in (("links", "link"), ("nears", "near")):
        for x in things:
            count = sum(fact.relation == counted and fact.values[0] == x for fact in facts)
            # Sometimes not all members are known.
            facts.append(GroundFact(counter, (x, count + (random.random() < 0.1))))
    for x in things:
        facts.append(GroundFact("kind", (x, random.choice(COLOURS))))
        facts.append(GroundFact("rank", (x, random.randint(0, GREATEST_NUMBER))))
        facts.append(GroundFact("next", (x, random.choice(things))))
        if random.random() < 0.9:
            facts.append(GroundFact("colour", (x, random.choice(COLOURS))))
            facts.append(GroundFact("level", (x, random.randint(0, GREATEST_NUMBER))))
    return facts
