"""The builder: converts each reduction of the grammar to a term, a condition or a clause.

A method is named after a rule (or the alias after `->`) of kb/parse/grammar.lark and gets its children.
Wildcards are numbered from 1 in each clause, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from hornbook.kb.ast.declarations import (
    INTEGER_SORT,
    WORD,
    Clause,
    Example,
    ExceptedLabel,
    ExceptionRule,
    Expect,
    Frame,
    Import,
    Predicate,
    PredicateKind,
    Renaming,
    Replies,
    ReplyCase,
    Says,
    Sort,
    SortName,
    TheoryName,
    Turn,
)
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Absent,
    Aggregate,
    AggregateFunction,
    All,
    Atom,
    Comparison,
    ComparisonOperator,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    PlanStatement,
    Rule,
    Span,
    Statement,
    Tense,
    Term,
    Variable,
    parts,
)
from hornbook.kb.desugar.surface import (
    Alternatives,
    AverageAggregate,
    GroupedAggregate,
    RefusedClause,
    SurfaceCondition,
)
from hornbook.kb.parse.errors.calls import average_mistake, call_mistake, date_mistake
from hornbook.kb.parse.errors.unreadable import ABSENT_HELP
from hornbook.kb.sources.diagnostics import Diagnostic, error
from hornbook.kb.text.literals.forms import BadLiteralError, Form, form_of_kind, literal_value
from hornbook.kb.text.literals.values import MOST_DIGITS
from hornbook.kb.text.scanner import RESERVED, Token

MAX_NESTING = 100
"""The maximum nesting of conditions, operations and parentheses."""


Body = tuple[SurfaceCondition, ...]


class _Suspension(NamedTuple):
    """The head of an exception without a conclusion."""

    statement: Statement
    span: Span


class _Answers(NamedTuple):
    """The rows after `gives`, in a type that distinguishes them from a row."""

    rows: tuple[tuple[Term, ...], ...]


class Builder:
    """The builder of the clauses of one file. `begin` must be called before each clause."""

    def __init__(self) -> None:
        self.file = ""
        self.wildcards = 0
        self.in_query = False

    def begin(self, file: str, *, in_query: bool = False) -> None:
        self.file, self.wildcards, self.in_query = file, 0, in_query
        self.mistakes: list[Diagnostic] = []
        self.calculations: list[Operation] = []
        self.calculates = False
        self.abbreviates = False
        """Whether the clause has `or`, conditions in parentheses or aggregates by group."""
        self.depths: dict[int, tuple[Operation, int]] = {}
        """The operations by identity, each with the number of operations on its longest path."""

    # Spans

    def at(self, token: Token) -> Span:
        line, column = token.line, token.column
        return Span(self.file, line, column, line, column + len(token.text))

    def between(self, first: Span, last: Span) -> Span:
        return Span(self.file, first.line, first.column, last.end_line, last.end_column)

    # Terms

    def variable(self, children: list[Token]) -> Variable:
        return Variable(children[0].text[1:], self.at(children[0]))

    def parameter(self, children: list[Token]) -> Variable:
        """Return a variable that keeps its mark `$` in its name, until it has a value
        (kb/parse/parameters.py).
        """
        token = children[0]
        if not self.in_query:
            message = f"`{token.text}` is a parameter, and only a query has parameters"
            help_line = f"write a word, or a variable such as `?{token.text[1:]}`"
            raise RefusedClause(error("HB052", message, self.at(token), help_line))
        return Variable(token.text, self.at(token))

    def wildcard(self, children: list[Token]) -> Variable:
        self.wildcards += 1
        return Variable(f"_{self.wildcards}", self.at(children[0]))

    def word(self, children: list[Token]) -> Constant:
        return Constant(children[0].text, self.at(children[0]))

    def quoted(self, children: list[Token]) -> Constant:
        return Constant(unquote(children[0].text), self.at(children[0]))

    def number(self, children: list[Token]) -> Constant:
        return self._integer(children[0].text, self.at(children[0]))

    def negative(self, children: list[Token]) -> Constant:
        minus, digits = children
        return self._integer("-" + digits.text, self.between(self.at(minus), self.at(digits)))

    def literal(self, children: list[Token]) -> Constant:
        return self._literal(children[0].text, self.at(children[0]))

    def negative_literal(self, children: list[Token]) -> Constant:
        minus, literal = children
        span = self.between(self.at(minus), self.at(literal))
        if "-" in literal.text:
            message = f"`{literal.text}` is no number that can be negative"
            raise RefusedClause(error("HB006", message, span, "write `-` with blanks around it to subtract"))
        return self._literal("-" + literal.text, span)

    def _literal(self, text: str, span: Span) -> Constant:
        try:
            return Constant(literal_value(text), span)
        except BadLiteralError as problem:
            help_line = "a date is written 2024-02-29, a time 2024-02-29T12:30:00, a decimal number 12.50"
            raise RefusedClause(error("HB006", f"`{text}` {problem}", span, help_line)) from None

    def _integer(self, text: str, span: Span) -> Constant:
        digits = text.lstrip("-").lstrip("0") or "0"
        # Python refuses to convert thousands of digits.
        value = int(digits) if len(digits) <= 19 else MAX_INTEGER + 2
        value = -value if text.startswith("-") else value
        if not MIN_INTEGER <= value <= MAX_INTEGER:
            help_line = f"the integers go from {MIN_INTEGER} to {MAX_INTEGER}"
            raise RefusedClause(error("HB006", "the integer does not fit into 64 bits", span, help_line))
        return Constant(value, span)

    def arguments(self, children: list[Expression]) -> list[Expression]:
        return children

    # Arithmetic

    def _operation(self, operator: str, left: Expression, right: Expression) -> Operation:
        self.calculates = True
        made = Operation(operator, (left, right), self.between(left.span, right.span))
        depth = 1 + max(
            (self.depths[id(each)][1] for each in made.operands if id(each) in self.depths), default=0
        )
        if depth > MAX_NESTING:
            raise RefusedClause(nested_too_deep(made.span))
        self.depths[id(made)] = made, depth
        return made

    def plus(self, children: list[Expression]) -> Operation:
        return self._operation("+", *children)

    def minus(self, children: list[Any]) -> Operation:
        return self._operation("-", children[0], children[-1])

    def times(self, children: list[Expression]) -> Operation:
        return self._operation("*", *children)

    def modulo(self, children: list[Expression]) -> Operation:
        return self._operation("mod", *children)

    def divide(self, children: list[Expression]) -> Operation:
        return self._operation("//", *children)

    def call(self, children: list[Any]) -> Operation:
        name, _, arguments, end = children
        operands = tuple(arguments)
        span = self.between(self.at(name), self.at(end))
        mistake = call_mistake(name.text, operands, self.at(name))
        if mistake is not None:
            self.mistakes.append(mistake)
        self.calculates = True
        return Operation(name.text, operands, span)

    # Conditions

    def atom(self, children: list[Any]) -> Atom:
        name = children[0]
        if len(children) == 1:
            return Atom(name.text, (), None, self.at(name))
        end = children[3]
        # Most files have many facts and few calculations.
        if self.calculates and (calculated := [t for t in children[2] if isinstance(t, Operation)]):
            self.calculations += calculated
            self.mistakes += filter(None, map(date_mistake, calculated))
            if name.text == "not":
                self.mistakes = [
                    error("HB001", "`not` is no word of the language", self.at(name), ABSENT_HELP)
                ]
        span = Span(self.file, name.line, name.column, end.line, end.column + 1)
        return Atom(name.text, tuple(children[2]), None, span)

    def read_at(self, children: list[Any]) -> Atom:
        tense, atom = children
        span = self.between(self.at(tense), atom.span)
        return Atom(atom.predicate, atom.arguments, cast(Tense, tense.text), span)

    def by_without_value(self, children: list[Atom]) -> Statement:
        span = self.between(children[0].span, children[1].span)
        raise RefusedClause(error("HB035", "a game statement needs a value", span, "write `… by … is GI`"))

    def game(self, children: list[Any]) -> GameStatement:
        atom, value = children
        return GameStatement(atom, None, value, self.between(atom.span, value.span))

    def game_by(self, children: list[Any]) -> GameStatement:
        atom, by, value = children
        return GameStatement(atom, by, value, self.between(atom.span, value.span))

    def plan(self, children: list[Any]) -> PlanStatement:
        game, moves, by = children
        if not (isinstance(moves, Constant) and isinstance(moves.value, int) and moves.value > 0):
            message = f"`{print_term(moves)}` is no number of moves"
            raise RefusedClause(error("HB067", message, moves.span, "write an integer, 1 or more"))
        return PlanStatement(game, moves.value, by, self.between(game.span, by.span))

    def plan_condition(self, children: list[PlanStatement]) -> Condition:
        plan = children[0]
        message = "a plan is not a condition: it assumes that the opponent passes, but this is not certain"
        help_ = f"ask for the value of the game: `{print_condition(plan.game)} is GI`"
        raise RefusedClause(error("HB067", message, plan.span, help_))

    def comparison(self, children: list[Any]) -> Comparison:
        left, operator, right = children
        span = self.between(left.span, right.span)
        return Comparison(cast(ComparisonOperator, operator.text), left, right, span)

    def equation(self, children: list[Expression]) -> Comparison:
        left, right = children
        return Comparison("=", left, right, self.between(left.span, right.span))

    def variables(self, children: list[Variable]) -> tuple[Variable, ...]:
        return tuple(children)

    def joined(self, children: list[SurfaceCondition]) -> Body:
        return tuple(children)

    def alternatives(self, children: list[Body | Alternatives]) -> Alternatives:
        self.abbreviates = True
        first, last = children
        bodies = (*(first.bodies if isinstance(first, Alternatives) else (first,)), _body(last))
        return Alternatives(bodies, self.between(bodies[0][0].span, bodies[-1][-1].span))

    def group(self, children: list[Body | Alternatives]) -> Alternatives:
        """Return the conditions in parentheses."""
        self.abbreviates = True
        inside = children[0]
        if isinstance(inside, Alternatives):
            return inside
        return Alternatives((inside,), self.between(inside[0].span, inside[-1].span))

    def all(self, children: list[Any]) -> All:
        word, variables, member, inner = children
        return All(variables, member, (inner,), self.between(self.at(word), inner.span))

    def absent(self, children: list[Any]) -> Absent:
        word, inner = children
        return Absent((inner,), self.between(self.at(word), inner.span))

    def sets(self, children: list[Atom]) -> tuple[Atom, ...]:
        return tuple(children)

    def count_in(self, children: list[Any]) -> CountIn:
        result, _, variables, sets, *excluded = children
        excluded = [term for term in excluded if term is not None]
        last = excluded[-1] if excluded else sets[-1]
        span = self.between(result.span, last.span)
        return CountIn(_numeric(result), variables, sets, tuple(excluded), span)

    def aggregate(self, children: list[Any]) -> Aggregate:
        result, function, variables, groups, inner = children
        name = cast(AggregateFunction, function.text)
        span = self.between(result.span, inner.span)
        if groups is None:
            return Aggregate(_numeric(result), name, variables, (inner,), span)
        self.abbreviates = True
        return GroupedAggregate(_numeric(result), name, variables, (inner,), span, groups)

    def average(self, children: list[Any]) -> Aggregate:
        result, name, arguments, groups, inner = children
        variable, *digits = arguments
        found = average_mistake(name.text, arguments, self.at(name))
        if found is not None:
            raise RefusedClause(found)
        self.abbreviates = True
        span = self.between(result.span, inner.span)
        return AverageAggregate(
            _numeric(result), "sum", (variable,), (inner,), span, groups or (), name.text, tuple(digits)
        )

    # Clauses

    def theory(self, children: list[Token]) -> TheoryName:
        return TheoryName(children[0].text, self.at(children[0]))

    def import_(self, children: list[Any]) -> Import:
        name, instance, *renamings = children
        taken = tuple(renaming for renaming in renamings if renaming is not None)
        return Import(name.text, self.at(name), None if instance is None else instance.text, taken)

    def renaming(self, children: list[Token]) -> Renaming:
        name, own = children
        return Renaming(name.text, own.text, self.between(self.at(name), self.at(own)))

    def constant(self, children: list[Token]) -> Token:
        return children[0]

    def sort(self, children: list[Any]) -> Sort:
        name, *constants = children
        span = self.at(name)
        if constants == [None]:
            return Sort(name.text, "open", (), span)
        if len(constants) == 1 and constants[0].text == INTEGER_SORT:
            return Sort(name.text, "integer", (), span)
        if len(constants) == 1 and constants[0].text in ("date", "time", "percent"):
            return Sort(name.text, "integer", (), span, Form(constants[0].text))
        if len(constants) == 2 and {constant.text for constant in constants} == {WORD, INTEGER_SORT}:
            return Sort(name.text, "mixed", (), span)
        return Sort(name.text, "enumerated", tuple(unquote(constant.text) for constant in constants), span)

    def decimal_sort(self, children: list[Token]) -> Sort:
        name, form, digits = children
        span = self.at(name)
        if form.text not in ("decimal", "percent"):
            help_line = "write `decimal(2)` or `percent(1)`, with the digits after the point"
            raise RefusedClause(
                error("HB012", f"there is no sort `{form.text}(…)`", self.at(form), help_line)
            )
        if len(digits.text) > 2 or not 1 <= int(digits.text) <= MOST_DIGITS:
            without = "int" if form.text == "decimal" else "percent"
            help_line = f"write 1 to {MOST_DIGITS}, or `{without}` for numbers without a point"
            message = f"`{digits.text}` is no number of digits after the point"
            raise RefusedClause(error("HB006", message, self.at(digits), help_line))
        return Sort(name.text, "integer", (), span, form_of_kind(f"{form.text}({int(digits.text)})"))

    def columns(self, children: list[Token]) -> tuple[SortName, ...]:
        return tuple(SortName(token.text, self.at(token)) for token in children)

    def shape(self, children: list[Any]) -> tuple[tuple[SortName, ...], int | None]:
        """Return the columns, and the number of key columns."""
        first, second = children
        return (first, None) if second is None else ((*first, *second), len(first))

    def one_value(self, children: list[Any]) -> tuple[tuple[SortName, ...], int]:
        return children[-1], 0

    def declared(self, children: list[Any]) -> list[Any]:
        return children

    def predicate(self, children: list[Any]) -> Predicate:
        declared, operational, observed, complete, stated, demanded, turn, worth, says = children
        kind, name, shape, counts, but, allows = declared
        if name.text in RESERVED:
            message = f"`{name.text}` is a word of the language and cannot name a predicate"
            raise RefusedClause(
                error("HB001", message, self.at(name), f"choose another name, such as `{name.text}_`")
            )
        columns, key = ((), None) if shape is None else shape
        return Predicate(
            kind=cast(PredicateKind, kind.text),
            name=name.text,
            columns=columns,
            key=key,
            counts=None if counts is None else SortName(counts.text, self.at(counts)),
            but=None if but is None else SortName(but.text, self.at(but)),
            allows=None if allows is None else SortName(allows.text, self.at(allows)),
            operational=operational is not None,
            observed=observed is not None,
            complete=complete is not None,
            stated=stated is not None,
            demanded=demanded is not None,
            turn=None if turn is None else cast(Turn, turn.text),
            worth=None if worth is None else worth.value,
            says=None if says is None else Says(says.text[1:-1], self.at(says)),
            span=self.at(name),
        )

    def frame(self, children: list[Any]) -> Frame:
        fluent, *cases = children
        return Frame(fluent, tuple(map(_body, cases)), span=fluent.span)

    def persists(self, children: list[Any]) -> Frame:
        fluent, *cases = children
        return Frame(fluent, tuple(_body(case) for case in cases if case is not None), True, fluent.span)

    def reply(self, children: list[Any]) -> ReplyCase:
        action, conditions, unless = children
        last = unless or (conditions[-1] if conditions else action)
        return ReplyCase(action, conditions or (), unless, self.between(action.span, last.span))

    def replies(self, children: list[Any]) -> Replies:
        game, *cases = children
        return Replies(game, tuple(cases), game.span)

    def facts(self, children: list[Statement]) -> tuple[Statement, ...]:
        return tuple(children)

    def example(self, children: list[Any]) -> Example:
        name, source, facts, *later = children
        path = None if source is None else source.text[1:-1]
        return Example(name.text, path, facts or (), tuple(later), self.at(name))

    def answer(self, children: list[Term]) -> tuple[Term, ...]:
        return tuple(children)

    def answers(self, children: list[tuple[Term, ...]]) -> _Answers:
        return _Answers(tuple(children))

    def expect(self, children: list[Any]) -> Expect:
        name, conditions, answers = children
        conditions = _body(conditions)
        rows = None if answers is None else answers.rows
        return Expect(name.text, conditions, rows, self.between(self.at(name), conditions[-1].span))

    def excepted(self, children: list[Token]) -> ExceptedLabel:
        return ExceptedLabel(children[0].text, self.at(children[0]))

    def label(self, children: list[Any]) -> tuple[Token, tuple[ExceptedLabel, ...]]:
        label, *excepted = children
        return label, tuple(each for each in excepted if each is not None)

    def suspension(self, children: list[Any]) -> _Suspension:
        word, statement = children
        return _Suspension(statement, self.between(self.at(word), statement.span))

    def rule(self, children: list[Any]) -> Rule | ExceptionRule:
        mark, labelled, head, conditions = children
        label, excepted = labelled or (None, ())
        begins = mark if label is None else label
        span = head.span if begins is None else self.between(self.at(begins), head.span)
        name = None if label is None else label.text
        body = () if conditions is None else _body(conditions)
        suspends = isinstance(head, _Suspension)
        if suspends and not excepted:
            help_ = (
                "write `LABEL exception to OTHER:` before it, with the label of the rule that does not apply"
            )
            raise RefusedClause(
                error("HB078", "only an exception has `absent` in its head", head.span, help_)
            )
        rule = Rule(head.statement if suspends else head, body, name, span, lemma=mark is not None)
        if name is None or not excepted:
            return rule
        if mark is not None:
            message = "an exception is not a lemma"
            raise RefusedClause(error("HB078", message, self.at(mark), "leave out `lemma`"))
        return ExceptionRule(name, excepted, (rule,), suspends, span)

    def clause(self, children: list[Clause]) -> Clause:
        return children[0]

    def query(self, children: list[Body | Alternatives]) -> Body:
        body: Body = _body(children[0])
        return body


def _body(conditions: Body | Alternatives) -> Any:
    """Return a conjunction in surface syntax, typed as the core conditions that `desugar` makes of it."""
    return (conditions,) if isinstance(conditions, Alternatives) else conditions


def unquote(text: str) -> str:
    """Return the word of a NAME or QUOTED token."""
    return text[1:-1].replace("''", "'") if text.startswith("'") else text


def _numeric(result: Expression) -> Expression:
    """Return the result of a count or an aggregate, which must be a variable or a number."""
    if isinstance(result, Constant) and isinstance(result.value, str):
        raise RefusedClause(
            error("HB019", f"a count is never the word `{result.value}`", result.span, "use a variable")
        )
    return result


_OPENING = frozenset(
    ("PLUS", "MINUS", "STAR", "DIVIDE", "MOD", "MIN", "MAX", "ALL", "ABSENT", "COUNT", "SUM")
)


_PREFIXES = frozenset(("ABSENT", "ALL"))
_BETWEEN = frozenset(("COMMA", "OR", "SEMICOLON", "IF"))


def too_deep(tokens: Sequence[Token]) -> int | None:
    """Return the index of the first token that is nested too deeply, or None.

    This is a parenthesis inside MAX_NESTING others, or an `absent` or `all` after MAX_NESTING others.
    """
    depth, prefixes = 0, [0]
    for index, (kind, *_) in enumerate(tokens):
        if kind == "LPAR":
            depth += 1
            prefixes.append(0)
        elif kind == "RPAR":
            depth -= 1
            prefixes[-1:] = [] if len(prefixes) > 1 else [0]
        elif kind in _PREFIXES:
            prefixes[-1] += 1
        elif kind in _BETWEEN:
            prefixes[-1] = 0
        if depth > MAX_NESTING or prefixes[-1] > MAX_NESTING:
            return index
    return None


def require_shallow(
    tokens: Sequence[Token],
    built: Clause | Body,
    calculations: Sequence[Operation],
) -> None:
    """Raise RefusedClause if conditions or operations are nested too deeply for recursive functions."""
    if sum(token.type in _OPENING for token in tokens) <= MAX_NESTING:
        return
    todo: list[tuple[SurfaceCondition | Expression, int]] = [
        (node, 1) for node in (*_roots(built), *calculations)
    ]
    while todo:
        node, depth = todo.pop()
        # Only conditions and expressions are nested; statements contain terms.
        if isinstance(node, Term | Statement):
            continue
        if isinstance(node, Alternatives):
            todo += [(part, depth) for body in node.bodies for part in body]
            continue
        if depth > MAX_NESTING:
            raise RefusedClause(nested_too_deep(node.span))
        todo += [(part, depth + 1) for part in parts(node)]


def nested_too_deep(span: Span) -> Diagnostic:
    message = f"nested more than {MAX_NESTING} deep"
    return error("HB004", message, span, "give a part of it a name: a derived predicate of its own")


def _roots(built: Clause | Body) -> Iterator[SurfaceCondition]:
    match built:
        case tuple():
            yield from built
        case Rule():
            yield from built.body
        case ExceptionRule():
            for rule in built.rules:
                yield from rule.body
        case Expect():
            yield from built.conditions
        case Frame():
            for case in built.cases:
                yield from case
        case Replies():
            for reply in built.cases:
                yield from reply.conditions
        case _:
            pass
