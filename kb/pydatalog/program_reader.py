"""Programs written for pyDatalog, statement by statement: their final assertions, determined without running
them.

The argument of `pyDatalog.load` is interpreted as pyDatalog does. In a Python file, assertions with literal
values are read, and silent statements are skipped. All others are refused, each with its position and a
suggestion: loops, branches and functions with assertions are imported by running the program.
"""

from __future__ import annotations

import ast
import string
import warnings
from collections.abc import Iterable
from copy import copy
from dataclasses import replace

from hornbook.kb.ast import terms as t
from hornbook.kb.pydatalog.constants import UNKNOWN, value_of
from hornbook.kb.pydatalog.plain_facts import PlainRun, parse_statements
from hornbook.kb.pydatalog.python_files import (
    asserted_names,
    bound,
    called,
    is_silent,
    uses_pydatalog,
)
from hornbook.kb.pydatalog.syntax import (
    CHAIN,
    NO_PREDICATES,
    PYTHON,
    ClauseContext,
    ClauseConverter,
    ImportRefusedError,
    PredicateSignature,
    ProgramFact,
    SourceText,
    Values,
    refusal,
)
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass

_SYNTAX = "a program for pyDatalog has the syntax of Python"
_VARIABLES = ("Variable", "variables")


Facts = dict[str, list[ProgramFact]]


@dataclass(frozen=True, slots=True)
class RefusedStatement:
    """A statement that cannot be imported, with the reason.

    - `names`: The names that it may make assertions about, or None for any.
    - `takes`: Whether it may retract facts of them.
    """

    diagnostic: Diagnostic
    span: t.Span
    names: frozenset[str] | None
    takes: bool = False


@dataclass(frozen=True, slots=True)
class PyDatalogProgram:
    """The clauses of a text, in order, and its facts by predicate. The predicates are the keys of
    `signatures`.
    """

    rules: tuple[t.Rule, ...]
    facts: Facts
    signatures: dict[str, PredicateSignature]
    refused: tuple[RefusedStatement, ...]


def read_program(text: str, file: str) -> PyDatalogProgram:
    """Return the clauses of a text, with unreadable statements in `refused`. Raises TheoryError if it is not
    Python.
    """
    reader = _ProgramReader(SourceText(file, []))
    try:
        module = ast.Module(reader.parse(lines_of(text)), [])
        if "pyDatalog" in text and uses_pydatalog(module):
            reader.is_python, reader.names = True, {"__name__": "__main__"}
            changed = (node.names for node in ast.walk(module) if isinstance(node, ast.Global))
            reader.changed = frozenset(name for names in changed for name in names)
        reader.block(module.body)
    except SyntaxError as problem:
        line, column = problem.lineno or 1, (problem.offset or 1) + reader.source.indent
        span, message = t.Span(file, line, column, line, column + 1), f"no Python syntax: {problem.msg}"
    except (ValueError, RecursionError, MemoryError) as problem:
        span, message = t.Span(file, 1, 1, 1, 2), f"Python cannot parse this: {problem}"
    else:
        facts = {key: list(by_values.values()) for key, by_values in reader.facts.items() if by_values}
        return PyDatalogProgram(tuple(reader.rules), facts, reader.signatures, tuple(reader.refused))
    raise TheoryError([refusal(message, span, _SYNTAX)], {file: text})


class _ProgramReader(ClauseConverter):
    def __init__(self, source: SourceText) -> None:
        super().__init__(source)
        self.rules: dict[t.Rule, None] = {}
        self.facts: dict[str, dict[Values, ProgramFact]] = {}
        self.refused: list[RefusedStatement] = []
        self.is_python = False
        self.changed: frozenset[str] = frozenset()
        """The names that functions may change."""

    def parse(self, lines: list[str], place: t.Span | None = None) -> list[ast.stmt]:
        """Return the statements of a text. As in pyDatalog, the first indentation is removed from an indented
        text.
        """
        indents = (line[: -len(line.lstrip())] for line in lines if line[:1].isspace() and line.strip())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about the style of the text
            try:
                self.source = SourceText(self.source.file, lines, 0, place)
                return parse_statements(lines)
            except SyntaxError:
                if not (indent := next(indents, "")):
                    raise
                self.source = SourceText(
                    self.source.file, [line.removeprefix(indent) for line in lines], len(indent), place
                )
                return parse_statements(self.source.lines)

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.read(statement)

    def read(self, statement: ast.stmt) -> None:
        try:
            self.statement(statement)
        except ImportRefusedError as problem:
            self.refuse_statement(statement, problem.diagnostic)
        except RecursionError:
            deep = self.refuse("nested too deeply", statement, "split the clause")
            self.refuse_statement(statement, deep.diagnostic)

    def refuse_statement(self, statement: ast.stmt, diagnostic: Diagnostic) -> None:
        self.refused.append(
            RefusedStatement(diagnostic, self.source.span(statement), *asserted_names(statement, self.names))
        )
        self.forget(statement)

    # Statements

    def statement(self, node: ast.stmt) -> None:
        match node:
            case PlainRun():
                self.plain_facts(node)
            case ast.Expr(value=ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=fact)) if (
                not isinstance(fact, ast.Constant)
            ):
                self.change(*self.fact(fact, node), is_asserted=isinstance(sign, ast.UAdd))
            case ast.Expr(value=ast.Call(args=[name, *terms]) as call) if (
                self.is_python
                and (change := called(call)) in ("assert_fact", "retract_fact")
                and self.is_of_pydatalog(call)
                and isinstance(predicate := value_of(name, self.names), str)
            ):
                self.change(
                    *self.given(call, predicate, None, terms, node), is_asserted=change == "assert_fact"
                )
            case ast.Expr(value=ast.Compare(left=head, ops=[ast.LtE()], comparators=[body])):
                clause = ClauseContext(node)
                self.rules |= dict.fromkeys(self.clause(head, body, clause))
                self.facts |= clause.lists
            case _ if self.is_python and self.is_python_read(node):
                pass
            case ast.Expr(value=ast.Call()) if self.is_python:
                raise self.refuse(PYTHON, node, _RUN)
            case ast.Expr(value=ast.Compare(ops=[_, _, *_])):
                raise self.refuse(CHAIN, node, "put each comparison in parentheses: `(X != Y)`")
            case ast.Assign(targets=[ast.Subscript() as function], value=value):
                assigned = self.assignment(function, value, node)
                if isinstance(assigned, t.Rule):
                    self.rules[assigned] = None
                else:
                    self.change(*assigned)
            case ast.Expr(value=ast.Tuple()):
                raise self.refuse("conditions are joined by `&`, not by commas", node, "write `p(X) & q(X)`")
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass  # a string alone has no effect
            case ast.Expr(value=ast.Call(func=ast.Name(id="print" | "ask"))):
                raise self.refuse(PYTHON, node, "ask with `hornbook query`")
            case ast.Expr(value=ast.Call() | ast.BinOp(op=ast.BitAnd()) | ast.Compare()):
                help_ = "put `+` before a fact; run queries with `hornbook query`"
                raise self.refuse("this is a query, not an assertion", node, help_)
            case _:
                raise self.refuse(PYTHON, node, _RUN)

    def plain_facts(self, run: PlainRun) -> None:
        """Read lines with a plain fact each. A line that is not really plain is read as any other
        statement.
        """
        for line, fact in enumerate(run.facts, run.lineno):
            is_plain = self.names.keys().isdisjoint(fact.names) and NO_PREDICATES.isdisjoint(fact.names)
            try:
                if not is_plain or (fact.is_called and not self.is_python):
                    raise self.refuse(PYTHON, run, _RUN)
                values = tuple([self.value(term, run) for term in fact.values])
            except ImportRefusedError:
                self.read(self.source.statement(line))
            else:
                relation = self.relation(fact.predicate, fact.keys, len(values))
                self.change(relation, ProgramFact(values, (), line, self.source))

    def change(self, key: str, fact: ProgramFact, *, is_asserted: bool = True) -> None:
        """Add or retract a fact. A fact is identified by its values, or by its keys for a function."""
        known = self.facts.setdefault(key, {})
        values = tuple([_SAME.get(value, value) for value in fact.values[: self.signatures[key].keys]])
        if is_asserted:
            known[values] = fact
        else:
            known.pop(values, None)

    # Python statements

    def is_python_read(self, node: ast.stmt) -> bool:
        """Read the assertions in a statement of a Python file. Return False if the statement is not
        supported.
        """
        match node:
            case ast.Assign(targets=targets, value=value) if self.are_silent([node]):
                known = value_of(value, self.names)
                self.forget(node)
                for target in targets:
                    self.bind(target, known, is_variable=called(value) in _VARIABLES)
            case ast.If(test=test, body=body, orelse=orelse) if (
                known := value_of(test, self.names)
            ) is not UNKNOWN:
                self.block(body if known else orelse)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=last) if self.are_silent(
                handlers
            ):
                self.block((*body, *orelse, *last))
            case ast.With(items=items, body=body) if self.are_silent(items):
                for item in items:
                    self.forget(item)
                self.block(body)
            case ast.FunctionDef(decorator_list=[ast.Call() as call], body=body) if called(call) == "program":
                self.block(body)
            case ast.Expr(value=ast.Call() as call) if self.is_of_pydatalog(call) and self.is_call_read(
                call, node
            ):
                pass
            case _ if self.are_silent([node]):
                self.forget(node)
            case _:
                return False
        return True

    def are_silent(self, nodes: Iterable[ast.AST]) -> bool:
        return all(is_silent(node, self.names) for node in nodes)

    def is_call_read(self, call: ast.Call, node: ast.stmt) -> bool:
        """Read a call of pyDatalog's own functions. Return False if it is not supported."""
        match called(call), [value_of(argument, self.names) for argument in call.args]:
            case (("clear" | "Logic"), []):
                self.rules.clear()
                self.facts.clear()
                self.refused = [replace(refused, names=frozenset()) for refused in self.refused]
            case "Logic", [True]:
                pass  # this only returns the existing state
            case "load", [str(text), *_]:
                self.load(text, call.args[0], node)
            case _:
                return False
        return True

    def is_of_pydatalog(self, call: ast.Call) -> bool:
        """Return whether a call is to a function or a module that the file does not define otherwise."""
        match call.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name)):
                return name not in self.names
        return False

    def load(self, text: str, argument: ast.expr, node: ast.stmt) -> None:
        """Read the argument of `pyDatalog.load`. If it is not a literal, its position is that of the call."""
        inner = copy(self)
        inner.is_python, inner.names = False, {}
        is_here = isinstance(argument, ast.Constant)
        lines = [*[""] * (argument.lineno - 1 if is_here else 0), *lines_of(text)]
        try:
            statements = inner.parse(lines, None if is_here else self.source.span(node))
        except SyntaxError as problem:
            raise self.refuse(f"no Python syntax: {problem.msg}", argument, _SYNTAX) from None
        inner.block(statements)

    def bind(self, target: ast.expr, known: object, *, is_variable: bool) -> None:
        """Note the value of an assigned name: a variable of pyDatalog, or a word or number."""
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        for part in parts:
            if not isinstance(part, ast.Name):
                continue
            if is_variable and part.id[0] in string.ascii_uppercase + "_":
                self.names.pop(part.id, None)
            elif (
                part is target
                and part.id not in self.changed
                and isinstance(known, (str, int, float, type(None)))
            ):
                self.names[part.id] = known

    def forget(self, node: ast.AST) -> None:
        """Forget the values that a statement binds or may change."""
        self.names |= dict.fromkeys(bound(node), UNKNOWN)


_RUN = "let Python run it: `import-pydatalog --run`"
_SAME: dict[str | int, str | int] = {"True": 1, "False": 0}
"""True and 1 are equal in Python, and so in pyDatalog."""
