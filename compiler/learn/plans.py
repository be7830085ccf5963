"""Learning plans from a line of play: the friend's own moves, between which the opponent passes.

Each state gives a rule, from the last move to the first. The last move gives a plan in one move by the
theory's own rules. Each earlier move gives a plan that depends on the plan for the remaining moves. The
conditions of the rest of the line are regressed through the move by the theory's rules (Tadepalli 1989,
section 2: the weakest conditions of each suffix).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError, as_applied
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.generalisation import NotOperationalError, generalise
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.generalise.regression import Regressed, regress
from hornbook.compiler.learn.driver import RuleAdmission
from hornbook.compiler.learn.learner import ProvedExample, RefusedProof, certify
from hornbook.compiler.prove.preference import Preferring
from hornbook.compiler.rules.admission import RuleEntry, free_label
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.witness.queries import turn_dependent
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, Constant, GameStatement, PlanStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class LineOfPlay:
    """The friend's moves from a state, each with the facts of the state before it; the opponent passes in
    between.

    `game` is the game to win in the first state. The facts are those of given states, without an action. If
    only the first state is known, `line_from` computes the others.
    """

    game: Atom
    states: tuple[Sequence[GroundFact], ...]
    actions: tuple[GroundFact, ...]


def line_from(
    theory: Theory, facts: Sequence[GroundFact], game: Atom, actions: Sequence[GroundFact]
) -> LineOfPlay:
    """Return the line of these actions from a state; the theory determines the state after an action and a
    pass.

    Raise KnowledgeBaseError if facts contradict the theory.
    """
    states = [tuple(facts)]
    for action in actions[:-1]:
        states.append(after_a_pass(theory, states[-1], action))
    return LineOfPlay(game, tuple(states), tuple(actions))


def after_a_pass(theory: Theory, facts: Sequence[GroundFact], action: GroundFact) -> tuple[GroundFact, ...]:
    """Return the given facts of the state after an action and a pass, as far as the theory concludes them."""
    base = KnowledgeBase(theory, derivations="none")
    base.add([*facts, action])
    remaining: list[GroundFact] = []
    predicates = theory.vocabulary.predicates
    for fact in facts:
        declared = predicates[fact.relation]
        if declared.kind == "static" or declared.turn == "alternates":
            remaining.append(fact._replace(tense=None))
    for name, declared in predicates.items():
        if declared.kind == "fluent" and declared.turn is None:
            ground = base.engine.coding.ground
            remaining += [ground(each)._replace(tense=None) for each in base.engine.facts(name, "after")]
    return tuple(dict.fromkeys(remaining))


def learn_plans(
    theory: Theory,
    line: LineOfPlay,
    label: str = "plan",
    *,
    limits: Limits | None = None,
) -> Iterator[ProvedExample | RefusedProof]:
    """Yield the certified plans of a line, shortest first; the first move without a plan ends the sequence.

    The name of a plan is the label with its number of moves, and its lemma is the previous plan. Raise
    KnowledgeBaseError if the facts of a state contradict the theory, and ValueError unless the line has one
    action for each state.
    """

    def named(moves: int) -> str:
        return f"{label}_{moves}"

    return _suffixes(theory, line, named, lambda found: (found.rule, found.certificate), limits)


@dataclass(frozen=True, slots=True)
class PlanTask:
    """A line to learn plans from, and the provenance of the plans."""

    line: LineOfPlay
    origin: Provenance


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """The result of each move of a line, last move first; nothing with a `fault` of the line."""

    found: tuple[ProvedExample | RefusedProof, ...]
    fault: KnowledgeBaseError | FactError | None = None
    entries: ClassVar[tuple[RuleEntry, ...]] = ()
    """None, since each plan is admitted before the next one is explained."""


@dataclass(frozen=True, slots=True)
class PlanStrategy:
    """Learning plans from lines of play."""

    theory: Theory
    limits: Limits | None = None

    def learn_from(self, task: PlanTask, rules: RuleAdmission) -> PlanOutcome:
        """Learn the plans of a line.

        A plan that an existing one subsumes is not admitted; plans for earlier moves then depend on the
        existing one.
        """

        def named(moves: int) -> str:
            action = task.line.actions[-moves].relation
            return free_label(f"plan_{task.line.game.predicate}_in_{moves}_by_{action}", rules.base)

        def admitted(found: ProvedExample) -> tuple[Rule, Certificate]:
            entry = rules.admit(RuleEntry(found.rule, found.certificate, task.origin))
            assert entry is not None
            assert entry.certificate is not None
            return entry.rule, entry.certificate

        try:
            return PlanOutcome(tuple(_suffixes(self.theory, task.line, named, admitted, self.limits)))
        except (KnowledgeBaseError, FactError) as problem:
            rules.undo()
            return PlanOutcome((), problem)


def _suffixes(
    theory: Theory,
    line: LineOfPlay,
    named: Callable[[int], str],
    admitted: Callable[[ProvedExample], tuple[Rule, Certificate]],
    limits: Limits | None,
) -> Iterator[ProvedExample | RefusedProof]:
    """Yield the results of the moves of a line, last first.

    Each plan depends on the admitted plan for the next move.
    """
    if len(line.states) != len(line.actions):
        raise ValueError(f"{len(line.states)} states and {len(line.actions)} actions are no line of play")
    games = _games(theory, line, limits)
    lemmas: dict[str, Lemma] = {}
    rest: Rule | None = None
    for place in reversed(range(len(line.actions))):
        moves = len(line.actions) - place
        goal = GameStatement(replace(games[place], tense="before"), _atom(line.actions[place]), WON)
        base = _at(theory, line, place, [] if rest is None else [as_applied(rest, theory.vocabulary)], limits)
        if not base.holds(goal):
            yield RefusedProof(goal, _why_not(base, rest, theory, passed=place > 0))
            return
        found = _learned(Preferring(base).explanation(goal), theory, named(moves), moves, rest, lemmas)
        yield found
        if isinstance(found, RefusedProof):
            return
        rest, proof = admitted(found)
        lemmas = {rest.name: Lemma.of(rest, proof)}


def _learned(
    explanation: Explanation,
    theory: Theory,
    label: str,
    moves: int,
    rest: Rule | None,
    lemmas: Mapping[str, Lemma],
) -> ProvedExample | RefusedProof:
    """Return the plan that generalises an explanation of the value of its first action."""
    goal = explanation.goal
    try:
        proved = regress(generalise(explanation, _words(theory)), theory.vocabulary, label)
    except NotOperationalError as problem:
        return RefusedProof(goal, str(problem))
    if rest is not None and not any(step.rule == rest.name for step in proved.steps):
        return RefusedProof(goal, f"the game is won sooner, without the plan in {moves - 1} moves")
    head = proved.rule.head
    assert isinstance(head, GameStatement)
    assert head.by is not None
    planned = Regressed(replace(proved.rule, head=PlanStatement(head.game, moves, head.by)), proved.steps)
    sources = {rule.name: rule for rule in theory.rules}
    sources |= {name: as_applied(lemma.rule, theory.vocabulary) for name, lemma in lemmas.items()}

    try:
        return certify(planned, explanation, theory, lemmas, sources)
    except RejectedError as problem:
        return RefusedProof(goal, f"the checker refuses it: {problem}")


def _words(theory: Theory) -> Vocabulary:
    """Return the vocabulary for plans: derived predicates that a pass may change are not operational."""
    words, changing = operational_vocabulary(theory), turn_dependent(theory)
    changed = {
        name: replace(predicate, operational=False)
        for name, predicate in words.predicates.items()
        if predicate.operational and name in changing
    }
    return replace(words, predicates={**words.predicates, **changed})


def _games(theory: Theory, line: LineOfPlay, limits: Limits | None) -> list[Atom]:
    """Return the game in each state of a line: the given one in the first, then those with which the theory
    continues.
    """
    games = [line.game]
    for place, action in enumerate(line.actions[:-1]):
        games.append(_next_game(theory, line, place, games[-1], action, limits))
    return games


def _next_game(
    theory: Theory, line: LineOfPlay, place: int, game: Atom, action: GroundFact, limits: Limits | None
) -> Atom:
    """Return the game after an action for which a win after a pass implies the value of the action."""
    by = _atom(action)
    goal = GameStatement(replace(game, tense="before"), by, WON)
    for candidate in _candidates(theory, line, place, game):
        won = Rule(
            GameStatement(replace(candidate, tense="after"), None, SECOND_PLAYER_WIN), (by,), "supposed"
        )
        if _at(theory, line, place, [won], limits).holds(goal):
            return candidate
    return game


def _candidates(theory: Theory, line: LineOfPlay, place: int, game: Atom) -> Iterator[Atom]:
    """Yield the same game, then games with an argument replaced by an argument of the action."""
    yield game
    columns = theory.vocabulary.predicates[game.predicate].columns
    acted = line.actions[place]
    sorts = theory.vocabulary.predicates[acted.relation].columns
    for number, column in enumerate(columns):
        for value, sort in zip(acted.values, sorts, strict=True):
            if sort.name == column.name:
                terms = (*game.terms[:number], Constant(value), *game.terms[number + 1 :])
                if terms != game.terms:
                    yield game.with_terms(terms)


def _at(
    theory: Theory, line: LineOfPlay, place: int, rules: Sequence[Rule], limits: Limits | None
) -> KnowledgeBase:
    """Return the theory with rules, in a state of a line with its action."""
    base = KnowledgeBase(theory, derivations="all", limits=limits)
    add_proved_rules(base, rules)
    base.add([*line.states[place], line.actions[place]])
    return base


def _why_not(base: KnowledgeBase, rest: Rule | None, theory: Theory, *, passed: bool) -> str:
    """Return why the action of a line does not win by the rest of it.

    `passed` is True after a pass of the opponent.
    """
    if rest is None:
        why = "the theory does not conclude that the last action wins"
        if passed and all(declared.turn is None for declared in theory.vocabulary.predicates.values()):
            why += "; no fluent is declared `alternates`, so a pass leaves all as it is after the action"
        return why
    applied = as_applied(rest, theory.vocabulary)
    if base.engine.statements(applied.head.relation, "after"):
        return "no rule of the theory concludes that the game continues in this way"
    return f"after the action it is not concluded that `{rest.name}` applies: {_lacking(base, applied)}"


def _lacking(base: KnowledgeBase, rule: Rule) -> str:
    """Return the first condition of a rule that does not hold together with the previous ones."""
    satisfied = 0
    while satisfied < len(rule.body) and base.query(
        ", ".join(map(print_condition, rule.body[: satisfied + 1]))
    ):
        satisfied += 1
    return f"`{print_condition(rule.body[min(satisfied, len(rule.body) - 1)])}`"


def _atom(action: GroundFact) -> Atom:
    return Atom(action.relation, tuple(map(Constant, action.values)))
