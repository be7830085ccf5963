"""The protocol of all engines, with the values of their arguments and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Literal, Protocol

from hornbook.matcher.program.changes import Columns
from hornbook.matcher.program.coded import (
    Cell,
    Change,
    CodedCondition,
    CodedRule,
    Derivation,
    Fact,
    PredicateId,
    Row,
    RuleBinding,
    RuleId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import BeyondEngineError
from hornbook.matcher.program.packed import PackedRules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hornbook.matcher.program.profile import Profile

StoredDerivations = Literal["none", "one", "all"]
"""The derivations that an engine stores for each fact."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The expected number of facts of a predicate, and of distinct cells in each of its columns."""

    rows: float
    distinct: tuple[float, ...]


Statistics = Mapping[PredicateId, Measure]
"""The measures of predicates, which determine the order of conditions."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The optional features of an engine.

    Attributes:
        columns: Facts can be added, and answers returned, as columns.
        profile: The time of updates can be measured.
        immediate: An update derives all consequences, returns the changes, and raises the errors of
            consequences. Otherwise queries derive the facts that they need, and raise these errors.
        functions: Rules and queries may call functions.
        derivations: The derivations of facts can be queried.
        marks: Earlier states can be marked and restored.
    """

    columns: bool = False
    profile: bool = False
    immediate: bool = True
    functions: bool = True
    derivations: bool = True
    marks: bool = True


class Engine(Protocol):
    """A set of given facts and rules, with all consequences.

    A *given* fact was added by a caller; a *derived* fact is a conclusion of a rule. A fact can be both. The
    number of a predicate is its index in the sequence of predicates with which the engine was made. Engines
    inherit from this class. Its methods with a body are the behaviour of an engine without the feature.
    """

    capabilities: Capabilities = Capabilities()

    @property
    def rules(self) -> Mapping[RuleId, CodedRule]:
        """The present rules by name."""

    # Changes. If one raises an error, the engine is unchanged

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[CodedRule] = (),
        remove_rules: Iterable[RuleId] = (),
        add_columns: Mapping[PredicateId, Columns] | None = None,
    ) -> Change | None:
        """Remove given facts and rules, then add others, and return the changes or None.

        A fact that is both retracted and added is given afterwards. Retracting a fact that is not given, and
        adding one that is, changes nothing. A rule that is both removed and added is replaced. Only an engine
        with `columns` takes columns.

        Raises an EngineError without any change: MalformedError, DuplicateRuleError, UnknownRuleError,
        UnsafeRuleError, NotStratifiedError for the input; KeyConflictError, OverfullSetError,
        ArithmeticOverflowError for the consequences; a LimitError; MarkError for a change of rules under a
        mark. Engines that derive facts for queries raise the errors of consequences there.
        """

    def add_packed(self, rules: PackedRules) -> None:
        """Add rules in packed form. Raises the errors of `update`."""
        self.update(add_rules=rules.rules())

    def group(self, facts: Iterable[Fact]) -> Any:
        """Return facts in the form that `exchange` takes. Raises MalformedError.

        A group can be added and retracted repeatedly, so its facts are converted only once.
        """

    def named_group(
        self,
        rows: dict[Any, list[tuple[str | int, ...]]],
        numbers: dict[tuple[str, str | None], PredicateId],
        words: list[tuple[dict[str | int, int] | None, ...]],
    ) -> Any:
        """Return a group of facts given by name, or None if the engine cannot read these facts itself.

        `rows` has the facts of each relation, by its name and moment. `numbers` has the predicates by the
        same keys. `words` has, for each predicate and each of its columns, the cells of words, or None for
        integers.
        """
        return None

    def exchange(self, retract: Iterable[Any], add: Iterable[Any]) -> None:
        """Retract and add groups that this engine made. Raises the errors of `update`."""

    def push(self) -> None:
        """Mark the state that the matching `pop` restores. Marks can be nested."""

    def pop(self) -> None:
        """Restore the state of the last mark, and remove the mark. Raises MarkError."""

    # Queries

    def facts(self, predicate: PredicateId) -> AbstractSet[Row]:
        """Return the cells of all facts of a predicate, given and derived."""

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the cells of the given facts of a predicate."""

    def __contains__(self, fact: Fact) -> bool:
        """Return whether a fact is given or derived."""

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """Return the distinct values of the variables for which all conditions hold, sorted.

        Raises MalformedError, UnsafeRuleError, ArithmeticOverflowError (each with `rule` None) or a
        LimitError.
        """

    def query_columns(
        self, body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> tuple[NDArray[np.int64], ...]:
        """Return the answers of `query`, as an array for each variable, if the engine has `columns`."""
        raise BeyondEngineError(None, "the answers of this engine are rows")

    def take_whole(self, predicates: Iterable[PredicateId]) -> None:
        """Derive all facts of some predicates now, if the engine derives facts on demand."""
        return

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Return a derivation of a fact from facts that were derived earlier, or None if it is given.

        Following derivations ends at given facts. With `by`, the result is the first derivation by that rule,
        or None; its premises may depend on the fact itself. Raises KeyError if there is no such fact,
        NoDerivationsError if no derivations are stored, or not all and a rule is named.
        """

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Return every derivation of a fact, even of a given one, or those `by` a rule.

        There is one for each binding of each rule. If a premise is a closed set, each of its members has one
        proof; the choice among several is not specified. Raises KeyError if there is no such fact,
        NoDerivationsError unless all derivations are stored.
        """

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Return the rules with derivations of a fact. Raises the errors of `derivations`."""

    def bindings(self, fact: Fact) -> tuple[RuleBinding, ...]:
        """Return the rule and the binding of each of `derivations`, in the same order. Raises its errors."""

    def founded_derivations(
        self, fact: Fact, by: RuleId, where: Mapping[int, Cell], most: int
    ) -> tuple[Derivation, ...]:
        """Return at most `most` derivations of a fact by one rule from facts that were derived earlier.

        `where` has the values of some variables of the rule, by their numbers. Following derivations ends at
        given facts, however one is chosen for each fact. An engine may know only the derivation that
        `derivation` returns, as here. Raises KeyError if there is no such fact or rule, NoDerivationsError if
        no derivations are stored.
        """
        found = self.derivation(fact)
        if most < 1 or found is None or found.rule != by:
            return ()
        return (found,) if all(found.binding[number] == cell for number, cell in where.items()) else ()

    # Inspection

    def facts_so_far(self) -> int | None:
        """Return a recent number of facts, even while another thread is evaluating, or None."""
        return None

    @property
    def can_be_interrupted(self) -> bool:
        """Whether an interrupt is safe now and leaves no change half done."""
        return True

    def statistics(self) -> Statistics:
        """Return the number of facts and of distinct cells of each predicate, if the engine counts them."""
        return {}

    def profile(self, enabled: bool) -> None:  # noqa: FBT001 - a switch
        """Start to measure the time of updates, from zero, or stop, if the engine has `profile`."""
        return

    def profile_report(self) -> Profile:
        """Return the times since the last `profile(True)`; all are zero if the engine has no `profile`."""
        from hornbook.matcher.program.profile import Profile  # noqa: PLC0415 - slow to import

        return Profile(0, 0, 0, (), ())
