"""Calculations in arguments of statements, replaced by a variable and an equation each, as
docs/reference/language.md defines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Form = Any
WORDS = {"+": "plus", "-": "minus", "*": "times", "//": "over", "mod": "mod"}
FOLDED = (*WORDS, "min", "max", "abs", "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right")
"""The operators that are carried out when the text is read, for plain integers."""
LONGEST = 24
"""The most letters of a name that describes a calculation."""


class NoValueError(Exception):
    """A calculation of integers alone has no value."""


def unfolded(clause: Form) -> Form:
    """Return the clause with only terms as arguments. Raise NoValueError for an undefined calculation."""
    if not any(isinstance(term, tuple) for atom in _atoms(clause) for term in atom[3]):
        return clause
    reading = _Unfolding(set(_variables(clause)))
    match clause:
        case ("rule", label, head, conditions):
            body, unfolded_head = reading.unfold(conditions, head)
            return ("rule", label, unfolded_head, body)
        case ("frame", fluent, cases):
            return ("frame", fluent, tuple(map(reading.level, cases)))
        case ("replies", game, cases):
            return ("replies", game, tuple(map(reading.reply, cases)))
        case ("example", name, *parts):
            unfolded_parts = (tuple(reading.statement(each, {}, []) for each in part) for part in parts)
            return ("example", name, *unfolded_parts)
        case ("expect", name, conditions):
            return ("expect", name, reading.level(conditions))
    raise AssertionError(clause)


def _atoms(form: Form) -> Iterator[Form]:
    if isinstance(form, tuple):
        if form[:1] == ("atom",):
            yield form
        else:
            for part in form:
                yield from _atoms(part)


def _variables(form: Form) -> Iterator[str]:
    if isinstance(form, tuple):
        for part in form:
            yield from _variables(part)
    elif isinstance(form, str) and form.startswith("?"):
        yield form


class _Unfolding:
    def __init__(self, taken: set[str]) -> None:
        self.taken = taken

    def unfold(self, conditions: Form, statement: Form) -> tuple[Form, Form]:
        known: dict[Form, str] = {}
        equations: list[Form] = []
        found = self.level(conditions, known)
        changed = self.statement(statement, known, equations)
        return (*found, *equations), changed

    def level(self, conditions: Form, known: dict[Form, str] | None = None) -> Form:
        known = {} if known is None else known
        found: list[Form] = []
        for condition in conditions:
            equations: list[Form] = []
            changed = self.condition(condition, known, equations)
            found += [*equations, changed]
        return tuple(found)

    def condition(self, condition: Form, known: dict[Form, str], equations: list[Form]) -> Form:
        match condition:
            case ("atom" | "game", *_):
                return self.statement(condition, known, equations)
            case ("all", variables, member, inner):
                return ("all", variables, self.statement(member, known, equations), self.level(inner))
            case ("count", result, variables, sets, excluded):
                read = tuple(self.statement(member, known, equations) for member in sets)
                return ("count", result, variables, read, excluded)
            case ("aggregate", function, result, variables, inner):
                return ("aggregate", function, result, variables, self.level(inner))
            case ("absent", inner):
                return ("absent", self.level(inner))
        return condition

    def statement(self, statement: Form, known: dict[Form, str], equations: list[Form]) -> Form:
        if statement[0] == "game":
            _, game, action, value = statement
            inner = self.statement(game, known, equations)
            return ("game", inner, action and self.statement(action, known, equations), value)
        terms = []
        for written in statement[3]:
            term = folded(written)
            if isinstance(term, tuple):
                if term not in known:
                    known[term] = self.fresh(term)
                    equations.append(("compare", "=", known[term], term))
                term = known[term]
            terms.append(term)
        return (*statement[:3], tuple(terms))

    def reply(self, case: Form) -> Form:
        action, conditions, unless = case
        conditions_of_reply, changed = self.unfold(conditions, action)
        return (changed, conditions_of_reply, unless)

    def fresh(self, side: Form) -> str:
        names = (name for name in (named(side), named(side, short=True)) if len(name) <= LONGEST)
        name = next(names, "calculated")
        name = name if name[0].isalpha() else f"is_{name}"
        free, number = f"?{name}", 1
        while free in self.taken:
            number += 1
            free = f"?{name}_{number}"
        self.taken.add(free)
        return free


def folded(side: Form) -> Form:
    if not isinstance(side, tuple):
        return side
    operator, *rest = side
    operands = [folded(part) for part in rest]
    if operator not in FOLDED or not all(type(operand) is int for operand in operands):
        return (operator, *operands)
    found = _evaluated(operator, operands)
    if found is None or not -(2**63) <= found < 2**63:
        raise NoValueError(side)
    return found


def _evaluated(operator: str, of: list[int]) -> int | None:
    last = of[-1]
    match operator:
        case "+":
            return of[0] + last
        case "-":
            return of[0] - last
        case "*":
            return of[0] * last
        case "//":
            return of[0] // last if last else None
        case "mod":
            return of[0] % last if last else None
        case "min" | "max":
            return min(of) if operator == "min" else max(of)
        case "abs":
            return abs(last)
        case "bit_and":
            return of[0] & last
        case "bit_or":
            return of[0] | last
        case "bit_xor":
            return of[0] ^ last
        case "shift_left":
            return of[0] * 2**last if 0 <= last <= 63 else None
        case "shift_right":
            return of[0] // 2**last if 0 <= last <= 63 else None
    return None


def named(side: Form, *, short: bool = False) -> str:
    """Return a description of a calculation. A short one has no operands of functions."""
    match side:
        case int():
            return str(side) if side >= 0 else f"minus_{-side}"
        case str() if side.startswith("?"):
            return "any" if side.startswith("?_") else side[1:]
        case str():
            return "".join(letter for letter in side if letter.isalnum()) or "word"
        case (operator, *_) if short and operator not in WORDS:
            return str(operator)
        case (operator, *operands):
            names = [named(operand, short=short) for operand in operands]
            return f"_{WORDS[operator]}_".join(names) if operator in WORDS else "_".join((operator, *names))
    raise AssertionError(side)
