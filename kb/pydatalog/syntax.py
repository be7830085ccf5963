"""Clauses and facts as pyDatalog writes them, as rules.

They have the syntax of Python, so Python parses them, and no line of them is ever run. What comes out are
rules of our own terms, with spans into the text; a predicate is still called by its signature (`parent/2`,
`salary[1]`), since pyDatalog lets several share a name. What our language has not is refused with its place and what to
write instead.
"""

from __future__ import annotations

import ast
import builtins
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from hornbook.kb.ast import terms as t
from hornbook.kb.pydatalog.constants import UNKNOWN, float_word, value_of
from hornbook.kb.sources.diagnostics import Diagnostic

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
_SIGNS = frozenset("TFN(-0123456789in")
"""How the words begin that Python writes for values."""
_CAPITALS = string.ascii_uppercase + "_"
"""How the names of variables begin."""
PYTHON = "this is Python; only what pyDatalog is to load can be imported"


@dataclass(frozen=True, slots=True)
class Signature:
    """A predicate of pyDatalog: `parent/2`, or the function `salary[1]`, which has one value for its keys."""

    name: str
    keys: int | None
    arity: int


def refusal(message: str, span: t.Span, help_: str) -> Diagnostic:
    return Diagnostic(CODE, "error", message, help_, span)


class RefusedError(Exception):
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


class Clauses:
    """Reads clauses; `names` are those that Python binds to other things than terms of pyDatalog, with their values."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: list[str] = []
        self.indent = 0
        self.place: t.Span | None = None
        self.signatures: dict[str, Signature] = {}
        self.texts: dict[str, bool] = {}
        self.lists = count(1)
        self.names: dict[str, object] = {}

    def span(self, node: ast.AST) -> t.Span:
        if self.place is not None:
            return self.place
        assert isinstance(node, (ast.expr, ast.stmt))
        line, end = node.lineno, node.end_lineno or node.lineno
        end_column = self._column(end, node.end_col_offset or node.col_offset)
        return t.Span(self.file, line, self._column(line, node.col_offset), end, end_column)

    def _column(self, line: int, offset: int) -> int:
        """Python counts bytes from 0."""
        if offset == 0 or (text := self.lines[line - 1]).isascii():
            return offset + self.indent + 1
        before = text.encode("utf-8", "surrogatepass")[:offset]
        return len(before.decode("utf-8", "replace")) + self.indent + 1

    def refuse(self, message: str, node: ast.AST, help_: str) -> RefusedError:
        return RefusedError(refusal(message, self.span(node), help_))

    def fact(self, fact: ast.expr, node: ast.stmt) -> t.Rule:
        head = self.head(fact, _Clause(node))
        rule = t.Rule(head, (), None, head.span)
        for variable in t.condition_variables(rule.head):
            raise self.refuse(f"the fact has the variable `{variable.name}`", fact, "name a constant")
        return rule

    def clause(self, head: ast.expr, body: ast.expr, node: ast.stmt) -> Iterator[t.Rule]:
        clause = _Clause(node)
        match head:
            case ast.Compare(
                left=ast.Subscript() as function,
                ops=[ast.Eq()],
                comparators=[ast.Call(func=ast.Name(id=name)) as call],
            ) if name in _AGGREGATES:
                rules = self.aggregate(function, call, body, clause)
            case _:
                rules = [
                    t.Rule(self.head(head, clause), self.conditions(body, clause), None, self.span(node))
                ]
        yield from clause.lists
        yield from rules

    def aggregate(
        self, function: ast.Subscript, call: ast.Call, body: ast.expr, clause: _Clause
    ) -> list[t.Rule]:
        """`(f[X] == sum_(Y, for_each=Z)) <= body`: a predicate of its own has the rows, of which each counts once."""
        name = call.func.id.strip("_") if isinstance(call.func, ast.Name) else ""
        span, result = self.span(call), clause.variable(self.span(call))
        head = self.function(function, result, clause)
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
            help_ = "there are `len_(Y)`, `sum_(Y, for_each=Z)`, and `min_(Y, order_by=Z)` or `max_` by one variable"
            raise self.refuse(f"the aggregate `{ast.unparse(call)}`", call, help_)
        columns = tuple(dict.fromkeys((*keys, *values)))
        key = f"{head.predicate}, rows {next(self.lists)}"
        self.signatures[key] = Signature(f"{self.signatures[head.predicate].name}_row", None, len(columns))
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
        whole = self.span(clause.node)
        return [
            t.Rule(rows, self.conditions(body, clause), None, whole),
            t.Rule(head, (rows, summary), None, whole),
        ]

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
        known = value_of(members, self.names)
        terms = (
            [self.constant(value, members) for value in known]
            if isinstance(known, tuple)
            else [self.expression(node, clause) for node in nodes]
        )
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
            raise self.refuse(PYTHON, node, "a predicate is called by its own name: `p(X)`")
        name = node.func.id
        self.refuse_aggregate(node, name)
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self.refuse("a predicate takes plain arguments", node, "write `p(X, Y)`")
        terms = tuple([self.term(argument, clause) for argument in node.args])
        return self._atom(self.predicate(node.func), None, terms, node)

    def function(self, node: ast.Subscript, value: t.Term, clause: _Clause) -> t.Atom:
        """`f[X, Y] == value`."""
        if not isinstance(node.value, ast.Name):
            raise self.refuse(PYTHON, node, "a function is called by its own name: `f[X]`")
        if clause.has_variable(node.value.id):
            help_ = "words have no parts here: give a fact for each word that says what is needed of it"
            raise self.refuse(f"a part of the word that `{node.value.id}` is", node, help_)
        keys = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        terms = (*(self.term(key, clause) for key in keys), value)
        return self._atom(self.predicate(node.value), len(keys), terms, node)

    def _atom(self, name: str, keys: int | None, terms: tuple[t.Term, ...], node: ast.expr) -> t.Atom:
        key = f"{name}/{len(terms)}" if keys is None else f"{name}[{keys}]"
        if key not in self.signatures:
            self.signatures[key] = Signature(name, keys, len(terms))
        return t.Atom(key, terms, None, self.span(node))

    def predicate(self, node: ast.Name) -> str:
        if isinstance(node.ctx, ast.Load) and node.id in self.names:
            raise self.refuse(f"`{node.id}` is a value of Python", node, "give what it computes as facts")
        if isinstance(node.ctx, ast.Load) and hasattr(builtins, node.id):
            help_ = "pyDatalog would call it; give the predicate another name"
            raise self.refuse(f"`{node.id}` is a function of Python", node, help_)
        return node.id

    def refuse_aggregate(self, node: ast.expr, name: str) -> None:
        if name in _AGGREGATES:
            help_ = "an aggregate is the value of a function in a conclusion: `(f[X] == len_(Y)) <= p(X, Y)`"
            raise self.refuse(f"the aggregate `{name}`", node, help_)

    # Terms

    def term(self, node: ast.expr, clause: _Clause) -> t.Term:
        """A term; for a calculation or a function, a variable that equals it."""
        if isinstance(node, ast.Constant):
            return self.constant(node.value, node)
        expression = self.expression(node, clause)
        if not isinstance(expression, t.Operation):
            return expression
        variable = clause.variable(expression.span)
        clause.extra.append(t.Comparison("=", variable, expression, expression.span))
        return variable

    def expression(self, node: ast.expr, clause: _Clause) -> t.Expression:
        if isinstance(node, ast.Constant):
            return self.constant(node.value, node)
        if not isinstance(node, ast.Name):
            value = value_of(node, self.names)
            if value is not UNKNOWN:
                return self.constant(value, node)
        span = self.span(node)
        match node:
            case ast.Name(id=name) if name in self.names:
                return self.constant(self.names[name], node)
            case ast.Name(id=name):
                if name[0] in _CAPITALS:
                    return t.Variable(name, span)
                if hasattr(builtins, name):
                    help_ = f"for the word, write '{name}' in quotes"
                    raise self.refuse(f"`{name}` is a function of Python", node, help_)
                return self.word(name, node, is_text=True)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return t.Operation("-", (t.Constant(0, span), self.expression(operand, clause)), span)
            case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
                sides = self.expression(node.left, clause), self.expression(node.right, clause)
                return t.Operation(_OPERATORS[type(operator)], sides, span)
            case ast.Subscript():
                result = clause.variable(span)
                clause.extra.append(self.function(node, result, clause))
                return result
            case ast.Call(func=ast.Name(id=name)):
                self.refuse_aggregate(node, name)
                raise self.refuse("a call among the terms", node, "give what it computes as facts")
            case ast.BinOp():
                help_ = "there are `+`, `-`, `*` and `//` on whole numbers"
                raise self.refuse("no such arithmetic", node, help_)
            case _:
                help_ = "only variables, words and whole numbers are terms"
                raise self.refuse("this is no term", node, help_)

    def constant(self, value: object, node: ast.expr) -> t.Constant:
        """An integer or a word. Other values are the words that Python writes for them, if the program has these in no quotes."""
        if isinstance(value, str):
            if "\n" in value or "\r" in value:
                raise self.refuse("a word of several lines", node, "write it on one line")
            return self.word(value, node, is_text=True)
        if isinstance(value, float):
            return self.word(float_word(value), node, is_text=False)
        if isinstance(value, (bool, tuple, type(None))):
            return self.word(repr(value), node, is_text=False)
        if isinstance(value, int):
            if not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
                help_ = f"the largest is {MAX_INTEGER}"
                raise self.refuse("the integer does not fit into 64 bits", node, help_)
            return t.Constant(value, self.span(node))
        raise self.refuse(f"`{ast.unparse(node)}` is a value of Python", node, "write the constant itself")

    def word(self, value: str, node: ast.expr, *, is_text: bool) -> t.Constant:
        if (value in self.texts or not is_text or value[:1] in _SIGNS) and self.texts.setdefault(
            value, is_text
        ) != is_text:
            help_ = "they would be the same word; write another one in quotes"
            raise self.refuse(f"`{value}` beside the word '{value}' in quotes", node, help_)
        return t.Constant(value, self.span(node))


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
