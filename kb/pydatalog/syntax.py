"""Clauses and facts in pyDatalog's notation, converted to rules.

They have the syntax of Python, so Python's parser is used, but no line is run. The results are rules of this
project with spans. A predicate is named by its signature (`parent/2`, `salary[1]`), since several may share a
name in pyDatalog. Unsupported code is refused with its position and a suggestion.
"""

from __future__ import annotations

import ast
import builtins
import string
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import count
from typing import NamedTuple

from hornbook.kb.ast import terms as t
from hornbook.kb.pydatalog.constants import UNKNOWN, float_word, value_of
from hornbook.kb.sources.diagnostics import Diagnostic
from hornbook.matcher.program.dataclass import dataclass

CODE = "pydatalog"
"""The code of these diagnostics, in place of a number."""
FRESH = "value"
"""The beginning of the names of variables for calculations inside atoms. No variable of pyDatalog begins in
this way.
"""
MAX_INTEGER = 2**63 - 1

_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}
_COMPARISONS: dict[type[ast.cmpop], t.ComparisonOperator] = {
    ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_AGGREGATES = {
    "len", "len_", "_len", "sum", "sum_", "_sum", "min", "min_", "_min", "max", "max_", "_max", "concat",
    "concat_",
    "rank", "rank_", "running_sum", "running_sum_", "tuple_", "mean_", "linear_regression_",
}  # fmt: skip
NO_PREDICATES = _AGGREGATES | set(dir(builtins))
_OPPOSITES: dict[t.ComparisonOperator, t.ComparisonOperator] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
_CAPITALS = string.ascii_uppercase + "_"
"""The first characters of variable names."""
CHAIN = "comparisons in a chain, as Python reads it"
PYTHON = "this is Python; only code for pyDatalog can be imported"

Values = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class PredicateSignature:
    """A predicate of pyDatalog: `parent/2`, or the function `salary[1]`, which has one value for its keys."""

    name: str
    keys: int | None
    arity: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text parsed by Python, without an `indent`. `place` is the position of its use if it is not part of
    the file.
    """

    file: str
    lines: list[str]
    indent: int = 0
    place: t.Span | None = None

    def span(self, node: ast.AST) -> t.Span:
        if self.place is not None:
            return self.place
        assert isinstance(node, (ast.expr, ast.stmt))
        line, end = node.lineno, node.end_lineno or node.lineno
        end_column = self._column(end, node.end_col_offset or node.col_offset)
        return t.Span(self.file, line, self._column(line, node.col_offset), end, end_column)

    def statement(self, line: int) -> ast.stmt:
        """Return the statement on a line."""
        (statement,) = ast.parse(self.lines[line - 1]).body
        return ast.increment_lineno(statement, line - 1)

    def _column(self, line: int, offset: int) -> int:
        """Return the column for an offset. Python counts bytes from 0."""
        if offset == 0 or (text := self.lines[line - 1]).isascii():
            return offset + self.indent + 1
        before = text.encode("utf-8", "surrogatepass")[:offset]
        return len(before.decode("utf-8", "replace")) + self.indent + 1


class ProgramFact(NamedTuple):
    """The values of a fact, with its positions. There may be millions, so plain facts only have a line."""

    values: Values
    places: Sequence[t.Span]
    at: t.Span | int
    source: SourceText

    @property
    def span(self) -> t.Span:
        return self.at if isinstance(self.at, t.Span) else self.source.span(self.source.statement(self.at))

    def place(self, column: int) -> t.Span:
        """Return the position of a value."""
        if isinstance(self.at, t.Span):
            return self.places[column]
        parts = ast.walk(self.source.statement(self.at))
        terms = sorted(
            map(self.source.span, (part for part in parts if isinstance(part, (ast.Constant, ast.Name)))),
            key=lambda span: span.column,
        )
        return terms[column - len(self.values)]

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line of the fact."""
        if isinstance(self.at, int) and self.source.place is None:
            return self.at, self.at
        return self.span.line, self.span.end_line


def refusal(message: str, span: t.Span, help_: str) -> Diagnostic:
    return Diagnostic(CODE, "error", message, help_, span)


class ImportRefusedError(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass
class ClauseContext:
    """A clause during conversion: its variables, and additional conditions that its terms need."""

    node: ast.stmt
    extra: list[t.Condition] = field(default_factory=list)
    lists: dict[str, dict[Values, ProgramFact]] = field(default_factory=dict)
    fresh: int = 0

    def variable(self, span: t.Span) -> t.Variable:
        self.fresh += 1
        return t.Variable(f"{FRESH}{'' if self.fresh == 1 else self.fresh}", span)

    def has_variable(self, name: str) -> bool:
        """Return whether the name occurs in the clause as a term, and not only as a function or a
        predicate.
        """
        if name[0] not in _CAPITALS:
            return False
        parts = list(ast.walk(self.node))
        applied = [
            part.func if isinstance(part, ast.Call) else part.value
            for part in parts
            if isinstance(part, (ast.Call, ast.Subscript))
        ]
        return any(isinstance(part, ast.Name) and part.id == name and part not in applied for part in parts)

    def take(self) -> list[t.Condition]:
        taken, self.extra = self.extra, []
        return taken


class ClauseConverter:
    """The converter of clauses. `names` are bound by Python to other values than terms of pyDatalog."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.signatures: dict[str, PredicateSignature] = {}
        self.texts: dict[str, bool] = {}
        self.lists = count(1)
        self.names: dict[str, object] = {}

    def refuse(self, message: str, node: ast.AST, help_: str) -> ImportRefusedError:
        return ImportRefusedError(refusal(message, self.source.span(node), help_))

    def fact(self, node: ast.expr, statement: ast.stmt) -> tuple[str, ProgramFact]:
        """Return the relation of a fact, and the fact."""
        return self.given(node, *self.applied(node), statement)

    def given(
        self, fact: ast.expr, name: str, keys: int | None, arguments: Sequence[ast.expr], statement: ast.stmt
    ) -> tuple[str, ProgramFact]:
        clause = ClauseContext(statement)
        terms = [self.term(argument, clause) for argument in arguments]
        self.refuse_calculated(fact, clause)
        for variable in terms:
            if isinstance(variable, t.Variable):
                raise self.refuse(f"the fact has the variable `{variable.name}`", fact, "name a constant")
        return self.relation(name, keys, len(terms)), self.of(terms, statement)

    def of(self, terms: Iterable[t.Term], statement: ast.stmt) -> ProgramFact:
        """Return the fact of constants that a statement asserts."""
        constants = [term for term in terms if isinstance(term, t.Constant)]
        values = tuple([constant.value for constant in constants])
        return ProgramFact(
            values, [constant.span for constant in constants], self.source.span(statement), self.source
        )

    def clause(self, head: ast.expr, body: ast.expr, clause: ClauseContext) -> list[t.Rule]:
        """Return the rules of a clause. The additional facts that it needs are in `clause.lists`."""
        match head:
            case ast.Compare(
                left=function, ops=[ast.Eq()], comparators=[ast.Call(func=ast.Name(id=name)) as call]
            ) if name in _AGGREGATES:
                return self.aggregate(function, call, body, clause)
        conclusion = self.atom(head, clause)
        self.refuse_calculated(head, clause)
        return [t.Rule(conclusion, self.conditions(body, clause), None, self.source.span(clause.node))]

    def aggregate(
        self, function: ast.expr, call: ast.Call, body: ast.expr, clause: ClauseContext
    ) -> list[t.Rule]:
        """Return the rules of `(f[X] == sum_(Y, for_each=Z)) <= body`.

        A new predicate has the distinct rows.
        """
        name = call.func.id.strip("_") if isinstance(call.func, ast.Name) else ""
        span, result = self.source.span(call), clause.variable(self.source.span(call))
        head = self.atom(function, clause, result)
        listed = [*call.args, *(keyword.value for keyword in call.keywords)]
        parts = [part for node in listed for part in (node.elts if isinstance(node, ast.Tuple) else [node])]
        is_down = [isinstance(part, ast.UnaryOp) for part in parts]
        terms = [
            self.expression(part.operand if isinstance(part, ast.UnaryOp) else part, clause) for part in parts
        ]
        values = [term for term in terms if isinstance(term, t.Variable)]
        keys = [term for term in head.terms[:-1] if isinstance(term, t.Variable)]
        most = {"len": 1, "sum": len(values), "min": 2, "max": 2}.get(name, 0)
        if (
            clause.extra
            or not 0 < len(values) == len(terms) <= most
            or any(is_down if most != 2 else is_down[:-1])
            or values[0] in keys
        ):
            help_ = (
                "there are `len_(Y)`, `sum_(Y, for_each=Z)`, and `min_(Y, order_by=Z)` or `max_` by "
                "one variable"
            )
            raise self.refuse(f"the aggregate `{ast.unparse(call)}`", call, help_)
        columns = tuple(dict.fromkeys((*keys, *values)))
        key = f"{head.predicate}, rows {next(self.lists)}"
        self.signatures[key] = PredicateSignature(
            f"{self.signatures[head.predicate].name}_row", None, len(columns)
        )
        rows = t.Atom(key, columns, None, span)
        inner = {v: v if v in keys else t.Variable(f"{v.name}_of_row") for v in columns}
        inside = (t.Atom(key, tuple(inner.values()), None, span),)
        if name in ("min", "max"):
            best: t.AggregateFunction = (
                "max" if (name == "max") != (is_down[-1] and values[0] != values[-1]) else "min"
            )
            head = t.Atom(head.predicate, (*head.terms[:-1], values[0]), None, head.span)
            summary = t.Aggregate(values[-1], best, (inner[values[-1]],), inside, span)
        else:
            summary = t.Aggregate(
                result, "count" if name == "len" else "sum", (inner[values[0]],), inside, span
            )
        whole = self.source.span(clause.node)
        return [
            t.Rule(rows, self.conditions(body, clause), None, whole),
            t.Rule(head, (rows, summary), None, whole),
        ]

    def assignment(
        self, function: ast.Subscript, value: ast.expr, node: ast.stmt
    ) -> t.Rule | tuple[str, ProgramFact]:
        """Return the fact of `f[X] = value` if it is ground, or else the rule."""
        clause = ClauseContext(node)
        atom = self.atom(function, clause, self.term(value, clause))
        if clause.extra or any(isinstance(term, t.Variable) for term in atom.arguments):
            return t.Rule(atom, tuple(clause.take()), None, self.source.span(node))
        return atom.predicate, self.of(atom.arguments, node)

    # Conditions

    def conditions(self, body: ast.expr, clause: ClauseContext) -> tuple[t.Condition, ...]:
        found: list[t.Condition] = []
        for part in _conjuncts(body):
            condition = self.condition(part, clause)
            found += [*clause.take(), condition]
        return tuple(found)

    def condition(self, node: ast.expr, clause: ClauseContext) -> t.Condition:
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
            case ast.Compare(left=value, ops=[ast.Eq()], comparators=[ast.Subscript() as function]) if (
                not isinstance(value, ast.Subscript)
            ):
                return self.atom(function, clause, self.term(value, clause))
            case ast.Call() | ast.Compare(left=ast.Subscript(), ops=[ast.Eq()]):
                return self.atom(node, clause)
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if (
                type(operator) in _COMPARISONS
            ):
                sides = self.expression(left, clause), self.expression(right, clause)
                return t.Comparison(_COMPARISONS[type(operator)], *sides, self.source.span(node))
            case ast.Compare():
                raise self.refuse(CHAIN, node, "put each comparison in parentheses: `(X != Y)`")
        help_ = "a condition is `p(X)`, `f[X] == Y` or a comparison in parentheses"
        raise self.refuse("this is not a condition", node, help_)

    def absent(self, operand: ast.expr, clause: ClauseContext) -> t.Condition:
        """Return the absence for `~operand`. Additional conditions of its terms become part of it."""
        match operand:
            case ast.Compare(left=left, ops=[ast.In()], comparators=[members]):
                return self.no_member(left, members, operand, clause)
        outside = clause.take()
        inside = self.conditions(operand, clause)
        clause.extra = outside
        return negation(inside, self.source.span(operand))

    def member(self, left: ast.expr, members: ast.expr, node: ast.expr, clause: ClauseContext) -> t.Condition:
        """Return the condition for `X in [a, b]`. A new predicate has a fact for each member."""
        term, listed, number = self.term(left, clause), self.listed(members, clause), next(self.lists)
        key = f"list {number}"
        self.signatures[key] = PredicateSignature("listed" if number == 1 else f"listed_{number}", None, 1)
        clause.lists[key] = {(member.value,): self.of([member], clause.node) for member in listed}
        return t.Atom(key, (term,), None, self.source.span(node))

    def no_member(
        self, left: ast.expr, members: ast.expr, node: ast.expr, clause: ClauseContext
    ) -> t.Condition:
        """Return the condition for `X not in [a, b]`: different from each member."""
        term, span = self.term(left, clause), self.source.span(node)
        *others, last = (t.Comparison("!=", term, member, span) for member in self.listed(members, clause))
        clause.extra += others
        return last

    def listed(self, members: ast.expr, clause: ClauseContext) -> list[t.Constant]:
        nodes = members.elts if isinstance(members, (ast.List, ast.Tuple, ast.Set)) else []
        terms = [self.expression(node, clause) for node in nodes]
        constants = [term for term in terms if isinstance(term, t.Constant)]
        if not constants or len(constants) < len(terms):
            help_ = "list words and whole numbers: `(X in ['a', 'b'])`"
            raise self.refuse("`in` without a list of constants", members, help_)
        return constants

    # Atoms

    def atom(self, node: ast.expr, clause: ClauseContext, *value: t.Term) -> t.Atom:
        """Return the atom of `p(X)` or `f[X] == Y`, or of `f[X]` with a separate value."""
        name, keys, arguments = self.applied(node)
        if keys is not None and clause.has_variable(name):
            function = node.left if isinstance(node, ast.Compare) else node
            help_ = (
                "import the rest by --partial, and write this rule in the theory: "
                "`ends_with(?x, 'a') = 1`, `part(?x, 1, 2) = ab`"
            )
            raise self.refuse(f"a part of the word that `{name}` is", function, help_)
        terms = (*[self.term(argument, clause) for argument in arguments], *value)
        return t.Atom(self.relation(name, keys, len(terms)), terms, None, self.source.span(node))

    def applied(self, node: ast.expr) -> tuple[str, int | None, list[ast.expr]]:
        """Return the name of a predicate, the number of its keys if it is a function, and its terms."""
        match node:
            case ast.Call(func=ast.Name() as called, args=arguments, keywords=keywords):
                self.refuse_aggregate(node, called.id)
                if keywords:
                    raise self.refuse("a predicate takes plain arguments", node, "write `p(X, Y)`")
                return self.predicate(called), None, arguments
            case ast.Subscript(value=ast.Name() as called, slice=index):
                keys = index.elts if isinstance(index, ast.Tuple) else [index]
                return self.predicate(called), len(keys), keys
            case ast.Compare(left=ast.Subscript() as function, ops=[ast.Eq()], comparators=[value]):
                name, number, keys = self.applied(function)
                return name, number, [*keys, value]
            case ast.Call() | ast.Subscript():
                raise self.refuse(PYTHON, node, "predicates and functions have plain names: `p(X)`, `f[X]`")
        help_ = "write `+ parent(bill, mary)`, or `ancestor(X, Y) <= parent(X, Y)`"
        raise self.refuse("this is not a fact or the head of a clause", node, help_)

    def predicate(self, node: ast.Name) -> str:
        name = node.id
        if name in self.names:
            raise self.refuse(f"`{name}` is a value of Python", node, "give its results as facts")
        if hasattr(builtins, name):
            help_ = "pyDatalog would call it; give the predicate another name"
            raise self.refuse(f"`{name}` is a function of Python", node, help_)
        return name

    def relation(self, name: str, keys: int | None, arity: int) -> str:
        key = f"{name}/{arity}" if keys is None else f"{name}[{keys}]"
        if key not in self.signatures:
            self.signatures[key] = PredicateSignature(name, keys, arity)
        return key

    def refuse_aggregate(self, node: ast.expr, name: str) -> None:
        if name in _AGGREGATES:
            help_ = "an aggregate is the value of a function in a conclusion: `(f[X] == len_(Y)) <= p(X, Y)`"
            raise self.refuse(f"the aggregate `{name}`", node, help_)

    def refuse_calculated(self, node: ast.expr, clause: ClauseContext) -> None:
        if clause.extra:
            help_ = "write a variable there, and equate it among the conditions: `& (Z == Y + 1)`"
            raise self.refuse("pyDatalog finds nothing where a conclusion has to be calculated", node, help_)

    # Terms

    def term(self, node: ast.expr, clause: ClauseContext) -> t.Term:
        """Return a term. A calculation or a function gives a variable with an equation."""
        expression = self.expression(node, clause)
        if not isinstance(expression, t.Operation):
            return expression
        variable = clause.variable(expression.span)
        clause.extra.append(t.Comparison("=", variable, expression, expression.span))
        return variable

    def expression(self, node: ast.expr, clause: ClauseContext) -> t.Expression:
        match node:
            case ast.Name(id=name) if self.is_variable(name):
                return t.Variable(name, self.source.span(node))
            case ast.Name():
                return self.word(self.named(node), node)
        value = value_of(node, self.names)
        if value is not UNKNOWN:
            return self.word(value, node)
        span = self.source.span(node)
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return t.Operation("-", (t.Constant(0, span), self.expression(operand, clause)), span)
            case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
                sides = self.expression(node.left, clause), self.expression(node.right, clause)
                return t.Operation(_OPERATORS[type(operator)], sides, span)
            case ast.Subscript():
                result = clause.variable(span)
                clause.extra.append(self.atom(node, clause, result))
                return result
            case ast.Call(func=ast.Name(id=name)):
                self.refuse_aggregate(node, name)
                raise self.refuse("a call among the terms", node, "give its results as facts")
            case ast.BinOp():
                raise self.refuse(
                    "no such arithmetic", node, "there are `+`, `-`, `*` and `//` on whole numbers"
                )
        raise self.refuse("this is not a term", node, "only variables, words and whole numbers are terms")

    def is_variable(self, name: str) -> bool:
        return name[0] in _CAPITALS and name not in self.names

    def named(self, node: ast.Name) -> object:
        """Return the value of a name that is not a variable: a Python value, or a word."""
        name = node.id
        if name not in self.names and hasattr(builtins, name):
            help_ = f"for the word, write '{name}' in quotes"
            raise self.refuse(f"`{name}` is a function of Python", node, help_)
        return self.names.get(name, name)

    def word(self, value: object, node: ast.expr) -> t.Constant:
        return t.Constant(self.value(value, node), self.source.span(node))

    def value(self, value: object, node: ast.AST) -> str | int:
        """Return an integer or a word.

        Other values become the words that Python prints for them, unless the program has these words in
        quotes.
        """
        is_text = isinstance(value, str)
        if isinstance(value, str):
            word = value
            if "\n" in word or "\r" in word:
                raise self.refuse("a word of several lines", node, "write it on one line")
        elif isinstance(value, (bool, tuple, type(None))):
            word = repr(value)
        elif isinstance(value, int):
            if not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
                raise self.refuse(
                    "the integer does not fit into 64 bits", node, f"the largest is {MAX_INTEGER}"
                )
            return value
        elif isinstance(value, float):
            word = float_word(value)
        else:
            raise self.refuse(
                f"`{ast.unparse(node)}` is a value of Python", node, "write the constant itself"
            )
        if self.texts.setdefault(word, is_text) is not is_text:
            help_ = "they would be the same word; write another one in quotes"
            raise self.refuse(f"`{word}` beside the word '{word}' in quotes", node, help_)
        return word


def negation(conditions: tuple[t.Condition, ...], span: t.Span) -> t.Condition:
    """Return the negation of a conjunction. A single comparison becomes the opposite one."""
    match conditions:
        case [t.Comparison(operator=operator, left=left, right=right)]:
            return t.Comparison(_OPPOSITES[operator], left, right, span)
    return t.Absent(conditions, span)


def _conjuncts(body: ast.expr) -> list[ast.expr]:
    """Return the conditions joined by `&`, in order. A loop is used because there may be thousands."""
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
    """Yield the names of a rule's variables, in order, with repetition."""
    yield from (variable.name for variable in t.condition_variables(rule.head))
    for condition in rule.body:
        yield from (variable.name for variable in t.condition_variables(condition))
