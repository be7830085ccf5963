"""Programs written for pyDatalog, as rules: what a text given to `pyDatalog.load`, or a file of Python, says.

Such a text has the syntax of Python, so Python parses it, and no line of it is ever run. What comes out are
rules of our own terms, with spans into the text; a predicate is still called by its signature (`parent/2`,
`salary[1]`), since pyDatalog lets several share a name. What our language has not is refused, all of it in one
go, each with its place and what to write instead.
"""

from __future__ import annotations

import ast
import builtins
import re
import string
import warnings
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import count

from hornbook.kb.ast import terms as t
from hornbook.kb.pydatalog.python_files import (
    called,
    is_silent,
    python_values,
    says_of_anything,
    takes_back,
    uses_pydatalog,
)
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.text.lines import lines_of

CODE = "pydatalog"
"""Stands where other diagnostics have their number."""
FRESH = "value"
"""How the variables begin that stand for what is calculated inside an atom; pyDatalog's own begin otherwise."""
MAX_INTEGER = 2**63 - 1

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
}
_COMPARISONS: dict[type[ast.cmpop], t.ComparisonOperator] = {
    ast.Eq: "=",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_AGGREGATES = {
    "len", "len_", "_len", "sum", "sum_", "_sum", "min", "min_", "_min", "max", "max_", "_max", "concat", "concat_",
    "rank", "rank_", "running_sum", "running_sum_", "tuple_", "mean_", "linear_regression_",
}  # fmt: skip
_OPPOSITES: dict[t.ComparisonOperator, t.ComparisonOperator] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
_SINGLETONS = ("True", "False", "None")
_CAPITALS = string.ascii_uppercase + "_"
"""How the names of variables begin."""
_PYTHON = "this is Python; only what pyDatalog is to load can be imported"


@dataclass(frozen=True, slots=True)
class Signature:
    """A predicate of pyDatalog: `parent/2`, or the function `salary[1]`, which has one value for its keys."""

    name: str
    keys: int | None
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}" if self.keys is None else f"{self.name}[{self.keys}]"


@dataclass(frozen=True, slots=True)
class Refused:
    """A statement that cannot be imported, why, and the names that it may say something of, or else of any.

    It may take facts away from the names that it `changes`.
    """

    diagnostic: Diagnostic
    span: t.Span
    names: frozenset[str] | None
    changes: frozenset[str]


@dataclass(frozen=True, slots=True)
class PyDatalogProgram:
    """The clauses of a text, in order; the predicates of their atoms are the keys of `signatures`."""

    rules: tuple[t.Rule, ...]
    signatures: dict[str, Signature]
    refused: tuple[Refused, ...]
    taken: tuple[t.Statement, ...] = ()
    """Facts that the text takes away again; the statements that do are refused."""


def refusal(message: str, span: t.Span, help_: str) -> Diagnostic:
    return Diagnostic(CODE, "error", message, help_, span)


def read_program(text: str, file: str) -> PyDatalogProgram:
    """The clauses of a text; the statements that cannot be read are in `refused`.

    Raises TheoryError where the text is no Python.
    """
    reader = _Reader(file)
    try:
        statements = reader.parse(lines_of(text))
        if "pyDatalog" in text and uses_pydatalog(statements):
            reader.python = python_values(statements)
        for statement in statements:
            reader.read(statement)
    except SyntaxError as problem:
        line, column = problem.lineno or 1, (problem.offset or 1) + reader.indent
        span, message = t.Span(file, line, column, line, column + 1), f"no Python syntax: {problem.msg}"
    except (ValueError, RecursionError, MemoryError) as problem:
        span, message = t.Span(file, 1, 1, 1, 2), f"Python cannot parse this: {problem}"
    else:
        rules, refused, taken = tuple(reader.rules), tuple(reader.refused), tuple(reader.taken)
        return PyDatalogProgram(rules, reader.signatures, refused, taken)
    raise TheoryError([refusal(message, span, _SYNTAX)], {file: text})


_SYNTAX = "a program for pyDatalog has the syntax of Python"


def _indentation(line: str) -> str:
    found = re.match(r"\s*", line)
    assert found is not None
    return found.group()


class _Refused(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass
class _Clause:
    """A clause while it is read: its variables, and the conditions that its terms need besides those that it says."""

    node: ast.stmt
    extra: list[t.Condition] = field(default_factory=list)
    lists: list[t.Rule] = field(default_factory=list)
    fresh: int = 0

    def variable(self, span: t.Span) -> t.Variable:
        self.fresh += 1
        return t.Variable(f"{FRESH}{'' if self.fresh == 1 else self.fresh}", span)

    def has_variable(self, name: str) -> bool:
        """Whether the name stands in the clause as a term, and not only as what is called or subscripted."""
        if name[0] not in _CAPITALS:
            return False
        applied = {
            id(node.func if isinstance(node, ast.Call) else node.value)
            for node in ast.walk(self.node)
            if isinstance(node, (ast.Call, ast.Subscript))
        }
        nodes = (node for node in ast.walk(self.node) if isinstance(node, ast.Name) and node.id == name)
        return any(id(node) not in applied for node in nodes)

    def take(self) -> list[t.Condition]:
        taken, self.extra = self.extra, []
        return taken


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: list[str] = []
        self.indent = 0
        self.signatures: dict[str, Signature] = {}
        self.texts: dict[str, bool] = {}
        self.lists = count(1)
        self.python: dict[str, ast.expr | None] | None = None
        self.rules: list[t.Rule] = []
        self.refused: list[Refused] = []
        self.taken: list[t.Statement] = []

    def parse(self, lines: list[str]) -> list[ast.stmt]:
        """The statements of a text; one that is indented loses the first indentation in it, as in pyDatalog."""
        indent = next((found for line in lines if (found := _indentation(line)) and line.strip()), "")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python thinks of the style of the text
            try:
                self.lines = lines
                return ast.parse("\n".join(lines)).body
            except SyntaxError:
                if not indent:
                    raise
                self.lines, self.indent = [line.removeprefix(indent) for line in lines], len(indent)
                return ast.parse("\n".join(self.lines)).body

    def read(self, statement: ast.stmt) -> None:
        known = len(self.taken)
        try:
            self.rules += [*self.statement(statement)]
        except _Refused as problem:
            diagnostic = problem.diagnostic
        except RecursionError:
            diagnostic = refusal("nested too deeply", self.span(statement), "split the clause")
        else:
            return
        said = _said(statement)
        names = _words(statement) if said is None else frozenset((said,))
        takes = takes_back(statement) and len(self.taken) == known
        changes = names if takes else frozenset()
        anything = said is None and says_of_anything(statement)
        self.refused.append(Refused(diagnostic, self.span(statement), None if anything else names, changes))

    def span(self, node: ast.AST) -> t.Span:
        assert isinstance(node, (ast.expr, ast.stmt))
        line, end = node.lineno, node.end_lineno or node.lineno
        end_column = self._column(end, node.end_col_offset or node.col_offset)
        return t.Span(self.file, line, self._column(line, node.col_offset), end, end_column)

    def _column(self, line: int, offset: int) -> int:
        """Python counts bytes from 0."""
        text = self.lines[line - 1]
        if text.isascii():
            return offset + self.indent + 1
        before = text.encode("utf-8", "surrogatepass")[:offset]
        return len(before.decode("utf-8", "replace")) + self.indent + 1

    def refuse(self, message: str, node: ast.AST, help_: str) -> _Refused:
        return _Refused(refusal(message, self.span(node), help_))

    # Statements

    def statement(self, node: ast.stmt) -> Iterator[t.Rule]:
        if self.python is not None and self.is_read_as_python(node):
            return
        match node:
            case ast.Expr(value=ast.Call(args=[ast.Constant(value=str(name)), *terms]) as call) if (
                self.python is not None and called(call) == "assert_fact"
            ):
                fact = ast.copy_location(ast.Call(ast.Name(name, ast.Store()), terms, call.keywords), call)
                yield self.fact(ast.fix_missing_locations(fact), node)
            case ast.Expr(value=ast.Call()) if self.python is not None:
                raise self.refuse(_PYTHON, node, "leave the line out")
            case ast.Expr(value=ast.UnaryOp(op=ast.UAdd(), operand=fact)):
                yield self.fact(fact, node)
            case ast.Expr(value=ast.UnaryOp(op=ast.USub(), operand=fact)):
                self.taken.append(self.fact(fact, node).head)
                raise self.refuse(
                    "`-` takes a fact away, and a theory never does", node, "leave the fact out"
                )
            case ast.Expr(value=ast.Compare(left=head, ops=[ast.LtE()], comparators=[body])):
                yield from self.clause(head, body, node)
            case ast.Expr(value=ast.Compare(ops=[_, _, *_])):
                message = "comparisons in a chain, as Python reads it"
                raise self.refuse(message, node, "put each comparison in parentheses: `(X != Y)`")
            case ast.Assign(targets=[ast.Subscript() as function], value=value):
                yield self.assignment(function, value, node)
            case ast.Expr(value=ast.Tuple()):
                raise self.refuse("conditions are joined by `&`, not by commas", node, "write `p(X) & q(X)`")
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return  # a text that stands for itself says nothing
            case ast.Expr(value=ast.Call(func=ast.Name(id="print" | "ask"))):
                raise self.refuse(_PYTHON, node, "ask with `hornbook query`")
            case ast.Expr(value=ast.Call() | ast.BinOp(op=ast.BitAnd()) | ast.Compare()):
                help_ = "put `+` before a fact; ask with `hornbook query`"
                raise self.refuse("this asks, it asserts nothing", node, help_)
            case _:
                raise self.refuse(_PYTHON, node, "leave the line out")

    def is_read_as_python(self, node: ast.stmt) -> bool:
        """Reads what a statement of a file of Python holds, or finds nothing in it that is asserted."""
        match node:
            case ast.Expr(value=ast.Call(args=[ast.Constant(value=str(text)) as argument]) as call) if (
                called(call) == "load"
            ):
                inner = copy(self)
                inner.python = None
                try:
                    statements = inner.parse([*[""] * (argument.lineno - 1), *lines_of(text)])
                except SyntaxError as problem:
                    raise self.refuse(f"no Python syntax: {problem.msg}", argument, _SYNTAX) from None
                for statement in statements:
                    inner.read(statement)
                return True
            case ast.FunctionDef(decorator_list=[ast.Call() as decorator], body=body) if (
                called(decorator) == "program"
            ):
                for statement in body:
                    self.read(statement)
                return True
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), body=body, orelse=[]):
                for statement in body:
                    self.read(statement)
                return True
            case ast.Expr(value=ast.Call() as call) if called(call) == "clear" and not self.rules:
                return True
        return is_silent(node, self.python or ())

    def fact(self, fact: ast.expr, node: ast.stmt) -> t.Rule:
        head = self.head(fact, _Clause(node))
        rule = t.Rule(head, (), None, head.span)
        for variable in t.condition_variables(rule.head):
            raise self.refuse(f"the fact has the variable `{variable.name}`", fact, "name a constant")
        return rule

    def clause(self, head: ast.expr, body: ast.expr, node: ast.stmt) -> Iterator[t.Rule]:
        clause = _Clause(node)
        rule = t.Rule(self.head(head, clause), self.conditions(body, clause), None, self.span(node))
        yield from clause.lists
        yield rule

    def assignment(self, function: ast.Subscript, value: ast.expr, node: ast.stmt) -> t.Rule:
        """`f[X] = value`: a fact where it is ground, a clause otherwise."""
        clause = _Clause(node)
        atom = self.function(function, self.term(value, clause), clause)
        return t.Rule(atom, tuple(clause.take()), None, self.span(node))

    # Heads and conditions

    def head(self, node: ast.expr, clause: _Clause) -> t.Atom:
        match node:
            case ast.Call():
                atom = self.atom(node, clause)
            case ast.Compare(left=ast.Subscript() as function, ops=[ast.Eq()], comparators=[value]):
                atom = self.function(function, self.term(value, clause), clause)
            case _:
                help_ = "write `+ parent(bill, mary)`, or `ancestor(X, Y) <= parent(X, Y)`"
                raise self.refuse("this is neither a fact nor the head of a clause", node, help_)
        if clause.extra:
            help_ = "let a variable stand there, and equate it among the conditions: `& (Z == Y + 1)`"
            raise self.refuse("pyDatalog finds nothing where a conclusion has to be calculated", node, help_)
        return atom

    def conditions(self, body: ast.expr, clause: _Clause) -> tuple[t.Condition, ...]:
        found: list[t.Condition] = []
        for part in _conjuncts(body):
            condition = self.condition(part, clause)
            found += [*clause.take(), condition]
        return tuple(found)

    def absent(self, operand: ast.expr, clause: _Clause) -> t.Condition:
        """`~operand`; what its terms need besides is absent together with it."""
        match operand:
            case ast.Compare(left=left, ops=[ast.In()], comparators=[members]):
                return self.no_member(left, members, operand, clause)
        outside = clause.take()
        inside = self.conditions(operand, clause)
        clause.extra = outside
        return negation(inside, self.span(operand))

    def member(self, left: ast.expr, members: ast.expr, node: ast.expr, clause: _Clause) -> t.Condition:
        """`X in [a, b]`: a predicate of its own has a fact for each member."""
        term, listed = self.term(left, clause), self.listed(members, clause)
        number = next(self.lists)
        key = f"list {number}"
        self.signatures[key] = Signature("listed" if number == 1 else f"listed_{number}", None, 1)
        span = self.span(clause.node)
        clause.lists += [t.Rule(t.Atom(key, (member,)), (), None, span) for member in listed]
        return t.Atom(key, (term,), None, self.span(node))

    def no_member(self, left: ast.expr, members: ast.expr, node: ast.expr, clause: _Clause) -> t.Condition:
        """`X not in [a, b]`: different from each member."""
        term, span = self.term(left, clause), self.span(node)
        *others, last = (t.Comparison("!=", term, member, span) for member in self.listed(members, clause))
        clause.extra += others
        return last

    def listed(self, members: ast.expr, clause: _Clause) -> list[t.Constant]:
        nodes = members.elts if isinstance(members, (ast.List, ast.Tuple, ast.Set)) else []
        terms = [self.expression(node, clause) for node in nodes]
        constants = [term for term in terms if isinstance(term, t.Constant)]
        if not constants or len(constants) < len(terms):
            help_ = "list words and whole numbers: `(X in ['a', 'b'])`"
            raise self.refuse("`in` what is no list of constants", members, help_)
        return constants

    def condition(self, node: ast.expr, clause: _Clause) -> t.Condition:
        match node:
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self.absent(operand, clause)
            case (
                ast.Compare(left=left, ops=[ast.In()], comparators=[members])
                | ast.Call(func=ast.Attribute(value=left, attr="in_"), args=[members])
            ):
                return self.member(left, members, node, clause)
            case (
                ast.Compare(left=left, ops=[ast.NotIn()], comparators=[members])
                | ast.Call(func=ast.Attribute(value=left, attr="not_in_"), args=[members])
            ):
                return self.no_member(left, members, node, clause)
            case ast.Call():
                return self.atom(node, clause)
            case ast.Compare(left=ast.Subscript() as function, ops=[ast.Eq()], comparators=[value]):
                return self.function(function, self.term(value, clause), clause)
            case ast.Compare(left=value, ops=[ast.Eq()], comparators=[ast.Subscript() as function]):
                return self.function(function, self.term(value, clause), clause)
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if (
                type(operator) in _COMPARISONS
            ):
                sides = self.expression(left, clause), self.expression(right, clause)
                return t.Comparison(_COMPARISONS[type(operator)], *sides, self.span(node))
            case ast.Compare():
                help_ = "put each comparison in parentheses: `(X != Y)`"
                raise self.refuse("comparisons in a chain, as Python reads it", node, help_)
            case _:
                help_ = "a condition is `p(X)`, `f[X] == Y` or a comparison in parentheses"
                raise self.refuse("this is no condition", node, help_)

    def atom(self, node: ast.Call, clause: _Clause) -> t.Atom:
        if not isinstance(node.func, ast.Name):
            raise self.refuse(_PYTHON, node, "a predicate is called by its own name: `p(X)`")
        name = node.func.id
        self.refuse_aggregate(node, name)
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.refuse("a predicate takes plain arguments", node, "write `p(X, Y)`")
        terms = tuple(self.term(argument, clause) for argument in node.args)
        return self._atom(Signature(self.predicate(node.func), None, len(terms)), terms, node)

    def function(self, node: ast.Subscript, value: t.Term, clause: _Clause) -> t.Atom:
        """`f[X, Y] == value`."""
        if not isinstance(node.value, ast.Name):
            raise self.refuse(_PYTHON, node, "a function is called by its own name: `f[X]`")
        if clause.has_variable(node.value.id):
            help_ = "words have no parts here: give a fact for each word that says what is needed of it"
            raise self.refuse(f"a part of the word that `{node.value.id}` is", node, help_)
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        terms = (*(self.term(key, clause) for key in keys), value)
        return self._atom(Signature(self.predicate(node.value), len(keys), len(terms)), terms, node)

    def _atom(self, signature: Signature, terms: tuple[t.Term, ...], node: ast.expr) -> t.Atom:
        self.signatures.setdefault(str(signature), signature)
        return t.Atom(str(signature), terms, None, self.span(node))

    def predicate(self, node: ast.Name) -> str:
        if isinstance(node.ctx, ast.Load) and node.id in (self.python or ()):
            raise self.refuse(f"`{node.id}` is a value of Python", node, "give what it computes as facts")
        if isinstance(node.ctx, ast.Load) and hasattr(builtins, node.id):
            help_ = "pyDatalog would call it; give the predicate another name"
            raise self.refuse(f"`{node.id}` is a function of Python", node, help_)
        return node.id

    def refuse_aggregate(self, node: ast.expr, name: str) -> None:
        if name in _AGGREGATES:
            help_ = "ask for it: `hornbook query … '?n = count ?x where p(?x)'`, or sum, min, max"
            raise self.refuse(f"the aggregate `{name}`: its result changes as more is derived", node, help_)

    # Terms

    def term(self, node: ast.expr, clause: _Clause) -> t.Term:
        """A term; for a calculation or a function, a variable that equals it."""
        expression = self.expression(node, clause)
        if not isinstance(expression, t.Operation):
            return expression
        variable = clause.variable(expression.span)
        clause.extra.append(t.Comparison("=", variable, expression, expression.span))
        return variable

    def expression(self, node: ast.expr, clause: _Clause) -> t.Expression:
        span = self.span(node)
        match node:
            case ast.Name(id=name) if self.python is not None and name in self.python:
                value_of_python = self.python[name]
                if value_of_python is None:
                    raise self.refuse(f"`{name}` is a value of Python", node, "write the constant itself")
                return self.expression(value_of_python, clause)
            case ast.Name(id=name):
                if name[0] in _CAPITALS:
                    return t.Variable(name, span)
                if hasattr(builtins, name):
                    help_ = f"for the word, write '{name}' in quotes"
                    raise self.refuse(f"`{name}` is a function of Python", node, help_)
                return self.word(name, node)
            case ast.Constant(value=str(value)):
                if "\n" in value or "\r" in value:
                    raise self.refuse("a word of several lines", node, "write it on one line")
                return self.word(value, node)
            case ast.Constant(value=bool() | None as value):
                return self.word(str(value), node, is_text=False)
            case ast.Constant(value=int(value)):
                return self.integer(value, node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if type(value) is int:
                return self.integer(-value, node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return t.Operation("-", (t.Constant(0, span), self.expression(operand, clause)), span)
            case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
                sides = self.expression(node.left, clause), self.expression(node.right, clause)
                return t.Operation(_OPERATORS[type(operator)], sides, span)
            case ast.Subscript():
                value_of = clause.variable(span)
                clause.extra.append(self.function(node, value_of, clause))
                return value_of
            case ast.Call(func=ast.Name(id=name)):
                self.refuse_aggregate(node, name)
                raise self.refuse("a call among the terms", node, "give what it computes as facts")
            case ast.Constant(value=value):
                help_ = "only words and whole numbers are constants"
                raise self.refuse(f"`{value!r}` is neither a word nor an integer", node, help_)
            case ast.BinOp():
                help_ = "there are `+`, `-`, `*` and `//` on whole numbers"
                raise self.refuse("no such arithmetic", node, help_)
            case _:
                help_ = "only variables, words and whole numbers are terms"
                raise self.refuse("this is no term", node, help_)

    def word(self, value: str, node: ast.expr, *, is_text: bool = True) -> t.Constant:
        """A word; `True`, `False` and `None` become words too, unless the program has these words in quotes."""
        if value in _SINGLETONS and self.texts.setdefault(value, is_text) != is_text:
            help_ = "they would be the same word; write another one in quotes"
            raise self.refuse(f"`{value}` beside the word '{value}' in quotes", node, help_)
        return t.Constant(value, self.span(node))

    def integer(self, value: int, node: ast.expr) -> t.Constant:
        if not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
            raise self.refuse("the integer does not fit into 64 bits", node, f"the largest is {MAX_INTEGER}")
        return t.Constant(value, self.span(node))


def _said(statement: ast.stmt) -> str | None:
    """The name that a statement adds something to, if it is a clause or a fact."""
    match statement:
        case (
            ast.Expr(value=ast.UnaryOp(op=ast.UAdd(), operand=head))
            | ast.Expr(value=ast.Compare(left=head, ops=[ast.LtE(), *_]))
            | ast.Assign(targets=[ast.Subscript() as head])
        ):
            while isinstance(head, (ast.Call, ast.Subscript, ast.Compare)):
                match head:
                    case ast.Call(func=part) | ast.Subscript(value=part) | ast.Compare(left=part):
                        head = part
            return head.id if isinstance(head, ast.Name) else None
    return None


def _words(statement: ast.stmt) -> frozenset[str]:
    """All names and words in a statement, those within texts too."""
    found: set[str] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.Constant(value=str(text)):
                found.update(re.findall(r"\w+", text))
    return frozenset(found)


def negation(conditions: tuple[t.Condition, ...], span: t.Span) -> t.Condition:
    """What holds where the conditions do not hold together: for a comparison alone, the opposite one."""
    match conditions:
        case [t.Comparison(operator=operator, left=left, right=right)]:
            return t.Comparison(_OPPOSITES[operator], left, right, span)
    return t.Absent(conditions, span)


def _conjuncts(body: ast.expr) -> list[ast.expr]:
    """The conditions joined by `&`, in order; a loop, for there may be thousands."""
    found: list[ast.expr] = []
    todo = [body]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            todo += [node.right, node.left]
        else:
            found.append(node)
    return found


def variables_of(rule: t.Rule) -> Iterable[str]:
    """The names of a rule's variables, in order, with repetition."""
    yield from (variable.name for variable in t.condition_variables(rule.head))
    for condition in rule.body:
        yield from (variable.name for variable in t.condition_variables(condition))
