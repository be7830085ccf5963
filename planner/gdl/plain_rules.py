"""Rules without `or` and `and`: a body is a list of atoms, inequalities, equations and absences.

`or` is not multiplied out. It becomes a new relation over the variables that it shares with the rest of its
rule, with a rule for each alternative. An alternative that does not bind all of these variables gets copies
of the rule's atoms that do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.clauses import (
    AndFormula,
    Distinct,
    Formula,
    GdlAtom,
    GdlClause,
    NotFormula,
    OrFormula,
    variables_of,
)
from hornbook.planner.gdl.kif import Expression, KifVariable

ALTERNATIVE = "one of "
"""The prefix of the names of relations that represent an `or`."""


@dataclass(frozen=True, slots=True)
class Equal:
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class AbsentConditions:
    """The conditions do not hold together."""

    conditions: tuple[Condition, ...]


Condition = GdlAtom | Distinct | Equal | AbsentConditions


@dataclass(frozen=True, slots=True)
class PlainRule:
    """A rule without connectives; `clause` is its origin."""

    head: GdlAtom
    body: tuple[Condition, ...]
    clause: GdlClause


def plain_rules(clauses: Iterable[GdlClause]) -> list[PlainRule]:
    """Return the rules that clauses mean. A relation that represents an `or` has a name with a space."""
    found: list[PlainRule] = []
    for number, clause in enumerate(clauses):
        _ClauseWriter(clause, number, found).write()
    return found


def names_in(conditions: Iterable[Condition]) -> Iterator[str]:
    """Yield the name of each occurrence of a variable in conditions."""
    for condition in conditions:
        match condition:
            case GdlAtom(terms=terms):
                for term in terms:
                    yield from (variable.name for variable in variables_of(term))
            case Distinct(left=left, right=right) | Equal(left=left, right=right):
                yield from (variable.name for side in (left, right) for variable in variables_of(side))
            case AbsentConditions(conditions=inside):
                yield from names_in(inside)


class _ClauseWriter:
    """A writer of the rules of one clause."""

    def __init__(self, clause: GdlClause, number: int, found: list[PlainRule]) -> None:
        self.clause, self.number, self.found, self.alternatives = clause, number, found, 0

    def write(self) -> None:
        body = self.conditions(self.clause.body, [], _names_of([self.clause.head]))
        self.found.append(PlainRule(self.clause.head, tuple(body), self.clause))

    def conditions(
        self, formulas: Sequence[Formula], around: Sequence[Condition], outside: frozenset[str]
    ) -> list[Condition]:
        """Return the conditions equivalent to the conjunction of formulas.

        `around` are the other conditions, and `outside` the variables of the rest of the rule.
        """
        flat = sorted(_joined(formulas), key=_is_test)
        made: list[Condition] = []
        for place, part in enumerate(flat):
            if isinstance(part, GdlAtom | Distinct):
                made.append(part)
                continue
            assert isinstance(part, NotFormula | OrFormula)
            others = outside | _names_of(flat[:place]) | _names_of(flat[place + 1 :])
            context = [*around, *(condition for condition in made if isinstance(condition, GdlAtom))]
            if isinstance(part, NotFormula):
                made += self._absence(part.formula, context, others)
            else:
                made.append(self._one_of(part, context, others))
        return made

    def _absence(
        self, formula: Formula, context: Sequence[Condition], others: frozenset[str]
    ) -> list[Condition]:
        match formula:
            case NotFormula(formula=inner):
                return self.conditions([inner], context, others)
            case OrFormula(formulas=parts):
                return [condition for part in parts for condition in self._absence(part, context, others)]
            case Distinct(left=left, right=right):
                return [Equal(left, right)]
            case GdlAtom():
                return [AbsentConditions((formula,))]
            case AndFormula():
                return [AbsentConditions(tuple(self.conditions([formula], context, others)))]

    def _one_of(self, part: OrFormula, context: Sequence[Condition], others: frozenset[str]) -> GdlAtom:
        """Return the atom that represents an `or`, and add the rules for it."""
        shared = sorted(_names_of([part]) & others)
        self.alternatives += 1
        terms = tuple(KifVariable(name, part.span) for name in shared)
        head = GdlAtom(f"{ALTERNATIVE}{self.number}.{self.alternatives}", terms, part.span)
        for formula in part.formulas:
            body = self.conditions([formula], context, frozenset(shared))
            bound = {
                name for condition in body if isinstance(condition, GdlAtom) for name in names_in([condition])
            }
            used = set(shared) | set(names_in(body))
            if not used <= bound:
                body = [*context, *body]
            self.found.append(PlainRule(head, tuple(body), self.clause))
        return head


def _is_test(formula: Formula) -> int:
    """Return the rank of a formula in a body.

    Atoms come first, then each `or` whose alternatives all bind its variables, then formulas that need them
    bound.
    """
    if isinstance(formula, OrFormula):
        return 1 if all(_binds(part) >= _names_of([formula]) for part in formula.formulas) else 3
    return 0 if isinstance(formula, GdlAtom) else 2


def _binds(formula: Formula) -> frozenset[str]:
    return _names_of(part for part in _joined([formula]) if isinstance(part, GdlAtom))


def _joined(formulas: Iterable[Formula]) -> Iterator[Formula]:
    for formula in formulas:
        if isinstance(formula, AndFormula):
            yield from _joined(formula.formulas)
        elif isinstance(formula, NotFormula) and isinstance(formula.formula, NotFormula):
            yield from _joined([formula.formula.formula])
        else:
            yield formula


def _names_of(formulas: Iterable[Formula]) -> frozenset[str]:
    names: set[str] = set()
    for formula in formulas:
        match formula:
            case GdlAtom(terms=terms):
                names.update(variable.name for term in terms for variable in variables_of(term))
            case Distinct(left=left, right=right):
                names.update(variable.name for side in (left, right) for variable in variables_of(side))
            case NotFormula(formula=inner):
                names |= _names_of([inner])
            case AndFormula(formulas=parts) | OrFormula(formulas=parts):
                names |= _names_of(parts)
    return frozenset(names)
