"""The execution of a Python program that uses pyDatalog, and its final clauses and facts as a program.

The program runs in a process of its own, as with `python FILE`. Its standard input is empty and its output is
discarded. The final clauses are written in the order of their assertion. Values without a text become calls
of `python_value`, which cannot be imported.
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

_HELP = "correct it, or import its earlier assertions with --partial; its standard input is empty"
_PREAMBLE = "from pyDatalog import pyDatalog\n"


def final_program(text: str, file: str, *, partial: bool, seconds: float) -> str:
    """Return the clauses and facts after a run of the program, as a program.

    Args:
        text: The program.
        file: The name of its file.
        partial: Whether to return the state at a failure instead of raising TheoryError.
        seconds: The time limit.

    Raises:
        TheoryError: The program fails. The error has the line.
        PyDatalogError: pyDatalog is not installed.
        TimeLimitError: The time limit is exceeded.
    """
    state, failure, line = in_another_python(__name__, [text, file], seconds)
    if failure is None:
        return f"{_PREAMBLE}{state}"
    if not partial:
        span = Span(file, line, 1, line, len([*lines_of(text), ""][line - 1]) + 1)
        message = f"the program fails here: {failure}"
        raise TheoryError([Diagnostic("pydatalog", "error", message, _HELP, span)], {file: text})
    return f"{_PREAMBLE}# Left out: everything after line {line}, where the program fails: {failure}\n{state}"


def serve(task: list[str]) -> tuple[str, str | None, int]:
    """Return the final state of a program, its failure, and the line of the failure. The program becomes the
    main module.
    """
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
    linecache.cache[file] = (len(text), None, [f"{line}\n" for line in lines_of(text)], file)
    try:
        # running the program is the purpose of the command
        exec(compile(text, file, "exec"), main.__dict__)  # noqa: S102
    except SystemExit:
        pass
    except BaseException as problem:  # noqa: BLE001  # the program may raise exceptions of any type
        failure = " ".join(f"{type(problem).__name__}: {problem}".split())
        places = [
            frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file
        ]
        line = (problem.lineno if isinstance(problem, SyntaxError) and not places else places[-1]) or 1
    dump = _Dump(engine)
    dump.text(asserted)  # this collects all texts, so that no object gets the name of one of them
    dump.words.clear()
    return dump.text(asserted), failure, line


class _Dump:
    """The writer of pyDatalog's state as text.

    A Python object becomes a word: its printed form, made unique.
    """

    def __init__(self, engine: ModuleType) -> None:
        self.engine = engine
        self.texts: set[str] = set()
        self.words: dict[object, str] = {}
        self.names: dict[str, str] = {}

    def text(self, asserted: list[Any]) -> str:
        """Return the existing clauses, without those of conditions that were only queried."""
        predicates = self.engine.Logic.tl.logic.Db
        existing = {id(clause) for predicate in predicates.values() for clause in predicate.db.values()}
        self.texts |= {predicate.name for predicate in predicates.values()}
        lines: list[str] = []
        used: set[str] = set()
        attributes: dict[str, None] = {}
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
            if id(clause) not in existing or is_left:
                continue
            for literal in clause.body:
                used.add(literal.pred.name.removeprefix("~"))
                if "." in literal.pred.name and self.defining(literal.pred) is None:
                    attributes[literal.pred.name.removeprefix("~").partition("[")[0]] = None
            if not clause.body:
                lines.append(self.fact(clause.head))
                continue
            head = self.aggregate(*aggregates[name]) if name in aggregates else self.literal(clause.head)
            lines.append(f"{head} <= {' & '.join(map(self.literal, clause.body))}")
        lines += [line for attribute in attributes for line in sorted(self.values_of(attribute))]
        return "".join(f"{line}\n" for line in reversed(lines))

    # Classes

    def defining(self, predicate: Any) -> str | None:
        """Return the nearest class of a predicate's class hierarchy whose clauses define it, or None for an
        attribute.
        """
        of_class, _, rest = predicate.name.removeprefix("~").partition(".")
        known = self.engine.Class_dict
        above = [base.__name__ for base in known[of_class].__mro__] if of_class in known else []
        function = rest.partition("]")[0] + "]==" if "]" in rest else rest
        defined = (
            name for name in above if f"{name}.{function}/{predicate.arity}" in self.engine.Logic.tl.logic.Db
        )
        return next(defined, None)

    def values_of(self, attribute: str) -> Iterator[str]:
        """Yield the facts for an attribute of the objects of a class."""
        of_class, _, name = attribute.partition(".")
        objects = pydatalog("pyDatalog").metaMixin.__refs__.get(self.engine.Class_dict.get(of_class), ())
        rows = [(each, getattr(each, name, self)) for each in objects]
        for each, value in rows:
            if value is not self:
                term = self.term(self.engine.Term_of(value))
                yield f"+ ({self.named(attribute)}[{self.constant(each)}] == {term})"

    def named(self, name: str) -> str:
        """Return the name of a predicate. It includes the class for a predicate of a class."""
        plain = name.replace(".", "_")
        while plain != name and any(text.partition("[")[0] == plain for text in self.texts):
            plain += "_"
        return self.names.setdefault(name, plain)

    # Translation

    def fact(self, head: Any) -> str:
        name = head.pred.name
        if "[" in name or "." in name:
            return f"+ {self.literal(head)}"
        return f"pyDatalog.assert_fact({', '.join([repr(name), *map(self.term, head.terms)])})"

    def literal(self, literal: Any) -> str:
        """Return `p(X)`, `(f[X] == Y)` or `(X < Y)`, with `~` if it is negated."""
        name, terms = literal.pred.name.removeprefix("~"), [self.term(term) for term in literal.terms]
        if "." in name and (above := self.defining(literal.pred)) is not None:
            name = f"{above}.{name.partition('.')[2]}"
        return f"{'~' * literal.pred.name.startswith('~')}{self.atom(name, terms)}"

    def atom(self, name: str, terms: list[str]) -> str:
        """Return an atom. The first term of a class member or of a function denotes the class and is left
        out.
        """
        function = re.fullmatch(r"([^\[]++)\[\d++\](\W+|_pyD_\w+)", name)
        if function is not None:
            operator = _operator(function[2])
            return f"({self.named(function[1])}[{', '.join(terms[1:-1])}] {operator} {terms[-1]})"
        if re.fullmatch(r"[<>=!]+|_pyD_(not_)?in", name):
            return f"({terms[0]} {_operator(name)} {terms[1]})"
        return f"{self.named(name)}({', '.join(terms[1:] if '.' in name else terms)})"

    def aggregate(self, head: Any, aggregate: Any) -> str:
        """Return an aggregate such as `(f[X] == sum_(Y, for_each=(Z,)))`."""
        arguments = [] if aggregate.Y is None else [self.term(aggregate.Y._pyD_lua)]  # noqa: SLF001
        for word in ("group_by", "for_each", "order_by"):
            variables = [
                f"{'-' * variable._pyD_negated}{self.term(variable._pyD_lua)}"  # noqa: SLF001
                for variable in getattr(aggregate, word)
            ]
            if variables:
                arguments.append(f"{word}=({', '.join(variables)},)")
        if aggregate.sep is not None:
            arguments.append(f"sep={aggregate.sep!r}")
        call = f"{type(aggregate).__name__.lower()}_({', '.join(arguments)})"
        return self.atom(head.pred.name, [*map(self.term, head.terms[:-1]), call])

    def term(self, term: Any) -> str:
        match type(term).__name__:
            case "Const":
                return self.constant(term.id)
            case "VarTuple":
                return f"({''.join(f'{self.term(part)}, ' for part in term._id)})"  # noqa: SLF001
            case "Operation":
                return self.operation(term)
        return re.sub(r"\W", "_", str(term.id[1]))

    def operation(self, term: Any) -> str:
        left, right = self.term(term.lhs), self.term(term.rhs)
        match term.operator:
            case "+" | "-" | "*" | "/" | "//" | "**" | "%":
                return f"({left} {term.operator} {right})"
            case "[":
                is_slice = type(term.rhs).__name__ == "VarTuple"
                parts = [self.term(part) for part in term.rhs._id] if is_slice else [right]  # noqa: SLF001
                return f"{left}[{':'.join('' if part == 'None' else part for part in parts[:2])}]"
            case "#":
                return f"len_({right})"
            case "..":
                return f"range_({right})"
        return f"python_value({left}, {str(term.operator)!r}, {right})"

    def constant(self, value: Any) -> str:
        match value:
            case bool() | None:
                return repr(value)
            case str():
                self.texts.add(str(value))
                return repr(str(value))
            case float():
                return repr(float(value))
        try:
            return repr(int(value.__index__()))
        except (AttributeError, TypeError):
            pass
        try:
            return repr(self.word(value))
        except TypeError:  # objects without a hash cannot be named
            return f"python_value({str(value)!r})"

    def word(self, value: object) -> str:
        if value not in self.words:
            number, word = 1, " ".join(str(value).split())
            while word in self.texts or word in self.words.values():
                number += 1
                word = f"{' '.join(str(value).split())} {number}"
            self.words[value] = word
        return self.words[value]


def _operator(name: str) -> str:
    return name.removeprefix("_pyD_").replace("_", " ")
