"""Runs a program of Python that uses pyDatalog, and says what pyDatalog then keeps: clauses and facts, as a program.

The program runs in a process of its own, as `python FILE` would run it, except that it reads nothing from standard
input and that nothing which it prints is seen. What pyDatalog keeps is written as it was asserted, in its order;
values that have no text become calls of `python_value`, which nobody can import.
"""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from hornbook.kb.ast.terms import Span
from hornbook.kb.pydatalog.process import in_another_python, pydatalog
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.text.lines import lines_of

_HELP = (
    "mend it, or take what it has asserted until then with --partial; it reads nothing from standard input"
)
_PREAMBLE = "from pyDatalog import pyDatalog\n"
Lines = Iterator[str]


def program_kept(text: str, file: str, *, partial: bool, seconds: float) -> str:
    """What pyDatalog keeps when the program has run, as a program.

    A program that fails raises TheoryError with the place, or is taken as far as it got if `partial`. Raises
    PyDatalogError where there is no pyDatalog, and TimeLimitError after `seconds`.
    """
    kept, failure, line = in_another_python(__name__, [text, file], seconds)
    if failure is None:
        return f"{_PREAMBLE}{kept}"
    if not partial:
        span = Span(file, line, 1, line, len([*lines_of(text), ""][line - 1]) + 1)
        message = f"the program fails here: {failure}"
        raise TheoryError([Diagnostic("pydatalog", "error", message, _HELP, span)], {file: text})
    return f"{_PREAMBLE}# Left out: what comes after line {line}, where the program fails: {failure}\n{kept}"


def serve(task: list[str]) -> tuple[str, str | None, int]:
    """What is kept of a program, how it failed, and in which of its lines; it is the main program from now on."""
    text, file = task
    engine = pydatalog("pyEngine")
    asserted: list[Any] = []
    remember = engine.assert_

    def assert_(clause: Any) -> Any:
        asserted.append(clause)
        return remember(clause)

    engine.assert_ = assert_  # type: ignore[attr-defined]
    failure, line = None, 1
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__file__ = file
    sys.argv, sys.path = [file], [str(Path(file).resolve().parent), *sys.path]
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    try:
        exec(compile(text, file, "exec"), main.__dict__)  # noqa: S102 - this is what was asked for
    except SystemExit:
        pass
    except BaseException as problem:  # noqa: BLE001 - the program raises what it likes
        failure = " ".join(f"{type(problem).__name__}: {problem}".split())
        places = [
            frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file
        ]
        line = (problem.lineno if isinstance(problem, SyntaxError) and not places else places[-1]) or 1
    return "".join(f"{said}\n" for said in _said(engine, asserted)), failure, line


def _said(engine: ModuleType, asserted: list[Any]) -> Lines:
    """The clauses that are still there; those of conditions that were only asked for are not."""
    kept = {id(clause) for predicate in engine.Logic.tl.logic.Db.values() for clause in predicate.db.values()}
    lines: list[str] = []
    used: set[str] = set()
    aggregates: dict[str, tuple[Any, Any]] = {}
    for clause in asserted:
        for literal in clause.body:
            if literal.aggregate:
                aggregates[literal.pred.name] = clause.head, literal.aggregate
    for clause in reversed(asserted):
        name = clause.head.pred.name
        is_left = any(literal.aggregate for literal in clause.body) or (
            name.startswith("_pyD_query") and name not in used
        )
        if id(clause) not in kept or is_left:
            continue
        used |= {literal.pred.name.removeprefix("~") for literal in clause.body}
        if not clause.body:
            lines.append(_fact(clause.head))
            continue
        head = _aggregate(*aggregates[name]) if name in aggregates else _literal(clause.head)
        lines.append(f"{head} <= {' & '.join(map(_literal, clause.body))}")
    return reversed(lines)


def _fact(head: Any) -> str:
    name = head.pred.name
    if "[" in name or "." in name:
        return f"+ {_literal(head)}"
    return f"pyDatalog.assert_fact({', '.join([repr(name), *map(_term, head.terms)])})"


def _literal(literal: Any) -> str:
    """`p(X)`, `(f[X] == Y)`, `(X < Y)`, and each of them after `~`; the first term of what has a class is that class."""
    name, terms = literal.pred.name, [_term(term) for term in literal.terms]
    if name.startswith("~"):
        return f"~{_said_of(name[1:], terms)}"
    return _said_of(name, terms)


def _said_of(name: str, terms: list[str]) -> str:
    function = re.fullmatch(r"(.+)\[\d+\](\W+|_pyD_\w+)", name)
    if function is not None:
        return f"({function[1]}[{', '.join(terms[1:-1])}] {_operator(function[2])} {terms[-1]})"
    if re.fullmatch(r"[<>=!]+|_pyD_(not_)?in", name):
        return f"({terms[0]} {_operator(name)} {terms[1]})"
    return f"{name}({', '.join(terms[1:] if '.' in name else terms)})"


def _operator(name: str) -> str:
    return name.removeprefix("_pyD_").replace("_", " ")


def _aggregate(head: Any, aggregate: Any) -> str:
    """`(f[X] == sum_(Y, for_each=(Z,)))`."""
    arguments = [] if aggregate.Y is None else [_term(aggregate.Y._pyD_lua)]  # noqa: SLF001
    for word in ("group_by", "for_each", "order_by"):
        variables = [f"{'-' * v._pyD_negated}{_term(v._pyD_lua)}" for v in getattr(aggregate, word)]  # noqa: SLF001
        if variables:
            arguments.append(f"{word}=({', '.join(variables)},)")
    if aggregate.sep is not None:
        arguments.append(f"sep={aggregate.sep!r}")
    call = f"{type(aggregate).__name__.lower()}_({', '.join(arguments)})"
    return _said_of(head.pred.name, [*map(_term, head.terms[:-1]), call])


def _term(term: Any) -> str:
    match type(term).__name__:
        case "Const":
            return _constant(term.id)
        case "VarTuple":
            return f"({''.join(f'{_term(part)}, ' for part in term._id)})"  # noqa: SLF001
        case "Operation":
            return _operation(term)
    return re.sub(r"\W", "_", str(term.id[1]))


def _operation(term: Any) -> str:
    left, right = _term(term.lhs), _term(term.rhs)
    match term.operator:
        case "+" | "-" | "*" | "/" | "//" | "**" | "%":
            return f"({left} {term.operator} {right})"
        case "[":
            is_slice = type(term.rhs).__name__ == "VarTuple"
            parts = [_term(part) for part in term.rhs._id] if is_slice else [right]  # noqa: SLF001
            return f"{left}[{':'.join('' if part == 'None' else part for part in parts[:2])}]"
        case "#":
            return f"len_({right})"
        case "..":
            return f"range_({right})"
    return f"python_value({left}, {str(term.operator)!r}, {right})"


def _constant(value: object) -> str:
    match value:
        case bool() | None:
            return repr(value)
        case str():
            return repr(str(value))
        case float():
            return repr(float(value))
    try:
        return repr(int(value.__index__()))  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        return f"python_value({str(value)!r})"
