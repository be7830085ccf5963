"""The rules of a sheet for the translation: bodies are literals over words and variables.

A literal is a fact, the absence of a fact, an equation, or the inequality of at least one of several pairs.
The absence of several conditions becomes the absence of a new relation, with a new rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import networkx as nx

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import (
    WORD,
    Column,
    FlatAbsent,
    FlatAtom,
    FlatCondition,
    FlatEqual,
    FlatRule,
    Relation,
)
from hornbook.planner.gdl.kif import KifVariable
from hornbook.planner.gdl.plain_rules import PlainRule

TOGETHER = "together "
"""The prefix of the names of relations that represent conditions whose absence is needed."""
WHERE = " is "
"""The separator in the name of a part, between the name of the whole and the word of the part's column."""
Columns = tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Holds:
    relation: Relation
    columns: Columns


@dataclass(frozen=True, slots=True)
class Fails:
    """The absence of a fact."""

    relation: Relation
    columns: Columns


@dataclass(frozen=True, slots=True)
class Same:
    left: Column
    right: Column


@dataclass(frozen=True, slots=True)
class Differ:
    """At least one of the pairs has two different values."""

    pairs: tuple[tuple[Column, Column], ...]


Literal = Holds | Fails | Same | Differ


@dataclass(frozen=True, slots=True)
class SheetRule:
    """A rule of a sheet; `origin` is the plain rule that it was made from."""

    head: Relation
    columns: Columns
    body: tuple[Literal, ...]
    origin: PlainRule

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the distinct names of its variables."""
        found = names_of([self.columns, *map(columns_of, self.body)])
        return tuple(dict.fromkeys(found))


def columns_of(literal: Literal) -> Columns:
    match literal:
        case Holds(columns=columns) | Fails(columns=columns):
            return columns
        case Same(left=left, right=right):
            return left, right
        case Differ(pairs=pairs):
            return tuple(side for pair in pairs for side in pair)


def names_of(several: Iterable[Columns]) -> Iterator[str]:
    for columns in several:
        yield from (column.name for column in columns if isinstance(column, KifVariable))


def substituted(literal: Literal, terms: Mapping[str, Column]) -> Literal:
    def of(column: Column) -> Column:
        return terms.get(column.name, column) if isinstance(column, KifVariable) else column

    match literal:
        case Holds(relation=relation, columns=columns):
            return Holds(relation, tuple(map(of, columns)))
        case Fails(relation=relation, columns=columns):
            return Fails(relation, tuple(map(of, columns)))
        case Same(left=left, right=right):
            return Same(of(left), of(right))
        case Differ(pairs=pairs):
            return Differ(tuple((of(left), of(right)) for left, right in pairs))


def sheet_rules(flat: Sequence[FlatRule]) -> list[SheetRule]:
    """Return the rules with literals as conditions.

    There are additional rules for absences of several conditions.
    """
    found: list[SheetRule] = []
    for rule in dict.fromkeys(flat):
        _Maker(rule, found).make()
    return found


class _Maker:
    def __init__(self, rule: FlatRule, found: list[SheetRule]) -> None:
        self.rule, self.found = rule, found

    def make(self) -> None:
        outside = frozenset(
            names_of(
                [self.rule.head.columns, *(c.columns for c in self.rule.body if isinstance(c, FlatAtom))]
            )
        )
        body = [self.literal(condition, outside) for condition in self.rule.body]
        self.add(self.rule.head, body)

    def add(self, head: FlatAtom, body: Sequence[Literal]) -> None:
        """Add a rule after eliminating its equations by substitution."""
        columns, rest = head.columns, list(body)
        while equation := next(
            (literal for literal in rest if isinstance(literal, Same) and _variable(literal) is not None),
            None,
        ):
            name = _variable(equation)
            assert name is not None
            left, right = equation.left, equation.right
            other = right if isinstance(left, KifVariable) and left.name == name else left
            terms = {name: other}
            rest = [substituted(each, terms) for each in rest if each is not equation]
            columns = tuple(terms.get(c.name, c) if isinstance(c, KifVariable) else c for c in columns)
        if any(isinstance(literal, Same) and literal.left != literal.right for literal in rest):
            return
        conditions = [literal for literal in rest if not isinstance(literal, Same)]
        self.found.append(SheetRule(head.relation, columns, tuple(dict.fromkeys(conditions)), self.rule.rule))

    def literal(self, condition: FlatCondition, outside: frozenset[str]) -> Literal:
        match condition:
            case FlatAtom(relation=relation, columns=columns):
                return Holds(relation, columns)
            case FlatEqual(left=left, right=right):
                return Same(left, right)
            case FlatAbsent(conditions=inside) if all(isinstance(c, FlatEqual) for c in inside):
                return Differ(tuple((c.left, c.right) for c in inside if isinstance(c, FlatEqual)))
            case FlatAbsent(conditions=(FlatAtom(relation=relation, columns=columns),)) if (
                outside >= frozenset(names_of([columns]))
            ):
                return Fails(relation, columns)
            case FlatAbsent(conditions=inside):
                return self.together(inside, outside)

    def together(self, inside: Sequence[FlatCondition], outside: frozenset[str]) -> Literal:
        """Return the absence of a relation that holds if all conditions hold."""
        bound = frozenset(names_of(c.columns for c in inside if isinstance(c, FlatAtom)))
        body = [self.literal(each, outside | bound) for each in inside]
        used = {v.name: v for literal in body for v in columns_of(literal) if isinstance(v, KifVariable)}
        shared = tuple(used[name] for name in sorted(used) if name in outside)
        # The rest of the rule binds the shared variables that are not bound inside.
        loose = {v.name for v in shared} - bound
        around = [
            Holds(c.relation, c.columns)
            for c in self.rule.body
            if isinstance(c, FlatAtom) and loose & frozenset(names_of([c.columns]))
        ]
        relation: Relation = (f"{TOGETHER}{len(self.found)}", (WORD,) * len(shared))
        self.add(FlatAtom(relation, shared), [*around, *body])
        return Fails(relation, shared)


def _variable(equation: Same) -> str | None:
    """Return the name of a variable of an equation."""
    sides = (equation.left, equation.right)
    return next((side.name for side in sides if isinstance(side, KifVariable)), None)


@dataclass(frozen=True, slots=True)
class Kinds:
    """The dependencies of relations.

    A relation may depend on the state (`changing`), on moves (`acting`), and on itself (`recursive`).
    """

    changing: frozenset[Relation]
    acting: frozenset[Relation]
    recursive: frozenset[Relation]


def split(rules: Sequence[SheetRule]) -> list[SheetRule]:
    """Return the rules with recursive relations split by words, as far as possible.

    In `(<= (goal ?r 0) (not (goal ?r 100)))` one part of a relation depends on another one.
    """
    found, whole = list(rules), set[Relation]()
    while True:
        recursive = sorted(kinds_of(found).recursive - whole)
        if not recursive:
            return found
        for relation in recursive:
            whole.add(relation)
            heads = [rule.columns for rule in found if rule.head == relation]
            # A column with a single word would split nothing, and the part would be split again without end.
            column = next(
                (
                    c
                    for c in range(len(heads[0]) if heads else 0)
                    if len({head[c] for head in heads}) > 1
                    and all(isinstance(head[c], str) for head in heads)
                ),
                None,
            )
            if column is not None:
                found = _split(found, relation, column)


def _split(rules: Sequence[SheetRule], relation: Relation, column: int) -> list[SheetRule]:
    parts: dict[str, SheetRule] = {}

    def part(word: str) -> Relation:
        return f"{relation[0]}{WHERE}{word}", relation[1]

    def of(literal: Literal) -> Literal:
        if isinstance(literal, Holds | Fails) and literal.relation == relation:
            word = literal.columns[column]
            if isinstance(word, str):
                return type(literal)(part(word), literal.columns)
        return literal

    found = []
    for rule in rules:
        made = replace(rule, body=tuple(map(of, rule.body)))
        if rule.head == relation:
            word = rule.columns[column]
            assert isinstance(word, str)
            made = replace(made, head=part(word))
            parts.setdefault(word, made)
        found.append(made)
    for word, one in parts.items():
        span = one.origin.clause.span
        columns = tuple(
            word if c == column else KifVariable(f"column {c}", span) for c in range(len(one.columns))
        )
        found.append(SheetRule(relation, columns, (Holds(one.head, columns),), one.origin))
    return found


def kinds_of(rules: Sequence[SheetRule]) -> Kinds:
    """Return the dependencies of each relation, without those from one state to the next."""
    graph: nx.DiGraph[Relation] = nx.DiGraph()
    for rule in rules:
        graph.add_node(rule.head)
        for literal in rule.body:
            if isinstance(literal, Holds | Fails):
                graph.add_edge(literal.relation, rule.head)
    inputs = {name: [r for r in graph if r[0] == name] for name in ("true", "does")}
    dependents = {
        name: {r for one in relations for r in nx.descendants(graph, one)} | set(relations)
        for name, relations in inputs.items()
    }
    cyclic = {
        r
        for part in nx.strongly_connected_components(graph)
        for r in part
        if len(part) > 1 or graph.has_edge(r, r)
    }
    changing = (
        dependents["true"]
        | dependents["does"]
        | {r for r in graph if r[0] in ("next", "legal", "goal", "terminal")}
    )
    return Kinds(frozenset(changing), frozenset(dependents["does"]), frozenset(cyclic & changing))
