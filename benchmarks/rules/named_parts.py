"""The number of conditions of learned rules before and after their parts get names, with the same answers.

Rules are learned from the examples or problems that ship with each theory, without invented predicates for
the parts of rules (*flat*), and then the parts get names (*short*). Both rule bases are matched in the same
states: random positions of games, or the states of the examples. The exit code is 1 if a conclusion is lost,
a new one appears, or the checker refuses a rule. Times are processor time. They are about matching alone, in
one order and then in the other, so that each rule base is the first once.

Usage:

    python benchmarks/rules/named_parts.py [--positions 300] [--seed 1] [--shipped 0]
        [--output benchmarks/results/named-parts.txt]

With `--shipped 1`, the rules that ship with chess are included. They are not learned again.

Columns:

- `flat`, `short`, `clauses`: the conditions (median and maximum) of flat rules, short rules and parts;
- `long`: the rules that stay long;
- `conclusions`, `lost`, `new`: the conclusions of the flat rules, and the differences of the short ones;
- `time`: the time of matching the short rules, divided by that of the flat ones;
- `making s`: the seconds of naming.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import ROOT, Study, options
from hornbook.compiler.learn.learning import examples_of, learn_all
from hornbook.compiler.learn.lessons import without_special_cases
from hornbook.compiler.learn.shortening.shortening import shortened
from hornbook.compiler.match.states import StateMatcher
from hornbook.compiler.match.unfolding import RuleDefinitions
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.verification import verify_all
from hornbook.games.lessons import learner_for, lessons_in
from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase

HEXAPAWN = ROOT / "app" / "hornbook" / "commands" / "theories" / "skeleton_game"
WORKED = ("repair", "cup", "stack", "suicide", "family", "paper", "firm")
"""Theories with examples."""
GAMES = ("hexapawn", "othello", "checkers", "tiles", "abalone")
"""Games with problems."""


def theory_of(name: str) -> Theory:
    if name == "hexapawn":
        return load(HEXAPAWN)
    return load(ROOT / "theories" / "classical" / "paper" / "paper.horn" if name == "paper" else name)


def flat_rules(name: str, theory: Theory) -> RuleBase:
    """Return the rules that the theory's examples or problems teach."""
    base = RuleBase(theory.name)
    if name in WORKED:
        for step in learn_all(examples_of(theory), theory, base):
            base = step.base
        return base
    folder = HEXAPAWN if name == "hexapawn" else ROOT / "theories" / name / "problems"
    file = folder / ("problems.jsonl" if name == "hexapawn" else "learn.jsonl")
    lessons = lessons_in(theory, [file])
    domain = domain_of(theory)
    assert domain is not None
    learner = learner_for(theory, domain, lessons[0].game.predicate, base)
    list(learner.learn(lessons))
    return without_special_cases(learner.base)


def positions(theory: Theory, number: int, seed: int) -> list[Any]:
    """Return random positions of a game."""
    domain = domain_of(theory)
    assert domain is not None
    random, found = Random(seed), list[Any]()
    while len(found) < number:
        game = domain.random_game(random)
        found += random.sample(game, min(5, len(game)))
    return found[:number]


class InPositions:
    """The conclusions of rules in positions of a game."""

    def __init__(self, theory: Theory, states: Sequence[Any]) -> None:
        domain = domain_of(theory)
        assert domain is not None
        self._theory, self._focus = theory, domain.focus_predicate
        self._queries = [query for state in states for query in domain.questions(state, theory)]

    def conclusions(self, base: RuleBase) -> tuple[set[object], float]:
        rules = [entry.answering for entry in base if entry.is_certified and not entry.rule.lemma]
        matcher = StateMatcher(base.definitions.extended(self._theory), self._focus, rules)
        list(matcher.statements(self._queries[:5]))
        began = time.process_time()
        found = matcher.statements(self._queries)
        seconds = time.process_time() - began
        shown = ((n, str(s)) for n, each in enumerate(found) for _, s in _checked(each))
        return set(shown), seconds


class InStates:
    """The conclusions of rules alone in states that are sets of facts."""

    def __init__(self, theory: Theory, states: Sequence[Sequence[GroundFact]]) -> None:
        self._theory, self._states = theory, states

    def conclusions(self, base: RuleBase) -> tuple[set[object], float]:
        rules = tuple(entry.answering for entry in base if entry.is_certified and not entry.rule.lemma)
        theory = base.definitions.extended(self._theory)
        read = {s.relation for rule in rules for s in statements(rule.body)}
        defining = RuleDefinitions(theory).needed(read, set())
        plain = [rule for rule in defining if rule not in rules]
        alone = KnowledgeBase(_with_rules(theory, (*plain, *rules)))
        heads = {(rule.head.relation, rule.head.tense or "before") for rule in rules}
        found, seconds = set[object](), 0.0
        for number, facts in enumerate(self._states):
            began = time.process_time()
            alone.push()
            alone.add(facts)
            seconds += time.process_time() - began
            for relation, moment in heads:
                listed = alone.engine.statements(relation, moment)  # type: ignore[arg-type]
                found |= {(number, str(each)) for each in listed}
            alone.pop()
        return found, seconds


def _with_rules(theory: Theory, rules: tuple[Any, ...]) -> Theory:
    from dataclasses import replace  # noqa: PLC0415 - used here only

    plain = tuple(replace(rule, of_given=False, learned=False, alone=frozenset()) for rule in rules)
    return replace(theory, rules=plain, lemmas=())


def _checked(found: Any) -> Iterable[Any]:
    if isinstance(found, BaseException):
        raise found
    return found  # type: ignore[no-any-return]


def compared(name: str, theory: Theory, flat: RuleBase, states: Any) -> tuple[str, list[str]]:
    """Return the row of a theory, and the mistakes."""
    began = time.process_time()
    found = shortened(flat, theory)
    took = time.process_time() - began
    wrong = [
        f"{name}: {v.entry.rule.name}: {v.reason}" for v in verify_all(found.base, theory) if not v.follows
    ]
    (one, first), (two, second) = states.conclusions(flat), states.conclusions(found.base)
    (_, third), (_, fourth) = states.conclusions(found.base), states.conclusions(flat)
    wrong += [f"{name}: lost: {each}" for each in sorted(map(str, one - two))]
    wrong += [f"{name}: new: {each}" for each in sorted(map(str, two - one))]
    before, after = _sizes(flat), _sizes(found.base)
    clauses = [len(clause.body) for clause in found.base.definitions.clauses]
    ratio = (second + third) / max(first + fourth, 1e-9)
    row = (
        f"{name:<10}{len(before):>6}{median(before):>8g}{max(before):>5}{median(after):>8g}{max(after):>5}"
        f"{len(clauses):>9}{median(clauses or [0]):>8g}{max(clauses or [0]):>5}{len(found.reasons):>6}"
        f"{len(one):>13}{len(one - two):>6}{len(two - one):>6}{ratio:>8.2f}{took:>9.2f}"
    )
    return row, wrong


def _sizes(base: RuleBase) -> list[int]:
    return [len(entry.rule.body) for entry in base if not entry.rule.lemma]


def rows(given: Any) -> Iterator[tuple[str, list[str]]]:
    for name in (*WORKED, *GAMES):
        theory = theory_of(name)
        flat = flat_rules(name, theory)
        states: InPositions | InStates
        if name in GAMES:
            states = InPositions(theory, positions(theory, given.positions, given.seed))
        else:
            states = InStates(theory, [each.facts for each in examples_of(theory)])
        yield compared(name, theory, flat, states)
    if given.shipped:
        theory = theory_of("chess")
        flat = rulebase.read(ROOT / "theories" / "chess" / "problems" / "learned.horn", theory)
        chess = InPositions(theory, positions(theory, given.positions // 10, given.seed))
        yield compared("chess", theory, flat, chess)


def main() -> int:
    given = options(__doc__, positions=300, seed=1, shipped=0).parse_args()
    study = Study(__file__, given)
    titles = ["theory", "rules", "flat", "max", "short", "max", "clauses", "median", "max", "long"]
    titles += ["conclusions", "lost", "new", "time", "making s"]
    widths = [-10, 6, 8, 5, 8, 5, 9, 8, 5, 6, 13, 6, 6, 8, 9]
    lines = ["".join(f"{t:<{-w}}" if w < 0 else f"{t:>{w}}" for t, w in zip(titles, widths, strict=True))]
    wrong: list[str] = []
    for row, problems in rows(given):
        lines.append(row)
        wrong += problems
    return study.finish("\n".join(lines), wrong)


if __name__ == "__main__":
    sys.exit(main())
