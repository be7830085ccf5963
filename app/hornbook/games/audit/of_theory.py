"""Audit of a theory: its conclusions about actions, compared with the step function of its adapter.

The actions come from random walks. After each action, the derived fluents are compared with the facts of the
next state. Predicates declared `observed` are compared with their values there, and the changes with the
frames. A theory may be incomplete on purpose, so missing conclusions (`missing`) are counted apart from false
ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import islice, repeat
from random import Random
from types import ModuleType
from typing import Any

from hornbook.kb.ast.terms import Atom, Constant, Tense
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_states import EvaluatedState, FactStates
from hornbook.kb.base.frames import breaches_in, frame_queries, frame_relations
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.facts import formed_facts
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.theories.domain import Domain
from hornbook.theories.protocols.missing_member import MissingMemberError

BLOCK = 256
"""The number of actions that are judged together."""


class Stepping(Domain):
    """A domain made from an adapter with `actions` and `step`; the states must be given."""

    def __init__(self, adapter: ModuleType) -> None:
        self.adapter = adapter


@dataclass(frozen=True, slots=True)
class Walks:
    """The walks of an audit: `games` walks of at most `moves` moves from a seed.

    They start from `states`, if there are any.
    """

    games: int
    moves: int
    seed: int
    states: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class WalkStep:
    """An action of a walk, with the facts before and after it."""

    game: int
    number: int
    before: tuple[GroundFact, ...]
    action: GroundFact
    after: tuple[GroundFact, ...]


@dataclass(frozen=True, slots=True)
class StepDifference:
    """The differences between a theory and the step function after one action.

    `false` are wrong conclusions, each with its rule, and `missing` are facts that are not derived. `broken`
    are the frames that forbid a change. `refused` is the reason if nothing can be derived at all.
    """

    step: WalkStep
    false: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]
    broken: tuple[str, ...]
    refused: str | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether a conclusion is false, as opposed to missing."""
        return bool(self.false or self.broken or self.refused)


@dataclass(slots=True)
class StepTally:
    """The counts of an audit, and the first difference that counts."""

    steps: int = 0
    games: int = 0
    differing: int = 0
    concluded: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    first: StepDifference | None = None


class NoStepsError(HornbookError):
    """The walks contained no action; the message gives the reason."""


def steps(theory: Theory, domain: Domain, walks: Walks) -> Iterator[WalkStep | None]:
    """Yield the actions of random walks, and None at the end of each game.

    The values of facts have the forms of the theory, such as dates.

    Raises MissingMemberError if no state is given and the domain names no initial states.
    """
    random, vocabulary = Random(walks.seed), theory.vocabulary  # noqa: S311 - no cryptography
    for game in range(1, walks.games + 1):
        state = _start(domain, walks.states, random)
        facts = formed_facts(domain.facts(state), vocabulary)
        for number in range(1, walks.moves + 1):
            actions = list(domain.actions(state))
            random.shuffle(actions)
            # `actions` may list candidates, so an action without a next state is no step.
            led = ((action, domain.after(state, action)) for action in actions)
            found = next(((action, after) for action, after in led if after is not None), None)
            if found is None:
                break
            action, state = found
            follows = formed_facts(domain.facts(state), vocabulary)
            [formed] = formed_facts([action], vocabulary)
            yield WalkStep(game, number, facts, formed, follows)
            facts = follows
        yield None


def _start(domain: Domain, states: Sequence[Any], random: Random) -> Any:
    if states:
        return random.choice(states)
    try:
        return random.choice(domain.starts())
    except MissingMemberError as problem:
        if type(domain).random_game is Domain.random_game:
            raise MissingMemberError(f"{problem}\nor name states to begin with (--state)") from None
        return random.choice(domain.random_game(random))


class TheoryAuditor:
    """A theory that is compared with a step function, in many states at once."""

    def __init__(self, theory: Theory, limits: Limits | None = None) -> None:
        self._theory, self._limits = theory, limits or Limits()
        predicates = theory.vocabulary.predicates.values()
        self.fluents = [p.name for p in predicates if p.kind == "fluent"]
        self.observed = [p.name for p in predicates if p.observed and p.kind == "derived"]
        has_actions = any(p.kind == "action" for p in predicates)
        after: list[tuple[str, Tense]] = [
            (n, "after") for n in (*self.fluents, *self.observed) if has_actions
        ]
        self._before = FactStates(
            theory, [*after, *frame_relations(theory)], frame_queries(theory), self._limits
        )
        self._after = FactStates(theory, [(name, "before") for name in self.observed], (), self._limits)

    @cached_property
    def _explained(self) -> KnowledgeBase:
        return KnowledgeBase(self._theory, limits=self._limits)

    def judge(self, steps: Sequence[WalkStep], tally: StepTally) -> list[StepDifference]:
        """Return the differences between the theory and each step, and count the conclusions."""
        before = self._before.evaluate([(*step.before, step.action) for step in steps])
        after = self._after.evaluate([step.after for step in steps]) if self.observed else repeat(None)
        return [self._difference(*each, tally) for each in zip(steps, before, after)]  # noqa: B905 - no end

    def _difference(
        self,
        step: WalkStep,
        before: EvaluatedState | HornbookError,
        after: EvaluatedState | HornbookError | None,
        tally: StepTally,
    ) -> StepDifference:
        for state in (after, before):
            if isinstance(state, HornbookError):
                return StepDifference(step, (), (), (), str(state))
        assert isinstance(before, EvaluatedState)
        follows: dict[str, set[tuple[str | int, ...]]] = {name: set() for name in self.fluents}
        for fact in step.after:
            if fact.relation in follows:
                follows[fact.relation].add(fact.values)
        if isinstance(after, EvaluatedState):
            follows |= {name: after.values(name, "before") for name in self.observed}
        false: list[tuple[str, str]] = []
        missing: list[str] = []
        for name, true in follows.items():
            derived = before.values(name, "after")
            tally.concluded[name] += len(derived)
            tally.false[name] += len(derived - true)
            false += self._with_rules(step, name, sorted(derived - true, key=str))
            if name in self.fluents:
                tally.missing[name] += len(true - derived)
                missing += [fact_shown(name, values) for values in sorted(true - derived, key=str)]
        broken = tuple(map(str, breaches_in(self._theory, before, step.after)))
        return StepDifference(step, tuple(false), tuple(missing), broken)

    def _with_rules(
        self, step: WalkStep, name: str, wrong: Sequence[tuple[str | int, ...]]
    ) -> list[tuple[str, str]]:
        """Return wrong conclusions of a relation as texts, each with its rule."""
        if not wrong:
            return []
        base = self._explained
        base.push()
        try:
            base.add([*step.before, step.action])
            return [(shown, _rule(base, shown)) for shown in (fact_shown(name, values) for values in wrong)]
        finally:
            base.pop()


def _rule(base: KnowledgeBase, conclusion: str) -> str:
    """Return the rule that concludes a fact after an action."""
    rule = base.why(f"after {conclusion}").steps[-1].rule
    assert rule is not None, "nothing after an action is given"
    return rule.name


def fact_shown(name: str, values: tuple[str | int, ...]) -> str:
    """Return the text of a fact."""
    return print_condition(Atom(name, tuple(map(Constant, values))))


def audited(
    theory: Theory, domain: Domain, walks: Walks, *, partial: bool, limits: Limits | None = None
) -> Iterator[StepTally]:
    """Yield the counts, once for each game. With `partial`, missing conclusions are no difference.

    Raises NoStepsError if no walk contained an action.
    """
    tally, auditor = StepTally(), TheoryAuditor(theory, limits)
    for block in _blocks(steps(theory, domain, walks)):
        taken = [step for step in block if step is not None]
        tally.steps += len(taken)
        for found in auditor.judge(taken, tally):
            if found.is_wrong or (found.missing and not partial):
                tally.differing += 1
                tally.first = tally.first or found
        for _ in range(len(block) - len(taken)):
            tally.games += 1
            yield tally
    if tally.steps == 0 and walks.games > 0 and walks.moves > 0:
        raise NoStepsError(
            f"`{theory.name}`: no action leads anywhere from the states where the walks began:"
            " `actions` lists none, or `step` gives None for all"
        )


def _blocks(steps: Iterator[WalkStep | None]) -> Iterator[list[WalkStep | None]]:
    """Yield the actions and the ends of games in blocks that are judged together."""
    while block := list(islice(steps, BLOCK)):
        yield block


def facts_by_predicate(step: WalkStep, theory: Theory) -> list[str]:
    """Return the fluents of the state before a step, as one line for each predicate."""
    shown: dict[str, list[str]] = defaultdict(list)
    for fact in step.before:
        predicate = theory.vocabulary.predicates.get(fact.relation)
        if predicate is not None and predicate.kind == "fluent":
            shown[fact.relation].append(fact_shown(fact.relation, fact.values))
    return [", ".join(facts) for facts in shown.values()]
