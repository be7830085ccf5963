"""Safety: every variable in a head, a comparison or a closed set is bound by a positive condition.

`=` binds a variable on one side as soon as the other side is bound. Counts and aggregates bind their result
in the same way. A condition that another check refuses (an absence in a theory rule, a set that is not
closed) counts as binding all its variables, so that one mistake gives one diagnostic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import ReplyCase
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause
from hornbook.kb.check.clauses.sets import ranges_over_closed_sets
from hornbook.kb.check.closure import close
from hornbook.kb.check.scopes import VariableScope, inner_variables, outer_variables, outermost
from hornbook.kb.sources.diagnostics import Diagnostic, error, nearest, warning, write_instead
from hornbook.matcher.program.dataclass import dataclass

Need = tuple[t.Variable, str]
"""A variable that needs a value, and a description of its place."""

SHORTEST_TYPO = 3
"""The minimum length of names that are compared. Shorter names are similar by chance."""
MOST_NAMES = 60
"""The maximum number of names in a rule for which misspellings are searched."""


def check_safety(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB020 and HB021."""
    for prepared in unit.prepared_clauses():
        if prepared.purpose in ("frame", "replies"):
            continue
        unsafe = list(unsafe_variables(prepared, unit))
        yield from (_unsafe(variable, why, prepared) for variable, why in unsafe)
        if prepared.purpose != "query" and not _is_of_exception(prepared, unit):
            suspected = {variable.name for variable, _ in unsafe}
            # If the intended name of an unsafe variable is used once, this is the same mistake.
            suspected |= {_intended_name(variable.name, prepared) for variable, _ in unsafe}
            yield from used_once(prepared.scope, suspected | _refused_names(prepared, unit))
    for _, cases in unit.frames:
        yield from _cases(cases, [(case.scope, []) for case in cases], unit)
    for replies, cases in unit.replies:
        yield from _cases(cases, [_without_unless(case) for case in replies.cases], unit)


def _is_of_exception(prepared: PreparedClause, unit: CheckUnit) -> bool:
    """Return whether a rule states that an exception applies. It has the conditions of another rule."""
    head = unit.predicate(prepared.head.predicate) if isinstance(prepared.head, t.Atom) else None
    return head is not None and head.exception is not None


def _cases(
    cases: tuple[PreparedClause, ...], binding: Iterable[tuple[VariableScope, list[Need]]], unit: CheckUnit
) -> Iterator[Diagnostic]:
    """Yield HB020 and HB021 for the cases of a frame or of replies.

    The cases share the variables of the fluent or game, which are bound. For each case, `binding` has the
    conjunction that binds variables, and further places that need a value.
    """
    for case, (scope, needs) in zip(cases, binding, strict=True):
        given = {term.name for term in _variables(case.head)}
        unsafe = list(_unsafe_in(scope, needs, set(given), case, unit))
        yield from (_unsafe(variable, why, case) for variable, why in unsafe)
        suspected = {variable.name for variable, _ in unsafe} | given
        yield from used_once(case.scope, suspected | _refused_names(case, unit))
    if not cases:
        return
    counted = Counter(variable.name for variable in _variables(cases[0].head))
    counted.update(
        v.name for case in cases for condition in case.body for v in t.condition_variables(condition)
    )
    for variable in _variables(cases[0].head):
        if not variable.is_wildcard and counted[variable.name] == 1:
            yield _once(variable, counted)


def _without_unless(case: ReplyCase) -> tuple[VariableScope, list[Need]]:
    """Return the conjunction of a reply's action and conditions, and the variables of `unless`, which binds
    none.
    """
    return outermost((case.action, *case.conditions)), [(v, "`unless`") for v in _variables(case.unless)]


# Unsafe variables


@dataclass(frozen=True, slots=True)
class _Equation:
    """A variable that is bound as soon as others are."""

    bound: str
    needs: frozenset[str]


def unsafe_variables(prepared: PreparedClause, unit: CheckUnit) -> Iterator[Need]:
    """Yield the unbound variables of a conjunction, each once, with a description of the place."""
    needs: list[Need] = []
    if prepared.head is not None:
        needs = [(variable, "the conclusion") for variable in _variables(prepared.head)]
    found = _unsafe_in(prepared.scope, needs, set(), prepared, unit)
    # The conditions of an aggregate by group are read twice, before it and inside. The text has them once.
    yield from {(variable.span, variable.written): (variable, why) for variable, why in found}.values()


def _unsafe_in(
    scope: VariableScope, needs: list[Need], bound: set[str], prepared: PreparedClause, unit: CheckUnit
) -> Iterator[Need]:
    for statement in scope.statements:
        bound.update(variable.name for variable in _variables(statement))
    equations = [equation for comparison in scope.comparisons for equation in _equations(comparison)]
    sound: list[VariableScope] = []
    for inner in scope.inner:
        if _is_refused(inner, prepared, unit):
            assert inner.opener is not None
            bound.update(variable.name for variable in t.condition_variables(inner.opener))
        else:
            sound.append(inner)
            equations += _result(inner)
            needs += _needed_by(inner)
    for comparison in scope.comparisons:
        what = "a calculation" if _is_argument(comparison) else "a comparison"
        needs += [
            (v, what) for side in (comparison.left, comparison.right) for v in t.expression_variables(side)
        ]
    close(bound, ((equation.bound, equation.needs) for equation in equations))
    missing = [need for need in needs if need[0].name not in bound]
    if missing:
        yield from _roots(missing, equations)
        bound.update(variable.name for variable, _ in missing)
    for inner in sound:
        yield from _unsafe_inside(inner, bound, prepared, unit)


def _unsafe_inside(
    inner: VariableScope, bound: set[str], prepared: PreparedClause, unit: CheckUnit
) -> Iterator[Need]:
    """Yield the unsafe variables inside a condition. The enclosing scopes bind `bound`."""
    opener = inner.opener
    assert opener is not None
    listed = {variable.name for variable in inner_variables(opener)}
    below = bound - listed
    if isinstance(opener, t.All | t.CountIn):
        below |= listed
    needs = (
        [(v, f"the {opener.function}") for v in opener.variables if not v.is_wildcard]
        if isinstance(opener, t.Aggregate)
        else []
    )
    yield from _unsafe_in(inner, needs, below, prepared, unit)


def _is_argument(comparison: t.Comparison) -> bool:
    """Return whether the comparison was written as a calculated argument."""
    return isinstance(comparison.left, t.Variable) and comparison.left.calculation is not None


def _equations(comparison: t.Comparison) -> Iterator[_Equation]:
    if comparison.operator != "=":
        return
    for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if isinstance(one, t.Variable) and not one.is_wildcard:
            needs = _names(other)
            if one.name not in needs:
                yield _Equation(one.name, needs)


def _result(inner: VariableScope) -> Iterator[_Equation]:
    """Yield the result of a count or aggregate, which is bound as soon as the variables shared with the
    outside are.
    """
    opener = inner.opener
    if not isinstance(opener, t.CountIn | t.Aggregate) or not isinstance(opener.result, t.Variable):
        return
    shared = {variable.name for variable in outer_variables(opener)[1:]} | _shared(inner)
    if opener.result.name not in shared and not opener.result.is_wildcard:
        yield _Equation(opener.result.name, frozenset(shared))


def _shared(inner: VariableScope) -> set[str]:
    """Return the named variables that occur in a scope or its inner scopes and belong to outer scopes."""
    names = {v.name for statement in inner.statements for v in _variables(statement)}
    for comparison in inner.comparisons:
        names |= _names(comparison.left) | _names(comparison.right)
    for deeper in inner.inner:
        assert deeper.opener is not None
        names |= {variable.name for variable in outer_variables(deeper.opener)} | _shared(deeper)
    return {name for name in names - inner.own.keys() if not name.startswith("_")}


def _needed_by(inner: VariableScope) -> list[Need]:
    """Return the variables that a closed set, a count or an aggregate needs from the enclosing scope."""
    opener = inner.opener
    match opener:
        case t.All():
            return [(variable, "the key of a closed set") for variable in outer_variables(opener)]
        case t.CountIn():
            result = [(v, "a count's result") for v in t.expression_variables(opener.result)]
            excluded = {id(term) for term in opener.excluded}
            others = outer_variables(opener)[len(result) :]
            words = {True: "what a count leaves out", False: "the key of a closed set"}
            return [*result, *((v, words[id(v) in excluded]) for v in others)]
        case t.Aggregate():
            return [(v, "an aggregate's result") for v in t.expression_variables(opener.result)]
        case _:
            return []


def _is_refused(inner: VariableScope, prepared: PreparedClause, unit: CheckUnit) -> bool:
    """Return whether another check refuses the condition as a whole."""
    opener = inner.opener
    if isinstance(opener, t.Absent | t.Aggregate):
        return not prepared.absence_allowed
    return not ranges_over_closed_sets(inner, unit)


def _refused_names(prepared: PreparedClause, unit: CheckUnit) -> set[str]:
    """Return the variables of conditions that other checks refuse."""
    refused = (inner.opener for inner in prepared.scope.all_inner() if _is_refused(inner, prepared, unit))
    return {v.name for opener in refused if opener is not None for v in t.condition_variables(opener)}


def _roots(missing: list[Need], equations: list[_Equation]) -> Iterator[Need]:
    """Yield the missing variables that are not missing only because of another one."""
    first = {variable.name: need for need in reversed(missing) for variable in [need[0]]}
    names = list(dict.fromkeys(variable.name for variable, _ in missing))
    defined = {equation.bound for equation in equations if equation.needs & first.keys()}
    roots = [name for name in names if name not in defined] or names[:1]
    yield from (first[name] for name in roots)


def _variables(statement: t.Statement | None) -> Iterator[t.Variable]:
    if statement is not None:
        yield from (term for term in statement.terms if isinstance(term, t.Variable))


def _names(expression: t.Expression) -> frozenset[str]:
    return frozenset(variable.name for variable in t.expression_variables(expression))


def _unsafe(variable: t.Variable, why: str, prepared: PreparedClause) -> Diagnostic:
    name = variable.name
    if variable.is_wildcard:
        help_ = "a wildcard is never bound: name the variable and use it in a positive condition"
        return error("HB020", f"{why} cannot hold a wildcard", variable.span, help_)
    near = _intended_name(name, prepared)
    fixes = (write_instead(variable.span, f"?{near}"),) if near else ()
    help_ = f"did you mean `?{near}`?" if near else f"add a positive condition that `?{name}` stands in"
    if not near and _is_inside_calculation(name, prepared.scope.comparisons):
        help_ = f"write the equation with `?{name}` alone on one side: `?{name} = …`"
    for aggregate in (scope.opener for scope in prepared.scope.all_inner()):
        if isinstance(aggregate, t.Aggregate) and name in map(_name_of, t.leaves(aggregate)):
            listed = ", ".join(f"?{each.name}" for each in aggregate.variables)
            fixes = ()
            help_ = (
                f"for an answer for each `?{name}` write `{aggregate.function} {listed} by ?{name} where …`"
            )
    message = f"`?{name}` in {why} is bound by no positive condition"
    return error("HB020", message, variable.span, help_, fixes)


def _name_of(term: t.Term) -> str | None:
    return term.name if isinstance(term, t.Variable) else None


def _is_inside_calculation(name: str, comparisons: list[t.Comparison]) -> bool:
    """Return whether an equation would bind a variable if it were isolated on one side."""
    equations = (c for c in comparisons if c.operator == "=" and not _is_argument(c))
    sides = (side for c in equations for side in (c.left, c.right))
    return any(isinstance(side, t.Operation) and _names(side) == {name} for side in sides)


def _intended_name(name: str, prepared: PreparedClause) -> str:
    """Return the name that an unsafe variable may be a misspelling of, preferably one that the head lacks."""
    names = {name for name, places in prepared.scope.own.items() if places[0].calculation is None}
    concluded = {variable.name for variable in _variables(prepared.head)}
    return _nearest(name, names - concluded) or _nearest(name, names)


# Variables used once


def used_once(scope: VariableScope, known: set[str]) -> Iterator[Diagnostic]:
    """Yield a warning for each variable that occurs once and is not in `known`, the variables with reported
    mistakes.

    If two such names are similar, the second is taken for a misspelling of the first. Variables introduced by
    the parser are exempt, and so is the result in `absent (?n = int(?w))`.
    """
    if isinstance(scope.opener, t.Absent):
        known = known | {equation.bound for c in scope.comparisons for equation in _equations(c)}
    once = [
        places[0]
        for name, places in scope.own.items()
        if len(places) == 1 and name not in known and places[0].calculation is None
    ]
    once.sort(key=lambda variable: (variable.span.line, variable.span.column))
    earlier = [variable.name for variable in once]
    excused: set[str] = set()
    for variable in reversed(once):
        earlier.pop()
        if variable.name not in excused:
            near = _nearest(variable.name, earlier)
            yield _once(variable, [near] if near else scope.own)
            excused.add(near)
    for inner in scope.inner:
        yield from used_once(inner, known)


def _once(variable: t.Variable, names: Collection[str]) -> Diagnostic:
    near = _nearest(variable.name, names)
    anything = "where anything will do, write `_`"
    help_ = f"did you mean `?{near}`? {anything[0].upper()}{anything[1:]}" if near else anything
    instead = [f"?{near}", "_"] if near else ["_"]
    fixes = [write_instead(variable.span, text) for text in instead]
    return warning("HB021", f"`?{variable.name}` is used once", variable.span, help_, fixes)


def _nearest(name: str, names: Collection[str]) -> str:
    """Return the other name that this one may be a misspelling of, or an empty string."""
    if len(name) < SHORTEST_TYPO or len(names) > MOST_NAMES:
        return ""
    return nearest(name, (other for other in names if other != name))
