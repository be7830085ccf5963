"""Conclusions of learned rules about states of a game, for searches that use them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hornbook.compiler.match.position import Conclusion, RuleMatcher, SharedRules
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.collector import collector_paused
from hornbook.play.native import Native, NativeState
from hornbook.play.whole.thinking import ProvedConclusion
from hornbook.theories.domain import Domain
from hornbook.theories.protocols.optional import SearchRules

SEED = 1


class RuleAdvice:
    """The useful conclusions of rules about a state, with their premises. It serves one thread at a time.

    Each query about a state has its own matcher. The matcher keeps its query from one state of a game to the
    next, so only changes are matched again.
    """

    def __init__(
        self, theory: Theory, domain: Domain, rules: Sequence[Rule], shared: SharedRules | None = None
    ) -> None:
        self.theory, self.domain, self.rules = theory, domain, rules
        self._shared = shared or SharedRules()
        self._matchers: dict[int, RuleMatcher] = {}

    def make_ready(self, native: Native) -> None:
        """Match some states of a random game, because join orders depend on typical states. This takes a
        while.
        """
        states = self.domain.random_game(Random(SEED))  # noqa: S311 - play is no secret
        for state in states[len(states) // 2 :][:2]:
            self(native.State(self.domain.write_line(state)))

    def __call__(self, state: NativeState) -> Sequence[ProvedConclusion]:
        text = str(state)
        position = self.domain.position(text)
        found: dict[str, ProvedConclusion] = {}
        for place, question in enumerate(self.domain.guiding(position, self.theory)):
            if not question.games:
                continue
            matcher = self._matcher(place)
            for conclusion in matcher.each(question.parts, question.games):
                proved = self._proved(text, matcher, conclusion)
                if proved is not None:
                    found.setdefault(proved.text, proved)
        return tuple(found.values())

    def _proved(self, text: str, matcher: RuleMatcher, conclusion: Conclusion) -> ProvedConclusion | None:
        statement, domain = conclusion.of_game, self.domain
        if not isinstance(domain, SearchRules):
            return None
        closes = domain.closes(text, statement)
        if closes is None:
            return None
        written = domain.proved(text, statement, matcher.premises(conclusion))
        if written is None:
            return None
        shown = print_condition(statement_at(statement, None, self.theory.vocabulary))
        return ProvedConclusion(written, f"{shown}  [{conclusion.rule}]", closes[1])

    def _matcher(self, place: int) -> RuleMatcher:
        if place not in self._matchers:
            matcher = RuleMatcher(self.theory, self.domain.focus_predicate, shared=self._shared)
            if not matcher.has_rules:
                with collector_paused():
                    for rule in self.rules:
                        matcher.add(rule)
            self._matchers[place] = matcher
        return self._matchers[place]
