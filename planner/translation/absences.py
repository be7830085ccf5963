"""Negated conclusions as rules without absences, by completion.

A fact is absent if each of its rules fails, and a rule fails if one of its conditions does. If a rule has
variables that do not occur in its head, it must fail for all of their values. A value that is unique is
looked up. For the other variables, a closed set contains all instances that the ground rules have.

Source: Clark 1978.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import networkx as nx

from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    Tense,
    Term,
    Variable,
    condition_variables,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import Column, Relation
from hornbook.planner.gdl.kif import KifVariable as SheetVariable
from hornbook.planner.translation.grounding import Row
from hornbook.planner.translation.literals import (
    Differ,
    Fails,
    Holds,
    Literal,
    Same,
    columns_of,
    names_of,
)
from hornbook.planner.translation.names import relation_text
from hornbook.planner.translation.refused import UntranslatableError
from hornbook.planner.translation.sorts import WORTH
from hornbook.planner.translation.translator import NO, SheetTranslator, Terms
from hornbook.planner.translation.variant import Variant

MOST_KEYS = 20_000
"""The maximal number of keys of one closed set."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A rule whose failure is to be expressed: its conclusion, and the context of the query."""

    number: int
    relation: Relation
    name: str
    terms: Terms
    head: tuple[Term, ...]
    base: tuple[Condition, ...]
    bound: frozenset[str]
    """The names of the sheet's variables that `head` and `base` bind."""
    moment: Tense | None
    tense: Tense | None
    """The tense of the conclusion."""

    @property
    def conclusion(self) -> Atom:
        return Atom(self.name, self.head, self.tense)


class Absences(SheetTranslator):
    """The translation, with predicates for absences. `absent` contains those that were requested."""

    def __init__(self, *given: object) -> None:
        self.absent: dict[Relation, str] = {}
        self.to_deny: deque[Relation] = deque()
        super().__init__(*given)  # type: ignore[arg-type]

    def absence(self, relation: Relation) -> str:
        name = self.absent.get(relation)
        if name is None:
            if relation in self.circular:
                span = self.ground.rules[self.ground.of[relation][0]].origin.clause.span
                message = f"the absence of `{relation_text(relation)}` is needed, but it depends on itself"
                help_ = "write rules for its absence, or rules without recursion"
                raise UntranslatableError(message, span, help_)
            name = self.absent[relation] = self.names.fresh(f"no_{relation_text(relation)}")
            width = len(next(iter(self.ground.has(relation))))
            self.theory.declare("derived", name, self.sorts.of_columns(relation, width))
            self.to_deny.append(relation)
        return name

    def write(self) -> None:
        for relation in self.fluents:
            self.write_next(relation)
            if self.fluents[relation].truth:
                self._deny_fluent(relation)
        self.write_waiting()

    def write_waiting(self) -> None:
        while self.waiting or self.to_deny:
            if self.waiting:
                self.conclude(self.waiting.popleft())
            else:
                self._deny(self.to_deny.popleft())

    # Denied relations

    def _deny(self, relation: Relation) -> None:
        name = self.absent[relation]
        if self.is_acting(relation):
            self._deny_by_action(relation, relation, name, ())
            return
        numbers = self.ground.of.get(relation, ())
        _, columns, base = self._possible_values(relation)
        if len(numbers) == 1:
            self._fail_of_state(numbers[0], relation, name)
            return
        body = list(base)
        for place, number in enumerate(numbers, 1):
            part = self.names.fresh(f"{name}_{place}")
            self.theory.declare("derived", part, self.theory.declared[name].sorts)
            body.append(Atom(part, columns))
            self._fail_of_state(number, relation, part)
        self.theory.add(name, Atom(name, columns), body)

    def _possible_values(self, relation: Relation) -> tuple[Terms, tuple[Term, ...], list[Condition]]:
        """Return variables for the columns of a relation, with the condition that the values are possible."""
        width = len(next(iter(self.ground.has(relation))))
        terms = Terms(self.sorts, -1)
        columns = tuple(terms.fresh(self.sorts.of(relation, c)) for c in range(width))
        base: list[Condition] = []
        if width:
            base.append(Atom(self.domain(relation, range(width)), columns))
        return terms, columns, base

    def _fail_of_state(self, number: int, relation: Relation, name: str) -> None:
        rule = self.rule_at(number)
        self._mismatch(relation, name, [*rule.columns], None)
        terms = Terms(self.sorts, number)
        head = terms.all_of(relation, rule.columns)
        base: tuple[Condition, ...] = ()
        if head:
            base = (Atom(self.domain(relation, range(len(head))), head),)
        failing = Failing(
            number, relation, name, terms, head, base, frozenset(names_of([rule.columns])), None, None
        )
        self._fail(failing, rule.body, self.outside_of(number))

    def _mismatch(
        self, relation: Relation, name: str, pattern: list[Column], variant: Variant | None
    ) -> None:
        """Add rules for the queries and moves that do not match the rule's pattern."""
        terms, columns, base = self._possible_values(relation)
        tense: Tense | None = None
        if variant is not None:
            done = variant.action.relation
            open_ = tuple(terms.fresh(self.sorts.of(done, c)) for c in range(len(variant.columns)))
            base = [Atom(variant.action.name, open_), Atom(variant.action.may, open_, "before"), *base]
            places = [(relation, c) for c in range(len(columns))] + [(done, c) for c in range(len(open_))]
            columns_all: tuple[Variable, ...] = (*columns, *open_)  # type: ignore[arg-type]
            tense = "after"
        else:
            places = [(relation, c) for c in range(len(columns))]
            columns_all = columns  # type: ignore[assignment]
        head = self._head(relation, name, columns, tense)
        first: dict[str, int] = {}
        for place, column in enumerate(pattern):
            other: Term
            if isinstance(column, str):
                if not self._may_differ(places[place], column):
                    continue
                of, at = places[place]
                other = Constant(int(column) if self.sorts.of(of, at) == WORTH else column)
            elif column.name in first:
                other = columns_all[first[column.name]]
            else:
                first[column.name] = place
                continue
            self.theory.add(f"{name}_otherwise", head, [*base, Comparison("!=", columns_all[place], other)])

    def _head(self, relation: Relation, name: str, terms: Sequence[Term], tense: Tense | None) -> Atom:
        """Return the head of a rule for the absence; for a yes-or-no fluent, its value `no`."""
        fluent = self.fluents.get(relation)
        if fluent is not None and fluent.name == name:
            return Atom(name, (*terms, NO), tense)
        return Atom(name, tuple(terms), tense)

    def _may_differ(self, place: tuple[Relation, int], word: str) -> bool:
        return any(row[place[1]] != word for row in self.ground.has(place[0]))

    def _deny_fluent(self, relation: Relation) -> None:
        self._deny_by_action(relation, ("next", relation[1]), self.fluents[relation].name, (NO,))

    def _deny_by_action(
        self, relation: Relation, concluded: Relation, name: str, more: tuple[Term, ...]
    ) -> None:
        """Add a rule for each action: no rule concludes the fact."""
        numbers = self.ground.of.get(concluded, ())
        variants = [(number, v) for number in numbers for v in self.variants(number)]
        for action in self.actions.values():
            terms, columns, base = self._possible_values(relation)
            width = len(next(iter(self.ground.has(action.relation))))
            open_ = tuple(terms.fresh(self.sorts.of(action.relation, c)) for c in range(width))
            body = [Atom(action.name, open_), Atom(action.may, open_, "before"), *base]
            mine = [(number, v) for number, v in variants if v.action == action]
            for place, (number, variant) in enumerate(mine, 1):
                part = self.names.fresh(f"no_{name.removeprefix('no_')}_by_{action.name}_{place}")
                self.theory.declare("derived", part, self.sorts.of_columns(relation, len(columns)))
                body.append(Atom(part, columns, "after"))
                self._fail_of_action(number, variant, relation, part)
            self.theory.add(f"no_{name.removeprefix('no_')}", Atom(name, (*columns, *more), "after"), body)

    def _fail_of_action(self, number: int, variant: Variant, relation: Relation, name: str) -> None:
        rule = self.rule_at(number)
        self._mismatch(relation, name, [*rule.columns, *variant.columns], variant)
        terms = Terms(self.sorts, number)
        head = terms.all_of(relation, rule.columns)
        base = [*self.action_conditions(variant, terms)]
        if head:
            base.append(Atom(self.domain(relation, range(len(head))), head))
        bound = frozenset(names_of([rule.columns, variant.columns]))
        failing = Failing(number, relation, name, terms, head, tuple(base), bound, "before", "after")
        self._fail(failing, variant.body, self.outside_of(number))

    # The failure of a rule

    def _fail(self, failing: Failing, body: Sequence[Literal], outside: Mapping[Literal, bool]) -> None:
        """Add the rules for a body whose conditions do not hold together."""
        literals, bound, binds = list(body), set(failing.bound), list[Condition]()
        while (place := self._place_of_unique_value(literals, bound)) is not None:
            literal = literals[place]
            assert isinstance(literal, Holds)
            key, values = self._key(literal, bound)
            found = failing.terms.all_of(literal.relation, literal.columns)
            there = list(found)
            new: list[Literal] = []
            for column in values:
                named = literal.columns[column]
                if isinstance(named, SheetVariable) and named.name not in bound:
                    bound.add(named.name)
                    continue
                # The value may differ from the looked-up one.
                other = SheetVariable(
                    f" value {place} {column}", self.ground.rules[failing.number].origin.clause.span
                )
                there[column] = failing.terms.of(other, self.sorts.of(literal.relation, column))
                bound.add(other.name)
                new.append(Same(other, named))
            if not self._is_total(literal, key, failing):
                for way in self._missing_fact(literal, key, found):
                    self._conclude(failing, [*binds, *way])
            binds.append(self.atom(literal.relation, tuple(there), failing.moment))
            literals[place : place + 1] = new
        loose = [literal for literal in literals if _names(literal) <= bound]
        for literal in loose:
            self._deny_literal(failing, binds, literal, outside)
        for part in _parts([literal for literal in literals if literal not in loose], bound):
            self._for_all(failing, binds, part, bound, outside)

    def _deny_literal(
        self, failing: Failing, binds: Sequence[Condition], literal: Literal, outside: Mapping[Literal, bool]
    ) -> None:
        for way in self._denials(literal, failing, outside):
            self._conclude(failing, [*binds, *way])

    def _denials(
        self, literal: Literal, failing: Failing, outside: Mapping[Literal, bool]
    ) -> list[list[Condition]]:
        """Return the possible failures of a condition."""
        match literal:
            case Holds(relation=relation, columns=columns):
                return self.alternatives(Fails(relation, columns), failing.terms, failing.moment)
            case Fails(relation=relation, columns=columns):
                return self.alternatives(Holds(relation, columns), failing.terms, failing.moment)
            case Same(left=left, right=right):
                return self.alternatives(Differ(((left, right),)), failing.terms, failing.moment)
            case Differ(pairs=pairs):
                return [[Comparison("=", *failing.terms.pair(a, b)) for a, b in pairs if a != b]]

    def _conclude(self, failing: Failing, body: Iterable[Condition]) -> None:
        head = self._head(failing.relation, failing.name, failing.head, failing.tense)
        line = self.ground.rules[failing.number].origin.clause.span.line
        self.theory.add(f"{failing.name}_line_{line}", head, [*failing.base, *body])

    # Unique values

    def _place_of_unique_value(self, literals: Sequence[Literal], bound: set[str]) -> int | None:
        """Return the place of a condition that binds a variable to a unique value."""
        for place, literal in enumerate(literals):
            if (
                isinstance(literal, Holds)
                and not _names(literal) <= bound
                and self._key(literal, bound) != ((), ())
            ):
                return place
        return None

    def _key(self, literal: Holds, bound: set[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the key columns that determine the others here, and the others.

        Both are empty if there is no key.
        """
        width = range(len(literal.columns))
        known = tuple(c for c in width if isinstance(c_ := literal.columns[c], str) or c_.name in bound)
        if self.is_static(literal.relation):
            rows = self.ground.has(literal.relation)
            if rows and len({tuple(row[c] for c in known) for row in rows}) == len(rows):
                open_ = [literal.columns[c] for c in width if c not in known]
                if len(set(open_)) == len(open_):
                    return known, tuple(c for c in width if c not in known)
            return (), ()
        if literal.relation in self.truths:
            return (), ()
        for single in self.exact.get(literal.relation, ()):
            values = tuple(c for c in width if c not in single.key)
            open_ = [literal.columns[c] for c in values if c not in known]
            if set(single.key) <= set(known) and len(set(open_)) == len(open_):
                return single.key, values
        return (), ()

    def _is_total(self, literal: Holds, key: Sequence[int], failing: Failing) -> bool:
        """Return whether such a fact exists for every possible key."""
        rows = self.ground.has(literal.relation)
        there = {tuple(row[c] for c in key) for row in rows}
        possible = [
            frozenset([c]) if isinstance(c := literal.columns[k], str) else self._values(literal.relation, k)
            for k in key
        ]
        number = 1
        for values in possible:
            number *= len(values)
        return number <= MOST_KEYS and all(row in there for row in product(*possible))

    def _values(self, relation: Relation, column: int) -> frozenset[str]:
        return self.sorts.values[self.sorts.of(relation, column)]

    def _missing_fact(
        self, literal: Holds, key: Sequence[int], found: tuple[Term, ...]
    ) -> list[list[Condition]]:
        """Return the conditions for the absence of the fact for a key."""
        values = tuple(found[c] for c in key)
        if self.is_static(literal.relation):
            return list(self.not_in(self.static(literal.relation), key, values))
        return list(self.not_in(self.domain(literal.relation, key), range(len(key)), values))

    # All possible values

    def _for_all(
        self,
        failing: Failing,
        binds: Sequence[Condition],
        literals: Sequence[Literal],
        bound: set[str],
        outside: Mapping[Literal, bool],
    ) -> None:
        """Add rules that require one of the conditions to fail for all values of the variables."""
        rule = self.ground.rules[failing.number]
        names = {name: place for place, name in enumerate(rule.variables)}
        own = sorted({n for literal in literals for n in _names(literal)} - bound)
        around = sorted({n for literal in literals for n in _names(literal)} & bound & names.keys())
        rows = frozenset(
            tuple(row[names[n]] for n in (*around, *own)) for row in self.ground.instances[failing.number]
        )
        sorts = tuple(self.sorts.of_variable(failing.number, n) for n in (*around, *own))
        line = rule.origin.clause.span.line
        member = self.theory.table(f"cases_of_line_{line}", sorts, rows)
        member, counter = self._count_name(member, sorts, len(around), rows)
        columns = {
            n: failing.terms.of(SheetVariable(n, rule.origin.clause.span), "") for n in (*around, *own)
        }
        there = Atom(member, tuple(columns[n] for n in (*around, *own)))
        count = Atom(counter, (*(columns[n] for n in around), Variable("_number")))
        ways = [way for literal in literals for way in self._denied(literal, failing, outside)]
        if not ways:
            # The rule fails only if there is no case.
            nothing = Atom(counter, (*(columns[n] for n in around), Constant(0)))
            self._conclude(failing, [*binds, nothing])
            return
        inside: tuple[Condition, ...]
        if len(ways) == 1:
            inside = tuple(ways[0])
        else:
            inside = (self._part(failing, binds, there, ways, [columns[n] for n in own]),)
        members = tuple(v for n in own if isinstance(v := columns[n], Variable))
        self._conclude(failing, [*binds, count, All(members, there, inside)])

    def _denied(
        self, literal: Literal, failing: Failing, outside: Mapping[Literal, bool]
    ) -> list[list[Condition]]:
        """Return the possible failures of a condition for a case.

        A condition that never changes holds for all cases.
        """
        rule = self.ground.rules[failing.number]
        mine = _names(literal) <= set(rule.variables)
        if mine and isinstance(literal, Differ):
            return []
        if mine and isinstance(literal, Holds | Fails) and self.is_static(literal.relation):
            return []
        if isinstance(literal, Holds):
            return self.alternatives(
                Fails(literal.relation, literal.columns), failing.terms, failing.moment, outside=not mine
            )
        return self._denials(literal, failing, outside)

    def _part(
        self,
        failing: Failing,
        binds: Sequence[Condition],
        there: Atom,
        ways: Sequence[Sequence[Condition]],
        own: Sequence[Term],
    ) -> Atom:
        """Return a new predicate for the possible failures of a case."""
        line = self.ground.rules[failing.number].origin.clause.span.line
        name = self.names.fresh(f"fails_line_{line}")
        used = {v.name for way in ways for c in way for v in _variables(c)}
        outer = {v.name: v for c in (*failing.base, *binds) for v in _variables(c) if not v.is_wildcard}
        covered = {v.name for v in there.arguments if isinstance(v, Variable)}
        needed = [v for n, v in outer.items() if n in used and n not in covered]
        base: list[Condition] = [there]
        arguments: list[Term] = [t for t in there.arguments if isinstance(t, Variable)]
        if needed:
            base = [*failing.base, *binds, there]
            arguments = [*outer.values(), *own]
        arguments = list(dict.fromkeys(arguments))
        self.theory.declare("derived", name, tuple(self._sort_of(a, base) for a in arguments))
        tense: Tense | None = failing.tense
        if tense == "after" and not needed:
            base = [*failing.base[:2], *base]
        head = Atom(name, tuple(arguments), tense)
        for way in ways:
            self.theory.add(name, head, [*base, *way])
        return head

    def _sort_of(self, term: Term, base: Iterable[Condition]) -> str:
        for condition in base:
            if isinstance(condition, Atom) and term in condition.arguments:
                declared = self.theory.declared[condition.predicate]
                return declared.sorts[condition.arguments.index(term)]
        raise AssertionError(term)

    def _count_name(
        self, member: str, sorts: tuple[str, ...], key: int, rows: frozenset[Row]
    ) -> tuple[str, str]:
        """Return the names of a closed set and of its count, which exists for each possible key."""
        found = next(
            (
                d.name
                for d in self.theory.declared.values()
                if d.ending == f" counts {member}" and d.key == key
            ),
            None,
        )
        if found is not None:
            return member, found
        possible = [sorted(self.sorts.values[sort]) for sort in sorts[:key]]
        number = 1
        for values in possible:
            number *= len(values)
        if number > MOST_KEYS:
            raise UntranslatableError(
                f"a closed set would have more than {MOST_KEYS:,} keys", self.theory.place
            )
        if self.theory.declared[member].key is not None or any(
            d.ending == f" counts {member}" for d in self.theory.declared.values()
        ):
            # A set is counted by one key, and has no key itself.
            again = f"{member}_by_{key}"
            if again in self.theory.declared:
                return self._count_name(again, sorts, key, rows)
            member = self.names.fresh(again)
            self.theory.declare("static", member, sorts, ending=" complete")
            self.theory.state(member, rows)
        sizes: dict[Row, int] = dict.fromkeys(product(*possible), 0)
        for row in rows:
            sizes[row[:key]] += 1
        name = self.names.fresh(f"number_of_{member}")
        self.theory.declare("static", name, (*sorts[:key], "int"), key, f" counts {member}")
        self.theory.state(name, [(*k, str(n)) for k, n in sizes.items()])
        return member, name


def _names(literal: Literal) -> frozenset[str]:
    return frozenset(names_of([columns_of(literal)]))


def _variables(condition: Condition) -> Iterator[Variable]:
    yield from condition_variables(condition)


def _parts(literals: Sequence[Literal], bound: set[str]) -> Iterator[list[Literal]]:
    """Yield groups of conditions that are connected by unbound variables."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(literals)))
    for i, one in enumerate(literals):
        for j in range(i):
            if (_names(one) & _names(literals[j])) - bound:
                graph.add_edge(i, j)
    for part in nx.connected_components(graph):
        yield [literals[i] for i in sorted(part)]
