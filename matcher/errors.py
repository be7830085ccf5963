"""The named errors of an engine. Whichever is raised, the engine is as it was before the call."""

from __future__ import annotations

from matcher.program import Cell, Fact, PredicateId, RuleId


class EngineError(Exception):
    """Anything that an engine refuses."""


class NotStratifiedError(EngineError):
    """A predicate depends on its own absence, or on an aggregate over itself."""

    def __init__(self, cycle: tuple[PredicateId, ...]) -> None:
        self.cycle = cycle
        super().__init__(f"predicates {cycle} depend on their own absence")


class UnsafeRuleError(EngineError):
    """A rule or query whose variables its conditions do not bind."""

    def __init__(self, rule: RuleId, variable: int) -> None:
        self.rule, self.variable = rule, variable
        super().__init__(f"rule {rule!r} does not bind its variable {variable}")


class KeyConflictError(EngineError):
    """Two facts with the same key and different values."""

    def __init__(self, first: Fact, second: Fact) -> None:
        self.first, self.second = first, second
        super().__init__(f"two values for one key: {first} and {second}")


class OverfullSetError(EngineError):
    """More members than the count of their set says."""

    def __init__(self, count: Fact, members: int) -> None:
        self.count, self.members = count, members
        super().__init__(f"{count} counts {members} members")


class ArithmeticOverflowError(EngineError):
    """A result beyond 64 bits, or a division by zero."""

    def __init__(self, rule: RuleId, binding: tuple[Cell | None, ...]) -> None:
        self.rule, self.binding = rule, binding
        super().__init__(f"rule {rule!r}: arithmetic leaves 64 bits with {binding}")


class LimitError(EngineError):
    """A bound was passed."""


class FactLimitError(LimitError):
    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"more than {limit:,} facts")


class TimeLimitError(LimitError):
    def __init__(self, limit: float) -> None:
        self.limit = limit
        super().__init__(f"more than {limit:g} seconds")


class MemoryLimitError(LimitError):
    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"more than {limit:,} bytes")


class MarkError(EngineError):
    """pop() without a push(), or rules changed under a mark."""
