"""Wins of chess in two moves, learned from positions and from clauses about single moves.

The given theory is `combinations` without every clause about more than one move: without its files on replies
and losses, without all regressed predicates and without its lemmas. Shipped problems of one and of two moves
teach. `compiler/learn/replies` regresses predicates, learns a clause from each reply in these positions, and
proves everything. With `--into`, the result is written as the theory `against_replies` and its rules
`learned.horn`. The rules answer held-out problems in one match; an exhaustive search judges moves that a
problem does not list. The study fails if an answer is wrong.

Usage:

    python -m benchmarks.chess.against_replies [--sample 3] [--besides fork-005,…] [--motifs mate2,fork,…]
        [--into theories/chess/ahead | --shipped] [--each 6] [--puzzles FOLDER --most 30]
        [--output benchmarks/results/chess-against-replies.txt]
"""

from __future__ import annotations

import csv
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

import hornbook.theories.chess
from benchmarks import study
from benchmarks.chess.answers import RuleSolver, answers_of
from benchmarks.chess.best_moves import is_right, is_so, move_of
from benchmarks.chess.learning import by_motif, motif_of
from benchmarks.chess.puzzles import PuzzleSolver, read
from benchmarks.chess.search import few_of_each
from hornbook.api.learned_rules import LearnedRules, read_rules
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.invention import InventionResult
from hornbook.compiler.learn.lessons import Problem
from hornbook.compiler.learn.replies.reply_learner import learn_against_replies
from hornbook.compiler.rules.admission import RuleEntry, rule_base
from hornbook.compiler.rules.rulebase import write
from hornbook.compiler.trust.lemma_proofs import write_proofs
from hornbook.inputs.theories import load
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause, print_rule
from hornbook.kb.text.writing import write_text
from hornbook.theories.chess.play import question, tactics
from hornbook.theories.chess.problems.lessons import game_of_problem, moves_of, position_of
from hornbook.theories.chess.problems.problem import ChessProblem, parse_problems, shipped
from hornbook.theories.chess.states.position import ChessPosition
from hornbook.theories.chess.states.rules import legal_moves

AHEAD = Path(hornbook.theories.chess.__file__).parent / "ahead"
THEORY, RULES = AHEAD / "against_replies.horn", AHEAD / "learned.horn"
HEAD = """\
% Learned by `python -m benchmarks.chess.against_replies` from positions and from clauses about single moves:
% predicates for the state after moves, and that a game is won after every reply. Every lemma is proved.
theory against_replies.

import combinations.

"""
LOOKING_AHEAD = ("foretold", "replies", "replied", "losses", "lost", "promoting", "promoted")
"""The files of `combinations` on more than one move, with those below."""
CONCEDING = ("ripened", "conceding", "conceded")
OF_ONE_POSITION = frozenset({"awake"})
"""The predicates of these files that are about a single position."""


def single_moves(theory: Theory) -> Theory:
    """Return the theory without clauses about more than one move, and without lemmas."""
    rules = (
        rule
        for rule in theory.rules
        if not rule.lemma
        and (
            Path(rule.span.file).stem not in (*LOOKING_AHEAD, *CONCEDING)
            or rule.head.relation in OF_ONE_POSITION
        )
    )
    return replace(theory, rules=tuple(rules), lemmas=(), proofs=())


class Forcing:
    """The moves of chess, with all first moves that win by the second one, checks or not.

    Moves that allow a promotion in reply are left out, and first moves that promote.
    """

    focus_predicate = tactics.focus_predicate
    facts = staticmethod(tactics.facts)
    after = staticmethod(tactics.after)
    followed = staticmethod(tactics.followed)
    wider = staticmethod(tactics.wider)
    replies = staticmethod(tactics.replies)

    def attempts(self, state: ChessPosition, game: Atom, moves: int) -> Iterator[GroundFact]:
        """Yield the friend's moves that win within `moves` moves."""
        if moves == 1:
            yield from tactics.attempts(state, game, 1)
            return
        for move in legal_moves(state):
            action = question.action_of(move)
            left = None if move.promotion else question.followed(state, game, action)
            then = None if left is None else question.after(state, action)
            if then is not None and self._is_forced(then, left):
                yield action

    def _is_forced(self, state: ChessPosition, game: Any) -> bool:
        """Return whether there is a reply, and after each the game is won at once."""
        replies = list(legal_moves(state))
        return bool(replies) and all(self._wins_after(state, game, reply) for reply in replies)

    def _wins_after(self, state: ChessPosition, game: Atom, reply: Any) -> bool:
        action = question.action_of(reply)
        left = None if reply.promotion else question.followed(state, game, action)
        then = question.after(state, action)
        return left is not None and any(tactics.achieves(then, left, move) for move in legal_moves(then))


def lessons(most: int, motifs: Sequence[str], besides: Collection[str] = ()) -> list[Problem]:
    """Return the first shipped problems of each motif and of one or two moves, and those in `besides`."""
    path = shipped("learn")
    counts: Counter[tuple[str, int]] = Counter()
    found = []
    for problem in parse_problems(path.read_text(encoding="utf-8"), str(path)):
        moves, motif = moves_of(problem), motif_of(problem.id)
        if moves in (1, 2) and (moves == 1 or not motifs or motif in motifs):
            assert moves is not None
            counts[motif, moves] += 1
            if counts[motif, moves] <= most or problem.id in besides:
                state, game = position_of(problem), game_of_problem(problem)
                found.append(Problem(problem.id, path.name, state, game, moves))
    return sorted(found, key=lambda lesson: lesson.moves)


def held_out(each: int) -> list[ChessProblem]:
    """Return held-out problems of one and two moves, some of each motif."""
    path = shipped("held_out")
    problems = parse_problems(path.read_text(encoding="utf-8"), str(path))
    problems = [problem for problem in problems if moves_of(problem) in (1, 2)]
    return few_of_each(problems, each or len(problems))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = study.options(__doc__, sample=3, each=6)
    parser.add_argument("--motifs", default="", help="of the problems of two moves to learn from")
    parser.add_argument("--besides", default="", help="further problems to learn from")
    parser.add_argument("--into", type=Path, help="a folder for the theory and its rules")
    parser.add_argument("--shipped", action="store_true", help="answer with the rules that ship")
    parser.add_argument("--puzzles", type=Path, help="a folder of puzzles, as for puzzles.py")
    parser.add_argument("--most", type=int, default=30, help="puzzles of each theme")
    this = study.Study(__file__, parser.parse_args(arguments))
    if this.given.shipped:
        rules = read_rules(RULES, THEORY)
        lines = [f"{len(rules)} rules read, {len(rules.certified)} of them certified"]
    else:
        rules, lines = _learned(this.given)
    solver = RuleSolver(rules.theory, rules.base)
    problems = held_out(this.given.each)
    answered = answers_of("learned", problems, lambda problem: solver.answer(problem, 0))
    milliseconds = 1000 * answered.seconds / len(problems)
    lines += [
        "",
        f"in one match, solved/unknown/wrong; {milliseconds:.0f} milliseconds a problem",
        by_motif([answered]),
    ]
    wrong = [answered.name] if answered.rows[-1].outcomes["wrong"] else []
    if this.given.puzzles:
        picked, false = puzzles_solved(rules, this.given.puzzles, this.given.most)
        lines += ["", *picked]
        wrong += false
    return this.finish("\n".join(lines) + "\n", wrong, [f"chess {chess.__version__}"])


def _learned(options: Namespace) -> tuple[LearnedRules, list[str]]:
    """Return what the problems teach, and lines about it. Write it if the options ask for that."""
    given = single_moves(load("combinations"))
    motifs, besides = options.motifs.split(","), options.besides.split(",")
    taught = lessons(options.sample, [each for each in motifs if each], besides)
    began = time.process_time()
    learned = learn_against_replies(given, Forcing(), taught)
    seconds = time.process_time() - began
    if options.into is not None:
        ship(learned, given, options.into)
    rules = [entry for entry in learned.base if not entry.rule.lemma]
    more = len(learned.theory.rules) - len(given.rules)
    size = (
        f"{len(given.rules)} clauses given, {more} learned or regressed,"
        f" {len(learned.base) - len(rules)} lemmas proved, {len(rules)} rules; {seconds:.0f} seconds"
    )
    lines = [
        f"{len(taught)} problems to learn from: {', '.join(lesson.name for lesson in taught)}",
        size,
        "",
        *(print_rule(entry.rule) for entry in rules),
        *_learned_clauses(learned.theory.rules),
    ]
    return LearnedRules(learned.theory, rule_base(learned.theory.name, rules)), lines


def ship(learned: InventionResult, given: Theory, folder: Path) -> None:
    """Write the definitions and lemmas as a theory, and the rules as a rule base.

    The rules are certified for the theory that its file contains. Raise ValueError if a lemma is not
    proved there.
    """
    path = folder / THEORY.name
    words = (
        each
        for name, each in learned.theory.vocabulary.predicates.items()
        if name not in given.vocabulary.predicates
    )
    lemmas = [entry for entry in learned.base if entry.rule.lemma]
    clauses: list[Predicate | Rule] = [
        *words,
        *learned.theory.rules[len(given.rules) :],
        *(entry.rule for entry in lemmas),
    ]
    text = HEAD + "\n".join(map(print_clause, clauses))
    write_text(path, format_text(f"{text}\n"))
    write_proofs(rule_base(path.stem, lemmas), path)
    theory = load(path)
    if theory.lemmas:
        raise ValueError(f"without a proof: {', '.join(rule.name for rule in theory.lemmas)}")
    rules = (_certified(entry, theory) for entry in learned.base if not entry.rule.lemma)
    write(rule_base(theory.name, rules), folder / RULES.name)


def _certified(entry: RuleEntry, theory: Theory) -> RuleEntry:
    """Return a rule with a certificate from a theory that has its lemmas."""
    found = entry.certificate
    assert found is not None
    parts = (found.replies, found.open, found.cases)
    certificate = certificate_of(entry.rule, found.steps, theory, {}, *parts)
    verify(entry.rule, certificate, theory, {})
    return RuleEntry(entry.rule, certificate, entry.provenance)


def puzzles_solved(rules: LearnedRules, folder: Path, most: int) -> tuple[list[str], list[str]]:
    """Return a line for each theme with its puzzles solved in one match, and the claims that are wrong.

    The first move of `match --best` is judged, as in `puzzles.py`, without a told game.
    """
    solver, lines, wrong, total = PuzzleSolver(rules), [], [], Counter[bool]()
    for file in sorted(folder.glob("lichess_*.csv")):
        counts: Counter[bool] = Counter()
        for puzzle in map(read, list(csv.DictReader(file.open(encoding="utf-8")))[:most]):
            moves = solver.moves(puzzle.board, 0, None)
            counts[bool(moves) and is_right(puzzle.board, puzzle.first, move_of(moves[0].move))] += 1
            wrong += [puzzle.board.fen() for move in moves[:1] if not is_so(puzzle.board, move, 0, 1)]
        lines.append(f"{file.stem:30}{counts[True]:>5} of {counts.total()}")
        total += counts
    rate = 100 * total[True] / max(1, total.total())
    return ["puzzles, blind, in one match: right", *lines, f"{rate:.1f} % of {total.total()}"], wrong


def _learned_clauses(rules: Iterable[Any]) -> Iterator[str]:
    """Yield the clauses about what follows a reply, without their regressions."""
    for rule in rules:
        name = rule.head.relation
        if "_after_" in name and rule.name.startswith(f"{name}_case_"):
            yield print_rule(rule)


if __name__ == "__main__":
    sys.exit(main())
