"""Rules with an unbound amount, divided into conditions to match in a state and conditions to solve for the
amount.

The rule binds its amount by a fact of the *menu* (`amount(?k)`), which is left out. Conditions that do not
depend on the amount are matched unchanged. The others must be comparisons. Some of them define a variable
(`?s = ?r + ?k`) and are substituted; the rest are solved exactly by `kb/integers/univariate.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import Substitution, apply_to_statement, at_moment
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.integers.univariate import Narrowing, UnsolvedError
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.dataclass import dataclass

DOMAIN = Intervals(((1, 999_999_999_999),))
"""The amounts considered. An interval that ends at the largest one is not bounded by a rule."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A comparison that depends on the amount, with the values of all other variables substituted."""

    comparison: t.Comparison
    """The comparison, whose only variable is the amount `?n`."""
    amounts: Intervals
    """The amounts for which it holds, and all that an earlier limit excludes."""
    facts: tuple[t.Statement, ...]
    """The facts of the state on which it depends."""


@dataclass(frozen=True, slots=True)
class AmountMatch:
    """One match of a rule, with the limits of its amounts."""

    facts: tuple[t.Statement, ...]
    limits: tuple[Limit, ...]
    amounts: Intervals

    def excluding(self, amount: int) -> tuple[Limit, ...]:
        """Return the limits that exclude an amount as too small or too large."""
        return tuple(limit for limit in self.limits if amount not in limit.amounts)


@dataclass(frozen=True, slots=True)
class OpenRule:
    """A rule divided into conditions to match and comparisons to solve."""

    rule: t.Rule
    head: t.GameStatement
    amount: str
    """The name of the unbound variable."""
    matched: tuple[t.Statement, ...]
    query: Query
    stands_for: tuple[tuple[str, t.Expression], ...]
    """Variables that depend on the amount, each after those on which it depends."""
    solved: tuple[tuple[t.Comparison, tuple[t.Statement, ...]], ...]
    """Comparisons that depend on the amount, each with the conditions that provide its other values."""


def open_rule(rule: t.Rule, menu: str, vocabulary: Vocabulary) -> OpenRule | None:
    """Return the divided rule, or None if that is impossible.

    It is impossible if the action has no amount from the menu as its argument, or if conditions other than
    comparisons depend on the amount.
    """
    head = rule.head
    if not isinstance(head, t.GameStatement) or head.by is None:
        return None
    listed = [c for c in rule.body if isinstance(c, t.Atom) and c.predicate == menu]
    amounts = {term.name for c in listed for term in c.terms if isinstance(term, t.Variable)}
    if len(listed) != 1 or len(amounts) != 1:
        return None
    (amount,) = amounts
    in_action = sum(term == t.Variable(amount) for term in head.by.terms)
    if in_action != 1 or t.Variable(amount) in head.game.terms:
        return None
    rest = tuple(c for c in rule.body if c not in listed)
    statements = tuple(c for c in rest if isinstance(c, t.Atom | t.GameStatement))
    conditions, comparisons = _cut(rest, amount)
    known = {v.name for c in conditions for v in t.condition_variables(c)}
    if amount in known or any(not isinstance(c, t.Comparison | t.Atom | t.GameStatement) for c in conditions):
        return None
    stands_for, solved = _definitions(comparisons, known | {amount})
    body = tuple(at_moment(c, "before", vocabulary) for c in conditions)
    query = Query(body, rule.span)
    sources: dict[str, set[str]] = {}
    for name, expression in stands_for:
        sources[name] = _sources(expression, sources)
    about = tuple((c, tuple(_about(c, statements, sources))) for c in solved)
    return OpenRule(rule, head, amount, statements, query, tuple(stands_for), about)


def _about(
    comparison: t.Comparison, statements: Iterable[t.Statement], sources: dict[str, set[str]]
) -> Iterator[t.Statement]:
    """Yield the matched conditions whose last value occurs in a comparison."""
    named = _sources(comparison.left, sources) | _sources(comparison.right, sources)
    for each in statements:
        last = each.terms[-1]
        if isinstance(last, t.Variable) and last.name in named:
            yield each


def _cut(conditions: Sequence[t.Condition], amount: str) -> tuple[list[t.Condition], list[t.Comparison]]:
    """Return the conditions that can be matched without the amount, and the comparisons that cannot."""
    matched: list[t.Condition] = [c for c in conditions if not isinstance(c, t.Comparison)]
    waiting = [c for c in conditions if isinstance(c, t.Comparison)]
    known = {v.name for c in matched for v in t.condition_variables(c)} - {amount}
    while True:
        ready = next((c for c in waiting if _is_known(c, known)), None)
        if ready is None:
            return matched, waiting
        matched.append(ready)
        known |= {v.name for v in t.condition_variables(ready)}
        waiting.remove(ready)


def _is_known(comparison: t.Comparison, known: set[str]) -> bool:
    given = _given(comparison, known)
    return given is not None or all(v.name in known for v in t.condition_variables(comparison))


def _given(comparison: t.Comparison, known: set[str]) -> tuple[str, t.Expression] | None:
    """Return the variable that an equation defines, and its expression."""
    if comparison.operator != "=":
        return None
    for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if isinstance(one, t.Variable) and one.name not in known:
            return (one.name, other) if all(v.name in known for v in t.expression_variables(other)) else None
    return None


def _definitions(
    comparisons: Sequence[t.Comparison], known: set[str]
) -> tuple[list[tuple[str, t.Expression]], list[t.Comparison]]:
    """Return the definitions of variables, and the remaining comparisons."""
    waiting, found = list(comparisons), list[tuple[str, t.Expression]]()
    while True:
        ready = next((c for c in waiting if _given(c, known) is not None), None)
        if ready is None:
            return found, waiting
        given = _given(ready, known)
        assert given is not None
        found.append(given)
        known = known | {given[0]}
        waiting.remove(ready)


def ground(opened: OpenRule, values: Substitution) -> AmountMatch | None:
    """Return the amounts for which a rule fires with matched values.

    Return None if there are none or they cannot be solved.
    """
    put_in: dict[str, t.Expression] = {**values, opened.amount: t.Variable("n")}
    left, limits = Narrowing(DOMAIN), list[Limit]()
    try:
        for name, expression in opened.stands_for:
            put_in[name] = _put_in(expression, put_in)
            left.define(put_in[name])
        for unsolved, about in opened.solved:
            before = left.domain
            comparison = t.Comparison(
                unsolved.operator,
                _put_in(unsolved.left, put_in),
                _put_in(unsolved.right, put_in),
                unsolved.span,
            )
            left.hold(comparison)
            if not left.domain:
                return None
            facts = tuple(apply_to_statement(fact, values) for fact in about)
            limits.append(Limit(comparison, left.domain | (DOMAIN - before), facts))
    except UnsolvedError:
        return None
    if not left.domain:
        return None
    return AmountMatch(
        tuple(apply_to_statement(f, values) for f in opened.matched), tuple(limits), left.domain
    )


def _put_in(expression: t.Expression, known: dict[str, t.Expression]) -> t.Expression:
    match expression:
        case t.Variable(name):
            return known.get(name, expression)
        case t.Constant():
            return expression
    operands = tuple(_put_in(operand, known) for operand in expression.operands)
    return t.Operation(expression.operator, operands, expression.span)


def _sources(expression: t.Expression, sources: dict[str, set[str]]) -> set[str]:
    """Return the matched variables on which an expression depends."""
    return {name for v in t.expression_variables(expression) for name in sources.get(v.name, {v.name})}
