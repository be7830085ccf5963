"""The rules that `persists` clauses abbreviate, as forms: a second implementation of the reference without
common code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from oracles.reader.language import MAY_FAIL, Form, NotRead, is_variable

FAILS = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
Declared = dict[str, Form]
"""The forms of declarations by name, in order."""


def rules_of(clauses: list[Form], declared: Declared, counter: dict[str, str]) -> Iterator[Form]:
    """Yield the rules of all `persists` clauses of a theory, in order.

    Raise NotRead if a condition has no negation.
    """
    many: dict[str, int] = {}
    for clause in clauses:
        for action in (name for name, form in declared.items() if form[1] == "action"):
            for head, body in _of_action(clause, action, declared, counter):
                label = f"{head[2]}_stays_after_{action}"
                many[label] = many.get(label, 0) + 1
                yield ("rule", label + (f"_{many[label]}" if many[label] > 1 else ""), head, body)


def _names(form: Form) -> Iterator[str]:
    if isinstance(form, tuple):
        for part in form[3:] if form[:1] == ("atom",) else form:
            yield from _names(part)
    elif is_variable(form):
        yield form


def _of_action(
    clause: Form, action: str, declared: Declared, counter: dict[str, str]
) -> Iterator[tuple[Form, tuple[Form, ...]]]:
    used = set(_names(clause))

    def new(sort: str) -> str:
        names = (f"?{sort}" + (f"_{n}" if n > 1 else "") for n in range(1, len(used) + 2))
        name = next(name for name in names if name not in used)
        used.add(name)
        return name

    def at(atom: Form, moment: str) -> Form:
        changes = declared[atom[2]][1] not in ("static", "action")
        return ("atom", moment if changes else None, *atom[2:])

    name = clause[1][2]
    terms = tuple(
        new(sort) if is_variable(term) and term.startswith("?_") else term
        for term, sort in zip(clause[1][3], declared[name][3], strict=True)
    )
    fluent = ("atom", None, name, terms)
    columns = tuple(new(sort) for sort in declared[action][3])
    cases = [c for c in clause[2] if any(each[0] == "atom" and each[2] == action for each in c)]
    reading = _CaseAnalysis(declared, counter, fluent, new)
    found: list[tuple[Form, ...]] = []
    for choice in product(*(list(reading.failures(case, action, columns)) for case in cases)):
        last = list(dict.fromkeys(each[-1] for each in choice))
        if any(c[0] == "compare" and ("compare", FAILS[c[1]], *c[2:]) in last for c in last):
            continue
        lookups = tuple(dict.fromkeys([*(c for each in choice for c in each[:-1]), *last]))
        if not any(set(lookups) == set(other) for other in found):
            found.append(lookups)
    for lookups in found:
        if not any(set(other) < set(lookups) for other in found):
            tensed = [
                ("all", c[1], at(c[2], "before"), c[3])
                if c[0] == "all"
                else at(c, "before")
                if c[0] == "atom"
                else ("absent", (at(c[1][0], "before"),))
                if c[0] == "absent"
                else c
                for c in lookups
                if c != fluent
            ]
            body = (("atom", None, action, columns), at(fluent, "before"), *tensed)
            yield _numbered((at(fluent, "after"), body))


def _numbered(rule: Any) -> Any:
    """Return a rule with wildcards for the variables that occur once."""
    names = list(_names(rule))
    numbers: dict[str, str] = {}

    def put(form: Form) -> Form:
        if isinstance(form, tuple):
            return (
                (*form[:3], *map(put, form[3:]))
                if form[:1] == ("atom",)
                else tuple(put(part) for part in form)
            )
        if is_variable(form) and names.count(form) == 1:
            return numbers.setdefault(form, f"?_{len(numbers) + 1}")
        return form

    return put(rule)


class _CaseAnalysis:
    """An analysis of cases: the bindings in a case, and the conditions that make them."""

    def __init__(
        self, declared: Declared, counter: dict[str, str], fluent: Form, new: Callable[[str], str]
    ) -> None:
        self.declared, self.counter, self.fluent, self.new = declared, counter, fluent, new
        self.known: dict[Form, tuple[Form, ...]] = {}
        key = declared[fluent[2]][4]
        if key is not None:
            self.known[fluent[2], fluent[3][:key]] = fluent[3][key:]

    def failures(
        self, case: tuple[Form, ...], action: str, columns: tuple[str, ...]
    ) -> Iterator[tuple[Form, ...]]:
        """Yield the ways in which a case may fail: the required lookups, and the failing condition."""
        bound: dict[str, Form] = {name: name for name in _names(self.fluent)}
        looked: dict[Form, tuple[Form, ...]] = {}
        left = list(case)
        taken = next(c for c in case if c[0] == "atom" and c[2] == action)
        left.remove(taken)
        for term, column in zip(taken[3], columns, strict=True):
            if not is_variable(term):
                yield (("compare", "!=", column, term),)
            elif term in bound:
                yield (*looked.get(bound[term], ()), ("compare", "!=", bound[term], column))
            elif not term.startswith("?_"):
                bound[term] = column
        while left:
            for condition in left:
                ways = self._take(condition, bound, looked)
                if ways is not None:
                    yield from ways
                    left.remove(condition)
                    break
            else:
                raise NotRead(f"no opposite of {left[0]}")

    def _take(
        self, condition: Form, bound: dict[str, Form], looked: dict[Form, tuple[Form, ...]]
    ) -> list[tuple[Form, ...]] | None:
        def ready(*forms: Form) -> bool:
            return all(name in bound for form in forms for name in _names(form))

        def put(form: Form) -> Form:
            if isinstance(form, tuple):
                return (*form[:3], *map(put, form[3:])) if form[:1] == ("atom",) else tuple(map(put, form))
            return bound.get(form, form) if is_variable(form) else form

        def before(*forms: Form) -> tuple[Form, ...]:
            return tuple(dict.fromkeys(c for f in forms for name in _names(f) for c in looked.get(name, ())))

        if condition[0] == "compare":
            _, operator, left, right = condition
            if _may_fail(condition):
                return None
            if ready(condition):
                fails = ("compare", FAILS[operator], put(left), put(right))
                return [(*before(fails), fails)]
            for one, other in ((left, right), (right, left)) if operator == "=" else ():
                if is_variable(one) and not one.startswith("?_") and one not in bound:
                    if not ready(other):
                        return None
                    value = put(other)
                    if isinstance(value, tuple):
                        result = self.new(one[1:])
                        looked[result] = (*before(value), ("compare", "=", result, value))
                        value = result
                    bound[one] = value
                    return []
            return None
        if condition[0] != "atom":
            return None
        terms, name = condition[3], condition[2]
        if ready(terms) and put(condition) == self.fluent:
            return []
        if "complete" in self.declared[name][8:] and all(ready(t) or t.startswith("?_") for t in terms):
            there = put(condition)
            return [(*before(there), ("absent", (there,)))]
        key = self.declared[name][4]
        if key is not None and ready(terms[:key]):
            if all(is_variable(term) and term.startswith("?_") for term in terms[key:]):
                return None
            keys = put(terms[:key])
            if (name, keys) not in self.known:
                self.known[name, keys] = tuple(self.new(sort) for sort in self.declared[name][3][key:])
            values = self.known[name, keys]
            says = (*before(keys), ("atom", None, name, (*keys, *values)))
            looked.update({value: says for value in values if is_variable(value)})
            ways: list[tuple[Form, ...]] = []
            for term, value in zip(terms[key:], values, strict=True):
                if is_variable(term) and term not in bound:
                    if not term.startswith("?_"):
                        bound[term] = value
                elif put(term) != value:
                    ways.append((*before(put(term), value), ("compare", "!=", value, put(term))))
            return ways
        counted = self.counter.get(name)
        if counted is None:
            return None
        width = len(self.declared[counted][3]) - 1
        members = [
            i for i, t in enumerate(terms) if i >= width and not (is_variable(t) and t.startswith("?_"))
        ]
        if not ready(terms[:width]) or len(members) > 1 or not ready(*(terms[i] for i in members)):
            return None
        keys = put(terms[:width])
        if not members:
            return [(*before(keys), ("atom", None, counted, (*keys, 0)))]
        own = put(terms[members[0]])
        listed = tuple(self.new(sort) for sort in self.declared[name][3][width:])
        different = ("compare", "!=", listed[members[0] - width], own)
        return [(*before(keys, own), ("all", listed, ("atom", None, name, (*keys, *listed)), (different,)))]


def _may_fail(form: Form) -> bool:
    """Return whether a calculation calls a function that may have no value."""
    return isinstance(form, tuple) and (form[0] in MAY_FAIL or any(map(_may_fail, form)))
