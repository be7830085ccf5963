"""Explanations of failure: for each clause that could conclude a query, how many of its conditions hold.

The conditions of a clause are matched in order. The binding with which most of them hold together is chosen,
and the first failing condition is reported with it. If clauses could conclude that condition, it is explained
in turn, each failing condition once. If it is an absence, the facts that hold are proved. An `or` is
explained by its alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.flattening import (
    Column,
    FlatAbsent,
    FlatAtom,
    FlatCondition,
    FlatEqual,
    FlatRule,
    Relation,
)
from hornbook.planner.gdl.proofs.why import Proof, is_alternative, lines_of, text_of_condition

DEPTH = 3
"""The maximal depth of explanations of failing conditions."""
MOST_TRIED = 100_000
"""The number of bindings tried for one clause; the best of these is reported."""
Pattern = tuple[Relation, Sequence[str | None]]
"""A relation and its words; None matches any word."""
Values = Mapping[str, str]
"""The words of variables."""


@dataclass(frozen=True, slots=True)
class ClauseAttempt:
    """One clause that does not conclude the query: the conditions `met` together, and the first failing one.

    The field `present` has proofs of the facts that should be absent. The field `deeper` explains why the
    condition fails, unless `above` is true: then an earlier part explains it.
    """

    span: Span
    values: tuple[tuple[str, str], ...]
    met: tuple[str, ...]
    failing: str
    present: tuple[Proof, ...]
    deeper: tuple[ClauseAttempt, ...]
    above: bool


def attempts(
    patterns: Iterable[Pattern],
    program: CodedGame,
    rows: Callable[[Relation, Sequence[str | None]], Iterable[Sequence[str]]],
    proof: Callable[[Relation, Sequence[str]], Proof],
    depth: int,
) -> tuple[ClauseAttempt, ...]:
    """Explain why none of the patterns holds.

    `rows` returns the rows of a relation that hold, `proof` the proof of a row.
    """
    explanation = _FailureExplanation(program, rows, proof)
    # A clause occurs once for each shape that its variables can have.
    return tuple(dict.fromkeys(attempt for each in patterns for attempt in explanation.of(each, depth)))


def lines(found: Iterable[ClauseAttempt], place: Callable[[Span], str], depth: int = 1) -> Iterator[str]:
    """Yield the lines of an explanation, indented by `depth` levels."""
    indent = "  " * depth
    for attempt in found:
        yield f"{indent}clause [{place(attempt.span)}]"
        if attempt.values:
            yield f"{indent}  with {', '.join(f'?{name} = {word}' for name, word in attempt.values)}"
        for condition in attempt.met:
            yield f"{indent}  holds: {condition}"
        yield f"{indent}  fails: {attempt.failing}{'  [above]' if attempt.above else ''}"
        for each in attempt.present:
            first, *rest = lines_of(each, place)
            yield f"{indent}    because: {first}"
            yield from (f"{indent}    {line}" for line in rest)
        yield from lines(attempt.deeper, place, depth + 2)


class _FailureExplanation:
    """The state of one explanation, with the patterns already explained."""

    def __init__(
        self,
        program: CodedGame,
        rows: Callable[[Relation, Sequence[str | None]], Iterable[Sequence[str]]],
        proof: Callable[[Relation, Sequence[str]], Proof],
    ) -> None:
        self._rows, self._proof = rows, proof
        self._rules: dict[Relation, list[FlatRule]] = {}
        for rule in program.origins:
            if rule.body:
                self._rules.setdefault(rule.head.relation, []).append(rule)
        self._explained: set[tuple[Relation, tuple[str | None, ...]]] = set()

    def of(self, pattern: Pattern, depth: int) -> Iterator[ClauseAttempt]:
        relation, columns = pattern
        self._explained.add((relation, tuple(columns)))
        for rule in self._rules.get(relation, ()):
            values = _unified(rule.head.columns, columns)
            if values is None:
                continue
            part = rule.body[0]
            if isinstance(part, FlatAtom) and part.relation[0].startswith(f"{relation[0]} "):
                # No sheet contains a part of a split relation.
                yield from self.of((part.relation, _known(part.columns, values)), depth)
            else:
                number, with_values = self._furthest(rule.body, values)
                # All conditions may hold if the query had one variable in two places, which the pattern does
                # not express.
                if number < len(rule.body):
                    yield self._attempt(rule, number, with_values, depth)

    def _attempt(self, rule: FlatRule, number: int, values: Values, depth: int) -> ClauseAttempt:
        failing = rule.body[number]
        met = tuple(text_of_condition(each, values) for each in rule.body[:number])
        present: tuple[Proof, ...] = ()
        deeper: tuple[ClauseAttempt, ...] = ()
        above = False
        if isinstance(failing, FlatAtom):
            pattern = failing.relation, tuple(_known(failing.columns, values))
            above = pattern in self._explained and bool(self._rules.get(failing.relation))
            is_or = is_alternative(failing.relation)
            if not above and (depth > 0 or is_or):
                deeper = tuple(dict.fromkeys(self.of(pattern, depth if is_or else depth - 1)))
        elif isinstance(failing, FlatAbsent):
            inner = next(self._solutions(failing.conditions, values), values)
            atoms = [each for each in failing.conditions if isinstance(each, FlatAtom)]
            present = tuple(
                self._proof(each.relation, row)
                for each in atoms
                for row in list(self._rows(each.relation, _known(each.columns, inner)))[:1]
            )
        shown = tuple(sorted((name, word) for name, word in values.items() if not name.isdecimal()))
        return ClauseAttempt(
            rule.rule.clause.span, shown, met, text_of_condition(failing, values), present, deeper, above
        )

    def _furthest(self, body: Sequence[FlatCondition], values: Values) -> tuple[int, Values]:
        """Return the greatest number of initial conditions that hold together, with their values."""
        best, with_values = 0, values
        # The remaining ways of each condition, given those before it.
        open_ways = [self._ways(body[0], values)]
        for _ in range(MOST_TRIED):
            way = next(open_ways[-1], None)
            if way is None:
                open_ways.pop()
                if not open_ways:
                    break
                continue
            if len(open_ways) == len(body):
                return len(body), way
            if len(open_ways) > best:
                best, with_values = len(open_ways), way
            open_ways.append(self._ways(body[len(open_ways)], way))
        return best, with_values

    def _solutions(self, conditions: Sequence[FlatCondition], values: Values) -> Iterator[Values]:
        if not conditions:
            yield values
            return
        for way in self._ways(conditions[0], values):
            yield from self._solutions(conditions[1:], way)

    def _ways(self, condition: FlatCondition, values: Values) -> Iterator[Values]:
        """Yield the values with which a condition holds."""
        match condition:
            case FlatAtom(relation=relation, columns=columns):
                for row in self._rows(relation, _known(columns, values)):
                    found = _unified(columns, row, values)
                    if found is not None:
                        yield found
            case FlatEqual(left=left, right=right):
                one, other = _known([left, right], values)
                known = one if other is None else other
                found = None if known is None else _unified([left, right], [known, known], values)
                if found is not None:
                    yield found
            case FlatAbsent(conditions=inside):
                if next(self._solutions(inside, values), None) is None:
                    yield values


def _known(columns: Sequence[Column], values: Values) -> list[str | None]:
    return [column if isinstance(column, str) else values.get(column.name) for column in columns]


def _unified(
    columns: Sequence[Column], words: Sequence[str | None], values: Values | None = None
) -> dict[str, str] | None:
    """Return the values with which columns have the known words, or None if there are none."""
    found = dict(values or {})
    for column, word in zip(columns, words, strict=True):
        if (
            word is not None
            and (column if isinstance(column, str) else found.setdefault(column.name, word)) != word
        ):
            return None
    return found
