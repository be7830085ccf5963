"""A position that goes on: set, played on and taken back, and asked each time, for what changes of it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from hornbook.api.answers import Answer
from hornbook.compiler.match.as_code import CodeMatcher
from hornbook.compiler.match.position import Conclusion, Matcher, Shared
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.games import action_of, game_of
from hornbook.inputs.states import State, state_of
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import Limits
from hornbook.theories.domain import Domain, Question


class Asked(Protocol):
    """What is asked about positions: rules in the engine, or compiled ones."""

    def conclusions(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]: ...


class PositionMatcher:
    """Learned rules at one position after another. Made by `LearnedRules.matcher`; for one thread at a time.

    What two positions share is not matched again, and a position that is come back to is remembered, so that a move and
    its undoing cost what they change.
    """

    def __init__(self, theory: Theory, base: RuleBase, domain: Domain, matcher: Asked) -> None:
        self._theory, self._base = theory, base
        self._domain, self._matcher = domain, matcher
        self._states: list[State] = []
        self._known: list[dict[Atom | None, list[Answer]]] = []
        """The answers that were asked for, of each state by the game, None where it was about all."""

    @property
    def state(self) -> State:
        """The position at hand. Raises ValueError before one is set."""
        if not self._states:
            raise ValueError("no position is set yet: `set` one first")
        return self._states[-1]

    def set(self, position: State | str | Path | Any) -> None:
        """Another position, given as to `LearnedRules.match`, from which nothing was played; raises as that does."""
        state = state_of(self._theory, position)
        if not isinstance(state.value, self._domain.states):
            kind = type(state.value).__name__
            raise NoPictureError(
                f"a {kind} is no state of `{self._theory.name}`, so nothing is asked about it"
            )
        self._states, self._known = [state], [{}]

    def play(self, action: GroundFact | str) -> None:
        """Goes on by an action, or by a text: an action as the theory or a move as the domain writes it, `move(e2, e4)` or `e2e4`.

        Raises ValueError where that is not legal.
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
        """Takes back the last action. Raises ValueError where none was played."""
        if len(self._states) < 2:
            raise ValueError("nothing was played that could be taken back")
        self._states.pop()
        self._known.pop()

    def answers(self, game: Atom | str | None = None) -> list[Answer]:
        """What the rules say of the position at hand, as `LearnedRules.match` does: of one game, or of all; raises as that
        does, and ValueError for a text that is no game, or a game about what no such position has.
        """
        asked = game_of(self._theory, game) if isinstance(game, str) else game
        known = self._known[-1] if self._states else {}
        if asked not in known:
            known[asked] = self._asked(self.state, asked)
        return list(known[asked])

    def _asked(self, state: State, game: Atom | None) -> list[Answer]:
        domain, value = self._domain, state.value
        questions = domain.questions(value, self._theory) if game is None else [self._question(value, game)]
        found: dict[tuple[str, GameStatement], Answer] = {}
        for question in questions:
            for said in self._matcher.conclusions(question.parts, question.games):
                found.setdefault((said.rule, said.statement), Answer(state, self._base, said))
        return list(found.values())

    def _question(self, value: Any, game: Atom) -> Question:
        try:
            return self._domain.question(value, game)
        except (LookupError, ValueError):
            raise ValueError(f"`{print_condition(game)}` is about what no such position has") from None


def matcher_of(
    theory: Theory, base: RuleBase, rules: Callable[[], Iterable[Rule]], limits: Limits | None, shared: Shared
) -> PositionMatcher:
    """Rules, with their proofs in a base, ready to be asked; those that are shared are not made ready again.

    Raises NoPictureError if no domain says what is asked.
    """
    domain = the_domain(theory, "what is asked about its states", NoPictureError)
    matcher = Matcher(theory, domain.focus_predicate, limits, shared)
    if not matcher.has_rules:
        with collector_paused():
            for rule in rules():
                matcher.add(rule)
    return PositionMatcher(theory, base, domain, matcher)


def code_matcher_of(theory: Theory, base: RuleBase, rules: Iterable[Rule], folder: Path) -> PositionMatcher:
    """The same of rules that were compiled in a folder. Raises LibraryError where they were not."""
    domain = the_domain(theory, "what is asked about its states", NoPictureError)
    return PositionMatcher(
        theory, base, domain, CodeMatcher(theory, domain.focus_predicate, tuple(rules), folder)
    )
