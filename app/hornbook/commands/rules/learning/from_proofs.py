"""Rules from the positions in complete proofs: `hornbook learn endings --problems F.epd`.

A position is proved won reply by reply, until rules decide. Each position in the proof then gives a rule,
beginning with the positions nearest to the end. The theory itself proves it as one move before a position
known to be won. Later positions and problems use the rules of earlier ones.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from hornbook.compiler.learn.lessons import Problem, RuleLearner, without_special_cases
from hornbook.games.planning import PlanningKnowledge, planning_knowledge
from hornbook.inputs.domains import NoDomainError
from hornbook.inputs.rule_destination import INTERRUPTED_MESSAGE, LearningTask, RuleDestination
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.play.kep.proof import KepProof, MatchedRules, claims_of
from hornbook.play.kep.proving import BestFirstProver
from hornbook.play.kep.watched import Watched
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import INTERRUPTED
from hornbook.terminal.messages import print_json
from hornbook.theories.domain import FileState
from hornbook.theories.protocols.planning import Planning

SUFFIX = ".epd"
PROVED = 5_000
"""The maximum number of states in the search for a proof."""
RANK = 4
"""The maximum rank of a position to learn from, in moves of both sides. Rules grow with each move."""


def proves_in(theory: Theory, files: Iterable[Path]) -> bool:
    """Return whether files have positions to prove by a theory's own rules."""
    if any(file.suffix != SUFFIX for file in files):
        return False
    try:
        known = planning_knowledge(theory)
    except NoDomainError:
        return False
    return known.claims_theory.path == theory.path


def learn_from_proofs(
    theory: Theory, files: Sequence[Path], home: RuleDestination, budget: Budget, *, json_output: bool
) -> None:
    """Learn from every position that is proved won, and save the rules.

    Each problem has the whole budget. Rules learned before an interruption are kept.
    """
    known = planning_knowledge(theory)
    problems = [(file, each) for file in files for each in known.domain.situations(file)]
    before, started = len(home.base), time.perf_counter()
    work = _Work(known, home, budget)
    interrupted = False
    with progress("learning", len(problems), lines=True) as went_on:
        home.start()
        try:
            for file, problem in problems:
                went_on(doing=on_one_line(problem.name))
                work.learn(problem, str(file))
                went_on(advance=1, remark=f"{work.proved} proved, {counted(len(work.pupil.base), 'rule')}")
        except KeyboardInterrupt:
            interrupted = True
    base = without_special_cases(work.pupil.base)
    home.finish(base)
    report = {
        "problems": work.taken,
        "proved": work.proved,
        "positions": work.positions,
        "stopped": work.stopped,
        "added": len(base) - before,
        "rules": len(base),
        "unproved": work.unproved,
        "refused": dict(work.pupil.refused.most_common()),
        "seconds": round(time.perf_counter() - started, 3),
    }
    if json_output:
        print_json(report)
    else:
        for name, why in work.unproved.items():
            typer.echo(f"{name}: no proof: {why}")
        typer.echo(
            f"{counted(work.taken, 'problem')}: {work.proved} proved, {work.stopped} stopped;"
            f" {counted(work.positions, 'position')} on the way\n"
            f"{counted(len(base) - before, 'rule')} more, {counted(len(base), 'rule')} in {home.path};"
            f" {report['seconds']:.1f} s"
        )
        for cause, number in work.pupil.refused.most_common():
            typer.echo(f"no rule {counted(number, 'time')}: {cause}; first {work.pupil.first_refused[cause]}")
    if interrupted:
        typer.echo(INTERRUPTED_MESSAGE, err=True)
        raise typer.Exit(INTERRUPTED)
    if len(base) <= before and work.unproved and not work.proved:
        typer.echo("nothing was learned: no problem is proved", err=True)
        raise typer.Exit(1)


@dataclass(slots=True)
class OnTheWay:
    """Play along a proof: the player makes the moves of the proof, and the opponent any move."""

    known: PlanningKnowledge
    proof: KepProof | None = None
    focus_predicate: str = field(init=False)

    def __post_init__(self) -> None:
        self.focus_predicate = self.known.domain.focus_predicate

    @property
    def planning(self) -> Planning:
        return self.known.planning

    def facts(self, state: Any, game: Atom, about: object) -> Iterator[GroundFact]:
        predicates = self.known.claims_theory.vocabulary.predicates
        return (fact for fact in self.known.domain.facts(state) if fact.relation in predicates)

    def after(self, state: Any, action: GroundFact) -> Any:
        return self.planning.game.after(state, action)

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom:
        return game

    def attempts(self, state: Any, game: Atom, moves: int) -> Iterator[GroundFact]:
        node = None if self.proof is None else self.proof.nodes.get(state)
        if node is not None and node.action is not None:
            yield node.action

    def wider(self, state: Any, game: Atom, about: frozenset[str | int]) -> Iterator[frozenset[str | int]]:
        yield about

    def replies(self, state: Any, game: Atom, about: object) -> Sequence[GroundFact]:
        return self.planning.game.actions(state)


class _Work:
    """The state of learning: the learned rules and the numbers of problems that were taken, proved and
    stopped.
    """

    def __init__(self, known: PlanningKnowledge, home: RuleDestination, budget: Budget) -> None:
        self.known, self.home, self.budget = known, home, budget
        theory, claims = known.claims_theory, claims_of(known.claims_theory)
        self.play = OnTheWay(known)
        self.pupil = RuleLearner(theory, self.play, home.base, budget, None, claims, _things(known))
        self.wins = MatchedRules.of(
            known.planning.game,
            theory,
            [*claims, *(entry.rule for entry in home.base if entry.is_certified)],
            known.planning.wins,
            known.domain.focus_predicate,
        )
        self.taken = self.proved = self.positions = self.stopped = 0
        self.unproved: dict[str, str] = {}
        """The reason for each problem without a proof, by its name."""

    def learn(self, problem: FileState, file: str) -> None:
        """Prove a problem with the rules learned so far, and learn from the positions of the proof."""
        task = LearningTask(problem.name, file, self.known.domain.write_line(problem.state), "proof")
        self.taken += 1
        if self.home.knows(task):
            return
        self.budget.renew()
        player = self.known.planning.game.to_move(problem.state)
        watched = Watched(self.known.planning.game, float("inf"), lambda _: self.budget.spend())
        try:
            proof = BestFirstProver(watched, player, self.wins, self.known.holds, {}, PROVED).proof(
                problem.state
            )
        except SpentError as spent:
            self.stopped += 1
            self.unproved[problem.name] = str(spent)
            return
        if proof is not None:
            self.proved += 1
            self._learn_on_the_way(proof, problem.name, file)
        else:
            self.unproved[problem.name] = f"the search found no proof within {counted(PROVED, 'state')}"
        proved = proof is not None
        self.home.lesson(task, self.pupil.base, {"proved": proved}, is_learned=proved)

    def _learn_on_the_way(self, proof: KepProof, name: str, file: str) -> None:
        self.play.proof = proof
        game = Atom(self.known.planning.wins[0], (Constant(proof.player),))
        for state, node in sorted(proof.nodes.items(), key=lambda each: each[1].rank):
            if node.rule is not None or node.rank > RANK:
                continue
            self.positions += 1
            first = node.action is not None
            lesson = Problem(name, file, state, game, 1 if first else 0, None if first else 1)
            there = set(self.pupil.base.entries)
            for _ in self.pupil.learn([lesson]):
                for learned in self.pupil.base.entries.keys() - there:
                    self.wins.matcher.add(self.pupil.base.entries[learned].rule)


def _things(known: PlanningKnowledge) -> frozenset[Constant]:
    """Return the constants of every state: the players, and values of open sorts in the first state."""
    words, start = known.claims_theory.vocabulary, known.domain.starts()[0]
    found = {
        Constant(value)
        for fact in known.domain.facts(start)
        if words.predicates[fact.relation].kind == "fluent"
        for value, column in zip(fact.values, words.predicates[fact.relation].columns, strict=True)
        if words.sorts[column.name].kind == "open"
    }
    return frozenset(found | set(map(Constant, known.players(start))))
