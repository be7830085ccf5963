"""Rules from the positions in complete proofs: `hornbook learn endings --problems F.epd`.

A search proves that a position is won: it answers each reply of the opponent, until rules conclude the win.
Each position of the proof then gives a rule, beginning with the positions nearest to the end of play. The
proof of such a rule looks one move ahead, to positions that earlier rules conclude to be won.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from hornbook.compiler.learn.driver import drive
from hornbook.compiler.learn.lessons import Problem, RuleLearner, without_special_cases
from hornbook.games.lessons import long_rules, short_rules
from hornbook.games.planning import PlanningKnowledge, planning_knowledge
from hornbook.inputs.domains import NoDomainError
from hornbook.inputs.rule_destination import INTERRUPTED_MESSAGE, LearningTask, RuleDestination
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.proof import KepProof, MatchedRules, claims_of
from hornbook.play.kep.proving import BestFirstProver
from hornbook.play.kep.watched import Watched
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import INTERRUPTED, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.theories.domain import FileState
from hornbook.theories.protocols.planning import Planning

SUFFIX = ".epd"
MAX_STATES = 5_000
"""The maximum number of states that the search for a proof visits."""
MAX_RANK = 4
"""The maximum rank of a position to learn from: its distance from the end of the proof.

The unit is a move of either side. Rules of a higher rank have more conditions.
"""


def proves_in(theory: Theory, files: Iterable[Path]) -> bool:
    """Return whether all files are EPD files, and plans of the theory's domain use its claims."""
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
    """Learn from every position that is proved won, save the rules in `home`, and print a report.

    Each problem has the whole budget. After an interruption, the rules learned until then are saved. Raises
    Exit after an interruption, and if nothing was learned because no problem was proved.
    """
    known = planning_knowledge(theory)
    problems = [(file, each) for file in files for each in known.domain.situations(file)]
    before, started = len(home.base), time.perf_counter()
    work = _ProofLearning(known, home, budget)
    interrupted = False
    with progress("learning", len(problems), lines=True) as update_progress:
        home.start()
        try:
            for file, problem in problems:
                update_progress(doing=on_one_line(problem.name))
                work.learn(problem, str(file))
                update_progress(
                    advance=1, remark=f"{work.proved} proved, {counted(len(work.learner.base), 'rule')}"
                )
        except KeyboardInterrupt:
            interrupted = True
    base = without_special_cases(work.learner.base)
    short = short_rules(base, theory, known.domain)
    home.finish(short.base)
    report = {
        "problems": work.taken,
        "proved": work.proved,
        "positions": work.positions,
        "stopped": work.stopped,
        "added": len(base) - before,
        "rules": len(base),
        "unproved": work.unproved,
        "refused": dict(work.learner.refused.most_common()),
        "long": dict(short.reasons),
        "seconds": round(time.perf_counter() - started, 3),
    }
    if json_output:
        print_json(report)
    else:
        for name, why in work.unproved.items():
            print_line(f"{name}: no proof: {why}")
        print_line(
            f"{counted(work.taken, 'problem')}: {work.proved} proved, {work.stopped} stopped;"
            f" {counted(work.positions, 'position')} on the way\n"
            f"{counted(len(base) - before, 'rule')} more, {counted(len(base), 'rule')} in {home.path};"
            f" {report['seconds']:.1f} s"
        )
        for cause, number in work.learner.refused.most_common():
            first = work.learner.first_refused[cause]
            print_line(f"no rule {counted(number, 'time')}: {cause}; first {first}")
        for line in long_rules(short):
            print_line(line)
    if interrupted:
        warn(INTERRUPTED_MESSAGE)
        raise ReportedError(INTERRUPTED)
    if len(base) <= before and work.unproved and not work.proved:
        warn("nothing was learned: no problem is proved")
        raise ReportedError(1)


@dataclass(slots=True)
class ProofPlay:
    """Moves for the learner (`ProverMoves`): for the player those of the proof, for the opponent all."""

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


class _ProofLearning:
    """The state of learning: the learned rules, and the numbers of problems.

    `taken` counts all problems, `proved` those with a proof, and `stopped` those that exceeded the budget.
    `positions` counts the positions learned from.
    """

    def __init__(self, known: PlanningKnowledge, home: RuleDestination, budget: Budget) -> None:
        self.known, self.home, self.budget = known, home, budget
        theory, claims = known.claims_theory, claims_of(known.claims_theory)
        self.play = ProofPlay(known)
        self.learner = RuleLearner(theory, self.play, home.base, budget, None, claims, _things(known))
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
            proof = BestFirstProver(watched, player, self.wins, self.known.holds, {}, MAX_STATES).proof(
                problem.state
            )
        except SpentError as spent:
            self.stopped += 1
            self.unproved[problem.name] = str(spent)
            return
        if proof is not None:
            self.proved += 1
            self._learn_from_proof(proof, problem.name, file)
        else:
            self.unproved[problem.name] = f"the search found no proof within {counted(MAX_STATES, 'state')}"
        proved = proof is not None
        self.home.lesson(task, self.learner.base, {"proved": proved}, is_learned=proved)

    def _learn_from_proof(self, proof: KepProof, name: str, file: str) -> None:
        """Learn from the positions of a proof that no rule decides, by rank, and use each rule at once."""
        self.play.proof = proof
        game = Atom(self.known.planning.wins[0], (Constant(proof.player),))
        for state, node in sorted(proof.nodes.items(), key=lambda each: each[1].rank):
            if node.rule is not None or node.rank > MAX_RANK:
                continue
            self.positions += 1
            moves_first = node.action is not None
            lesson = Problem(name, file, state, game, int(moves_first), None if moves_first else 1)
            for step in drive(self.learner, [lesson], self.learner.rules):
                for entry in step.admitted:
                    self.wins.matcher.add(entry.rule)


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
