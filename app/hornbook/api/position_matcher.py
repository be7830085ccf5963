"""A position that changes by actions and undo, matched incrementally."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from hornbook.api.answers import Answer
from hornbook.compiler.match.as_code import CodeMatcher
from hornbook.compiler.match.facts import FactMatcher
from hornbook.compiler.match.position import Conclusion, RuleMatcher, SharedRules
from hornbook.compiler.match.states import StateMatcher, StateQuery
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.games import action_of, game_of
from hornbook.inputs.states import FactsDomain, State, matching_domain, state_of
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import Limits
from hornbook.theories.domain import Domain, RuleQuery
from hornbook.theories.protocols.columns import ColumnStates


class ConclusionMatcher(Protocol):
    """A matcher of positions: rules in the engine, or compiled rules."""

    def conclusions(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]: ...


class BlockMatcher(Protocol):
    """A matcher of many states."""

    def conclusions(self, queries: Sequence[StateQuery]) -> list[list[Conclusion] | BaseException]:
        """Return the conclusions about each state, or its error."""


class _FactPositions:
    """A matcher of states that are sets of facts, one after another."""

    def __init__(self, matcher: FactMatcher) -> None:
        self._matcher = matcher

    def conclusions(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]:
        [found] = self._matcher.conclusions([RuleQuery(list(parts), list(games))])
        if isinstance(found, BaseException):
            raise found
        return found


class PositionMatcher:
    """Learned rules at one position after another, made by `LearnedRules.matcher`, for one thread at a time.

    Facts that two positions share are not matched again. Answers about earlier positions are cached, so that
    an action and its undo cost only their difference.
    """

    def __init__(self, theory: Theory, base: RuleBase, domain: Domain, matcher: ConclusionMatcher) -> None:
        self._theory, self._base = theory, base
        self._domain, self._matcher = domain, matcher
        self._states: list[State] = []
        self._known: list[dict[Atom | None, list[Answer]]] = []
        """The cached answers of each state, by game; the key None is for all games."""

    @property
    def state(self) -> State:
        """The current position. Raises ValueError if none is set."""
        if not self._states:
            raise ValueError("no position is set yet: `set` one first")
        return self._states[-1]

    def set(self, position: State | str | Path | Any) -> None:
        """Set another position, in any form that `LearnedRules.match` accepts, without a history of actions.

        Raises:
            NoPictureError: If the position is no state of the theory's domain.
            TheoryError: If the position cannot be read.
        """
        state = state_of(self._theory, position)
        check_state(self._domain, state)
        self._states, self._known = [state], [{}]

    def play(self, action: GroundFact | str) -> None:
        """Apply an action, given as an object or as text.

        A text is an action in the language of the theory or a move in the notation of the domain: `move(e2,
        e4)` or `e2e4`.

        Raises:
            ValueError: If the action is not legal.
            TypeError: If `action` is neither a GroundFact nor a text.
        """
        if not isinstance(action, str | GroundFact):
            raise TypeError(f"an action is a GroundFact or a text, not a {type(action).__name__}")
        state = self.state
        found = self._read(action) if isinstance(action, str) else action
        after = None if found is None else self._domain.played(state.value, found)
        if after is None:
            shown = (
                action
                if isinstance(action, str)
                else print_condition(Atom(action.relation, tuple(map(Constant, action.values))))
            )
            raise ValueError(f"`{shown}` is not legal in this position")
        self._states.append(replace(state, value=after))
        self._known.append({})

    def _read(self, text: str) -> GroundFact | None:
        named = action_of(self._theory, text)
        return self._domain.read_move(self.state.value, text) if named is None else named

    def undo(self) -> None:
        """Undo the last action. Raises ValueError if there is none."""
        if len(self._states) < 2:
            raise ValueError("there is no move to take back")
        self._states.pop()
        self._known.pop()

    def answers(self, game: Atom | str | None = None) -> list[Answer]:
        """Return the answers about the current position, of one game or of all, as `LearnedRules.match` does.

        Raises:
            ValueError: If the text is not a game, or the game's arguments do not occur in such a position.
            KnowledgeBaseError: If a limit is exceeded.
        """
        queried = game_of(self._theory, game) if isinstance(game, str) else game
        known = self._known[-1] if self._states else {}
        if queried not in known:
            known[queried] = self._matched(self.state, queried)
        return list(known[queried])

    def _matched(self, state: State, game: Atom | None) -> list[Answer]:
        queries = rule_queries(self._domain, state, game)
        found = (self._matcher.conclusions(each.parts, each.games) for each in queries)
        conclusions = first_conclusions(chain.from_iterable(found))
        return [Answer(state, self._base, conclusion) for conclusion in conclusions]


def check_state(domain: Domain, state: State) -> None:
    """Raise NoPictureError if a state does not belong to its theory's domain."""
    if not isinstance(state.value, domain.states):
        kind = type(state.value).__name__
        raise NoPictureError(f"a {kind} is no state of `{state.theory.name}`, so no rule can match it")


def rule_queries(domain: Domain, state: State, game: Atom | None) -> Iterable[RuleQuery]:
    """Return the queries to the rules about a game, or about all games of a state.

    Raises ValueError if the game's arguments do not occur in the state.
    """
    if game is None:
        return domain.questions(state.value, state.theory)
    try:
        return [domain.question(state.value, game)]
    except (LookupError, ValueError):
        raise ValueError(f"`{print_condition(game)}` mentions nothing that such a position has") from None


def first_conclusions(conclusions: Iterable[Conclusion]) -> Iterable[Conclusion]:
    """Return for each rule and statement the first conclusion."""
    found: dict[tuple[str, GameStatement | Atom], Conclusion] = {}
    for conclusion in conclusions:
        found.setdefault((conclusion.rule, conclusion.statement), conclusion)
    return found.values()


def column_writer(domain: Domain) -> ColumnStates | None:
    """Return a domain that writes the facts of its states as columns, or None if it does not."""
    writer: object = domain
    return writer if isinstance(writer, ColumnStates) else None


def block_matcher(
    theory: Theory,
    domain: Domain,
    rules: Sequence[Rule],
    limits: Limits | None,
    *,
    key: str | None,
    only_rules: bool,
    threads: int | None = None,
) -> BlockMatcher:
    """Return a matcher of many states for the domain that `matching_domain` returns."""
    if isinstance(domain, FactsDomain):
        return FactMatcher(theory, rules, limits, only_rules=only_rules)
    focus, shared, writer = domain.focus_predicate, SharedRules(key=key), column_writer(domain)
    return StateMatcher(theory, focus, rules, limits, shared, writer, threads)


def matcher_of(
    theory: Theory,
    base: RuleBase,
    rules: Callable[[], Iterable[Rule]],
    limits: Limits | None,
    shared: SharedRules,
    *,
    only_rules: bool = False,
) -> PositionMatcher:
    """Return a matcher for rules, with their proofs in a base.

    Rules already in `shared` are not prepared again. The rules of games are always matched with the
    definitions of their conditions alone, and others if `only_rules` is set.
    """
    domain = matching_domain(theory)
    if isinstance(domain, FactsDomain):
        positions = _FactPositions(FactMatcher(theory, tuple(rules()), limits, only_rules=only_rules))
        return PositionMatcher(theory, base, domain, positions)
    matcher = RuleMatcher(theory, domain.focus_predicate, limits, shared)
    if not matcher.has_rules:
        with collector_paused():
            for rule in rules():
                matcher.add(rule)
    return PositionMatcher(theory, base, domain, matcher)


def code_matcher_of(theory: Theory, base: RuleBase, rules: Iterable[Rule], folder: Path) -> PositionMatcher:
    """Return a matcher for rules that were compiled in a folder. Raises LibraryError if they were not."""
    domain = the_domain(theory, "what is asked about its states", NoPictureError)
    return PositionMatcher(
        theory, base, domain, CodeMatcher(theory, domain.focus_predicate, tuple(rules), folder)
    )
