"""The translation of a sheet's rules to those of a theory, with absences expressed positively.

A fluent with one proved value becomes a fluent with a key: the absence of `b` means that it has another
value. Another fluent whose absence is needed has `yes` or `no` in an additional column. A concluded relation
gets a predicate for its absence if that is needed (absences.py). Relations that never change are complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product

from hornbook.kb.ast.terms import Absent, Atom, Comparison, Condition, Constant, Tense, Term, Variable
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import Column, Relation
from hornbook.planner.gdl.kif import KifVariable as SheetVariable
from hornbook.planner.translation.grounding import PossibleFacts, Row
from hornbook.planner.translation.induction.one_step import Single
from hornbook.planner.translation.induction.turns import RoleTurns
from hornbook.planner.translation.literals import (
    Differ,
    Fails,
    Holds,
    Literal,
    Same,
    SheetRule,
)
from hornbook.planner.translation.names import UniqueNames, relation_text, variable
from hornbook.planner.translation.refused import UntranslatableError
from hornbook.planner.translation.sorts import WORTH, ColumnSorts
from hornbook.planner.translation.theory import TheoryDraft
from hornbook.planner.translation.unfolding import unfolded
from hornbook.planner.translation.variant import Action, Variant

Conditions = list[Condition]
MOST_ALTERNATIVES = 256
TRUTH_SORT = "held"
"""The sort of `yes` and `no`."""
YES, NO = Constant("yes"), Constant("no")


@dataclass(frozen=True, slots=True)
class Fluent:
    """The form of a fluent in the theory.

    Its columns have a new order with the `key` first. `truth` tells whether it has yes or no.
    """

    name: str
    order: tuple[int, ...]
    key: int | None
    truth: bool


@dataclass(slots=True)
class Terms:
    """The terms of the theory for the columns of one rule."""

    sorts: ColumnSorts
    number: int
    known: dict[str, Variable] = field(default_factory=dict)

    def fresh(self, name: str) -> Variable:
        """Return a variable that does not occur in the rule."""
        taken = {v.name for v in self.known.values()}
        made, number = variable(name), 2
        while made.name in taken:
            made, number = Variable(f"{variable(name).name}_{number}"), number + 1
        self.known[f" {made.name}"] = made
        return made

    def of(self, column: Column, sort: str) -> Term:
        if isinstance(column, str):
            return Constant(int(column) if sort == WORTH else column)
        found = self.known.get(column.name)
        if found is None:
            found = self.fresh(column.name)
            self.known[column.name] = found
        return found

    def all_of(self, relation: Relation, columns: Sequence[Column]) -> tuple[Term, ...]:
        return tuple(self.of(c, self.sorts.of(relation, place)) for place, c in enumerate(columns))

    def pair(self, left: Column, right: Column) -> tuple[Term, Term]:
        """Return both sides of a comparison."""
        names = (c.name for c in (left, right) if isinstance(c, SheetVariable))
        sort = next((s for s in (self.sorts.of_variable(self.number, name) for name in names) if s), "")
        return self.of(left, sort), self.of(right, sort)


class SheetTranslator:
    """The translator. Raises UntranslatableError if something cannot be expressed."""

    def __init__(
        self,
        ground: PossibleFacts,
        singles: Sequence[Single],
        turns: RoleTurns,
        truths: frozenset[Relation],
        circular: frozenset[Relation],
    ) -> None:
        self.ground, self.turns = ground, turns
        self.circular = circular
        """The concluded relations with a fact that depends on itself."""
        self.sorts = ColumnSorts(ground, None if turns.fluent is None else (turns.fluent, turns.column))
        self.names = UniqueNames()
        self.theory = TheoryDraft(self.names)
        self.exact: dict[Relation, list[Single]] = {}
        self.most_one: dict[Relation, list[Single]] = {}
        for single in singles:
            (self.exact if single.exactly else self.most_one).setdefault(single.fluent, []).append(single)
        self.truths = truths
        """The yes-or-no fluents."""
        self.wanted_truths: set[Relation] = set()
        self.fluents = {r: self._fluent(r) for r in sorted(ground.facts) if r[0] == "true" and ground.has(r)}
        self.actions = {
            r: self._action(r) for r in sorted(ground.facts) if r[0] == "does" and self._is_chosen(r)
        }
        self.predicates: dict[Relation, str] = {}
        self.waiting: deque[Relation] = deque()

    # The declarations

    def _fluent(self, relation: Relation) -> Fluent:
        shape = relation[1][0]
        width = len(next(iter(self.ground.has(relation))))
        name = self.names.fresh(shape[0] if shape else "holds")
        sorts = self.sorts.of_columns(relation, width)
        if relation in self.truths:
            self.theory.declare("fluent", name, (*sorts, TRUTH_SORT), width)
            return Fluent(name, tuple(range(width)), width, truth=True)
        keyed = [*self.exact.get(relation, ()), *self.most_one.get(relation, ())]
        if not keyed or not width:
            self.theory.declare("fluent", name, sorts)
            return Fluent(name, tuple(range(width)), None, truth=False)
        single = keyed[0]
        order = (*single.key, *(c for c in range(width) if c not in single.key))
        key = len(single.key)
        if key == width:
            self.theory.declare("fluent", name, sorts)
            return Fluent(name, tuple(range(width)), None, truth=False)
        ending = " alternates" if relation == self.turns.fluent and self.turns.alternates else ""
        self.theory.declare("fluent", name, [sorts[c] for c in order], key, ending)
        return Fluent(name, order, key, truth=False)

    def _is_chosen(self, relation: Relation) -> bool:
        """Return whether some role may make such a move when it is its turn."""
        legal = ("legal", relation[1])
        if self.turns.fluent is None:
            return bool(self.ground.of.get(legal))
        return any(self._in_turn(number) for number in self.ground.of.get(legal, ()))

    def _in_turn(self, number: int) -> bool:
        """Return whether a rule for `legal` may apply to the role to move."""
        rule = self.ground.rules[number]
        for literal in rule.body:
            if isinstance(literal, Holds | Fails) and literal.relation == self.turns.fluent:
                named = literal.columns[self.turns.column]
                if isinstance(literal, Fails) and len(literal.columns) == 1 and named == rule.columns[0]:
                    return False
                if isinstance(literal, Holds) and self._differ(rule, named, rule.columns[0]):
                    return False
        return True

    def _differ(self, rule: SheetRule, one: Column, other: Column) -> bool:
        if isinstance(one, str) and isinstance(other, str):
            return one != other
        pairs = [
            literal.pairs[0]
            for literal in rule.body
            if isinstance(literal, Differ) and len(literal.pairs) == 1
        ]
        return (one, other) in pairs or (other, one) in pairs

    def _action(self, relation: Relation) -> Action:
        shape = relation[1][1]
        name = self.names.fresh(*((shape[0], f"{shape[0]}_move") if shape else ("do",)))
        width = len(next(iter(self.ground.has(relation))))
        sorts = self.sorts.of_columns(relation, width)
        may = self.names.fresh(f"may_{name}")
        self.theory.declare("action", name, sorts)
        self.theory.declare("derived", may, sorts)
        return Action(name, may, relation)

    def static(self, relation: Relation) -> str:
        """Return the name of a relation that never changes, and declare its facts."""
        rows = self.ground.has(relation)
        width = len(next(iter(rows)))
        return self.theory.table(
            relation_text(relation), self.sorts.of_columns(relation, width), rows, keyed=True
        )

    def predicate(self, relation: Relation) -> str:
        """Return the name of a concluded relation, whose rules are written later."""
        name = self.predicates.get(relation)
        if name is None:
            name = self.predicates[relation] = self.names.fresh(relation_text(relation))
            width = len(next(iter(self.ground.has(relation))))
            self.theory.declare("derived", name, self.sorts.of_columns(relation, width))
            self.waiting.append(relation)
        return name

    def is_static(self, relation: Relation) -> bool:
        return relation not in self.ground.kinds.changing and relation[0] not in ("true", "does")

    def is_acting(self, relation: Relation) -> bool:
        return relation in self.ground.kinds.acting

    # Conditions

    def alternatives(
        self, literal: Literal, terms: Terms, moment: Tense | None, *, outside: bool = True
    ) -> list[Conditions]:
        """Return the alternatives for a literal to hold, each as conditions; an empty list means never.

        `outside` tells whether the absence may also concern facts that are impossible.
        """
        match literal:
            case Same(left=left, right=right):
                return [[Comparison("=", *terms.pair(left, right))]]
            case Differ(pairs=pairs):
                if any(isinstance(a, str) and isinstance(b, str) and a != b for a, b in pairs):
                    return [[]]
                return [[Comparison("!=", *terms.pair(a, b))] for a, b in pairs if a != b]
            case Holds(relation=relation, columns=columns):
                if not self.ground.has(relation):
                    return []
                return [[self.atom(relation, terms.all_of(relation, columns), moment)]]
            case Fails(relation=relation, columns=columns):
                if not self.ground.has(relation):
                    return [[]]
                return list(self._absences(relation, columns, terms, moment, outside=outside))

    def combinations(
        self, literals: Iterable[Literal], terms: Terms, moment: Tense | None, outside: Mapping[Literal, bool]
    ) -> Iterator[Conditions]:
        """Yield the alternatives for literals to hold together."""
        ways = [
            self.alternatives(literal, terms, moment, outside=outside.get(literal, True))
            for literal in literals
        ]
        number = 1
        for each in ways:
            number *= len(each)
        if number > MOST_ALTERNATIVES:
            raise UntranslatableError(
                f"a rule expands to more than {MOST_ALTERNATIVES} rules", self.theory.place
            )
        for chosen in product(*ways):
            yield [condition for part in chosen for condition in part]

    def atom(
        self, relation: Relation, terms: tuple[Term, ...], moment: Tense | None, truth: Term = YES
    ) -> Atom:
        """Return the atom for a fact of a changing or static relation."""
        if self.is_static(relation):
            return Atom(self.static(relation), terms)
        fluent = self.fluents.get(relation)
        if fluent is None:
            return Atom(self.predicate(relation), terms, "after" if self.is_acting(relation) else moment)
        ordered = tuple(terms[c] for c in fluent.order)
        return Atom(fluent.name, (*ordered, truth) if fluent.truth else ordered, moment)

    def _absences(
        self,
        relation: Relation,
        columns: Sequence[Column],
        terms: Terms,
        moment: Tense | None,
        *,
        outside: bool,
    ) -> Iterator[Conditions]:
        found = terms.all_of(relation, columns)
        if self.is_static(relation):
            yield from self.not_in(self.static(relation), range(len(found)), found)
            return
        fluent = self.fluents.get(relation)
        if fluent is None:
            yield [Atom(self.absence(relation), found, "after" if self.is_acting(relation) else moment)]
            yield from self._never(relation, range(len(columns)), found, outside=outside)
            return
        if fluent.truth or relation not in self.exact:
            self.wanted_truths.add(relation)
            yield [self.atom(relation, found, moment, NO)]
            yield from self._never(relation, range(len(columns)), found, outside=outside)
            return
        single = self.exact[relation][0]
        values = {c: terms.fresh(f"other_{c + 1}") for c in range(len(columns)) if c not in single.key}
        there = tuple(values.get(c, term) for c, term in enumerate(found))
        for column, value in values.items():
            yield [self.atom(relation, there, moment), Comparison("!=", value, found[column])]
        yield from self._never(relation, single.key, found, outside=outside)

    def _never(
        self, relation: Relation, columns: Sequence[int], found: tuple[Term, ...], *, outside: bool
    ) -> Iterator[Conditions]:
        """Yield the condition that such a fact is impossible, if that may be asked."""
        if outside and columns:
            values = tuple(found[c] for c in columns)
            yield from self.not_in(self.domain(relation, columns), range(len(values)), values)

    def not_in(self, table: str, columns: Sequence[int], values: tuple[Term, ...]) -> Iterator[Conditions]:
        """Yield the condition that no row of a table has these terms in its columns.

        Nothing is yielded if every combination has a row.
        """
        if self.theory.is_large_outside(table, columns, self.sorts.values.__getitem__):
            places = dict(zip(columns, values, strict=True))
            width = range(len(self.theory.declared[table].sorts))
            yield [Absent((Atom(table, tuple(places.get(c, Variable("_")) for c in width)),))]
            return
        name = self.theory.outside(table, columns, self.sorts.values.__getitem__)
        if name is not None:
            yield [Atom(name, values)]

    def domain(self, relation: Relation, columns: Sequence[int]) -> str:
        """Return the name of a table of the possible values of these columns."""
        rows = frozenset(tuple(row[c] for c in columns) for row in self.ground.has(relation))
        sorts = tuple(self.sorts.of(relation, c) for c in columns)
        name = self.fluents[relation].name if relation in self.fluents else relation_text(relation)
        whole = len(columns) == len(next(iter(self.ground.has(relation))))
        return self.theory.table(f"{name}_{'domain' if whole else 'place'}", sorts, rows)

    def absence(self, relation: Relation) -> str:
        """Return the name of the absence of a concluded relation; absences.py overrides this."""
        raise NotImplementedError

    def outside_of(self, number: int) -> dict[Literal, bool]:
        """Return for each absence in a rule whether it may concern an impossible fact."""
        rule = self.ground.rules[number]
        names = {name: place for place, name in enumerate(rule.variables)}
        found: dict[Literal, bool] = {}
        for literal in rule.body:
            if isinstance(literal, Fails) and not self.is_static(literal.relation):
                columns = range(len(literal.columns))
                single = self.exact.get(literal.relation)
                if single and literal.relation not in self.truths:
                    columns = single[0].key  # type: ignore[assignment]
                there = {tuple(row[c] for c in columns) for row in self.ground.has(literal.relation)}
                picked = [literal.columns[c] for c in columns]
                queried = {
                    tuple(c if isinstance(c, str) else row[names[c.name]] for c in picked)
                    for row in self.ground.instances[number]
                }
                found[literal] = not queried <= there
        return found

    # Rules

    def rule_at(self, number: int) -> SheetRule:
        """Return the rule of the sheet at an index, and record that it is being translated."""
        rule = self.ground.rules[number]
        self.theory.place = rule.origin.clause.span
        return rule

    def turn(self, role: Term, moment: Tense | None) -> Conditions:
        """Return the conditions for the turn of a role."""
        if self.turns.fluent is None:
            return []
        width = len(next(iter(self.ground.has(self.turns.fluent))))
        terms = tuple(role if c == self.turns.column else Variable(f"_{c}") for c in range(width))
        return [self.atom(self.turns.fluent, terms, moment)]

    def label(self, relation: Relation, number: int) -> str:
        line = self.ground.rules[number].origin.clause.span.line
        name = (
            relation[1][0][0]
            if relation[0] in ("next", "true") and relation[1] and relation[1][0]
            else relation_text(relation)
        )
        return f"{name}_by_line_{line}"

    def conclude(self, relation: Relation) -> None:
        """Write the rules that conclude a derived relation."""
        name = self.predicates[relation]
        for number in self.ground.of.get(relation, ()):
            rule = self.rule_at(number)
            if self.is_acting(relation):
                self._concluded_by_action(number, relation, name, ())
                continue
            terms = Terms(self.sorts, number)
            head = Atom(name, terms.all_of(relation, rule.columns))
            for body in self.combinations(rule.body, terms, None, self.outside_of(number)):
                self.theory.add(self.label(relation, number), head, body)

    def write_next(self, relation: Relation) -> None:
        """Write the rules for the next value of a fluent."""
        fluent = self.fluents[relation]
        for number in self.ground.of.get(("next", relation[1]), ()):
            self._concluded_by_action(number, relation, fluent.name, (YES,) if fluent.truth else ())

    def _concluded_by_action(
        self, number: int, relation: Relation, name: str, more: tuple[Term, ...]
    ) -> None:
        fluent = self.fluents.get(relation)
        self.rule_at(number)
        for variant in unfolded(self, self.variants(number)):
            terms = Terms(self.sorts, number)
            found = terms.all_of(relation, variant.head)
            if fluent is not None:
                found = tuple(found[c] for c in fluent.order)
            done = self.action_conditions(variant, terms)
            for body in self.combinations(variant.body, terms, "before", self.outside_of(number)):
                self.theory.add(
                    self.label(relation, number), Atom(name, (*found, *more), "after"), [*done, *body]
                )

    def action_conditions(self, variant: Variant, terms: Terms) -> Conditions:
        """Return the conditions that an action is made and is legal."""
        found = terms.all_of(variant.action.relation, variant.columns)
        return [Atom(variant.action.name, found), Atom(variant.action.may, found, "before")]

    def variants(self, number: int) -> Iterator[Variant]:
        """Yield a rule that depends on moves, once for each action that it can refer to."""
        rule = self.ground.rules[number]
        span = rule.origin.clause.span
        for action in self.actions.values():
            width = len(next(iter(self.ground.has(action.relation))))
            open_ = tuple(SheetVariable(f" done {c}", span) for c in range(width))
            # The first `does` condition that can match this action is identified with it; the others become
            # equations.
            yield from self._variants(rule, action, open_, list(rule.body), [], taken=None)

    def _variants(
        self,
        rule: SheetRule,
        action: Action,
        open_: tuple[Column, ...],
        left: list[Literal],
        body: list[Literal],
        taken: tuple[Column, ...] | None,
    ) -> Iterator[Variant]:
        while left and not (isinstance(left[0], Holds | Fails) and left[0].relation[0] == "does"):
            body = [*body, left[0]]
            left = left[1:]
        if not left:
            yield Variant(action, rule.columns, taken or open_, tuple(body))
            return
        literal, rest = left[0], left[1:]
        assert isinstance(literal, Holds | Fails)
        is_this = literal.relation == action.relation
        waits = self._waits(literal)
        actor = (taken or open_)[0]
        if isinstance(literal, Holds):
            if is_this and taken is None:
                yield from self._variants(rule, action, open_, rest, body, literal.columns)
            elif is_this and taken is not None:
                equal: list[Literal] = [
                    Same(a, b) for a, b in zip(taken, literal.columns, strict=True) if a != b
                ]
                if not any(
                    isinstance(e, Same) and isinstance(e.left, str) and isinstance(e.right, str)
                    for e in equal
                ):
                    yield from self._variants(rule, action, open_, rest, [*body, *equal], taken)
            for role, words in waits:
                # The player of this move is not to move.
                yield from self._variants(
                    rule, action, open_, rest, [*body, *self._waiting(literal, role, words, actor)], taken
                )
            return
        # No role makes this move: the player to move makes another one, and the waiting roles do not make it.
        mine: list[Literal] = (
            [Differ(tuple(zip(taken or open_, literal.columns, strict=True)))] if is_this else []
        )
        for role, words in waits:
            pairs = tuple(zip((role, *words), literal.columns, strict=True))
            if all(isinstance(b, str) for _, b in pairs):
                if all(a == b for a, b in pairs):
                    mine.append(Same(actor, role))
                continue
            raise UntranslatableError(
                "the absence of what a role does while it waits", rule.origin.clause.span
            )
        yield from self._variants(rule, action, open_, rest, [*body, *mine], taken)

    def _waits(self, literal: Holds | Fails) -> list[tuple[str, Row]]:
        """Return the idle moves of roles that the literal may refer to."""
        found = []
        for role, (relation, row) in sorted(self.turns.idle.items()):
            if relation == literal.relation and all(
                not isinstance(c, str) or c == w for c, w in zip(literal.columns, row, strict=True)
            ):
                found.append((role, row[1:]))
        return found

    def _waiting(self, literal: Holds, role: str, words: Row, actor: Column) -> list[Literal]:
        found: list[Literal] = [Differ(((actor, role),))]
        for column, word in zip(literal.columns, (role, *words), strict=True):
            if isinstance(column, SheetVariable):
                found.append(Same(column, word))
        return found

    def write(self) -> None:
        """Write the rules of all requested relations, and of those that these need."""
        for relation in self.fluents:
            self.write_next(relation)
        self.write_waiting()

    def write_waiting(self) -> None:
        while self.waiting:
            self.conclude(self.waiting.popleft())
