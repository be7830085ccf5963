"""Programs written for pyDatalog, statement by statement: their final assertions, determined without running
them.

The argument of `pyDatalog.load` is interpreted as pyDatalog does. In a Python file, loops over known values,
branches with known conditions and calls of the file's own functions are followed. Silent Python statements
are skipped. All others are refused, each with its position and a suggestion.
"""

from __future__ import annotations

import ast
import string
import warnings
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, replace

from hornbook.kb.ast import terms as t
from hornbook.kb.pydatalog.constants import UNKNOWN, unchanged, value_of
from hornbook.kb.pydatalog.plain_facts import PlainRun, parse_statements
from hornbook.kb.pydatalog.python_files import (
    asserted_names,
    bound,
    called,
    is_silent,
    runs_through,
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

_SYNTAX = "a program for pyDatalog has the syntax of Python"
_MOST_REPEATED = 200_000
_DEEPEST = 20
_PERHAPS = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions with parts that are evaluated never or several times."""
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
            reader.begin(module)
        reader.block(module.body)
        reader.end()
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
        self.unchanged: frozenset[str] = frozenset()
        self.functions: dict[str, ast.FunctionDef] = {}
        self.defined: dict[str, ast.FunctionDef] = {}
        self.followed: set[ast.Call] = set()
        self.depth = 0
        self.repeated = 0

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

    def begin(self, module: ast.Module) -> None:
        """Prepare for reading the text as a Python file."""
        self.is_python, self.names = True, {"__name__": "__main__"}
        self.module = module
        once = [name for node in module.body for name in bound(node)]
        functions = [
            node for node in module.body if isinstance(node, ast.FunctionDef) and once.count(node.name) == 1
        ]
        self.functions = {node.name: node for node in functions if runs_through(node)}
        self.unchanged = frozenset(unchanged(module, self.functions))

    def end(self) -> None:
        """Refuse functions that may make assertions and have calls that were not followed."""
        calls = {call.func for call in self.followed}
        for name, function in self.defined.items():
            uses = [node for node in ast.walk(self.module) if isinstance(node, ast.Name) and node.id == name]
            if not uses or not calls.issuperset(uses):
                self.refuse_statement(function, self.refuse(PYTHON, function, _RUN).diagnostic)

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.read(statement)

    def read(self, statement: ast.stmt) -> None:
        self.repeated += self.depth > 0
        try:
            if self.repeated > _MOST_REPEATED:
                raise self.refuse("too many statements are repeated", statement, _RUN)
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
            case _ if self.is_python and self.is_followed(node):
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
                if not is_plain or self.depth or (fact.is_called and not self.is_python):
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

    def is_followed(self, node: ast.stmt) -> bool:
        """Read the assertions in a statement of a Python file. Return False if the statement is not
        supported.
        """
        match node:
            case ast.Assign(targets=targets, value=value) if self.are_silent([node]):
                self.follow_calls(value)
                self.forget(value)
                for target in targets:
                    self.bind(target, value_of(value, self.names), is_variable=called(value) in _VARIABLES)
            case ast.For(target=target, iter=iterated, body=body, orelse=[]) if (
                self.may_assert(node)
                and isinstance(values := value_of(iterated, self.names), tuple)
                and not any(isinstance(part, (ast.Break, ast.Continue)) for part in ast.walk(node))
            ):
                self.forget(iterated)
                self.depth += 1
                for value in values:
                    self.bind(target, value)
                    self.block(body)
                self.depth -= 1
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
            case ast.FunctionDef(name=name) if self.functions.get(name) is node:
                self.forget(node)
                if not self.are_silent([node]):
                    self.defined[name] = node
            case ast.Expr(value=ast.Call() as call) if self.is_of_pydatalog(call) and self.is_call_read(
                call, node
            ):
                pass
            case _ if self.are_silent([node]):
                if isinstance(node, (ast.Expr, ast.Return)) and node.value is not None:
                    self.follow_calls(node.value)
                self.forget(node)
            case _:
                return False
        return True

    def are_silent(self, nodes: Iterable[ast.AST]) -> bool:
        return all(is_silent(node, self.names) for node in nodes)

    def may_assert(self, node: ast.stmt) -> bool:
        names = (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
        return not self.are_silent([node]) or not self.defined.keys().isdisjoint(names)

    def follow_calls(self, value: ast.expr) -> None:
        """Follow the calls in an expression whose parts are all evaluated, innermost first."""
        parts = list(ast.walk(value))
        if not any(isinstance(part, _PERHAPS) for part in parts):
            for part in reversed(parts):
                if isinstance(part, ast.Call):
                    self.follow(part)

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

    def follow(self, call: ast.Call) -> None:
        """Read the body of a called function of the file."""
        function = self.defined.get(call.func.id) if isinstance(call.func, ast.Name) else None
        if function is None or self.depth > _DEEPEST:
            return
        parameters = function.args.args
        if len(call.args) != len(parameters) or call.keywords:
            return
        outside = self.names
        self.names = dict(outside)
        for parameter, argument in zip(parameters, call.args, strict=True):
            self.bind(ast.Name(parameter.arg, ast.Store()), value_of(argument, outside))
        self.followed.add(call)
        self.depth += 1
        self.block(function.body)
        self.depth -= 1
        inside, self.names = self.names, outside if self.unchanged else self.without_containers(outside)
        for part in ast.walk(function):
            if isinstance(part, ast.Global):
                self.names |= {name: inside[name] for name in part.names if name in inside}

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

    def bind(self, target: ast.expr, value: object, *, is_variable: bool = False) -> None:
        match target:
            case ast.Name(id=name) if is_variable and name[0] in string.ascii_uppercase + "_":
                self.names.pop(name, None)
            case ast.Name(id=name) if not isinstance(value, (tuple, dict)) or name in self.unchanged:
                self.names[name] = value
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if is_variable or (
                isinstance(value, tuple) and len(value) == len(parts)
            ):
                for part, of_part in zip(parts, value if isinstance(value, tuple) else parts, strict=True):
                    self.bind(part, of_part, is_variable=is_variable)
            case _:
                self.forget(target)
                if isinstance(value, (tuple, dict)):  # it may be changed under this name
                    self.unchanged = frozenset()
                    self.names = self.without_containers(self.names)

    def without_containers(self, names: dict[str, object]) -> dict[str, object]:
        return {name: UNKNOWN if isinstance(value, (tuple, dict)) else value for name, value in names.items()}

    def forget(self, node: ast.AST) -> None:
        """Forget the values that a statement binds or may change."""
        self.names |= dict.fromkeys(bound(node), UNKNOWN)


_RUN = "let Python run it: `import-pydatalog --run`"
_SAME: dict[str | int, str | int] = {"True": 1, "False": 0}
"""True and 1 are equal in Python, and so in pyDatalog."""
