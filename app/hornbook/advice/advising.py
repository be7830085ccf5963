"""Advice on one state, grouped by level, goal and decision, with the conflicts among goals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Protocol

from hornbook.compiler.advise.advice import Adviser, AmountAdvice
from hornbook.compiler.advise.conflicts import GoalConflict, GoalSide, conflicts, side
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.opening_store import open_theory, with_rules
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Statement, Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_states import EvaluatedState, FactStates
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.adapters import AdapterError, adapter_of
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.failure import ArgumentError


class Wording(Protocol):
    """Protocol of the module `wording` of a theory's adapter, which describes decisions and goals."""

    @property
    def LEVELS(self) -> Mapping[str, str]: ...  # noqa: N802 - a constant of a module

    @property
    def MENU(self) -> str: ...  # noqa: N802 - the same

    @property
    def ALLOWED(self) -> Mapping[str, str]: ...  # noqa: N802 - the same

    @property
    def UNITS(self) -> Mapping[str, str]: ...  # noqa: N802 - the same

    def goal(self, name: str, arguments: Sequence[str | int]) -> str: ...


_WORDING = ("LEVELS", "MENU", "ALLOWED", "UNITS", "goal")


@dataclass(frozen=True, slots=True)
class AdvisedGoal:
    """A goal, its current value (`IG`, `IP`, or None if undecided), and the effects of decisions on it."""

    atom: Atom
    value: str | None
    decisions: Mapping[Atom, GoalSide]


@dataclass(frozen=True, slots=True)
class Advised:
    """All advice on a state."""

    pieces: tuple[AmountAdvice, ...]
    levels: Mapping[str, tuple[AdvisedGoal, ...]]
    conflicts: tuple[GoalConflict, ...]

    def goal(self, atom: Atom) -> AdvisedGoal | None:
        return next((g for goals in self.levels.values() for g in goals if g.atom == atom), None)


class StateAdviser:
    """A theory with learned rules and its wording, which gives advice on one state after another."""

    def __init__(
        self, theory: Theory, rules: RuleBase, wording: Wording, limits: Limits | None = None
    ) -> None:
        self.theory = rules.definitions.extended(theory)
        self.rules = rules
        self.wording = wording
        self.base = KnowledgeBase(self.theory, limits=limits)
        self._limits = limits or Limits()
        # The conditions on the amount may be in parts of the rules.
        certified = [
            rules.definitions.expanded(each.answering).rule
            for each in rules
            if each.is_certified and not each.rule.lemma
        ]
        self._adviser = Adviser(self.base, certified, wording.MENU)
        without = [entry.rule.name for entry in rules if not entry.is_certified]
        self.left_out = {
            "no certificate, or edited since": without,
            "no amount that is left open": self._adviser.left_out,
        }
        """The names of the rules that are not matched, by reason."""

    def advise_each(self, states: Sequence[Sequence[GroundFact]]) -> list[Advised | HornbookError]:
        """Return advice on the state with each of some facts, or the error of the state. The states are
        evaluated together.
        """
        return [
            each if isinstance(each, HornbookError) else self._advised(each)
            for each in self._states.evaluate(states)
        ]

    @cached_property
    def _states(self) -> FactStates:
        values: list[tuple[str, Tense]] = [(_game_relation(game), "before") for game in self.wording.LEVELS]
        return FactStates(self.theory, values, self._adviser.queries, self._limits)

    def _advised(self, state: EvaluatedState) -> Advised:
        pieces = self._adviser.advice_from(lambda number: state.answers(number).rows)
        return self._grouped(
            pieces, _values(state.statements(_game_relation(game), "before") for game in self.wording.LEVELS)
        )

    def advise(self, facts: Iterable[GroundFact]) -> Advised:
        """Return advice on the state with these facts; they are removed afterwards."""
        self.base.push()
        try:
            self.base.add(facts)
            return self.present()
        finally:
            self.base.pop()

    def present(self) -> Advised:
        """Return advice on the current state of `base`."""
        return self._grouped(self._adviser.advice(), self.values())

    def _grouped(self, pieces: Sequence[AmountAdvice], values: Mapping[Atom, str]) -> Advised:
        """Return the advice of some pieces, with the values of goals."""
        by_goal = defaultdict[Atom, defaultdict[Atom, list[AmountAdvice]]](lambda: defaultdict(list))
        for each in pieces:
            by_goal[each.goal][each.open_decision].append(each)
        goals = [
            AdvisedGoal(
                atom, values.get(atom),
                {decision: side(atom, found) for decision, found in sorted(by_goal[atom].items(), key=_text)},
            )
            for atom in sorted({*values, *by_goal}, key=str)
        ]  # fmt: skip
        levels: dict[str, tuple[AdvisedGoal, ...]] = dict.fromkeys(self.wording.LEVELS.values(), ())
        for game, level in self.wording.LEVELS.items():
            levels[level] += tuple(goal for goal in goals if goal.atom.predicate == game)
        reached, missed = ({atom for atom, v in values.items() if v == value} for value in ("IG", "IP"))
        return Advised(tuple(pieces), levels, tuple(conflicts(pieces, reached, missed)))

    def values(self) -> dict[Atom, str]:
        """Return the current values of the goals that the theory decides."""
        engine = self.base.engine
        return _values(engine.statements(_game_relation(game), "before") for game in self.wording.LEVELS)


def _game_relation(game: str) -> str:
    """Return the relation of the values of a game."""
    return f"{game} is"


def _values(statements: Iterable[Iterable[Statement]]) -> dict[Atom, str]:
    """Return the values that statements give to games."""
    found = {}
    for statement in chain.from_iterable(statements):
        assert isinstance(statement, GameStatement)
        assert isinstance(statement.value, Constant)
        found[replace(statement.game, tense=None)] = str(statement.value.value)
    return found


def _text(item: tuple[Atom, object]) -> str:
    return str(item[0])


def adviser_of(theory: str, rules: Path | None, limits: Limits | None = None) -> StateAdviser:
    """Return the adviser for a theory.

    The rules come from a file, from the store, or ship with the theory. Raises ArgumentError if the theory
    gives no advice.
    """
    if rules is None and store_named(theory) is not None:
        learned = with_rules(theory, None)
        known, found = learned.theory, adviser_with(learned.theory, learned.active_base, limits)
    else:
        known = open_theory(theory, unchanged=True)
        found = adviser_with(known, None if rules is None else rulebase.read(rules, known), limits)
    if found is None:
        raise ArgumentError(f"the theory `{known.name}` gives no advice", argument="THEORY")
    return found


def adviser_with(theory: Theory, rules: RuleBase | None, limits: Limits | None = None) -> StateAdviser | None:
    """Return the adviser for a theory with these rules, or with those that ship with it.

    The result is None if the theory's adapter has no wording for advice.
    """
    reader = adapter_of(theory)
    wording: ModuleType | None = getattr(reader, "wording", None)
    if reader is None or wording is None or theory.path is None:
        return None
    missing = [name for name in _WORDING if not hasattr(wording, name)]
    if missing:
        raise AdapterError(
            f"{reader.__file__}: the adapter's `wording` has no `{missing[0]}`, which advice needs"
        )
    if rules is None:
        rules = rulebase.read(theory.path.with_name("rules.horn"), theory)
    return StateAdviser(theory, rules, wording, limits)
