"""Rules without `or` and `and`: a body is a list of atoms, inequalities, equations and absences.

`or` is not multiplied out. It becomes a new relation over the variables that it shares with the rest of its
rule, with a rule for each alternative. An alternative that does not bind all of these variables gets copies
of the rule's atoms that do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hornbook.planner.gdl.clauses import All, Any, Atom, Clause, Distinct, Formula, Not, variables_of
from hornbook.planner.gdl.kif import Expression, Variable

ALTERNATIVE = "one of "
"""The prefix of the names of relations that represent an `or`."""


@dataclass(frozen=True, slots=True)
class Equal:
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Absent:
    """The conditions do not hold together."""

    conditions: tuple[Condition, ...]


Condition = Atom | Distinct | Equal | Absent


@dataclass(frozen=True, slots=True)
class PlainRule:
    """A rule without connectives; `clause` is its origin."""

    head: Atom
    body: tuple[Condition, ...]
    clause: Clause


def plain_rules(clauses: Iterable[Clause]) -> list[PlainRule]:
    """Return the rules that clauses mean. A relation that represents an `or` has a name with a space."""
    found: list[PlainRule] = []
    for number, clause in enumerate(clauses):
        _ClauseWriter(clause, number, found).write()
    return found


def names_in(conditions: Iterable[Condition]) -> Iterator[str]:
    """Yield the name of each occurrence of a variable in conditions."""
    for condition in conditions:
        match condition:
            case Atom(terms=terms):
                for term in terms:
                    yield from (variable.name for variable in variables_of(term))
            case Distinct(left=left, right=right) | Equal(left=left, right=right):
                yield from (variable.name for side in (left, right) for variable in variables_of(side))
            case Absent(conditions=inside):
                yield from names_in(inside)


class _ClauseWriter:
    """A writer of the rules of one clause."""

    def __init__(self, clause: Clause, number: int, found: list[PlainRule]) -> None:
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
            if isinstance(part, Atom | Distinct):
                made.append(part)
                continue
            assert isinstance(part, Not | Any)
            others = outside | _names_of(flat[:place]) | _names_of(flat[place + 1 :])
            context = [*around, *(condition for condition in made if isinstance(condition, Atom))]
            if isinstance(part, Not):
                made += self._absence(part.formula, context, others)
            else:
                made.append(self._one_of(part, context, others))
        return made

    def _absence(
        self, formula: Formula, context: Sequence[Condition], others: frozenset[str]
    ) -> list[Condition]:
        match formula:
            case Not(formula=inner):
                return self.conditions([inner], context, others)
            case Any(formulas=parts):
                return [condition for part in parts for condition in self._absence(part, context, others)]
            case Distinct(left=left, right=right):
                return [Equal(left, right)]
            case Atom():
                return [Absent((formula,))]
            case All():
                return [Absent(tuple(self.conditions([formula], context, others)))]

    def _one_of(self, part: Any, context: Sequence[Condition], others: frozenset[str]) -> Atom:
        """Return the atom that represents an `or`, and add the rules for it."""
        shared = sorted(_names_of([part]) & others)
        self.alternatives += 1
        terms = tuple(Variable(name, part.span) for name in shared)
        head = Atom(f"{ALTERNATIVE}{self.number}.{self.alternatives}", terms, part.span)
        for formula in part.formulas:
            body = self.conditions([formula], context, frozenset(shared))
            bound = {
                name for condition in body if isinstance(condition, Atom) for name in names_in([condition])
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
    if isinstance(formula, Any):
        return 1 if all(_binds(part) >= _names_of([formula]) for part in formula.formulas) else 3
    return 0 if isinstance(formula, Atom) else 2


def _binds(formula: Formula) -> frozenset[str]:
    return _names_of(part for part in _joined([formula]) if isinstance(part, Atom))


def _joined(formulas: Iterable[Formula]) -> Iterator[Formula]:
    for formula in formulas:
        if isinstance(formula, All):
            yield from _joined(formula.formulas)
        elif isinstance(formula, Not) and isinstance(formula.formula, Not):
            yield from _joined([formula.formula.formula])
        else:
            yield formula


def _names_of(formulas: Iterable[Formula]) -> frozenset[str]:
    names: set[str] = set()
    for formula in formulas:
        match formula:
            case Atom(terms=terms):
                names.update(variable.name for term in terms for variable in variables_of(term))
            case Distinct(left=left, right=right):
                names.update(variable.name for side in (left, right) for variable in variables_of(side))
            case Not(formula=inner):
                names |= _names_of([inner])
            case All(formulas=parts) | Any(formulas=parts):
                names |= _names_of(parts)
    return frozenset(names)
