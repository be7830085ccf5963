"""Small random theories with all features of the language, for the forger.

The vocabulary is random: sorts of all kinds, relations with any number of columns, keys and closed sets, and
actions and games with up to three columns. The result is readable text, in one or two files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.import_reader import FileText
from hornbook.kb.load.loader import load_files
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.forger import calculations
from oracles.proofs.attack import attacks

WORDS = {"thing": ("t1", "t2"), "spot": ("s1", "s2")}
COLOURS = ("red", "green", "blue")
VALUES = ("GI", "GI", "GI", "GI", "IG", "IG", "GP", "PI", "IP", "GG", "G", "P", "GIII", "IIGI")
EXTREMES = ("9223372036854775807", "9223372036854775806", "-9223372036854775808", "4611686018427387904")


@dataclass(frozen=True)
class RandomRelation:
    """A predicate of a theory under construction: `columns` are sorts, `counts` and `but` the names of
    others.
    """

    kind: str
    name: str
    columns: tuple[str, ...]
    key: int | None = None
    operational: bool = False
    counts: str | None = None
    but: str | None = None
    observed: bool = False
    complete: bool = False

    def declared(self) -> str:
        shown = ""
        if self.columns:
            key = len(self.columns) if self.key is None else self.key
            left, right = ", ".join(self.columns[:key]), ", ".join(self.columns[key:])
            shown = f"({left} -> {right})" if right else f"({left})"
        counts = "" if self.counts is None else f" counts {self.counts}"
        but = "" if self.but is None else f" but {self.but}"
        words = " operational" * self.operational + " observed" * self.observed + " complete" * self.complete
        return f"{self.kind} {self.name}{shown}{counts}{but}{words}."


@dataclass
class RandomBody:
    """Conditions under construction, and the variables that they bind, by sort."""

    maker: TheoryMaker
    tense: str = ""
    conditions: list[str] = field(default_factory=list)
    bound: dict[str, list[str]] = field(default_factory=dict)
    made: int = 0

    def chance(self, share: float) -> bool:
        return self.maker.random.random() < share

    def pick(self, some: list[str] | tuple[str, ...]) -> str:
        return self.maker.random.choice(some)

    def new(self, sort: str) -> str:
        self.made += 1
        return f"?{sort[0]}{self.made}"

    def term(self, sort: str, *, wild: bool = True) -> str:
        known = self.bound.setdefault(sort, [])
        if known and self.chance(0.62):
            return self.pick(known)
        if wild and self.chance(0.07):
            return "_"
        if self.chance(0.07):
            return self.maker.constant(sort)
        variable = self.new(sort)
        known.append(variable)
        return variable

    def atom(self, relation: RandomRelation, tense: str | None = None, *, wild: bool = True) -> str:
        moment = self.tense if tense is None else tense
        word = moment if relation.kind in ("fluent", "derived", "game") else ""
        terms = ", ".join(self.term(sort, wild=wild) for sort in relation.columns)
        return f"{word}{relation.name}({terms})" if relation.columns else f"{word}{relation.name}"

    def of(self, sort: str) -> str:
        """Return a bound variable of a sort, or a constant.

        If there is none, add a statement that binds one.
        """
        known = self.bound.setdefault(sort, [])
        if not known:
            able = [r for r in self.maker.primitive() if sort in r.columns]
            if not able or self.chance(0.1):
                return self.maker.constant(sort)
            relation = self.maker.random.choice(able)
            terms = []
            for column in relation.columns:
                variable = self.new(column)
                self.bound.setdefault(column, []).append(variable)
                terms.append(variable)
            word = self.tense if relation.kind == "fluent" else ""
            self.conditions.append(f"{word}{relation.name}({', '.join(terms)})")
        return self.maker.constant(sort) if self.chance(0.06) else self.pick(self.bound[sort])

    def head(self, relation: RandomRelation) -> str:
        if not relation.columns:
            return relation.name
        return f"{relation.name}({', '.join(self.of(sort) for sort in relation.columns)})"

    def fill(self, size: int, pool: list[RandomRelation], tense: str | None = None) -> None:
        for _ in range(size):
            if pool:
                self.conditions.append(self.atom(self.maker.random.choice(pool), tense))
        if self.chance(0.5 if self.maker.values else 0.22):
            self.comparison()
        if self.chance(0.16):
            self.closed()
        if self.maker.complete and self.chance(0.4):
            self.summary(pool)

    def summary(self, pool: list[RandomRelation]) -> None:
        """Add an absence or an aggregate, mostly of a complete relation."""
        able = [
            r for r in self.maker.relations if r.complete and (r.kind == "static" or self.tense == "before ")
        ]
        derived = [r for r in pool if r.kind == "derived"]
        if derived and self.chance(0.25):
            able = derived
        if not able:
            return
        inner = RandomBody(
            self.maker, self.tense, [], {s: list(v) for s, v in self.bound.items()}, self.made + 200
        )
        inner.conditions.append(inner.atom(self.maker.random.choice(able)))
        if self.chance(0.35):
            inner.conditions.append(inner.atom(self.maker.random.choice(able)))
        if self.chance(0.2):
            inner.comparison()
        if self.chance(0.1):
            inner.conditions.append(f"absent {inner.atom(self.maker.random.choice(able))}")
        own = {
            sort: [v for v in known if v not in self.bound.get(sort, [])]
            for sort, known in inner.bound.items()
        }
        listed = [v for known in own.values() for v in known]
        numbers = [v for sort, known in own.items() if sort in ("int", self.maker.number) for v in known]
        shown = f"({', '.join(inner.conditions)})" if len(inner.conditions) > 1 else inner.conditions[0]
        if not listed or self.chance(0.6):
            self.conditions.append(f"absent {shown}")
            self.maker.used["absence of what is complete"] += 1
            return
        function = self.pick(("count", "count", "sum", "min", "max")) if numbers else "count"
        amount, one = self.new("int"), self.pick(listed if function == "count" else numbers)
        groups = [v for v in listed if v != one and not v.startswith("?_")]
        group = self.pick(groups) if groups and self.chance(0.3) else None
        by = f" by {group}" if group else ""
        what = f"{function} {one}"
        if function == "sum" and self.chance(0.5):
            what = f"average_{self.pick(calculations.MODES)}({one}, 0, 0)"
            self.maker.used["average of what is complete"] += 1
        self.conditions.append(f"{amount} = {what}{by} where {shown}")
        for sort, known in own.items():
            if group in known:
                self.bound.setdefault(sort, []).append(str(group))
        self.bound.setdefault("int", []).append(amount)
        self.maker.used["aggregate by group" if group else "aggregate of what is complete"] += 1
        if self.chance(0.5):
            self.conditions.append(
                f"{amount} {self.pick(('<', '>', '=', '!='))} {self.pick(('0', '1', '2'))}"
            )

    def comparison(self) -> None:
        sorts = [s for s, known in self.bound.items() if known]
        if not sorts:
            return
        sort = self.pick(sorts)
        one, other = self.pick(self.bound[sort]), self.pick(self.bound[sort])
        if self.maker.values and self.calculated(sort, one, other):
            return
        if sort in WORDS or sort == "colour":
            other = self.maker.constant(sort) if one == other or self.chance(0.3) else other
            self.conditions.append(f"{one} {'=' if self.chance(0.15) else '!='} {other}")
            return
        edge = self.chance(0.15)
        number = self.pick(EXTREMES) if edge else str(self.maker.random.randint(-1, 3))
        left = self.pick(
            (one, one, f"{one} + 1", f"{one} * 2", f"min({one}, 2)", f"{one} // 2", f"{one} - {other}")
        )
        right = self.pick((number, number, f"{other} + 1" if one != other else number))
        self.conditions.append(f"{left} {self.pick(('<', '<=', '>', '>=', '!=', '='))} {right}")

    def calculated(self, sort: str, one: str, other: str) -> bool:
        """Add a comparison of dates, decimal numbers or words; return whether one was added."""
        made = {"day": calculations.of_days, "euro": calculations.of_amounts}.get(sort)
        if sort in WORDS and self.chance(0.7):
            made = calculations.of_words
        if made is None:
            return False
        self.conditions.append(made(one, other, self.maker.random))
        self.maker.used[f"comparison with a calculation of {sort}"] += 1
        return True

    def computed(self, sort: str) -> str:
        one = self.of(sort)
        if not one.startswith("?"):
            return one
        result = self.new(sort)
        if sort in ("int", "grade"):
            amount = self.pick(
                (f"{one} + 1", f"{one} - 1", f"max({one}, 1)", f"{one} * 2", f"{one} + 9223372036854775805")
            )
        else:
            amount = calculations.computed(sort, one, self.pick(self.bound[sort]), self.maker.random)
            self.maker.used[f"calculated {sort}"] += 1
        self.conditions.append(f"{result} = {amount}")
        self.bound[sort].append(result)
        return result

    def closed(self) -> None:
        """Add a condition on all members of a closed set, or on their number."""
        sets = [r for r in self.maker.relations if r.counts is not None and r.but is None]
        if not sets:
            return
        counter = self.maker.random.choice(sets)
        counted = self.maker.named(counter.counts or "")
        width = len(counter.columns) - 1
        key = [self.of(sort) for sort in counted.columns[:width]]
        members = [self.new(sort) for sort in counted.columns[width:]]
        word = self.tense if counted.kind in ("fluent", "derived") else ""
        atom = f"{word}{counted.name}({', '.join([*key, *members])})"
        if self.chance(0.5):
            tense = self.tense if counter.kind in ("fluent", "derived") else ""
            self.conditions.append(f"{tense}{counter.name}({', '.join([*key, '_'])})")
        if len(members) == 1 and self.chance(0.35):
            amount = self.new(self.maker.count)
            but = f" but {self.of(counted.columns[-1])}" if self.chance(0.4) else ""
            other = [self.of(sort) for sort in counted.columns[:width]]
            second = f"{word}{counted.name}({', '.join([*other, *members])})"
            union = f"({atom} or {second})" if self.chance(0.3) else atom
            self.conditions.append(f"{amount} = count {members[0]} in {union}{but}")
            self.bound.setdefault(self.maker.count, []).append(amount)
            return
        inner = RandomBody(
            self.maker, self.tense, [], {s: list(v) for s, v in self.bound.items()}, self.made + 100
        )
        for sort, member in zip(counted.columns[width:], members, strict=True):
            inner.bound.setdefault(sort, []).extend([member] * 3)
        relations = self.maker.primitive() + [r for r in self.maker.relations if r.kind == "derived"]
        for _ in range(self.maker.random.randint(1, 2)):
            if self.chance(0.25) and self.bound.get(counted.columns[-1]):
                inner.conditions.append(f"{members[-1]} != {self.pick(self.bound[counted.columns[-1]])}")
            else:
                inner.conditions.append(inner.atom(self.maker.random.choice(relations)))
        if self.tense and self.chance(0.1):
            inner.conditions.append(inner.atom(self.maker.random.choice(self.maker.of_kind("action"))))
        if self.chance(0.1):
            inner.comparison()
        if self.chance(0.05):
            inner.closed()
        variables = ", ".join(members)
        self.conditions.append(f"all {variables} in {atom}: ({', '.join(inner.conditions)})")

    def __str__(self) -> str:
        return ", ".join(dict.fromkeys(self.conditions))


class TheoryMaker:
    """A theory under construction: its relations, then its rules.

    `used` counts its features.

    With `complete`, some relations are complete, and rules have absences and aggregates of them. With
    `values`, rules calculate with dates, decimal numbers and words.
    """

    def __init__(self, random: Random, *, complete: bool = False, values: bool = False) -> None:
        self.random, self.complete, self.values = random, complete, values
        self.number = random.choice(
            ("day", "euro", "day", "euro", "int") if values else ("int", "grade", "int")
        )
        self.count = "int" if values else self.number
        """The sort of the results of counts."""
        self.sorts = ["thing", *(["spot"] if random.random() < 0.4 else [])]
        self.closed_sort = random.random() < 0.45
        self.colours = COLOURS[: random.randint(2, 3)]
        self.observes = random.random() < 0.15
        self.relations: list[RandomRelation] = []
        self.rules: list[str] = []
        self.excepted: dict[int, int] = {}
        """The number of the rule that an exception overrules, by the number of the exception."""
        self.others: list[str] = []
        self.used: Counter[str] = Counter()

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def constant(self, sort: str) -> str:
        if sort == "colour":
            return self.random.choice(self.colours)
        if sort in ("day", "euro"):
            return calculations.constant(sort, self.random)
        if self.values and self.chance(0.3):
            return self.random.choice(calculations.WORDS if sort in WORDS else ("0", "1", "2"))
        if sort not in WORDS:
            return self.random.choice(EXTREMES) if self.chance(0.08) else str(self.random.randint(0, 2))
        # A word of the form that a prover may use for an arbitrary thing.
        return f"'any {sort[0]}1'" if self.chance(0.03) else self.random.choice(WORDS[sort])

    def column(self) -> str:
        kinds = [
            *self.sorts * 4,
            *(["colour"] if self.closed_sort else []),
            *([self.number] if self.chance(0.5) else []),
            *([self.number] * 2 if self.values else []),
        ]
        return self.random.choice(kinds)

    def columns(self, least: int, most: int) -> tuple[str, ...]:
        return tuple(self.column() for _ in range(self.random.randint(least, most)))

    def primitive(self) -> list[RandomRelation]:
        return [r for r in self.relations if r.kind in ("static", "fluent")]

    def of_kind(self, *kinds: str) -> list[RandomRelation]:
        return [r for r in self.relations if r.kind in kinds]

    def named(self, name: str) -> RandomRelation:
        return next(r for r in self.relations if r.name == name)

    def relation(self, kind: str, name: str, least: int, most: int, keyed: float) -> RandomRelation:
        columns = self.columns(least, most)
        key = (
            self.random.randint(0 if len(columns) > 1 and self.chance(0.1) else 1, len(columns) - 1)
            if len(columns) > 1 and self.chance(keyed)
            else None
        )
        if key == 0:
            key = 1
        operational = kind == "derived" and self.chance(0.4)
        observed = kind in ("fluent", "derived") and self.observes and self.chance(0.5)
        made = RandomRelation(kind, name, columns, key, operational, observed=observed)
        self.relations.append(made)
        return made

    def vocabulary(self) -> None:
        for number in range(self.random.randint(1, 2)):
            self.relation("static", f"st{number}", 1, 3, 0.3)
        for number in range(self.random.randint(2, 4)):
            self.relation("fluent", f"f{number}", 0 if self.chance(0.1) else 1, 3, 0.45)
        for number in range(self.random.randint(1, 3)):
            self.relation("derived", f"d{number}", 0 if self.chance(0.1) else 1, 3, 0.35)
        for number in range(self.random.choice((1, 1, 2))):
            self.relation(
                "action", f"act{number}", self.random.choice((0, 1, 1, 2)), self.random.choice((2, 3)), 0
            )
        for number in range(self.random.choice((1, 1, 1, 2))):
            self.relation(
                "game", f"g{number}", self.random.choice((0, 1)), self.random.choice((1, 1, 2, 3)), 0
            )
        for kind in ("static", "fluent", "derived"):
            able = [
                r for r in self.of_kind(kind) if len(r.columns) > 1 and r.key is None and r.counts is None
            ]
            if able and self.chance({"static": 0.25, "fluent": 0.35, "derived": 0.1}[kind]):
                counted = self.random.choice(able)
                key = self.random.randint(1, len(counted.columns) - 1)
                columns = (*counted.columns[:key], "int")
                self.relations.append(
                    RandomRelation(kind, f"n_{counted.name}", columns, key, False, counted.name)
                )
                self.used[
                    "closed set of several columns" if len(counted.columns) - key > 1 else "closed set"
                ] += 1
                marks = [
                    r
                    for r in self.of_kind("static")
                    if r.columns == counted.columns[key:] and len(r.columns) == 1
                ]
                if marks and self.chance(0.5):
                    self.relations.append(
                        RandomRelation(
                            kind, f"b_{counted.name}", columns, key, False, counted.name, marks[0].name
                        )
                    )
                    self.used["count with but"] += 1

        if self.complete:
            self.relations = [
                replace(r, complete=r.kind in ("static", "fluent") and self.chance(0.6))
                for r in self.relations
            ]

    # Rules

    def rule(self, head: str, body: RandomBody, what: str) -> None:
        self.rules.append(f"{head} :- {body}." if body.conditions else f"{head} :- {self.anything(body)}.")
        self.used[what] += 1

    def anything(self, body: RandomBody) -> str:
        relation = self.random.choice(self.primitive())
        return body.atom(relation)

    def action_first(self, body: RandomBody, *, action: RandomRelation | None = None) -> str:
        act = action or self.random.choice(self.of_kind("action"))
        atom = body.atom(act, wild=self.chance(0.15))
        body.conditions.append(atom)
        return atom

    def write(self) -> None:
        derived, fluents = self.of_kind("derived"), self.of_kind("fluent")
        given = self.primitive()
        for place, relation in enumerate(derived):
            if relation.counts is not None:
                continue
            for _ in range(self.random.choice((1, 1, 2))):
                body = RandomBody(self)
                if self.complete:  # a fluent is completely known before the action
                    body.tense = self.random.choice(("", "before "))
                lower = derived if self.chance(0.1) else derived[:place]
                body.fill(self.random.randint(1, 2), [*given, *lower])
                if self.number in relation.columns and self.chance(0.3):
                    body.computed(self.number)
                if self.values and "thing" in relation.columns and self.chance(0.3):
                    body.computed("thing")
                kind = "before-rule" if body.tense else "timeless rule"
                self.rule(f"{body.tense}{body.head(relation)}", body, kind)
                if self.complete and self.chance(0.3):
                    self.exception(len(self.rules) - 1, relation, body.tense)
        for _ in range(self.random.choice((0, 1, 1, 2))):
            body = RandomBody(self, "before ")
            self.action_first(body)
            body.fill(self.random.randint(0, 1), [*given, *derived])
            head = self.random.choice([*derived, *(f for f in fluents if not f.complete)])
            self.rule(f"before {body.head(head)}", body, "before-rule that rests on an action")
        for _ in range(self.random.randint(2, 4)):
            body = RandomBody(self, "before ")
            self.action_first(body)
            body.fill(self.random.randint(0, 2), [*given, *derived])
            if self.chance(0.3):
                body.fill(1, [*fluents, *derived], "after ")
            if self.chance(0.1):
                body.computed(self.number)
            if self.values and self.chance(0.3):
                body.computed("thing")
            self.rule(
                f"after {body.head(self.random.choice([*fluents, *fluents, *derived]))}", body, "after-rule"
            )
        for relation in fluents:
            if self.chance(0.45) and relation.columns:
                body = RandomBody(self, "before ")
                self.action_first(body)
                terms = [body.new(sort) for sort in relation.columns]
                body.conditions.append(f"before {relation.name}({', '.join(terms)})")
                for sort, term in zip(relation.columns, terms, strict=True):
                    if body.bound.get(sort) and self.chance(0.3):
                        body.conditions.append(f"{term} != {self.random.choice(body.bound[sort])}")
                self.rule(f"after {relation.name}({', '.join(terms)})", body, "what persists")
        for relation in fluents:
            if relation.key is not None and relation.counts is None and self.chance(0.5):
                self.key_effect(relation)
            if relation.counts is not None and relation.but is None and self.chance(0.6):
                self.count_effect(relation, self.named(relation.counts))
        for game in self.of_kind("game"):
            self.of_game(game)
        if self.chance(0.08):
            self.choice()
        if self.chance(0.15) and fluents:
            self.frame(self.random.choice(fluents))
        self.facts()

    def exception(self, excepted: int, relation: RandomRelation, tense: str) -> None:
        """Add an exception to a rule, which concludes another value or nothing, and perhaps one to it."""
        complete = [r for r in self.primitive() if r.complete]
        if not complete:
            return
        body = RandomBody(self)
        body.tense = tense
        body.fill(self.random.randint(1, 2), complete)
        concludes = relation.key is not None and self.chance(0.6)
        head = body.head(relation)
        if not concludes and relation.key is not None:
            terms = [body.of(sort) for sort in relation.columns[: relation.key]]
            terms += ["_"] * (len(relation.columns) - relation.key)
            head = f"{relation.name}({', '.join(terms)})"
        kind = "exception" if concludes else "exception that suspends"
        self.rule(f"{'' if concludes else 'absent '}{tense}{head}", body, kind)
        self.excepted[len(self.rules) - 1] = excepted
        if self.chance(0.3):
            self.exception(len(self.rules) - 1, relation, tense)

    def key_effect(self, relation: RandomRelation) -> None:
        """Add the effect of an action on a relation with a key and its frame.

        Mostly the key holds afterwards.
        """
        assert relation.key is not None
        body = RandomBody(self, "before ")
        act = self.random.choice(self.of_kind("action"))
        self.action_first(body, action=act)
        terms = [body.of(sort) if self.chance(0.85) else self.constant(sort) for sort in relation.columns]
        self.rule(f"after {relation.name}({', '.join(terms)})", body, "what an action does to a key")
        stays = RandomBody(self, "before ", [], {}, 40)
        self.action_first(stays, action=act)
        own = [stays.new(sort) for sort in relation.columns]
        stays.conditions.append(f"before {relation.name}({', '.join(own)})")
        same = [
            (mine, body_term)
            for mine, sort in zip(own[: relation.key], relation.columns, strict=False)
            for body_term in stays.bound.get(sort, [])
        ]
        if same and self.chance(0.85):
            mine, other = self.random.choice(same)
            stays.conditions.append(f"{mine} != {other}")
        self.rule(f"after {relation.name}({', '.join(own)})", stays, "what stays beside it")

    def count_effect(self, counter: RandomRelation, counted: RandomRelation) -> None:
        """Add the effect of an action on a closed set and its count; mostly the count is right afterwards."""
        body = RandomBody(self, "before ")
        act = self.random.choice(self.of_kind("action"))
        self.action_first(body, action=act)
        width = len(counter.columns) - 1
        own = [body.new(sort) for sort in counted.columns]
        set_, count = f"{counted.name}({', '.join(own)})", ", ".join([*own[:width], "?n90"])
        able = body.bound.get(counted.columns[-1], [])
        removed = self.random.choice(able) if able and len(own) == width + 1 else None
        first = ", ".join(body.conditions)
        word = "before " if counted.kind == "fluent" else ""
        if counted.kind == "fluent":
            apart = f", {own[-1]} != {removed}" if removed and self.chance(0.85) else ""
            self.rules.append(f"after {set_} :- {first}, before {set_}{apart}.")
        way = self.random.choice(("stays", "less", "counted", "more")) if removed else "stays"
        rule = {
            "stays": f"before {counter.name}({count})",
            "less": f"{word}{counted.name}({', '.join([*own[:-1], str(removed)])}), before {counter.name}"
            f"({', '.join([*own[:width], '?n91'])}), ?n90 = ?n91 - 1",
            "more": f"before {counter.name}({', '.join([*own[:width], '?n91'])}), ?n90 = ?n91 + 1",
            "counted": f"before {counter.name}({', '.join([*own[:width], '_'])}), "
            f"?n90 = count {own[-1]} in {word}{set_} but {removed}",
        }[way]
        self.rules.append(f"after {counter.name}({count}) :- {first}, {rule}.")
        self.used["what an action does to a count"] += 1

    def of_game(self, game: RandomRelation) -> None:
        given, derived = self.primitive(), self.of_kind("derived")
        for _ in range(self.random.randint(1, 2)):
            body = RandomBody(self, "before ")
            act = self.action_first(body)
            tensed = [*self.of_kind("fluent"), *derived]
            body.fill(1, tensed, "after ")
            body.fill(self.random.randint(0, 1), [*given, *derived])
            if "_" in act.replace("(", " ").replace(",", " ").replace(")", " ").split():
                act = act.replace("_", "t1")
            value = self.random.choice(VALUES)
            if self.chance(0.25):
                body.conditions.append(
                    f"{body.atom(game, 'after ')} is {self.random.choice(('IG', 'IG', 'GI', 'IP'))}"
                )
            self.rule(f"before {body.head(game)} by {act} is {value}", body, "game by an action")
        if self.chance(0.3):
            body = RandomBody(self)
            body.fill(self.random.randint(1, 2), [*given, *derived])
            act = body.head(self.random.choice(self.of_kind("action")))
            self.rule(
                f"{body.head(game)} by {act} is {self.random.choice(VALUES)}",
                body,
                "timeless game by an action",
            )
        if self.chance(0.6):
            body = RandomBody(self, "before ")
            self.action_first(body)
            body.fill(self.random.randint(1, 2), [*given, *derived])
            if self.chance(0.3):
                body.fill(1, [*self.of_kind("fluent"), *derived], "after ")
            self.rule(
                f"after {body.head(game)} is {self.random.choice(('GI', 'GI', 'GI', 'GG', 'G', 'GP', 'IG'))}",
                body,
                "game after an action",
            )
        if self.chance(0.4):
            body = RandomBody(self)
            value = self.random.choice(("GI", "GI", "IG", "PI", "?v"))
            self.used["value that is a variable"] += value == "?v"
            terms = [body.new(sort) for sort in game.columns]
            shown = f"{game.name}({', '.join(terms)})" if terms else game.name
            act = self.random.choice(self.of_kind("action"))
            blank = f"{act.name}({', '.join('_' for _ in act.columns)})" if act.columns else act.name
            self.rules.append(f"{shown} is {value} :- {shown} by {blank} is {value}.")
            self.used["game by some action"] += 1
        if self.chance(0.3):
            body = RandomBody(self)
            body.fill(self.random.randint(1, 2), [*given, *derived])
            self.rule(f"{body.head(game)} is {self.random.choice(VALUES)}", body, "game by itself")
        if self.chance(0.75):
            self.replies(game)

    def replies(self, game: RandomRelation) -> None:
        cases = []
        variables = [f"?a{n}" for n in range(len(game.columns))]
        for _ in range(self.random.choice((1, 1, 2, 3))):
            body = RandomBody(self)
            for sort, variable in zip(game.columns, variables, strict=True):
                body.bound.setdefault(sort, []).append(variable)
            act = self.action_first(body)
            body.conditions.clear()
            if self.chance(0.65):
                self.answered(game, act)
            for _ in range(self.random.choice((0, 1, 1, 2))):
                body.conditions.append(
                    body.atom(self.random.choice([*self.primitive(), *self.of_kind("derived")]))
                )
            if self.chance(0.2):
                body.comparison()
            if body.conditions and self.chance(0.08):
                body.conditions.append(f"{body.atom(game)} is GI")
            if self.chance(0.3):
                unless = self.random.choice([*self.primitive(), *self.of_kind("derived")])
                inner = RandomBody(self, "", [], {s: list(v) for s, v in body.bound.items()}, 50)
                barred = inner.head(unless)
                if not inner.conditions:
                    body.conditions = [*body.conditions, ""]
                    body.conditions[-1:] = []
                    cases.append(", ".join([act, *body.conditions]) + f" unless {barred}")
                    continue
            cases.append(", ".join([act, *body.conditions]))
        shown = f"{game.name}({', '.join(variables)})" if variables else game.name
        used = " ".join(cases)
        for variable in variables:
            if f"{variable}" not in used:
                shown = shown.replace(variable, "_")
        self.others.append(f"replies {shown}:\n  " + ";\n  ".join(cases) + ".")
        self.used["replies"] += 1
        self.used["replies with several cases"] += len(cases) > 1
        self.used["replies with unless"] += "unless" in used

    def answered(self, game: RandomRelation, reply: str) -> None:
        """Add a rule by which the game is won after a reply if a condition on its arguments holds."""
        body = RandomBody(self, "before ")
        name = reply.split("(", maxsplit=1)[0]
        self.action_first(body, action=self.named(name))
        body.bound.clear() if self.chance(0.6) else None
        for sort in game.columns:
            body.bound.setdefault(sort, []).append(body.new(sort))
        terms = [body.bound[sort][-1] for sort in game.columns]
        pool = [
            r for r in (*self.primitive(), *self.of_kind("derived")) if set(r.columns) & set(game.columns)
        ] or self.primitive()
        for sort, term in zip(game.columns, terms, strict=True):
            able = [r for r in pool if sort in r.columns]
            if not able:
                return
            relation = self.random.choice(able)
            word = "" if relation.kind == "static" else self.random.choice(("before ", "before ", "after "))
            at = self.random.choice([i for i, c in enumerate(relation.columns) if c == sort])
            shown = [term if i == at else body.term(c) for i, c in enumerate(relation.columns)]
            body.conditions.append(f"{word}{relation.name}({', '.join(shown)})")
        if self.chance(0.4):
            body.fill(1, pool)
        head = f"{game.name}({', '.join(terms)})" if terms else game.name
        self.rule(
            f"after {head} is {self.random.choice(('GI', 'GI', 'GI', 'G', 'GG', 'GP'))}",
            body,
            "game after a reply",
        )

    def frame(self, fluent: RandomRelation) -> None:
        body = RandomBody(self)
        terms = [body.new(sort) for sort in fluent.columns]
        act = self.random.choice(self.of_kind("action"))
        blank = f"{act.name}({', '.join('_' for _ in act.columns)})" if act.columns else act.name
        shown = f"{fluent.name}({', '.join('_' for _ in terms)})" if terms else fluent.name
        self.others.append(f"frame {shown}: {blank}.")
        self.used["frame"] += 1

    def choice(self) -> None:
        """Add a choice among conclusions by absence; no other rule may use it."""
        meta = RandomRelation("meta", "m0", (self.sorts[0],))
        self.relations.append(meta)
        body = RandomBody(self)
        body.fill(1, [*self.primitive(), *self.of_kind("derived")])
        head = body.head(meta)
        absent = RandomBody(self, "", [], {s: list(v) for s, v in body.bound.items()}, 60)
        body.conditions.append(f"absent {absent.atom(self.random.choice(self.primitive()))}")
        self.rule(head, body, "choice by absence")

    def facts(self) -> None:
        for kind, share in (("static", 0.3), ("fluent", 0.06), ("action", 0.01)):
            if self.chance(share):
                relation = self.random.choice(self.of_kind(kind))
                if relation.counts is None:
                    terms = ", ".join(self.constant(sort) for sort in relation.columns)
                    self.others.append(f"{relation.name}({terms})." if terms else f"{relation.name}.")
                    self.used[f"fact of a {kind}"] += 1

    def files(self) -> tuple[str, ...]:
        """Return the texts of the theory's files; the last one imports the others."""
        declared = [f"sort {sort}." for sort in self.sorts]
        declared += [f"sort colour = {' | '.join(self.colours)}."] if self.closed_sort else []
        kinds = {"grade": "int", "day": "date", "euro": "decimal(1)"}
        declared += [f"sort {self.number} = {kinds[self.number]}."] if self.number in kinds else []
        declared += [r.declared() for r in self.relations]
        rules = [
            f"r{number}{f' exception to r{self.excepted[number]}' if number in self.excepted else ''}: {rule}"
            for number, rule in enumerate(self.rules)
        ]
        for relation in self.relations:
            for sort in relation.columns:
                self.used[f"column of {sort}"] += 1
            if relation.key is not None and relation.counts is None:
                self.used[f"key of a {relation.kind}"] += 1
                self.used["key of several columns"] += relation.key > 1
            self.used["operational"] += relation.operational
            self.used["observed"] += relation.observed
            if relation.kind in ("action", "game"):
                self.used[f"{relation.kind} of {len(relation.columns)} columns"] += 1
        self.used["all"] += sum("all " in rule for rule in rules)
        self.used["count in"] += sum("= count " in rule for rule in rules)
        self.used["near 64 bits"] += sum("92233720368547758" in rule for rule in rules)
        for value in set(VALUES):
            self.used[f"value {value}"] += sum(f" is {value} " in rule for rule in rules)
        if self.chance(0.15):
            self.used["import"] += 1
            place = self.random.randint(0, len(rules))
            first = "\n".join(("theory base.", *declared, *rules[:place]))
            return first + "\n", "\n".join(
                ("theory made.", "import base.", *rules[place:], *self.others)
            ) + "\n"
        return ("\n".join(("theory made.", *declared, *rules, *self.others)) + "\n",)


@dataclass(frozen=True)
class RandomTheory:
    """A theory that passes its check, its texts, and its features."""

    theory: Theory
    files: tuple[str, ...]
    used: Mapping[str, int]
    state: Callable[[Random], tuple[frozenset[GroundFact], GroundFact]] | None = None
    """A source of states with actions to learn from, if there is one for such theories."""


def loaded(files: tuple[str, ...]) -> Theory:
    """Return the theory of one text, or of one that imports another."""
    base, made = Path("/made/base.horn"), Path("/made/made.horn")
    given = {made: FileText(files[-1], {"base": base})}
    if len(files) > 1:
        given[base] = FileText(files[0], {})
    return load_files(made, given)


def random_theory(
    random: Random, *, complete: bool = False, values: bool = False
) -> tuple[RandomTheory, int]:
    """Return a theory that passes its check, and the number of failed attempts.

    With `complete`, its rules have absences. With `values`, they calculate with dates, decimal numbers and
    words.
    """
    failed = 0
    while True:
        maker = TheoryMaker(random, complete=complete, values=values)
        maker.vocabulary()
        maker.write()
        try:
            files = maker.files()
            return RandomTheory(loaded(files), files, maker.used), failed
        except TheoryError:
            failed += 1


SHAPES = {
    1: "a_key_after_the_action_through_a_lemma",
    2: "a_key_of_a_derived_predicate_before_a_hypothetical_action",
    3: "replies_dismissed_by_a_key_of_a_derived_predicate",
    4: "a_reply_that_no_integer_satisfies",
    5: "what_rests_on_the_action_taken_lent_to_one_that_is_named",
    6: "a_lemma_without_tense_that_rests_on_a_count",
    7: "an_action_that_the_theory_states_as_a_fact",
    8: "a_lemma_without_tense_that_rests_on_the_number_of_members",
    9: "a_key_of_a_rule_whose_other_action_is_asked_of_no_member",
    12: "a_definition_whose_head_repeats_a_variable",
}
"""The attacks whose theories are varied, by number."""


def varied(shape: int, random: Random) -> tuple[RandomTheory, int]:
    """Return a random variation of an attack's theory, with other declarations, added relations and rules, or
    fewer rules.
    """
    text = next(a.theory_text for a in attacks() if a.name == SHAPES[shape])
    failed = 0
    while True:
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("theory ")]
        used: Counter[str] = Counter({f"shape {shape}": 1})
        for _ in range(random.choice((0, 0, 1, 1, 2))):
            _vary(lines, random)
        if random.random() < 0.7:
            _more(lines, random)
        files = ("\n".join(("theory made.", *lines)) + "\n",)
        try:
            return RandomTheory(loaded(files), files, used), failed
        except TheoryError:
            failed += 1


def _vary(lines: list[str], random: Random) -> None:
    place = random.randrange(len(lines))
    line = lines[place]
    way = random.choice(("drop", "kind", "operational", "again"))
    if way == "drop" and ":-" in line:
        del lines[place]
    elif way == "kind" and line.startswith("derived"):
        lines[place] = line.replace("derived", "fluent").replace(" operational", "")
    elif way == "operational" and line.startswith("derived") and "operational" not in line:
        lines[place] = line.replace(").", ") operational.")
    elif way == "again" and ":-" in line and ":" in line:
        lines.append(f"again_{place}{line[line.index(':') :]}")


def _more(lines: list[str], random: Random) -> None:
    """Add relations and rules of another random theory."""
    maker = TheoryMaker(random)
    maker.sorts, maker.closed_sort = ["thing"], False
    maker.vocabulary()
    keep = random.randint(1, 3)
    maker.write()
    rules = random.sample(maker.rules, min(keep, len(maker.rules)))
    if not any(line.startswith("sort thing") for line in lines):
        lines.insert(0, "sort thing.")
    if maker.number == "grade":
        lines.insert(0, "sort grade = int.")
    lines += [r.declared() for r in maker.relations]
    lines += [f"more_{n}: {rule}" for n, rule in enumerate(rules)]
