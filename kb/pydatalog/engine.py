"""The second query engine: rules and facts are handed to pyDatalog, which answers goal by goal.

It shares nothing with `matcher`, so it is an independent second opinion on the part of the language that it
has: conjunctions, comparisons, linear recursion, and `absent` in queries. What lies beyond is refused with
the place where it stands, but only where the query can reach it. All is read at the moment before an action.
Keys (`->`) and counts are not watched here.

No name of a theory becomes a name of pyDatalog, where an upper-case word is a variable and others are
reserved: predicates and variables are numbered, and words are quoted behind a letter (the word `True` alone
would come back as a truth value), so that they also stay apart from integers. `absent` is never
handed over (pyDatalog's negation of a conjunction is unreliable): the answers to `C, absent D` are those to
`C` without those to `C, D`, and both are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import networkx as nx

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query
from hornbook.kb.pydatalog.process import Program, PyDatalogError, Row, run
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.program.operators import MIRRORED

_COMPARISONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
SECONDS = 60.0
"""How long pyDatalog may take, if nothing else is said."""
_PLACEHOLDER = 0
"""The one value of a predicate without columns, since pyDatalog's predicates have some."""


class UnsupportedError(HornbookError):
    """Something that pyDatalog cannot answer, or not be trusted with; `span` is where it stands, if anywhere."""

    def __init__(self, reason: str, span: t.Span | None = None) -> None:
        self.reason, self.span = reason, span
        place = "" if span is None else f"{span}: "
        super().__init__(f"{place}pyDatalog cannot answer this: {reason}")


def answer(
    theory: Theory, facts: Iterable[GroundFact], query: Query, *, seconds: float | None = SECONDS
) -> list[Row]:
    """The answers to a query: values of its named variables in order of first appearance, distinct and sorted.

    `facts` are given besides those of the theory. pyDatalog may not end on a program with recursion: after
    `seconds` it is ended, and TimeLimitError is raised. Raises UnsupportedError.
    """
    question = _Question.of(query.conditions)
    asked = [atom for each in question.all() for atom in _atoms(each.conditions)]
    translation = _Translation()
    for rule in _reachable_rules(theory, asked):
        translation.rule(rule)
    for each in question.all():
        translation.goal(each)
    for fact in (*map(ground_fact, theory.facts), *facts):
        translation.fact(fact)
    try:
        found = run(translation.program(), seconds)
    except PyDatalogError as problem:
        raise UnsupportedError(str(problem)) from problem
    rows = question.combine(iter(found))
    decoded = (tuple(v[1:] if isinstance(v, str) else v for v in row) for row in rows)
    return sorted(decoded, key=lambda row: [(isinstance(value, str), value) for value in row])


# Questions


@dataclass(frozen=True, slots=True)
class _Question:
    """Positive conditions with the variables wanted of them, less what an `absent` takes away.

    pyDatalog is asked for `columns`: the wanted ones and those that each of `less` wants too. Each of `less`
    asks for the same conditions together with those inside its `absent`.
    """

    conditions: tuple[t.Condition, ...]
    wanted: tuple[str, ...]
    less: tuple[_Question, ...]

    @staticmethod
    def of(conditions: Sequence[t.Condition], wanted: tuple[str, ...] | None = None) -> _Question:
        """The question for these variables; for all that the positive conditions name, by default."""
        positive = tuple(c for c in conditions if not isinstance(c, t.Absent))
        variables = (v for c in positive for v in t.condition_variables(c))
        known = tuple(dict.fromkeys(v.name for v in variables if not v.is_wildcard))
        less = []
        for condition in conditions:
            if isinstance(condition, t.Absent):
                inside = {variable.name for variable in t.condition_variables(condition)}
                shared = tuple(name for name in known if name in inside)
                less.append(_Question.of((*positive, *condition.conditions), shared))
        return _Question(positive, known if wanted is None else wanted, tuple(less))

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.wanted, *(name for each in self.less for name in each.wanted))))

    def all(self) -> Iterator[_Question]:
        """The questions that pyDatalog is asked, in the order in which `combine` takes their answers."""
        yield self
        for each in self.less:
            yield from each.all()

    def combine(self, answers: Iterator[set[Row]]) -> set[Row]:
        rows = {row[: len(self.columns)] for row in next(answers)}
        for each in self.less:
            taken = each.combine(answers)
            places = [self.columns.index(name) for name in each.wanted]
            rows = {row for row in rows if tuple(row[i] for i in places) not in taken}
        return {row[: len(self.wanted)] for row in rows}


# What pyDatalog can be asked


def _atoms(conditions: Iterable[t.Condition]) -> Iterator[t.Atom]:
    """The atoms of positive conditions. Raises UnsupportedError at everything that pyDatalog has not."""
    for condition in conditions:
        match condition:
            case t.Atom(tense="after"):
                raise UnsupportedError("it knows one moment only, so no `after`", condition.span)
            case t.Atom():
                yield condition
            case t.Comparison():
                for side in (condition.left, condition.right):
                    if isinstance(side, t.Operation):
                        raise UnsupportedError("arithmetic", side.span)
            case t.GameStatement():
                raise UnsupportedError("statements on games", condition.span)
            case t.All():
                raise UnsupportedError("`all`, for it has no closed sets", condition.span)
            case t.CountIn():
                raise UnsupportedError("`count … in`, for it has no closed sets", condition.span)
            case t.Aggregate():
                raise UnsupportedError(f"`{condition.function} … where`", condition.span)
            case t.Absent():
                raise UnsupportedError("`absent` in a rule", condition.span)


def _reachable_rules(theory: Theory, asked: Iterable[t.Atom]) -> list[t.Rule]:
    """The rules that a query about these atoms can come to. Raises UnsupportedError."""
    by_head: dict[str, list[t.Rule]] = {}
    for rule in theory.rules:
        if rule.head.tense != "after":
            by_head.setdefault(rule.head.relation, []).append(rule)
    uses: nx.DiGraph[str] = nx.DiGraph()
    reached: list[t.Rule] = []
    todo = list(dict.fromkeys(atom.predicate for atom in asked))
    seen = set(todo)
    while todo:
        relation = todo.pop()
        for rule in by_head.get(relation, ()):
            reached.append(rule)
            for atom in _atoms(rule.body):
                uses.add_edge(relation, atom.predicate)
                if atom.predicate not in seen:
                    seen.add(atom.predicate)
                    todo.append(atom.predicate)
    _check_recursion(reached, uses)
    return reached


def _check_recursion(rules: Sequence[t.Rule], uses: nx.DiGraph[str]) -> None:
    circle = {name: component for component in nx.strongly_connected_components(uses) for name in component}
    for rule in rules:
        among = circle.get(rule.head.relation, set())
        recursive = [atom for atom in _atoms(rule.body) if atom.predicate in among]
        if recursive and len(among) > 1:
            names = " and ".join(f"`{name}`" for name in sorted(among))
            raise UnsupportedError(f"{names} are mutually recursive, and it may not end", recursive[0].span)
        if len(recursive) > 1:
            name = rule.head.relation
            raise UnsupportedError(
                f"`{name}` stands twice in the body of its own rule, and it may not end", recursive[1].span
            )


# Translation


class _Translation:
    """Collects a program for pyDatalog; relations get their numbers as they are met."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.clauses: list[str] = []
        self.facts: list[tuple[str, Row]] = []
        self.goals: list[tuple[str, int]] = []

    def program(self) -> Program:
        return Program("\n".join(self.clauses), self.facts, self.goals)

    def rule(self, rule: t.Rule) -> None:
        self._clause(self._name(rule.head.relation), rule.head.terms, rule.body)

    def goal(self, question: _Question) -> None:
        name = f"goal_{len(self.goals)}"
        columns = tuple(t.Variable(name) for name in question.columns)
        self.goals.append((name, max(1, len(columns))))
        self._clause(name, columns, question.conditions)

    def fact(self, fact: GroundFact) -> None:
        """Adds a fact, where it is of this moment and some rule or goal reads it."""
        if fact.relation in self.names and fact.tense != "after":
            values = tuple(map(_coded, fact.values))
            self.facts.append((self.names[fact.relation], values or (_PLACEHOLDER,)))

    def _name(self, relation: str) -> str:
        return self.names.setdefault(relation, f"relation_{len(self.names)}")

    def _clause(self, name: str, terms: Sequence[t.Term], body: Sequence[t.Condition]) -> None:
        clause = _Clause()
        clause.body(body, self._name)
        self.clauses.append(f"{name}({clause.terms(terms)}) <= {' & '.join(clause.literals)}")


def _coded(value: str | int) -> str | int:
    return f"w{value}" if isinstance(value, str) else value


class _Clause:
    """The text of one clause; variables get their numbers as they are met."""

    def __init__(self) -> None:
        self.numbers: dict[str, str] = {}
        self.literals: list[str] = []

    def body(self, conditions: Sequence[t.Condition], name_of: Callable[[str], str]) -> None:
        """Adds the conditions: each comparison as soon as it can be evaluated, for pyDatalog keeps the order."""
        waiting = [condition for condition in conditions if isinstance(condition, t.Comparison)]
        waiting = self._compare(waiting)
        for atom in conditions:
            if isinstance(atom, t.Atom):
                self.literals.append(f"{name_of(atom.predicate)}({self.terms(atom.terms)})")
                waiting = self._compare(waiting)
        assert not waiting, "the checker refuses a comparison of variables that nothing binds"
        if not self.literals:
            self.literals.append(f"({self._fresh()} == {_PLACEHOLDER})")

    def _compare(self, waiting: list[t.Comparison]) -> list[t.Comparison]:
        """Adds the comparisons whose variables are bound, and returns the others."""
        while ready := [comparison for comparison in waiting if self._is_ready(comparison)]:
            for comparison in ready:
                self._add(comparison)
            waiting = [comparison for comparison in waiting if comparison not in ready]
        return waiting

    def _is_ready(self, comparison: t.Comparison) -> bool:
        bound = [
            not isinstance(term, t.Variable) or term.name in self.numbers
            for term in (comparison.left, comparison.right)
        ]
        return any(bound) if comparison.operator == "=" else all(bound)

    def _add(self, comparison: t.Comparison) -> None:
        left, operator, right = comparison.left, comparison.operator, comparison.right
        assert not isinstance(left, t.Operation), "refused before"
        assert not isinstance(right, t.Operation), "refused before"
        # A variable must stand on the left: Python itself would compare two constants.
        if isinstance(left, t.Variable):
            self.literals.append(f"({self._term(left)} {_COMPARISONS[operator]} {self._term(right)})")
        elif isinstance(right, t.Variable):
            self.literals.append(
                f"({self._term(right)} {_COMPARISONS[MIRRORED[operator]]} {self._term(left)})"
            )
        else:
            same = self._fresh()
            self.literals.append(f"({same} == {self._term(left)})")
            self.literals.append(f"({same} {_COMPARISONS[operator]} {self._term(right)})")

    def terms(self, terms: Sequence[t.Term]) -> str:
        return ", ".join(map(self._term, terms)) or str(_PLACEHOLDER)

    def _term(self, term: t.Term) -> str:
        if isinstance(term, t.Constant):
            return repr(_coded(term.value))
        return self.numbers.setdefault(term.name, f"X{len(self.numbers)}")

    def _fresh(self) -> str:
        return self.numbers.setdefault(f"fresh {len(self.numbers)}", f"X{len(self.numbers)}")
