"""The named errors of an engine. Whichever is raised, the engine is as it was before the call."""

from __future__ import annotations

from hornbook.matcher.program.coded import Cell, Fact, PredicateId, RuleId
from hornbook.matcher.program.hornbook_error import HornbookError


def _called(rule: RuleId) -> str:
    """How a message speaks of a rule; a query is a rule without a name."""
    return "the query" if rule is None else f"rule {rule!r}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class EngineError(HornbookError):
    """Anything that an engine refuses."""


class MalformedError(EngineError, ValueError):
    """A fact, rule or query that does not fit the predicates: wrong width, unknown number, no 64-bit cell.

    Or one that is longer or deeper than every engine can read. `rule`: which rule it is, if it is one.
    """

    rule: RuleId = None


class DuplicateRuleError(EngineError, ValueError):
    """A rule is added under a name that another rule has."""

    def __init__(self, rule: RuleId) -> None:
        self.rule = rule
        super().__init__(f"there is already a rule {rule!r}")


class UnknownRuleError(EngineError, ValueError):
    """A rule is removed that is not there."""

    def __init__(self, rule: RuleId) -> None:
        self.rule = rule
        super().__init__(f"there is no rule {rule!r}")


class NoDerivationsError(EngineError):
    """Derivations are asked of an engine that was not told to keep them."""

    def __init__(self, kept: str, needed: str, way_out: str = "") -> None:
        self.kept, self.needed = kept, needed
        said = f"the engine keeps derivations={kept!r}, this needs {needed!r}"
        super().__init__(f"{said}; {way_out}" if way_out else said)


class NotStratifiedError(EngineError):
    """A predicate depends on its own absence, or on an aggregate over itself.

    `cycle`: each predicate is concluded from the next, the last one from the first; the first one from the
    absence of the next.
    """

    def __init__(self, cycle: tuple[PredicateId, ...]) -> None:
        self.cycle = cycle
        super().__init__(f"predicates {cycle} depend on their own absence")


class UnsafeRuleError(EngineError):
    """A rule or query (then `rule` is None) whose variables its conditions do not bind."""

    def __init__(self, rule: RuleId, variable: int) -> None:
        self.rule, self.variable = rule, variable
        super().__init__(f"{_called(rule)} does not bind its variable {variable}")


class BeyondEngineError(EngineError):
    """A rule or query (then `rule` is None) has something that this engine cannot do; another can."""

    def __init__(self, rule: RuleId, reason: str) -> None:
        self.rule, self.reason = rule, reason
        super().__init__(f"{_called(rule)} is beyond this engine: {reason}")


class KeyConflictError(EngineError):
    """Two facts with the same key and different values, the smaller one first."""

    def __init__(self, one: Fact, other: Fact) -> None:
        self.first, self.second = sorted((one, other))
        super().__init__(f"two values for one key: {self.first} and {self.second}")


class OverfullSetError(EngineError):
    """More members than the count of their set says."""

    def __init__(self, count: Fact, members: int) -> None:
        self.count, self.members = count, members
        super().__init__(f"{count} counts {_counted(members, 'member')}")


class ArithmeticOverflowError(EngineError):
    """A result beyond 64 bits, or a division by zero, in a rule or query (then `rule` is None)."""

    def __init__(self, rule: RuleId, binding: tuple[Cell | None, ...]) -> None:
        self.rule, self.binding = rule, binding
        super().__init__(f"{_called(rule)}: arithmetic leaves 64 bits with {binding}")


class LimitError(EngineError):
    """A bound was passed."""


class FactLimitError(LimitError):
    """`predicate` is the one that had the most facts, None where nobody knows."""

    def __init__(self, limit: int, predicate: PredicateId | None = None) -> None:
        self.limit = limit
        self.predicate = predicate
        super().__init__(f"more than {_counted(limit, 'fact')}")


class TimeLimitError(LimitError):
    def __init__(self, limit: float) -> None:
        self.limit = limit
        super().__init__(f"more than {limit:g} second{'' if limit == 1 else 's'}")


class MemoryLimitError(LimitError):
    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"more than {_counted(limit, 'byte')}")


class CapacityError(LimitError):
    """More of something than the engine has numbers for."""

    def __init__(self, of_what: str, most: int) -> None:
        self.of_what, self.most = of_what, most
        super().__init__(f"more than {most:,} {of_what}: the engine has no numbers for them")


class MarkError(EngineError):
    """pop() without a push(), or rules changed under a mark."""


class ConcurrentUseError(EngineError):
    """A second thread called an engine while the first was inside; each engine serves one thread at a time."""

    def __init__(self) -> None:
        super().__init__("another thread is using this engine; give each thread its own engine, or a lock")
