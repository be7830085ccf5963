"""The surface syntax: the nodes that only exist between the parser and `desugar`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.terms import NOWHERE, Aggregate, Condition, Expression, Node, Span, Variable, parts
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.matcher.program.dataclass import dataclass

MARK = "$"
"""The mark of a query's parameter. An open parameter is a variable whose name begins with the mark."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Alternative conjunctions, in the order of the text. Parenthesised conditions are a single one."""

    bodies: tuple[tuple[SurfaceCondition, ...], ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class GroupedAggregate(Aggregate):
    """`?n = sum ?w by ?p where C`: an aggregate for each group, that is, for each value of `groups`."""

    groups: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class AverageAggregate(GroupedAggregate):
    """`?n = average_half_up(?w, 2, 1) by ?p where C`: an average that is rounded by a function, with the
    digits of ?w and of the result. Without `by`, there are no groups.
    """

    rounding: str = ""
    digits: tuple[Expression, ...] = ()


SurfaceCondition = Condition | Alternatives


class RefusedClause(Exception):
    """A clause that the grammar accepts but the parser or `desugar` refuses."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def written_variables(nodes: Iterable[Node]) -> Iterator[Variable]:
    """Yield the variables of nodes in the order of the text. Arguments may still be calculations."""
    todo = list(nodes)[::-1]
    while todo:
        node = todo.pop()
        if isinstance(node, Variable):
            yield node
        todo += reversed(parts(node))
