"""Value of learning in chess: answers by motif and depth before and after it, and times of two searches.

Rules are learned from `learn.jsonl` (or given), and answer the held-out problems in one match, and in
chains of levels. Before learning, the theory itself answers, on the unchanged position, and once after
each legal move as an action. Alpha-beta and Stockfish also answer a sample, each at a fixed depth, as in
`search.py`, on the same processor in the same run. An exhaustive search judges moves that a
problem does not list.

Usage:

    python benchmarks/chess/learning.py [--rules RULES.horn] [--theory chess] [--motifs fork,pin,…]
        [--sample 0] [--each 20] [--levels 1] [--depth 3] [--stockfish 6]
        [--output benchmarks/results/chess-learning.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

import hornbook
from benchmarks import study
from benchmarks.chess.answers import RuleSolver, SolverResult, TheorySolver, answers_of, searched
from benchmarks.chess.search import few_of_each
from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.theories.chess.play import question, tactics
from hornbook.theories.chess.problems.lessons import position_of
from hornbook.theories.chess.problems.problem import ChessProblem, parse_problems, shipped
from hornbook.theories.chess.problems.score import OUTCOMES, ChessAnswer


def learned(theory: Theory, chosen: Iterable[Problem]) -> RuleBase:
    learner = RuleLearner(theory, tactics, RuleBase(theory.name))
    for _ in learner.learn(chosen):
        pass
    return learner.base


def some(found: Iterable[Problem], most: int, motifs: Sequence[str] | None = None) -> list[Problem]:
    """Return the first `most` lessons of each of the motifs; by default all motifs, and all
    lessons if `most` is 0.
    """
    counts: Counter[str] = Counter()
    chosen = []
    for lesson in found:
        motif = motif_of(lesson.name)
        counts[motif] += 1
        if (not most or counts[motif] <= most) and (not motifs or motif in motifs):
            chosen.append(lesson)
    return chosen


def motif_of(problem: str) -> str:
    return problem.rpartition("-")[0]


def rules_by_motif(base: RuleBase) -> str:
    """Return the rules with their conditions by the motif of the problem that first taught each."""
    lengths: dict[str, list[int]] = {}
    for entry in base:
        taught = "" if entry.provenance is None else motif_of(entry.provenance.example)
        lengths.setdefault(taught or "elsewhere", []).append(len(entry.rule.body))
    lines = [f"{'first taught by':16}{'rules':>6}{'conditions':>12}{'most':>6}"]
    lines += [f"{motif:16}{len(each):>6}{sum(each):>12}{max(each):>6}" for motif, each in lengths.items()]
    return "\n".join(lines)


def matching(theory: Theory, base: RuleBase, problems: Sequence[ChessProblem]) -> float:
    """Return the microseconds to replace a position by another and match all rules about all of its games."""
    matcher = RuleMatcher(theory, question.focus_predicate)
    for entry in base:
        if entry.is_certified:
            matcher.add(entry.rule)
    states = [position_of(problem) for problem in problems]
    ready = [(question.parts(state), question.games(state)) for state in states]
    matcher.statements(*ready[0])
    began = time.process_time()
    for parts, games in ready:
        matcher.statements(parts, games)
    return 1e6 * (time.process_time() - began) / len(ready)


def by_motif(columns: Sequence[SolverResult]) -> str:
    """Return solved, unknown and wrong problems of each motif and depth, side by side."""
    lines = [f"{'motif':12}{'plies':>6}{'problems':>10}" + "".join(f"{each.name:>18}" for each in columns)]
    for rows in zip(*(each.rows for each in columns), strict=True):
        first = rows[0]
        cells = ("/".join(str(row.outcomes[outcome]) for outcome in OUTCOMES) for row in rows)
        head = f"{first.motif or 'all':12}{first.depth or '':>6}{first.problems:>10}"
        lines.append(head + "".join(f"{cell:>18}" for cell in cells))
    return "\n".join(lines)


def in_sum(columns: Sequence[SolverResult]) -> str:
    lines = [f"{'':28}{'problems':>9}" + "".join(f"{o:>9}" for o in OUTCOMES) + f"{'microseconds':>14}"]
    for each in columns:
        total = each.rows[-1]
        counts = "".join(f"{total.outcomes[outcome]:>9}" for outcome in OUTCOMES)
        micro = 1e6 * each.seconds / total.problems
        lines.append(f"{each.name:28}{total.problems:>9}{counts}{micro:>14.0f}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, levels=1)
    parser.add_argument("--rules", type=Path, help="learned already, instead of learning")
    parser.add_argument("--theory", default="chess", help="the theory that the rules are for")
    parser.add_argument("--motifs", help="learn from problems of these motifs only")
    parser.add_argument("--sample", type=int, default=0, help="lessons of each motif; all by default")
    parser.add_argument(
        "--each", type=int, default=20, help="problems of each motif that all are asked; 0: all"
    )
    parser.add_argument("--depth", type=int, default=3, help="of alpha-beta")
    parser.add_argument("--stockfish", type=int, default=6, help="its depth; 0: not asked")
    given = parser.parse_args(arguments)
    text = report(given, f"python benchmarks/chess/learning.py {' '.join(arguments or sys.argv[1:])}".strip())
    print(text, end="")
    if given.output:
        given.output.write_text(text, encoding="utf-8")
    return 0


def report(given: argparse.Namespace, command: str) -> str:
    theory, path = load(given.theory), shipped("held_out")
    began, how = time.process_time(), "read"
    if given.rules:
        base = rulebase.read(given.rules, theory)
        if not all(entry.is_certified for entry in base):
            raise SystemExit(f"{given.rules} has rules without a proof: run `hornbook rules verify` first")
    else:
        motifs = given.motifs and given.motifs.split(",")
        chosen = some(hornbook.read_problems("chess"), given.sample, motifs)
        base = learned(theory, chosen)
        how = f"learned from {len(chosen)} problems in {time.process_time() - began:.0f} s of one processor"
    problems = parse_problems(path.read_text(encoding="utf-8"), str(path))
    sample = few_of_each(problems, given.each or len(problems))
    theory_solver, taught = TheorySolver(theory, problems[0]), RuleSolver(theory, base)
    askers: dict[str, Callable[[ChessProblem], ChessAnswer]] = {
        "theory": theory_solver.as_it_is,
        "theory, each move": theory_solver.by_each_move,
        **{f"rules, {n} levels": lambda p, n=n: taught.answer(p, n) for n in range(given.levels + 1)},  # type: ignore[misc]
    }
    deeper = {name: 2 * int(name.split()[1]) for name in askers if name.startswith("rules")}
    everything = [answers_of(name, problems, askers[name], deeper=more) for name, more in deeper.items()]
    compared = [answers_of(name, sample, ask, deeper=deeper.get(name, 0)) for name, ask in askers.items()]
    searches = searched(sample, given.depth, given.stockfish)
    conditions = sum(len(entry.rule.body) for entry in base)
    return (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, chess {chess.__version__}, Python {platform.python_version()}\n\n"
        f"{len(theory.rules)} rules and {len(theory.facts)} facts of the theory\n"
        f"{len(base)} rules {how}: {conditions} conditions, {len(rulebase.rules_text(base).encode())} bytes\n"
        f"{matching(theory, base, problems):.0f} microseconds to match all rules about all games of a "
        "position\n\n"
        f"{rules_by_motif(base)}\n\n"
        f"all held-out problems, solved/unknown/wrong\n{by_motif(everything)}\n\n"
        f"{given.each or 'all'} of each motif that can be won: before learning and after "
        f"it\n{by_motif(compared)}\n\n"
        f"the same in sum, beside searches that play what is best, which need not be what is asked\n"
        "(microseconds of the processor for a position; of stockfish, by the "
        f"clock)\n{in_sum([*compared, *searches])}\n"
    )


if __name__ == "__main__":
    raise SystemExit(main())
