"""A sheet of GDL as a program for SWI-Prolog.

A relation `cell` is the predicate `r cell`; words and functions keep their names. Conditions have the order
of the sheet, but a condition that requires bound variables is delayed until they are bound. Recursive
predicates are tabled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import networkx as nx

Kif = str | list["Kif"]
"""An expression: a word, a variable with its `?`, or a list."""
Written = str
GIVEN_RELATIONS = ("true", "does")
JOINS = ("and", "or", "not")
PLAYED = (("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2))


def expressions(text: str) -> list[Kif]:
    """Return the expressions of a text. Raise ValueError if its parentheses are unbalanced."""
    stack: list[list[Kif]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\r\n]*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise ValueError("a parenthesis closes nothing")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise ValueError("a parenthesis is never closed")
    return stack[0]


def program(text: str) -> str:
    """Return the predicates that a sheet defines, and `changing/1` for tables that depend on the state or
    moves.
    """
    clauses = [_clause(each) for each in expressions(text)]
    graph: nx.DiGraph[tuple[str, int]] = nx.DiGraph()
    for head, body in clauses:
        graph.add_node(_key(head))
        for atom in _atoms(body):
            graph.add_edge(_key(head), _key(atom))
    dynamic = {key for key in graph if key[0] in GIVEN_RELATIONS}
    changing = dynamic.union(*(nx.ancestors(graph, key) for key in dynamic)) if dynamic else set()
    lines = [
        ":- style_check(-singleton).",
        ":- style_check(-discontiguous).",
        ":- dynamic 'r true'/1, 'r does'/2, changing/1.",
    ]
    for part in nx.strongly_connected_components(graph):
        for key in sorted(part):
            if len(part) > 1 or graph.has_edge(key, key):
                lines.append(f":- table {_indicator(key)}.")
                if key in changing:
                    lines.append(f"changing(Table) :- functor(Table, {_quoted('r ' + key[0])}, {key[1]}).")
    defined = {_key(head) for head, _ in clauses}
    lines += [
        f":- dynamic {_indicator(key)}."
        for key in sorted({*graph, *PLAYED} - defined)
        if key[0] not in GIVEN_RELATIONS
    ]
    for head, body in clauses:
        conditions = _conditions(body, frozenset(), frozenset(_variables(head)))[0]
        lines.append(f"{_atom(head)} :- {conditions}." if body else f"{_atom(head)}.")
    return "\n".join(lines) + "\n"


def _clause(expression: Kif) -> tuple[Kif, list[Kif]]:
    if isinstance(expression, list) and expression[0] == "<=":
        return expression[1], expression[2:]
    return expression, []


def _key(atom: Kif) -> tuple[str, int]:
    return (atom, 0) if isinstance(atom, str) else (str(atom[0]), len(atom) - 1)


def _indicator(key: tuple[str, int]) -> Written:
    return f"{_quoted('r ' + key[0])}/{key[1]}"


def _is_join(formula: Kif) -> bool:
    return isinstance(formula, list) and formula[0] in JOINS


def _is_test(formula: Kif) -> bool:
    return isinstance(formula, list) and formula[0] in ("not", "distinct")


def _atoms(body: Iterable[Kif]) -> Iterator[Kif]:
    for formula in body:
        if _is_join(formula):
            yield from _atoms(formula[1:])
        elif not _is_test(formula):
            yield formula


def _variables(expression: Kif) -> Iterator[str]:
    if isinstance(expression, list):
        for part in expression:
            yield from _variables(part)
    elif expression.startswith("?"):
        yield expression


def _quoted(word: str) -> Written:
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _term(expression: Kif) -> Written:
    if isinstance(expression, list):
        return f"{_quoted(str(expression[0]))}({','.join(map(_term, expression[1:]))})"
    return (
        "V" + "".join(f"_{ord(letter)}" for letter in expression)
        if expression.startswith("?")
        else _quoted(expression)
    )


def _atom(atom: Kif) -> Written:
    if isinstance(atom, str) or len(atom) == 1:
        return _quoted(f"r {_key(atom)[0]}")
    return f"{_quoted(f'r {atom[0]}')}({','.join(map(_term, atom[1:]))})"


def _conditions(
    body: Iterable[Kif], bound: frozenset[str], outside: frozenset[str]
) -> tuple[Written, frozenset[str]]:
    """Return conditions ordered by their requirements, and the variables bound after them.

    `outside` are the variables of the rest of the clause.
    """
    left = list(body)
    done: list[Written] = []
    while left:
        ready = (
            place
            for place, formula in enumerate(left)
            if _needs(formula, outside.union(*map(_variables, left[:place] + left[place + 1 :]))) <= bound
        )
        formula = left.pop(next(ready, 0))
        others = outside.union(bound, *map(_variables, left))
        written, bound = _condition(formula, bound, others)
        done.append(written)
    return f"({', '.join(done)})" if done else "true", bound


def _condition(
    formula: Kif, bound: frozenset[str], outside: frozenset[str]
) -> tuple[Written, frozenset[str]]:
    if isinstance(formula, list) and formula[0] == "and":
        return _conditions(formula[1:], bound, outside)
    if isinstance(formula, list) and formula[0] == "or":
        parts = [_condition(part, bound, outside) for part in formula[1:]]
        return f"({' ; '.join(part for part, _ in parts)})", frozenset.intersection(
            *(after for _, after in parts)
        )
    if isinstance(formula, list) and formula[0] == "not":
        return f"\\+ {_condition(formula[1], bound, outside)[0]}", bound
    if isinstance(formula, list) and formula[0] == "distinct":
        return f"{_term(formula[1])} \\== {_term(formula[2])}", bound
    return _atom(formula), bound.union(_variables(formula))


def _needs(formula: Kif, others: frozenset[str]) -> frozenset[str]:
    """Return the variables that must be bound before a formula.

    These are variables in tests that occur in `others` too, unless the formula binds them.
    """
    if not isinstance(formula, list):
        return frozenset()
    if formula[0] == "distinct":
        return frozenset(_variables(formula))
    if formula[0] == "not":
        return others.intersection(_variables(formula))
    if formula[0] == "or":
        return frozenset().union(*(_needs(part, others) for part in formula[1:]))
    if formula[0] == "and":
        binds = frozenset().union(*map(_variables, filter(lambda part: not _is_test(part), formula[1:])))
        return frozenset().union(*(_needs(part, others) for part in formula[1:] if _is_test(part))) - binds
    return frozenset()
