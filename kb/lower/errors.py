"""Errors of an engine, translated to the terms of the theory.

Engines know only numbers. This module converts their named errors to messages with the names of predicates,
rules and constants, and with advice.
"""

from __future__ import annotations

from collections.abc import Callable

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.terms import Rule
from hornbook.kb.lower.coding import CodedQuery, CodedRuleId, Coding
from hornbook.kb.lower.word_functions import TooLongWordError
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    BeyondEngineError,
    EngineError,
    FactLimitError,
    KeyConflictError,
    MalformedError,
    MemoryLimitError,
    NotStratifiedError,
    OverfullSetError,
    TimeLimitError,
)
from hornbook.matcher.program.hornbook_error import HornbookError


class KnowledgeBaseError(HornbookError):
    """Facts and rules that contradict a declaration, or an exceeded limit. Nothing was changed.

    The error of the engine is the cause.
    """


class TooManyAnswersError(KnowledgeBaseError):
    """A query has more answers than the caller allows."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {counted(most, 'answer')}; ask for less, or allow more")


def described_error(
    problem: EngineError,
    coding: Coding,
    rule_of: Callable[[CodedRuleId], Rule],
    query: CodedQuery | None = None,
) -> KnowledgeBaseError:
    """Return the error in terms of the theory. `query` is the evaluated query, if any."""
    if isinstance(problem, ArithmeticOverflowError):
        return KnowledgeBaseError(_overflow(problem, coding, rule_of, query))
    return KnowledgeBaseError(_message(problem, coding, rule_of))


SECONDS = "`--seconds`; from Python `Limits(seconds=…)`"
"""The options that raise the time limit."""
_OTHER_ENGINE = "the compiled engine can: leave `--engine duckdb` out (from Python, `engine=`)"


def _message(problem: EngineError, coding: Coding, rule_of: Callable[[CodedRuleId], Rule]) -> str:
    from hornbook.kb.format.printer import print_condition  # noqa: PLC0415 - slow to import

    match problem:
        case KeyConflictError():
            first, second = (print_condition(coding.statement(f)) for f in (problem.first, problem.second))
            return f"two values for one key: `{first}` and `{second}`; the declaration allows one"
        case OverfullSetError():
            count = print_condition(coding.statement(problem.count))
            return (
                f"`{count}` does not count all of its set: "
                f"{counted(problem.members, 'member is', 'members are')} known"
            )
        case BeyondEngineError(rule=CodedRuleId() as rule_id):
            rule = rule_of(rule_id)
            return f"{rule.span}: DuckDB cannot answer by `{rule.name}`: {problem.reason}; {_OTHER_ENGINE}"
        case BeyondEngineError():
            return f"DuckDB cannot answer this: {problem.reason}; {_OTHER_ENGINE}"
        case TooLongWordError():
            return str(problem)
        case FactLimitError():
            way_out = "`--max-facts`; from Python `Limits(facts=…)`"
            return (
                f"more than {counted(problem.limit, 'fact')}; a rule may not end, or raise the limit "
                f"({way_out})"
            )
        case TimeLimitError():
            return f"more than {counted(problem.limit, 'second')}; raise the limit ({SECONDS}) or ask less"
        case MemoryLimitError():
            way_out = "`--memory`; from Python `Limits(bytes=…)`"
            return f"more than {counted(problem.limit, 'byte')}; raise the limit ({way_out})"
        case MalformedError(rule=CodedRuleId() as rule_id):
            rule = rule_of(rule_id)
            return f"{rule.span}: `{rule.name}` cannot be matched: {problem}"
        case NotStratifiedError():
            names = " → ".join(coding.relations[p].template.relation for p in problem.cycle)
            return f"`absent` through recursion: {names}"
        case _:
            return str(problem)


def _overflow(
    problem: ArithmeticOverflowError,
    coding: Coding,
    rule_of: Callable[[CodedRuleId], Rule],
    query: CodedQuery | None,
) -> str:
    """Return the message that names the operation without a value, its operands and its place."""
    from hornbook.kb.lower.overflow import calculations_inside, overflow_in  # noqa: PLC0415 - slow to import

    if isinstance(problem.rule, CodedRuleId):
        rule = rule_of(problem.rule)
        name, span, conditions = f"`{rule.name}`", rule.span, rule.body
        values = coding.substitution(problem.rule, problem.binding)
    else:
        name, span, conditions, values = "the query", None, (), {}
        if query is not None:
            conditions, values = query.written, coding.values_of_query(query, problem.binding)
    found = overflow_in(conditions, values)
    if found is None:
        inside = " or ".join(f"`{each}`" for each in calculations_inside(conditions))
        where = f", in {inside}" if inside else ""
        reason = f"leaves 64 bits or divides by zero{where}"
    else:
        span = found.operation.span if span and found.operation.span != t.NOWHERE else span
        reason = f"{found.reason}: {found}"
    return f"{'' if span is None else f'{span}: '}the arithmetic of {name} {reason}"
