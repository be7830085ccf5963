"""Errors of an engine, in the words of the theory.

Engines know numbers only; this file turns their named errors into messages with the names of predicates,
rules and constants, and says what to do.
"""

from __future__ import annotations

from collections.abc import Callable

from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.coding import CodedRuleId, Coding
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
    """Facts and rules that contradict a declaration, or a bound that was passed; nothing was changed.

    The engine's own error is the cause.
    """


class TooManyAnswersError(KnowledgeBaseError):
    """A query has more answers than were asked for."""

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"more than {counted(most, 'answer')}; ask for less, or allow more")


def fault(problem: EngineError, coding: Coding, rule_of: Callable[[CodedRuleId], Rule]) -> KnowledgeBaseError:
    """The error in the words of the theory."""
    return KnowledgeBaseError(_message(problem, coding, rule_of))


SECONDS = "`--seconds`; from Python `Limits(seconds=…)`"
"""What raises the limit of time."""
_OTHER_ENGINE = "the compiled engine can: leave `--engine duckdb` out (from Python, `engine=`)"


def _message(problem: EngineError, coding: Coding, rule_of: Callable[[CodedRuleId], Rule]) -> str:
    match problem:
        case KeyConflictError():
            first, second = (print_condition(coding.statement(f)) for f in (problem.first, problem.second))
            return f"two values for one key: `{first}` and `{second}`; the declaration allows one"
        case OverfullSetError():
            count = print_condition(coding.statement(problem.count))
            return f"`{count}` does not count all of its set: {counted(problem.members, 'member is', 'members are')} known"
        case ArithmeticOverflowError(rule=CodedRuleId() as rule_id):
            rule = rule_of(rule_id)
            return f"{rule.span}: the arithmetic of `{rule.name}` leaves 64 bits or divides by zero"
        case ArithmeticOverflowError():
            return "the arithmetic of the query leaves 64 bits or divides by zero"
        case BeyondEngineError(rule=CodedRuleId() as rule_id):
            rule = rule_of(rule_id)
            return f"{rule.span}: DuckDB cannot answer by `{rule.name}`: {problem.reason}; {_OTHER_ENGINE}"
        case BeyondEngineError():
            return f"DuckDB cannot answer this: {problem.reason}; {_OTHER_ENGINE}"
        case TooLongWordError():
            return str(problem)
        case FactLimitError():
            way_out = "`--most-facts`; from Python `Limits(facts=…)`"
            return f"more than {counted(problem.limit, 'fact')}; a rule may not end, or raise the limit ({way_out})"
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
