"""Comparison of the compiled engine with the reference engine on one walk: after every step both must have
the same facts.

Two choices that the specification leaves open are not compared: the error among several, and the first
derivation among several. A derivation is checked against its rule and facts instead, and chains of
derivations must end at given facts. The engine must repeat an earlier answer until an update is accepted, and
again after the pop that restores the state.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

import numpy as np

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import Change, Derivation, Fact
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    EngineError,
    KeyConflictError,
    LimitError,
    NoDerivationsError,
    OverfullSetError,
)
from hornbook.matcher.program.wellformed import check_fact
from oracles.engine.derivation_checker import check_derivation, premise_facts
from oracles.reference.engine import ReferenceEngine
from oracles.walks.walk_steps import Ask, Declare, EngineWalk, Pop, PushStep, QueryStep, Step, Update

OF_WHAT_FOLLOWS = (ArithmeticOverflowError, KeyConflictError, LimitError, OverfullSetError)
"""Errors of consequences; all other errors concern the input and take precedence."""
SECONDS = 60.0
"""A time limit above that of any step of the compiled engine, so that an endless step counts as a difference.
"""
REMEMBERED = 25
"""Number of facts for which derivations are requested again at one time."""


class EngineDifference(Exception):
    """The engines differ.

    `kind` names the difference; `walk` is the walk up to here, if it is known.
    """

    walk: EngineWalk | None = None

    def __init__(self, kind: str, what: object) -> None:
        self.kind = kind
        super().__init__(f"{kind}: {what}")


class SideBySide:
    """Both engines, and the answers of the compiled one."""

    def __init__(self, walk: EngineWalk, compiled: type[Any] = CompiledEngine) -> None:
        """Initialise both engines to the state before the first step of a walk."""
        self.predicates = walk.predicates
        self.kept = walk.derivations
        self.plain = ReferenceEngine(walk.predicates, derivations=walk.derivations, limits=walk.limits)
        self.compiled = compiled(
            walk.predicates,
            derivations=walk.derivations,
            limits=replace(walk.limits, seconds=SECONDS),
            statistics=walk.statistics,
        )
        self.answers: dict[Fact, Derivation | None] = {}
        self.marks: list[dict[Fact, Derivation | None]] = []
        self.handed_out: list[tuple[str, object, object]] = []
        """Objects that the compiled engine returned, with their expected contents, which must never change.
        """
        self.taken = 0

    def take(self, step: Step) -> EngineError | Change | list[Any] | None:
        """Take one step in both engines.

        Return or raise the result of the reference engine.

        Raise Difference if the results differ.
        """
        self.taken += 1
        result = None
        match step:
            case Update():
                result = self._update(step)
            case PushStep():
                result = self._both("push()", lambda engine: engine.push())
                self.marks.append(dict(self.answers))
            case Pop():
                result = self._both("pop()", lambda engine: engine.pop())
                if result is None:
                    self.answers = self.marks.pop()
                    self._ask_again("pop")
            case QueryStep(body, variables):
                result = self._both("query", lambda engine: engine.query(body, variables))
            case Ask(facts):
                for fact in facts:
                    self._ask(fact)
            case Declare(predicates):
                result = self._both("add_predicates()", lambda engine: engine.add_predicates(predicates))
                if result is None:
                    self.predicates += predicates
        self._compare()
        return result

    def _both(self, name: str, call: Callable[[Any], Any]) -> Any:
        """Make the same call to both engines, and require equal results or errors of one kind."""
        expected, found = self._outcome(call, self.plain), self._outcome(call, self.compiled)
        self._compare_outcomes(name, expected, found)
        if isinstance(found, EngineError):
            self._ask_again("refused")
        elif found != expected:
            raise EngineDifference(name, f"{found}, not {expected}")
        return expected

    def _outcome(self, call: Callable[[Any], Any], engine: Any) -> Any:
        """Return the result of a call, or the error that it raises."""
        try:
            return call(engine)
        except Exception as error:
            if engine is self.plain and not isinstance(error, EngineError | KeyError):
                raise
            return error

    def _compare_outcomes(self, name: str, expected: Any, found: Any) -> None:
        if isinstance(found, Exception) and not isinstance(found, EngineError):
            raise EngineDifference("crash", f"{name}: {type(found).__name__}: {found}") from found
        if isinstance(found, EngineError) != isinstance(expected, EngineError):
            raise EngineDifference("errors", f"{name}: {found!r}, not {expected!r}")
        if isinstance(found, EngineError) and (
            isinstance(found, OF_WHAT_FOLLOWS) != isinstance(expected, OF_WHAT_FOLLOWS)
        ):
            raise EngineDifference("kind of error", f"{name}: {found!r}, not {expected!r}")

    def _update(self, step: Update) -> EngineError | Change:
        lists = {"add": step.add, "retract": step.retract}
        rules = {"add_rules": step.add_rules, "remove_rules": step.remove_rules}
        expected = self._outcome(lambda engine: engine.update(**lists, **rules), self.plain)
        arguments = self._by_columns(lists) if step.columns else lists
        found = self._outcome(lambda engine: engine.update(**arguments, **rules), self.compiled)
        self._compare_outcomes("update", expected, found)
        if isinstance(found, EngineError):
            self._ask_again("refused")
            return expected
        self.answers = {}
        for side in ("added", "removed"):
            facts, right = getattr(found, side), getattr(expected, side)
            if len(facts) != len(right):
                raise EngineDifference("change", f"{len(facts)} facts were {side}, not {len(right)}")
            # Half of the sets are read only after the next step.
            self.handed_out.append((side, facts, right))
            if self.taken % 2:
                self._compare_change(side, facts, right)
        return expected

    def _by_columns(self, lists: dict[str, tuple[Fact, ...]]) -> dict[str, Any]:
        """Return the same facts by columns, except for those that no column can hold."""
        arguments: dict[str, Any] = {}
        for name, facts in lists.items():
            rows: dict[int, list[tuple[int, ...]]] = {}
            rest = []
            for fact in facts:
                try:
                    check_fact(fact, self.predicates)
                except EngineError:
                    rest.append(fact)
                    continue
                if fact.cells:
                    rows.setdefault(fact.predicate, []).append(fact.cells)
                else:
                    rest.append(fact)
            arguments[name] = rest
            # These columns belong to one array, so their cells are not adjacent.
            arguments[f"{name}_columns"] = {
                predicate: tuple(np.array(found, dtype=np.int64).T) for predicate, found in rows.items()
            }
        return arguments

    def _compare_change(self, side: str, facts: Any, right: AbstractSet[Fact]) -> None:
        if not (facts == right and right == facts and set(facts) == right and len(list(facts)) == len(right)):
            raise EngineDifference("change", f"{side}: {sorted(facts)}, not {sorted(right)}")
        if not all(fact in facts for fact in right):
            raise EngineDifference("change", f"{side}: a fact is not among {sorted(facts)}")
        for number in {fact.predicate for fact in right} | {0}:
            rows = {fact.cells for fact in right if fact.predicate == number}
            self._compare_columns(side, number, self.predicates[number].arity, facts.columns(number), rows)

    def _compare_columns(
        self, name: str, number: int, arity: int, columns: Any, rows: AbstractSet[tuple[int, ...]]
    ) -> None:
        if len(columns) != arity or any(column.dtype != np.int64 for column in columns):
            raise EngineDifference("columns", f"{name} of {number}: {columns}")
        if arity:
            found = list(zip(*(column.tolist() for column in columns), strict=True))
            if len(found) != len(rows) or set(found) != rows:
                raise EngineDifference("columns", f"{name} of {number}: {sorted(found)}, not {sorted(rows)}")

    def _compare(self) -> None:
        """Compare the facts of both, and check that earlier results have not changed."""
        for name, found, expected in self.handed_out:
            if name == "facts":
                if found != expected:
                    raise EngineDifference("handed out", f"{found} was {expected}")
            else:
                self._compare_change(name, found, expected)
        self.handed_out = [each for each in self.handed_out if each[0] != "facts"][-2:]
        for number, predicate in enumerate(self.predicates):
            for name in ("facts", "given"):
                found, expected = getattr(self.compiled, name)(number), getattr(self.plain, name)(number)
                if not (found == expected and expected == found and len(found) == len(expected)):
                    wrong, missing = sorted(found - expected), sorted(expected - found)
                    raise EngineDifference(name, f"of {number}: {wrong} too many, {missing} missing")
            facts = self.plain.facts(number)
            if self.compiled.count(number) != len(facts):
                raise EngineDifference(
                    "count", f"{self.compiled.count(number)} facts of {number}, not {len(facts)}"
                )
            columns = self.compiled.columns(number)
            self._compare_columns("facts", number, predicate.arity, columns, facts)
            self.handed_out.append(("facts", self.compiled.facts(number), facts))
        if self.compiled.rules != self.plain.rules:
            raise EngineDifference("rules", f"{[*self.compiled.rules]}, not {[*self.plain.rules]}")

    # Derivations.

    def _ask(self, fact: Fact) -> None:
        if (fact in self.compiled) != (fact in self.plain):
            raise EngineDifference("membership", fact)
        if self.kept == "none" or fact not in self.plain:
            for name in ("derivation", "derivations"):
                self._refuses_to_derive(name, fact)
            return
        self._check_derivation(fact, self._derivation(fact))
        self._follow(fact)
        if self.kept == "all":
            self._check_all(fact)
        else:
            self._refuses_to_derive("derivations", fact)

    def _refuses_to_derive(self, name: str, fact: Fact) -> None:
        outcomes = [
            self._outcome(lambda engine: getattr(engine, name)(fact), engine)
            for engine in (self.plain, self.compiled)
        ]
        if type(outcomes[0]) is not type(outcomes[1]) or not isinstance(
            outcomes[1], NoDerivationsError | KeyError
        ):
            raise EngineDifference("errors", f"{name} of {fact}: {outcomes[1]!r}, not {outcomes[0]!r}")

    def _derivation(self, fact: Fact) -> Derivation | None:
        """Return the derivation of the compiled engine, which must equal its earlier answer."""
        found = self._outcome(lambda engine: engine.derivation(fact), self.compiled)
        if isinstance(found, Exception):
            raise EngineDifference(
                "crash", f"derivation of {fact}: {type(found).__name__}: {found}"
            ) from found
        if self.answers.get(fact, found) != found:
            raise EngineDifference("another answer", f"{found} for {fact}, before: {self.answers[fact]}")
        if len(self.answers) < REMEMBERED:
            self.answers[fact] = found
        return found

    def _ask_again(self, after: str) -> None:
        for fact, before in self.answers.items():
            found = self._outcome(lambda engine, fact=fact: engine.derivation(fact), self.compiled)
            if found != before:
                raise EngineDifference(
                    "another answer", f"after {after}: {found!r} for {fact}, before: {before}"
                )

    def _check_derivation(self, fact: Fact, derivation: Derivation | None) -> None:
        expected = self.plain.derivation(fact)
        if (derivation is None) != (expected is None):
            raise EngineDifference("derivation", f"of {fact}: {derivation}, for the plain engine: {expected}")
        if derivation is not None:
            try:
                check_derivation(fact, derivation, self.plain.rules, self.plain._state.facts)
            except (AssertionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise EngineDifference("derivation", f"of {fact} is wrong: {derivation}") from error

    def _check_all(self, fact: Fact) -> None:
        found = self._outcome(lambda engine: engine.derivations(fact), self.compiled)
        if isinstance(found, Exception):
            raise EngineDifference(
                "crash", f"derivations of {fact}: {type(found).__name__}: {found}"
            ) from found
        ways = [(each.rule, each.binding) for each in found]
        expected = {(each.rule, each.binding) for each in self.plain.derivations(fact)}
        if len(ways) != len(expected) or set(ways) != expected:
            raise EngineDifference("derivations", f"of {fact}: {ways}, not {expected}")
        for derivation in found if found and self.plain.derivation(fact) else ():
            self._check_derivation(fact, derivation)
        first = self.compiled.derivation(fact)
        if first is not None and (first.rule, first.binding) not in expected:
            raise EngineDifference("derivations", f"of {fact} do not have the first one, {first}")

    def _follow(self, start: Fact) -> None:
        """Follow derivations to given facts, and require that they contain no cycle."""
        finished: set[Fact] = set()
        open_facts: set[Fact] = set()
        stack = [(start, False)]
        while stack:
            fact, left = stack.pop()
            if left:
                open_facts.discard(fact)
                finished.add(fact)
            elif fact in open_facts:
                raise EngineDifference("circle", f"{fact} rests on itself, under {start}")
            elif fact not in finished:
                open_facts.add(fact)
                stack.append((fact, True))
                derivation = self._derivation(fact)
                if derivation is not None:
                    stack += [(premise, False) for premise in premise_facts(derivation.premises)]


def replay(walk: EngineWalk, compiled: type[Any] = CompiledEngine) -> None:
    """Repeat a walk. Raise Difference at the first step after which the engines differ."""
    both = SideBySide(walk, compiled)
    for step in walk.steps:
        both.take(step)
