"""The coder: translates theories, facts and queries to coded programs, and coded facts back to statements.

A predicate that changes becomes two coded predicates, one for each moment. A timeless rule becomes one coded
rule for each moment, or only for `before` if the theory has no action, since then there is no moment after
one.

Words become cells by a table that only grows. An integer is its own cell in a column of integers. In a mixed
column it has a cell of the table, as words have. The sort of a column determines the kind, so a coded fact
can always be decoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import Literal

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT, Predicate
from hornbook.kb.ast.operators import signature
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.lower.definitions import definition
from hornbook.kb.lower.word_functions import OF_WORDS, value_of
from hornbook.kb.text.literals.forms import Form
from hornbook.kb.text.literals.functions import DEFINITIONS
from hornbook.kb.text.literals.values import WrittenInteger
from hornbook.matcher.program import coded as program
from hornbook.matcher.program.coded import (
    Cell,
    CodedCondition,
    CodedExpression,
    CodedTerm,
    Fact,
    PredicateId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass

Moment = t.Tense | None
ColumnKind = Literal["word", "integer", "mixed"]
"""The kind of a column: words, integers, or both. Only in integer columns are values their own cells."""
Forms = tuple[type[WrittenInteger] | None, ...]
"""The classes of integers with a text of their own, such as dates; None for other values."""


def _shown(kinds: Sequence[ColumnKind], forms: Forms | None) -> tuple[str, ...]:
    if forms is None:
        return tuple(kinds)
    return tuple([kind if form is None else form.kind for kind, form in zip(kinds, forms, strict=True)])


@dataclass(frozen=True, slots=True)
class Relation:
    """A coded predicate: the template of its statements at a moment, with the sorts and kinds of
    its columns.
    """

    template: t.Statement
    sorts: tuple[str, ...]
    columns: tuple[ColumnKind, ...]
    forms: Forms | None = None
    """The classes of the integers of each column, or None if no column has a form."""

    @property
    def shown_kinds(self) -> tuple[str, ...]:
        """The kinds of the columns in tables: those of `columns`, or the forms of integers."""
        return _shown(self.columns, self.forms)


@dataclass(frozen=True, slots=True)
class CodedRuleId:
    """Rule `index` of a knowledge base, read at `moment` (None if the rule states its moments)."""

    index: int
    moment: Moment


@dataclass(frozen=True, slots=True)
class CodedQuery:
    """A query's coded conditions, and its named variables in order of first appearance."""

    conditions: tuple[CodedCondition, ...]
    names: tuple[str, ...]
    variables: tuple[Var, ...]
    kinds: tuple[ColumnKind, ...]
    written: tuple[t.Condition, ...] = field(default=(), compare=False, repr=False)
    """The conditions before coding."""
    numbered: RuleVariables | None = field(default=None, compare=False, repr=False)
    forms: Forms | None = None
    """The classes of the answers' integers, or None if none has a form."""

    @property
    def shown_kinds(self) -> tuple[str, ...]:
        """The kinds of the answers' columns in tables: those of `kinds`, or the forms of integers."""
        return _shown(self.kinds, self.forms)

    @property
    def mixed(self) -> frozenset[str]:
        """The variables with words and integers."""
        return frozenset(name for name, kind in zip(self.names, self.kinds, strict=True) if kind == "mixed")


@dataclass(frozen=True, slots=True)
class RuleVariables:
    """The variables of a coded rule that are not local to one of its conditions: numbers and kinds."""

    numbers: Mapping[str, Var]
    kinds: Mapping[str, ColumnKind]
    forms: Mapping[str, Form] = field(default_factory=dict)
    """The forms of variables with dates, times or decimal numbers."""


def values_with_forms(values: Sequence[str | int], forms: Forms) -> tuple[str | int, ...]:
    """Return the values with the classes of dates, times and decimal numbers."""
    return tuple([value if form is None else form(value) for value, form in zip(values, forms, strict=True)])


class Coding:
    """The numbers of the names of one vocabulary, in both directions."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.predicates: list[program.CodedPredicate] = []
        self.relations: list[Relation] = []
        self._ids: dict[tuple[str, Moment], PredicateId] = {}
        self._cells: dict[str | int, Cell] = {}
        self._words: list[str | int] = []
        self._constants: dict[Cell, t.Constant] = {}
        """The words as constants, by their cells, as far as they were needed."""
        self.functions: dict[str, program.Function] = {}
        """The word functions in coded rules and queries."""
        self._variables: dict[CodedRuleId, RuleVariables] = {}
        self._later: Callable[[CodedRuleId], RuleVariables] | None = None
        self._closed_by = {p.closes: p.name for p in vocabulary.predicates.values() if p.closes is not None}
        self.has_forms = any(sort.form is not None for sort in vocabulary.sorts.values())
        self.has_mixed = any(sort.kind == "mixed" for sort in vocabulary.sorts.values())
        self.moments: tuple[t.Tense, ...] = ("before", "after") if self._actions() else ("before",)
        for predicate in vocabulary.predicates.values():
            self._declare(predicate)
        for predicate in vocabulary.predicates.values():
            self._declare_key(predicate)
        self.actions = frozenset(self._ids[p.name, None] for p in self._actions())
        self.unchanging = frozenset(
            self._ids[p.name, None] for p in vocabulary.predicates.values() if p.kind == "static"
        )
        self.demanded = frozenset(
            number
            for (name, _), number in self._ids.items()
            if name in vocabulary.predicates and vocabulary.predicates[name].demanded
        )

    def copy(self) -> Coding:
        """Return another coding with the same words and rules. Later additions to either are not shared."""
        other = Coding(self.vocabulary)
        other._cells, other._words = dict(self._cells), list(self._words)
        other._variables, other._later = dict(self._variables), self._later
        return other

    def restore(self, words: Iterable[str | int], variables: Callable[[CodedRuleId], RuleVariables]) -> None:
        """Use the words of another coding with this vocabulary, and its rules, whose variables are read on
        demand.
        """
        self._words = list(words)
        self._constants = {}
        self._cells = {word: cell for cell, word in enumerate(self._words)}
        self._later = variables

    # Predicates

    def _actions(self) -> list[Predicate]:
        return [p for p in self.vocabulary.predicates.values() if p.kind == "action"]

    def _declare(self, predicate: Predicate) -> None:
        arguments = tuple(t.Variable(f"_{i + 1}") for i in range(predicate.arity))
        sorts = tuple(column.name for column in predicate.columns)
        for moment in self.moments if predicate.has_tense else (None,):
            atom = t.Atom(predicate.name, arguments, moment)
            if predicate.kind != "game":
                self._add(atom, sorts)
                continue
            value = t.Variable("_v")
            self._add(t.GameStatement(atom, None, value), (*sorts, VALUE_SORT))
            for action in self._actions():
                by = t.Atom(action.name, tuple(t.Variable(f"_a{i + 1}") for i in range(action.arity)))
                by_sorts = tuple(column.name for column in action.columns)
                self._add(t.GameStatement(atom, by, value), (*sorts, *by_sorts, VALUE_SORT))

    def _add(self, template: t.Statement, sorts: tuple[str, ...]) -> None:
        self._ids[template.relation, template.tense] = len(self.predicates)
        self.predicates.append(program.CodedPredicate(len(sorts)))
        forms = tuple(self._class(sort) for sort in sorts) if self.has_forms else ()
        kinds = tuple(map(self.kind, sorts))
        self.relations.append(Relation(template, sorts, kinds, forms if any(forms) else None))

    def _declare_key(self, predicate: Predicate) -> None:
        """Add keys and counts, which refer to other predicates, after all predicates have numbers."""
        if predicate.key is None or predicate.kind == "game":
            return
        for moment in self.moments if predicate.has_tense else (None,):
            counts = None if predicate.closes is None else self._ids[predicate.closes, moment]
            coded = program.CodedPredicate(predicate.arity, predicate.key, counts)
            self.predicates[self._ids[predicate.name, moment]] = coded

    def is_integer(self, sort: str) -> bool:
        return self.kind(sort) == "integer"

    def kind(self, sort: str) -> ColumnKind:
        """Return the kind of a column of a sort."""
        kind = "integer" if sort == INTEGER_SORT else self.vocabulary.sorts[sort].kind
        return kind if kind in ("integer", "mixed") else "word"

    def _class(self, sort: str) -> type[WrittenInteger] | None:
        """Return the class of the integers of a sort with a form."""
        form = None if sort == INTEGER_SORT else self.vocabulary.sorts[sort].form
        return None if form is None else form.number

    def predicate_id(self, relation: str, moment: Moment) -> PredicateId:
        """Return the number of a relation at a moment. A fluent without a moment means `before`; a static has
        none.
        """
        timeless = self._ids.get((relation, None))
        return self._ids[relation, moment or "before"] if timeless is None else timeless

    # Cells

    def cell(self, value: str | int, kind: ColumnKind) -> Cell:
        """Return the cell of a value in a column of a kind."""
        if kind == "integer":
            assert isinstance(value, int)
            return value if type(value) is int else int(value)
        known = self._cells.get(value)
        if known is None:
            known = self._cells[value] = len(self._words)
            self._words.append(value)
        return known

    def words(self) -> tuple[str | int, ...]:
        """Return the values in the table of cells: words, and integers of mixed columns."""
        return tuple(self._words)

    def word(self, cell: Cell) -> str | int:
        return self._words[cell]

    def value(self, cell: Cell, kind: ColumnKind) -> str | int:
        return cell if kind == "integer" else self._words[cell]

    def row_values(
        self, cells: Sequence[Cell], kinds: Sequence[ColumnKind], forms: Forms | None
    ) -> tuple[str | int, ...]:
        """Return the values of the cells of a fact or an answer."""
        values = tuple([self.value(cell, kind) for cell, kind in zip(cells, kinds, strict=True)])
        return values if forms is None else values_with_forms(values, forms)

    # Functions

    def function(self, name: str) -> program.Function:
        """Return a word function on cells. Its results get cells too."""
        known = self.functions.get(name)
        if known is None:
            kinds = signature(name)

            def of(cells: tuple[Cell, ...]) -> Cell | None:
                taken = zip(cells, kinds.taken(len(cells)), strict=True)
                given = value_of(name, tuple([self.value(cell, kind) for cell, kind in taken]))
                return None if given is None else self.cell(given, kinds.result)

            known = self.functions[name] = program.Function(name, of)
        return known

    # Facts

    def fact(self, fact: GroundFact) -> Fact:
        """Return the coded fact. It must fit the vocabulary (checked in kb/parse/facts.py)."""
        number = self.predicate_id(fact.relation, fact.tense)
        return Fact(number, self._row(fact.values, number))

    def fact_of(self, statement: t.Statement) -> Fact:
        """Return the coded fact of a ground statement."""
        values = tuple(term.value for term in statement.terms if isinstance(term, t.Constant))
        assert len(values) == len(statement.terms), statement
        number = self.predicate_id(statement.relation, statement.tense)
        return Fact(number, self._row(values, number))

    def _row(self, values: tuple[str | int, ...], number: PredicateId) -> tuple[Cell, ...]:
        columns = self.relations[number].columns
        return tuple([self.cell(value, kind) for value, kind in zip(values, columns, strict=True)])

    def ground(self, fact: Fact) -> GroundFact:
        relation = self.relations[fact.predicate]
        values = self.row_values(fact.cells, relation.columns, relation.forms)
        return GroundFact(relation.template.relation, values, relation.template.tense)

    def statement(self, fact: Fact) -> t.Statement:
        """Return the fact as a statement, without its moment if the theory has only one."""
        relation = self.relations[fact.predicate]
        terms = tuple(map(t.Constant, self.row_values(fact.cells, relation.columns, relation.forms)))
        statement = relation.template.with_terms(terms)
        return statement if len(self.moments) > 1 else statement_at(statement, None, self.vocabulary)

    # Rules and queries

    def rule(self, index: int, rule: t.Rule) -> list[program.CodedRule]:
        """Return the coded rules of a rule: one, or for a timeless rule one for each moment at which it is
        valid.
        """
        return [self._rule(CodedRuleId(index, moment), rule, moment) for moment in self._moments_of(rule)]

    def _moments_of(self, rule: t.Rule) -> Sequence[Moment]:
        statements = [rule.head, *t.statements(rule.body)]
        if any(statement.tense for statement in statements):
            return (None,)
        changing = any((s.relation, None) not in self._ids for s in statements)
        if not changing:
            return (None,)
        return ("before",) if rule.of_given else self.moments

    def _rule(self, rule_id: CodedRuleId, rule: t.Rule, moment: Moment) -> program.CodedRule:
        own = {term.name for term in rule.head.terms if isinstance(term, t.Variable)}
        scope = self._scope(moment, rule.body, own, rule.head)
        body = scope.conditions(rule.body, own)
        head = scope.match(rule.head)
        forms = self._variable_forms(rule.head, rule.body)
        self._variables[rule_id] = RuleVariables(scope.numbers, scope.all_kinds(rule.body), forms)
        return program.CodedRule(rule_id, head, body, scope.size)

    def _scope(
        self, moment: Moment, conditions: tuple[t.Condition, ...], own: set[str], head: t.Statement | None
    ) -> _Scope:
        """Return the scope for coding conditions. With mixed sorts, a first coding determines the mixed
        variables.
        """
        if not self.has_mixed:
            return _Scope(self, moment)
        first = _Scope(self, moment)
        first.conditions(conditions, own)
        if head is not None:
            first.match(head)
        return _Scope(self, moment, first.mixed())

    def substitution(self, rule_id: CodedRuleId, binding: tuple[Cell | None, ...]) -> dict[str, t.Constant]:
        """Return the values of a rule's variables in a binding of the coded rule."""
        return self._values(self.variables_of(rule_id), binding)

    def variables_of(self, rule_id: CodedRuleId) -> RuleVariables:
        """Return the variables of a coded rule."""
        known = self._variables.get(rule_id)
        if known is None:
            if self._later is None:
                raise KeyError(rule_id)
            known = self._variables[rule_id] = self._later(rule_id)
        return known

    def values_of_query(self, query: CodedQuery, binding: tuple[Cell | None, ...]) -> dict[str, t.Constant]:
        """Return the values of a query's variables in a binding."""
        return {} if query.numbered is None else self._values(query.numbered, binding)

    def _values(self, known: RuleVariables, binding: tuple[Cell | None, ...]) -> dict[str, t.Constant]:
        kinds, constants = known.kinds, self._constants
        found: dict[str, t.Constant] = {}
        for name, number in known.numbers.items():
            cell = binding[number.index]
            if cell is None:
                continue
            if kinds.get(name) == "integer":
                form = known.forms.get(name)
                found[name] = t.Constant(cell if form is None else form.number(cell))
            else:
                constant = constants.get(cell)
                if constant is None:
                    constant = constants[cell] = t.Constant(self._words[cell])
                found[name] = constant
        return found

    def variables(self, rule_id: CodedRuleId) -> dict[int, tuple[str, ColumnKind]]:
        """Return the name and kind of each numbered variable of a coded rule, without local ones."""
        known = self.variables_of(rule_id)
        return {number.index: (name, known.kinds.get(name, "word")) for name, number in known.numbers.items()}

    def query(self, conditions: Sequence[t.Condition]) -> CodedQuery:
        scope = self._scope(None, tuple(conditions), set(), None)
        coded = scope.conditions(tuple(conditions), set())
        names = [v.name for v in t.answered_variables(conditions)]
        names = list(dict.fromkeys(names))
        kinds = scope.all_kinds(tuple(conditions))
        forms = self._variable_forms(None, tuple(conditions))
        classes = tuple(forms[name].number if name in forms else None for name in names)
        return CodedQuery(
            coded,
            tuple(names),
            tuple(scope.numbers[name] for name in names),
            tuple(kinds.get(name, "word") for name in names),
            tuple(conditions),
            RuleVariables(scope.numbers, kinds, forms),
            classes if forms else None,
        )

    def _variable_forms(
        self, head: t.Statement | None, conditions: tuple[t.Condition, ...]
    ) -> Mapping[str, Form]:
        """Return the forms of the variables that have one."""
        if not self.has_forms:
            return {}
        from hornbook.kb.check.clauses.sorts import variable_forms  # noqa: PLC0415 - slow to import

        return variable_forms(head, conditions, self.vocabulary)

    def closing(self, member: t.Atom, moment: Moment) -> PredicateId:
        """Return the predicate that counts the members of a relation, at the moment of the member atom."""
        return self.predicate_id(self._closed_by[member.predicate], member.tense or moment)


class _Scope:
    """The numbering of the variables of one rule. Local variables of nested conditions get numbers of their
    own.

    `has_both` are the numbers of variables with words and integers. An integer that is compared with one of
    them is coded by the table of words.
    """

    def __init__(self, coding: Coding, moment: Moment, has_both: AbstractSet[int] = frozenset()) -> None:
        self.has_both = has_both
        self.in_mixed: set[int] = set()
        self.equated: list[tuple[int, int]] = []
        self.coding = coding
        self.moment = moment
        self.numbers: dict[str, Var] = {}
        self.kinds: dict[str, ColumnKind] = {}
        self.size = 0
        self._ids: dict[tuple[str, Moment], PredicateId] = {}

    def conditions(
        self, conditions: tuple[t.Condition, ...], outside: set[str]
    ) -> tuple[CodedCondition, ...]:
        names = outside | {variable.name for variable in t.outer_variables(conditions)}
        for name in sorted(names - self.numbers.keys()):
            self._number(name)
        return tuple([self._condition(condition, names) for condition in conditions])

    def mixed(self) -> set[int]:
        """Return the variables in mixed columns, and the variables that are compared with them."""
        found, size = set(self.in_mixed), -1
        while size != len(found):
            size = len(found)
            found |= {each for pair in self.equated if found & set(pair) for each in pair}
        return found

    def _number(self, name: str) -> Var:
        number = self.numbers[name] = Var(self.size)
        self.size += 1
        return number

    def _inside(
        self, conditions: tuple[t.Condition, ...], listed: Iterable[t.Variable], names: set[str]
    ) -> tuple[tuple[Var, ...], tuple[CodedCondition, ...]]:
        """Code nested conditions. Local variables get new numbers."""
        outer = dict(self.numbers)
        self.numbers = {name: number for name, number in outer.items() if name in names}
        listed = tuple(listed)
        variables = tuple(self.numbers.get(v.name) or self._number(v.name) for v in listed)
        coded = self.conditions(conditions, names | {v.name for v in listed})
        self.numbers = outer
        return variables, coded

    def _condition(self, condition: t.Condition, names: set[str]) -> CodedCondition:
        match condition:
            case t.Atom() | t.GameStatement() | t.PlanStatement():
                return self.match(condition)
            case t.Comparison():
                return self._comparison(condition)
            case t.All():
                listed = condition.variables
                outer = names - {variable.name for variable in listed}
                members, inner = self._inside(condition.conditions, listed, outer)
                closed = self._set(condition.member, len(listed))
                own = condition.member.terms[-len(listed) :]
                self._note_mixed(closed.member, (*closed.key, *(members[listed.index(v)] for v in own)))
                return program.AllOf(closed, members, inner)
            case t.CountIn():
                width = len(condition.variables)
                sets = tuple(self._set(member, width) for member in condition.sets)
                kind = self.coding.relations[sets[0].member].columns[-1]
                excluded = tuple(self.term(term, kind) for term in condition.excluded)
                return program.CountOf(self.expression(condition.result), sets, width, excluded)
            case t.Aggregate():
                outer = names - {variable.name for variable in condition.variables}
                variables, inner = self._inside(condition.conditions, condition.variables, outer)
                result = self.expression(condition.result)
                return program.AggregateOf(result, condition.function, variables, inner)
            case t.Absent():
                return program.AbsentOf(self._inside(condition.conditions, (), names)[1])

    def _comparison(self, comparison: t.Comparison) -> program.Compare:
        left, right = comparison.left, comparison.right
        one, other = self._kind_for_constant(right, left), self._kind_for_constant(left, right)
        if isinstance(left, t.Variable) and isinstance(right, t.Variable) and self.coding.has_mixed:
            self.equated.append((self.numbers[left.name].index, self.numbers[right.name].index))
        return program.Compare(comparison.operator, self.expression(left, one), self.expression(right, other))

    def _kind_for_constant(self, other: t.Expression, side: t.Expression) -> ColumnKind | None:
        """Return the kind for coding a constant that is compared with another side, or None for
        its own kind.
        """
        if not isinstance(side, t.Constant) or isinstance(other, t.Operation):
            return None
        if isinstance(other, t.Variable):
            return "mixed" if self.numbers[other.name].index in self.has_both else None
        # A word and an integer are never equal.
        return "mixed" if isinstance(other.value, str) else None

    def _set(self, member: t.Atom, width: int) -> program.ClosedSet:
        """Return the closed set of a member atom. Its key consists of the terms before the columns of the
        members.
        """
        number = self._predicate(member)
        columns = self.coding.relations[number].columns
        terms = member.terms[: len(member.terms) - width]
        key = tuple([self.term(term, kind) for term, kind in zip(terms, columns, strict=False)])
        self._note_mixed(number, key)
        for term, kind in zip(member.terms, self.coding.relations[number].columns, strict=True):
            if isinstance(term, t.Variable):
                self.kinds[term.name] = kind
        return program.ClosedSet(self.coding.closing(member, self.moment), number, key)

    def _predicate(self, statement: t.Statement) -> PredicateId:
        key = statement.relation, statement.tense
        number = self._ids.get(key)
        if number is None:
            relation, tense = key
            number = self._ids[key] = self.coding.predicate_id(relation, tense or self.moment)
        return number

    def match(self, statement: t.Statement) -> program.Match:
        number = self._predicate(statement)
        return program.Match(number, self._terms(statement, number))

    def _terms(self, statement: t.Statement, number: PredicateId) -> tuple[CodedTerm, ...]:
        """Return the coded terms of a statement, and record the kinds of its variables."""
        coded: list[CodedTerm] = []
        for term, kind in zip(statement.terms, self.coding.relations[number].columns, strict=True):
            if isinstance(term, t.Variable):
                self.kinds[term.name] = kind
                coded.append(self.numbers[term.name])
            else:
                coded.append(self.coding.cell(term.value, kind))
        self._note_mixed(number, coded)
        return tuple(coded)

    def _note_mixed(self, number: PredicateId, terms: Sequence[CodedTerm]) -> None:
        """Record the variables in mixed columns of a relation."""
        if self.coding.has_mixed:
            for term, kind in zip(terms, self.coding.relations[number].columns, strict=False):
                if isinstance(term, Var) and kind == "mixed":
                    self.in_mixed.add(term.index)

    def all_kinds(self, conditions: tuple[t.Condition, ...]) -> dict[str, ColumnKind]:
        """Return the kind of each variable, including those bound by arithmetic."""
        kinds = self.kinds
        equations = [c for c in conditions if isinstance(c, t.Comparison) and c.operator == "="]
        for condition in conditions:
            if isinstance(condition, t.CountIn | t.Aggregate) and isinstance(condition.result, t.Variable):
                kinds[condition.result.name] = "integer"
        # Equations with constants come last: a mixed variable may be compared with a number.
        without = [
            e for e in equations if not isinstance(e.left, t.Constant) and not isinstance(e.right, t.Constant)
        ]
        for some in [*[without] * len(without), *[equations] * len(equations)]:
            for equation in some:
                for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
                    if isinstance(one, t.Variable) and one.name not in kinds:
                        kind = _kind(other, kinds)
                        if kind is not None:
                            kinds[one.name] = kind
        return kinds

    def term(self, term: t.Term, kind: ColumnKind | None = None) -> CodedTerm:
        if isinstance(term, t.Constant):
            own: ColumnKind = "integer" if isinstance(term.value, int) else "word"
            return self.coding.cell(term.value, kind or own)
        return self.numbers[term.name]

    def expression(self, expression: t.Expression, kind: ColumnKind | None = None) -> CodedExpression:
        if isinstance(expression, t.Operation):
            if expression.operator in DEFINITIONS:
                return self.expression(definition(expression))
            operands = [self.expression(operand) for operand in expression.operands]
            if expression.operator == "abs":
                operands.append(program.Apply("-", 0, *operands))
                return program.Apply("max", *operands)
            if expression.operator in OF_WORDS:
                return program.Call(self.coding.function(expression.operator), tuple(operands))
            return program.Apply(expression.operator, *operands)
        return self.term(expression, kind)


def _kind(expression: t.Expression, kinds: Mapping[str, ColumnKind]) -> ColumnKind | None:
    match expression:
        case t.Variable():
            return kinds.get(expression.name)
        case t.Constant():
            return "integer" if isinstance(expression.value, int) else "word"
        case t.Operation():
            return signature(expression.operator).result
