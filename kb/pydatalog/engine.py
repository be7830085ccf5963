"""The second query engine: pyDatalog, which evaluates goal by goal.

It shares no code with `matcher`, so it is an independent second opinion. It supports conjunctions,
comparisons, linear recursion, and `absent` in queries. Other code is refused with its position, but only if
the query can reach it. Everything is evaluated at the moment before an action. Keys (`->`) and counts are not
checked.

No name of a theory becomes a name of pyDatalog, because an upper-case word is a variable there and others are
reserved. Predicates and variables are numbered. Words are quoted after a letter. The word `True` alone would
be returned as a truth value, and words must differ from integers. `absent` is never passed on, because
negated conjunctions are unreliable in pyDatalog. The answers to `C, absent D` are those to `C` without those
to `C, D`, and both are queried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import networkx as nx

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query
from hornbook.kb.pydatalog.process import PyDatalogError, PyDatalogTask, Row, run
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.program.operators import MIRRORED

SECONDS = 60.0
"""The default time limit for pyDatalog."""
_PLACEHOLDER = 0
"""The only value of a predicate without columns, since predicates in pyDatalog have at least one."""
Conditions = Sequence[t.Condition]
Names = tuple[str, ...]


class UnsupportedError(HornbookError):
    """Code that pyDatalog cannot evaluate reliably. `span` is its position, if known."""

    def __init__(self, reason: str, span: t.Span | None = None) -> None:
        self.reason, self.span = reason, span
        place = "" if span is None else f"{span}: "
        super().__init__(f"{place}pyDatalog cannot answer this: {reason}")


def answer(
    theory: Theory, facts: Iterable[GroundFact], query: Query, *, seconds: float | None = SECONDS
) -> list[Row]:
    """Return the answers to a query: distinct sorted values of its named variables in order of first
    appearance.

    `facts` are given in addition to those of the theory. pyDatalog may not terminate on recursive programs,
    so it is ended after `seconds` with TimeLimitError. Raises UnsupportedError.
    """
    goals: list[tuple[Conditions, Names]] = []

    def collect(conditions: Conditions, columns: Names) -> set[Row]:
        goals.append((conditions, columns))
        return set()

    _rows(query.conditions, None, collect)
    atoms = [atom for conditions, _ in goals for atom in _atoms(conditions)]
    translation = _Translation()
    for rule in _reachable_rules(theory, atoms):
        translation.clause(translation.name(rule.head.relation), rule.head.terms, rule.body)
    for number, (conditions, columns) in enumerate(goals):
        translation.clause(f"goal_{number}", [t.Variable(name) for name in columns], conditions)
    known = translation.facts((*map(ground_fact, theory.facts), *facts))
    arities = [(f"goal_{number}", max(1, len(columns))) for number, (_, columns) in enumerate(goals)]
    try:
        answers = iter(run(PyDatalogTask("\n".join(translation.clauses), known, arities), seconds))
    except PyDatalogError as problem:
        raise UnsupportedError(str(problem)) from problem
    rows = _rows(query.conditions, None, lambda *_: next(answers))
    decoded = (tuple(v[1:] if isinstance(v, str) else v for v in row) for row in rows)
    return sorted(decoded, key=lambda row: [(isinstance(value, str), value) for value in row])


def _rows(
    conditions: Conditions, names: Names | None, ask: Callable[[Conditions, Names], set[Row]]
) -> set[Row]:
    """Return the values of some variables. `ask` answers positive conditions.

    `names` are the variables (None for all variables in positive conditions). The calls of `ask` and their
    order do not depend on the answers.
    """
    positive = tuple(c for c in conditions if not isinstance(c, t.Absent))
    variables = (v for c in positive for v in t.condition_variables(c))
    known = tuple(dict.fromkeys(v.name for v in variables if not v.is_wildcard))
    names = known if names is None else names
    less: list[tuple[Conditions, Names]] = []
    for absent in conditions:
        if isinstance(absent, t.Absent):
            inside = {variable.name for variable in t.condition_variables(absent)}
            shared = tuple(name for name in known if name in inside)
            less.append(((*positive, *absent.conditions), shared))
    columns = tuple(dict.fromkeys((*names, *(name for _, shared in less for name in shared))))
    rows = {row[: len(columns)] for row in ask(positive, columns)}
    for more, shared in less:
        taken, places = _rows(more, shared, ask), [columns.index(name) for name in shared]
        rows = {row for row in rows if tuple(row[place] for place in places) not in taken}
    return {row[: len(names)] for row in rows}


# Supported code

_BEYOND: dict[type[t.Condition], str] = {
    t.GameStatement: "statements on games",
    t.All: "`all`, for it has no closed sets",
    t.CountIn: "`count … in`, for it has no closed sets",
    t.Absent: "`absent` in a rule",
}


def _atoms(conditions: Iterable[t.Condition]) -> Iterator[t.Atom]:
    """Yield the atoms of positive conditions. Raises UnsupportedError for unsupported conditions."""
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
            case t.Aggregate():
                raise UnsupportedError(f"`{condition.function} … where`", condition.span)
            case _:
                raise UnsupportedError(_BEYOND[type(condition)], condition.span)


def _reachable_rules(theory: Theory, goals: Iterable[t.Atom]) -> list[t.Rule]:
    """Return the rules that a query about these atoms can reach. Raises UnsupportedError."""
    reached: dict[str, list[t.Rule]] = {}
    uses: nx.DiGraph[str] = nx.DiGraph()
    todo = [atom.predicate for atom in goals]
    while todo:
        relation = todo.pop()
        if relation not in reached:
            heads = [rule for rule in theory.rules if rule.head.relation == relation]
            reached[relation] = [rule for rule in heads if rule.head.tense != "after"]
            read = [atom.predicate for rule in reached[relation] for atom in _atoms(rule.body)]
            uses.add_edges_from((relation, predicate) for predicate in read)
            todo += read
    rules = [rule for found in reached.values() for rule in found]
    _check_recursion(rules, uses)
    return rules


def _check_recursion(rules: Sequence[t.Rule], uses: nx.DiGraph[str]) -> None:
    circle = {name: component for component in nx.strongly_connected_components(uses) for name in component}
    for rule in rules:
        name = rule.head.relation
        among = circle.get(name, set())
        recursive = [atom for atom in _atoms(rule.body) if atom.predicate in among]
        if recursive and len(among) > 1:
            names = " and ".join(f"`{name}`" for name in sorted(among))
            raise UnsupportedError(f"{names} are mutually recursive, and it may not end", recursive[0].span)
        if len(recursive) > 1:
            reason = f"`{name}` stands twice in the body of its own rule, and it may not end"
            raise UnsupportedError(reason, recursive[1].span)


# Translation


class _Translation:
    """A translation for pyDatalog. Relations, and the variables of each clause, are numbered in order of
    appearance.
    """

    def __init__(self) -> None:
        self.clauses: list[str] = []
        self._names: dict[str, str] = {}

    def name(self, relation: str) -> str:
        return self._names.setdefault(relation, f"relation_{len(self._names)}")

    def facts(self, facts: Iterable[GroundFact]) -> list[tuple[str, Row]]:
        """Return the facts of the current moment that some rule or goal reads."""
        return [
            (self._names[fact.relation], tuple(map(_coded, fact.values)) or (_PLACEHOLDER,))
            for fact in facts
            if fact.relation in self._names and fact.tense != "after"
        ]

    def clause(self, name: str, terms: Sequence[t.Term], body: Conditions) -> None:
        numbers: dict[str, str] = {}

        def text(term: t.Expression) -> str:
            assert not isinstance(term, t.Operation), "refused before"
            if isinstance(term, t.Constant):
                return repr(_coded(term.value))
            return numbers.setdefault(term.name, f"X{len(numbers)}")

        def arguments(terms: Sequence[t.Term]) -> str:
            return ", ".join(map(text, terms)) or str(_PLACEHOLDER)

        literals = []
        for condition in _in_order(body):
            if isinstance(condition, t.Atom):
                literals.append(f"{self.name(condition.predicate)}({arguments(condition.terms)})")
                continue
            left, operator, right = condition.left, condition.operator, condition.right
            if not isinstance(left, t.Variable) and isinstance(right, t.Variable):
                left, operator, right = right, MIRRORED[operator], left
            if not isinstance(left, t.Variable):  # Python would evaluate a comparison of two constants itself
                fresh = t.Variable(f"fresh {len(literals)}")
                literals.append(f"({text(fresh)} == {text(left)})")
                left = fresh
            literals.append(f"({text(left)} {'==' if operator == '=' else operator} {text(right)})")
        nothing = f"({text(t.Variable('nothing'))} == {_PLACEHOLDER})"
        self.clauses.append(f"{name}({arguments(terms)}) <= {' & '.join(literals) or nothing}")


def _coded(value: str | int) -> str | int:
    return f"w{value}" if isinstance(value, str) else int(value)


def _in_order(body: Conditions) -> Iterator[t.Atom | t.Comparison]:
    """Yield the atoms in order, and each comparison as soon as it can be evaluated, because pyDatalog keeps
    the order.
    """
    waiting = [condition for condition in body if isinstance(condition, t.Comparison)]
    bound: set[str] = set()

    def is_ready(comparison: t.Comparison) -> bool:
        sides = [comparison.left, comparison.right]
        known = [not isinstance(side, t.Variable) or side.name in bound for side in sides]
        return any(known) if comparison.operator == "=" else all(known)

    for atom in (None, *(condition for condition in body if isinstance(condition, t.Atom))):
        if atom is not None:
            yield atom
            bound |= {variable.name for variable in t.condition_variables(atom)}
        while ready := next(filter(is_ready, waiting), None):
            waiting.remove(ready)
            yield ready
            bound |= {variable.name for variable in t.condition_variables(ready)}
    assert not waiting, "the checker refuses a comparison of variables that nothing binds"
