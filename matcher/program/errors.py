"""The errors of an engine. After each of them, the engine is unchanged."""

from __future__ import annotations

from hornbook.matcher.program.coded import Cell, Fact, PredicateId, RuleId
from hornbook.matcher.program.hornbook_error import HornbookError


def _rule_text(rule: RuleId) -> str:
    """Return the name of a rule in messages; a query is a rule without a name."""
    return "the query" if rule is None else f"rule {rule!r}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class EngineError(HornbookError):
    """The base class of an engine's errors."""


class MalformedError(EngineError, ValueError):
    """A fact, rule or query that does not fit the predicates: wrong width, unknown number, no 64-bit cell.

    It is also raised for one that is longer or deeper than every engine can read. `rule` is its name, if it
    is a rule.
    """

    rule: RuleId = None


class DuplicateRuleError(EngineError, ValueError):
    """A rule is added with the name of an existing rule."""

    def __init__(self, rule: RuleId) -> None:
        self.rule = rule
        super().__init__(f"there is already a rule {rule!r}")


class UnknownRuleError(EngineError, ValueError):
    """A rule is removed that does not exist."""

    def __init__(self, rule: RuleId) -> None:
        self.rule = rule
        super().__init__(f"there is no rule {rule!r}")


class NoDerivationsError(EngineError):
    """Derivations are requested from an engine that does not store them."""

    def __init__(self, stored: str, needed: str, way_out: str = "") -> None:
        self.kept, self.needed = stored, needed
        message = f"the engine keeps derivations={stored!r}, this needs {needed!r}"
        super().__init__(f"{message}; {way_out}" if way_out else message)


class NotStratifiedError(EngineError):
    """A predicate depends on its own absence, or on an aggregate over itself.

    `cycle`: each predicate is concluded from the next, the last one from the first; the first one from the
    absence of the next.
    """

    def __init__(self, cycle: tuple[PredicateId, ...]) -> None:
        self.cycle = cycle
        super().__init__(f"predicates {cycle} depend on their own absence")


class UnsafeRuleError(EngineError):
    """A rule or query (then `rule` is None) has a variable that its conditions do not bind."""

    def __init__(self, rule: RuleId, variable: int) -> None:
        self.rule, self.variable = rule, variable
        super().__init__(f"{_rule_text(rule)} does not bind its variable {variable}")


class BeyondEngineError(EngineError):
    """A rule or query (then `rule` is None) needs a feature of another engine."""

    def __init__(self, rule: RuleId, reason: str) -> None:
        self.rule, self.reason = rule, reason
        super().__init__(f"{_rule_text(rule)} is beyond this engine: {reason}")


class KeyConflictError(EngineError):
    """Two facts have the same key and different values; the smaller one is first."""

    def __init__(self, one: Fact, other: Fact) -> None:
        self.first, self.second = sorted((one, other))
        super().__init__(f"two values for one key: {self.first} and {self.second}")


class OverfullSetError(EngineError):
    """A set has more members than its count."""

    def __init__(self, count: Fact, members: int) -> None:
        self.count, self.members = count, members
        super().__init__(f"{count} counts {_counted(members, 'member')}")


class ArithmeticOverflowError(EngineError):
    """A result beyond 64 bits, or a division by zero, in a rule or query (then `rule` is None)."""

    def __init__(self, rule: RuleId, binding: tuple[Cell | None, ...]) -> None:
        self.rule, self.binding = rule, binding
        super().__init__(f"{_rule_text(rule)}: arithmetic leaves 64 bits with {binding}")


class LimitError(EngineError):
    """A limit was exceeded."""


class FactLimitError(LimitError):
    """The limit on facts was exceeded; `predicate` is the one with the most facts, or None if unknown."""

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


class DiskLimitError(LimitError):
    """Temporary files would take more bytes of a folder's disk than allowed."""

    def __init__(self, limit: int, folder: str) -> None:
        self.limit = limit
        super().__init__(
            f"more than {_counted(limit, 'byte')} of temporary files in {folder};"
            " free space there, or name another folder by the environment variable TMPDIR"
        )


class CapacityError(LimitError):
    """The engine has too few numbers for something."""

    def __init__(self, of_what: str, most: int) -> None:
        self.of_what, self.most = of_what, most
        super().__init__(f"more than {most:,} {of_what}: the engine has no numbers for them")


class MarkError(EngineError):
    """pop() without a push(), or rules changed under a mark."""


class ConcurrentUseError(EngineError):
    """A second thread called an engine during a call of the first.

    Each engine serves one thread at a time.
    """

    def __init__(self) -> None:
        super().__init__("another thread is using this engine; give each thread its own engine, or a lock")
