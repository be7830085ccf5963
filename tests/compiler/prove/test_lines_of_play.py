"""Tests of lines of play: played on a board, they answer every reply and end with a captured block."""

from __future__ import annotations

import re

import pytest

from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.prove.lines_of_play import _Plays, lines_of_play
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.theories import load
from hornbook.theories.go.play import question, tactics
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.lessons import PART, game_of, moves_first
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.reader import legal_moves, play
from hornbook.theories.go.states.board import GoBoard

PROBLEMS = {problem.id: problem for problem in read_problems(shipped("train"))}
LEARNED_FROM = [p for p in PROBLEMS.values() if p.depth == 3 and p.value == "GP"][:6]
UNSEEN = [p for p in PROBLEMS.values() if p.depth == 3 and p.value == "GP"][6:]
MOVE = re.compile(r"(any other )?(move|pass)\((black|white)(?:, (\??\w+))?\)")


@pytest.fixture(scope="module")
def learned():
    theory = load(PART)
    learner = RuleLearner(theory, tactics, RuleBase(theory.name))
    lessons = [Problem(p.id, "", p.board, game_of(p), moves_first(p) or 0) for p in LEARNED_FROM]
    assert all(taught.first for taught in learner.learn(lessons))
    matcher = RuleMatcher(theory, question.focus_predicate)
    for entry in learner.base:
        matcher.add(entry.rule)
    return theory, learner.base, matcher


def branches(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Return the outermost lines, each with the lines below it, shifted left by two columns."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("  "):
            found[-1][1].append(line[2:])
        else:
            found.append((line, []))
    return found


def in_full(lines: list[str]) -> list[str]:
    """Return the lines with each reference `[above, #n]` replaced by the lines that it refers to."""
    marked: dict[str, list[str]] = {}
    full: list[str] = []
    open_marks: list[tuple[int, str]] = []
    for line in lines:
        depth = len(line) - len(line.lstrip())
        open_marks = [(at, mark) for at, mark in open_marks if at < depth]
        there = re.search(r"  \[above, #(\d+)\]$", line)
        own = re.search(r" #(\d+)$", line)
        new = [line[: there.start()] if there else line[: own.start()] if own else line]
        if there:
            new += [" " * depth + below for below in marked[there[1]]]
        if own:
            marked[own[1]] = []
        for at, mark in open_marks:
            marked[mark] += [each[at:] for each in new]
        if own:
            open_marks.append((depth, own[1]))
        full += new
    return full


class Player:
    """A player that plays the lines against every reply."""

    def __init__(self, problem: CaptureProblem) -> None:
        self.problem = problem
        self.replies = 0

    def answer(self, board: GoBoard, lines: list[str]) -> None:
        ((line, below),) = branches(lines)
        found = MOVE.match(line)
        assert found is not None
        assert found[3] == self.problem.attacker
        board = play(board, self.problem.attacker, board.point(found[4]))
        if below:
            self.every_reply(board, branches(below))
        else:
            assert board.colours[self.problem.target] == "empty"

    def every_reply(self, board: GoBoard, reported: list[tuple[str, list[str]]]) -> None:
        legal: set[int | None] = {None, *legal_moves(board, self.problem.defender)}
        for line, below in reported:
            found = MOVE.match(line)
            assert found is not None
            assert found[3] == self.problem.defender
            if found[1]:
                meant = {point for point in legal if point is not None}
            else:
                meant = {None if found[2] == "pass" else board.point(found[4])} & legal
            assert bool(meant) == (below != ["impossible"]) or found[1]
            for reply in meant:
                self.replies += 1
                self.answer(play(board, self.problem.defender, reply), below)
            legal -= meant
        assert not legal


def test_the_lines_of_a_proof_capture_whatever_is_replied(learned):
    theory, base, matcher = learned
    replies = answered = 0
    for problem in UNSEEN:
        found = matcher.conclusions(question.parts(problem.board, problem.defender), [game_of(problem)])
        for each in (c for c in found if c.statement.by is not None):
            player = Player(problem)
            player.answer(problem.board, in_full(lines_of_play(base, theory, each.rule, each.bindings)))
            replies += player.replies
            answered += 1
    assert answered > 10
    assert replies > 200


def deep(depth: int) -> list[str]:
    """Return the lines of a play in which all replies lead to the same line."""
    plays = _Plays()
    below: tuple[int, ...] = (plays.add("a  [last]"),)
    for number in range(depth):
        below = (plays.add(f"a{number}  [rule]", (plays.add("one", below), plays.add("other", below))),)
    return list(plays.lines(below))


def unshared(depth: int) -> list[str]:
    if depth == 0:
        return ["a  [last]"]
    below = [f"    {line}" for line in unshared(depth - 1)]
    return [f"a{depth - 1}  [rule]", "  one", *below, "  other", *below]


def test_what_a_rule_plays_is_reported_once_and_elsewhere_referred_to():
    assert deep(2) == [
        "a1  [rule]",
        "  one",
        "    a0  [rule] #1",
        "      one",
        "        a  [last]",
        "      other",
        "        a  [last]",
        "  other",
        "    a0  [rule]  [above, #1]",
    ]
    for depth in range(7):
        assert in_full(deep(depth)) == unshared(depth)
    assert len(deep(100)) == 99 * 4 + 5


def test_a_capture_has_one_line(learned):
    theory, base, matcher = learned
    problem = next(p for p in PROBLEMS.values() if p.depth == 1 and p.value == "GP")
    parts = question.parts(problem.board, problem.defender)
    each = next(c for c in matcher.conclusions(parts, [game_of(problem)]) if c.statement.by is not None)
    (line,) = lines_of_play(base, theory, each.rule, each.bindings)
    assert line.endswith(f"[{each.rule}]")


def test_a_rule_that_is_not_there(learned):
    theory, base, _ = learned
    with pytest.raises(KeyError):
        lines_of_play(base, theory, "no_such_rule", {})
