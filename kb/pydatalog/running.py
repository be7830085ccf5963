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
    linecache.cache[file] = (len(text), None, [f"{line}\n" for line in lines_of(text)], file)
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
    dump = _Dump(engine)
    dump.text(asserted)  # all texts are known then, and no object is called as one of them
    dump.words.clear()
    return dump.text(asserted), failure, line


class _Dump:
    """What pyDatalog keeps, as text.

    An object of Python is a word: what it is printed as, and nothing else is called so.
    """

    def __init__(self, engine: ModuleType) -> None:
        self.engine = engine
        self.texts: set[str] = set()
        self.words: dict[object, str] = {}
        self.names: dict[str, str] = {}

    def text(self, asserted: list[Any]) -> str:
        """The clauses that are still there; those of conditions that were only asked for are not."""
        predicates = self.engine.Logic.tl.logic.Db
        kept = {id(clause) for predicate in predicates.values() for clause in predicate.db.values()}
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
            if id(clause) not in kept or is_left:
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
        """The class of those above the one that a predicate is of for which clauses define it; None where it is an attribute."""
        of_class, _, rest = predicate.name.removeprefix("~").partition(".")
        known = self.engine.Class_dict
        above = [base.__name__ for base in known[of_class].__mro__] if of_class in known else []
        function = rest.partition("]")[0] + "]==" if "]" in rest else rest
        defined = (
            name for name in above if f"{name}.{function}/{predicate.arity}" in self.engine.Logic.tl.logic.Db
        )
        return next(defined, None)

    def values_of(self, attribute: str) -> Iterator[str]:
        """The facts that say what the objects of a class have for an attribute."""
        of_class, _, name = attribute.partition(".")
        objects = pydatalog("pyDatalog").metaMixin.__refs__.get(self.engine.Class_dict.get(of_class), ())
        rows = [(each, getattr(each, name, self)) for each in objects]
        for each, value in rows:
            if value is not self:
                term = self.term(self.engine.Term_of(value))
                yield f"+ ({self.named(attribute)}[{self.constant(each)}] == {term})"

    def named(self, name: str) -> str:
        """The name of a predicate; one that belongs to a class is called as both."""
        plain = name.replace(".", "_")
        while plain != name and any(text.partition("[")[0] == plain for text in self.texts):
            plain += "_"
        return self.names.setdefault(name, plain)

    # Clauses

    def fact(self, head: Any) -> str:
        name = head.pred.name
        if "[" in name or "." in name:
            return f"+ {self.literal(head)}"
        return f"pyDatalog.assert_fact({', '.join([repr(name), *map(self.term, head.terms)])})"

    def literal(self, literal: Any) -> str:
        """`p(X)`, `(f[X] == Y)`, `(X < Y)`, and each of them after `~`."""
        name, terms = literal.pred.name.removeprefix("~"), [self.term(term) for term in literal.terms]
        if "." in name and (above := self.defining(literal.pred)) is not None:
            name = f"{above}.{name.partition('.')[2]}"
        return f"{'~' * literal.pred.name.startswith('~')}{self.atom(name, terms)}"

    def atom(self, name: str, terms: list[str]) -> str:
        """The first term of what belongs to a class, and of every function, stands for that class."""
        function = re.fullmatch(r"([^\[]++)\[\d++\](\W+|_pyD_\w+)", name)
        if function is not None:
            operator = _operator(function[2])
            return f"({self.named(function[1])}[{', '.join(terms[1:-1])}] {operator} {terms[-1]})"
        if re.fullmatch(r"[<>=!]+|_pyD_(not_)?in", name):
            return f"({terms[0]} {_operator(name)} {terms[1]})"
        return f"{self.named(name)}({', '.join(terms[1:] if '.' in name else terms)})"

    def aggregate(self, head: Any, aggregate: Any) -> str:
        """`(f[X] == sum_(Y, for_each=(Z,)))`."""
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
        except TypeError:  # nothing is known by it that has no hash
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
