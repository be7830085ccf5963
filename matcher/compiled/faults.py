"""Faults of the core as errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hornbook.matcher.program.coded import Limits, RuleId
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    CapacityError,
    ConcurrentUseError,
    EngineError,
    FactLimitError,
    KeyConflictError,
    MalformedError,
    MemoryLimitError,
    OverfullSetError,
    TimeLimitError,
)


def error_of(
    kind: str, values: tuple[Any, ...], limits: Limits, rule_of: Callable[[int, int | None], RuleId | None]
) -> EngineError:
    """Return the error for a fault of the core.

    Args:
        kind: The kind of the fault.
        values: Its values (matcher/core/python/held.hpp).
        limits: The limits of the engine.
        rule_of: Returns the name of a rule with a number, or with an index among the rules that are added.
    """
    match kind:
        case "key":
            return KeyConflictError(*values)
        case "overfull":
            return OverfullSetError(*values)
        case "overflow":
            number, binding, place = values
            return ArithmeticOverflowError(rule_of(number, place), binding)
        case "facts":
            assert limits.facts is not None
            return FactLimitError(limits.facts, *values)
        case "bytes":
            assert limits.bytes is not None
            return MemoryLimitError(limits.bytes)
        case "seconds":
            assert limits.seconds is not None
            return TimeLimitError(limits.seconds)
        case "large":
            return CapacityError(*values)
        case "busy":
            return ConcurrentUseError()
        case "malformed" | "refused":
            return MalformedError(
                "this is not made of what `hornbook.matcher.program.coded` has, or does not fit it"
            )
    raise AssertionError(kind, values)
