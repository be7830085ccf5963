"""Rules learned from a translated game, compared with exhaustive search of its sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.planner.gdl.game import State
from hornbook.planner.translation.sheet_domain import SheetDomain
from hornbook.theories import search
from hornbook.theories.problems import ProblemRequest

DEEPEST = 9
"""The search depth in moves of the friend: all of noughts and crosses."""


@dataclass(frozen=True, slots=True)
class LearnedGame:
    theory: Theory
    domain: SheetDomain
    rules: tuple[Rule, ...]
    lessons: tuple[Problem, ...]
    proved: int
    """Number of lessons with a proved win."""


def learned_from_lessons(folder: Path, number: int, seed: int, most_moves: int = 2) -> LearnedGame:
    """Return the result of `number` lessons.

    Each lesson is a won position that the rules learned before do not solve.
    """
    (path,) = folder.glob("*.horn")
    theory = load(path)
    domain = domain_of(theory)
    assert isinstance(domain, SheetDomain)
    learner = RuleLearner(theory, domain, RuleBase(theory.name))
    requested = ProblemRequest(10_000, seed, depths=tuple(2 * m - 1 for m in range(1, most_moves + 1)))
    lessons, proved = list[Problem](), 0
    for problem in domain.make_problems(requested):
        lesson = Problem(problem.id, str(path), problem.state, problem.game, problem.moves)
        rules = [entry.rule for entry in learner.base]
        if any(s.game == lesson.game for _, s in conclusions(theory, domain, rules, [lesson.state])):
            continue
        lessons.append(lesson)
        proved += sum(bool(each.first) for each in learner.learn([lesson]))
        if len(lessons) == number:
            break
    return LearnedGame(theory, domain, tuple(entry.rule for entry in learner.base), tuple(lessons), proved)


def conclusions(
    theory: Theory, domain: SheetDomain, rules: Sequence[Rule], states: Iterable[State]
) -> Iterator[tuple[State, GameStatement]]:
    """Yield the conclusions of rules about states, without the theory's own rules that conclude values."""
    plain = tuple(rule for rule in theory.rules if not isinstance(rule.head, GameStatement))
    base = KnowledgeBase(replace(theory, rules=plain), derivations="none")
    add_proved_rules(base, rules)
    for state in states:
        base.push()
        base.add(domain.facts(state))
        for relation in base.relations():
            if isinstance(relation, GameStatement) and relation.tense == "before":
                for statement in base.engine.statements(relation.relation, "before"):
                    assert isinstance(statement, GameStatement)
                    game = Atom(statement.game.predicate, statement.game.terms)
                    yield state, replace(statement, game=game)
        base.pop()


def all_states(domain: SheetDomain) -> list[State]:
    """Return every reachable state."""
    found = dict.fromkeys(domain.starts())
    waiting = list(found)
    for state in waiting:
        for action in domain.actions(state):
            after = domain.after(state, action)
            if after not in found:
                found[after] = None
                waiting.append(after)
    return waiting


@dataclass(frozen=True, slots=True)
class JudgedRules:
    """Numbers of states, and the wrong answers of the rules.

    `first` and `second` count the states that the rules call won for the side to move and for the other side.
    `won_first` and `won_second` count the states that are won so.
    """

    states: int
    first: int
    second: int
    won_first: int
    won_second: int
    wrong: tuple[tuple[State, GameStatement], ...]


def judged(of: LearnedGame, states: Sequence[State]) -> JudgedRules:
    """Compare all answers of the rules with search; the counts concern the greatest goal."""
    wrong = list[tuple[State, GameStatement]]()
    answered: dict[bool, set[State]] = {True: set(), False: set()}
    domain, best = of.domain, max(of.domain.sheet.worths)
    for state, statement in conclusions(of.theory, domain, of.rules, states):
        (_, worth) = statement.game.terms
        if worth.value == min(domain.sheet.worths):  # type: ignore[union-attr]
            continue
        if not search.is_true(domain, state, statement, DEEPEST):
            wrong.append((state, statement))
        elif worth.value == best:  # type: ignore[union-attr]
            answered[domain.to_move(state) == domain.friend(state, statement.game)].add(state)
    won = {True: 0, False: 0}
    for state in states:
        for game in domain.games(state):
            if game.terms[1].value == best and domain.outcome(state, game) is None:  # type: ignore[union-attr]
                mine = domain.to_move(state) == domain.friend(state, game)
                won[mine] += search.wins(domain, state, game, DEEPEST)
    return JudgedRules(
        len(states), len(answered[True]), len(answered[False]), won[True], won[False], tuple(wrong)
    )
