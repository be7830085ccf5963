"""A theory under construction: declarations, facts and rules, and the sorts of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod

from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, rename_condition
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Condition,
    Constant,
    Rule,
    Span,
    Statement,
    Tense,
    Term,
    Variable,
    condition_variables,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.translation.grounding import Row
from hornbook.planner.translation.names import UniqueNames
from hornbook.planner.translation.refused import UntranslatableError

MOST_FACTS = 200_000
"""The maximal number of facts that never change."""
MOST_OUTSIDE = 5_000
"""The maximal number of facts in a complement table; beyond it, an absence is used."""
MOST_RULES = 4_000
WAY_OUT = "write clauses with fewer variables and conditions, or a smaller game"


@dataclass(slots=True)
class Declared:
    """A predicate: its kind, the sorts of its columns, its key, and the rest of the declaration."""

    kind: str
    name: str
    sorts: tuple[str, ...]
    key: int | None = None
    ending: str = ""

    def text(self) -> str:
        if not self.sorts:
            return f"{self.kind} {self.name}{self.ending}."
        columns = ", ".join(self.sorts)
        if self.key is not None:
            before, after = self.sorts[: self.key], self.sorts[self.key :]
            columns = f"{', '.join(before)} -> {', '.join(after)}".strip()
        return f"{self.kind} {self.name}({columns}){self.ending}."


@dataclass(slots=True)
class TheoryDraft:
    """The part of a theory that is written until now."""

    names: UniqueNames
    declared: dict[str, Declared] = field(default_factory=dict)
    facts: dict[str, frozenset[Row]] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    labels: UniqueNames = field(default_factory=UniqueNames)
    place: Span | None = None
    """The clause of the sheet that is being translated."""
    _same: dict[tuple[tuple[str, ...], frozenset[Row]], str] = field(default_factory=dict)

    def declare(
        self, kind: str, name: str, sorts: Sequence[str], key: int | None = None, ending: str = ""
    ) -> None:
        self.declared[name] = Declared(kind, name, tuple(sorts), key, ending)

    def table(
        self, preferred: str, sorts: Sequence[str], rows: frozenset[Row], *, keyed: bool = False
    ) -> str:
        """Return the name of a static relation with exactly these rows; `keyed` if it may have a key."""
        name = self._same.get((tuple(sorts), rows))
        if name is None:
            name = self.names.fresh(preferred)
            self._same[tuple(sorts), rows] = name
            self.declare("static", name, sorts, _key(rows) if keyed else None, " complete")
            self.state(name, rows)
        return name

    def is_large_outside(
        self, name: str, columns: Sequence[int], values: Callable[[str], frozenset[str]]
    ) -> bool:
        """Return whether the complement of these columns of a table is too large.

        `values` returns the values of a sort.
        """
        sorts = self.declared[name].sorts
        return prod(len(values(sorts[c])) for c in columns) > MOST_OUTSIDE

    def outside(
        self, name: str, columns: Sequence[int], values: Callable[[str], frozenset[str]]
    ) -> str | None:
        """Return the name of a complement table for these columns of a table, or None if it is empty."""
        sorts = tuple(self.declared[name].sorts[c] for c in columns)
        there = {tuple(row[c] for c in columns) for row in self.facts[name]}
        rows = frozenset(
            row for row in product(*(sorted(values(sort)) for sort in sorts)) if row not in there
        )
        return self.table(f"not_{name}", sorts, rows) if rows else None

    def state(self, name: str, rows: Iterable[Row]) -> None:
        self.facts[name] = frozenset(rows)
        if sum(map(len, self.facts.values())) > MOST_FACTS:
            raise UntranslatableError(
                f"the theory would have more than {MOST_FACTS:,} facts", self.place, WAY_OUT
            )

    def add(self, label: str, head: Statement, body: Iterable[Condition]) -> None:
        """Add a rule after eliminating its equations; omit a rule that never applies."""
        solved = _without_equations(head, body)
        if solved is None or self._has_two_values(solved[1]):
            return
        self.rules.append(_with_wildcards(Rule(*solved, self.labels.fresh(label))))
        if len(self.rules) > MOST_RULES:
            raise UntranslatableError(
                f"the theory would have more than {MOST_RULES:,} rules", self.place, WAY_OUT
            )

    def _has_two_values(self, body: Iterable[Condition]) -> bool:
        """Return whether two different constants would be the values for one key."""
        values: dict[tuple[str, Tense | None, tuple[Term, ...], int], Term] = {}
        for condition in body:
            if not isinstance(condition, Atom) or (key := self.declared[condition.predicate].key) is None:
                continue
            for place, term in enumerate(condition.arguments[key:]):
                of = (condition.predicate, condition.tense, condition.arguments[:key], place)
                if isinstance(term, Constant) and values.setdefault(of, term) != term:
                    return True
        return False


def _without_equations(
    head: Statement, body: Iterable[Condition]
) -> tuple[Statement, tuple[Condition, ...]] | None:
    """Return the rule without equations, or None if its comparisons are inconsistent."""
    left = list(dict.fromkeys(body))
    while equation := next((c for c in left if isinstance(c, Comparison) and c.operator == "="), None):
        one, other = equation.left, equation.right
        left.remove(equation)
        if one == other:
            continue
        if not isinstance(one, Variable):
            one, other = other, one
        if not isinstance(one, Variable):
            return None
        assert isinstance(other, Variable | Constant)
        substitution: dict[str, Term] = {one.name: other}
        head = apply_to_statement(head, substitution)
        left = list(dict.fromkeys(apply_to_condition(c, substitution) for c in left))
    differ = [c for c in left if isinstance(c, Comparison) and c.operator == "!="]
    if any(c.left == c.right for c in differ):
        return None
    known = [c for c in differ if isinstance(c.left, Constant) and isinstance(c.right, Constant)]
    return head, tuple(c for c in left if c not in known)


def _key(rows: frozenset[Row]) -> int | None:
    """Return the smallest number of initial columns that determine the others."""
    width = len(next(iter(rows))) if rows else 0
    return next((k for k in range(1, width) if len({row[:k] for row in rows}) == len(rows)), None)


def _with_wildcards(rule: Rule) -> Rule:
    """Return the rule with `_` for each variable that occurs only once."""
    uses = Counter(v.name for c in (rule.head, *rule.body) for v in condition_variables(c))
    once = {name for name, number in uses.items() if number == 1}
    rename: Callable[[str], str] = lambda name: f"_{name}" if name in once else name  # noqa: E731
    return replace(rule, body=tuple(rename_condition(c, rename) for c in rule.body))
