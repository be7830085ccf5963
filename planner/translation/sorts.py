"""Sorts of columns: columns that share variables in rules have one sort.

Goal values have a sort of integers.
"""

from __future__ import annotations

import networkx as nx

from hornbook.planner.gdl.flattening import Relation
from hornbook.planner.gdl.ground import worth_of
from hornbook.planner.gdl.kif import KifVariable
from hornbook.planner.translation.grounding import PossibleFacts
from hornbook.planner.translation.literals import WHERE, Differ, Fails, Holds, Same, SheetRule, columns_of
from hornbook.planner.translation.names import UniqueNames, relation_text
from hornbook.planner.translation.refused import UntranslatableError

Place = tuple[Relation, int]
WORTH = "worth"
"""The sort of goal values, in points."""
_SAME = {"next": "true", "init": "true", "legal": "does"}


class ColumnSorts:
    """The sorts of columns by name; `turn` has the sort of the roles.

    Raises UntranslatableError if goals are no integers.
    """

    def __init__(self, ground: PossibleFacts, turn: Place | None) -> None:
        graph: nx.Graph[Place | str] = nx.Graph()
        widths = {relation: len(next(iter(rows))) for relation, rows in ground.facts.items() if rows}
        for relation, width in widths.items():
            graph.add_nodes_from(_place(relation, column) for column in range(width))
            if relation[0].partition(WHERE)[0] in ("role", "does", "legal", "goal"):
                graph.add_edge(_place(relation, 0), "roles")
        if turn is not None:
            graph.add_edge(_place(*turn), "roles")
        for number, rule in enumerate(ground.rules):
            for relation, columns in atoms_of(rule):
                for column, term in enumerate(columns):
                    if isinstance(term, KifVariable):
                        graph.add_edge(_place(relation, column), f"{number} {term.name}")
            for literal in rule.body:
                if isinstance(literal, Same | Differ):
                    names = [f"{number} {c.name}" for c in columns_of(literal) if isinstance(c, KifVariable)]
                    pairs = literal.pairs if isinstance(literal, Differ) else ()
                    for left, right in pairs:
                        if isinstance(left, KifVariable) and isinstance(right, KifVariable):
                            graph.add_edge(f"{number} {left.name}", f"{number} {right.name}")
                    graph.add_nodes_from(names)
        self._names: dict[Place | str, str] = {}
        self.values: dict[str, frozenset[str]] = {}
        given = UniqueNames()
        for part in nx.connected_components(graph):
            places = sorted(p for p in part if not isinstance(p, str))
            values = frozenset(
                row[column] for relation, column in places for row in _rows(ground, relation, column)
            )
            name = self._named(places, values, ground, given, roles="roles" in part)
            if name == WORTH and any(worth_of(value) is None for value in values):
                clause = next(rule.origin.clause for rule in ground.rules if rule.head[0] == "goal")
                raise UntranslatableError(
                    "the value of a goal may be a term that is not an integer from 0 to 100", clause.span
                )
            self.values[name] = values
            for each in part:
                self._names[each] = name

    def _named(
        self,
        places: list[Place],
        values: frozenset[str],
        ground: PossibleFacts,
        given: UniqueNames,
        *,
        roles: bool,
    ) -> str:
        if any(relation[0] == "goal" and column == 1 for relation, column in places):
            return WORTH
        if roles:
            return given.fresh("role")
        single = [
            relation[0]
            for relation, _ in places
            if relation not in ground.kinds.changing
            and len(relation[1]) == 1
            and _rows(ground, relation, 0)
            and {row[0] for row in _rows(ground, relation, 0)} == values
            and relation[0] not in _SAME
        ]
        if single:
            return given.fresh(single[0], f"{single[0]}_value")
        (relation, column) = places[0] if places else (("thing", ()), 0)
        shape = relation[1][-1] if relation[0] in ("true", "does") and relation[1] else ()
        name = shape[0] if shape else relation_text(relation)
        return given.fresh(f"{name}_{column + 1}", f"{name}_{column + 1}_value")

    def of(self, relation: Relation, column: int) -> str:
        return self._names[_place(relation, column)]

    def of_variable(self, number: int, name: str) -> str:
        """Return the sort of a variable of the rule at that index, or an empty text if it has none."""
        return self._names.get(f"{number} {name}", "")

    def of_columns(self, relation: Relation, width: int) -> tuple[str, ...]:
        return tuple(self.of(relation, column) for column in range(width))


def atoms_of(rule: SheetRule) -> list[tuple[Relation, tuple[str | KifVariable, ...]]]:
    """Return the facts that a rule mentions, its head first."""
    body = [
        (literal.relation, literal.columns) for literal in rule.body if isinstance(literal, Holds | Fails)
    ]
    return [(rule.head, rule.columns), *body]


def _place(relation: Relation, column: int) -> Place:
    name = relation[0].partition(WHERE)[0]
    return (_SAME.get(name, name), relation[1]), column


def _rows(ground: PossibleFacts, relation: Relation, column: int) -> list[tuple[str, ...]]:
    return [row for row in ground.has(relation) if column < len(row)]
